// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// SHA-256 (FIPS 180-4): the name of a piece of native code, and the proof that it is undamaged.
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace varia::expr {

using Digest = std::array<std::uint8_t, 32>;

Digest sha256(std::string_view bytes);

/// 64 lower-case hexadecimal digits.
std::string to_hex(const Digest& digest);

}  // namespace varia::expr
