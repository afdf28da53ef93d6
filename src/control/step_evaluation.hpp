// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The functions of one step of a control problem with their derivatives, summed over its pieces.
#include <vector>

#include "control_parts.hpp"

namespace varia::detail {

/// The numbers of a node by degree of freedom; 0 in the place of the n of a point with so many entries.
void put_node(const double* node, const NodeLayout& layout, int n, int entries, double* out);

class StepEvaluation {
 public:
  /// `step` is the number of the step in time.
  StepEvaluation(const ControlParts& parts, const StepKind& kind, int step)
      : parts_(parts), kind_(kind), step_(step) {}

  StepEvaluation& at(const double* x, const double* w, const double* y);
  void run(const Eigen::VectorXd& rho, const Eigen::VectorXd& z, ChainOrder order, ChainStep& out);

 private:
  void add(const PieceUse& use, ChainOrder order, ChainStep& out);
  void add_hessian(const PieceUse& use, ChainStep& out);
  void gather(const PieceUse& use);

  const ControlParts& parts_;
  const StepKind& kind_;
  int step_;
  const double *q0_ = nullptr, *q1_ = nullptr;
  std::vector<double> values_;  ///< of all unknowns
  Eigen::VectorXd all_rows_, multipliers_;
  Eigen::MatrixXd all_slopes_;
  std::vector<double> input_, output_;  ///< of a piece
};

}  // namespace varia::detail
