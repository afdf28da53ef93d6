// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A part of the Lagrangian of a step of a control problem, as a formula that is differentiated once:
//
//   σ(d, m) = C(d) + ⟨m, F(d)⟩
//
// with some of the variables d and multipliers m of the step. F are rows, C is cost; ∂²σ/∂d² is all that second
// derivatives need.
#include <vector>

#include "varia/expr/graph.hpp"
#include "varia/expr/kernel.hpp"
#include "varia/mechanics/kernel_system.hpp"

namespace varia::detail {

/// The variables of a piece in its graph. Displacements are among d, and are 0 where the piece is evaluated.
struct PieceVariables {
  std::vector<int> constants, variables, multipliers, displacements;
};

class Piece {
 public:
  Piece() = default;
  Piece(expr::Graph& graph, expr::Id sigma, const PieceVariables& names);

  int constants() const { return constants_; }
  int variables() const { return variables_; }
  int multipliers() const { return multipliers_; }

  expr::Kernel values;  ///< (constants, d) ↦ C, F
  expr::Kernel slopes;  ///< (constants, d) ↦ C, F, ∂C/∂d, values of ∂F/∂d
  expr::Kernel second;  ///< (constants, d, m) ↦ values of ∂²σ/∂d²
  Pattern jacobian;     ///< F by d
  Pattern hessian;      ///< lower triangle

 private:
  int constants_ = 0, variables_ = 0, multipliers_ = 0;
};

}  // namespace varia::detail
