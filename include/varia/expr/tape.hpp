// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A straight-line program: the nodes some outputs need, in an order in which they can be computed.
//
// Constants come first, then the variables, then the operations. The result of instruction k is
// slot k. `evaluate` interprets the program with doubles; `evaluate_as` with any scalar, jets
// included (expr/tape_scalar.hpp); expr/native.hpp turns it into machine code.
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "varia/expr/graph.hpp"
#include "varia/expr/name_list.hpp"
#include "varia/expr/op.hpp"

namespace varia::expr {

struct Instruction {
  Op op;
  /// Slots of the operands (b == a for one operand); variable: a is the input; constant: a - 1 is
  /// the parameter whose value it is, if a is not 0.
  std::uint32_t a, b;
  double value;  ///< of a constant
};

/// Operations of one kind on consecutive slots, in this order. The interpreter decides what to do once
/// per run, not once per operation.
struct Run {
  Op op;
  bool pairs;    ///< sin: and cos of the same operand in the slot behind
  bool strided;  ///< the operands are a + k step_a and b + k step_b, k = 0 … count - 1
  std::uint32_t count;
};

class Tape {
 public:
  /// Throws InvalidArgument if an output depends on a variable whose index is not below `inputs`.
  Tape(const Graph& graph, const std::vector<Id>& outputs, int inputs);

  int inputs() const { return inputs_; }
  int outputs() const { return static_cast<int>(output_slots_.size()); }
  /// The values of the free parameters of the graph.
  const std::vector<double>& parameters() const { return parameters_; }
  /// The same program with other values of them, from the first one on; those that are not given stay.
  Tape with_parameters(const std::vector<double>& values) const;
  const std::vector<Instruction>& instructions() const { return instructions_; }
  const std::vector<std::uint32_t>& output_slots() const { return output_slots_; }
  /// What the interpreter does, on slots of its own behind those of the inputs: of a strided run code
  /// has a, step_a, b, step_b, of another one the operands, one behind the other.
  const std::vector<Run>& runs() const { return runs_; }
  const std::vector<std::uint32_t>& code() const { return code_; }
  const std::vector<std::uint32_t>& result_slots() const { return result_slots_; }
  const std::vector<std::uint32_t>& variables() const { return variables_; }
  std::size_t constants() const { return constants_.size(); }
  /// The instructions that compute: neither constants nor variables.
  int operations() const {
    return static_cast<int>(instructions_.size() - constants_.size() - variables_.size());
  }

  /// out = f(x); work has room for instructions().size() doubles. `out` may not overlap `x`.
  void evaluate(const double* x, double* out, double* work) const;

  /// The same over any scalar; defined in expr/tape_scalar.hpp.
  template <class S> void evaluate_as(const S* x, S* out, std::vector<S>& work) const;

  /// The first operation whose value is not finite at x, for a person to read, e.g.
  /// "division by zero in mu/sqrt(x^2 + y^2)"; empty if all values are finite.
  std::string non_finite(const double* x, const NameList& variable_names) const;

  /// Of each instruction: whether the outputs at x depend on it, or it is in branches not taken only.
  std::vector<char> that_count(const double* x) const;

 private:
  struct Scheduled {
    Op op;
    bool pairs;
    std::uint32_t a, b;
  };

  void schedule();
  void encode(const std::vector<Scheduled>& order);

  int inputs_;
  bool conditional_ = false;  ///< whether there are branches
  std::vector<double> parameters_;
  std::vector<Instruction> instructions_;
  std::vector<std::uint32_t> output_slots_;
  std::vector<double> constants_;         ///< slots 0, 1, ...
  std::vector<std::uint32_t> variables_;  ///< the inputs of the slots behind the constants

  // For the interpreter: the operations in another order, and where it leaves the outputs.
  std::vector<Run> runs_;
  std::vector<std::uint32_t> code_;
  std::vector<std::uint32_t> result_slots_;
};

/// The value of an expression without variables.
double number_of(const Graph& graph, Id f);

}  // namespace varia::expr
