// SPDX-License-Identifier: BSD-3-Clause
#include "varia/flow/baseline.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "nystrom_derivative.hpp"
#include "varia/core/index.hpp"
#include "varia/flow/failure.hpp"

namespace varia {

namespace {

/// An explicit Runge-Kutta method: nodes, rows of the triangular matrix, weights, and the weights
/// of the error estimate if there is one [HLW06].
struct ExplicitTableau {
  std::vector<double> c;
  std::vector<std::vector<double>> a;
  std::vector<double> b, error;
};

const ExplicitTableau& tableau_of(Baseline::Kind kind) {
  static const ExplicitTableau euler{{0}, {{}}, {1}, {}};
  static const ExplicitTableau classical{
      {0, 0.5, 0.5, 1}, {{}, {0.5}, {0, 0.5}, {0, 0, 1}}, {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6}, {}};
  static const ExplicitTableau dormand_prince{
      {0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1, 1},
      {{},
       {1.0 / 5},
       {3.0 / 40, 9.0 / 40},
       {44.0 / 45, -56.0 / 15, 32.0 / 9},
       {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
       {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
       {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}},
      {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84, 0},
      {71.0 / 57600, 0, -71.0 / 16695, 71.0 / 1920, -17253.0 / 339200, 22.0 / 525, -1.0 / 40}};
  switch (kind) {
    case Baseline::Kind::explicit_euler:
      return euler;
    case Baseline::Kind::rk4:
      return classical;
    case Baseline::Kind::dopri5:
    case Baseline::Kind::rkmk:  // has no explicit tableau: refused
      break;
  }
  return dormand_prince;
}

/// In one step of an adaptive method, as in DOPRI5 by Hairer and Wanner: an explicit method that
/// needs more is held back by stability, or the motion is singular.
constexpr int most_inner_steps = 100000;

detail::Nystrom nystrom_of(const ExplicitTableau& rk) {
  const auto stages = std::ssize(rk.c);
  Eigen::MatrixXd a = Eigen::MatrixXd::Zero(stages, stages);
  for (Eigen::Index i = 0; i < stages; ++i)
    for (Eigen::Index j = 0; j < i; ++j) a(i, j) = rk.a[detail::sz(i)][detail::sz(j)];
  const auto vector = [](const std::vector<double>& x) {
    return Vn(Eigen::Map<const Vn>(x.data(), std::ssize(x)));
  };
  return {vector(rk.c), vector(rk.b), a.transpose() * vector(rk.b), a, a * a};
}

}  // namespace

BaselineFlow::BaselineFlow(Method method, std::shared_ptr<const KernelSystem> system)
    : MethodOnSystem(std::move(method), std::move(system)) {
  if (!method_.baseline())
    throw InvalidArgument(method_.name() + " is variational, not a baseline; use StageFlow");
  if (method_.baseline()->on_groups())
    throw InvalidArgument(method_.name() + " is a baseline on groups; use RkmkFlow");
  if (system_->d > 0)
    throw InvalidArgument(method_.name() +
                          " cannot keep constraints: it is a baseline for unconstrained systems. "
                          "Use verlet or lobatto(s)");
  if (!system_->on_vector_space())
    throw InvalidArgument(method_.name() +
                          " cannot stay on a Lie group: it is a baseline for coordinates in R^n");
}

BaselineFlow::Memory BaselineFlow::memory(const VectorState& s) const {
  Memory memory;
  const auto n = static_cast<std::size_t>(system_->n);
  detail::require_state(*system_, s);
  memory.v.assign(n, 0.0);
  memory.legendre = std::make_unique<LegendreTransform>(*system_);
  memory.legendre->velocity(s, memory.v.data());
  memory.p.assign(s.p.data(), s.p.data() + n);
  memory.y.assign(2 * n, 0.0);
  memory.trial = memory.y;
  memory.k.assign(tableau_of(method_.baseline()->kind).c.size(), memory.y);
  return memory;
}

/// Symplecticity is measured to show that it does not hold.
KernelList BaselineFlow::kernels() const {
  constexpr double inner_steps = 2.0;  // of an adaptive method, about
  const Baseline::Kind kind = method_.baseline()->kind;
  const double points = static_cast<double>(tableau_of(kind).c.size()) *
                        (kind == Baseline::Kind::dopri5 ? inner_steps : 1.0);
  KernelList list{{system_->hessian, points}};
  if (system_->forced) list.push_back({system_->force, points});
  if (system_->mass_rate) list.push_back({system_->mass_rate, points});
  return list;
}

FlowLaws BaselineFlow::laws() const {
  return {true, false, true, false, {method_.name() + " is a baseline: not variational"}};
}

void BaselineFlow::derivative(double t, const std::vector<double>& y, std::vector<double>& dy,
                              Memory& memory) const {
  const int n = system_->n;
  ++memory.statistics.iterations;
  std::copy(y.begin() + n, y.end(), dy.begin());
  bool found = memory.legendre->acceleration(t, y.data(), y.data() + n, dy.data() + n);
  if (found && system_->nonlinear_momentum) {
    try {
      memory.legendre->require_same_branch(t, y.data(), memory.y.data() + n, y.data() + n);
    } catch (const SingularMass&) {
      found = false;  // a stage beyond the end of the branch
    }
  }
  if (!found) std::fill(dy.begin() + n, dy.end(), std::numeric_limits<double>::quiet_NaN());
}

/// trial ← y after a step of size h; the result is the estimated error over the tolerance.
double BaselineFlow::try_step(double t, double h, Memory& m) const {
  const ExplicitTableau& rk = tableau_of(method_.baseline()->kind);
  for (std::size_t i = 0; i < rk.c.size(); ++i) {
    m.trial = m.y;
    for (std::size_t j = 0; j < i; ++j)
      for (std::size_t a = 0; a < m.y.size(); ++a) m.trial[a] += h * rk.a[i][j] * m.k[j][a];
    derivative(t + rk.c[i] * h, m.trial, m.k[i], m);
  }
  double largest = 0.0;
  for (std::size_t a = 0; a < m.y.size(); ++a) {
    double change = 0.0;
    double error = 0.0;
    for (std::size_t i = 0; i < rk.c.size(); ++i) {
      change += rk.b[i] * m.k[i][a];
      if (!rk.error.empty()) error += rk.error[i] * m.k[i][a];
    }
    m.trial[a] = m.y[a] + h * change;
    const double scale = 1.0 + std::max(std::abs(m.y[a]), std::abs(m.trial[a]));
    const double ratio = std::abs(h * error) / (scale * method_.baseline()->tolerance);
    if (!std::isfinite(m.trial[a])) return std::numeric_limits<double>::infinity();
    if (!rk.error.empty()) largest = std::max(largest, ratio);
  }
  return largest;
}

/// y ← trial, the step of size h that was tried at last.
void BaselineFlow::accept(double t, double h, Memory& m) const {
  if (m.differentiated) {
    const auto part = [n = system_->n](const std::vector<double>& y, int which) {
      return Vn(Eigen::Map<const Vn>(y.data() + which * n, n));
    };
    std::vector<Vn> accelerations;
    for (const std::vector<double>& k : m.k) accelerations.push_back(part(k, 1));
    static_cast<detail::NystromDerivative&>(*m.derivative)
        .add(t, h, part(m.y, 0), part(m.y, 1), std::move(accelerations));
  }
  std::swap(m.y, m.trial);
}

void BaselineFlow::fixed_step(double t, double h, Memory& memory) const {
  if (!std::isfinite(try_step(t, h, memory))) detail::overflow(t, h);
  accept(t, h, memory);
}

void BaselineFlow::adaptive_step(double t, double h, Memory& m) const {
  const double begin = t;
  const double end = t + h;
  double inner = m.inner_step == 0.0 ? h : std::copysign(m.inner_step, h);
  for (int tries = 0; t != end; ++tries) {
    if (tries == most_inner_steps)
      detail::too_many_inner_steps(method_.name(), begin, h, tries, end - t);
    const bool last = std::abs(inner) >= std::abs(end - t) * (1.0 - 1e-12);
    const double used = last ? end - t : inner;
    const double error = try_step(t, used, m);
    const double factor = std::isfinite(error)
                              ? std::clamp(0.9 * std::pow(std::max(error, 1e-10), -0.2), 0.2, 5.0)
                              : 0.2;
    if (error <= 1.0) {
      accept(t, used, m);
      t = last ? end : t + used;
      if (!last || factor < 1.0) inner = used * factor;
    } else {
      inner = used * std::min(factor, 0.9);
      if (std::abs(inner) <= 1e-14 * std::max(std::abs(t), std::abs(h))) detail::overflow(t, used);
    }
  }
  m.inner_step = std::abs(inner);
}

VectorState BaselineFlow::steps(VectorState s, double h, long count, Memory& memory) const {
  detail::require_step(h);
  const int n = system_->n;
  std::copy(s.q.data(), s.q.data() + n, memory.y.begin());
  std::copy(memory.v.begin(), memory.v.end(), memory.y.begin() + n);
  for (long i = 0; i < count; ++i) {
    if (method_.baseline()->kind == Baseline::Kind::dopri5)
      adaptive_step(s.t, h, memory);
    else
      fixed_step(s.t, h, memory);
    detail::compensated_add(s.t, s.t_rest, h);
    if (s.branch.size() > 0) follow(s, memory);
    ++memory.statistics.steps;
  }
  std::copy(memory.y.begin(), memory.y.begin() + n, s.q.data());
  std::copy(memory.y.begin() + n, memory.y.end(), memory.v.begin());
  memory.legendre->momentum(s.t, s.q.data(), memory.v.data(), s.p.data());
  return s;
}

/// The velocity of the step is the branch of s.
void BaselineFlow::follow(VectorState& s, Memory& memory) const {
  const double* const v = memory.y.data() + system_->n;
  memory.legendre->require_same_branch(s.t, memory.y.data(), s.branch.data(), v);
  std::copy(v, v + system_->n, s.branch.data());
}

bool BaselineFlow::differentiable() const { return detail::MotionDerivative::possible(*system_); }

const StepDerivative& BaselineFlow::differentiate(VectorState& s, double h, Memory& memory) const {
  if (!memory.derivative)
    memory.derivative = std::make_unique<detail::NystromDerivative>(
        *system_, nystrom_of(tableau_of(method_.baseline()->kind)));
  static_cast<detail::NystromDerivative&>(*memory.derivative).clear();
  memory.differentiated = true;
  s = step(s, h, memory);
  memory.differentiated = false;
  return *memory.derivative;
}

}  // namespace varia
