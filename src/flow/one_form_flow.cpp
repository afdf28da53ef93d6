// SPDX-License-Identifier: BSD-3-Clause
#include "varia/flow/one_form_flow.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "one_form_derivative.hpp"
#include "varia/core/index.hpp"
#include "varia/core/linear.hpp"
#include "varia/core/norm.hpp"
#include "varia/core/round_off.hpp"
#include "varia/flow/failure.hpp"

namespace varia {

namespace {

using detail::eps;
using detail::FormAt;
using detail::largest;
using detail::sz;

/// bᵢ(aᵢⱼ - bⱼ)/bⱼ = -aⱼᵢ. With two tableaux the velocities at the ends of a step depend on the
/// choice of θ up to gradients, or are not determined.
Method require_one_tableau(Method method) {
  const StageCoefficients* s = method.stages();
  bool one = s != nullptr && s->nodal;
  const auto at = [&](int i, int j) { return sz(i * s->unknowns + j); };
  for (int i = 0; one && i < s->points; ++i)
    for (int j = 0; j < s->unknowns; ++j)
      one = one && std::abs(s->row_D.hi[at(i, j)] + s->A.hi[at(j, i)]) < 1e-14;
  if (!one)
    throw InvalidArgument(method.name() +
                          " cannot be used for a Lagrangian that is linear in the velocities; "
                          "use gauss(s) or midpoint, which treat q and p alike");
  return method;
}

std::shared_ptr<const KernelSystem> require_form(std::shared_ptr<const KernelSystem> system) {
  const std::string who = "a Lagrangian that is linear in the velocities ";
  if (!system->on_vector_space()) throw InvalidArgument(who + "is for coordinates in R^n");
  if (system->forced || system->d > 0)
    throw InvalidArgument(who + "takes neither forces nor constraints");
  if (system->n % 2 != 0)
    throw InvalidArgument(who + "needs an even number of coordinates, got " +
                          std::to_string(system->n) + " (d theta is singular for an odd number)");
  return system;
}

/// An iteration by velocities needs a mass; and where H is stationary nothing moves.
FlowOptions by_newton(FlowOptions options) {
  options.solver = Solver::newton;
  options.newton.near_rest = true;
  return options;
}

FormAt at_rest(const KernelSystem& f, double t, const Vn& q) { return {f, t, q, Vn::Zero(f.n)}; }

/// The velocity of (degenerate). Where ω is singular there is none, though the equations of a step may
/// have solutions: jumps to stationary points of H.
Vn form_velocity(const FormAt& form, double t) {
  const Eigen::MatrixXd omega = form.slope.transpose() - form.slope;
  Vn v = LinearSolver<Dynamic>(omega).solve(form.push);
  // beyond that size v is the rounding of Dθ
  const double rounding = eps * form.slope.cwiseAbs().maxCoeff();
  if (!v.allFinite() || largest(v) * rounding > largest(form.push))
    throw DomainError("the two-form d theta is singular at t = " + to_text(t) +
                      ": the Lagrangian does not determine the velocity there. An exact theta, "
                      "the gradient of a function, says nothing about the motion");
  return v;
}

/// The largest term of p - θ(q): where θ is small its terms need not be.
double magnitude(const FormAt& form, const VectorState& s) {
  const Vn terms = form.slope.cwiseAbs() * s.q.cwiseAbs();
  return std::max({largest(s.p), largest(form.theta), largest(terms)});
}

/// ∂²L/∂v² must vanish.
void require_linear(const KernelSystem& f, double t, const Vn& q) {
  const Vn v = Vn::Ones(f.n);
  Vn out(2 * f.n + f.second.size());
  f.hessian(f.point(t, q.data(), v.data()).data(), out.data());
  for (int e = 0; e < f.second.size(); ++e)
    if (f.second.column[sz(e)] >= f.n && out[2 * f.n + e] != 0.0)
      throw InvalidArgument(
          "the Lagrangian is not linear in the velocities: d2L/dv" +
          std::to_string(f.second.row[sz(e)] - f.n + 1) + "dv" +
          std::to_string(f.second.column[sz(e)] - f.n + 1) +
          " is not 0. Where momenta determine velocities, take any method of StageFlow");
}

}  // namespace

OneFormFlow::OneFormFlow(Method method, std::shared_ptr<const KernelSystem> system,
                         OneFormProjection projection, FlowOptions options)
    : projection_(projection),
      options_(options),
      step_(require_one_tableau(std::move(method)), require_form(std::move(system)),
            by_newton(options)) {
  step_.use_guess([f = shared_system()](const VectorState& s, double* v) {
    const Vn velocity = form_velocity(at_rest(*f, s.t, s.q), s.t);
    std::copy(velocity.data(), velocity.data() + velocity.size(), v);
  });
}

int OneFormFlow::unknowns() const {
  return system().n * (method().stages()->unknowns + (projects() ? 1 : 0));
}

void OneFormFlow::check_coordinates(double t, const Vn& q) const {
  if (q.size() != system().n)
    throw InvalidArgument("there are " + std::to_string(q.size()) +
                          " coordinates given; the system has " + std::to_string(system().n));
  if (!q.allFinite() || !std::isfinite(t))
    throw InvalidArgument("the time or a coordinate is not a finite number");
}

VectorState OneFormFlow::start(const Vn& q, double t) const {
  check_coordinates(t, q);
  require_linear(system(), t, q);
  VectorState s = detail::make_state<Vn, Dynamic>(t, q, at_rest(system(), t, q).theta, 0);
  if (!s.p.allFinite() || !std::isfinite(energy(s)))
    throw InvalidArgument("theta or H is not finite at the start; check the Lagrangian there");
  return s;
}

Vn OneFormFlow::velocity(double t, const Vn& q) const {
  check_coordinates(t, q);
  return form_velocity(at_rest(system(), t, q), t);
}

double OneFormFlow::energy(const VectorState& s) const {
  const KernelSystem& f = system();
  const Vn rest = Vn::Zero(f.n);
  double value = 0.0;
  f.value(f.point(s.t, s.q.data(), rest.data()).data(), &value);
  return -value;
}

double OneFormFlow::defect(const VectorState& s) const {
  return largest(Vn(s.p - at_rest(system(), s.t, s.q).theta));
}

KernelList OneFormFlow::kernels() const {
  KernelList list = step_.kernels();
  list.push_back({system().value, 0.0, 1.0});
  return list;
}

FlowLaws OneFormFlow::laws() const {
  FlowLaws laws{projects(), projects(), false, false, {}};
  if (!projects())
    laws.notes.emplace_back(
        "without the symmetric projection the order falls; it is not promised, nor measured");
  laws.notes.emplace_back(
      "the Lagrangian is linear in the velocities: its two-form is d theta, not that of (q, p)");
  return laws;
}

OneFormFlow::Memory OneFormFlow::memory(const VectorState& s) const {
  check_coordinates(s.t, s.q);
  require_linear(system(), s.t, s.q);
  Memory memory;
  memory.step = step_.memory(s);
  const double off = defect(s);
  if (!keeps_momenta() && !(off <= start_tolerance * (1.0 + largest(s.p))))
    throw InvalidArgument("the momenta are not theta(q): |p - theta| = " + to_text(off) +
                          "; take start(q, t), where the momenta follow from q");
  memory.lambda.assign(sz(system().n), 0.0);
  memory.predictor.resize(system().n);
  return memory;
}

/// s + hζ(q)λ
VectorState OneFormFlow::shifted(const VectorState& s, double h, const Vn& lambda) const {
  const FormAt form(system(), s.t, s.q, lambda);
  VectorState z = s;
  z.q_rest += h * lambda;
  z.p = form.theta + h * form.pull;
  z.p_rest.setZero();
  return z;
}

/// λ by Newton's method: the derivative is that of the first guess until it contracts too slowly.
void OneFormFlow::project(VectorState& s, double h, Memory& memory) const {
  const KernelSystem& f = system();
  if (!memory.predictor.predict(h, memory.lambda))
    std::fill(memory.lambda.begin(), memory.lambda.end(), 0.0);
  Eigen::Map<Vn> lambda(memory.lambda.data(), f.n);
  Eigen::PartialPivLU<Eigen::MatrixXd> slope;
  const double begin = magnitude(at_rest(f, s.t, s.q), s);
  double last = std::numeric_limits<double>::infinity();
  bool fresh = true;
  for (int k = 1; k <= options_.newton.max_iterations + 1; ++k) {
    VectorState z = shifted(s, h, lambda);
    const StepDerivative* derivative = nullptr;
    if (k == 1)
      derivative = &step_.differentiate(z, h, memory.step);
    else if (fresh)
      derivative = &step_.repeat_differentiated(z, h, memory.step);
    else
      step_.repeat(z, h, memory.step);
    detail::compensated_add(z.q, z.q_rest, Vn((h * back()) * lambda));
    const FormAt end(f, z.t, z.q, lambda);
    const Vn off = ((z.p - end.theta) + z.p_rest) + (h * back()) * end.pull;
    const double size = largest(off);
    const double round_off = eps * std::max(begin, magnitude(end, z));
    if (size <= 2.0 * round_off || (size >= 0.5 * last && size <= 1e3 * round_off)) {
      memory.predictor.push(h, memory.lambda);
      s = std::move(z);
      return;
    }
    if (!std::isfinite(size)) break;
    if (derivative != nullptr)
      slope.compute(
          detail::ProjectionSlope(*derivative, FormAt(f, s.t, s.q, lambda), end, h, back()).slope);
    lambda -= slope.solve(off);
    fresh = size > 0.1 * last;
    last = size;
  }
  throw NoConvergence(method().name() + ": the step from t = " + to_text(s.t) +
                          " with h = " + to_text(h) +
                          " was not solved: no momenta theta(q) were found at its "
                          "end; try a smaller step",
                      s.t, h, options_.newton.max_iterations, last);
}

void OneFormFlow::finish(VectorState& s) const {
  if (!keeps_momenta()) {
    s.p = at_rest(system(), s.t, s.q).theta;
    s.p_rest.setZero();
  }
  if (!options_.compensated) detail::drop_remainders(s);
  if (!std::isfinite(energy(s)))  // its derivatives may be finite where it is not: log
    throw DomainError("H has no value at t = " + to_text(s.t) +
                      ": the motion has left where it is defined");
}

void OneFormFlow::advance(VectorState& s, double h, Memory& memory) const {
  velocity(s);  // must exist
  const FlowStatistics before = memory.step.statistics;
  if (projects())
    project(s, h, memory);
  else
    step_.move(s, h, 1, memory.step);
  finish(s);
  memory.statistics.add(memory.step.statistics, before);
  memory.statistics.end_step();
}

VectorState OneFormFlow::steps(VectorState s, double h, long count, Memory& memory) const {
  detail::require_step(h);
  for (long k = 0; k < count; ++k) advance(s, h, memory);
  return s;
}

const StepDerivative& OneFormFlow::differentiate(VectorState& s, double h, Memory& memory) const {
  detail::require_step(h);
  const VectorState start = s;
  advance(s, h, memory);
  const KernelSystem& f = system();
  const Vn lambda =
      projects() ? Vn(Eigen::Map<const Vn>(memory.lambda.data(), f.n)) : Vn(Vn::Zero(f.n));
  VectorState z = keeps_momenta() ? start : shifted(start, h, lambda);
  const StepDerivative& step = step_.repeat_differentiated(z, h, memory.step);
  if (keeps_momenta()) return step;
  memory.derivative = std::make_unique<detail::OneFormDerivative>(
      step, FormAt(f, start.t, start.q, lambda), FormAt(f, s.t, s.q, lambda), h, back(),
      projects() ? lambda : Vn());
  return *memory.derivative;
}

}  // namespace varia
