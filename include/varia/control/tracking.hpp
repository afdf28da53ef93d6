// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Feedback that holds a chain on its motion: the time-varying linear-quadratic regulator of its steps.
//
//   (lqr)   min Σₖ δxₖᵀQ δxₖ + δwₖᵀR δwₖ + δx_KᵀQ_e δx_K   along   δxₖ₊₁ = Aₖδxₖ + Bₖδwₖ,      δwₖ = Kₖδxₖ
//
//   const Optimum optimum = optimise(problem, guess);
//   const Tracking tracking = track(problem, optimum.point, {.state = 1.0, .input = 0.01, .end = 10.0});
//   const RollOut held = roll_out(problem, disturbed, optimum.point, tracking);
#include <Eigen/Core>
#include <vector>

#include "varia/control/chain_problem.hpp"
#include "varia/control/roll_out.hpp"

namespace varia {

/// Q, R and Q_e as multiples of the identity, in the degrees of freedom of the states and in the inputs of the steps.
struct TrackingWeights {
  double state = 1.0, input = 1.0, end = 1.0;
};

struct Tracking {
  std::vector<Eigen::MatrixXd> gains;  ///< Kₖ
  std::vector<Eigen::MatrixXd> cost;  ///< Pₖ: δxₖᵀPₖδxₖ is the cost from there on, to second order
};

/// Along a point that solves Rₖ = 0. Throws InvalidArgument for weights that are not positive; those of states may be 0.
Tracking track(const ChainProblem& problem, const ChainPoint& along,
               const TrackingWeights& weights);

/// From the start of `from`, with the inputs of `along` and the feedback: what a disturbed start becomes.
RollOut roll_out(const ChainProblem& problem, const ChainPoint& from, const ChainPoint& along,
                 const Tracking& tracking);

}  // namespace varia
