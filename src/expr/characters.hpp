// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The characters of names and numbers, the same in every locale. Texts are UTF-8.
#include <cstddef>
#include <string>
#include <string_view>

namespace varia::expr {

constexpr bool is_letter(char c) { return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z'); }
constexpr bool is_digit(char c) { return '0' <= c && c <= '9'; }

struct Character {
  char32_t value;
  std::size_t bytes;  ///< 0 where the bytes are no UTF-8
};

/// The character that begins at this byte.
Character character(std::string_view text, std::size_t at);
/// Letters of alphabets, syllables and ideograms; not signs, marks, digits and punctuation.
bool is_letter_of_alphabet(char32_t c);

/// A mark on the character before it.
bool is_combining(char32_t c);
/// A character that cannot be seen, or that turns the direction of writing.
bool is_hidden(char32_t c);

/// A name is a letter or _, then letters, digits, subscript digits, combining marks and _. Where the name
/// that begins at this byte ends; `at` if none does.
std::size_t end_of_name(std::string_view text, std::size_t at);

/// How many characters the text has; a byte that is no UTF-8 counts as one.
std::size_t length(std::string_view text);

/// What to write instead of a sign that is easily taken for one of the language, such as ² or ·; else
/// nothing.
std::string_view instead_of(char32_t c);
/// "the character '²'", "the character U+200B", "the byte 0xFF".
std::string name_of(std::string_view text, std::size_t at);

}  // namespace varia::expr
