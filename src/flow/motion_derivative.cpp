// SPDX-License-Identifier: BSD-3-Clause
#include "motion_derivative.hpp"

#include <algorithm>

#include "scatter.hpp"
#include "varia/core/index.hpp"
#include "varia/expr/tape_series.hpp"

namespace varia::detail {

void derivative_along(const expr::Kernel& kernel, const std::vector<double>& x,
                      const std::vector<double>& dx, double* out) {
  const expr::Tape& tape = kernel.tape();
  expr::TapeSeries series(tape, 1);
  series.extend(0, x.data());
  series.extend(1, dx.data());
  for (int i = 0; i < tape.outputs(); ++i) out[i] = series.coefficient(i, 1);
}

MotionDerivative::MotionDerivative(const KernelSystem& system)
    : f_(system),
      patterns_(system),
      second_(sz(2 * system.n + system.second.size())),
      force_(sz(system.n + system.force_pattern.size())),
      rates_(Eigen::MatrixXd::Zero(2 * system.n, 1 + system.free)),
      rates_drift_(rates_) {
  Couplings couplings;
  for (int i = 0; i < f_.n; ++i) couplings.groups.push_back({i});
  for (const auto* block : {&patterns_.qq, &patterns_.qv, &patterns_.vq, &patterns_.vv,
                            &patterns_.force_q, &patterns_.force_v})
    meet(*block, couplings);
  matrix_.resize(couplings);
}

bool MotionDerivative::possible(const KernelSystem& system) {
  const bool rates_change = system.rates && (!system.separable || system.free > 0);
  return (system.separable || system.hessian.has_tape()) &&
         (!rates_change || system.rates.has_tape());
}

void MotionDerivative::set(double t, const Vn& q, const Vn& v) {
  x_ = f_.point(t, q.data(), v.data());
  f_.hessian(x_.data(), second_.data());
  if (f_.forced) f_.force_derivative(x_.data(), force_.data());
  if (f_.rates) f_.rates(x_.data(), rates_.data());
}

void MotionDerivative::set_acceleration(const Vn& a) {
  std::vector<double> dx{1.0};
  dx.insert(dx.end(), x_.begin() + 1 + f_.n, x_.end());
  dx.insert(dx.end(), a.data(), a.data() + f_.n);
  if (!f_.separable) {
    drift_.resize(second_.size());
    derivative_along(f_.hessian, x_, dx, drift_.data());
  }
  if (f_.rates && (!f_.separable || f_.free > 0))
    derivative_along(f_.rates, x_, dx, rates_drift_.data());
}

/// f(block, values, sign, by_v) for the parts of ∂r/∂q and ∂r/∂v.
template <class F> void MotionDerivative::each_block(const F& f) const {
  const double* const second = second_.data() + 2 * f_.n;
  f(patterns_.qq, second, -1.0, false);
  f(patterns_.vq, second, 1.0, true);
  f(patterns_.qv, second, -1.0, true);
  if (!drift_.empty()) {
    f(patterns_.vq, drift_.data() + 2 * f_.n, 1.0, false);
    f(patterns_.vv, drift_.data() + 2 * f_.n, 1.0, true);
  }
  if (f_.forced) {
    f(patterns_.force_q, force_.data() + f_.n, -1.0, false);
    f(patterns_.force_v, force_.data() + f_.n, -1.0, true);
  }
}

bool MotionDerivative::factor(double by_q, double by_v) {
  matrix_.set_zero();
  double* const data = matrix_.data();
  const auto add = [&](const std::vector<Scatter>& block, const double* values, double factor) {
    for (const Scatter& e : block) data[matrix_.slot(e.row, e.column)] += factor * values[e.value];
  };
  add(patterns_.vv, second_.data() + 2 * f_.n, 1.0);
  each_block([&](const auto& block, const double* values, double sign, bool of_v) {
    if (const double factor = of_v ? by_v : by_q; factor != 0.0) add(block, values, sign * factor);
  });
  return matrix_.factor();
}

Vn MotionDerivative::solved(Vn x) const {
  matrix_.solve(x.data());
  return x;
}

Vn MotionDerivative::solved_transposed(Vn x) const {
  matrix_.solve_transposed(x.data());
  return x;
}

Vn MotionDerivative::residual(const Vn& q, const Vn& v, const Vn& s) const {
  Vn r = rates_drift_.bottomRows(f_.n) * s - rates_.topRows(f_.n) * s;
  each_block([&](const auto& block, const double* values, double sign, bool by_v) {
    add_product(block, values, sign * (by_v ? v : q), r);
  });
  return r;
}

void MotionDerivative::add_residual_transposed(const Vn& r, Vn& q, Vn& v, Vn& s) const {
  s += (rates_drift_.bottomRows(f_.n) - rates_.topRows(f_.n)).transpose() * r;
  each_block([&](const auto& block, const double* values, double sign, bool by_v) {
    add_transposed_product(block, values, sign * r, by_v ? v : q);
  });
}

Vn MotionDerivative::momentum(const Vn& q, const Vn& v, const Vn& s) const {
  Vn p = rates_.bottomRows(f_.n) * s;
  add_product(patterns_.vq, second_.data() + 2 * f_.n, q, p);
  add_product(patterns_.vv, second_.data() + 2 * f_.n, v, p);
  return p;
}

void MotionDerivative::add_momentum_transposed(const Vn& p, Vn& q, Vn& v, Vn& s) const {
  s += rates_.bottomRows(f_.n).transpose() * p;
  add_transposed_product(patterns_.vq, second_.data() + 2 * f_.n, p, q);
  add_transposed_product(patterns_.vv, second_.data() + 2 * f_.n, p, v);
}

}  // namespace varia::detail
