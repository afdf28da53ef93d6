// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A square system whose zeros are known: numbered anew so that it becomes a narrow band where it
// can, and kept dense where it cannot.
//
// Unknowns come in groups (the stage values of one coordinate, a multiplier); a list says which
// groups meet in an equation. Groups are ordered by reverse Cuthill-McKee [CM69].
#include <utility>
#include <vector>

#include "varia/solve/band.hpp"
#include "varia/solve/lu.hpp"

namespace varia {

/// Which groups of unknowns meet; pairs in any order, with or without repetition.
struct Couplings {
  std::vector<std::vector<int>> groups;      ///< the unknowns of each group
  std::vector<std::pair<int, int>> meeting;  ///< pairs of groups
};

/// An order of the groups in which meeting ones are near each other.
std::vector<int> cuthill_mckee(const Couplings& couplings);

class StructuredLU {
 public:
  void resize(const Couplings& couplings);

  int size() const { return size_; }
  bool banded() const { return banded_; }
  /// Diagonals below the main one that may be nonzero.
  int bandwidth() const { return banded_ ? band_.lower() : size_ - 1; }

  /// Where entry (i, j) stands in data(); groups of i and j must be meeting.
  std::size_t slot(int i, int j) const {
    return banded_ ? band_.slot(place(i), place(j)) : dense_.slot(i, j);
  }
  double* data() { return banded_ ? band_.data() : dense_.data(); }
  void set_zero() { banded_ ? band_.set_zero() : dense_.set_zero(); }
  bool factor() { return banded_ ? band_.factor() : dense_.factor(); }
  /// x ← A⁻¹ x with the factors.
  void solve(double* x) const;
  /// x ← A⁻ᵀ x
  void solve_transposed(double* x) const;

 private:
  template <class F> void renumbered(double* x, const F& solve) const;
  int place(int i) const { return place_[static_cast<std::size_t>(i)]; }

  int size_ = 0;
  bool banded_ = false;
  std::vector<int> place_;  ///< of each unknown in the band
  BandLU band_;
  DenseLU dense_;
};

}  // namespace varia
