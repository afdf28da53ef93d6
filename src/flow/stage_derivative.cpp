// SPDX-License-Identifier: BSD-3-Clause
#include "stage_derivative.hpp"

#include <algorithm>

#include "varia/core/index.hpp"
#include "varia/flow/failure.hpp"

namespace varia::detail {

namespace {

Vn as_vector(const std::vector<double>& x) { return Eigen::Map<const Vn>(x.data(), std::ssize(x)); }

}  // namespace

StageDerivative::StageDerivative(const KernelSystem& f, const StageCoefficients& k, Retraction tau,
                                 const std::vector<int>& left_out)
    : f_(f),
      k_(k),
      stages_(f, k, tau, left_out),
      patterns_(f),
      points_(sz(k.points), PointDerivative(f, patterns_)),
      X_(sz(k.points)),
      W_(sz(k.points)),
      start_reaction_(f, patterns_),
      end_constraint_(f, patterns_),
      projection_(f, patterns_) {
  if (f.rates) rates_.assign(sz(2 * f.n * (1 + f.free)), 0.0);
  if (f.constraint_rates) constraint_rates_.assign(sz((2 * f.d + f.n) * (1 + f.free)), 0.0);
  if (f.e == 0) return;
  rolling_.assign(sz(k.unknowns - 1), RollingDerivative(f, patterns_));
  rolling_slopes_.assign(sz(f.e + f.nonholonomic_pattern.size()), 0.0);
  if (f.nonholonomic_rates) rolling_rates_.assign(sz((f.e + f.n) * (1 + f.free)), 0.0);
}

void StageDerivative::set(const VectorState& s, double h, const std::vector<double>& x) {
  h_ = h;
  stages_.begin(s, h);
  stages_.set_unknowns(x);
  stages_.evaluate(true);
  set_points();
  stages_.finish(1.0);
  set_end(s);
  if (!stages_.newton.jacobian.factor())
    throw SingularMass("the step from t = " + to_text(s.t) + " with h = " + to_text(h) +
                       " has no derivative: the Jacobian of its equations is singular");
  if (f_.d == 0) return;
  const Vn lambda = Eigen::Map<const Vn>(x.data() + multiplier(0), f_.d);
  const Vn rest = Vn::Zero(f_.n);
  start_reaction_.set(f_.point(s.t, s.q.data(), rest.data()), lambda, stages_.weight0_, h);
  if (!projects()) return;
  VectorState end = s;
  stages_.end_step(end);
  end_constraint_.set(f_.point(end.t, end.q.data(), rest.data()), end.lambda, 0.0, h);
  projection_.set(end, stages_.end_, stages_.weight1_, h);
}

void StageDerivative::recompute_multipliers(const VectorState& end) {
  if (!multipliers_) multipliers_ = std::make_unique<MultiplierDerivative>(f_);
  multipliers_->set(end);
}

void StageDerivative::set_points() {
  Stages& at = stages_;
  for (int i = 0; i < k_.points; ++i) {
    at.place<0>(i);
    if (inside(i)) f_.constraint(at.x_.data(), at.phi_.data());
    if (f_.rates) f_.rates(at.x_.data(), rates_.data());
    if (f_.hamiltonian)  // N = -∂H/∂q
      for (double& rate : rates_) rate = -rate;
    const bool driven = inside(i) && f_.constraint_rates;
    if (driven) {
      std::vector<double> x(at.x_.begin(), at.x_.begin() + 1 + f_.entries + f_.n);
      x.insert(x.end(), at.multiplier(i), at.multiplier(i) + f_.d);
      f_.constraint_rates(x.data(), constraint_rates_.data());
    }
    if (f_.e > 0) f_.nonholonomic(at.x_.data(), rolling_slopes_.data());
    if (f_.nonholonomic_rates) f_.nonholonomic_rates(at.x_.data(), rolling_rates_.data());
    points_[sz(i)].set(
        {at.seconds_.data() + i * at.second_size_,
         f_.acts() ? at.forces_.data() + i * at.force_size_ : nullptr,
         inside(i) ? at.curves_.data() + i * at.curve_size_ : nullptr,
         inside(i) ? at.phi_.data() + f_.d : nullptr, f_.rates ? rates_.data() : nullptr,
         driven ? constraint_rates_.data() : nullptr,
         f_.e > 0 ? rolling_slopes_.data() + f_.e : nullptr,
         f_.nonholonomic_rates ? rolling_rates_.data() : nullptr},
        at.curved_);
    if (i > 0 && !rolling_.empty()) set_rolling(i);
    X_[sz(i)] = as_vector(at.displacements_[sz(i)].hi);
    W_[sz(i)] = Eigen::Map<const Vn>(&at.W_[sz(i * at.n)], at.n);
  }
}

void StageDerivative::set_end(const VectorState& s) {
  xi_ = as_vector(stages_.xi_.hi);
  const Vn m = s.p + as_vector(stages_.impulse_.hi) + as_vector(stages_.impulse_.lo);
  ends_.clear();
  for (const CurvedPlace& c : stages_.curved_) {
    const Vn xi = xi_.segment(c.degree, c.dof);
    const Vn back = -xi;
    const Vn rest = Vn::Zero(c.dof);
    FactorChart chart;
    FactorChart::Map map;
    double q[32];
    double v[FactorChart::most];
    const auto place = [&](const Vn& at) {
      c.factor->place(s.q.data() + c.entry, at.data(), rest.data(), stages_.tau_, chart, q, v);
    };
    End end{c.degree, c.dof, {}, {}, {}, {}, {}, {}};
    place(xi);
    end.D = square(chart.D, c.dof);
    end.A = square(chart.A, c.dof);
    place(back);
    end.back_D = square(chart.D, c.dof);
    end.back_A = square(chart.A, c.dof);
    c.factor->transpose_derivative(chart, m.data() + c.degree, map);
    end.back_T = square(map, c.dof);
    const Vn p = end.back_A * m.segment(c.degree, c.dof);
    end.bracket = ad_star(*c.factor, p.data());
    ends_.push_back(std::move(end));
  }
}

/// λ = 0 instead of φ = 0, as in Stages::replace_left_out.
void StageDerivative::leave_out(const Vn& x, Vn& rows) const {
  for (int i = 0; i <= stages_.inner; ++i) {
    const Eigen::Index row = multiplier(i == 0 ? stages_.inner : i - 1);
    for (int a = 0; a < f_.d; ++a)
      if (stages_.left_out_[sz(a)]) rows[row + a] = x[multiplier(i) + a];
  }
}

void StageDerivative::leave_out_transposed(Vn& rows, Vn& x) const {
  for (int i = 0; i <= stages_.inner; ++i) {
    const Eigen::Index row = multiplier(i == 0 ? stages_.inner : i - 1);
    for (int a = 0; a < f_.d; ++a)
      if (stages_.left_out_[sz(a)]) {
        x[multiplier(i) + a] += rows[row + a];
        rows[row + a] = 0.0;
      }
  }
}

/// The change of the rows for that of z₀ and x; z becomes that of the end before the projection.
Vn StageDerivative::apply(PhaseVector& z, const Vn& x) const {
  const int n = f_.n;
  const auto u = [&](int j) { return x.segment(j * n, n); };
  Vn rows = Vn::Zero(x.size());
  Vn m = z.nu;
  Vn reaction = Vn::Zero(n);
  if (f_.d > 0)
    reaction = start_reaction_.forward(z.delta, x.segment(multiplier(0), f_.d), z.h,
                                       parameters_of(z, z.t, f_.free));
  m += reaction;
  if (!rolling_.empty()) add_start_of_rolling(z.nu, reaction, rows);
  Vn xi = (z.h / h_) * xi_;
  for (int j = 0; j < k_.unknowns; ++j) xi += h_ * k_.beta.hi[sz(j)] * u(j);
  PointDerivative::In in{Vn(n), Vn(n), z.delta, {}, parameters_of(z, z.t, f_.free), {}};
  for (int i = 0; i < k_.points; ++i) {
    in.X = (z.h / h_) * X_[sz(i)];
    in.H.setZero();
    for (int j = 0; j < k_.unknowns; ++j) {
      in.X += h_ * weight(k_.A, i, j) * u(j);
      in.H += weight(k_.B, i, j) * u(j);
    }
    in.s[0] = z.t + k_.c.hi[sz(i)] * z.h;
    if (inside(i)) in.lambda = x.segment(multiplier(i), f_.d);
    if (!rolling_.empty()) in.rolling = rolling_multiplier(i, z, x);
    const Vn velocity = in.H;
    if (f_.hamiltonian) in.H = x.segment(momentum(i), n);
    const PointDerivative& point = points_[sz(i)];
    PointDerivative::Out out = point.forward(in);
    if (f_.hamiltonian) {
      rows.segment(momentum(i), n) = velocity + out.P;
      out.P = in.H;
    }
    for (int j = 0; j < k_.unknowns; ++j)
      rows.segment(j * n, n) +=
          weight(k_.row_P, i, j) * out.P + weight(k_.row_W, i, j) * (h_ * out.W + z.h * W_[sz(i)]);
    if (inside(i)) rows.segment(multiplier(i - 1), f_.d) = out.phi;
    const Vn moved = h_ * out.M + z.h * point.moved();
    m += k_.b.hi[sz(i)] * moved;
    if (!rolling_.empty()) add_rolling(i, in, moved, x, rows);
  }
  if (!rolling_.empty()) z.lambda = x.segment(stages_.rolling_place(k_.unknowns - 1), f_.e);
  Vn kappa = m;
  Vn delta = z.delta + xi;
  z.nu = m;
  for (const End& e : ends_) {
    const auto at = [&e](const Vn& y) { return y.segment(e.degree, e.dof); };
    const Vn moved = e.D * at(xi);
    kappa.segment(e.degree, e.dof) = e.back_D.transpose() * at(m) - e.back_T * at(xi);
    delta.segment(e.degree, e.dof) = e.A.transpose() * at(z.delta) + moved;
    z.nu.segment(e.degree, e.dof) = e.back_A * at(m) + e.bracket * moved;
  }
  for (int j = 0; j < k_.unknowns; ++j) rows.segment(j * n, n) -= k_.row_beta.hi[sz(j)] * kappa;
  z.delta = delta;
  z.t += z.h;
  if (projects())
    rows.segment(multiplier(stages_.inner), f_.d) =
        end_constraint_.along(z.delta) +
        end_constraint_.phi_rates() * parameters_of(z, z.t, f_.free);
  leave_out(x, rows);
  return rows;
}

/// Point i by the start and the unknowns, transposed.
void StageDerivative::add_point(int i, const PointDerivative::In& in, PhaseVector& z, Vn& x,
                                Vn& s) const {
  z.delta += in.delta;
  s += in.s;
  z.h += k_.c.hi[sz(i)] * in.s[0] + X_[sz(i)].dot(in.X) / h_;
  for (int j = 0; j < k_.unknowns; ++j)
    x.segment(j * f_.n, f_.n) += h_ * weight(k_.A, i, j) * in.X + weight(k_.B, i, j) * in.H;
}

/// What point i answers to covectors of the rows and of the momentum m.
void StageDerivative::answer_of_point(int i, const Vn& rows, const Vn& m, PhaseVector& z, Vn& x,
                                      Vn& s) const {
  const int n = f_.n;
  Vn moved = k_.b.hi[sz(i)] * m;
  if (!rolling_.empty()) moved += rolling_transposed(i, rows, z, x, s);
  PointDerivative::Out out{Vn::Zero(n), Vn::Zero(n), h_ * moved, {}};
  const PointDerivative& point = points_[sz(i)];
  z.h += moved.dot(point.moved());
  for (int j = 0; j < k_.unknowns; ++j) {
    const auto row = rows.segment(j * n, n);
    out.P += weight(k_.row_P, i, j) * row;
    out.W += h_ * weight(k_.row_W, i, j) * row;
    z.h += weight(k_.row_W, i, j) * W_[sz(i)].dot(row);
  }
  if (inside(i)) out.phi = rows.segment(multiplier(i - 1), f_.d);
  const Vn by_momentum = out.P;
  if (f_.hamiltonian) out.P = rows.segment(momentum(i), n);
  PointDerivative::In in = point.transposed(out);
  if (f_.hamiltonian) {
    x.segment(momentum(i), n) += in.H + by_momentum;
    in.H = out.P;
  }
  add_point(i, in, z, x, s);
  if (inside(i)) x.segment(multiplier(i), f_.d) += in.lambda;
  if (i == 0 && !rolling_.empty())
    z.lambda += in.rolling;
  else if (!rolling_.empty())
    x.segment(stages_.rolling_place(i), f_.e) += in.rolling;
}

/// The transposed map of apply(): z from covectors of the end to those of the start; the result are
/// those of x.
Vn StageDerivative::apply_transposed(const Vn& given, PhaseVector& z) const {
  const int n = f_.n;
  Vn rows = given;
  Vn x = Vn::Zero(rows.size());
  leave_out_transposed(rows, x);
  Vn s = Vn::Zero(1 + f_.free);
  if (projects()) {
    const Vn last = rows.segment(multiplier(stages_.inner), f_.d);
    z.delta += end_constraint_.against(last);
    s = end_constraint_.phi_rates().transpose() * last;
    z.t += s[0];
    s[0] = 0.0;
  }
  Vn kappa = Vn::Zero(n);
  for (int j = 0; j < k_.unknowns; ++j) kappa -= k_.row_beta.hi[sz(j)] * rows.segment(j * n, n);
  Vn m = z.nu + kappa;
  Vn xi = z.delta;
  Vn delta = z.delta;
  for (const End& e : ends_) {
    const auto at = [&e](const Vn& y) { return y.segment(e.degree, e.dof); };
    const Vn moved = at(z.delta) + e.bracket.transpose() * at(z.nu);
    m.segment(e.degree, e.dof) = e.back_A.transpose() * at(z.nu) + e.back_D * at(kappa);
    xi.segment(e.degree, e.dof) = e.D.transpose() * moved - e.back_T.transpose() * at(kappa);
    delta.segment(e.degree, e.dof) = e.A * at(z.delta);
  }
  z.h += z.t + xi.dot(xi_) / h_;
  z.nu = m;
  z.delta = delta;
  for (int j = 0; j < k_.unknowns; ++j) x.segment(j * n, n) += h_ * k_.beta.hi[sz(j)] * xi;
  Vn reaction = m;
  if (!rolling_.empty()) {
    const auto [nu, more] = start_of_rolling_transposed(rows);
    z.nu += nu;
    reaction += more;
    if (z.lambda.size() > 0) x.segment(stages_.rolling_place(k_.unknowns - 1), f_.e) += z.lambda;
    z.lambda = Vn::Zero(f_.e);
  }
  if (f_.d > 0) {
    Vn lambda = Vn::Zero(f_.d);
    start_reaction_.transposed(reaction, z.delta, lambda, z.h, s);
    x.segment(multiplier(0), f_.d) += lambda;
  }
  for (int i = 0; i < k_.points; ++i) answer_of_point(i, rows, m, z, x, s);
  add_parameters(s, z);
  return x;
}

void StageDerivative::forward(PhaseVector& z) const {
  PhaseVector start = z;
  Vn x = -apply(start, Vn::Zero(stages_.newton.size));
  stages_.solve_linear(x.data());
  apply(z, x);
  if (projects()) projection_.forward(z);
  if (multipliers_) multipliers_->forward(z);
}

void StageDerivative::transposed(PhaseVector& z,
                                 const std::vector<PointDerivative::In>& points) const {
  if (multipliers_) multipliers_->transposed(z);
  if (projects()) projection_.transposed(z);
  const Eigen::Index size = stages_.newton.size;
  Vn x = apply_transposed(Vn::Zero(size), z);
  Vn s = Vn::Zero(1 + f_.free);
  for (std::size_t i = 0; i < points.size(); ++i)
    add_point(static_cast<int>(i), points[i], z, x, s);
  add_parameters(s, z);
  x = -x;
  stages_.solve_transposed(x.data());
  PhaseVector more = PhaseVector::zero(f_.n, static_cast<int>(z.free.size()));
  apply_transposed(x, more);
  z.add(1.0, more);
}

}  // namespace varia::detail
