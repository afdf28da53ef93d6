// SPDX-License-Identifier: BSD-3-Clause
#include "varia/io/number_text.hpp"

#include <array>
#include <charconv>
#include <cmath>

namespace varia::io {

void append_number(std::string& text, double x) {
  std::array<char, 32> digits;  // the longest double, -1.2345678901234567e-308, has 24 characters
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), x).ptr;
  text.append(digits.data(), end);
}

void append_json_number(std::string& text, double x) {
  if (std::isfinite(x))
    append_number(text, x);
  else
    text += "null";
}

void append_json_string(std::string& text, std::string_view content) {
  constexpr std::string_view hexadecimal = "0123456789abcdef";
  text += '"';
  for (const char c : content) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      text += '\\';
      text += c;
    } else if (c == '\n') {
      text += "\\n";
    } else if (code < 0x20) {
      text += "\\u00";
      text += hexadecimal[code / 16U];
      text += hexadecimal[code % 16U];
    } else {
      text += c;
    }
  }
  text += '"';
}

}  // namespace varia::io
