// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A configuration space as a list of factors.
//
//   const ProductSpace space({rotations(), euclidean(3)});   // a body that moves
//
// Entries and degrees of freedom of the factors follow each other.
#include <string>
#include <vector>

#include "varia/space/factor.hpp"

namespace varia {

class ProductSpace {
 public:
  struct Place {
    FactorPtr factor;
    int entry, degree;  ///< first of the factor
  };
  /// Consecutive coordinates in ℝ.
  struct Stretch {
    int entry, degree, count;
  };
  struct Curved {
    const CurvedFactor* factor;
    int entry, degree, dof;
  };

  ProductSpace() = default;
  explicit ProductSpace(std::vector<FactorPtr> factors);

  const std::vector<Place>& factors() const { return factors_; }
  const std::vector<Stretch>& vectors() const { return vectors_; }
  const std::vector<Curved>& curved() const { return curved_; }
  /// The vertical degrees of freedom, see factor.hpp.
  const std::vector<int>& vertical() const { return vertical_; }
  /// The degrees of freedom of groups without their points, see reduced.hpp.
  const std::vector<int>& reduced() const { return reduced_; }
  bool is_vector_space() const { return curved_.empty(); }
  int entries() const { return entries_; }
  int dof() const { return dof_; }
  std::string name() const;  ///< SO(3) x R^3

  /// q ⊕ ξ; `out` may be q.
  void retract(const double* q, const double* xi, Retraction tau, double* out) const;
  /// (q, p) ← (q ⊕ ξ, the momentum that p + impulse is there), with remainders of rounding.
  void update(double* q, double* q_rest, double* p, double* p_rest, const double* xi,
              const double* impulse, Retraction tau) const;
  /// q₁ ⊖ q₀
  void difference(const double* q0, const double* q1, Retraction tau, double* xi) const;
  /// The rates of the entries of a point that moves with velocity v.
  void entry_rates(const double* q, const double* v, double* out) const;
  /// out += ad*_v π
  void add_coadjoint(const double* pi, const double* v, double* out) const;
  /// One of the points that are seen like this, see factor.hpp.
  void hold_point(const double* seen, double* q) const;
  /// Throws InvalidArgument, naming the factor, when the entries are not those of a point.
  void require_point(const double* q) const;

 private:
  std::vector<Place> factors_;
  std::vector<Stretch> vectors_;
  std::vector<Curved> curved_;
  std::vector<int> vertical_, reduced_;
  int entries_ = 0, dof_ = 0;
};

}  // namespace varia
