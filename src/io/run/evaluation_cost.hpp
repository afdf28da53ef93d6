// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What formulas cost, interpreted and compiled: the model by which `auto` chooses.
//
// All times are estimates from the formulas alone, with constants measured once on one machine. So
// the same scenario is evaluated in the same way on every machine that has a compiler, and computes
// the same bits; a machine on which other times hold is only served a little less well.
#include <vector>

#include "varia/expr/kernel.hpp"
#include "varia/expr/tape.hpp"

namespace varia::io {

/// A part of the work of a run that can be done either way: the calls of one kernel, or the loop of
/// explicit steps.
struct Work {
  double interpreter = 0.0;  ///< seconds in the whole run
  double native = 0.0;       ///< seconds in the whole run, without those of the compiler
  double code = 0.0;         ///< what there is to compile, in operations
};

/// Seconds of one call.
double interpreter_seconds(const expr::Tape& tape);
double interpreter_seconds(const expr::Kernel& kernel);
double native_seconds(const expr::Tape& tape);

/// Seconds of the C compiler.
double compile_seconds(double code);

/// The loop of explicit steps for n coordinates beside the gradients: in C++, and in C made for the
/// system.
Work loop_work(int n, double legs);

/// The work of many calls of a kernel.
Work kernel_work(const expr::Tape& tape, double calls);
Work kernel_work(const expr::Kernel& kernel, double calls);

/// For each part whether to compile it, such that the whole takes the least time. A part is compiled
/// if that gains more than its own code takes; none is if all gains do not pay for starting the
/// compiler.
std::vector<bool> worth_compiling(const std::vector<Work>& parts);

}  // namespace varia::io
