// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Base64 (RFC 4648): bytes as text, three of them in four letters.
#include <array>
#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>

namespace varia::io {

/// Of bytes that come in pieces: the text is that of all of them together.
class Base64 {
 public:
  /// Appends to `text` what the bytes so far determine.
  void add(const void* data, std::size_t size, std::string& text);
  /// Appends the rest with its padding; a new sequence may begin then.
  void finish(std::string& text);

 private:
  std::array<unsigned char, 3> pending_{};
  std::size_t count_ = 0;  ///< of pending bytes
};

/// The bytes of an array of numbers, as this machine keeps them.
template <class Number> std::string base64(const std::vector<Number>& numbers) {
  static_assert(std::is_arithmetic_v<Number>);
  std::string text;
  Base64 encoder;
  encoder.add(numbers.data(), numbers.size() * sizeof(Number), text);
  encoder.finish(text);
  return text;
}

}  // namespace varia::io
