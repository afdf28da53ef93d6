// SPDX-License-Identifier: BSD-3-Clause
// Momenta as unknowns: the step of a system that is stated by its Hamiltonian.
//
//   (phase-stage)   Hⁱ = ∂H/∂p(Qⁱ, Pⁱ),   and (stage) with Wⁱ = -∂H/∂q(Qⁱ, Pⁱ)                [LZ11]
//
// Velocities and momenta have different units, and momenta of light and heavy bodies different sizes;
// Newton's method stops on the size of its steps, so its unknowns are uⱼ and σPⁱ, and its rows those of
// (stage) times σ and Hⁱ - ∂H/∂p, with powers of two σ such that σP is about as large as u.
#include <algorithm>
#include <cmath>

#include "stages.hpp"

namespace varia::detail {

namespace {

/// A power of two near x > 0: units that cost no rounding.
double power_of_two(double x) { return std::ldexp(1.0, std::ilogb(x)); }

constexpr double tiny = 1e-280;
bool usable(double size) { return size > tiny && std::isfinite(size); }

}  // namespace

UnitBlock Stages::unit_block(int row0, int column0) const {
  UnitBlock result{block(both_triangles(f.second, row0, column0, n)), {}};
  result.weight.assign(result.slot.size(), 1.0);
  return result;
}

void Stages::make_momenta() {
  momenta_ = std::make_unique<PhaseUnknowns>();
  PhaseUnknowns& y = *momenta_;
  y.qq = unit_block(0, 0);
  y.qp = unit_block(0, n);
  y.pq = unit_block(n, 0);
  y.pp = unit_block(n, n);
  for (int a = 0; a < n; ++a) y.diagonal.push_back(newton.jacobian.slot(a, a));
  y.unit.assign(sz(n), 1.0);
  y.inverse_unit = y.velocity = y.unit;
  y.raw.assign(newton.x.size(), 0.0);
}

/// u = ∂H/∂p, Pⁱ = p₀ - h cᵢ ∂H/∂q, both at the start.
void Stages::guess_momenta() {
  x_[0] = start_->t;
  std::copy_n(start_->q.data(), n, &x_[1]);
  std::copy_n(start_->p.data(), n, &x_[sz(1 + n)]);
  double* const slope = seconds_.data();
  f.gradient(x_.data(), slope);
  for (int j = 0; j < r; ++j) std::copy_n(slope + n, n, &newton.x[sz(j * n)]);
  for (int i = 0; i < m; ++i)
    for (int a = 0; a < n; ++a)
      newton.x[sz((r + i) * n + a)] = start_->p[a] - h_ * k.c.hi[sz(i)] * slope[a];
  choose_units();
}

/// σ from u and P in newton.x, and the unknowns in these units. Momenta below 1e-4 of the largest one
/// share a unit: one that begins at zero may grow within the step.
void Stages::choose_units() {
  PhaseUnknowns& y = *momenta_;
  double* const P = newton.x.data() + sz(r) * sz(n);
  double fastest = 0.0;
  for (int j = 0; j < r * n; ++j) fastest = std::max(fastest, std::abs(newton.x[sz(j)]));
  const double unit_of_u = usable(fastest) ? power_of_two(fastest) : 1.0;
  double largest = 0.0;
  for (int a = 0; a < n; ++a) {
    double size = std::abs(start_->p[a]);
    for (int i = 0; i < m; ++i) size = std::max(size, std::abs(P[i * n + a]));
    y.unit[sz(a)] = size;
    largest = std::max(largest, size);
  }
  for (int a = 0; a < n; ++a) {
    const double size = std::max(y.unit[sz(a)], 1e-4 * largest);
    y.unit[sz(a)] = unit_of_u / (usable(largest) ? power_of_two(size) : 1.0);
    y.inverse_unit[sz(a)] = 1.0 / y.unit[sz(a)];
  }
  for (int i = 0; i < m * n; ++i) P[i] *= y.unit[sz(i % n)];
  for (UnitBlock* block : {&y.qq, &y.qp}) block->weigh_rows(y.unit);
  for (UnitBlock* block : {&y.qp, &y.pp}) block->weigh_columns(y.inverse_unit, block == &y.pp);
}

/// u, then P, without units.
const std::vector<double>& Stages::unknowns() {
  if (momenta_ == nullptr) return newton.x;
  PhaseUnknowns& y = *momenta_;
  y.raw = newton.x;
  for (int i = 0; i < m * n; ++i) y.raw[sz(r * n + i)] *= y.inverse_unit[sz(i % n)];
  return y.raw;
}

/// x_ = (t, Qⁱ, Hⁱ) becomes (t, Qⁱ, Pⁱ).
void Stages::exchange_velocity(int i) {
  PhaseUnknowns& y = *momenta_;
  double* const last = &x_[sz(1 + n)];
  for (int a = 0; a < n; ++a) {
    y.velocity[sz(a)] = last[a];
    last[a] = newton.x[sz((r + i) * n + a)] * y.inverse_unit[sz(a)];
  }
}

/// Pⁱ, and the row Hⁱ - ∂H/∂p; second_ holds derivatives of -H.
void Stages::momentum_of_point(int i) {
  for (int a = 0; a < n; ++a) {
    P_[sz(i * n + a)] = x_[sz(1 + n + a)];
    newton.residual[sz((r + i) * n + a)] = momenta_->velocity[sz(a)] + second_[n + a];
  }
}

/// (stage) in the units of the momenta, and the largest term of all rows.
void Stages::rows_in_units() {
  const std::vector<double>& unit = momenta_->unit;
  for (int i = 0; i < r * n; ++i) newton.residual[sz(i)] *= unit[sz(i % n)];
  double largest = 0.0;
  for (int a = 0; a < n; ++a) largest = std::max(largest, std::abs(start_->p[a]) * unit[sz(a)]);
  for (int i = 0; i < m; ++i)
    for (int a = 0; a < n; ++a) {
      const auto at = sz(i * n + a);
      largest =
          std::max({largest, std::abs(P_[at]) * unit[sz(a)], std::abs(h_ * W_[at]) * unit[sz(a)],
                    std::abs(seconds_[sz(i * second_size_ + n + a)])});
    }
  newton.magnitude = largest;
}

/// Rows: r of (stage), then m of Hⁱ = ∂H/∂p. Columns: r velocities, then m momenta.
void Stages::add_phase_jacobian() {
  const PhaseUnknowns& y = *momenta_;
  const auto block = [&](int row, int column) {
    return newton.jacobian.data() + sz(row) * row_stride_ + sz(column) * column_stride_;
  };
  const auto add_diagonal = [&](double* a, double x) {
    for (const std::size_t slot : y.diagonal) a[slot] += x;
  };
  for (int i = 0; i < m; ++i) {
    const double* const values = seconds_.data() + i * second_size_ + 2 * n;
    y.pp.add(block(r + i, r + i), 1.0, values);
    for (int l = 0; l < r; ++l) {
      add_diagonal(block(r + i, l), k.B.hi[at(i, l)]);
      if (k.A.hi[at(i, l)] != 0.0) y.pq.add(block(r + i, l), h_ * k.A.hi[at(i, l)], values);
    }
    for (int j = 0; j < r; ++j) {
      add_diagonal(block(j, r + i), k.row_P.hi[at(i, j)]);
      const double c = h_ * k.row_D.hi[at(i, j)];
      if (c == 0.0) continue;
      y.qp.add(block(j, r + i), c, values);
      for (int l = 0; l < r; ++l)
        if (k.A.hi[at(i, l)] != 0.0) y.qq.add(block(j, l), c * (h_ * k.A.hi[at(i, l)]), values);
    }
  }
}

void Stages::solve_linear(double* rows) const {
  if (momenta_ != nullptr)
    for (int i = 0; i < r * n; ++i) rows[i] *= momenta_->unit[sz(i % n)];
  newton.jacobian.solve(rows);
  if (momenta_ != nullptr)
    for (int i = 0; i < m * n; ++i) rows[r * n + i] *= momenta_->inverse_unit[sz(i % n)];
}

void Stages::solve_transposed(double* unknowns) const {
  if (momenta_ != nullptr)
    for (int i = 0; i < m * n; ++i) unknowns[r * n + i] *= momenta_->inverse_unit[sz(i % n)];
  newton.jacobian.solve_transposed(unknowns);
  if (momenta_ != nullptr)
    for (int i = 0; i < r * n; ++i) unknowns[i] *= momenta_->unit[sz(i % n)];
}

}  // namespace varia::detail
