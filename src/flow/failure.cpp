// SPDX-License-Identifier: BSD-3-Clause
#include "varia/flow/failure.hpp"

#include <cmath>

#include "varia/core/counted.hpp"
#include "varia/solve/damped_newton.hpp"

namespace varia::detail {

void require_step(double h) {
  if (!std::isfinite(h) || h == 0.0)
    throw InvalidArgument("step size must be a finite number other than 0, got " + to_text(h));
}

void require_iterations(const FlowOptions& options) {
  if (options.newton.max_iterations < 1)
    throw InvalidArgument("newton.max_iterations must be at least 1, got " +
                          std::to_string(options.newton.max_iterations));
}

void require_discrete_flow(const Method& method, const FlowOptions& options) {
  require_iterations(options);
  if (method.baseline())
    throw InvalidArgument(method.name() +
                          " is not variational and has no discrete flow of (q, p); use " +
                          method.flow_name());
  if (method.has_own_flow())
    throw InvalidArgument(method.name() + " is a map of its own; use " + method.flow_name());
}

void overflow(double t, double h) {
  throw NoConvergence("the step from t = " + to_text(t) + " with h = " + to_text(h) +
                          " gave numbers that are not finite; the step is too large for the "
                          "forces, try a smaller one",
                      t, h, 0, 0.0);
}

void too_many_inner_steps(const std::string& method, double t, double h, int tries, double left) {
  throw NoConvergence(
      method + ": the step from t = " + to_text(t) + " with h = " + to_text(h) + " took " +
          std::to_string(tries) + " inner steps, and " + to_text(left) +
          " of it is left: forces are stiff, or the motion is singular. Try an "
          "implicit method such as gauss(2), a greater tolerance, or a smaller step",
      t, h, tries, left);
}

namespace {

/// What damped steps met after whole ones had failed.
std::string damped_text(const NewtonReport& report) {
  const std::string after = "after " + std::to_string(report.damped_iterations) + " damped " +
                            (report.damped_iterations == 1 ? "step" : "steps");
  switch (report.damping) {
    case Damping::no_descent:
      return "; " + after + " no part of the next one, down to " + to_text(shortest_part) +
             " of it, comes closer to a solution: the equations have a kink there, or no solution";
    case Damping::too_slow:
      return "; it was not at a solution " + after + " either";
    case Damping::singular:
      return "; " + after + " the Jacobian is singular";
    default:
      return {};
  }
}

}  // namespace

void not_solved(const std::string& method, double t, double h, const NewtonReport& report) {
  const std::string cause =
      report.singular ? "the Jacobian of the step equations is singular; is the Lagrangian "
                        "regular and are the constraints independent at this point?"
                      : "Newton's method did not converge in " +
                            counted(report.iterations, "iteration") + " (last update " +
                            to_text(report.last_update) + " of the unknown)" + damped_text(report);
  throw NoConvergence(method + ": the step from t = " + to_text(t) + " with h = " + to_text(h) +
                          " was not solved: " + cause + ". Try a smaller step",
                      t, h, report.iterations, report.last_update);
}

void not_tangent(double t, double h, int iterations, double last) {
  throw NoConvergence(
      "the velocity constraint at the end of the step could not be met; are the "
      "constraints independent there?",
      t, h, iterations, last);
}

void refuse_not_separable(const std::string& method, const std::string& found) {
  throw InvalidArgument(method +
                        " has its order only for L = 1/2 v.M v - V(q) with a constant mass M, on "
                        "R^n without force and constraint; " +
                        found + ". Use blanes_moan(4), blanes_moan(6), or yoshida(order, method)");
}

void refuse_constraints(const std::string& method, int order) {
  throw InvalidArgument(
      method +
      " cannot be used with holonomic constraints: its stages are off the "
      "manifold, and restricted to it the order drops from " +
      std::to_string(order) +
      " to 2. Use lobatto(s), of order 2s-2 there, or a method of order 2 such as verlet");
}

void refuse_nonholonomic(const std::string& method) {
  throw InvalidArgument(
      method +
      " cannot hold nonholonomic constraints: they are asked for at the ends of a "
      "step or in its middle. Use nh_lobatto(s), of order 2s-2, or dla, of order 2");
}

}  // namespace varia::detail
