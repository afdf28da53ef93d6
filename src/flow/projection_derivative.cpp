// SPDX-License-Identifier: BSD-3-Clause
#include "projection_derivative.hpp"

#include "varia/core/index.hpp"

namespace varia::detail {

void ReactionDerivative::set(const std::vector<double>& x, const Vn& lambda, double weight,
                             double h) {
  const KernelSystem& f = f_;
  weight_ = weight;
  rate_ = weight / h;
  phi_.assign(sz(f.d + f.constraint_pattern.size()), 0.0);
  f.constraint(x.data(), phi_.data());
  curvature_.assign(sz(f.curvature_pattern.size()), 0.0);
  const auto with_multipliers = [&](std::ptrdiff_t count) {
    std::vector<double> point(x.begin(), x.begin() + count);
    point.insert(point.end(), lambda.data(), lambda.data() + f.d);
    return point;
  };
  f.constraint_curvature(with_multipliers(1 + f.entries).data(), curvature_.data());
  reaction_ = against(lambda);
  half_brackets_.clear();
  for (const auto& c : f.space.curved())
    half_brackets_.emplace_back(0.5 * ad_star(*c.factor, reaction_.data() + c.degree));
  Eigen::MatrixXd rates = Eigen::MatrixXd::Zero(2 * f.d + f.n, 1 + f.free);
  if (f.constraint_rates) f.constraint_rates(with_multipliers(std::ssize(x)).data(), rates.data());
  phi_rates_ = rates.topRows(f.d);
  hidden_rates_ = rates.middleRows(f.d, f.d);
  reaction_rates_ = rates.bottomRows(f.n);
}

Vn ReactionDerivative::along(const Vn& delta) const {
  Vn rates = Vn::Zero(f_.d);
  add_product(patterns_.constraint, phi_.data() + f_.d, delta, rates);
  return rates;
}

Vn ReactionDerivative::against(const Vn& lambda) const {
  Vn covector = Vn::Zero(f_.n);
  add_transposed_product(patterns_.constraint, phi_.data() + f_.d, lambda, covector);
  return covector;
}

Vn ReactionDerivative::forward(const Vn& delta, const Vn& lambda, double h, const Vn& s) const {
  Vn sum = against(lambda) + reaction_rates_ * s;
  add_product(patterns_.curvature, curvature_.data(), delta, sum);
  for (std::size_t i = 0; i < half_brackets_.size(); ++i) {
    const auto& c = f_.space.curved()[i];
    sum.segment(c.degree, c.dof) += half_brackets_[i] * delta.segment(c.degree, c.dof);
  }
  return weight_ * sum + (h * rate_) * reaction_;
}

void ReactionDerivative::transposed(const Vn& covector, Vn& delta, Vn& lambda, double& h,
                                    Vn& s) const {
  Vn sum = Vn::Zero(f_.n);
  add_product(patterns_.curvature, curvature_.data(), covector, sum);  // symmetric
  for (std::size_t i = 0; i < half_brackets_.size(); ++i) {
    const auto& c = f_.space.curved()[i];
    sum.segment(c.degree, c.dof) +=
        half_brackets_[i].transpose() * covector.segment(c.degree, c.dof);
  }
  delta += weight_ * sum;
  lambda += weight_ * along(covector);
  h += rate_ * reaction_.dot(covector);
  s += weight_ * (reaction_rates_.transpose() * covector);
}

void ProjectionDerivative::set(const VectorState& end, EndSystem& solved, double weight, double h) {
  const KernelSystem& f = f_;
  kkt_ = &solved.linearise(f, end, weight);
  left_out_ = solved.left_out();
  t_ = end.t;
  q_ = end.q;
  v_ = Eigen::Map<const Vn>(solved.velocity(), f.n);
  const std::vector<double> x = f.point(end.t, q_.data(), v_.data());
  second_.assign(sz(2 * f.n + f.second.size()), 0.0);
  f.hessian(x.data(), second_.data());
  Eigen::MatrixXd rates = Eigen::MatrixXd::Zero(2 * f.n, 1 + f.free);
  if (f.rates) f.rates(x.data(), rates.data());
  momentum_rates_ = rates.bottomRows(f.n);
  reaction_.set(x, end.lambda, weight, h);
}

/// ad_δ v
Vn ProjectionDerivative::bracket(const Vn& delta) const {
  Vn result = Vn::Zero(f_.n);
  for (const auto& c : f_.space.curved())
    for (int b = 0; b < c.dof; ++b) {
      const Vn unit = Vn::Unit(c.dof, b);
      result[c.degree + b] = (ad_star(*c.factor, unit.data()) * delta.segment(c.degree, c.dof))
                                 .dot(v_.segment(c.degree, c.dof));
    }
  return result;
}

/// The change of G v + ∂φ/∂t along δ at constant v: φ″(v, δ) + ∂²φ/∂t∂q δ + ½G ad_δ v. The second
/// derivative of φ along (1, u) is quadratic in u, so that two of its values give the first two exactly.
Vn ProjectionDerivative::hidden(const Vn& delta) const {
  const double length = delta.lpNorm<Eigen::Infinity>();
  if (length == 0.0) return Vn::Zero(f_.d);
  const double speed = v_.lpNorm<Eigen::Infinity>();
  const double scale = (speed > 0.0 ? speed : 1.0) / length;
  const auto second = [&](double sign) {
    const Vn u = v_ + sign * scale * delta;
    Vn result(f_.d);
    f_.constraint_acceleration(f_.point(t_, q_.data(), u.data()).data(), result.data());
    return result;
  };
  return (second(1.0) - second(-1.0)) / (4.0 * scale) + 0.5 * reaction_.along(bracket(delta));
}

void ProjectionDerivative::hidden_transposed(const Vn& rates, Vn& delta) const {
  std::vector<double> point{t_};
  point.insert(point.end(), q_.data(), q_.data() + f_.entries);
  std::vector<double> whole = f_.point(t_, q_.data(), v_.data());
  for (auto* x : {&point, &whole}) x->insert(x->end(), rates.data(), rates.data() + f_.d);
  std::vector<double> curvature(sz(f_.curvature_pattern.size()));
  f_.constraint_curvature(point.data(), curvature.data());
  add_product(patterns_.curvature, curvature.data(), v_, delta);
  if (f_.rheonomic()) {  // ∂(Gᵀ rates)/∂t
    Eigen::MatrixXd all(2 * f_.d + f_.n, 1 + f_.free);
    f_.constraint_rates(whole.data(), all.data());
    delta += all.col(0).tail(f_.n);
  }
  const Vn covector = 0.5 * reaction_.against(rates);
  for (const auto& c : f_.space.curved())
    delta.segment(c.degree, c.dof) +=
        ad_star(*c.factor, covector.data() + c.degree).transpose() * v_.segment(c.degree, c.dof);
}

/// [∂²L/∂v², -wGᵀ; G, 0] (dv, dλ) = (dp + d(wGᵀ)λ - ∂²L/∂v∂q δ - …, -d(G)v - d(∂φ/∂t))
void ProjectionDerivative::forward(PhaseVector& z) const {
  const int n = f_.n;
  const Vn s = parameters_of(z, z.t, f_.free);
  z.nu += reaction_.forward(z.delta, Vn::Zero(f_.d), z.h, s);
  Vn change = z.nu - momentum_rates_ * s;
  Vn mixed = Vn::Zero(n);
  add_product(patterns_.vq, second_.data() + 2 * n, z.delta, mixed);
  change -= mixed;
  Vn unknown(n + f_.d);
  unknown << change, -hidden(z.delta) - reaction_.hidden_rates() * s;
  for (std::size_t a = 0; a < left_out_.size(); ++a)
    if (left_out_[a]) unknown[n + static_cast<Eigen::Index>(a)] = 0.0;
  kkt_->solve(unknown.data());
  z.nu += reaction_.forward(Vn::Zero(n), unknown.tail(f_.d), 0.0, Vn::Zero(s.size()));
}

void ProjectionDerivative::transposed(PhaseVector& z) const {
  const int n = f_.n;
  Vn unknown = Vn::Zero(n + f_.d);
  Vn lambda = Vn::Zero(f_.d);
  Vn none = Vn::Zero(n);
  Vn s = Vn::Zero(1 + f_.free);
  double no_h = 0.0;
  reaction_.transposed(z.nu, none, lambda, no_h, s);
  unknown.tail(f_.d) = lambda;
  kkt_->solve_transposed(unknown.data());
  Vn rates = unknown.tail(f_.d);
  for (std::size_t a = 0; a < left_out_.size(); ++a)
    if (left_out_[a]) rates[static_cast<Eigen::Index>(a)] = 0.0;
  const Vn change = unknown.head(n);
  hidden_transposed(-rates, z.delta);
  add_transposed_product(patterns_.vq, second_.data() + 2 * n, -change, z.delta);
  z.nu += change;
  s = -(momentum_rates_.transpose() * change) - reaction_.hidden_rates().transpose() * rates;
  reaction_.transposed(z.nu, z.delta, lambda, z.h, s);
  add_parameters(s, z);
}

}  // namespace varia::detail
