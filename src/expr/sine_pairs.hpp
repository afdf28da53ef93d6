// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Sine and cosine of one operand, which are computed together: they share the reduction of the angle.
#include <cmath>
#include <cstdint>
#include <vector>

#include "varia/expr/tape.hpp"

namespace varia::expr {

/// The same bits as sin(x) and cos(x), as tests hold.
inline void sine_and_cosine(double x, double* sine, double* cosine) {
#ifdef __GLIBC__
  ::sincos(x, sine, cosine);
#else
  *sine = std::sin(x);
  *cosine = std::cos(x);
#endif
}

/// Of every instruction: that with the other function of its operand; itself where there is none.
inline std::vector<std::uint32_t> sine_pairs(const std::vector<Instruction>& program) {
  const auto size = static_cast<std::uint32_t>(program.size());
  std::vector<std::uint32_t> sine(size, size);  // of a slot: the instruction, size for none
  std::vector<std::uint32_t> partner(size);
  for (std::uint32_t k = 0; k < size; ++k) {
    partner[k] = k;
    if (program[k].op == Op::sin) sine[program[k].a] = k;
  }
  for (std::uint32_t k = 0; k < size; ++k) {
    if (program[k].op != Op::cos || sine[program[k].a] == size) continue;
    partner[k] = sine[program[k].a];
    partner[partner[k]] = k;
  }
  return partner;
}

}  // namespace varia::expr
