// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The equations (phase-stage) in flat arrays, with the zeros of the second derivatives of H.
//
// Unknowns are the r velocities uⱼ and the m momenta Pⁱ. Velocities and momenta have different
// units, and momenta of light and heavy bodies different sizes; Newton's method stops on the size
// of its steps, so it sees uⱼ and Pⁱ divided by powers of two near their sizes.
#include <vector>

#include "stages.hpp"
#include "varia/core/index.hpp"
#include "varia/flow/hamiltonian_flow.hpp"

namespace varia::detail {

/// A block with a weight for each entry: the units of its row and column.
struct WeightedBlock : PatternBlock {
  std::vector<int> row, column;
  std::vector<double> weight;

  void add(double* a, double factor, const double* values) const {
    for (std::size_t e = 0; e < slot.size(); ++e)
      a[slot[e]] += factor * (weight[e] * values[static_cast<std::size_t>(value[e])]);
  }
};

struct HamiltonianStages {
  HamiltonianStages(const HamiltonianSystem& system, const StageCoefficients& coefficients);

  void begin(const FlatState& s, double h);
  /// A guess from earlier steps; false if there is none.
  bool predict();
  /// The guess of a first step: u = ∂H/∂p, P = p₀ - h c ∂H/∂q, both at the start.
  void guess();
  /// Residual (and Jacobian when fresh) at newton.x.
  void evaluate(bool fresh);
  /// The solution is known: increments belong to it afterwards, and the predictor knows it.
  void finish(double last_update);
  /// S of (phase-action); after finish().
  double action();
  /// q₁, p₁ from the increments.
  void end_step(FlatState& s) const;

  /// u, then P, as newton found them.
  const std::vector<double>& unknowns() const { return raw_; }
  /// The equations near the given solution: factors of their Jacobian.
  void linearise(const FlatState& s, double h, const std::vector<double>& unknowns);
  /// The change of the unknowns that balances a change of the rows, after linearise(); and the
  /// transposed map.
  Eigen::VectorXd solve(const Eigen::VectorXd& rows) const;
  Eigen::VectorXd solve_transposed(const Eigen::VectorXd& unknowns) const;
  /// (t, Qⁱ, Pⁱ)
  const double* point(int i) {
    place(i);
    return x_.data();
  }

  const HamiltonianSystem& f;
  const StageCoefficients& k;
  int n, r, m;
  NewtonWorkspaceOf<StructuredLU> newton;
  Predictor predictor;

 private:
  std::size_t at(int i, int j) const { return sz(i) * sz(r) + sz(j); }
  const double* velocity(int j) const { return raw_.data() + sz(j) * sz(n); }
  const double* momentum(int i) const { return raw_.data() + sz(r + i) * sz(n); }
  double* place_of(int row, int column) {
    return newton.jacobian.data() + sz(row) * row_stride_ + sz(column) * column_stride_;
  }

  Couplings couplings() const;
  void make_blocks();
  WeightedBlock block(int row0, int column0) const;
  void choose_units();
  double unit_of_row(int i) const { return i < m * n ? unit_u_ : unit_p_[sz(i % n)]; }
  double unit_of_unknown(int i) const { return i < r * n ? unit_u_ : unit_p_[sz(i % n)]; }
  void weigh(WeightedBlock& block, bool of_row, bool of_column) const;
  void read_unknowns();
  void combine(const SplitArray& a, int row, SplitVector& sum) const;
  void place(int i);
  template <bool second> void points();
  void add_jacobian(int i);
  void momentum_row(int j);
  void sum_rows();

  WeightedBlock qq_, pp_, pq_, qp_;
  std::vector<std::size_t> diagonal_;
  std::size_t row_stride_ = 0, column_stride_ = 0;
  double h_ = 0.0;
  const FlatState* start_ = nullptr;
  double unit_u_ = 1.0;
  std::vector<double> unit_p_, inverse_unit_p_;
  std::vector<double> raw_;  ///< u, P without units
  SplitVector xi_, impulse_, displacement_;
  std::vector<double> x_, second_, velocity_, U_, W_;
};

}  // namespace varia::detail
