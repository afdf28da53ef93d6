// SPDX-License-Identifier: BSD-3-Clause
// LaTeX with the package amsmath.
#include <array>
#include <string_view>

#include "characters.hpp"
#include "typography.hpp"

namespace varia::expr {

namespace {

/// A letter where the fonts of LaTeX have it, else its number.
std::string latex_letter(const std::string& letter) {
  if (letter.size() == 1) return letter == "_" ? "\\_" : letter;
  const std::string greek = greek_name(letter);
  if (!greek.empty()) return "\\" + greek + " ";
  const std::string digit = digit_of(letter);
  if (!digit.empty()) return "_{" + digit + "}";
  constexpr char32_t last_accented = 0x17f;  // of the letters that every LaTeX knows
  const char32_t c = character(letter, 0).value;
  if (c >= 0xc0 && c <= last_accented) return "\\text{" + letter + "}";
  static constexpr std::string_view digits = "0123456789ABCDEF";
  std::string code;
  for (int shift = 16; shift >= 0; shift -= 4)
    if (shift < 16 || (c >> 16U) != 0) code += digits[(c >> static_cast<unsigned>(shift)) & 0xfU];
  return "\\mathrm{U{+}" + code + "}";
}

std::string latex_letters(const std::vector<std::string>& letters) {
  std::string text;
  for (const std::string& letter : letters) text += latex_letter(letter);
  while (!text.empty() && text.back() == ' ') text.pop_back();
  return text;
}

/// A letter in italics, a word upright, digits as they are.
std::string latex_word(const std::string& word) {
  const std::vector<std::string> letters = letters_of(word);
  const std::string text = latex_letters(letters);
  return letters.size() > 1 && !is_digit(word.front()) ? "\\mathrm{" + text + "}" : text;
}

std::string latex_number(const std::string& mantissa, const std::string& exponent) {
  if (exponent.empty()) return mantissa;
  const std::string ten = "10^{" + exponent + "}";
  return mantissa.empty() ? ten : mantissa + "\\times " + ten;
}

std::string latex_symbol(const Symbol& s) {
  std::string text = latex_word(s.base);
  if (s.dot) text = "\\dot{" + text + "}";
  std::string below;
  for (const std::string& index : s.indices)
    below += (below.empty() ? "" : ",") + latex_word(index);
  return below.empty() ? text : text + "_{" + below + "}";
}

std::string latex_function(const std::string& name) {
  static constexpr std::array<const char*, 14> known{"sin",    "cos",  "tan",  "arcsin", "arccos",
                                                     "arctan", "sinh", "cosh", "tanh",   "exp",
                                                     "ln",     "min",  "max",  "log"};
  for (const char* f : known)
    if (name == f) return "\\" + name;
  return "\\operatorname{" + latex_letters(letters_of(name)) + "}";
}

/// A sign that means something in LaTeX, or has another place in its fonts.
std::string latex_sign(char c) {
  switch (c) {
    case '\\':
      return "\\textbackslash{}";
    case '^':
      return "\\textasciicircum{}";
    case '~':
      return "\\textasciitilde{}";
    case '<':
      return "\\textless{}";
    case '>':
      return "\\textgreater{}";
    case '|':
      return "\\textbar{}";
    default:
      return std::string_view("#$%&_{}").find(c) == std::string_view::npos ? std::string(1, c)
                                                                           : std::string("\\") + c;
  }
}

std::string latex_words(const std::string& text) {
  std::string result;
  for (const std::string& letter : letters_of(text))
    result += letter.size() == 1 ? latex_sign(letter.front()) : "$" + latex_letter(letter) + "$";
  return "\\text{" + result + "}";
}

}  // namespace

const Typography latex_typography{
    .plus = " + ",
    .minus = " - ",
    .sign = "-",
    .thin = "\\,",
    .times = " \\cdot ",
    .open = "\\left(",
    .close = "\\right)",
    .comma = ", ",
    .line_open = "\\bigl(",
    .line_close = "\\bigr)",
    .fraction_open = "\\frac{",
    .fraction_middle = "}{",
    .fraction_close = "}",
    .power_open = "{",
    .power_middle = "}^{",
    .power_close = "}",
    .root_open = "\\sqrt{",
    .root_close = "}",
    .bracket_open = "\\left[",
    .bracket_close = "\\right]",
    .bars_open = "\\left|",
    .bars_close = "\\right|",
    .floor_open = "\\left\\lfloor ",
    .floor_close = "\\right\\rfloor ",
    .cases_open = "\\begin{cases} ",
    .cases_if = " & ",
    .cases_next = " \\\\ ",
    .cases_otherwise = " & \\text{otherwise}",
    .cases_close = " \\end{cases}",
    .less = " < ",
    .less_equal = " \\le ",
    .equal = " = ",
    .unequal = " \\ne ",
    .both = " \\text{ and } ",
    .either = " \\text{ or } ",
    .negation = "\\text{not }\\left(",
    .is_true = " = 1",
    .dots = "\\cdots ",
    .number = latex_number,
    .symbol = latex_symbol,
    .function = latex_function,
    .words = latex_words,
};

}  // namespace varia::expr
