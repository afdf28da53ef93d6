// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The fastest frequency of small motions about a state, from the derivative of one step.
//
// A step of size h that is short against all motions has eigenvalues μ with |μ - 1| = |ω| h, whatever
// the system: on groups, with constraints, of a Hamiltonian. Short is what a step is once the largest
// of them is below 1/2. Steps of Verlet's method and of the midpoint rule tell when they are not: there
// |μ - 1| does not decrease with h.
#include <memory>

#include "varia/flow/any_flow.hpp"
#include "varia/io/model.hpp"

namespace varia::io {

class FastestMotion {
 public:
  /// Steps have the sign of `longest`, and are not longer.
  FastestMotion(const Model& model, double longest);

  /// |ω|; 0 where nothing changes within the longest step, where no step can be made, and where one
  /// would take too much work.
  double operator()(const VectorState& s);

 private:
  /// |μ - 1| of a step of size h; none where it cannot be made.
  std::optional<double> spread(const VectorState& s, double h) const;

  AnyFlow flow_;
  double longest_;
  double h_;  ///< that was short at the last state
  bool too_large_;
};

}  // namespace varia::io
