// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// One operation on many numbers.
#include <cstddef>
#include <cstdint>

#include "varia/expr/op.hpp"

namespace varia::expr {

/// Numbers one behind the other, or with step 0 one number for all.
struct Lane {
  const double* first;
  std::ptrdiff_t step;
};

/// r[k] = op(a[k], b[k]); b is not read where the operation has one operand. No result is an operand.
void run_lanes(Op op, const Lane& a, const Lane& b, double* r, std::uint32_t count);

}  // namespace varia::expr
