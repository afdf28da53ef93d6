// SPDX-License-Identifier: BSD-3-Clause
#include "token.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <system_error>

#include "characters.hpp"

namespace varia::expr {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

struct Position {
  int line, column;            // from 1, in characters
  std::size_t begin, end, at;  // of the line; the byte
};

Position position(std::string_view text, std::size_t at) {
  at = std::min(at, text.size());
  Position p{1, 1, 0, text.size(), at};
  for (std::size_t k = 0; k < at; ++k) {
    if (text[k] != '\n') continue;
    ++p.line;
    p.begin = k + 1;
  }
  p.column = static_cast<int>(length(text.substr(p.begin, at - p.begin))) + 1;
  const std::size_t newline = text.find('\n', at);
  if (newline != std::string_view::npos) p.end = newline;
  return p;
}

/// One column per character, combining marks apart: what cannot be shown is a question mark, a tab is a
/// blank.
std::string shown(std::string_view text) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const Character c = character(text, at);
    const std::size_t bytes = std::max<std::size_t>(1, c.bytes);
    if (c.value == '\t' || c.value == '\r')
      result += ' ';
    else if (c.bytes == 0 || c.value < 0x20 || (0x7F <= c.value && c.value < 0xA0) ||
             is_hidden(c.value))
      result += '?';
    else
      result += text.substr(at, bytes);
    at += bytes;
  }
  return result;
}

/// The byte `count` characters before or behind, within the line.
std::size_t characters_before(std::string_view text, const Position& p, std::size_t count) {
  std::size_t at = p.at;
  for (; count > 0 && at > p.begin; --count)
    while (--at > p.begin && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80) {
    }
  return at;
}
std::size_t characters_behind(std::string_view text, const Position& p, std::size_t count) {
  std::size_t at = p.at;
  for (; count > 0 && at < p.end; --count)
    at += std::max<std::size_t>(1, character(text, at).bytes);
  return at;
}

/// Combining marks stand above the character before them.
std::size_t columns(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t at = 0; at < text.size();) {
    const Character c = character(text, at);
    if (!is_combining(c.value)) ++count;
    at += std::max<std::size_t>(1, c.bytes);
  }
  return count;
}

std::string marked(std::string_view text, const Position& p) {
  constexpr std::size_t around = 50;  // of a long line only the neighbourhood
  const bool far_left = characters_before(text, p, around + 3) > p.begin;
  const bool far_right = characters_behind(text, p, around + 3) < p.end;
  const std::size_t begin = far_left ? characters_before(text, p, around) : p.begin;
  const std::size_t end = far_right ? characters_behind(text, p, around) : p.end;
  const std::string left = begin > p.begin ? "..." : "";
  const std::string right = end < p.end ? "..." : "";
  return "  " + left + shown(text.substr(begin, end - begin)) + right + "\n  " +
         std::string(left.size() + columns(shown(text.substr(begin, p.at - begin))), ' ') + "^";
}

/// A sign that is none of the language.
[[noreturn]] void fail_at_sign(std::string_view text, std::size_t at) {
  const std::string name = name_of(text, at);
  const std::string_view pair = text.substr(at, 2);
  std::string hint(instead_of(character(text, at).value));
  if (pair == "&&") hint = "write and";
  if (pair == "||") hint = "write or";
  if (pair[0] == '=') hint = "equality is written ==";
  if (pair[0] == '!') hint = "write not, or != for inequality";
  if (!hint.empty()) fail_at(text, at, name + " has no meaning in an expression; " + hint);
  fail_at(text, at,
          name +
              " has no meaning in an expression; there are names, numbers, "
              "+ - * / ^ ( ) [ ] , < <= > >= == !=");
}

Token quoted_text(std::string_view text, std::size_t at) {
  const std::size_t end = text.find(text[at], at + 1);
  if (end == std::string_view::npos) fail_at(text, at, "the quote that closes this one is missing");
  return {'"', at, 0.0, text.substr(at + 1, end - at - 1)};
}

/// Comparisons, the longer ones first.
struct Comparison {
  std::string_view text;
  char kind;
};
constexpr std::array<Comparison, 6> comparisons{
    {{"<=", 'l'}, {">=", 'g'}, {"==", '='}, {"!=", '!'}, {"<", '<'}, {">", '>'}}};

std::size_t end_of_number(std::string_view text, std::size_t at) {
  const auto digits = [&] {
    while (at < text.size() && is_digit(text[at])) ++at;
  };
  digits();
  if (at < text.size() && text[at] == '.') ++at;
  digits();
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    std::size_t exponent = at + 1;
    if (exponent < text.size() && (text[exponent] == '+' || text[exponent] == '-')) ++exponent;
    if (exponent < text.size() && is_digit(text[exponent])) {
      at = exponent;
      digits();
    }
  }
  return at;
}

Token number(std::string_view text, std::size_t at) {
  const std::size_t end = end_of_number(text, at);
  double value = 0.0;
  const auto read = std::from_chars(text.data() + at, text.data() + end, value);
  if (read.ec == std::errc::result_out_of_range)
    fail_at(text, at, "the number is beyond the range of double precision (1e-308 to 1e308)");
  if (read.ec != std::errc() || read.ptr != text.data() + end)
    fail_at(text, at, "a number such as 1, 1.5, .5 or 1e-3 is expected");
  return {'1', at, value, text.substr(at, end - at)};
}

}  // namespace

void fail_at(std::string_view text, std::size_t at, const std::string& message) {
  const Position p = position(text, at);
  throw ParseError(message, p.line, p.column, marked(text, p));
}

std::string place_of(std::string_view text, std::size_t at) {
  const Position p = position(text, at);
  if (p.line == 1) return "column " + std::to_string(p.column);
  return "line " + std::to_string(p.line) + ", column " + std::to_string(p.column);
}

std::vector<Token> tokens(std::string_view text) {
  if (text.size() > max_text) {
    fail_at(text.substr(0, 100), 0,
            "the expression has " + std::to_string(text.size()) + " characters, more than " +
                std::to_string(max_text));
  }
  constexpr std::string_view signs = "+-*/^()[],.";
  std::vector<Token> result;
  std::size_t at = 0;
  while (at < text.size()) {
    const char c = text[at];
    if (is_blank(c)) {
      ++at;
    } else if (is_digit(c) || (c == '.' && at + 1 < text.size() && is_digit(text[at + 1]))) {
      result.push_back(number(text, at));
      at += result.back().text.size();
    } else if (const std::size_t end = end_of_name(text, at); end > at) {
      result.push_back({'a', at, 0.0, text.substr(at, end - at)});
      at = end;
    } else if (c == '"' || c == '\'') {
      result.push_back(quoted_text(text, at));
      at += result.back().text.size() + 2;
    } else if (const auto* found = std::find_if(
                   comparisons.begin(), comparisons.end(),
                   [&](const Comparison& k) { return text.substr(at).starts_with(k.text); });
               found != comparisons.end()) {
      result.push_back({found->kind, at, 0.0, text.substr(at, found->text.size())});
      at += found->text.size();
    } else if (signs.find(c) != std::string_view::npos) {
      result.push_back({c, at, 0.0, text.substr(at, 1)});
      ++at;
    } else {
      fail_at_sign(text, at);
    }
  }
  result.push_back({'$', text.size(), 0.0, {}});
  return result;
}

}  // namespace varia::expr
