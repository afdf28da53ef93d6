// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// How long the machine code of a tape is.
#include <cstddef>

#include "varia/expr/tape.hpp"

namespace varia::expr {

/// Long programs in which the same is done many times become loops.
struct NativeSize {
  std::size_t statements;
  bool loops;
};
NativeSize native_size(const Tape& tape);

}  // namespace varia::expr
