// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The signs of a condition: what stands between its expressions, and the brackets.
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace varia::io {

inline bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/// A word or sign that is no part of an expression, or a bracket.
struct Sign {
  enum class Kind { either, both, negation, comparison, open, close } kind;
  std::size_t at = 0, size = 1;
  int depth = 0;          // brackets around it; of a bracket: outside it
  std::size_t close = 0;  // of a bracket that opens: the number of the sign that closes it
};

/// All signs in their order; brackets match. Throws expr::ParseError.
std::vector<Sign> condition_signs(std::string_view text);

/// Throws the expr::ParseError at a byte of the text: position, and the line with a caret.
[[noreturn]] void fail_at(std::string_view text, std::size_t at, const std::string& message);

}  // namespace varia::io
