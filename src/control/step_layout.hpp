// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Where the unknowns and rows of a step of a control problem stand, and which of them each piece is made of.
#include <string>
#include <vector>

#include "step_pieces.hpp"
#include "varia/methods/method.hpp"

namespace varia::detail {

/// A node of the chain: (q, p or v, auxiliary states, global numbers, multipliers λ of nonholonomic constraints).
struct NodeLayout {
  NodeLayout(const ControlSizes& z, bool with_multipliers)
      : rate(z.n),
        a(2 * z.n),
        global(a + z.a),
        lambda(global + z.global()),
        size(lambda + (with_multipliers ? z.e : 0)),
        more_entries(z.entries - z.n) {}
  int rate, a, global, lambda, size;
  int more_entries;  ///< entries of q beyond its degrees of freedom
  int entries() const { return size + more_entries; }
};

/// A part of a linear combination of unknowns.
struct LinearTerm {
  int place;
  double factor;
};
/// For each variable of a piece what it is of the unknowns of the step.
using LinearMap = std::vector<std::vector<LinearTerm>>;

struct PieceUse {
  const StepPiece* piece;
  double c, b;
  LinearMap variables, rows;
};

/// A row that is linear in the unknowns.
struct LinearRow {
  int row, place;
  double factor;
};

/// One kind of step: all steps are of one, but for the first and the last ones.
struct StepKind {
  StepKind(const NodeLayout& from, const NodeLayout& to) : start(from), end(to) {}

  NodeLayout start, end;
  int inputs = 0, inner = 0;  ///< inner: unknowns of yₖ before xₖ₊₁
  int inequalities = 0;
  std::vector<PieceUse> uses;
  std::vector<LinearRow> linear;
  std::vector<int> velocities;  ///< where velocities stand among the unknowns, for a guess
  int rates = -1;               ///< where those of auxiliary states do
  ChainStepSizes sizes() const {
    return {start.size,   inputs,          inner + end.size,
            inequalities, start.entries(), inner + end.entries()};
  }
  int w() const { return start.size; }
  int y() const { return start.size + inputs; }
  int x1() const { return y() + inner; }
};

/// How the multipliers of nonholonomic constraints go on from a step to the next one.
enum class MultiplierChain { none, first, propagated };

class StepLayouts {
 public:
  StepLayouts(const ControlSizes& sizes, const Method& method, double nominal_step);

  /// (q, v) to (q, p), with the bounds of global numbers as inequalities.
  StepKind departure(const StepPiece& piece) const;
  StepKind arrival(const StepPiece& piece) const;
  /// `own_multiplier`: λ at q₀ is an unknown of the step, with the rows of `multipliers`; else it comes with the state.
  StepKind step(const StepPiece& point, const StepPiece& end, const StepPiece* multipliers,
                bool own_multiplier, bool passes_on) const;
  /// Of what holds at an end.
  LinearMap node_variables(const StepPiece& piece) const;

  int points() const { return m_; }
  /// cᵢ
  double node(int i) const { return k_.c.hi[static_cast<std::size_t>(i)]; }

 private:
  struct Places;
  std::vector<LinearTerm> variable(const Places& at, Local kind, int component, int point) const;
  std::vector<LinearTerm> row(const Places& at, Row kind, int component, int point) const;
  PieceUse use(const StepPiece& piece, const Places& at, int point) const;
  struct Numbering;
  void number_stages(Numbering& next, Places& at) const;
  void number_constraints(Numbering& next, Places& at) const;
  void number_own_multiplier(Numbering& next, Places& at) const;
  void add_velocities(const Places& at, bool own_multiplier, StepKind& kind) const;
  void add_copies(const Places& at, int global_rows, StepKind& kind) const;
  void add_passed(const Places& at, int passed_rows, StepKind& kind) const;

  ControlSizes z_;
  StageCoefficients k_;
  int m_, r_;
  double h_;
  std::vector<double> states_;  ///< a of the auxiliary states, m × m
};

}  // namespace varia::detail
