// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The second derivatives of S(Ξ, H) = L(q₀ ⊕ Ξ, dτ_Ξ H) from those of L in (δ, v), block by block:
// docs/theory/stage-equations.md, section 5.
//
// Degrees of freedom form groups: a coordinate in ℝ alone, those of a curved factor together. The
// maps of the chart mix no groups, so S couples the groups that L couples, and no others.
#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "scatter.hpp"
#include "short_sums.hpp"
#include "varia/space/product_space.hpp"

namespace varia::detail {

/// A curved factor and where it is in a step.
struct CurvedPlace {
  const CurvedFactor* factor;
  int entry, degree, dof;
  FactorChart chart;  ///< at Ξⁱ
  FactorChart back;   ///< at -ξ
  double H[FactorChart::most];
};

/// out += a b, and out += aᵀ b: a is M × K or K × M, b is K × N, row by row.
template <int M, int K, int N> void add_product(const double* a, const double* b, double* out) {
  for (int i = 0; i < M; ++i)
    unrolled<N>([&](int l) { out[i * N + l] += dot(a + i * K, 1, b + l, N, K); });
}
template <int M, int K, int N>
void add_transposed_product(const double* a, const double* b, double* out) {
  for (int i = 0; i < M; ++i)
    unrolled<N>([&](int l) { out[i * N + l] += dot(a + i, M, b + l, N, K); });
}

/// The groups of the degrees of freedom of a space.
class Groups {
 public:
  struct Group {
    int degree, dof;
    int curved;  ///< which curved factor; -1: a coordinate in ℝ
  };
  explicit Groups(const ProductSpace& space);

  const std::vector<Group>& list() const { return list_; }
  int of(int degree) const { return of_[static_cast<std::size_t>(degree)]; }
  /// An entry of the point that is as large as those the degree of freedom moves.
  int entry(int degree) const { return entry_[static_cast<std::size_t>(degree)]; }
  int size() const { return static_cast<int>(list_.size()); }

 private:
  std::vector<Group> list_;
  std::vector<int> of_, entry_;
};

class ChartBlocks {
 public:
  /// A block of rows and columns of two groups that meet; its numbers begin at `at`.
  struct Pair {
    Groups::Group row, column;
    int at;
    bool mixed;  ///< L or the force mixes q and v there
  };

  ChartBlocks(const KernelSystem& system, const Groups& groups);

  /// The derivatives of L, force and ⟨λ, φ⟩ at a point; null where there are none.
  void gather(const double* second, const double* force, const double* curvature);
  /// Those of P, W and m; N with force and reaction, `potential` without the force.
  void pull_back(const std::vector<CurvedPlace>& curved, const double* N, const double* potential,
                 const double* pi);

  /// Of Ad* π alone, by the derivatives of π that were gathered: in P_X() and P_H().
  void move_momentum(const std::vector<CurvedPlace>& curved, const double* pi);

  const std::vector<Pair>& pairs() const { return pairs_; }
  /// Pairs from here on have curved rows; the numbers of those before.
  std::size_t first_curved_pair() const { return first_curved_; }
  int size() const { return size_; }
  /// Where a value of the pair of degrees i and j stands.
  int place(int i, int j) const;

  /// ∂P/∂Ξ, ∂P/∂H, ∂W/∂Ξ, ∂W/∂H, one after the other.
  void copy(double* out) const {
    for (const auto* x : {&P_X_, &P_H_, &W_X_, &W_H_}) out = std::copy(x->begin(), x->end(), out);
  }
  const double* P_X() const { return P_X_.data(); }
  const double* P_H() const { return P_H_.data(); }
  const double* m_X() const { return m_X_.data(); }
  const double* m_H() const { return m_H_.data(); }

 private:
  struct Gather {
    std::vector<int> value, place;
    void add(const double* values, std::vector<double>& out) const {
      for (std::size_t e = 0; e < value.size(); ++e)
        out[static_cast<std::size_t>(place[e])] += values[value[e]];
    }
  };

  void meet(const std::vector<Scatter>& places, std::map<std::pair<int, int>, int>& pairs) const;
  Gather gather_of(const std::vector<Scatter>& places) const;
  template <int M, int N>
  void pull_back_pair(const Pair& pair, const std::vector<CurvedPlace>& curved);
  template <int M> void pull_back_row(const Pair& pair, const std::vector<CurvedPlace>& curved);
  void add_diagonal(const Pair& pair, const CurvedPlace& c, const double* N, const double* pi);

  const Groups& groups_;
  std::vector<Pair> pairs_;
  std::map<std::pair<int, int>, int> at_;  ///< of the pairs of groups
  std::size_t first_curved_ = 0;
  int size_ = 0;
  Gather qq_in_, qv_in_, vq_in_, vv_in_, force_q_, force_v_, curvature_;
  std::vector<double> qq_, qv_, vq_, vv_;
  std::vector<double> P_X_, P_H_, W_X_, W_H_, m_X_, m_H_;
  FactorChart::Map bracket_;  ///< ad* N of a curved factor
};

}  // namespace varia::detail
