// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The characters of names and numbers, the same in every locale.

namespace varia::expr {

constexpr bool is_letter(char c) { return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z'); }
constexpr bool is_digit(char c) { return '0' <= c && c <= '9'; }
/// A name begins with one of these and goes on with them and digits.
constexpr bool begins_name(char c) { return is_letter(c) || c == '_'; }

}  // namespace varia::expr
