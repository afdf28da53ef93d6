// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// One step for L = ⟨θ, v⟩ - H, from a Form that knows θ, H and their derivatives: what DegenerateFlow
// and OneFormFlow have in common. flow/degenerate.hpp states the equations.
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "varia/flow/degenerate_equations.hpp"
#include "varia/flow/failure.hpp"
#include "varia/flow/flow.hpp"

namespace varia {

/// What happens to p = θ(q).
enum class OneFormProjection {
  none,       ///< nothing: the flow of the discrete Lagrangian, consistent at the start only
  each_step,  ///< p₁ is replaced by θ(q₁); not symmetric, loses order
  symmetric   ///< (degenerate-projection)
};

/// Lives from step to step of one trajectory.
struct OneFormMemory {
  NewtonWorkspace newton;
  Predictor predictor;
  FlowStatistics statistics;
  /// What the next steps depend on, for a checkpoint, and back. Throws InvalidArgument when the
  /// numbers do not fit.
  std::vector<double> save() const;
  void load(const std::vector<double>& data);
};

namespace detail {

/// bᵢ(aᵢⱼ - bⱼ)/bⱼ = -aⱼᵢ. With two tableaux the velocities at the ends of a step depend on the
/// choice of θ up to gradients, or are not determined. Throws InvalidArgument for such a method.
void require_one_tableau(const Method& method);

template <class Form> class OneFormStep {
 public:
  OneFormStep(Method method, Form form, OneFormProjection projection, FlowOptions options = {})
      : method_(std::move(method)),
        form_(std::move(form)),
        projection_(projection),
        options_(options) {
    require_one_tableau(method_);
  }

  const Method& method() const { return method_; }
  const Form& form() const { return form_; }
  OneFormProjection projection() const { return projection_; }
  const FlowOptions& options() const { return options_; }
  /// Unknowns of one solve for n coordinates.
  int unknowns(int n) const { return n * (method_.stages()->unknowns + (projects() ? 1 : 0)); }

  template <int N, int M> OneFormMemory memory(const State<Vector<double, N>, M>& s) const {
    static_assert(M <= 0, "a degenerate Lagrangian takes no constraints");
    if (s.q.size() % 2 != 0 || s.p.size() != s.q.size() || s.lambda.size() != 0)
      throw InvalidArgument(
          "a Lagrangian that is linear in the velocities needs an even number of coordinates, as "
          "many momenta and no multipliers; the state has " +
          std::to_string(s.q.size()) + ", " + std::to_string(s.p.size()) + " and " +
          std::to_string(s.lambda.size()) + " (d theta is singular for an odd number)");
    OneFormMemory memory;
    const int size = unknowns(static_cast<int>(s.q.size()));
    memory.newton.resize(size, size);
    memory.predictor.resize(size);
    return memory;
  }

  /// One step. Throws DomainError where dθ is singular.
  template <int N, int M>
  State<Vector<double, N>, M> step(const State<Vector<double, N>, M>& s, double h,
                                   OneFormMemory& memory) const {
    using V = Vector<double, N>;
    require_step(h);
    DegenerateEquations<Form, V> equations(*method_.stages(), form_, projects());
    equations.begin(s.t, s.q, keeps_momenta() ? s.p : V(form_.value(s.t, s.q)));
    const V v = equations.velocity();
    NewtonReport report;
    if (memory.predictor.predict(h, memory.newton.x)) report = attempt(equations, h, memory.newton);
    if (!report.converged) {
      guess(v, memory.newton.x);
      report = attempt(equations, h, memory.newton);
    }
    memory.statistics.iterations += report.iterations;
    memory.statistics.max_iterations =
        std::max(memory.statistics.max_iterations, report.iterations);
    if (!report.converged) fail(s.t, h, report);
    memory.predictor.push(h, memory.newton.x);
    ++memory.statistics.steps;
    equations.evaluate(h, memory.newton, false);
    return finish(s, h, equations.shift, equations.p1);
  }

 private:
  bool projects() const { return projection_ == OneFormProjection::symmetric; }
  bool keeps_momenta() const { return projection_ == OneFormProjection::none; }

  /// All velocities v, λ = 0.
  template <class V> void guess(const V& v, std::vector<double>& x) const {
    const auto n = static_cast<std::size_t>(v.size());
    const std::size_t velocities = n * static_cast<std::size_t>(method_.stages()->unknowns);
    for (std::size_t i = 0; i < x.size(); ++i)
      x[i] = i < velocities ? v[static_cast<Eigen::Index>(i % n)] : 0.0;
  }

  template <class Equations>
  NewtonReport attempt(Equations& equations, double h, NewtonWorkspace& w) const {
    NewtonReport report = solve(options_.newton, w, [&](NewtonWorkspace& at, bool fresh) {
      equations.evaluate(h, at, fresh);
    });
    const bool finite =
        std::all_of(w.x.begin(), w.x.end(), [](double x) { return std::isfinite(x); });
    if (report.converged || report.singular || !finite) return report;
    // near a stationary point of H velocities have no relative precision: the equation decides
    equations.evaluate(h, w, false);
    double most = 0.0;
    for (const double r : w.residual) most = std::max(most, std::abs(r));
    report.converged = most <= 8.0 * std::numeric_limits<double>::epsilon() * w.magnitude;
    return report;
  }

  template <class StateT, class V>
  StateT finish(const StateT& s, double h, const V& shift, const V& p1) const {
    StateT next = s;
    exact_add(next.q, next.q_rest, shift);
    compensated_add(next.t, next.t_rest, h);
    next.p = keeps_momenta() ? p1 : V(form_.value(next.t, next.q));
    next.p_rest.setZero();
    if (!next.q.allFinite() || !next.p.allFinite()) overflow(s.t, h);
    if (!options_.compensated) drop_remainders(next);
    return next;
  }

  [[noreturn]] void fail(double t, double h, const NewtonReport& report) const {
    throw NoConvergence(
        method_.name() + ": the step from t = " + to_text(t) + " with h = " + to_text(h) +
            (report.singular ? " has singular equations; is the two-form d theta regular there?"
                             : " was not solved by Newton's method; try a smaller step"),
        t, h, report.iterations, report.last_update);
  }

  Method method_;
  Form form_;
  OneFormProjection projection_;
  FlowOptions options_;
};

}  // namespace detail

}  // namespace varia
