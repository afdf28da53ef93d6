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
  sign,        ///< -1, 0 or 1
  floor,       ///< the largest integer that is not above
  smoothstep,  ///< from 0 at 0 to 1 at 1 by a polynomial of degree 5; constant outside
  sqrt,
  exp,
  log,
  erf,
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
  mod,  ///< a - b floor(a/b), without rounding
  hypot,
  min,
  max,
  // comparisons: 1 if they hold, else 0; not a number if an operand is none
  less,  ///< a < b; the derivatives of min and max need it
  less_equal,
  equal,
  when,   ///< b if a is 1; 0 if a is 0, whatever b is
  table,  ///< of a; b is a constant: which table, and which derivative (expr/table.hpp)
};

/// The last one, in the order of the list.
constexpr Op last_op = Op::table;

constexpr int operands(Op op) {
  if (op <= Op::variable) return 0;
  return op <= Op::tanh ? 1 : 2;
}

constexpr bool is_comparison(Op op) { return Op::less <= op && op <= Op::equal; }
/// Whether the derivative is 0 wherever there is one.
constexpr bool is_step(Op op) { return op == Op::sign || op == Op::floor || is_comparison(op); }

}  // namespace varia::expr
