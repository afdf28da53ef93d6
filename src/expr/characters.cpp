// SPDX-License-Identifier: BSD-3-Clause
#include "characters.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

namespace varia::expr {
namespace {

struct Range {
  char32_t first, last;
};

template <std::size_t n> bool contains(const std::array<Range, n>& ranges, char32_t c) {
  return std::any_of(ranges.begin(), ranges.end(),
                     [c](const Range& r) { return r.first <= c && c <= r.last; });
}

/// In blocks where other signs are few.
constexpr std::array<Range, 33> letters{{
    {0xAA, 0xAA},     {0xB5, 0xB5},     {0xBA, 0xBA},     {0xC0, 0xD6},      // Latin
    {0xD8, 0xF6},     {0xF8, 0x2AF},    {0x370, 0x373},   {0x376, 0x377},    // Greek
    {0x37B, 0x37D},   {0x37F, 0x37F},   {0x386, 0x386},   {0x388, 0x3F5},    //
    {0x3F7, 0x481},   {0x48A, 0x52F},   {0x531, 0x556},   {0x560, 0x588},    // Cyrillic, Armenian
    {0x5D0, 0x5EA},   {0x620, 0x64A},   {0x671, 0x6D3},   {0x904, 0x939},    // Hebrew, Arabic
    {0x10A0, 0x10FA}, {0x1C90, 0x1CBF}, {0x1D00, 0x1DBF}, {0x1E00, 0x1FBC},  // Georgian
    {0x1FC2, 0x1FCC}, {0x1FD0, 0x1FDB}, {0x1FE0, 0x1FEC}, {0x1FF2, 0x1FFC},  //
    {0x2C60, 0x2C7F}, {0x3041, 0x3096}, {0x30A1, 0x30FA}, {0x3400, 0x9FFF},  // Japanese, Chinese
    {0xAC00, 0xD7A3},                                                        // Korean
}};
/// Letterlike signs that are letters in formulas: ℂ, ℊ … ℓ, ℕ, ℙ … ℝ, ℤ, Ω, Å, ℬ … and the alphabets of
/// mathematics.
constexpr std::array<Range, 10> mathematics{{{0x2102, 0x2102},
                                             {0x210A, 0x2113},
                                             {0x2115, 0x2115},
                                             {0x2119, 0x211D},
                                             {0x2124, 0x2124},
                                             {0x2126, 0x2126},
                                             {0x2128, 0x2128},
                                             {0x212A, 0x212D},
                                             {0x212F, 0x2138},
                                             {0x1D400, 0x1D7CB}}};
/// Signs of the alphabets' blocks: the sums and nablas of mathematics.
constexpr std::array<Range, 5> signs{{{0x1D6C1, 0x1D6C1},
                                      {0x1D6FB, 0x1D6FB},
                                      {0x1D735, 0x1D735},
                                      {0x1D76F, 0x1D76F},
                                      {0x1D7A9, 0x1D7A9}}};
constexpr std::array<Range, 3> combining{{{0x300, 0x36F}, {0x1AB0, 0x1AFF}, {0x20D0, 0x20F0}}};
constexpr std::array<Range, 4> hidden{
    {{0xAD, 0xAD}, {0x200B, 0x200F}, {0x2028, 0x202E}, {0x2060, 0x206F}}};
constexpr Range subscripts{0x2080, 0x2089};

struct Substitute {
  std::u32string_view characters;
  std::string_view text;
};

constexpr std::array<Substitute, 16> substitutes{{
    {U"²", "write ^2"},
    {U"³", "write ^3"},
    {U"⁰¹⁴⁵⁶⁷⁸⁹⁻⁺ⁿⁱ", "powers are written with ^, as in x^2"},
    {U"−–—‐‑‒﹣－", "write -"},
    {U"·×⋅∙•∗⨯＊", "write *"},
    {U"÷∕⁄", "write /"},
    {U"＋", "write +"},
    {U"≤", "write <="},
    {U"≥", "write >="},
    {U"≠", "write !="},
    {U"∧", "write and"},
    {U"∨", "write or"},
    {U"¬", "write not"},
    {U"√", "write sqrt(...)"},
    {U"½¼¾⅓⅔", "write the fraction with /, as in 1/2"},
    {U"\u00A0\u2009\u202F\u3000\u200B\uFEFF", "it looks like a blank; write a blank"},
}};

}  // namespace

Character character(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
  const char32_t first = byte(at);
  if (first < 0x80) return {first, 1};
  const std::size_t bytes = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || at + bytes > text.size()) return {first, 0};
  char32_t value = first & (0x7FU >> bytes);
  for (std::size_t k = 1; k < bytes; ++k) {
    if ((byte(at + k) & 0xC0U) != 0x80) return {first, 0};
    value = (value << 6U) | (byte(at + k) & 0x3FU);
  }
  const bool overlong = (bytes == 3 && value < 0x800) || (bytes == 4 && value < 0x10000);
  const bool surrogate = 0xD800 <= value && value <= 0xDFFF;
  return overlong || surrogate || value > 0x10FFFF ? Character{first, 0} : Character{value, bytes};
}

bool is_letter_of_alphabet(char32_t c) {
  if (c < 0x80) return is_letter(static_cast<char>(c));
  return (contains(letters, c) && c != 0x387) || (contains(mathematics, c) && !contains(signs, c));
}

bool is_combining(char32_t c) { return contains(combining, c); }
bool is_hidden(char32_t c) { return contains(hidden, c); }

std::size_t end_of_name(std::string_view text, std::size_t at) {
  const std::size_t begin = at;
  while (at < text.size()) {
    const Character c = character(text, at);
    const bool letter = c.bytes > 0 && (c.value == '_' || is_letter_of_alphabet(c.value));
    const bool other = c.bytes > 0 && at > begin &&
                       (('0' <= c.value && c.value <= '9') || is_combining(c.value) ||
                        (subscripts.first <= c.value && c.value <= subscripts.last));
    if (!letter && !other) break;
    at += c.bytes;
  }
  return at;
}

std::size_t length(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t at = 0; at < text.size(); ++count)
    at += std::max<std::size_t>(1, character(text, at).bytes);
  return count;
}

std::string_view instead_of(char32_t c) {
  for (const Substitute& s : substitutes)
    if (s.characters.find(c) != std::u32string_view::npos) return s.text;
  return "";
}

std::string name_of(std::string_view text, std::size_t at) {
  const Character c = character(text, at);
  std::array<char, 32> code{};
  if (c.bytes == 0 || c.value <= 0x20 || c.value == 0x7F)
    std::snprintf(code.data(), code.size(), "the byte 0x%02X", static_cast<unsigned>(c.value));
  else if (instead_of(c.value).find("blank") != std::string_view::npos || is_hidden(c.value) ||
           is_combining(c.value) || (0x80 <= c.value && c.value < 0xA0))
    std::snprintf(code.data(), code.size(), "the character U+%04X", static_cast<unsigned>(c.value));
  else
    return "the character '" + std::string(text.substr(at, c.bytes)) + "'";
  return code.data();
}

}  // namespace varia::expr
