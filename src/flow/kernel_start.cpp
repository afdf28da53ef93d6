// SPDX-License-Identifier: BSD-3-Clause
#include "varia/flow/kernel_start.hpp"

#include <algorithm>
#include <cmath>

#include "constrained_motion.hpp"
#include "constraint_kkt.hpp"
#include "varia/core/counted.hpp"
#include "varia/core/index.hpp"
#include "varia/core/norm.hpp"
#include "varia/flow/legendre_transform.hpp"
#include "varia/mechanics/constraint_scale.hpp"

namespace varia {

namespace {

using detail::ConstraintKkt;
using detail::sz;

/// Above this number of coordinates the mass matrix is not looked at as a whole.
constexpr int largest_dense = 200;

/// ∂L/∂q, ∂L/∂v and the second derivatives at a point.
std::vector<double> derivatives(const KernelSystem& f, double t, const Vn& q, const Vn& v) {
  std::vector<double> out(sz(2 * f.n + f.second.size()), 0.0);
  f.hessian(f.point(t, q.data(), v.data()).data(), out.data());
  return out;
}

using detail::largest;

void require_mass(const KernelSystem& f, double t, const Vn& q, const Vn& v) {
  if (f.n <= largest_dense) {
    const std::vector<double> out = derivatives(f, t, q, v);
    Eigen::MatrixXd mass = Eigen::MatrixXd::Zero(f.n, f.n);
    for (int e = 0; e < f.second.size(); ++e) {
      const int i = f.second.row[sz(e)] - f.n;
      const int j = f.second.column[sz(e)] - f.n;
      if (i >= 0 && j >= 0) mass(i, j) = mass(j, i) = out[sz(2 * f.n + e)];
    }
    detail::require_regular(mass, " at the given point");
    return;
  }
  Vn a(f.n);
  LegendreTransform legendre(f);
  if (!legendre.acceleration(t, q.data(), v.data(), a.data()))
    throw SingularMass("the mass matrix d2L/dv2 could not be factored at t = " + to_text(t) +
                       ": momenta do not determine velocities. Give every coordinate a kinetic "
                       "energy, or remove the coordinates that have none");
}

[[noreturn]] void contradict(const Dependency& x, const char* of) {
  throw InconsistentConstraints(
      "the constraints contradict each other near the start: " + to_text(x) +
      ", but the same combination of " + of + " is " + to_text(x.value) +
      " and not 0, so that they cannot vanish together. Correct one of them");
}

/// The lengths of the rows of G and ∂Φ/∂v.
std::vector<double> slopes(const ConstraintKkt& kkt) {
  std::vector<double> slope(sz(kkt.count()), 0.0);
  for (int e = 0; e < kkt.pattern().size(); ++e) {
    double& g = slope[sz(kkt.pattern().row[sz(e)])];
    g = std::hypot(g, kkt.gradient(e));
  }
  return slope;
}

/// Φ(t, q, v) = 0 at the start. As a speed, divided by |∂Φ/∂v|, it is held against that of the start and
/// of what an affine constraint demands at rest.
void require_rolling(const KernelSystem& f, const ConstraintKkt& kkt, const Vn& v) {
  const std::vector<double> slope = slopes(kkt);
  const Vn rates = kkt.rates(v);
  const Vn along = kkt.along(v);
  for (int a = f.d; a < kkt.count(); ++a) {
    const double g = slope[sz(a)];
    const std::string name = "nonholonomic constraint " + std::to_string(a - f.d + 1);
    if (!(g > 0.0))
      throw InvalidArgument(
          name +
          " does not change with the velocities at the start: its "
          "reaction has no direction there. Start elsewhere, or write it otherwise");
    const double size = std::max(v.norm(), std::abs(rates[a] - along[a]) / g);
    if (std::abs(rates[a]) <= start_tolerance * g * size) continue;
    throw InvalidArgument(
        "the start velocity violates " + name + ": Phi = " + to_text(rates[a]) +
        "; correct v, or use project(system, q, v) to change it as little as possible");
  }
}

/// A holonomic constraint in messages; scenarios put its text in the place of the name.
std::string name_of(Eigen::Index constraint) {
  return "phi[" + std::to_string(constraint + 1) + "]";
}

/// (hidden) at the start, given G v and ∂φ/∂t, which are zeros where φ does not depend on t. As a speed,
/// divided by |G|, it is held against that of the start and of the constraint.
void require_rate(const Vn& gv, const Vn& phi_t, const std::vector<double>& slope, double speed) {
  Eigen::Index worst = 0;
  double away = 0.0;
  for (Eigen::Index a = 0; a < gv.size(); ++a) {
    const double g = slope[sz(a)] > 0.0 ? slope[sz(a)] : 1.0;
    const double size = std::max(speed, std::abs(phi_t[a]) / g);
    const double relative = size > 0.0 ? std::abs(gv[a] + phi_t[a]) / g / size : 0.0;
    if (relative > away) worst = a;
    away = std::max(away, relative);
  }
  if (away <= start_tolerance) return;
  const double defect = std::abs(gv[worst] + phi_t[worst]);
  if (phi_t.isZero(0.0))
    throw InvalidArgument("the start velocity leaves the constraint " + name_of(worst) +
                          ": |G v| = " + to_text(defect) +
                          "; correct v, or use project(system, q, v) to make it tangent");
  throw InvalidArgument(
      "the start velocity does not follow the constraint, which moves: |G v + dphi/dt| = " +
      to_text(defect) + "; G v of " + name_of(worst) + " must be " + to_text(-phi_t[worst]) +
      " and is " + to_text(gv[worst]) +
      "; correct v, or use project(system, q, v, t) to make it follow");
}

/// q ⊕ ξ
Vn displaced(const KernelSystem& f, const Vn& q, const Vn& xi) {
  Vn out(f.entries);
  f.space.retract(q.data(), xi.data(), default_retraction, out.data());
  return out;
}

/// Where |φ| is least near q, by Levenberg and Marquardt. The damping stays at 1e-8 of G Gᵀ, so that
/// dependent constraints do no harm.
Vn least_squares(const KernelSystem& f, ConstraintKkt& kkt, double t, Vn q, int max_iterations) {
  double damping = 1e-8;
  kkt.place(t, q);
  Vn phi = kkt.residual();
  for (int k = 0; k < max_iterations && largest(phi) > 1e-15; ++k) {
    double scale = 0.0;
    for (int e = 0; e < f.constraint_pattern.size(); ++e)
      scale = std::max(scale, kkt.gradient(e) * kkt.gradient(e));
    if (!(scale > 0.0) || !kkt.factor(nullptr, damping * scale, kkt.nonholonomic())) break;
    const Vn step = kkt.move(-phi);
    if (!step.allFinite() || largest(step) <= 1e-15 * (1.0 + largest(q))) break;
    const Vn moved = displaced(f, q, step);
    kkt.place(t, moved);
    const Vn next = kkt.residual();
    if (next.allFinite() && next.norm() < phi.norm()) {
      q = moved;
      phi = next;
      damping = std::max(1e-8, 0.1 * damping);
    } else {
      kkt.place(t, q);
      damping *= 10.0;
      if (damping > 1e12) break;
    }
  }
  return q;
}

/// The least |φ| that was found is not 0: is it a minimum?
[[noreturn]] void off_constraint(const KernelSystem& f, const ConstraintKkt& kkt, double t,
                                 int iterations) {
  const Vn phi = kkt.residual();
  Vn slope = Vn::Zero(f.n);
  double scale = 0.0;
  for (int e = 0; e < f.constraint_pattern.size(); ++e) {
    const double term = kkt.gradient(e) * phi[f.constraint_pattern.row[sz(e)]];
    slope[f.constraint_pattern.column[sz(e)]] += term;
    scale = std::max(scale, std::abs(term));
  }
  if (phi.allFinite() && scale > 0.0 && largest(slope) <= 1e-6 * (scale + 1e-12 * largest(phi))) {
    std::string list;
    for (int a = 0; a < f.d; ++a)
      if (std::abs(phi[a]) > 1e-6 * largest(phi))
        list += (list.empty() ? "" : ", ") + name_of(a) + " = " + to_text(phi[a]);
    throw InconsistentConstraints(
        "project: the constraints cannot vanish together near the start; the nearest they come "
        "is " +
        list + ". Correct one of them, or give another start");
  }
  throw NoConvergence("project: no point of phi = 0 was found near the start; give a closer one", t,
                      0.0, iterations, largest(phi));
}

void check_start(const KernelSystem& f, const Vn& q, const Vn& v) {
  if (q.size() != f.entries)
    throw InvalidArgument("the configuration has " + std::to_string(q.size()) +
                          " numbers, but a point of " + f.space.name() + " has " +
                          std::to_string(f.entries));
  if (v.size() != f.n)
    throw InvalidArgument("the velocity has " + std::to_string(v.size()) +
                          " components, but the configuration has " + std::to_string(f.n));
  if (!q.allFinite())
    throw InvalidArgument("the configuration has a coordinate that is not a finite number");
  if (!v.allFinite())
    throw InvalidArgument("the velocity has a component that is not a finite number");
  if (!f.on_vector_space()) f.space.require_point(q.data());
}

/// s, which has the momentum of v, is on the branch of v. A Lagrangian that is not known by its formula
/// has one branch if Newton's method finds v from 0, as it does where ∂²L/∂v² does not depend on v.
void set_branch(const KernelSystem& f, const Vn& v, VectorState& s) {
  if (f.separable) return;
  constexpr double same = 1e-6;  // far beyond the round-off of a regular mass
  const auto found_from = [&](Vn w) {
    try {
      LegendreTransform(f).velocity(s.t, s.q.data(), s.p.data(), w.data());
    } catch (const Error&) {
      return false;
    }
    return largest(Vn(w - v)) <= same * largest(v);
  };
  if (!f.nonlinear_momentum && found_from(Vn::Zero(f.n))) return;
  s.branch = v;
  if (!found_from(v))
    throw SingularMass(
        "the velocity at the start is not determined by its momentum: the mass matrix d2L/dv2 is "
        "too close to singular there. Start farther from where momenta stop to determine "
        "velocities");
}

}  // namespace

VectorState initial(const KernelSystem& f, const Vn& q, const Vn& v, double t) {
  if (!std::isfinite(t))
    throw InvalidArgument("the start time must be a finite number, got " + to_text(t));
  check_start(f, q, v);
  require_mass(f, t, q, v);
  VectorState s = detail::make_state<Vn, Dynamic>(t, q, Vn(Vn::Zero(f.n)), f.d + f.e);
  LegendreTransform(f).momentum(t, q.data(), v.data(), s.p.data());
  if (!s.p.allFinite())
    throw InvalidArgument("the momentum at the start is not finite; check L at the start point");
  set_branch(f, v, s);
  if (f.d + f.e == 0) return s;
  detail::require_on_constraint(f, t, q, v);
  s.lambda = acceleration(f, t, q, v).lambda;
  return s;
}

VectorAcceleration acceleration(const KernelSystem& f, double t, const Vn& q, const Vn& v) {
  detail::ConstrainedMotion motion(f);
  motion.place(t, q, v);
  motion.solve(motion.rank().left_out());
  return {motion.acceleration(), motion.multipliers()};
}

ConstraintRank constraint_rank(const KernelSystem& f, double t, const Vn& q, const Vn& v) {
  ConstraintKkt kkt(f);
  kkt.place(t, q, v);
  return kkt.rank();
}

std::pair<Vn, Vn> project(const KernelSystem& f, Vn q, Vn v, double t) {
  check_start(f, q, v);
  if (f.d + f.e == 0) return {q, v};
  constexpr int max_iterations = 50;
  const std::vector<double> mass = derivatives(f, t, q, v);
  const double* const second = mass.data() + 2 * f.n;
  ConstraintKkt kkt(f);
  const Vn begin = q;
  kkt.place(t, q);
  std::vector<int> left_out = kkt.holonomic_rank().left_out();
  for (const int a : kkt.nonholonomic()) left_out.push_back(a);  // they do not hold positions
  // along reactions M⁻¹Gᵀ; where that leads nowhere, to the least |φ|
  for (int k = 0; k < max_iterations && largest(kkt.residual()) > 1e-15; ++k) {
    if (!kkt.factor(second, 0.0, left_out)) break;
    q = displaced(f, q, kkt.move(-kkt.residual()));
    if (!q.allFinite()) break;
    kkt.place(t, q);
  }
  if (!q.allFinite() || !(largest(kkt.residual()) <= start_tolerance)) {
    q = least_squares(f, kkt, t, begin, 200);
    kkt.place(t, q);
    if (!(largest(kkt.residual()) <= start_tolerance)) off_constraint(f, kkt, t, max_iterations);
  }
  // holonomic constraints are linear in the velocities: one step
  for (int k = 0; k < max_iterations; ++k) {
    kkt.place(t, q, v);
    if (!kkt.factor(second, 0.0, kkt.rank().left_out()))
      throw SingularMass("project: the mass matrix d2L/dv2 is singular at the start");
    const Vn change = kkt.solve(Vn::Zero(f.n), -kkt.rates(v)).head(f.n);
    v += change;
    if (f.e == 0 || !(largest(change) > 1e-15 * largest(v))) return {q, v};
  }
  if (detail::largest(kkt.rates(v)) <= start_tolerance * (1.0 + largest(v))) return {q, v};
  throw NoConvergence("project: no velocity with Phi = 0 was found near the given one", t, 0.0,
                      max_iterations, largest(kkt.rates(v)));
}

void detail::require_state(const KernelSystem& system, const VectorState& s) {
  const auto n = [](auto x) { return std::to_string(x); };
  if (s.q.size() != system.entries || s.p.size() != system.n || s.q_rest.size() != system.n ||
      s.p_rest.size() != system.n || s.lambda.size() != system.d + system.e)
    throw InvalidArgument("the state has " + counted(s.q.size(), "coordinate") + ", " +
                          counted(s.p.size(), "momentum", "momenta") + " and " +
                          counted(s.lambda.size(), "multiplier") + "; the system has " +
                          n(system.entries) + ", " + n(system.n) + " and " +
                          n(system.d + system.e));
  if (!s.q.allFinite() || !s.p.allFinite())
    throw InvalidArgument("the state has a number that is not finite");
}

void detail::require_position(double position) {
  if (!(position <= start_tolerance))
    throw InvalidArgument("the start is off the constraint: |phi(q)| = " + to_text(position) +
                          "; correct q, or use project(system, q, v) to move it onto phi = 0");
}

void detail::require_on_constraint(const KernelSystem& f, double t, const Vn& q, const Vn& v) {
  if (f.d + f.e == 0) return;
  ConstraintKkt kkt(f);
  kkt.place(t, q, v);
  const auto consistent = [](const ConstraintRank& rank, const char* of) {
    for (const Dependency& x : rank.dependencies)
      if (!(std::abs(x.value) <= start_tolerance) && !x.constraints.empty()) contradict(x, of);
  };
  const auto [farthest, distance] = farthest_constraint(f, t, q.data());
  if (!(distance <= start_tolerance))
    consistent(kkt.holonomic_rank(), "the constraints themselves");
  if (!(distance <= start_tolerance))
    throw InvalidArgument("the start is off the constraint " + name_of(farthest) +
                          ": |phi(q)| = " + to_text(std::abs(kkt.residual()[farthest])) +
                          ", a distance of " + to_text(distance) +
                          " of its coordinates; correct q, or use project(system, q, v) to move it "
                          "onto phi = 0");
  if (!kkt.time_rate().isZero(0.0)) consistent(kkt.rank_of_rates(), "their rates dphi/dt");
  require_rate(kkt.along(v).head(f.d), kkt.time_rate(), slopes(kkt), v.norm());
  require_rolling(f, kkt, v);
}

ConstraintDefect constraint_defect(const KernelSystem& f, const VectorState& s) {
  ConstraintDefect defect;
  if (f.d + f.e == 0) return defect;
  ConstraintKkt kkt(f);
  Vn v = Vn::Zero(f.n);
  LegendreTransform(f).velocity(s, v.data());
  kkt.place(s.t, s.q, v);
  defect.position = largest(kkt.residual());
  defect.velocity = largest(kkt.rates(v));
  return defect;
}

}  // namespace varia
