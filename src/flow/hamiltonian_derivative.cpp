// SPDX-License-Identifier: BSD-3-Clause
#include "hamiltonian_derivative.hpp"

#include "scatter.hpp"
#include "varia/core/index.hpp"

namespace varia::detail {

HamiltonianDerivative::HamiltonianDerivative(const HamiltonianSystem& system,
                                             const StageCoefficients& coefficients)
    : f_(system),
      k_(coefficients),
      stages_(system, coefficients),
      qq_(both_triangles(system.second, 0, 0, system.n)),
      qp_(both_triangles(system.second, 0, system.n, system.n)),
      pq_(both_triangles(system.second, system.n, 0, system.n)) {}

void HamiltonianDerivative::set(const FlatState& s, double h, const std::vector<double>& unknowns) {
  h_ = h;
  stages_.linearise(s, h, unknowns);
  points_.clear();
  const auto velocity = [&](int j) {
    return Eigen::Map<const Numbers>(unknowns.data() + j * f_.n, f_.n);
  };
  for (int i = 0; i < k_.points; ++i) {
    const double* const x = stages_.point(i);
    At at{Numbers::Zero(f_.n),
          {},
          std::vector<double>(sz(2 * f_.n + f_.second.size())),
          Eigen::MatrixXd::Zero(2 * f_.n, 1 + f_.free)};
    for (int j = 0; j < k_.unknowns; ++j) at.way += A(i, j) * velocity(j);
    f_.hessian(x, at.second.data());
    at.W = -Eigen::Map<const Numbers>(at.second.data(), f_.n);
    if (f_.rates) f_.rates(x, at.rates.data());
    points_.push_back(std::move(at));
  }
  mean_ = Numbers::Zero(f_.n);
  for (int j = 0; j < k_.unknowns; ++j) mean_ += k_.beta.hi[sz(j)] * velocity(j);
}

Numbers HamiltonianDerivative::times(const std::vector<Scatter>& block, const At& point,
                                     const Numbers& x) const {
  Numbers product = Numbers::Zero(f_.n);
  add_product(block, point.second.data() + 2 * f_.n, x, product);
  return product;
}

Numbers HamiltonianDerivative::parameters(int i, const PhaseVector& z) const {
  Numbers s = Numbers::Zero(1 + f_.free);
  s[0] = z.t + k_.c.hi[sz(i)] * z.h;
  s.tail(z.free.size()) = z.free;
  return s;
}

void HamiltonianDerivative::add_parameters(int i, const Numbers& s, PhaseVector& z) const {
  z.t += s[0];
  z.h += k_.c.hi[sz(i)] * s[0];
  z.free += s.tail(z.free.size());
}

void HamiltonianDerivative::forward(PhaseVector& z) const {
  const int n = f_.n;
  const int m = k_.points;
  const int r = k_.unknowns;
  // rows: Hⁱ - ∂H/∂p, then those of the momenta, by what is not an unknown
  Numbers rows = Numbers::Zero((m + r) * n);
  std::vector<Numbers> dW;
  for (int i = 0; i < m; ++i) {
    const At& at = points_[sz(i)];
    const Numbers dq = z.delta + z.h * at.way;
    const Numbers by_rates = at.rates * parameters(i, z);
    rows.segment(i * n, n) = -(times(pq_, at, dq) + by_rates.tail(n));
    dW.emplace_back(-(times(qq_, at, dq) + by_rates.head(n)));
  }
  for (int j = 0; j < r; ++j) {
    auto row = rows.segment((m + j) * n, n);
    row = -k_.row_beta.hi[sz(j)] * z.nu;
    for (int i = 0; i < m; ++i) row += D(i, j) * (z.h * points_[sz(i)].W + h_ * dW[sz(i)]);
  }
  const Numbers dy = stages_.solve(-rows);
  z.delta += z.h * mean_;
  for (int j = 0; j < r; ++j) z.delta += (h_ * k_.beta.hi[sz(j)]) * dy.segment(j * n, n);
  for (int i = 0; i < m; ++i) {
    const At& at = points_[sz(i)];
    Numbers dq = Numbers::Zero(n);
    for (int j = 0; j < r; ++j) dq += (h_ * A(i, j)) * dy.segment(j * n, n);
    const Numbers change =
        dW[sz(i)] - times(qq_, at, dq) - times(qp_, at, dy.segment((r + i) * n, n));
    z.nu += k_.b.hi[sz(i)] * (z.h * at.W + h_ * change);
  }
  z.t += z.h;
}

void HamiltonianDerivative::transposed(PhaseVector& z) const {
  const int n = f_.n;
  const int m = k_.points;
  const int r = k_.unknowns;
  z.h += z.t + mean_.dot(z.delta);
  Numbers unknowns = Numbers::Zero((m + r) * n);
  for (int j = 0; j < r; ++j) unknowns.segment(j * n, n) = (h_ * k_.beta.hi[sz(j)]) * z.delta;
  for (int i = 0; i < m; ++i) {
    const At& at = points_[sz(i)];
    const double weight = h_ * k_.b.hi[sz(i)];
    z.h += k_.b.hi[sz(i)] * at.W.dot(z.nu);
    const Numbers by_q = weight * times(qq_, at, z.nu);
    for (int j = 0; j < r; ++j) unknowns.segment(j * n, n) -= (h_ * A(i, j)) * by_q;
    unknowns.segment((r + i) * n, n) = -weight * times(pq_, at, z.nu);
  }
  const Numbers rows = -stages_.solve_transposed(unknowns);
  const Numbers nu = z.nu;
  for (int j = 0; j < r; ++j) z.nu -= k_.row_beta.hi[sz(j)] * rows.segment((m + j) * n, n);
  for (int i = 0; i < m; ++i) {
    const At& at = points_[sz(i)];
    Numbers by_W = (h_ * k_.b.hi[sz(i)]) * nu;
    for (int j = 0; j < r; ++j) {
      const auto row = rows.segment((m + j) * n, n);
      z.h += D(i, j) * at.W.dot(row);
      by_W += (h_ * D(i, j)) * row;
    }
    const Numbers row = rows.segment(i * n, n);
    const Numbers by_q = -times(qq_, at, by_W) - times(qp_, at, row);
    z.delta += by_q;
    z.h += at.way.dot(by_q);
    Numbers both(2 * n);
    both << by_W, row;
    add_parameters(i, -(at.rates.transpose() * both), z);
  }
}

}  // namespace varia::detail
