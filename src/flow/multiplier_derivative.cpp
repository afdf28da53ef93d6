// SPDX-License-Identifier: BSD-3-Clause
#include "multiplier_derivative.hpp"

#include <algorithm>

#include "constrained_motion.hpp"
#include "motion_derivative.hpp"
#include "varia/core/index.hpp"

namespace varia::detail {

bool MultiplierDerivative::possible(const KernelSystem& f) {
  const auto known = [](const expr::Kernel& kernel) { return !kernel || kernel.has_tape(); };
  return f.hessian.has_tape() && f.nonholonomic.has_tape() && known(f.force) &&
         known(f.mass_rate) && known(f.constraint) && known(f.constraint_acceleration) &&
         known(f.nonholonomic_rate) && known(f.rates) && known(f.constraint_rates) &&
         known(f.nonholonomic_rates);
}

/// (EL) at a state, with its solution.
struct MultiplierDerivative::Place {
  Place(const KernelSystem& system, const VectorState& s)
      : f(system), n(system.n), kkt(system), mass(system), v(Vn::Zero(n)) {
    LegendreTransform(f).velocity(s, v.data());
    ConstrainedMotion motion(f);
    motion.place(s.t, s.q, v);
    const std::vector<int> left_out = motion.rank().left_out();
    motion.solve(left_out);
    a = motion.acceleration();
    lambda = motion.multipliers();
    q = s.q;
    x = f.point(s.t, q.data(), v.data());
    second.resize(sz(2 * n + f.second.size()));
    f.hessian(x.data(), second.data());
    pi = Eigen::Map<const Vn>(second.data() + n, n);
    nonholonomic.resize(sz(f.e + f.nonholonomic_pattern.size()));
    f.nonholonomic(x.data(), nonholonomic.data());
    kkt.place(s.t, q, v);
    mass.place(s.t, q, v);
    if (!kkt.factor(second.data() + 2 * n, 0.0, left_out) ||
        !mass.factor(second.data() + 2 * n, 0.0, range(0, mass.count())))
      throw SingularMass("the multipliers have no derivative at t = " + to_text(s.t) +
                         ": the mass matrix d2L/dv2 is singular");
    set_rates();
  }

  /// A kernel of x, and multipliers behind it, along dx: they are held.
  std::vector<double> along(const expr::Kernel& kernel, const Vn& held,
                            const std::vector<double>& dx) const {
    std::vector<double> at = x;
    std::vector<double> direction = dx;
    at.insert(at.end(), held.data(), held.data() + held.size());
    direction.resize(at.size(), 0.0);
    std::vector<double> out(sz(kernel.tape().outputs()));
    derivative_along(kernel, at, direction, out.data());
    return out;
  }

  std::vector<double> direction(double t, const Vn& delta, const Vn& dv) const {
    std::vector<double> dx(x.size(), 0.0);
    dx[0] = t;
    f.space.entry_rates(q.data(), delta.data(), &dx[1]);
    std::copy_n(dv.data(), n, dx.begin() + 1 + f.entries);
    return dx;
  }

  /// L_vv⁻¹ ν
  Vn by_mass(const Vn& nu) const { return mass.solve(nu, Vn::Zero(mass.count())).head(n); }

  /// L_vq δ
  Vn mixed(const std::vector<double>& values, const Vn& delta) const {
    Vn result = Vn::Zero(n);
    for (int e = 0; e < f.second.size(); ++e) {
      const int i = f.second.row[sz(e)] - n;
      const int j = f.second.column[sz(e)];
      if (i >= 0 && j < n) result[i] += values[sz(2 * n + e)] * delta[j];
    }
    return result;
  }

  /// dλ of nonholonomic constraints for a change of place and velocity, to which the given one of (EL) adds.
  Vn change(const Vn& delta, const Vn& dv, const Vn& more) const {
    const std::vector<double> dx = direction(0.0, delta, dv);
    Vn all(n + kkt.count());
    all << top(dx, dv), bottom(dx, dv);
    all += more;
    return kkt.solve(all.head(n), all.tail(kkt.count())).tail(f.e);
  }

  Vn top(const std::vector<double>& dx, const Vn& dv) const {
    const std::vector<double> d = along(f.hessian, {}, dx);
    Vn sum = Eigen::Map<const Vn>(d.data(), n) - mixed(d, v) - mixed(second, dv);
    for (int e = 0; e < f.second.size(); ++e) {
      const int i = f.second.row[sz(e)] - n;
      const int j = f.second.column[sz(e)] - n;
      if (i < 0 || j < 0) continue;
      sum[i] -= d[sz(2 * n + e)] * a[j];
      if (i != j) sum[j] -= d[sz(2 * n + e)] * a[i];
    }
    f.space.add_coadjoint(d.data() + n, v.data(), sum.data());
    f.space.add_coadjoint(pi.data(), dv.data(), sum.data());
    const auto add = [&](const expr::Kernel& kernel, double sign) {
      if (kernel) sum += sign * Eigen::Map<const Vn>(along(kernel, {}, dx).data(), n);
    };
    if (f.forced) add(f.force, 1.0);
    add(f.mass_rate, -1.0);
    each_slope(dx, [&](int row, int column, double slope) {
      sum[column] += slope * lambda[row];  // dRᵀλ
    });
    return sum;
  }

  /// The change of -φ̈ and -(∂Φ/∂q v + ∂Φ/∂t) at constant v, and of R, for a.
  Vn bottom(const std::vector<double>& dx, const Vn& dv) const {
    Vn sum = Vn::Zero(kkt.count());
    if (f.d > 0)
      sum.head(f.d) -= Eigen::Map<const Vn>(along(f.constraint_acceleration, {}, dx).data(), f.d);
    if (f.nonholonomic_rate)
      sum.tail(f.e) -= Eigen::Map<const Vn>(along(f.nonholonomic_rate, {}, dx).data(), f.e);
    const std::vector<double> d = along(f.nonholonomic, {}, dx);
    for (int e = 0; e < f.nonholonomic_pattern.size(); ++e) {
      const int i = f.nonholonomic_pattern.row[sz(e)];
      const int j = f.nonholonomic_pattern.column[sz(e)];
      if (j < n) sum[f.d + i] -= d[sz(f.e + e)] * v[j] + nonholonomic[sz(f.e + e)] * dv[j];
    }
    each_slope(dx, [&](int row, int column, double slope) { sum[row] -= slope * a[column]; });
    return sum;
  }

  /// f(constraint, degree of freedom, dR)
  template <class F> void each_slope(const std::vector<double>& dx, const F& work) const {
    if (f.d > 0) {
      std::vector<double> at(x.begin(), x.begin() + 1 + f.entries);
      std::vector<double> d(sz(f.d + f.constraint_pattern.size()));
      derivative_along(f.constraint, at, {dx.begin(), dx.begin() + 1 + f.entries}, d.data());
      for (int e = 0; e < f.constraint_pattern.size(); ++e)
        work(f.constraint_pattern.row[sz(e)], f.constraint_pattern.column[sz(e)], d[sz(f.d + e)]);
    }
    const std::vector<double> d = along(f.nonholonomic, {}, dx);
    for (int e = 0; e < f.nonholonomic_pattern.size(); ++e)
      if (const int j = f.nonholonomic_pattern.column[sz(e)]; j >= n)
        work(f.d + f.nonholonomic_pattern.row[sz(e)], j - n, d[sz(f.e + e)]);
  }

  /// How -r, -D(G v + ∂φ/∂t) and -DΦ, and ∂L/∂v, change with s at constant (q, v, a, λ).
  void set_rates() {
    const Eigen::Index columns = 1 + f.free;
    rates = Eigen::MatrixXd::Zero(n + kkt.count(), columns);
    momentum_rates = Eigen::MatrixXd::Zero(n, columns);
    const std::vector<double> motion = direction(1.0, v, a);
    const auto matrix = [&](const std::vector<double>& values, int rows) {
      return Eigen::MatrixXd(Eigen::Map<const Eigen::MatrixXd>(values.data(), rows, columns));
    };
    const auto value = [&](const expr::Kernel& kernel, const Vn& held, int rows) {
      std::vector<double> at = x;
      at.insert(at.end(), held.data(), held.data() + held.size());
      std::vector<double> out(sz(rows * columns));
      kernel(at.data(), out.data());
      return matrix(out, rows);
    };
    if (f.rates) {
      const Eigen::MatrixXd here = value(f.rates, {}, 2 * n);
      momentum_rates = here.bottomRows(n);
      rates.topRows(n) = here.topRows(n) - matrix(along(f.rates, {}, motion), 2 * n).bottomRows(n);
      for (Eigen::Index k = 0; k < columns; ++k)
        f.space.add_coadjoint(momentum_rates.col(k).data(), v.data(), rates.col(k).data());
    }
    if (f.constraint_rates) {
      const Vn held = lambda.head(f.d);
      rates.topRows(n) += value(f.constraint_rates, held, 2 * f.d + n).bottomRows(n);
      rates.middleRows(n, f.d) -=
          matrix(along(f.constraint_rates, held, motion), 2 * f.d + n).middleRows(f.d, f.d);
    }
    if (f.nonholonomic_rates) {
      const Vn held = lambda.tail(f.e);
      rates.topRows(n) += value(f.nonholonomic_rates, held, f.e + n).bottomRows(n);
      rates.bottomRows(f.e) -=
          matrix(along(f.nonholonomic_rates, held, motion), f.e + n).topRows(f.e);
    }
  }

  const KernelSystem& f;
  int n;
  ConstraintKkt kkt, mass;
  Vn q, v, a, lambda, pi;
  std::vector<double> x, second, nonholonomic;
  Eigen::MatrixXd rates, momentum_rates;
};

void MultiplierDerivative::set(const VectorState& s) {
  const Place at(f_, s);
  const int n = f_.n;
  const Vn none = Vn::Zero(n);
  const Vn no_more = Vn::Zero(n + f_.d + f_.e);
  matrix_.resize(f_.e, 2 * n + 1 + f_.free);
  for (int k = 0; k < n; ++k) {
    const Vn unit = Vn::Unit(n, k);
    matrix_.col(k) = at.change(unit, -at.by_mass(at.mixed(at.second, unit)), no_more);
    matrix_.col(n + k) = at.change(none, at.by_mass(unit), no_more);
  }
  for (int k = 0; k <= f_.free; ++k)
    matrix_.col(2 * n + k) =
        at.change(none, -at.by_mass(at.momentum_rates.col(k)), at.rates.col(k));
}

void MultiplierDerivative::forward(PhaseVector& z) const {
  Vn all(matrix_.cols());
  all << z.delta, z.nu, parameters_of(z, z.t, f_.free);
  z.lambda = matrix_ * all;
}

void MultiplierDerivative::transposed(PhaseVector& z) const {
  if (z.lambda.size() > 0) {
    const Vn all = matrix_.transpose() * z.lambda;
    z.delta += all.head(f_.n);
    z.nu += all.segment(f_.n, f_.n);
    add_parameters(all.tail(1 + f_.free), z);
  }
  z.lambda = Vn::Zero(f_.e);
}

}  // namespace varia::detail
