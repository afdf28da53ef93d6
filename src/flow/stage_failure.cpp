// SPDX-License-Identifier: BSD-3-Clause
// Why a step of a stage method has failed, for the text of its error.
#include <cstdio>

#include "near_solution.hpp"
#include "stage_solver.hpp"
#include "varia/flow/failure.hpp"
#include "varia/flow/stage_flow.hpp"

namespace varia {

namespace {

/// To four digits.
std::string rounded(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", x);
  return text;
}

}  // namespace

/// A step that cannot be solved where gradients of constraints come close to each other is at a
/// singular point of the constraint manifold; the text names them.
void StageFlow::fail(const Method& method, const VectorState& s, double h,
                     const NewtonReport& report, const std::vector<int>& left_out) const {
  constexpr double near = 1e-2;
  if (system_->d > 0) {
    const ConstraintRank rank = dependent_constraints(*system_, s.q.data(), s.t, near);
    if (rank.left_out() != dependent_constraints(*system_, s.q.data(), s.t).left_out() ||
        (!rank.independent() && !options_.leave_out_dependent))
      throw SingularConstraints(
          method.name() + ": the step from t = " + to_text(s.t) + " with h = " + to_text(h) +
              " was not solved: the constraints become dependent there, " + to_text(rank),
          s.t, h, report.iterations, report.last_update);
  }
  if (options_.solver == Solver::fixed_point)
    throw NoConvergence(method.name() + ": the step from t = " + to_text(s.t) +
                            " with h = " + to_text(h) +
                            " was not solved: the iteration does not contract. Use the solver "
                            "newton or auto, or a smaller step",
                        s.t, h, report.iterations, report.last_update);
  require_solution(method, s, h, left_out);
  detail::not_solved(method.name(), s.t, h, report);
}

/// Where the near solutions of steps end before h, the step has none: that is the cause, whatever the
/// solver met.
void StageFlow::require_solution(const Method& method, const VectorState& s, double h,
                                 const std::vector<int>& left_out) const {
  const auto end = detail::end_of_solutions(*system_, *method.stages(), options_, left_out, s, h);
  if (!end) return;
  const bool cayley = options_.retraction == Retraction::cayley;
  throw NoConvergence(
      method.name() + ": the step from t = " + to_text(s.t) + " with h = " + to_text(h) +
          " has no solution: those of shorter steps from there end at h = " + rounded(*end) +
          ", where the Jacobian of the equations is singular. Try a smaller step" +
          (cayley ? ", or the exponential map instead of the Cayley map" : ""),
      s.t, h, 0, 0.0);
}

/// Equations of steps that turn far have several solutions. One whose turn is not that of the velocities
/// at its ends is none of the motion.
void StageFlow::require_turn(const Method& method, detail::TurnCheck& turn, const VectorState& end,
                             double h, const Memory& memory) const {
  const auto other = turn.other(end, h, memory.solver->stages.shift());
  if (!other) return;
  const VectorState& start = turn.start();
  require_solution(method, start, h, memory.left_out);
  throw NoConvergence(method.name() + ": the step from t = " + to_text(start.t) +
                          " with h = " + to_text(h) + " turns by " + to_text(other->found) +
                          ", but its velocities say " + to_text(other->expected) +
                          ": this is another solution of its equations. Try a smaller step",
                      start.t, h, 0, other->difference);
}

}  // namespace varia
