// SPDX-License-Identifier: BSD-3-Clause
#include "varia/flow/shooting_flow.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>

#include "shooting_derivative.hpp"
#include "shooting_path.hpp"
#include "step_calls.hpp"
#include "varia/core/index.hpp"
#include "varia/core/norm.hpp"
#include "varia/core/round_off.hpp"
#include "varia/flow/failure.hpp"
#include "varia/flow/legendre_transform.hpp"

namespace varia {

namespace {

/// The nodes increase within [0, 1], with a weight each.
void require_rule(const Quadrature& rule) {
  if (rule.c.empty() || rule.c.size() != rule.b.size())
    throw InvalidArgument(
        "shooting discrete Lagrangian: a quadrature needs as many weights as "
        "nodes, and one at least; got " +
        std::to_string(rule.c.size()) + " nodes and " + std::to_string(rule.b.size()) + " weights");
  double last = 0.0;
  for (const DoubleDouble& c : rule.c) {
    if (!(c.hi >= last && c.hi <= 1.0))
      throw InvalidArgument(
          "shooting discrete Lagrangian: the nodes of the quadrature must increase from 0 to 1, "
          "got " +
          to_text(c.hi) + " after " + to_text(last));
    last = c.hi;
  }
}

using detail::eps;

using detail::compensated_add;
using detail::sz;

template <class T> const std::shared_ptr<const T>& required(const std::shared_ptr<const T>& p) {
  if (!p) throw InvalidArgument("ShootingFlow: there is no system, or no accelerations of it");
  return p;
}

using detail::largest;

/// The size of velocities along the path: what an update of v₀ is measured by.
double velocity_scale(const std::vector<double>& v0, const detail::PathPoint& end, double h) {
  const Eigen::Map<const Vn> v(v0.data(), end.v.size());
  return std::max({largest(v), largest(v + end.v), largest(end.q) / std::abs(h)});
}

}  // namespace

ShootingFlow::ShootingFlow(Method method, const std::shared_ptr<const KernelSystem>& system,
                           const std::shared_ptr<const AccelerationSystem>& acceleration,
                           FlowOptions options)
    : MethodOnSystem(std::move(method), required(system)),
      acceleration_(required(acceleration)),
      options_(options) {
  if (method_.shooting() == nullptr)
    throw InvalidArgument("ShootingFlow: " + method_.name() +
                          " is neither shooting(order, rule) nor taylor(order, rule)");
  require_rule(method_.shooting()->rule);
  const auto refuse = [&](const std::string& found, const std::string& use) {
    throw InvalidArgument(method_.name() +
                          " is for a Lagrangian L(t, q, v) on R^n, regular in the velocities, "
                          "without force and without constraints; " +
                          found + ". Use " + use);
  };
  detail::require_iterations(options_);
  if (!system_->on_vector_space())
    refuse("this system has coordinates on a Lie group", "midpoint or verlet, of order 2 there");
  if (system_->d > 0) refuse("this system has constraints", "lobatto(s), of order 2s-2 with them");
  if (system_->forced) refuse("a force acts on this system", "gauss(s) or lobatto(s)");
  if (acceleration_->n != system_->n)
    throw InvalidArgument(method_.name() + ": the accelerations are of " +
                          std::to_string(acceleration_->n) + " coordinates, the system has " +
                          std::to_string(system_->n));
}

ShootingFlow::Memory ShootingFlow::make_memory() const {
  Memory memory;
  memory.path =
      detail::make_hidden<detail::ShootingPath>(*system_, *acceleration_, *method_.shooting());
  memory.predictor.resize(system_->n);
  for (auto* part : {&memory.v0, &memory.v1, &memory.change}) part->assign(sz(system_->n), 0.0);
  memory.defect.setZero(system_->n);
  return memory;
}

ShootingFlow::Memory ShootingFlow::memory(const VectorState& s) const {
  detail::require_state(*system_, s);
  return make_memory();
}

KernelList ShootingFlow::kernels() const {
  const ShootingScheme& scheme = *method_.shooting();
  const detail::StepCalls calls =
      detail::solved_calls(static_cast<double>(scheme.step_order) * scheme.rule.size());
  return {{acceleration_->equation, calls.values}, {acceleration_->slope, calls.slopes}};
}

FlowLaws ShootingFlow::laws() const { return {}; }

/// The defect of (shooting-step) at m.v0.
bool ShootingFlow::evaluate(const VectorState& s, double h, Memory& m) const {
  const int n = system_->n;
  detail::ShootingPath& path = *m.path;
  if (!path.walk(s.t, s.t_rest, s.q.data(), s.q_rest.data(), m.v0.data(), h) ||
      !path.solve_momentum())
    return false;
  const Vn& p1 = path.momentum();
  const auto moved = path.end().dq.leftCols(n);  // Q_q - 1
  const auto gq = path.gradient().head(n);
  m.defect = ((p1 - s.p) - s.p_rest) + (moved.transpose() * p1 - gq);
  m.magnitude = std::max({largest(s.p), largest(p1), largest(gq),
                          largest(moved.cwiseAbs().transpose() * p1.cwiseAbs())});
  return m.defect.allFinite();
}

/// ∂p₀/∂v₀ by differences about m.v0, whose defect is known.
bool ShootingFlow::difference_slope(const VectorState& s, double h, Memory& m) const {
  const int n = system_->n;
  const double by = std::sqrt(eps) * velocity_scale(m.v0, m.path->end(), h);
  const Vn defect = m.defect;
  m.slope.resize(n, n);
  for (int j = 0; j < n; ++j) {
    const double v = m.v0[sz(j)];
    m.v0[sz(j)] = v + by;
    const bool done = evaluate(s, h, m);
    m.slope.col(j) = (m.defect - defect) / (m.v0[sz(j)] - v);
    m.v0[sz(j)] = v;
    if (!done) return false;
  }
  return evaluate(s, h, m) && m.slope.allFinite();
}

/// v₀ from m.v0: iterations with ∂²L/∂v², and with differences where these contract too slowly. The
/// path in m.path is that of the solution.
NewtonReport ShootingFlow::solve_velocity(const VectorState& s, double h, Memory& m) const {
  constexpr double slow = 0.2;
  NewtonReport report;
  if (!m.path->factor_mass(s.t, s.q.data(), m.v0.data())) {
    report.singular = m.path->singular();
    return report;
  }
  Vn update;
  Eigen::PartialPivLU<Eigen::MatrixXd> lu;
  bool differences = false;
  double last = std::numeric_limits<double>::infinity();
  for (int k = 1; k <= options_.newton.max_iterations; ++k) {
    report.iterations = k;
    if (!evaluate(s, h, m)) {
      report.singular = m.path->singular();
      return report;
    }
    const double scale = velocity_scale(m.v0, m.path->end(), h);
    const auto solve = [&] {
      update = m.defect;
      if (differences)
        update = lu.solve(m.defect);
      else
        m.path->mass().solve(update.data());
      return largest(update);
    };
    double size = solve();
    if (!std::isfinite(size)) return report;
    report.last_update = scale > 0.0 ? size / scale : size;
    // below the round-off of the momenta, or of the coordinates in which forces are evaluated
    const bool in_p = largest(m.defect) <= 100.0 * eps * m.magnitude && size <= 1e-6 * scale;
    const bool in_q = size * std::abs(h) <= 4.0 * eps * largest(s.q);
    if (size <= 2.0 * eps * scale || (size >= 0.5 * last && (in_p || in_q))) {
      report.converged = true;
      return report;
    }
    if (size > slow * last && !in_p && !in_q) {
      if (!difference_slope(s, h, m)) return report;
      lu.compute(m.slope);
      differences = true;
      size = solve();
      if (!std::isfinite(size)) return report;
    }
    for (int i = 0; i < system_->n; ++i) m.v0[sz(i)] -= update[i];
    last = size;
  }
  return report;
}

/// q₁ and p₁, added as increments: p₁ = p₀ + G_q - (Q_q - 1)ᵀ p₁.
void ShootingFlow::finish(VectorState& s, double h, Memory& m) const {
  const int n = system_->n;
  const detail::ShootingPath& path = *m.path;
  const Vn gain = path.gradient().head(n) - path.end().dq.leftCols(n).transpose() * path.momentum();
  const double begin = s.t;
  for (int i = 0; i < n; ++i) {
    m.change[sz(i)] = m.v0[sz(i)] - m.v1[sz(i)];
    m.v1[sz(i)] = m.v0[sz(i)] + path.end().v[i];
    compensated_add(s.q[i], s.q_rest[i], path.end().q[i]);
    compensated_add(s.p[i], s.p_rest[i], gain[i]);
  }
  compensated_add(s.t, s.t_rest, h);
  if (m.statistics.steps > 0) m.predictor.push(h, m.change);  // the first is from no path
  if (!s.q.allFinite() || !s.p.allFinite()) detail::overflow(begin, h);
  if (!options_.compensated) detail::drop_remainders(s);
  if (s.branch.size() > 0) LegendreTransform(*system_).follow(s, m.v1.data());
}

VectorState ShootingFlow::steps(VectorState s, double h, long count, Memory& m) const {
  detail::require_step(h);
  for (long k = 0; k < count; ++k) {
    NewtonReport report;
    if (m.predictor.predict(h, m.change)) {
      for (std::size_t i = 0; i < m.v0.size(); ++i) m.v0[i] = m.v1[i] + m.change[i];
      report = m.statistics.counted(solve_velocity(s, h, m));
    }
    if (!report.converged) {
      std::copy(m.v1.begin(), m.v1.end(), m.v0.begin());
      LegendreTransform(*system_).velocity(s, m.v0.data());
      report = m.statistics.counted(solve_velocity(s, h, m));
    }
    if (!report.converged) detail::not_solved(method_.name(), s.t, h, report);
    finish(s, h, m);
    m.statistics.end_step();
  }
  return s;
}

const StepDerivative& ShootingFlow::differentiate(VectorState& s, double h, Memory& m) const {
  auto& derivative = m.derivative_as<detail::ShootingDerivative>(*system_, *method_.shooting());
  const VectorState start = s;
  s = step(start, h, m);
  derivative.set(start, h, Eigen::Map<const Vn>(m.v0.data(), system_->n), *m.path);
  return derivative;
}

ShootingAction ShootingFlow::discrete_lagrangian(double t, const Vn& q0, const Vn& q1,
                                                 double h) const {
  const int n = system_->n;
  detail::require_step(h);
  if (q0.size() != n || q1.size() != n)
    throw InvalidArgument("discrete_lagrangian: the end points have " + std::to_string(q0.size()) +
                          " and " + std::to_string(q1.size()) + " coordinates, the system has " +
                          std::to_string(n));
  Memory m = make_memory();
  detail::ShootingPath& path = *m.path;
  Eigen::Map<Vn> v(m.v0.data(), n);
  v = (q1 - q0) / h;
  const Vn rest = Vn::Zero(n);
  double last = std::numeric_limits<double>::infinity();
  NewtonReport report;
  for (int k = 1; k <= options_.newton.max_iterations; ++k) {
    report.iterations = k;
    if (!path.walk(t, 0.0, q0.data(), rest.data(), v.data(), h)) break;
    const Vn miss = (q0 - q1) + path.end().q;
    const double size = largest(miss);
    const double scale = std::max({largest(q0), largest(q1), std::abs(h) * largest(v)});
    if (size <= 2.0 * eps * scale || (size >= 0.5 * last && size <= 100.0 * eps * scale)) {
      report.converged = path.solve_momentum();
      break;
    }
    const Vn update = path.end().dq.rightCols(n).partialPivLu().solve(miss);
    if (!update.allFinite()) break;
    report.last_update = largest(update) / std::max(largest(v), scale / std::abs(h));
    v -= update;
    last = size;
  }
  if (!report.converged && path.singular())
    throw SingularMass(method_.name() +
                       ": d2L/dv2 has a null direction, so that accelerations are not determined; "
                       "use a Lagrangian that is regular in the velocities");
  if (!report.converged)
    throw NoConvergence(method_.name() +
                            ": no motion of the one-step method found from q0 to q1 at t = " +
                            to_text(t) + " with h = " + to_text(h) + "; try a smaller step",
                        t, h, report.iterations, report.last_update);
  const Vn& p1 = path.momentum();
  const auto moved = path.end().dq.leftCols(n);
  return {path.action(), path.gradient().head(n) - moved.transpose() * p1 - p1, p1, v};
}

}  // namespace varia
