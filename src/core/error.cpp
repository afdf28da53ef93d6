// SPDX-License-Identifier: BSD-3-Clause
#include "varia/core/error.hpp"

#include <array>
#include <charconv>

namespace varia {

std::string to_text(double x) {
  std::array<char, 32> digits;  // the longest double, -1.2345678901234567e-308, has 24 characters
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), x).ptr;
  return {digits.data(), end};
}

}  // namespace varia
