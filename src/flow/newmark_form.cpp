// SPDX-License-Identifier: BSD-3-Clause
#include "varia/flow/newmark_form.hpp"

#include <cmath>
#include <limits>

#include "varia/core/index.hpp"
#include "varia/core/round_off.hpp"
#include "varia/flow/failure.hpp"

namespace varia {

namespace {
using detail::sz;
}  // namespace

void detail::require_newmark_system(const KernelSystem& system, const char* what) {
  const char* found = nullptr;
  if (!system.on_vector_space()) found = "this system has coordinates on a Lie group";
  if (!system.separable) found = "this Lagrangian is of another form";
  if (system.forced) found = "this system has a force, and nothing is conserved";
  if (system.d > 0) found = "this system has constraints";
  if (found)
    throw InvalidArgument(std::string(what) +
                          " is for L = 1/2 v.M v - V(q) with a constant mass M, on R^n, without "
                          "force and constraint; " +
                          found);
}

NewmarkForm::NewmarkForm(std::shared_ptr<const KernelSystem> system, double beta, double h)
    : system_(std::move(system)), beta_(beta), h_(h) {
  detail::require_step(h);
  detail::require_newmark_system(*system_, "the form of Newmark's method");
  if (!(beta >= 0.0 && beta <= 0.5))
    throw InvalidArgument("the form of Newmark's method: beta must be in [0, 0.5], got " +
                          to_text(beta));
  if (system_->mass_diagonal.empty()) inverse_mass_ = system_->mass.inverse();
}

Vn NewmarkForm::gradient(double t, const Vn& q) const {
  Vn g(system_->n);
  std::vector<double> x{t};
  x.insert(x.end(), q.data(), q.data() + q.size());
  system_->potential_gradient(x.data(), g.data());
  return g;
}

Vn NewmarkForm::inverse_mass(const Vn& f) const {
  if (system_->mass_diagonal.empty()) return inverse_mass_ * f;
  return f.cwiseQuotient(Eigen::Map<const Vn>(system_->mass_diagonal.data(), system_->n));
}

Vn NewmarkForm::eta(double t, const Vn& q) const {
  return q + beta_ * h_ * h_ * inverse_mass(gradient(t, q));
}

/// M + βh²V″
Eigen::MatrixXd NewmarkForm::newton_matrix(double t, const Vn& q) const {
  const int n = system_->n;
  const Vn rest = Vn::Zero(n);
  const auto x = system_->point(t, q.data(), rest.data());
  std::vector<double> out(sz(2 * n + system_->second.size()));
  system_->hessian(x.data(), out.data());
  Eigen::MatrixXd m = Eigen::MatrixXd::Zero(n, n);
  for (int e = 0; e < system_->second.size(); ++e) {
    const bool mass = system_->second.column[sz(e)] >= n;
    const int i = system_->second.row[sz(e)] - (mass ? n : 0);
    const int j = system_->second.column[sz(e)] - (mass ? n : 0);
    const double entry = (mass ? 1.0 : -beta_ * h_ * h_) * out[sz(2 * n + e)];  // of L: -V″
    m(i, j) += entry;
    if (i != j) m(j, i) += entry;
  }
  return m;
}

Vn NewmarkForm::eta_derivative(double t, const Vn& q, const Vn& delta) const {
  return inverse_mass(newton_matrix(t, q) * delta);
}

VectorState NewmarkForm::canonical(const VectorState& s) const {
  VectorState x = s;
  x.q = eta(s.t, s.q);
  x.q_rest.setZero();
  return x;
}

VectorState NewmarkForm::physical(const VectorState& x) const {
  constexpr int max_iterations = 50;
  using detail::eps;
  VectorState s = x;
  s.q_rest.setZero();
  double last = std::numeric_limits<double>::infinity();
  int k = 0;
  for (; k < max_iterations; ++k) {
    const Vn defect = eta(x.t, s.q) - x.q;
    const Vn by_mass = system_->mass_diagonal.empty()
                           ? Vn(system_->mass * defect)
                           : Vn(Eigen::Map<const Vn>(system_->mass_diagonal.data(), system_->n)
                                    .cwiseProduct(defect));
    const Vn change = newton_matrix(x.t, s.q).partialPivLu().solve(by_mass);
    s.q -= change;
    const double size = change.cwiseAbs().maxCoeff();
    const double scale = std::max(x.q.cwiseAbs().maxCoeff(), s.q.cwiseAbs().maxCoeff());
    if (!std::isfinite(size)) break;
    if (size <= 4.0 * eps * scale || (size >= 0.5 * last && size <= 1e-13 * scale)) return s;
    last = size;
  }
  throw NoConvergence("the form of Newmark's method: no q with eta(q) = x was found at t = " +
                          to_text(x.t) + "; with h = " + to_text(h_) +
                          " the map eta may have no inverse there, try a smaller step",
                      x.t, h_, k, last);
}

double NewmarkForm::form(const VectorState& s, const Vn& a, const Vn& b) const {
  const int n = system_->n;
  const Vn first = eta_derivative(s.t, s.q, a.head(n));
  const Vn second = eta_derivative(s.t, s.q, b.head(n));
  return b.tail(n).dot(first) - a.tail(n).dot(second);
}

VectorState NewmarkForm::skeel_step(const VectorState& x) const {
  const Vn g0 = gradient(x.t, physical(x).q);
  VectorState y = x;
  y.t = x.t + h_;
  y.q = x.q + h_ * inverse_mass(x.p - 0.5 * h_ * g0);
  const Vn g1 = gradient(y.t, physical(y).q);
  y.p = x.p - 0.5 * h_ * (g0 + g1);
  return y;
}

}  // namespace varia
