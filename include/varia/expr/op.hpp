// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The operations an expression can be made of: numbers in, a number out, and nothing else.
#include <cstdint>

namespace varia::expr {

enum class Op : std::uint8_t {
  constant,
  variable,
  // one operand
  neg,
  abs,
  sign,  ///< -1, 0 or 1
  sqrt,
  exp,
  log,
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  sinh,
  cosh,
  tanh,
  // two operands
  add,
  sub,
  mul,
  div,
  pow,
  atan2,
  hypot,
  min,
  max,
  less,  ///< 1 if a < b, else 0: the derivatives of min and max need it
};

constexpr int operands(Op op) {
  if (op <= Op::variable) return 0;
  return op <= Op::tanh ? 1 : 2;
}

}  // namespace varia::expr
