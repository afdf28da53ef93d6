// SPDX-License-Identifier: BSD-3-Clause
#include "varia/flow/multiplier_change.hpp"

#include <vector>

#include "constraint_kkt.hpp"
#include "multiplier_derivative.hpp"
#include "point_derivative.hpp"
#include "varia/core/index.hpp"
#include "varia/flow/legendre_transform.hpp"

namespace varia {

namespace {

using detail::ConstraintKkt;
using detail::sz;

/// The velocity of s, and the second derivatives of L there, with the momenta in front.
std::pair<Vn, std::vector<double>> motion_at(const KernelSystem& f, const VectorState& s) {
  Vn v = Vn::Zero(f.n);
  LegendreTransform(f).velocity(s, v.data());
  std::vector<double> second(sz(2 * f.n + f.second.size()));
  f.hessian(f.point(s.t, s.q.data(), v.data()).data(), second.data());
  return {v, second};
}

void require_factors(bool regular, double t) {
  if (!regular) throw SingularMass("the mass matrix d2L/dv2 is singular at t = " + to_text(t));
}

/// The changes of G v + ∂φ/∂t and Φ with the place alone.
Vn rates_by_place(const KernelSystem& f, const std::vector<double>& x, const Vn& delta) {
  Vn rates = Vn::Zero(f.d + f.e);
  const detail::PointPatterns patterns(f);
  const auto add = [&](const expr::Kernel& kernel, const Pattern& pattern,
                       const std::vector<detail::Scatter>& by_place, int first, int count) {
    std::vector<double> out(sz(count + pattern.size()));
    kernel(x.data(), out.data());
    Vn sum = Vn::Zero(count);
    detail::add_product(by_place, out.data() + count, delta, sum);
    rates.segment(first, count) = sum;
  };
  if (f.d > 0) add(f.hidden, f.hidden_pattern, patterns.hidden_q, 0, f.d);
  add(f.nonholonomic, f.nonholonomic_pattern, patterns.rolling_q, f.d, f.e);
  return rates;
}

}  // namespace

void set_multiplier_change(const KernelSystem& system, const VectorState& s, PhaseVector& z) {
  if (system.e == 0) return;
  if (!detail::MultiplierDerivative::possible(system))
    throw InvalidArgument(
        "how the multipliers of nonholonomic constraints change at a start is known from formulas "
        "only, not from C++ functions; state it in lambda, or state the system by formulas");
  detail::MultiplierDerivative derivative(system);
  derivative.set(s);
  derivative.forward(z);
}

void project_change(const KernelSystem& f, const VectorState& s, PhaseVector& z) {
  if (f.e == 0) return;
  const auto [v, second] = motion_at(f, s);
  const double* const values = second.data() + 2 * f.n;
  ConstraintKkt kkt(f);
  kkt.place(s.t, s.q, v);
  const std::vector<int> left_out = kkt.rank().left_out();
  if (f.d > 0) {
    std::vector<int> without = left_out;
    for (const int a : kkt.nonholonomic()) without.push_back(a);
    require_factors(kkt.factor(values, 0.0, without), s.t);
    z.delta += kkt.move(-kkt.along(z.delta).head(f.d));
  }
  const detail::PointPatterns patterns(f);
  Vn change = z.nu;
  Vn mixed = Vn::Zero(f.n);
  detail::add_product(patterns.vq, values, z.delta, mixed);
  change -= mixed;
  const Vn none = Vn::Zero(kkt.count());
  require_factors(kkt.factor(values, 0.0, detail::range(0, kkt.count())), s.t);
  const Vn dv = kkt.solve(change, none).head(f.n);
  const Vn rates = kkt.along(dv) + rates_by_place(f, f.point(s.t, s.q.data(), v.data()), z.delta);
  require_factors(kkt.factor(values, 0.0, left_out), s.t);
  const Vn both = kkt.solve(Vn::Zero(f.n), -rates);
  Vn impulse;
  kkt.reaction(both.data() + f.n, impulse);
  z.nu += impulse;
}

}  // namespace varia
