// SPDX-License-Identifier: BSD-3-Clause
#include "varia/flow/newmark_flow.hpp"

#include <algorithm>
#include <cmath>

#include "nystrom_derivative.hpp"
#include "step_calls.hpp"
#include "varia/core/index.hpp"
#include "varia/core/norm.hpp"
#include "varia/core/round_off.hpp"
#include "varia/flow/failure.hpp"

namespace varia {

namespace {

using detail::sz;

const Newmark& parameters(const Method& method) {
  if (!method.newmark())
    throw InvalidArgument("NewmarkFlow: " + method.name() +
                          " is not newmark(beta, gamma); use StageFlow, or BaselineFlow for a "
                          "method that is not variational");
  return *method.newmark();
}

using detail::compensated_add;

using detail::largest;

bool depends_on_velocity(const KernelSystem& f) {
  return f.forced && std::any_of(f.force_pattern.column.begin(), f.force_pattern.column.end(),
                                 [&](int column) { return column >= f.n; });
}

/// Largest Σⱼ|V″ᵢⱼ qⱼ|: what the round-off of the force is measured by where its terms cancel.
double stiffness_scale(const KernelSystem& f, const std::vector<double>& second, const double* q) {
  std::vector<double> sums(sz(f.n), 0.0);
  for (int e = 0; e < f.second.size(); ++e) {
    const int i = f.second.row[sz(e)];
    const int j = f.second.column[sz(e)];
    if (i >= f.n) continue;
    const double entry = second[sz(2 * f.n + e)];
    sums[sz(i)] += std::abs(entry * q[j]);
    if (i != j) sums[sz(j)] += std::abs(entry * q[i]);
  }
  return largest(sums);
}

}  // namespace

NewmarkFlow::NewmarkFlow(Method method, std::shared_ptr<const KernelSystem> system,
                         FlowOptions options)
    : MethodOnSystem(std::move(method), std::move(system)),
      options_(options),
      beta_(parameters(method_).beta),
      gamma_(parameters(method_).gamma) {
  const auto refuse = [&](const std::string& found, const std::string& use) {
    throw InvalidArgument(method_.name() +
                          " is for L = 1/2 v.M v - V(t, q) with a constant mass M, on R^n, with or "
                          "without a force; " +
                          found + ". Use " + use);
  };
  detail::require_iterations(options_);
  if (!system_->on_vector_space())
    refuse("this system has coordinates on a Lie group", "midpoint or verlet, of order 2 there");
  if (system_->d > 0)
    refuse("this system has constraints", "verlet, which is RATTLE with them, or lobatto(s)");
  if (!system_->separable)
    refuse("this Lagrangian is of another form", "midpoint or verlet, of order 2 for every one");
  if (system_->mass_diagonal.empty()) inverse_mass_ = system_->mass.inverse();
}

bool NewmarkFlow::is_explicit() const {
  return options_.prefer_explicit && beta_ == 0.0 &&
         (gamma_ == 0.0 || !depends_on_velocity(*system_));
}

bool NewmarkFlow::banded() const {
  if (is_explicit()) return false;
  Memory memory;
  make_matrix(memory);
  return memory.newton.jacobian.banded();
}

/// M + βh²(V″ - ∂f/∂q) - γh ∂f/∂v: where its entries stand, and what meets what.
void NewmarkFlow::make_matrix(Memory& memory) const {
  const KernelSystem& f = *system_;
  struct Entry {
    std::vector<Memory::Place>* list;
    std::size_t value;
    int row, column;
  };
  std::vector<Entry> entries;
  for (int e = 0; e < f.second.size(); ++e) {
    const bool mass = f.second.column[sz(e)] >= f.n;
    const int i = f.second.row[sz(e)] - (mass ? f.n : 0);
    const int j = f.second.column[sz(e)] - (mass ? f.n : 0);
    auto* const list = mass ? &memory.mass : &memory.stiffness;
    entries.push_back({list, sz(2 * f.n + e), i, j});
    if (i != j) entries.push_back({list, sz(2 * f.n + e), j, i});
  }
  for (int e = 0; f.forced && e < f.force_pattern.size(); ++e) {
    const int j = f.force_pattern.column[sz(e)];
    entries.push_back({j < f.n ? &memory.force_q : &memory.force_v, sz(f.n + e),
                       f.force_pattern.row[sz(e)], j < f.n ? j : j - f.n});
  }
  Couplings couplings;
  for (int i = 0; i < f.n; ++i) couplings.groups.push_back({i});
  for (const Entry& entry : entries) couplings.meeting.emplace_back(entry.row, entry.column);
  memory.newton.resize_vectors(f.n, f.n);
  memory.newton.jacobian.resize(couplings);
  for (const Entry& entry : entries)
    entry.list->push_back({entry.value, memory.newton.jacobian.slot(entry.row, entry.column)});
}

NewmarkFlow::Memory NewmarkFlow::memory(const VectorState& s) const {
  const KernelSystem& f = *system_;
  detail::require_state(f, s);
  Memory memory;
  memory.x.assign(sz(1 + 2 * f.n), 0.0);
  for (auto* part : {&memory.f0, &memory.f1, &memory.q0, &memory.q, &memory.v, &memory.a})
    part->assign(sz(f.n), 0.0);
  memory.second.assign(sz(2 * f.n + f.second.size()), 0.0);
  memory.force.assign(sz(f.n + f.force_pattern.size()), 0.0);
  if (!is_explicit()) {
    make_matrix(memory);
    memory.predictor.resize(f.n);
  }
  return memory;
}

KernelList NewmarkFlow::kernels() const {
  const detail::StepCalls calls = detail::solved_calls(1.0);
  KernelList list{{system_->potential_gradient, calls.all()}, {system_->hessian, calls.slopes}};
  detail::add_force_and_constraint(*system_, calls, list);
  return list;
}

FlowLaws NewmarkFlow::laws() const {
  return {true,
          method_.symmetric() && !system_->forced,
          false,
          false,
          {method_.name() + (gamma_ == 0.5
                                 ? " keeps a two-form and momenta of its own, not those of (q, p)"
                                 : " is not variational: gamma is not 1/2")}};
}

void NewmarkFlow::apply_mass(const double* a, double* f) const {
  const int n = system_->n;
  if (system_->mass_diagonal.empty())
    Eigen::Map<Vn>(f, n) = system_->mass * Eigen::Map<const Vn>(a, n);
  else
    for (int i = 0; i < n; ++i) f[i] = system_->mass_diagonal[sz(i)] * a[i];
}

void NewmarkFlow::apply_inverse_mass(const double* f, double* a) const {
  const int n = system_->n;
  if (system_->mass_diagonal.empty())
    Eigen::Map<Vn>(a, n) = inverse_mass_ * Eigen::Map<const Vn>(f, n);
  else
    for (int i = 0; i < n; ++i) a[i] = f[i] / system_->mass_diagonal[sz(i)];
}

/// f ← -∂V/∂q + f(t, q, v) at x
void NewmarkFlow::total_force(Memory& m, double* f) const {
  const int n = system_->n;
  system_->potential_gradient(m.x.data(), f);
  for (int i = 0; i < n; ++i) f[i] = -f[i];
  if (!system_->forced) return;
  system_->force(m.x.data(), m.force.data());
  for (int i = 0; i < n; ++i) f[i] += m.force[sz(i)];
}

/// x and M a₀ at the start of a step; the force is known when it is that of the last end.
void NewmarkFlow::begin(const VectorState& s, bool known, Memory& m) const {
  const int n = system_->n;
  m.x[0] = s.t;
  std::copy(s.q.data(), s.q.data() + n, m.x.begin() + 1);
  apply_inverse_mass(s.p.data(), m.x.data() + 1 + n);
  if (known)
    std::swap(m.f0, m.f1);
  else
    total_force(m, m.f0.data());
}

/// The parts of q₁ - q₀ and v₁ that do not contain a₁.
void NewmarkFlow::predict(const VectorState& s, double h, Memory& m) const {
  const int n = system_->n;
  apply_inverse_mass(m.f0.data(), m.a.data());
  for (int i = 0; i < n; ++i) {
    const double v = m.x[sz(1 + n + i)];
    const double a = m.a[sz(i)];
    m.q0[sz(i)] = s.q[i];
    m.q[sz(i)] = s.q_rest[i] + h * v + h * h * (0.5 - beta_) * a;
    m.v[sz(i)] = v + h * (1.0 - gamma_) * a;
  }
  m.x[0] = s.t + (s.t_rest + h);
}

/// x ← (t₁, q₁, v₁) for the acceleration a at the end.
void NewmarkFlow::place_end(double h, const double* a, Memory& m) const {
  const int n = system_->n;
  for (int i = 0; i < n; ++i) {
    m.x[sz(1 + i)] = m.q0[sz(i)] + (m.q[sz(i)] + beta_ * h * h * a[i]);
    m.x[sz(1 + n + i)] = m.v[sz(i)] + gamma_ * h * a[i];
  }
}

/// Residual M a₁ + ∂V/∂q - f, and its Jacobian when fresh.
void NewmarkFlow::evaluate(double h, bool fresh, Memory& m) const {
  const KernelSystem& f = *system_;
  auto& w = m.newton;
  place_end(h, w.x.data(), m);
  apply_mass(w.x.data(), w.residual.data());
  total_force(m, m.f1.data());
  w.magnitude = std::max({largest(w.residual), largest(m.f1), m.stiffness_scale});
  for (std::size_t i = 0; i < w.residual.size(); ++i) w.residual[i] -= m.f1[i];
  if (!fresh) return;
  double* const matrix = w.jacobian.data();
  w.jacobian.set_zero();
  f.hessian(m.x.data(), m.second.data());
  // at both ends: a step may end where q₁ is a small difference of q₀ and what is added to it
  m.stiffness_scale = std::max(stiffness_scale(f, m.second, m.x.data() + 1),
                               stiffness_scale(f, m.second, m.q0.data()));
  const auto add = [&](const std::vector<Memory::Place>& places, double factor,
                       const std::vector<double>& values) {
    for (const auto& place : places) matrix[place.slot] += factor * values[place.value];
  };
  add(m.mass, 1.0, m.second);
  add(m.stiffness, -beta_ * h * h, m.second);  // of L: -V″
  if (!f.forced) return;
  f.force_derivative(m.x.data(), m.force.data());
  add(m.force_q, -beta_ * h * h, m.force);
  add(m.force_v, -gamma_ * h, m.force);
}

void NewmarkFlow::solve_acceleration(const VectorState& s, double h, Memory& m) const {
  auto& w = m.newton;
  const auto attempt = [&] {
    NewtonReport report =
        solve(options_.newton, w, [&](auto&, bool fresh) { evaluate(h, fresh, m); });
    if (report.converged || report.singular || !detail::all_finite(w.x.data(), w.size))
      return report;
    // near an equilibrium forces cancel, and a₁ has no relative precision: the equation decides
    evaluate(h, false, m);
    using detail::eps;
    report.converged = largest(w.residual) <= 8.0 * eps * w.magnitude;
    return report;
  };
  NewtonReport report;
  if (m.predictor.predict(h, w.x)) report = m.statistics.counted(attempt());
  if (!report.converged) {
    w.x = m.a;
    report = m.statistics.counted(attempt());
  }
  if (!report.converged) detail::not_solved(method_.name(), s.t, h, report);
  m.predictor.push(h, w.x);
}

/// The state at the end; the force there is evaluated anew, so that momenta of symmetries see -∂V/∂q
/// itself and not what Newton's method left of it.
void NewmarkFlow::finish(VectorState& s, double h, Memory& m) const {
  const int n = system_->n;
  const std::vector<double>& a1 = is_explicit() ? m.a : m.newton.x;  // explicit: not used
  place_end(h, a1.data(), m);
  for (int i = 0; i < n; ++i) {
    s.q_rest[i] = 0.0;  // it is in m.q
    compensated_add(s.q[i], s.q_rest[i], m.q[sz(i)] + beta_ * h * h * a1[sz(i)]);
  }
  compensated_add(s.t, s.t_rest, h);
  m.x[0] = s.t;
  std::copy(s.q.data(), s.q.data() + n, m.x.begin() + 1);
  total_force(m, m.f1.data());
  for (int i = 0; i < n; ++i)
    compensated_add(s.p[i], s.p_rest[i], h * ((1.0 - gamma_) * m.f0[sz(i)] + gamma_ * m.f1[sz(i)]));
  if (!s.q.allFinite() || !s.p.allFinite()) detail::overflow(s.t - h, h);
  if (!options_.compensated) detail::drop_remainders(s);
}

VectorState NewmarkFlow::steps(VectorState s, double h, long count, Memory& memory) const {
  detail::require_step(h);
  for (long k = 0; k < count; ++k) {
    begin(s, k > 0 && !system_->forced, memory);
    predict(s, h, memory);
    if (!is_explicit()) solve_acceleration(s, h, memory);
    finish(s, h, memory);
    memory.statistics.end_step();
  }
  return s;
}

const StepDerivative& NewmarkFlow::differentiate(VectorState& s, double h, Memory& memory) const {
  if (!memory.derivative) {
    detail::Nystrom k{Eigen::Vector2d(0.0, 1.0), Eigen::Vector2d(1.0 - gamma_, gamma_),
                      Eigen::Vector2d(0.5 - beta_, beta_), Eigen::Matrix2d::Zero(),
                      Eigen::Matrix2d::Zero()};
    k.a.row(1) = k.b;
    k.a_bar.row(1) = k.b_bar;
    memory.derivative = std::make_unique<detail::NystromDerivative>(*system_, std::move(k));
  }
  const VectorState start = s;
  s = step(start, h, memory);
  const auto from_force = [&](const double* f) {
    Vn a(system_->n);
    apply_inverse_mass(f, a.data());
    return a;
  };
  auto& derivative = static_cast<detail::NystromDerivative&>(*memory.derivative);
  derivative.clear();
  derivative.add(start.t, h, start.q, from_force(start.p.data()),
                 {from_force(memory.f0.data()), from_force(memory.f1.data())});
  return derivative;
}

}  // namespace varia
