// SPDX-License-Identifier: BSD-3-Clause
// MathML Core, as browsers show it without fonts of ours.
#include "characters.hpp"
#include "typography.hpp"

namespace varia::expr {

namespace {

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '&')
      result += "&amp;";
    else if (c == '<')
      result += "&lt;";
    else if (c == '>')
      result += "&gt;";
    else
      result += c;
  }
  return result;
}

std::string mathml_number(const std::string& mantissa, const std::string& exponent) {
  if (exponent.empty()) return "<mn>" + mantissa + "</mn>";
  const std::string minus = exponent.front() == '-' ? "<mo>\u2212</mo>" : "";
  std::string ten = "<msup><mn>10</mn><mrow>" + minus + "<mn>" +
                    exponent.substr(minus.empty() ? 0 : 1) + "</mn></mrow></msup>";
  if (mantissa.empty()) return ten;
  return "<mrow><mn>" + mantissa + "</mn><mo>\u00d7</mo>" + ten + "</mrow>";
}

/// Words stand upright, letters in italics: so browsers show <mi>.
std::string mathml_symbol(const Symbol& s) {
  std::string text = "<mi>" + escaped(s.base) + "</mi>";
  // without the attribute accent: browsers would set the dot into the letter
  if (s.dot) text = "<mover>" + text + "<mo lspace=\"0\" rspace=\"0\">\u02d9</mo></mover>";
  if (s.indices.empty()) return text;
  std::string below;
  for (const std::string& index : s.indices) {
    const bool number = !index.empty() && is_digit(index.front());
    below += (below.empty() ? "" : "<mo separator=\"true\">,</mo>") +
             (number ? "<mn>" + index + "</mn>" : "<mi>" + escaped(index) + "</mi>");
  }
  return "<msub>" + text + "<mrow>" + below + "</mrow></msub>";
}

std::string mathml_function(const std::string& name) { return "<mi>" + escaped(name) + "</mi>"; }
std::string mathml_words(const std::string& text) { return "<mtext>" + escaped(text) + "</mtext>"; }

}  // namespace

const Typography mathml_typography{
    .plus = "<mo form=\"infix\">+</mo>",
    .minus = "<mo form=\"infix\">\u2212</mo>",
    .sign = "<mo form=\"prefix\">\u2212</mo>",
    .thin = "<mspace width=\"0.17em\"></mspace>",
    .times = "<mo>\u22c5</mo>",
    .open = "<mrow><mo>(</mo>",
    .close = "<mo>)</mo></mrow>",
    .comma = "<mo separator=\"true\">,</mo>",
    .line_open = "<mo form=\"prefix\" stretchy=\"false\">(</mo>",
    .line_close = "<mo form=\"postfix\" stretchy=\"false\">)</mo>",
    .fraction_open = "<mfrac><mrow>",
    .fraction_middle = "</mrow><mrow>",
    .fraction_close = "</mrow></mfrac>",
    .power_open = "<msup><mrow>",
    .power_middle = "</mrow><mrow>",
    .power_close = "</mrow></msup>",
    .root_open = "<msqrt>",
    .root_close = "</msqrt>",
    .bracket_open = "<mrow><mo>[</mo>",
    .bracket_close = "<mo>]</mo></mrow>",
    .bars_open = "<mrow><mo>|</mo>",
    .bars_close = "<mo>|</mo></mrow>",
    .floor_open = "<mrow><mo>\u230a</mo>",
    .floor_close = "<mo>\u230b</mo></mrow>",
    .cases_open = "<mrow><mo>{</mo><mtable columnalign=\"left\"><mtr><mtd>",
    .cases_if = "</mtd><mtd>",
    .cases_next = "</mtd></mtr><mtr><mtd>",
    .cases_otherwise = "</mtd><mtd><mtext>otherwise</mtext>",
    .cases_close = "</mtd></mtr></mtable></mrow>",
    .less = "<mo>&lt;</mo>",
    .less_equal = "<mo>\u2264</mo>",
    .equal = "<mo>=</mo>",
    .unequal = "<mo>\u2260</mo>",
    .both = "<mtext>\u00a0and\u00a0</mtext>",
    .either = "<mtext>\u00a0or\u00a0</mtext>",
    .negation = "<mtext>not\u00a0</mtext><mrow><mo>(</mo>",
    .is_true = "<mo>=</mo><mn>1</mn>",
    .dots = "<mo>\u22ef</mo>",
    .number = mathml_number,
    .symbol = mathml_symbol,
    .function = mathml_function,
    .words = mathml_words,
};

}  // namespace varia::expr
