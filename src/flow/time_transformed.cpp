// SPDX-License-Identifier: BSD-3-Clause
#include "varia/flow/time_transformed.hpp"

#include <algorithm>
#include <cmath>

#include "stages.hpp"
#include "step_calls.hpp"
#include "varia/core/index.hpp"
#include "varia/core/round_off.hpp"
#include "varia/flow/failure.hpp"
#include "varia/flow/legendre_transform.hpp"
#include "varia/mechanics/time_transform.hpp"
#include "varia/solve/damped_newton.hpp"
#include "variable_derivative.hpp"

namespace varia {

namespace detail {

struct TimeTransformation {
  Method method;
  std::shared_ptr<const KernelSystem> system;
  expr::Kernel g;
  FlowOptions options;
  TimeTransformedFlow::Prepare prepare;
  bool density = false;  ///< the explicit form
  Eigen::MatrixXd inverse_mass;
  std::vector<double> inverse_diagonal;
  /// ∂g/∂θ of the local period is not known: its mass is a matrix of numbers.
  bool fixed_mass = false;
};

}  // namespace detail

namespace {

using detail::sz;

[[noreturn]] void not_positive(double g, double t) {
  throw DomainError("the step function is " + to_text(g) + " at t = " + to_text(t) +
                    "; it must be a positive number wherever the motion goes");
}

[[noreturn]] void density_lost(double density, double t, double h) {
  throw NoConvergence("the density of steps 1/g became " + to_text(density) +
                          " in the step from t = " + to_text(t) +
                          "; the step is too large for changes of g along the motion, try a "
                          "smaller one",
                      t, h, 0, 0.0);
}

void check_method(const Method& method, const KernelSystem& f, bool density) {
  if (method.baseline())
    throw InvalidArgument(method.name() +
                          " is not variational; time transformations are for verlet and for "
                          "methods of stages such as gauss(s)");
  if (method.stages() == nullptr)
    throw InvalidArgument(method.name() +
                          " is a composition; time transformations are for verlet and for methods "
                          "of stages such as gauss(s)");
  if (density && (f.forced || f.d > 0))
    throw InvalidArgument(std::string("a time-transformed verlet step needs L = 1/2 v.M v - V(t, "
                                      "q) without force and constraint; this system has ") +
                          (f.forced ? "a force" : "constraints") + ". Use a fixed step");
}

using detail::compensated_add;

/// v = M⁻¹p
void velocity(const detail::TimeTransformation& d, const double* p, double* v) {
  const int n = d.system->n;
  if (!d.inverse_diagonal.empty()) {
    for (int a = 0; a < n; ++a) v[a] = d.inverse_diagonal[sz(a)] * p[a];
    return;
  }
  for (int a = 0; a < n; ++a) {
    v[a] = 0.0;
    for (int b = 0; b < n; ++b) v[a] += d.inverse_mass(a, b) * p[b];
  }
}

}  // namespace

// ---------------------------------------------------------------- memory

/// The system of H̄ for energy_, and its stage equations.
void TimeTransformedFlow::Memory::transform() {
  derivative.reset();
  stages_.reset();
  auto system = time_transformed(*made_by_->system, made_by_->g, energy_);
  if (made_by_->prepare) made_by_->prepare(*system);
  transformed_ = std::move(system);
  stages_ = detail::make_hidden<detail::Stages>(*transformed_, *made_by_->method.stages(),
                                                made_by_->options.retraction);
}

void TimeTransformedFlow::Memory::exchange(SavedNumbers& numbers) {
  numbers(statistics, density_, energy_);
  if (numbers.reading()) {
    if (!made_by_ || (made_by_->density ? !(density_ > 0.0) : !std::isfinite(energy_)))
      numbers.refuse();
    if (stages_) transform();
  }
  if (stages_) numbers(stages_->predictor);
}

// ---------------------------------------------------------------- set-up

TimeTransformedFlow::TimeTransformedFlow(Method method, std::shared_ptr<const KernelSystem> system,
                                         expr::Kernel g, FlowOptions options, Prepare prepare) {
  auto d =
      std::make_shared<detail::TimeTransformation>(detail::TimeTransformation{std::move(method),
                                                                              std::move(system),
                                                                              std::move(g),
                                                                              options,
                                                                              std::move(prepare),
                                                                              false,
                                                                              {},
                                                                              {},
                                                                              false});
  const KernelSystem& f = *d->system;
  const auto& alpha = d->method.explicit_alpha();
  d->density = options.prefer_explicit && f.separable && alpha && *alpha == 0.5;
  check_method(d->method, f, d->density);
  detail::require_iterations(options);
  if (!d->g) {
    d->g = local_period(f);
    d->fixed_mass = f.free > 0 && f.mass_diagonal.empty();
  }
  require_step_function(f, d->g);
  if (d->density) {
    for (const double mass : f.mass_diagonal) d->inverse_diagonal.push_back(1.0 / mass);
    if (f.mass_diagonal.empty()) d->inverse_mass = f.mass.inverse();
  } else {
    time_transformed(f, d->g, 0.0);  // says now what cannot be transformed
  }
  data_ = std::move(d);
}

const Method& TimeTransformedFlow::method() const { return data_->method; }
const std::shared_ptr<const KernelSystem>& TimeTransformedFlow::shared_system() const {
  return data_->system;
}
TimeTransformedFlow TimeTransformedFlow::with_method(Method method) const {
  return {std::move(method), data_->system, data_->g, data_->options, data_->prepare};
}
bool TimeTransformedFlow::is_explicit() const { return data_->density; }

int TimeTransformedFlow::unknowns() const {
  return is_explicit() ? 0 : data_->system->n * method().stages()->unknowns;
}

KernelList TimeTransformedFlow::kernels() const {
  if (data_->density) return {{data_->system->potential_gradient, 1.0}, {data_->g, 1.0}};
  const detail::StepCalls calls = detail::solved_calls(method());
  KernelList list = detail::stage_kernels(*data_->system, calls);
  list.push_back({data_->g, calls.all()});
  return list;
}

bool TimeTransformedFlow::banded() const {
  if (is_explicit()) return false;
  const auto system = time_transformed(*data_->system, data_->g, 0.0);
  return detail::Stages(*system, *method().stages(), data_->options.retraction)
      .newton.jacobian.banded();
}

double TimeTransformedFlow::step_ratio(const VectorState& s) const {
  std::vector<double> x{s.t};
  x.insert(x.end(), s.q.data(), s.q.data() + s.q.size());
  std::vector<double> out(x.size());
  data_->g(x.data(), out.data());
  if (!(out[0] > 0.0) || !std::isfinite(out[0])) not_positive(out[0], s.t);
  return out[0];
}

TimeTransformedFlow::Memory TimeTransformedFlow::memory(const VectorState& s) const {
  const int n = data_->system->n;
  detail::require_state(*data_->system, s);
  Memory memory;
  memory.made_by_ = data_;
  const double ratio = step_ratio(s);
  if (data_->density) {
    memory.density_ = 1.0 / ratio;
    memory.work_.assign(sz(2 + 4 * n), 0.0);
    return memory;
  }
  LegendreTransform legendre(*data_->system);
  std::vector<double> v(sz(n), 0.0);
  legendre.velocity(s, v.data());
  memory.energy_ = legendre.energy(s.t, s.q.data(), v.data());
  memory.transform();
  return memory;
}

VectorState TimeTransformedFlow::steps(VectorState s, double h, long count, Memory& memory) const {
  detail::require_step(h);
  if (memory.made_by_ != data_)
    throw InvalidArgument("the memory was made by another flow; use memory(state) of this one");
  if (data_->density)
    verlet_steps(s, h, count, memory);
  else
    for (long i = 0; i < count; ++i) stage_step(s, h, memory);
  return s;
}

bool TimeTransformedFlow::differentiable() const { return !data_->fixed_mass; }

const StepDerivative& TimeTransformedFlow::differentiate(VectorState& s, double h,
                                                         Memory& memory) const {
  const detail::TimeTransformation& d = *data_;
  if (!differentiable())
    throw InvalidArgument(
        "steps by the local period have no derivative in free parameters where the mass is not "
        "diagonal; give a step function (pace)");
  const VectorState start = s;
  const double density = memory.density_;
  const bool first = memory.statistics.steps == 0;
  s = step(start, h, memory);
  if (d.density)
    memory.derivative_as<detail::DensityDerivative>(*d.system, d.g)
        .set(start, h, density, s, first);
  else
    memory
        .derivative_as<detail::PoincareDerivative>(*d.system, *memory.transformed_, d.g,
                                                   *d.method.stages(), d.options.retraction)
        .set(start, h, memory.stages_->newton.x, first);
  return *memory.derivative;
}

// ---------------------------------------------------------------- (density)

void TimeTransformedFlow::verlet_steps(VectorState& s, double h, long count, Memory& memory) const {
  const detail::TimeTransformation& d = *data_;
  const int n = d.system->n;
  double* const x = memory.work_.data();  // (t, q)
  double* const force = x + 1 + n;        // ∂V/∂q
  double* const g = force + n;            // (g, ∂g/∂q)
  double* const v = g + 1 + n;
  const auto evaluate = [&] {
    x[0] = s.t;
    std::copy(s.q.data(), s.q.data() + n, x + 1);
    d.system->potential_gradient(x, force);
    d.g(x, g);
    if (!(g[0] > 0.0) || !std::isfinite(g[0])) not_positive(g[0], s.t);
  };
  const auto rate = [&] {  // G
    velocity(d, s.p.data(), v);
    double slope = 0.0;
    for (int a = 0; a < n; ++a) slope += g[1 + a] * v[a];
    return -slope / g[0];
  };
  const auto kick = [&](double dt) {
    for (int a = 0; a < n; ++a) compensated_add(s.p[a], s.p_rest[a], -dt * force[a]);
  };
  evaluate();
  double growth = rate();
  for (long i = 0; i < count; ++i) {
    const double begin = s.t;
    const double density = memory.density_ + 0.5 * h * growth;
    if (!(density > 0.0)) density_lost(density, begin, h);
    const double dt = h / density;
    kick(0.5 * dt);
    velocity(d, s.p.data(), v);
    for (int a = 0; a < n; ++a) compensated_add(s.q[a], s.q_rest[a], dt * v[a]);
    compensated_add(s.t, s.t_rest, dt);
    evaluate();
    kick(0.5 * dt);
    growth = rate();
    memory.density_ = density + 0.5 * h * growth;
    if (!s.q.allFinite() || !s.p.allFinite()) detail::overflow(begin, dt);
    if (!(memory.density_ > 0.0)) density_lost(memory.density_, begin, h);
    if (!d.options.compensated) detail::drop_remainders(s);
    memory.statistics.end_step();
  }
}

// ---------------------------------------------------------------- (poincare)

namespace {

/// h Σᵢ bᵢ g(Qⁱ) in two parts, at the solution of the stage equations.
std::pair<double, double> elapsed(detail::Stages& stages, const expr::Kernel& g,
                                  const VectorState& s, double h) {
  const StageCoefficients& k = stages.k;
  std::vector<double> x(sz(1 + stages.n), s.t);
  std::vector<double> out(sz(1 + stages.n));
  double large = 0.0;
  double small = 0.0;
  for (int i = 0; i < k.points; ++i) {
    const double* const q = stages.at_point(i).x + 1;
    std::copy(q, q + stages.n, x.begin() + 1);
    g(x.data(), out.data());
    if (!(out[0] > 0.0) || !std::isfinite(out[0])) not_positive(out[0], s.t);
    large += k.b.hi[sz(i)] * out[0];
    small += k.b.lo[sz(i)] * out[0];
  }
  return {h * large, h * small};
}

}  // namespace

void TimeTransformedFlow::stage_step(VectorState& s, double h, Memory& memory) const {
  detail::Stages& stages = *memory.stages_;
  const FlowOptions& options = data_->options;
  stages.begin(s, h);
  NewtonReport report;
  if (stages.predictor.predict(h, stages.newton.x))
    report = memory.statistics.counted(solve(options.newton, stages.newton, stages));
  if (!report.converged) {
    std::vector<double> w(sz(stages.n), 0.0);
    LegendreTransform(*data_->system).velocity(s, w.data());
    const double ratio = step_ratio(s);
    for (double& x : w) x *= ratio;
    report = memory.statistics.counted(
        solve_from(options.newton, stages.newton, stages, [&] { stages.guess(w.data()); }));
  }
  if (!report.converged) detail::not_solved(method().name(), s.t, h, report);
  const auto [large, small] = elapsed(stages, data_->g, s, h);
  double t = s.t;
  double t_rest = s.t_rest + small;
  compensated_add(t, t_rest, large);
  stages.predictor.push(h, stages.newton.x);
  stages.finish(report.last_update);
  stages.end_step(s);
  s.t = t;
  s.t_rest = t_rest;
  const double ratio = step_ratio(s);  // a long step may solve the equations beyond where g ends
  if (s.branch.size() > 0) {
    const Vn v = Eigen::Map<const Vn>(stages.last_velocity(), stages.n) / ratio;
    LegendreTransform(*data_->system).follow(s, v.data());
  }
  if (!options.compensated) detail::drop_remainders(s);
  memory.statistics.end_step();
}

}  // namespace varia
