// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What can go wrong, as types. Every message names the cause and the remedy.
//
// A wrong request is an InvalidArgument, a value where mathematics has no answer a DomainError,
// a Lagrangian without Legendre transform a SingularMass, a step that cannot be solved a
// NoConvergence. The library never aborts and never returns a step that did not converge.
#include <stdexcept>
#include <string>

namespace varia {

struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The request is wrong: what was asked, what was found, what is allowed.
struct InvalidArgument : Error {
  using Error::Error;
};

/// A function was asked for a value or derivative it does not have (sqrt at 0, log of -1).
struct DomainError : Error {
  using Error::Error;
};

/// ∂²L/∂v² has a null direction, so that momenta do not determine velocities.
struct SingularMass : Error {
  using Error::Error;
};

/// A nonlinear equation was not solved to round-off.
struct NoConvergence : Error {
  NoConvergence(const std::string& what, double time, double step, int iteration_count,
                double update)
      : Error(what), t(time), h(step), iterations(iteration_count), last_update(update) {}

  double t;            ///< time at the beginning of the step
  double h;            ///< step size
  int iterations;      ///< Newton iterations done
  double last_update;  ///< size of the last Newton update, relative to the unknown
};

/// A number as text with full double precision where needed: 0.1, 1e-12, nan.
std::string to_text(double x);

}  // namespace varia
