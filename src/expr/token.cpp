// SPDX-License-Identifier: BSD-3-Clause
#include "token.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <system_error>

#include "characters.hpp"

namespace varia::expr {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

struct Position {
  int line, column;
  std::size_t begin, end;  // of the line
};

Position position(std::string_view text, std::size_t at) {
  at = std::min(at, text.size());
  Position p{1, 1, 0, text.size()};
  for (std::size_t k = 0; k < at; ++k) {
    if (text[k] != '\n') continue;
    ++p.line;
    p.begin = k + 1;
  }
  p.column = static_cast<int>(at - p.begin) + 1;
  const std::size_t newline = text.find('\n', at);
  if (newline != std::string_view::npos) p.end = newline;
  return p;
}

/// One column per byte: what cannot be shown is a question mark, a tab is a blank.
std::string shown(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c == '\t' || c == '\r') c = ' ';
    if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) >= 0x7F) c = '?';
  }
  return result;
}

std::string marked(std::string_view text, const Position& p) {
  constexpr std::size_t around = 50;  // of a long line only the neighbourhood
  const std::size_t at = p.begin + static_cast<std::size_t>(p.column) - 1;
  const std::size_t begin = at - p.begin > around + 3 ? at - around : p.begin;
  const std::size_t end = p.end - at > around + 3 ? at + around : p.end;
  const std::string left = begin > p.begin ? "..." : "";
  const std::string right = end < p.end ? "..." : "";
  return "  " + left + shown(text.substr(begin, end - begin)) + right + "\n  " +
         std::string(left.size() + (at - begin), ' ') + "^";
}

/// What a byte is, for a message.
std::string named(std::string_view text, std::size_t at) {
  const auto c = static_cast<unsigned char>(text[at]);
  if (c > 0x20 && c < 0x7F) return std::string("the character '") + text[at] + "'";
  std::array<char, 24> code{};
  std::snprintf(code.data(), code.size(), "the byte 0x%02X", static_cast<unsigned>(c));
  return code.data();
}

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
  constexpr std::string_view signs = "+-*/^()[],";
  std::vector<Token> result;
  std::size_t at = 0;
  while (at < text.size()) {
    const char c = text[at];
    if (is_blank(c)) {
      ++at;
    } else if (is_digit(c) || (c == '.' && at + 1 < text.size() && is_digit(text[at + 1]))) {
      result.push_back(number(text, at));
      at += result.back().text.size();
    } else if (begins_name(c)) {
      std::size_t end = at;
      while (end < text.size() && (begins_name(text[end]) || is_digit(text[end]))) ++end;
      result.push_back({'a', at, 0.0, text.substr(at, end - at)});
      at = end;
    } else if (signs.find(c) != std::string_view::npos) {
      result.push_back({c, at, 0.0, text.substr(at, 1)});
      ++at;
    } else {
      fail_at(
          text, at,
          named(text, at) +
              " has no meaning in an expression; there are names, numbers, + - * / ^ ( ) [ ] ,");
    }
  }
  result.push_back({'$', text.size(), 0.0, {}});
  return result;
}

}  // namespace varia::expr
