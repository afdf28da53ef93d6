// SPDX-License-Identifier: BSD-3-Clause
#include "varia/verify/modified_energy.hpp"

#include <algorithm>
#include <cmath>

#include "step_action.hpp"
#include "varia/core/index.hpp"
#include "varia/flow/failure.hpp"
#include "varia/flow/newmark_form.hpp"

namespace varia {

namespace {

using detail::sz;

[[noreturn]] void no_formula(const Method& method) {
  throw InvalidArgument("modified energy: there is no formula for " + method.name() +
                        "; there are those of euler_a, euler_b, midpoint, trapezoid, verlet, "
                        "symmetrised and newmark with gamma = 1/2. Use shadow_energy, which works "
                        "for every variational method");
}

/// Mean and variance of the points of a quadrature.
std::pair<double, double> moments(const StageCoefficients& k) {
  double mean = 0.0;
  double square = 0.0;
  for (std::size_t i = 0; i < sz(k.points); ++i) {
    mean += k.b.hi[i] * k.c.hi[i];
    square += k.b.hi[i] * k.c.hi[i] * k.c.hi[i];
  }
  return {mean, square - mean * mean};
}

}  // namespace

ModifiedCoefficients modified_coefficients(const Method& method) {
  if (const Newmark* newmark = method.newmark()) {
    if (newmark->gamma != 0.5) no_formula(method);
    return {2, 0.0, 1.0 / 12.0, 0.5 * newmark->beta - 1.0 / 24.0, 0.0};
  }
  const StageCoefficients* k = method.stages();
  if (k == nullptr || k->unknowns != 1) no_formula(method);
  const auto [mean, variance] = moments(*k);
  if (method.symmetric()) return {2, 0.0, 0.5 * variance - 1.0 / 24.0, -1.0 / 24.0, 0.0};
  if (k->points == 1 && (mean == 0.0 || mean == 1.0)) {
    const double sign = mean == 0.0 ? -1.0 : 1.0;
    return {3, 0.5 * sign, 1.0 / 12.0, 1.0 / 12.0, sign / 12.0};
  }
  return {1, mean - 0.5, 0.0, 0.0, 0.0};
}

ModifiedEnergy::ModifiedEnergy(const Method& method, std::shared_ptr<const KernelSystem> system,
                               double h, int order)
    : system_(std::move(system)), c_(modified_coefficients(method)), h_(h) {
  detail::require_newmark_system(*system_, "the modified energy");
  detail::require_step(h);
  if (order < 0 || order > c_.order)
    throw InvalidArgument("modified energy: of " + method.name() + " the terms up to h^" +
                          std::to_string(c_.order) + " are known, asked for h^" +
                          std::to_string(order));
  if (order < 1) c_.c1 = 0.0;
  if (order < 2) c_.c2_kinetic = c_.c2_force = 0.0;
  if (order < 3) c_.c3 = 0.0;
  c_.order = order;
  if (system_->mass_diagonal.empty()) inverse_mass_ = system_->mass.inverse();
}

double ModifiedEnergy::operator()(const VectorState& s) const {
  const KernelSystem& f = *system_;
  const int n = f.n;
  const auto by_mass = [&](const Vn& x) -> Vn {
    if (f.mass_diagonal.empty()) return inverse_mass_ * x;
    return x.cwiseQuotient(Eigen::Map<const Vn>(f.mass_diagonal.data(), n));
  };
  const Vn v = by_mass(s.p);
  const auto x = f.point(s.t, s.q.data(), v.data());
  std::vector<double> out(sz(2 * n + f.second.size()));
  f.hessian(x.data(), out.data());
  const Vn g = -Eigen::Map<const Vn>(out.data(), n);
  const Vn a = by_mass(g);
  double vv = 0.0;  // vᵀV″v
  double va = 0.0;  // vᵀV″M⁻¹g
  for (int e = 0; e < f.second.size(); ++e) {
    const int i = f.second.row[sz(e)];
    const int j = f.second.column[sz(e)];
    if (i >= n) continue;
    const double entry = -out[sz(2 * n + e)];
    vv += (i == j ? 1.0 : 2.0) * entry * v[i] * v[j];
    va += entry * (i == j ? v[i] * a[j] : v[i] * a[j] + v[j] * a[i]);
  }
  double lagrangian = 0.0;
  f.value(x.data(), &lagrangian);
  return s.p.dot(v) - lagrangian +
         h_ * (c_.c1 * v.dot(g) +
               h_ * (c_.c2_kinetic * vv + c_.c2_force * g.dot(a) + h_ * c_.c3 * va));
}

double ShadowEnergy::swing() const {
  if (value.empty()) return 0.0;
  const auto [least, most] = std::minmax_element(value.begin(), value.end());
  return *most - *least;
}

namespace {

/// Weights of f(jh) - f(-jh), j = 1 … w, in h f′(0).
std::vector<double> central_weights(int w) {
  std::vector<double> weights;
  double c = 1.0;  // (w!)²/((w-j)!(w+j)!)
  for (int j = 1; j <= w; ++j) {
    c *= static_cast<double>(w - j + 1) / static_cast<double>(w + j);
    weights.push_back((j % 2 == 1 ? c : -c) / j);
  }
  return weights;
}

void require_shadow(const KernelSystem& f, int w) {
  const char* found = nullptr;
  if (f.forced) found = "this system has a force";
  if (f.uses_time) found = "this Lagrangian depends on time";
  if (f.d + f.e > 0) found = "this system has constraints";
  if (found)
    throw InvalidArgument(std::string("shadow energy: ") + found +
                          ", and no such energy is kept or computed; it is for systems without "
                          "force, constraint and time in L");
  if (w < 1 || w > 12)
    throw InvalidArgument("shadow energy: w must be in 1 ... 12, got " + std::to_string(w));
}

/// (shadow) at the middle of 2w + 1 states z, with the actions of the 2w steps between them.
double shadow_at(const std::vector<VectorState>& z, const std::vector<double>& step_actions,
                 const std::vector<double>& weights, double h) {
  const std::size_t w = weights.size();
  double sum = 0.0;
  double between = 0.0;  // action from step -j to step j
  for (std::size_t j = 1; j <= w; ++j) {
    between += step_actions[w - j] + step_actions[w + j - 1];
    const Vn moved = z[w + j].q - z[w - j].q;
    sum += weights[j - 1] * (z[w].p.dot(moved) - between);
  }
  return sum / h;
}

}  // namespace

ShadowEnergy shadow_energy(const StageFlow& flow, const VectorState& start, double h, long steps,
                           int w) {
  require_shadow(flow.system(), w);
  if (steps < 2L * w)
    throw InvalidArgument("shadow energy: differences of width 2 w = " + std::to_string(2 * w) +
                          " need at least as many steps, got " + std::to_string(steps));
  const detail::StepAction action(flow);
  const auto weights = central_weights(w);
  std::vector<VectorState> z{start};
  std::vector<double> step_actions;  // of the steps from z[k] to z[k + 1]
  ShadowEnergy result;
  auto memory = flow.memory(start);
  for (long k = 1; k <= steps; ++k) {
    z.push_back(flow.step(z.back(), h, memory));
    step_actions.push_back(action(z[z.size() - 2], z.back(), h));
    if (z.size() <= sz(2 * w)) continue;
    result.t.push_back(z[sz(w)].t);
    result.value.push_back(shadow_at(z, step_actions, weights, h));
    z.erase(z.begin());
    step_actions.erase(step_actions.begin());
  }
  return result;
}

ShadowFunction::ShadowFunction(StageFlow flow, double h, int w)
    : forwards_(std::move(flow)),
      backwards_(forwards_.with_method(adjoint(forwards_.method()))),
      action_(std::make_shared<detail::StepAction>(forwards_)),
      h_(h) {
  require_shadow(forwards_.system(), w);
  detail::require_step(h);
  weights_ = central_weights(w);
}

double ShadowFunction::operator()(const VectorState& s) const {
  const std::size_t w = weights_.size();
  std::vector<VectorState> z(2 * w + 1, s);
  auto ahead = forwards_.memory(s);
  auto behind = backwards_.memory(s);
  for (std::size_t j = 1; j <= w; ++j) {
    z[w + j] = forwards_.step(z[w + j - 1], h_, ahead);
    z[w - j] = backwards_.step(z[w - j + 1], -h_, behind);
  }
  std::vector<double> step_actions;
  for (std::size_t k = 0; k < 2 * w; ++k) step_actions.push_back((*action_)(z[k], z[k + 1], h_));
  return shadow_at(z, step_actions, weights_, h_);
}

}  // namespace varia
