// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The words of an expression, with their places.
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "varia/expr/parse.hpp"

namespace varia::expr {

struct Token {
  /// '1' number, 'a' name, '"' text in quotes, '$' end of the text; 'l' <=, 'g' >=, '=' ==, '!' !=;
  /// else the sign itself
  char kind;
  std::size_t at;         ///< first byte in the text
  double number;          ///< of a number
  std::string_view text;  ///< as written; of a text in quotes what stands between them
};

/// The words of the text and an end. Throws ParseError for what is no word.
std::vector<Token> tokens(std::string_view text);

/// The error at a byte of the text: position, and the line with a caret.
[[noreturn]] void fail_at(std::string_view text, std::size_t at, const std::string& message);

/// "line 3, column 7" of a byte, from 1, in characters.
std::string place_of(std::string_view text, std::size_t at);

}  // namespace varia::expr
