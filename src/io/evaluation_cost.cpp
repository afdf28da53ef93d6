// SPDX-License-Identifier: BSD-3-Clause
#include "evaluation_cost.hpp"

#include <algorithm>

#include "../expr/compiler.hpp"

namespace varia::io {

namespace {

// Measured on an x86-64 server with gcc 12, on chains, n bodies, Lennard-Jones atoms and pendulums of
// 1 to 4096 coordinates (bench/evaluation.cpp). In seconds.

constexpr double call = 2e-8;          ///< of the interpreter
constexpr double interpreted = 6e-10;  ///< one operation, input or constant
constexpr double output = 8e-10;       ///< copied to its place
constexpr double function = 8e-9;      ///< sin, exp, pow: the same either way

constexpr double native_call = 2e-9;
constexpr double native_operation = 2e-10;
constexpr double far_operation = 2e-10;  ///< more, in code beyond the first cache
constexpr double near_code = 2000;       ///< operations that it holds

constexpr double compiler_start = 0.04;
constexpr double optimized_operation = 2.5e-4;  ///< of short code
constexpr double compiled_operation = 8e-5;     ///< of long code

constexpr double flat_leg = 8e-9;  ///< of explicit steps in C++
constexpr double flat_coordinate = 3e-9;
constexpr double native_coordinate = 1.5e-9;
constexpr double loop_code = 50;  ///< operations that take the compiler as long as a coordinate

bool is_function(expr::Op op) {
  using expr::Op;
  return (op >= Op::exp && op <= Op::tanh) || (op >= Op::pow && op <= Op::hypot);
}

double functions(const expr::Tape& tape) {
  return static_cast<double>(std::count_if(
      tape.instructions().begin(), tape.instructions().end(),
      [](const expr::Instruction& instruction) { return is_function(instruction.op); }));
}

bool pays(const Work& work) {
  return work.interpreter - work.native > compiled_operation * work.code;
}

}  // namespace

double interpreter_seconds(const expr::Tape& tape) {
  return call + interpreted * static_cast<double>(tape.instructions().size()) +
         output * tape.outputs() + function * functions(tape);
}

double native_seconds(const expr::Tape& tape) {
  const auto size = static_cast<double>(tape.operations() + tape.outputs());
  return native_call + native_operation * size + far_operation * std::max(0.0, size - near_code) +
         function * functions(tape);
}

double compile_seconds(double code) {
  const bool optimized = code <= static_cast<double>(expr::largest_optimized);
  return compiler_start + code * (optimized ? optimized_operation : compiled_operation);
}

Work loop_work(int n, double legs) {
  return {legs * (flat_leg + flat_coordinate * n), legs * native_coordinate * n, loop_code * n};
}

Work kernel_work(const expr::Tape& tape, double calls) {
  return {calls * interpreter_seconds(tape), calls * native_seconds(tape),
          static_cast<double>(tape.operations())};
}

std::vector<bool> worth_compiling(const std::vector<Work>& parts) {
  std::vector<bool> chosen;
  double gain = 0.0;
  double code = 0.0;
  for (const Work& part : parts) {
    chosen.push_back(pays(part));
    if (!chosen.back()) continue;
    gain += part.interpreter - part.native;
    code += part.code;
  }
  if (gain <= compile_seconds(code)) chosen.assign(parts.size(), false);
  return chosen;
}

}  // namespace varia::io
