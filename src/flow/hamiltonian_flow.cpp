// SPDX-License-Identifier: BSD-3-Clause
#include "varia/flow/hamiltonian_flow.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "hamiltonian_derivative.hpp"
#include "hamiltonian_stages.hpp"
#include "saved_statistics.hpp"
#include "step_calls.hpp"
#include "varia/core/index.hpp"
#include "varia/core/round_off.hpp"
#include "varia/flow/failure.hpp"

namespace varia {

namespace {

using detail::compensated_add;
using detail::sz;

const Method& first_stage_method(const Method& method) {
  const Method* m = &method;
  while (!m->stages()) m = &m->substeps().front().first;
  return *m;
}

[[noreturn]] void not_solved(const std::string& method, double t, double h,
                             const NewtonReport& report) {
  const std::string cause =
      report.singular
          ? "the Jacobian of the step equations is singular there; gauss(s), lobatto(s) and "
            "midpoint "
            "need no regular d2H/dp2"
          : "Newton's method did not converge in " + std::to_string(report.iterations) +
                " iterations (last update " + to_text(report.last_update) + " of the unknown)";
  throw NoConvergence(method + ": the step from t = " + to_text(t) + " with h = " + to_text(h) +
                          " was not solved: " + cause + ". Try a smaller step",
                      t, h, report.iterations, report.last_update);
}

}  // namespace

HamiltonianFlow::Memory::Memory() = default;
HamiltonianFlow::Memory::Memory(Memory&&) noexcept = default;
HamiltonianFlow::Memory& HamiltonianFlow::Memory::operator=(Memory&&) noexcept = default;
HamiltonianFlow::Memory::~Memory() = default;

void HamiltonianFlow::Memory::save(std::vector<double>& out) const {
  if (stages) stages->predictor.save(out);
  for (const auto& part : parts) part->save(out);
}

const double* HamiltonianFlow::Memory::load(const double* data, const double* end) {
  if (stages) data = stages->predictor.load(data, end);
  for (const auto& part : parts)
    if (data) data = part->load(data, end);
  return data;
}

std::vector<double> HamiltonianFlow::Memory::save() const {
  std::vector<double> out = detail::saved(statistics);
  save(out);
  return out;
}

void HamiltonianFlow::Memory::load(const std::vector<double>& data) {
  const double* const end = data.data() + data.size();
  if (data.size() < detail::saved_statistics_size ||
      load(data.data() + detail::saved_statistics_size, end) != end)
    detail::refuse_memory();
  statistics = detail::loaded_statistics(data);
}

HamiltonianFlow::HamiltonianFlow(Method method, std::shared_ptr<const HamiltonianSystem> system,
                                 FlowOptions options)
    : method_(std::move(method)), system_(std::move(system)), options_(options) {
  if (!system_) throw InvalidArgument("HamiltonianFlow: there is no system");
  if (options_.newton.max_iterations < 1)
    throw InvalidArgument("newton.max_iterations must be at least 1, got " +
                          std::to_string(options_.newton.max_iterations));
  if (method_.has_own_flow())
    throw InvalidArgument(method_.name() +
                          " needs a Lagrangian with velocities; use a method of stages such as "
                          "gauss(2)");
  if (method_.baseline())
    throw InvalidArgument(method_.name() +
                          " is not variational and has no discrete flow of (q, p); use a "
                          "variational method such as gauss(2)");
  if (method_.needs_separable() && !system_->quadratic_kinetic)
    throw InvalidArgument(method_.name() +
                          " has its order only for H = 1/2 p.A p + V(q) with a constant A; this "
                          "Hamiltonian is of another form. Use blanes_moan(4), blanes_moan(6), or "
                          "yoshida(order, method)");
}

bool HamiltonianFlow::is_explicit(const Method& method) const {
  if (!options_.prefer_explicit || !system_->separable) return false;
  if (method.substeps().empty()) return method.explicit_alpha().has_value();
  return std::all_of(method.substeps().begin(), method.substeps().end(),
                     [&](const auto& part) { return is_explicit(part.first); });
}

int HamiltonianFlow::unknowns() const {
  if (is_explicit()) return 0;
  return detail::HamiltonianStages(*system_, *first_stage_method(method_).stages()).newton.size;
}

bool HamiltonianFlow::banded() const {
  if (is_explicit()) return false;
  return detail::HamiltonianStages(*system_, *first_stage_method(method_).stages())
      .newton.jacobian.banded();
}

HamiltonianFlow::Memory HamiltonianFlow::make_memory(const Method& method,
                                                     bool explicit_allowed) const {
  Memory memory;
  if (explicit_allowed && is_explicit(method)) {
    memory.legs = explicit_legs(method);
    memory.work.assign(sz(1 + 4 * system_->n), 0.0);
  } else if (const StageCoefficients* k = method.stages()) {
    memory.stages = std::make_unique<detail::HamiltonianStages>(*system_, *k);
  } else {
    for (const auto& part : method.substeps())
      memory.parts.push_back(std::make_unique<Memory>(make_memory(part.first, explicit_allowed)));
  }
  return memory;
}

void HamiltonianFlow::check_state(const FlatState& s) const {
  const int n = system_->n;
  if (s.q.size() != n || s.p.size() != n || s.q_rest.size() != n || s.p_rest.size() != n ||
      s.lambda.size() != 0)
    throw InvalidArgument("the state has " + std::to_string(s.q.size()) + " coordinates, " +
                          std::to_string(s.p.size()) + " momenta and " +
                          std::to_string(s.lambda.size()) + " multipliers; the system has " +
                          std::to_string(n) + ", " + std::to_string(n) + " and 0");
  if (!s.q.allFinite() || !s.p.allFinite())
    throw InvalidArgument("the state has a number that is not finite");
}

/// Whether some part has fewer unknown velocities than points: Hⁱ = ∂H/∂p can then be met only by
/// way of ∂²H/∂p².
bool HamiltonianFlow::needs_regular(const Method& method, bool explicit_allowed) const {
  if (explicit_allowed && is_explicit(method)) return false;
  if (const StageCoefficients* k = method.stages()) return k->points > k->unknowns;
  return std::any_of(method.substeps().begin(), method.substeps().end(),
                     [&](const auto& part) { return needs_regular(part.first, explicit_allowed); });
}

/// ∂²H/∂p² must be regular at the state.
void HamiltonianFlow::check_regular(const FlatState& s) const {
  const int n = system_->n;
  std::vector<double> second(sz(2 * n + system_->second.size()), 0.0);
  system_->hessian(system_->point(s.t, s.q.data(), s.p.data()).data(), second.data());
  Couplings c;
  for (int a = 0; a < n; ++a) c.groups.push_back({a});
  const auto for_each_entry = [&](const auto& visit) {
    for (int e = 0; e < system_->second.size(); ++e) {
      const int i = system_->second.row[sz(e)] - n;
      const int j = system_->second.column[sz(e)] - n;
      if (i >= 0 && j >= 0) visit(i, j, second[sz(2 * n + e)]);
    }
  };
  for_each_entry([&](int i, int j, double) { c.meeting.emplace_back(i, j); });
  StructuredLU lu;
  lu.resize(c);
  lu.set_zero();
  for_each_entry([&](int i, int j, double value) {
    lu.data()[lu.slot(i, j)] = value;
    lu.data()[lu.slot(j, i)] = value;
  });
  if (!lu.factor())
    throw InvalidArgument(
        method_.name() +
        " has more quadrature points than unknown velocities and needs d2H/dp2 to be regular; it "
        "is "
        "singular at t = " +
        to_text(s.t) +
        " (the Hamiltonian is degenerate there). Use gauss(s), lobatto(s), midpoint, euler_a or "
        "euler_b, which need no such thing");
}

HamiltonianFlow::Memory HamiltonianFlow::memory(const FlatState& s) const {
  check_state(s);
  if (needs_regular(method_, true)) check_regular(s);
  return make_memory(method_, true);
}

Vector<double, Dynamic> HamiltonianFlow::velocity(const FlatState& s) const {
  Vector<double, Dynamic> slope(2 * system_->n);
  system_->gradient(system_->point(s.t, s.q.data(), s.p.data()).data(), slope.data());
  return slope.tail(system_->n);
}

double HamiltonianFlow::energy(const FlatState& s) const {
  return system_->energy(s.t, s.q.data(), s.p.data());
}

KernelList HamiltonianFlow::kernels() const {
  const HamiltonianSystem& h = *system_;
  if (is_explicit()) {
    const auto kicks = static_cast<double>(explicit_legs(method_)->count());
    return {{h.value, 0.0, 1.0},
            {h.gradient, 0.0, 1.0},
            {h.velocity, kicks},
            {h.potential_gradient, kicks}};
  }
  const detail::StepCalls calls = detail::solved_calls(method_);
  return {{h.value, 0.0, 1.0}, {h.gradient, calls.values, 1.0}, {h.hessian, calls.slopes}};
}

FlowLaws HamiltonianFlow::laws() const { return {true, method_.symmetric(), true, false, {}}; }

FlatState HamiltonianFlow::operator()(const FlatState& s, double h) const {
  Memory m = memory(s);
  return step(s, h, m);
}

FlatState HamiltonianFlow::steps(FlatState s, double h, long count, Memory& memory) const {
  detail::require_step(h);
  if (memory.legs && options_.compensated) {
    explicit_steps(*memory.legs, s, h, count, memory);
    memory.statistics.steps += count;
    return s;
  }
  for (long i = 0; i < count; ++i) {
    advance(method_, s, h, memory, false);
    ++memory.statistics.steps;
    if (options_.compensated) continue;
    s.t_rest = 0.0;
    s.q_rest.setZero();
    s.p_rest.setZero();
  }
  return s;
}

const StepDerivative& HamiltonianFlow::differentiate(FlatState& s, double h, Memory& memory) const {
  if (needs_regular(method_, false)) check_regular(s);
  if (!memory.linear) memory.linear = std::make_unique<Memory>(make_memory(method_, false));
  FlatState z = s;
  s = steps(std::move(s), h, 1, memory);
  differentiate(method_, z, h, *memory.linear);
  return *memory.linear->derivative;
}

/// One step by the stage equations, and its derivative.
void HamiltonianFlow::differentiate(const Method& method, FlatState& s, double h,
                                    Memory& memory) const {
  if (memory.stages) {
    const FlatState start = s;
    stage_step(method, s, h, memory);
    auto derivative = std::make_unique<detail::HamiltonianDerivative>(*system_, *method.stages());
    derivative->set(start, h, memory.stages->unknowns());
    memory.derivative = std::move(derivative);
    return;
  }
  std::vector<detail::ChainedDerivative::Part> chain;
  for (std::size_t i = 0; i < memory.parts.size(); ++i) {
    const auto& [part, fraction] = method.substeps()[i];
    differentiate(part, s, fraction * h, *memory.parts[i]);
    chain.push_back({memory.parts[i]->derivative.get(), fraction});
  }
  memory.derivative = std::make_unique<detail::ChainedDerivative>(std::move(chain));
}

double HamiltonianFlow::action(FlatState& s, double h) const {
  detail::require_step(h);
  check_state(s);
  if (needs_regular(method_, false)) check_regular(s);
  Memory memory = make_memory(method_, false);
  return advance(method_, s, h, memory, true);
}

/// One step; the result is S if it is asked for.
double HamiltonianFlow::advance(const Method& method, FlatState& s, double h, Memory& memory,
                                bool with_action) const {
  if (memory.legs) {
    explicit_steps(*memory.legs, s, h, 1, memory);
    return 0.0;
  }
  if (memory.stages) {
    if (!with_action) {
      stage_step(method, s, h, memory);
      return 0.0;
    }
    const FlatState start = s;
    stage_step(method, s, h, memory);
    memory.stages->begin(start, h);
    return memory.stages->action();
  }
  double sum = 0.0;
  for (std::size_t i = 0; i < memory.parts.size(); ++i) {
    const auto& [part, fraction] = method.substeps()[i];
    Memory& inner = *memory.parts[i];
    const long before = inner.statistics.iterations;
    sum += advance(part, s, fraction * h, inner, with_action);
    memory.statistics.iterations += inner.statistics.iterations - before;
    memory.statistics.max_iterations =
        std::max(memory.statistics.max_iterations, inner.statistics.max_iterations);
  }
  return sum;
}

/// (kick-drift) with any T(p): p ← p - h b ∂V/∂q, q ← q + h a ∂T/∂p.
void HamiltonianFlow::explicit_steps(const Legs& legs, FlatState& s, double h, long count,
                                     Memory& memory) const {
  const int n = system_->n;
  double* const tq = memory.work.data();  // (t, q), the point of the potential
  double* const slope = tq + 1 + n;
  double* const velocity = slope + n;
  bool known = false;  // slope belongs to (t, q)
  const auto kick = [&](double t, double fraction) {
    if (fraction == 0.0) return;
    if (!known) {
      tq[0] = t;
      std::copy(s.q.data(), s.q.data() + n, tq + 1);
      system_->potential_gradient(tq, slope);
      known = true;
    }
    for (int a = 0; a < n; ++a) compensated_add(s.p[a], s.p_rest[a], -(h * fraction) * slope[a]);
  };
  for (long done = 0; done < count; ++done) {
    const double begin = s.t;
    double elapsed = 0.0;
    kick(begin, legs.kicks.front());
    for (std::size_t i = 0; i < legs.drifts.size(); ++i) {
      const double by = h * legs.drifts[i];
      system_->velocity(s.p.data(), velocity);
      for (int a = 0; a < n; ++a) compensated_add(s.q[a], s.q_rest[a], by * velocity[a]);
      elapsed += by;
      known = false;
      const bool last = i + 1 == legs.drifts.size();
      if (last) compensated_add(s.t, s.t_rest, h);
      kick(last ? s.t : begin + elapsed, legs.kicks[i + 1]);
    }
    if (!s.q.allFinite() || !s.p.allFinite()) detail::overflow(begin, h);
  }
}

void HamiltonianFlow::stage_step(const Method& method, FlatState& s, double h,
                                 Memory& memory) const {
  detail::HamiltonianStages& stages = *memory.stages;
  stages.begin(s, h);
  const auto evaluate = [&](auto&, bool fresh) { stages.evaluate(fresh); };
  NewtonReport report;
  if (stages.predict()) report = solve(options_.newton, stages.newton, evaluate);
  if (!report.converged) {
    stages.guess();
    report = solve(options_.newton, stages.newton, evaluate);
  }
  memory.statistics.iterations += report.iterations;
  memory.statistics.max_iterations = std::max(memory.statistics.max_iterations, report.iterations);
  if (!report.converged) not_solved(method.name(), s.t, h, report);
  stages.finish(report.last_update);
  stages.end_step(s);
}

}  // namespace varia
