// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The discrete multisymplectic form formula of asynchronous motions [LMOW03, 8.2], [West04, 6.3.2].
//
// The update j + 1 of term K closes the space-time element E_K^j: the points X = (a, t_a^i) of the
// nodes of K with t_K^j <= t_a^i <= t_K^(j+1), and
//
//   L_K^j = Σ_a Σ_i (m_Ka/2) |x_a^(i+1) - x_a^i|² / (t_a^(i+1) - t_a^i) - (t_K^(j+1) - t_K^j) V_K(x_K^(j+1))
//   Ω^{E,X}(V, W) = -Σ_(X'≠X) ∂²L(E)/∂x_X'∂x_X [V_X' W_X - W_X' V_X]
//
//   (AVI-form)  Σ_(X in ∂U) Σ_(E in U, E contains X) Ω^{E,X}(V, W) = 0
//
// for first variations V, W of a motion and any block U of elements. A point is inside U when all
// elements that contain it are in U; points of the start are never inside.
#include <cstdint>
#include <functional>
#include <vector>

#include "varia/terms/tangent.hpp"

namespace varia::terms {

/// What a block sums to. All but the counts vanish, up to round-off beside `scale`.
struct FormSum {
  double boundary = 0.0;  ///< (AVI-form)
  double interior = 0.0;  ///< the largest |Σ_E Ω^{E,X}| inside: the discrete equations, varied
  double element = 0.0;   ///< the largest |Σ_X Ω^{E,X}| of one element: for any V, W
  double scale = 0.0;     ///< sum of the sizes of all summands at the boundary
  std::int64_t elements = 0, boundary_points = 0, interior_points = 0;
};

/// Records the space-time elements of the motion it observes, with two first variations.
template <int D> class SpaceTime final : public Observer<D> {
 public:
  /// From the start of a motion on. The masses m_Ka are equal shares of the node masses.
  SpaceTime(const System<D>& system, const State<D>& start, const Variation& V, const Variation& W,
            Hessian<D> hessian = {});

  void before(int term, double t, double weight, const State<D>& state) override;
  void after(int, double, double, const State<D>&) override {}

  /// Is element E_K^j in the block?
  using Block = std::function<bool(int term, std::int64_t j)>;
  /// Of a block of the elements that are complete; of all of them without an argument.
  FormSum form_sum(const Block& block = {}) const;

 private:
  struct Point {
    double t;
    std::array<double, D> V, W;
    std::array<double, D> dV, dW;  ///< rates on the way to this point
  };
  struct Element {
    double step;
    std::vector<int> begin, end;  ///< points of its nodes, by their numbers at the node
    std::vector<double> hessian;
  };
  struct Sums;  ///< Ω at all points
  void record(int node, const Point& rates);
  Point rates(int node, double t) const;
  void add_element(int term, const Element& element, Sums& sums) const;

  const System<D>& system_;
  Hessian<D> hessian_;
  Tangents<D> tangents_;
  std::vector<double> shares_;  ///< m_Ka of node a
  std::vector<std::vector<Point>> points_;
  std::vector<std::vector<Element>> elements_;  ///< of each term
};

}  // namespace varia::terms
