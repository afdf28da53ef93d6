// SPDX-License-Identifier: BSD-3-Clause
#include "rolling_derivative.hpp"

#include "stage_derivative.hpp"
#include "varia/core/index.hpp"

namespace varia::detail {

/// The values of rates at x with so many zeros behind it, a column for t and each free parameter.
Eigen::MatrixXd RollingDerivative::rates_of(const expr::Kernel& kernel,
                                            const std::vector<double>& x, int zeros,
                                            int rows) const {
  Eigen::MatrixXd rates = Eigen::MatrixXd::Zero(rows, 1 + f_->free);
  if (!kernel) return rates;
  std::vector<double> point = x;
  point.resize(x.size() + sz(zeros), 0.0);
  kernel(point.data(), rates.data());
  return rates;
}

void RollingDerivative::set(const std::vector<double>& x, bool hidden,
                            const std::vector<CurvedPlace>& curved) {
  const KernelSystem& f = *f_;
  const int n = f.n;
  second_.resize(sz(2 * n + f.second.size()));
  f.hessian(x.data(), second_.data());
  constraint_.resize(sz(f.e + f.nonholonomic_pattern.size()));
  f.nonholonomic(x.data(), constraint_.data());
  hidden_.resize(hidden ? sz(f.d + f.hidden_pattern.size()) : 0);
  if (hidden) f.hidden(x.data(), hidden_.data());
  momentum_rates_ = rates_of(f.rates, x, 0, 2 * n).bottomRows(n);
  constraint_rates_ = rates_of(f.nonholonomic_rates, x, f.e, f.e + n).topRows(f.e);
  hidden_rates_ = rates_of(f.constraint_rates, x, f.d, 2 * f.d + n).middleRows(f.d, f.d);
  curved_.clear();
  for (const CurvedPlace& c : curved) {
    FactorChart::Map map;
    c.factor->ad_star(&second_[sz(n + c.degree)], map);
    curved_.push_back(
        {c.degree, c.dof, square(c.chart.D, c.dof), square(c.chart.A, c.dof), square(map, c.dof)});
  }
}

RollingDerivative::Out RollingDerivative::forward(const In& in) const {
  const int n = f_->n;
  Vn a = in.X + in.delta;  // the displacement of the point in its own frame
  for (const Curved& c : curved_)
    a.segment(c.degree, c.dof) =
        c.D * in.X.segment(c.degree, c.dof) + c.A.transpose() * in.delta.segment(c.degree, c.dof);
  Out out{momentum_rates_ * in.s, constraint_rates_ * in.s, {}};
  add_product(patterns_->vq, second_.data() + 2 * n, a, out.momentum);
  add_product(patterns_->vv, second_.data() + 2 * n, in.velocity, out.momentum);
  for (const Curved& c : curved_) {
    const Vn pi = out.momentum.segment(c.degree, c.dof);
    out.momentum.segment(c.degree, c.dof) =
        c.A * (pi - c.bracket * (c.D * in.X.segment(c.degree, c.dof)));
  }
  add_product(patterns_->rolling_q, constraint_.data() + f_->e, a, out.constraint);
  add_product(patterns_->rolling_v, constraint_.data() + f_->e, in.velocity, out.constraint);
  if (hidden_.empty()) return out;
  out.hidden = hidden_rates_ * in.s;
  add_product(patterns_->hidden_q, hidden_.data() + f_->d, a, out.hidden);
  add_product(patterns_->hidden_v, hidden_.data() + f_->d, in.velocity, out.hidden);
  return out;
}

RollingDerivative::In RollingDerivative::transposed(const Out& out) const {
  const int n = f_->n;
  In in{Vn::Zero(n), Vn::Zero(n), Vn::Zero(n), constraint_rates_.transpose() * out.constraint};
  Vn pi = out.momentum;
  for (const Curved& c : curved_) {
    const Vn moved = c.A.transpose() * pi.segment(c.degree, c.dof);
    pi.segment(c.degree, c.dof) = moved;
    in.X.segment(c.degree, c.dof) = -(c.D.transpose() * (c.bracket.transpose() * moved));
  }
  in.s += momentum_rates_.transpose() * pi;
  Vn a = Vn::Zero(n);
  add_transposed_product(patterns_->vq, second_.data() + 2 * n, pi, a);
  add_transposed_product(patterns_->vv, second_.data() + 2 * n, pi, in.velocity);
  add_transposed_product(patterns_->rolling_q, constraint_.data() + f_->e, out.constraint, a);
  add_transposed_product(patterns_->rolling_v, constraint_.data() + f_->e, out.constraint,
                         in.velocity);
  if (!hidden_.empty()) {
    in.s += hidden_rates_.transpose() * out.hidden;
    add_transposed_product(patterns_->hidden_q, hidden_.data() + f_->d, out.hidden, a);
    add_transposed_product(patterns_->hidden_v, hidden_.data() + f_->d, out.hidden, in.velocity);
  }
  in.delta = a;
  Vn X = a;
  for (const Curved& c : curved_) {
    const Vn here = a.segment(c.degree, c.dof);
    X.segment(c.degree, c.dof) = c.D.transpose() * here;
    in.delta.segment(c.degree, c.dof) = c.A * here;
  }
  in.X += X;
  return in;
}

// ---------------------------------------------------------------- rows of a step

/// (t, Qⁱ, vⁱ) of the point at hand.
void StageDerivative::set_rolling(int i) {
  const double* const v = &stages_.newton.x[sz(stages_.rolling_row(i))];
  std::vector<double> x(stages_.x_.begin(), stages_.x_.begin() + 1 + f_.entries);
  x.insert(x.end(), v, v + f_.n);
  rolling_[sz(i - 1)].set(x, f_.d > 0 && i == k_.unknowns - 1, stages_.curved_);
}

/// Λⁱ among the unknowns; Λ⁰ is that of the start.
Vn StageDerivative::rolling_multiplier(int i, const PhaseVector& z, const Vn& x) const {
  if (i > 0) return x.segment(stages_.rolling_place(i), f_.e);
  return z.lambda.size() > 0 ? z.lambda : Vn(Vn::Zero(f_.e));
}

/// The parts of mʲ = p₀ + h aⱼ₀ G(q₀)ᵀλ₀ + h Σᵢ aⱼᵢ Ad* Nⁱ, j > 0: of the start, of point i.
void StageDerivative::add_start_of_rolling(const Vn& nu, const Vn& reaction, Vn& rows) const {
  for (int j = 1; j < k_.unknowns; ++j)
    rows.segment(stages_.rolling_row(j), f_.n) -= nu + share_of_start(j) * reaction;
}

void StageDerivative::add_rolling(int i, const PointDerivative::In& in, const Vn& moved,
                                  const Vn& x, Vn& rows) const {
  const int n = f_.n;
  for (int j = 1; j < k_.unknowns; ++j)
    rows.segment(stages_.rolling_row(j), n) -= weight(k_.A, j, i) * moved;
  if (i == 0) return;
  const RollingDerivative::Out out =
      rolling_[sz(i - 1)].forward({in.X, in.delta, x.segment(stages_.rolling_row(i), n), in.s});
  rows.segment(stages_.rolling_row(i), n) += out.momentum;
  rows.segment(stages_.rolling_place(i), f_.e) = out.constraint;
  if (out.hidden.size() > 0) rows.segment(multiplier(stages_.inner), f_.d) = out.hidden;
}

/// The transposed maps. The results are the covectors of p₀ and of the reaction at the start, and that
/// of Ad* Nⁱ over h.
std::pair<Vn, Vn> StageDerivative::start_of_rolling_transposed(const Vn& rows) const {
  Vn nu = Vn::Zero(f_.n);
  Vn reaction = Vn::Zero(f_.n);
  for (int j = 1; j < k_.unknowns; ++j) {
    nu -= rows.segment(stages_.rolling_row(j), f_.n);
    reaction -= share_of_start(j) * rows.segment(stages_.rolling_row(j), f_.n);
  }
  return {nu, reaction};
}

Vn StageDerivative::rolling_transposed(int i, const Vn& rows, PhaseVector& z, Vn& x, Vn& s) const {
  const int n = f_.n;
  Vn moved = Vn::Zero(n);
  for (int j = 1; j < k_.unknowns; ++j)
    moved -= weight(k_.A, j, i) * rows.segment(stages_.rolling_row(j), n);
  if (i == 0) return moved;
  RollingDerivative::Out out{
      rows.segment(stages_.rolling_row(i), n), rows.segment(stages_.rolling_place(i), f_.e), {}};
  if (f_.d > 0 && i == k_.unknowns - 1) out.hidden = rows.segment(multiplier(stages_.inner), f_.d);
  RollingDerivative::In in = rolling_[sz(i - 1)].transposed(out);
  x.segment(stages_.rolling_row(i), n) += in.velocity;
  add_point(i, {in.X, Vn::Zero(n), in.delta, {}, in.s}, z, x, s);
  return moved;
}

}  // namespace varia::detail
