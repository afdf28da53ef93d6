// SPDX-License-Identifier: BSD-3-Clause
#include "hamiltonian_stages.hpp"

#include <algorithm>
#include <cmath>

#include "varia/core/error.hpp"
#include "varia/core/round_off.hpp"
#include "varia/flow/failure.hpp"
#include "varia/space/euclidean.hpp"

namespace varia::detail {

namespace {
/// A power of two near x > 0: units that cost no rounding.
double power_of_two(double x) { return std::ldexp(1.0, std::ilogb(x)); }

}  // namespace

// ---------------------------------------------------------------- set-up

HamiltonianStages::HamiltonianStages(const HamiltonianSystem& system,
                                     const StageCoefficients& coefficients)
    : f(system), k(coefficients), n(system.n), r(coefficients.unknowns), m(coefficients.points) {
  const int size = (r + m) * n;
  newton.resize_vectors(size, size);
  newton.jacobian.resize(couplings());
  predictor.resize(size);
  make_blocks();
  for (SplitVector* v : {&xi_, &impulse_, &displacement_}) v->resize(n);
  x_.assign(sz(1 + 2 * n), 0.0);
  second_.assign(sz(2 * n + f.second.size()), 0.0);
  velocity_.assign(sz(n), 0.0);
  raw_.assign(sz(size), 0.0);
  U_.assign(sz(m * n), 0.0);
  W_ = U_;
  unit_p_.assign(sz(n), 1.0);
  inverse_unit_p_ = unit_p_;
}

/// One group for each coordinate: its velocities, then its momenta.
Couplings HamiltonianStages::couplings() const {
  Couplings c;
  for (int a = 0; a < n; ++a) {
    c.groups.emplace_back();
    for (int j = 0; j < r + m; ++j) c.groups.back().push_back(j * n + a);
  }
  for (int e = 0; e < f.second.size(); ++e)
    c.meeting.emplace_back(f.second.row[sz(e)] % n, f.second.column[sz(e)] % n);
  return c;
}

/// The part of the symmetric second derivatives with rows and columns from the given ones.
WeightedBlock HamiltonianStages::block(int row0, int column0) const {
  WeightedBlock result;
  const auto take = [&](int value, int i, int j) {
    if (i < row0 || i >= row0 + n || j < column0 || j >= column0 + n) return;
    result.value.push_back(value);
    result.slot.push_back(newton.jacobian.slot(i - row0, j - column0));
    result.row.push_back(i - row0);
    result.column.push_back(j - column0);
    result.weight.push_back(1.0);
  };
  for (int e = 0; e < f.second.size(); ++e) {
    const int i = f.second.row[sz(e)];
    const int j = f.second.column[sz(e)];
    take(e, i, j);
    if (i != j) take(e, j, i);
  }
  return result;
}

void HamiltonianStages::make_blocks() {
  // a group lists its unknowns in the order of the stages: blocks have constant distances
  row_stride_ = newton.jacobian.slot(n, 0) - newton.jacobian.slot(0, 0);
  column_stride_ = newton.jacobian.slot(0, n) - newton.jacobian.slot(0, 0);
  qq_ = block(0, 0);
  pp_ = block(n, n);
  qp_ = block(0, n);
  pq_ = block(n, 0);
  for (int a = 0; a < n; ++a) diagonal_.push_back(newton.jacobian.slot(a, a));
}

// ---------------------------------------------------------------- guess and units

void HamiltonianStages::begin(const FlatState& s, double h) {
  start_ = &s;
  h_ = h;
}

bool HamiltonianStages::predict() {
  if (!predictor.predict(h_, raw_)) return false;
  choose_units();
  return true;
}

void HamiltonianStages::guess() {
  x_[0] = start_->t;
  std::copy(start_->q.data(), start_->q.data() + n, x_.begin() + 1);
  std::copy(start_->p.data(), start_->p.data() + n, x_.begin() + 1 + n);
  f.gradient(x_.data(), second_.data());
  for (int j = 0; j < r; ++j)
    std::copy(second_.begin() + n, second_.begin() + 2 * n, raw_.begin() + j * n);
  for (int i = 0; i < m; ++i)
    for (int a = 0; a < n; ++a)
      raw_[sz((r + i) * n + a)] = start_->p[a] - h_ * k.c.hi[sz(i)] * second_[sz(a)];
  choose_units();
}

void HamiltonianStages::weigh(WeightedBlock& b, bool of_row, bool of_column) const {
  for (std::size_t e = 0; e < b.slot.size(); ++e)
    b.weight[e] = (of_row ? inverse_unit_p_[sz(b.row[e])] : 1.0 / unit_u_) *
                  (of_column ? unit_p_[sz(b.column[e])] : unit_u_);
}

/// Units from the guess, and the guess in them. Momenta below 1e-4 of the largest one share a unit:
/// one that begins at zero may grow within the step.
void HamiltonianStages::choose_units() {
  constexpr double tiny = 1e-280;
  double largest = 0.0;
  for (int j = 0; j < r * n; ++j) largest = std::max(largest, std::abs(raw_[sz(j)]));
  unit_u_ = largest > tiny && std::isfinite(largest) ? power_of_two(largest) : 1.0;
  largest = 0.0;
  for (int a = 0; a < n; ++a) {
    double size = std::abs(start_->p[a]);
    for (int i = 0; i < m; ++i) size = std::max(size, std::abs(momentum(i)[a]));
    unit_p_[sz(a)] = size;
    largest = std::max(largest, size);
  }
  const bool usable = largest > tiny && std::isfinite(largest);
  for (double& unit : unit_p_) unit = usable ? power_of_two(std::max(unit, 1e-4 * largest)) : 1.0;
  for (int a = 0; a < n; ++a) inverse_unit_p_[sz(a)] = 1.0 / unit_p_[sz(a)];
  weigh(pp_, false, true);
  weigh(qq_, true, false);
  weigh(qp_, true, true);
  weigh(pq_, false, false);
  for (int j = 0; j < r * n; ++j) newton.x[sz(j)] = raw_[sz(j)] / unit_u_;
  for (int i = r * n; i < newton.size; ++i)
    newton.x[sz(i)] = raw_[sz(i)] * inverse_unit_p_[sz(i % n)];
}

void HamiltonianStages::read_unknowns() {
  for (int j = 0; j < r * n; ++j) raw_[sz(j)] = newton.x[sz(j)] * unit_u_;
  for (int i = r * n; i < newton.size; ++i) raw_[sz(i)] = newton.x[sz(i)] * unit_p_[sz(i % n)];
}

// ---------------------------------------------------------------- evaluation

/// h Σⱼ aⱼuⱼ; see StageEquations::combine for why h multiplies the sum.
void HamiltonianStages::combine(const SplitArray& a, int row, SplitVector& sum) const {
  for (int b = 0; b < n; ++b) {
    double large = 0.0;
    double small = 0.0;
    for (int j = 0; j < r; ++j) {
      large += a.hi[at(row, j)] * velocity(j)[b];
      small += a.lo[at(row, j)] * velocity(j)[b];
    }
    sum.hi[sz(b)] = large * h_;
    sum.lo[sz(b)] = small * h_;
  }
}

/// x_ ← (t, Qⁱ, Pⁱ) and velocity_ ← Hⁱ
void HamiltonianStages::place(int i) {
  combine(k.A, i, displacement_);
  x_[0] = start_->t + (start_->t_rest + h_ * k.c.hi[sz(i)]);
  for (int a = 0; a < n; ++a) {
    x_[sz(1 + a)] =
        start_->q[a] + (displacement_.hi[sz(a)] + (displacement_.lo[sz(a)] + start_->q_rest[a]));
    x_[sz(1 + n + a)] = momentum(i)[a];
    double sum = k.nodal ? velocity(i)[a] : 0.0;
    for (int j = 0; !k.nodal && j < r; ++j)
      sum += k.B.hi[at(i, j)] * velocity(j)[a] + k.B.lo[at(i, j)] * velocity(j)[a];
    velocity_[sz(a)] = sum;
  }
}

/// Wⁱ = -∂H/∂q, the defects Hⁱ - ∂H/∂p, the impulse and, if second, the Jacobian.
template <bool second> void HamiltonianStages::points() {
  if constexpr (second) newton.jacobian.set_zero();
  impulse_.set_zero();
  for (int i = 0; i < m; ++i) {
    place(i);
    if constexpr (second)
      f.hessian(x_.data(), second_.data());
    else
      f.gradient(x_.data(), second_.data());
    for (int a = 0; a < n; ++a) {
      const double w = -second_[sz(a)];
      W_[sz(i * n + a)] = w;
      U_[sz(i * n + a)] = second_[sz(n + a)];
      impulse_.hi[sz(a)] += k.b.hi[sz(i)] * w;
      impulse_.lo[sz(a)] += k.b.lo[sz(i)] * w;
      newton.residual[sz(i * n + a)] = (velocity_[sz(a)] - second_[sz(n + a)]) / unit_u_;
    }
    if constexpr (second) add_jacobian(i);
  }
  for (int a = 0; a < n; ++a) {
    impulse_.hi[sz(a)] *= h_;
    impulse_.lo[sz(a)] *= h_;
  }
}

/// Rows: m of Hⁱ = ∂H/∂p, then r of the momenta. Columns: r velocities, then m momenta.
void HamiltonianStages::add_jacobian(int i) {
  const double* const values = second_.data() + sz(2 * n);
  pp_.add(place_of(i, r + i), -1.0, values);
  for (int l = 0; l < r; ++l) {
    double* const here = place_of(i, l);
    const double b = k.B.hi[at(i, l)];
    for (const std::size_t slot : diagonal_) here[slot] += b;
    if (k.A.hi[at(i, l)] != 0.0) pq_.add(here, -h_ * k.A.hi[at(i, l)], values);
  }
  for (int j = 0; j < r; ++j) {
    const double c = -h_ * k.row_D.hi[at(i, j)];
    double* const here = place_of(m + j, r + i);
    for (const std::size_t slot : diagonal_) here[slot] += k.row_P.hi[at(i, j)];
    if (c == 0.0) continue;
    qp_.add(here, c, values);
    for (int l = 0; l < r; ++l)
      if (k.A.hi[at(i, l)] != 0.0) qq_.add(place_of(m + j, l), c * (h_ * k.A.hi[at(i, l)]), values);
  }
}

/// Row j of the momenta, the small parts last.
void HamiltonianStages::momentum_row(int j) {
  const auto& s = *start_;
  const double beta_hi = k.row_beta.hi[sz(j)];
  const double beta_lo = k.row_beta.lo[sz(j)];
  for (int a = 0; a < n; ++a) {
    double large = 0.0;
    double small = 0.0;
    for (int i = 0; i < m; ++i) {
      large += k.row_D.hi[at(i, j)] * W_[sz(i * n + a)];
      small += k.row_D.lo[at(i, j)] * W_[sz(i * n + a)];
    }
    double sum = momentum(std::min(j, m - 1))[a] - s.p[a];
    double low = h_ * small - s.p_rest[a];
    if (!k.nodal) {
      sum = -beta_hi * s.p[a];
      low = -beta_hi * s.p_rest[a] - beta_lo * s.p[a] + h_ * small;
      for (int i = 0; i < m; ++i) {
        sum += k.row_P.hi[at(i, j)] * momentum(i)[a];
        low += k.row_P.lo[at(i, j)] * momentum(i)[a];
      }
    }
    newton.residual[sz((m + j) * n + a)] = ((sum + h_ * large) + low) * inverse_unit_p_[sz(a)];
  }
}

void HamiltonianStages::sum_rows() {
  for (int j = 0; j < r; ++j) momentum_row(j);
  double largest = 0.0;
  for (int a = 0; a < n; ++a)
    largest = std::max(largest, std::abs(start_->p[a]) * inverse_unit_p_[sz(a)]);
  for (int i = 0; i < m * n; ++i) {
    const double unit = inverse_unit_p_[sz(i % n)];
    largest = std::max({largest, std::abs(raw_[sz(r * n + i)]) * unit,
                        std::abs(h_ * W_[sz(i)]) * unit, std::abs(U_[sz(i)]) / unit_u_});
  }
  newton.magnitude = largest;
}

void HamiltonianStages::evaluate(bool fresh) {
  read_unknowns();
  if (fresh)
    points<true>();
  else
    points<false>();
  sum_rows();
}

void HamiltonianStages::linearise(const FlatState& s, double h,
                                  const std::vector<double>& unknowns) {
  begin(s, h);
  raw_ = unknowns;
  choose_units();
  evaluate(true);
  if (!newton.jacobian.factor())
    throw DomainError("the step from t = " + to_text(s.t) + " with h = " + to_text(h) +
                      " has no derivative: the Jacobian of its equations is singular");
}

Eigen::VectorXd HamiltonianStages::solve(const Eigen::VectorXd& rows) const {
  Eigen::VectorXd x = rows;
  for (int i = 0; i < newton.size; ++i) x[i] /= unit_of_row(i);
  newton.jacobian.solve(x.data());
  for (int i = 0; i < newton.size; ++i) x[i] *= unit_of_unknown(i);
  return x;
}

Eigen::VectorXd HamiltonianStages::solve_transposed(const Eigen::VectorXd& unknowns) const {
  Eigen::VectorXd x = unknowns;
  for (int i = 0; i < newton.size; ++i) x[i] *= unit_of_unknown(i);
  newton.jacobian.solve_transposed(x.data());
  for (int i = 0; i < newton.size; ++i) x[i] /= unit_of_row(i);
  return x;
}

void HamiltonianStages::finish(double last_update) {
  read_unknowns();
  predictor.push(h_, raw_);
  if (last_update > 4 * eps) points<false>();
  combine(k.beta, 0, xi_);
}

double HamiltonianStages::action() {
  double sum = 0.0;
  for (int i = 0; i < m; ++i) {
    place(i);
    double term = 0.0;
    f.value(x_.data(), &term);
    term = -term;
    for (int a = 0; a < n; ++a) term += momentum(i)[a] * velocity_[sz(a)];
    sum += k.b.hi[sz(i)] * term;
  }
  return h_ * sum;
}

void HamiltonianStages::end_step(FlatState& s) const {
  for (int a = 0; a < n; ++a) {
    s.q_rest[a] += xi_.lo[sz(a)];
    s.p_rest[a] += impulse_.lo[sz(a)];
    exact_add(s.q[a], s.q_rest[a], xi_.hi[sz(a)]);
    exact_add(s.p[a], s.p_rest[a], impulse_.hi[sz(a)]);
  }
  const double y = h_ + s.t_rest;
  const double sum = s.t + y;
  s.t_rest = y - (sum - s.t);
  s.t = sum;
  if (!s.q.allFinite() || !s.p.allFinite()) overflow(s.t - h_, h_);
}

}  // namespace varia::detail
