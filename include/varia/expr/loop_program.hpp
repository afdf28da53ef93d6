// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A program of loops: every turn reads some inputs, computes a body, and adds the results to some outputs.
//
//   out = 0;  for each loop, for all (i, j) of its index set: out[place(i, j)] += body(slots(i, j))
//
// The interpreter does a body for a block of turns at once, operation by operation. Native code does the same
// in the same order (loop_code.hpp), so that both add up the same numbers in the same way: the results of a
// block are computed first and added then, and where all turns of a block add to one output, four partial
// sums are made of every fourth of them.
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "varia/expr/index_set.hpp"
#include "varia/expr/loops.hpp"
#include "varia/expr/tape.hpp"

namespace varia::expr {

/// Where a result of a body goes: to a place that is affine in the indices, or to that of a list, which
/// has one for each turn.
struct LoopOutput {
  LoopPlace place = {};
  std::shared_ptr<const std::vector<std::uint32_t>> list = nullptr;
};

struct ProgramLoop {
  /// The results of the body are formulas of its variables.
  ProgramLoop(Graph& graph, const Family& family, const std::vector<Id>& results,
              std::vector<LoopOutput> places);

  IndexSet set;
  std::shared_ptr<const Tape> body;  ///< of the slots
  std::vector<LoopSlot> slots;
  std::vector<LoopOutput> outputs;
  /// Of each instruction of the body: whether it is the same in all turns of the running index.
  std::vector<char> uniform;
};

class LoopProgram {
 public:
  /// Turns of the running index, the inner one if there are two, that are done at once.
  static constexpr long block = 128;

  LoopProgram(const Graph& graph, int inputs, int outputs, std::vector<ProgramLoop> loops);

  int inputs() const { return inputs_; }
  int outputs() const { return outputs_; }
  const std::vector<ProgramLoop>& loops() const { return loops_; }
  const std::vector<double>& parameters() const { return parameters_; }
  /// Operations of all turns, and of the text: each body once.
  double operations() const;
  std::size_t statements() const;
  /// Whether no output goes through a list.
  bool affine() const;

  void evaluate(const double* x, double* out) const;
  /// The first operation without a finite value, for a person to read; see Tape::non_finite.
  std::string non_finite(const double* x, const NameList& variable_names) const;

 private:
  int inputs_, outputs_;
  std::vector<ProgramLoop> loops_;
  std::vector<double> parameters_;
};

}  // namespace varia::expr
