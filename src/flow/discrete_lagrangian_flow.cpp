// SPDX-License-Identifier: BSD-3-Clause
#include "varia/flow/discrete_lagrangian_flow.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "discrete_derivative.hpp"
#include "step_calls.hpp"
#include "varia/core/counted.hpp"
#include "varia/core/index.hpp"
#include "varia/core/norm.hpp"
#include "varia/core/round_off.hpp"
#include "varia/flow/failure.hpp"

namespace varia {

namespace {

using detail::sz;

using detail::largest;

[[noreturn]] void fail(double t, double h, const NewtonReport& report) {
  throw NoConvergence(
      "discrete Lagrangian: the step from t = " + to_text(t) + " with h = " + to_text(h) +
          (report.singular
               ? " has a singular D1 D2 Ld, or one that is not finite: the discrete Lagrangian "
                 "does not determine q1 there"
               : " was not solved: Newton's method did not converge in " +
                     counted(report.iterations, "iteration") + " (last update " +
                     to_text(report.last_update) +
                     " of the unknown). Try a smaller step, and check that D1 D2 Ld is regular"),
      t, h, report.iterations, report.last_update);
}

}  // namespace

DiscreteLagrangianFlow::DiscreteLagrangianFlow(
    std::shared_ptr<const DiscreteLagrangianSystem> system, FlowOptions options)
    : system_(std::move(system)), options_(options) {
  detail::require_iterations(options_);
}

void DiscreteLagrangianFlow::check_size(const Vn& x, int size, const char* what) const {
  if (x.size() != size)
    throw InvalidArgument(std::string(what) + " has " + std::to_string(x.size()) +
                          " components; the discrete Lagrangian has " + std::to_string(size) +
                          " coordinates");
  if (!x.allFinite())
    throw InvalidArgument(std::string(what) + " has a component that is not a finite number");
}

DiscreteDerivatives<Vn> DiscreteLagrangianFlow::at(const Vn& q0, const Vn& q1, double h) const {
  check_size(q0, system_->n, "q0");
  check_size(q1, system_->n, "q1");
  detail::require_step(h);
  const DiscreteLagrangianSystem& f = *system_;
  const auto x = f.point(q0.data(), q1.data(), h);
  std::vector<double> out(sz(2 * f.n + f.mixed.size()));
  DiscreteDerivatives<Vn> d;
  f.value(x.data(), &d.value);
  f.second(x.data(), out.data());
  d.d1 = Eigen::Map<const Vn>(out.data(), f.n);
  d.d2 = Eigen::Map<const Vn>(out.data() + f.n, f.n);
  d.d1d2 = Matrix<double, Dynamic>::Zero(f.n, f.n);
  for (int e = 0; e < f.mixed.size(); ++e)
    d.d1d2(f.mixed.row[sz(e)], f.mixed.column[sz(e)]) = out[sz(2 * f.n + e)];
  return d;
}

double DiscreteLagrangianFlow::energy(const Vn& q0, const Vn& q1, double h) const {
  check_size(q0, system_->n, "q0");
  check_size(q1, system_->n, "q1");
  detail::require_step(h);
  double e = 0.0;
  system_->energy(system_->point(q0.data(), q1.data(), h).data(), &e);
  return e;
}

VectorState DiscreteLagrangianFlow::start(const Vn& q, const Vn& p, double t) const {
  check_size(q, system_->n, "the position");
  check_size(p, system_->n, "the momentum");
  if (!std::isfinite(t))
    throw InvalidArgument("the start time must be a finite number, got " + to_text(t));
  return detail::make_state<Vn, Dynamic>(t, q, p, 0);
}

VectorState DiscreteLagrangianFlow::start_between(const Vn& q0, const Vn& q1, double h,
                                                  double t) const {
  const Vn p = -at(q0, q1, h).d1;
  if (!p.allFinite())
    throw InvalidArgument("the momentum -D1 Ld is not finite at the start; check Ld there");
  return start(q0, p, t);
}

void DiscreteLagrangianFlow::make_matrix(Memory& memory) const {
  const DiscreteLagrangianSystem& f = *system_;
  Couplings couplings;
  for (int i = 0; i < f.n + f.d; ++i) couplings.groups.push_back({i});
  for (int e = 0; e < f.mixed.size(); ++e)
    couplings.meeting.emplace_back(f.mixed.row[sz(e)], f.mixed.column[sz(e)]);
  for (int a = 0; a < f.d; ++a)
    for (int i = 0; i < f.n; ++i) couplings.meeting.emplace_back(f.n + a, i);
  memory.newton.resize_vectors(f.n + f.d, f.n);
  memory.newton.jacobian.resize(couplings);
  for (int e = 0; e < f.mixed.size(); ++e)
    memory.slots.push_back(memory.newton.jacobian.slot(f.mixed.row[sz(e)], f.mixed.column[sz(e)]));
}

bool DiscreteLagrangianFlow::banded() const {
  Memory memory;
  make_matrix(memory);
  return memory.newton.jacobian.banded();
}

DiscreteLagrangianFlow::Memory DiscreteLagrangianFlow::memory(const VectorState& s) const {
  const DiscreteLagrangianSystem& f = *system_;
  check_size(s.q, f.space.entries(), "the position");
  check_size(s.p, f.n, "the momentum");
  if (s.lambda.size() != f.d)
    throw InvalidArgument("a discrete Lagrangian with " + std::to_string(f.d) +
                          " constraints cannot take a state with " +
                          std::to_string(s.lambda.size()) + " multipliers");
  Memory memory;
  make_matrix(memory);
  memory.predictor.resize(f.n + f.d);
  memory.x.assign(sz(1 + f.space.entries() + f.n + 1), 0.0);
  memory.out.assign(sz(2 * f.n + f.mixed.size()), 0.0);
  memory.phi.assign(sz(f.d + 2 * f.d * f.n), 0.0);
  memory.sums.assign(sz(f.n), 0.0);
  check_constraint(s, memory);
  return memory;
}

void DiscreteLagrangianFlow::set_start(const VectorState& s, double h, Memory& memory) const {
  memory.x[0] = h;
  std::copy(s.q.data(), s.q.data() + system_->space.entries(), memory.x.begin() + 1);
  memory.x.back() = s.t;
}

void DiscreteLagrangianFlow::check_constraint(const VectorState& s, Memory& memory) const {
  if (system_->d == 0) return;
  set_start(s, 0.0, memory);
  system_->constraint(memory.x.data(), memory.phi.data());
  const double off = largest(memory.phi.data(), system_->d);
  if (!(off <= start_tolerance))
    throw InvalidArgument("the start is off the constraint: |phi(q)| = " + to_text(off) +
                          "; correct q");
}

KernelList DiscreteLagrangianFlow::kernels() const {
  const detail::StepCalls calls = detail::solved_calls(1.0);
  return {{system_->first, calls.values}, {system_->second, calls.slopes}};
}

FlowLaws DiscreteLagrangianFlow::laws() const { return {}; }

/// ξ = h u
void DiscreteLagrangianFlow::place(double h, const double* u, Memory& m) const {
  double* const xi = &m.x[sz(1 + system_->space.entries())];
  for (int i = 0; i < system_->n; ++i) xi[i] = h * u[i];
}

/// Residual p₀ + D₁L_d, and its derivative h D₁D₂L_d by u when fresh.
void DiscreteLagrangianFlow::evaluate(const VectorState& s, double h, bool fresh, Memory& m) const {
  const DiscreteLagrangianSystem& f = *system_;
  auto& w = m.newton;
  place(h, w.x.data(), m);
  (fresh ? f.second : f.first)(m.x.data(), m.out.data());
  for (int i = 0; i < f.n; ++i) w.residual[sz(i)] = s.p[i] + (s.p_rest[i] + m.out[sz(i)]);
  if (fresh) {
    std::fill(m.sums.begin(), m.sums.end(), 0.0);
    w.jacobian.set_zero();
    for (int e = 0; e < f.mixed.size(); ++e) {
      const double entry = m.out[sz(2 * f.n + e)];
      const int j = f.mixed.column[sz(e)];
      w.jacobian.data()[m.slots[sz(e)]] = h * entry;
      const double end = f.space.is_vector_space() ? m.x[sz(1 + j)] + m.x[sz(1 + f.n + j)] : 1.0;
      m.sums[sz(f.mixed.row[sz(e)])] += std::abs(entry * end);
    }
    m.scale = largest(m.sums.data(), f.n);
  }
  w.magnitude = std::max({largest(s.p.data(), f.n), largest(m.out.data(), f.n), m.scale});
  if (f.d > 0) add_constraint(h, fresh, m);
}

/// The reaction h G(q₀)ᵀλ₀ and the rows φ(q₁).
void DiscreteLagrangianFlow::add_constraint(double h, bool fresh, Memory& m) const {
  const int n = system_->n;
  const int d = system_->d;
  auto& w = m.newton;
  system_->constraint(m.x.data(), m.phi.data());
  const double* const start = m.phi.data() + d;
  const double* const end = start + sz(d) * sz(n);
  for (int a = 0; a < d; ++a) {
    w.residual[sz(n + a)] = m.phi[sz(a)];
    for (int i = 0; i < n; ++i) {
      w.residual[sz(i)] += h * start[a * n + i] * w.x[sz(n + a)];
      if (!fresh) continue;
      w.jacobian.data()[w.jacobian.slot(i, n + a)] = h * start[a * n + i];
      w.jacobian.data()[w.jacobian.slot(n + a, i)] = h * end[a * n + i];
    }
  }
}

NewtonReport DiscreteLagrangianFlow::attempt(const VectorState& s, double h, Memory& m) const {
  Newton newton = options_.newton;
  newton.near_rest = true;
  return solve(newton, m.newton, [&](auto&, bool fresh) { evaluate(s, h, fresh, m); });
}

void DiscreteLagrangianFlow::finish(VectorState& s, double h, Memory& m) const {
  const int n = system_->n;
  const double t = s.t;
  place(h, m.newton.x.data(), m);
  system_->first(m.x.data(), m.out.data());
  move_point(&m.x[sz(1 + system_->space.entries())], s);
  s.lambda = Eigen::Map<const Vn>(m.newton.x.data() + n, system_->d);
  s.p = Eigen::Map<const Vn>(m.out.data() + n, n);
  s.p_rest.setZero();
  detail::compensated_add(s.t, s.t_rest, h);
  if (!s.q.allFinite() || !s.p.allFinite()) detail::overflow(t, h);
  double value = 0.0;
  system_->value(m.x.data(), &value);
  if (!std::isfinite(value))  // its derivatives may be finite where it is not: log
    throw DomainError("the discrete Lagrangian has no value on the step from t = " + to_text(t) +
                      " with h = " + to_text(h) +
                      ": it was evaluated outside of where it is defined");
  if (!options_.compensated) detail::drop_remainders(s);
}

/// q₁ = q₀ ⊕ ξ with the remainders of rounding
void DiscreteLagrangianFlow::move_point(const double* xi, VectorState& s) const {
  for (const auto& v : system_->space.vectors())
    for (int b = 0; b < v.count; ++b)
      detail::exact_add(s.q[v.entry + b], s.q_rest[v.degree + b], xi[v.degree + b]);
  for (const auto& c : system_->space.curved()) {
    double none[3][FactorChart::most] = {};
    c.factor->update(s.q.data() + c.entry, s.q_rest.data() + c.degree, none[0], none[1],
                     xi + c.degree, none[2], default_retraction);
  }
}

bool DiscreteLagrangianFlow::differentiable() const { return static_cast<bool>(system_->whole); }

const StepDerivative& DiscreteLagrangianFlow::differentiate(VectorState& s, double h,
                                                            Memory& memory) const {
  if (!differentiable())
    throw InvalidArgument(
        "a discrete Lagrangian has derivatives of its steps where it is stated by a formula");
  s = steps(std::move(s), h, 1, memory);  // leaves (h, q₀, ξ) in memory.x
  memory.derivative = std::make_unique<detail::DiscreteDerivative>(
      *system_, memory.x, memory.newton.jacobian, memory.slots);
  return *memory.derivative;
}

VectorState DiscreteLagrangianFlow::steps(VectorState s, double h, long count,
                                          Memory& memory) const {
  detail::require_step(h);
  auto& w = memory.newton;
  for (long k = 0; k < count; ++k) {
    set_start(s, h, memory);
    NewtonReport report;
    if (memory.predictor.predict(h, w.x)) report = memory.statistics.counted(attempt(s, h, memory));
    if (!report.converged) {
      w.x.assign(w.x.size(), 0.0);
      report = memory.statistics.counted(attempt(s, h, memory));
    }
    if (!report.converged) fail(s.t, h, report);
    memory.predictor.push(h, w.x);
    memory.statistics.end_step();
    finish(s, h, memory);
  }
  return s;
}

}  // namespace varia
