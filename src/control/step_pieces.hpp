// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The parts of the Lagrangian of a step, made of the formulas of a control problem.
//
// The equations of a step are Hamilton's principle with forces, for all virtual displacements γ of q₀ and ν of the unknown
// velocities. A multiplier of these rows is such a displacement, so that the rows, paired with it, are one number:
//
//   (virtual)  h Σ bᵢ [d/dε L(q₀ exp(εγ) ⊕ (Ξⁱ + ε Σⱼ hAᵢⱼνⱼ), …) + ⟨fⁱ, δqⁱ⟩] + ⟨p₀, γ⟩ - ⟨p₁, δq₁⟩ = 0
//
// and second derivatives of the problem are those of one formula for a point, one for the end of a step. On groups δqⁱ is
// Ad_{τ(-Ξ)}γ + dτ_Ξ hYⁱ. Nothing here is shared with the stage equations of flow/: a replay by the integrator tests both.
#include <memory>
#include <vector>

#include "path_formulas.hpp"
#include "piece.hpp"
#include "varia/control/control_problem.hpp"

namespace varia::detail {

/// Sizes of a problem.
struct ControlSizes {
  ControlSizes(const ControlFormulas& formulas, bool free_end);
  int entries, n;  ///< of q
  int a, u, theta;
  bool free_end;
  int d, e;  ///< holonomic and nonholonomic constraints
  int path;
  /// Parameters, then the end time where it is free.
  int global() const { return theta + (free_end ? 1 : 0); }
};

/// The order of the variables and multipliers of the pieces. Those of constraints are empty without them.
enum class Local {
  q0,
  q1,  // displacements
  X,
  V,
  B,  // Σ A u, Σ B u, Σ β u
  p0,
  p1,
  v1,
  a0,
  K,
  rate,  // of auxiliary states: at q₀, Σ a k, k
  u,
  global,
  lambda,
  lambda0,
  lambda1,  // holonomic: at a point, at q₀, at q₁
  Lambda,
  w,  // nonholonomic: of a point, the velocity with its momentum
  acceleration
};
enum class Row {
  gamma,
  Y,
  Z,
  beta,
  gap,       // virtual displacements, q₁ = q₀ ⊕ ξ
  momentum,  // p = ∂L/∂v
  eta,
  alpha,  // of auxiliary states
  path,
  condition,
  phi,
  hidden,  // holonomic
  rolling_momentum,
  rolling,  // nonholonomic
  motion,
  rate_of_rolling
};

/// A part of a vector of variables: what it is, how many.
template <class Kind> struct Span {
  Kind kind;
  int first, count;
};

struct StepPiece {
  Piece piece;
  std::vector<Span<Local>> variables;
  std::vector<Span<Row>> rows;
};

/// The constants of every piece: the number of the step, c and b of the point, the entries of q₀ and q₁.
struct PieceConstants {
  static constexpr int step = 0, c = 1, b = 2, points = 3;
};

class StepPieces {
 public:
  StepPieces(expr::Graph& graph, const ControlFormulas& formulas, const ControlTime& time,
             Retraction tau);

  StepPiece point() const;        ///< of a quadrature point
  StepPiece end() const;          ///< of the end of a step
  StepPiece departure() const;    ///< (q, v) to (q, p)
  StepPiece arrival() const;      ///< (q, p) to (q, v)
  StepPiece multipliers() const;  ///< of nonholonomic constraints, from the motion at q₀
  StepPiece start_conditions() const;
  StepPiece end_conditions() const;

 private:
  struct Builder;
  StepPiece conditions(const std::vector<ControlRow>& stated, bool final) const;

  expr::Graph& graph_;
  const ControlFormulas& formulas_;
  ControlVariables names_;
  ControlSizes sizes_;
  ControlTime time_;
  PathFormulas path_;
};

}  // namespace varia::detail
