// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A number of things in words: 1 step, 2 steps.
#include <string>

namespace varia {

/// "1 step", "2 steps"; `many` where the plural is another word: counted(n, "momentum", "momenta").
template <class Integer>
std::string counted(Integer n, const std::string& one, const std::string& many = "") {
  return std::to_string(n) + " " + (n == 1 ? one : many.empty() ? one + "s" : many);
}

}  // namespace varia
