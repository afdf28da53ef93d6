// SPDX-License-Identifier: BSD-3-Clause
#include "varia/flow/kernel_start.hpp"

#include <algorithm>
#include <cmath>

#include "varia/core/index.hpp"
#include "varia/core/norm.hpp"
#include "varia/flow/legendre_transform.hpp"
#include "varia/mechanics/constraint_scale.hpp"

namespace varia {

namespace {

using detail::sz;

/// Above this number of coordinates the mass matrix is not looked at as a whole.
constexpr int largest_dense = 200;

/// [K, -Gᵀ; G, μ] with K = ∂²L/∂v² or 1; a constraint left out has the equation λ = 0 instead.
class Kkt {
 public:
  /// φ, G and ∂φ/∂t are those at the time t.
  Kkt(const KernelSystem& f, double t)
      : f_(f),
        point_(sz(1 + f.entries), t),
        phi_(sz(f.d + f.constraint_pattern.size()), 0.0),
        phi_t_(Vn::Zero(f.d)) {
    Couplings c;
    for (int a = 0; a < f.n + f.d; ++a) c.groups.push_back({a});
    for (int e = 0; e < f.second.size(); ++e)
      if (f.second.column[sz(e)] >= f.n)
        c.meeting.emplace_back(f.second.row[sz(e)] - f.n, f.second.column[sz(e)] - f.n);
    for (int e = 0; e < f.constraint_pattern.size(); ++e)
      c.meeting.emplace_back(f.constraint_pattern.column[sz(e)],
                             f.n + f.constraint_pattern.row[sz(e)]);
    lu_.resize(c);
  }

  /// φ, G and ∂φ/∂t at q from now on.
  void place(const Vn& q) {
    std::copy(q.data(), q.data() + f_.entries, point_.begin() + 1);
    f_.constraint(point_.data(), phi_.data());
    if (f_.rheonomic()) f_.constraint_rate(point_.data(), phi_t_.data());
  }
  const double* phi() const { return phi_.data(); }
  double gradient(int e) const { return phi_[sz(f_.d + e)]; }
  Vn residual() const { return Eigen::Map<const Vn>(phi_.data(), f_.d); }
  /// ∂φ/∂t
  const Vn& time_rate() const { return phi_t_; }
  /// G x
  Vn along(const Vn& x) const {
    Vn result = Vn::Zero(f_.d);
    for (int e = 0; e < f_.constraint_pattern.size(); ++e)
      result[f_.constraint_pattern.row[sz(e)]] +=
          gradient(e) * x[f_.constraint_pattern.column[sz(e)]];
    return result;
  }
  ConstraintRank rank() const { return rank(phi_.data()); }
  /// With the values of the dependencies in ∂φ/∂t instead of φ.
  ConstraintRank rank_of_rates() const { return rank(phi_t_.data()); }

  /// With K = ∂²L/∂v², whose entries are given, or K = 1 when there are none. False: singular.
  bool factor(const double* second, double mu, const std::vector<int>& left_out) {
    out_.assign(sz(f_.d), 0);
    for (const int a : left_out) out_[sz(a)] = 1;
    lu_.set_zero();
    double* const a = lu_.data();
    if (second == nullptr) {
      for (int i = 0; i < f_.n; ++i) a[lu_.slot(i, i)] = 1.0;
    } else {
      for (int e = 0; e < f_.second.size(); ++e) {
        const int i = f_.second.row[sz(e)] - f_.n;
        const int j = f_.second.column[sz(e)] - f_.n;
        if (i < 0 || j < 0) continue;
        a[lu_.slot(i, j)] = second[e];
        a[lu_.slot(j, i)] = second[e];
      }
    }
    for (int e = 0; e < f_.constraint_pattern.size(); ++e) {
      const int row = f_.constraint_pattern.row[sz(e)];
      const int column = f_.constraint_pattern.column[sz(e)];
      a[lu_.slot(column, f_.n + row)] -= gradient(e);
      if (!out_[sz(row)]) a[lu_.slot(f_.n + row, column)] += gradient(e);
    }
    for (int b = 0; b < f_.d; ++b) a[lu_.slot(f_.n + b, f_.n + b)] = out_[sz(b)] ? 1.0 : mu;
    return lu_.factor();
  }

  /// (x, λ) with K x - Gᵀλ = top, G x + μλ = bottom.
  Vn solve(const Vn& top, const Vn& bottom) const {
    Vn x(f_.n + f_.d);
    x << top, bottom;
    for (int b = 0; b < f_.d; ++b)
      if (out_[sz(b)]) x[f_.n + b] = 0.0;
    lu_.solve(x.data());
    return x;
  }

 private:
  ConstraintRank rank(const double* values) const {
    return dependent_constraints(f_.constraint_pattern, f_.d, f_.n, values, phi_.data() + f_.d);
  }

  const KernelSystem& f_;
  std::vector<double> point_, phi_;
  Vn phi_t_;
  std::vector<char> out_;
  StructuredLU lu_;
};

/// ∂L/∂q, ∂L/∂v and the second derivatives at a point.
std::vector<double> derivatives(const KernelSystem& f, double t, const Vn& q, const Vn& v) {
  std::vector<double> out(sz(2 * f.n + f.second.size()), 0.0);
  f.hessian(f.point(t, q.data(), v.data()).data(), out.data());
  return out;
}

using detail::largest;

/// φ″(v, v) along (t + s, q exp(s v))
Vn curvature(const KernelSystem& f, double t, const Vn& q, const Vn& v) {
  Vn result(f.d);
  f.constraint_acceleration(f.point(t, q.data(), v.data()).data(), result.data());
  return result;
}

/// The right-hand side of (EL) without reactions.
Vn applied(const KernelSystem& f, double t, const Vn& q, const Vn& v,
           const std::vector<double>& out) {
  Vn rhs = Eigen::Map<const Vn>(out.data(), f.n);
  for (int e = 0; e < f.second.size(); ++e) {
    const int i = f.second.row[sz(e)] - f.n;  // lower triangle: (v, q) entries
    const int j = f.second.column[sz(e)];
    if (i >= 0 && j < f.n) rhs[i] -= out[sz(2 * f.n + e)] * v[j];
  }
  const auto x = f.point(t, q.data(), v.data());
  Vn more(f.n);
  if (f.forced) {
    f.force(x.data(), more.data());
    rhs += more;
  }
  if (f.mass_rate) {
    f.mass_rate(x.data(), more.data());
    rhs -= more;
  }
  f.space.add_coadjoint(out.data() + f.n, v.data(), rhs.data());
  return rhs;
}

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

/// |Gₐ| of each constraint.
std::vector<double> slopes(const KernelSystem& f, const Kkt& kkt) {
  std::vector<double> slope(sz(f.d), 0.0);
  for (int e = 0; e < f.constraint_pattern.size(); ++e) {
    double& g = slope[sz(f.constraint_pattern.row[sz(e)])];
    g = std::hypot(g, kkt.gradient(e));
  }
  return slope;
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
    throw InvalidArgument("the start velocity leaves the constraint: |G v| = " + to_text(defect) +
                          "; correct v, or use project(system, q, v) to make it tangent");
  throw InvalidArgument(
      "the start velocity does not follow the constraint, which moves: |G v + dphi/dt| = " +
      to_text(defect) + "; G v of constraint " + std::to_string(worst + 1) + " must be " +
      to_text(-phi_t[worst]) + " and is " + to_text(gv[worst]) +
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
Vn least_squares(const KernelSystem& f, Kkt& kkt, Vn q, int max_iterations) {
  double damping = 1e-8;
  kkt.place(q);
  Vn phi = kkt.residual();
  for (int k = 0; k < max_iterations && largest(phi) > 1e-15; ++k) {
    double scale = 0.0;
    for (int e = 0; e < f.constraint_pattern.size(); ++e)
      scale = std::max(scale, kkt.gradient(e) * kkt.gradient(e));
    if (!(scale > 0.0) || !kkt.factor(nullptr, damping * scale, {})) break;
    const Vn step = kkt.solve(Vn::Zero(f.n), -phi).head(f.n);
    if (!step.allFinite() || largest(step) <= 1e-15 * (1.0 + largest(q))) break;
    const Vn moved = displaced(f, q, step);
    kkt.place(moved);
    const Vn next = kkt.residual();
    if (next.allFinite() && next.norm() < phi.norm()) {
      q = moved;
      phi = next;
      damping = std::max(1e-8, 0.1 * damping);
    } else {
      kkt.place(q);
      damping *= 10.0;
      if (damping > 1e12) break;
    }
  }
  return q;
}

/// The least |φ| that was found is not 0: is it a minimum?
[[noreturn]] void off_constraint(const KernelSystem& f, const Kkt& kkt, double t, int iterations) {
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
        list +=
            (list.empty() ? "phi[" : ", phi[") + std::to_string(a + 1) + "] = " + to_text(phi[a]);
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
  if (f.d > f.n)
    throw InvalidArgument("the system has " + std::to_string(f.d) + " constraints on " +
                          std::to_string(f.n) + " degrees of freedom; at most " +
                          std::to_string(f.n) + " can be independent");
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
  VectorState s = detail::make_state<Vn, Dynamic>(t, q, Vn(Vn::Zero(f.n)), f.d);
  LegendreTransform(f).momentum(t, q.data(), v.data(), s.p.data());
  if (!s.p.allFinite())
    throw InvalidArgument("the momentum at the start is not finite; check L at the start point");
  set_branch(f, v, s);
  if (f.d == 0) return s;
  detail::require_on_constraint(f, t, q, v);
  s.lambda = acceleration(f, t, q, v).lambda;
  return s;
}

VectorAcceleration acceleration(const KernelSystem& f, double t, const Vn& q, const Vn& v) {
  const std::vector<double> out = derivatives(f, t, q, v);
  Kkt kkt(f, t);
  if (f.d > 0) kkt.place(q);
  Vn both;
  if (kkt.factor(out.data() + 2 * f.n, 0.0, f.d > 0 ? kkt.rank().left_out() : std::vector<int>()))
    both = kkt.solve(applied(f, t, q, v, out), f.d > 0 ? Vn(-curvature(f, t, q, v)) : Vn());
  if (both.size() == 0 || !both.allFinite())
    throw SingularMass(
        "the mass matrix d2L/dv2 is singular along velocities that the constraints "
        "admit: the accelerations and the multipliers are not determined");
  return {both.head(f.n), both.tail(f.d)};
}

std::pair<Vn, Vn> project(const KernelSystem& f, Vn q, Vn v, double t) {
  check_start(f, q, v);
  if (f.d == 0) return {q, v};
  constexpr int max_iterations = 50;
  const std::vector<double> mass = derivatives(f, t, q, v);
  const double* const second = mass.data() + 2 * f.n;
  Kkt kkt(f, t);
  const Vn begin = q;
  kkt.place(q);
  std::vector<int> left_out = kkt.rank().left_out();
  // along reactions M⁻¹Gᵀ; where that leads nowhere, to the least |φ|
  for (int k = 0; k < max_iterations && largest(kkt.residual()) > 1e-15; ++k) {
    if (!kkt.factor(second, 0.0, left_out)) break;
    q = displaced(f, q, kkt.solve(Vn::Zero(f.n), -kkt.residual()).head(f.n));
    if (!q.allFinite()) break;
    kkt.place(q);
  }
  if (!q.allFinite() || !(largest(kkt.residual()) <= start_tolerance)) {
    q = least_squares(f, kkt, begin, 200);
    kkt.place(q);
    if (!(largest(kkt.residual()) <= start_tolerance)) off_constraint(f, kkt, t, max_iterations);
  }
  left_out = kkt.rank().left_out();
  if (!kkt.factor(second, 0.0, left_out))
    throw SingularMass("project: the mass matrix d2L/dv2 is singular at the start");
  v += kkt.solve(Vn::Zero(f.n), -(kkt.along(v) + kkt.time_rate())).head(f.n);
  return {q, v};
}

void detail::require_state(const KernelSystem& system, const VectorState& s) {
  const auto n = [](auto x) { return std::to_string(x); };
  if (s.q.size() != system.entries || s.p.size() != system.n || s.q_rest.size() != system.n ||
      s.p_rest.size() != system.n || s.lambda.size() != system.d)
    throw InvalidArgument("the state has " + n(s.q.size()) + " coordinates, " + n(s.p.size()) +
                          " momenta and " + n(s.lambda.size()) + " multipliers; the system has " +
                          n(system.entries) + ", " + n(system.n) + " and " + n(system.d));
  if (!s.q.allFinite() || !s.p.allFinite())
    throw InvalidArgument("the state has a number that is not finite");
}

void detail::require_position(double position) {
  if (!(position <= start_tolerance))
    throw InvalidArgument("the start is off the constraint: |phi(q)| = " + to_text(position) +
                          "; correct q, or use project(system, q, v) to move it onto phi = 0");
}

void detail::require_on_constraint(const KernelSystem& f, double t, const Vn& q, const Vn& v) {
  if (f.d == 0) return;
  Kkt kkt(f, t);
  kkt.place(q);
  const auto consistent = [](const ConstraintRank& rank, const char* of) {
    for (const Dependency& x : rank.dependencies)
      if (!(std::abs(x.value) <= start_tolerance) && !x.constraints.empty()) contradict(x, of);
  };
  const double distance = relative_defect(f, t, q.data());
  if (!(distance <= start_tolerance)) consistent(kkt.rank(), "the constraints themselves");
  if (!(distance <= start_tolerance))
    throw InvalidArgument(
        "the start is off the constraint: |phi(q)| = " + to_text(largest(kkt.residual())) +
        ", a distance of " + to_text(distance) +
        " of its coordinates; correct q, or use project(system, q, v) to move it "
        "onto phi = 0");
  if (!kkt.time_rate().isZero(0.0)) consistent(kkt.rank_of_rates(), "their rates dphi/dt");
  require_rate(kkt.along(v), kkt.time_rate(), slopes(f, kkt), v.norm());
}

ConstraintDefect constraint_defect(const KernelSystem& f, const VectorState& s) {
  ConstraintDefect defect;
  if (f.d == 0) return defect;
  Kkt kkt(f, s.t);
  kkt.place(s.q);
  Vn v = Vn::Zero(f.n);
  LegendreTransform(f).velocity(s, v.data());
  defect.position = largest(kkt.residual());
  defect.velocity = largest(Vn(kkt.along(v) + kkt.time_rate()));
  return defect;
}

}  // namespace varia
