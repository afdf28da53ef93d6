// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The motion that the start and the inputs determine, step by step.
#include "varia/control/chain_problem.hpp"

namespace varia {

struct RollOut {
  bool solved = true;
  int step = 0;  ///< the first one that was not solved
  ChainPoint point;
};

/// Rₖ = 0 for yₖ by Newton's method, from the yₖ of `at`; false where it is not solved.
bool roll_step(const ChainProblem& problem, int k, ChainPoint& at);

/// The same for one k after the other. Steps behind one that is not
/// solved are those of `at`.
RollOut roll_out(const ChainProblem& problem, const ChainPoint& at);

}  // namespace varia
