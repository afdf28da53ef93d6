// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// CRC-64 (the polynomial of ECMA-182, reflected, as used by xz): finds every change of one byte,
// and every burst of up to 64 bits. Against accidents, not against intent.
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace varia::io {

/// Tables for a byte that is followed by 0 to 7 zero bytes.
using Crc64Tables = std::array<std::array<std::uint64_t, 256>, 8>;

constexpr Crc64Tables crc64_tables() {
  Crc64Tables tables{};
  for (std::uint64_t byte = 0; byte < 256; ++byte) {
    std::uint64_t remainder = byte;
    for (int bit = 0; bit < 8; ++bit)
      remainder = (remainder >> 1U) ^ ((remainder & 1U) != 0 ? 0xC96C5795D7870F42U : 0U);
    tables[0][byte] = remainder;
  }
  for (std::size_t zeros = 1; zeros < tables.size(); ++zeros)
    for (std::size_t byte = 0; byte < 256; ++byte)
      tables[zeros][byte] =
          tables[0][tables[zeros - 1][byte] & 0xFFU] ^ (tables[zeros - 1][byte] >> 8U);
  return tables;
}

/// The checksum of bytes behind others whose checksum is `before`.
inline std::uint64_t crc64(std::string_view bytes, std::uint64_t before = 0) {
  static constexpr Crc64Tables tables = crc64_tables();
  std::uint64_t remainder = ~before;
  const auto byte = [&](std::size_t i) {
    return static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[i]));
  };
  std::size_t i = 0;
  for (; i + 8 <= bytes.size(); i += 8) {  // eight bytes at once
    std::uint64_t next = 0;
    for (std::size_t k = 0; k < 8; ++k) {
      const std::uint64_t own = (remainder >> (8 * k)) & 0xFFU;
      next ^= tables[7 - k][own ^ byte(i + k)];
    }
    remainder = next;
  }
  for (; i < bytes.size(); ++i)
    remainder = tables[0][(remainder ^ byte(i)) & 0xFFU] ^ (remainder >> 8U);
  return ~remainder;
}

}  // namespace varia::io
