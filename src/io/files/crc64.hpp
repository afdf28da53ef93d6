// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// CRC-64 (the polynomial of ECMA-182, reflected, as used by xz): finds every change of one byte,
// and every burst of up to 64 bits. Against accidents, not against intent.
#include <array>
#include <cstdint>
#include <string_view>

namespace varia::io {

constexpr std::array<std::uint64_t, 256> crc64_table() {
  std::array<std::uint64_t, 256> table{};
  for (std::uint64_t byte = 0; byte < 256; ++byte) {
    std::uint64_t remainder = byte;
    for (int bit = 0; bit < 8; ++bit)
      remainder = (remainder >> 1U) ^ ((remainder & 1U) != 0 ? 0xC96C5795D7870F42U : 0U);
    table[byte] = remainder;
  }
  return table;
}

inline std::uint64_t crc64(std::string_view bytes) {
  static constexpr std::array<std::uint64_t, 256> table = crc64_table();
  std::uint64_t remainder = ~std::uint64_t{0};
  for (const char c : bytes)
    remainder = table[(remainder ^ static_cast<unsigned char>(c)) & 0xFFU] ^ (remainder >> 8U);
  return ~remainder;
}

}  // namespace varia::io
