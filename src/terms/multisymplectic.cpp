// SPDX-License-Identifier: BSD-3-Clause
#include "varia/terms/multisymplectic.hpp"

#include <algorithm>
#include <cmath>

#include "advance_clock.hpp"
#include "term_values.hpp"

namespace varia::terms {

template <int D> struct SpaceTime<D>::Sums {
  struct At {
    double value = 0.0, scale = 0.0;
    bool in_block = false, boundary = false;
  };
  std::vector<std::vector<At>> at;  ///< by node and point
  double element = 0.0;             ///< the largest sum over the points of one

  double add(int node, int point, double one, double two) {
    At& sum = at[node][point];
    sum.value += one - two;
    sum.scale += std::abs(one) + std::abs(two);
    return one - two;
  }
};

template <int D>
SpaceTime<D>::SpaceTime(const System<D>& system, const State<D>& start, const Variation& V,
                        const Variation& W, Hessian<D> hessian)
    : system_(system),
      hessian_(hessian ? std::move(hessian) : Hessian<D>(difference_hessian<D>)),
      tangents_(system, start, {V, W}, hessian_),
      shares_(static_cast<std::size_t>(system.node_count()), 0.0),
      points_(static_cast<std::size_t>(system.node_count())),
      elements_(static_cast<std::size_t>(system.term_count())) {
  for (std::size_t K = 0; K < start.clocks.size(); ++K)
    if (start.clocks[K].count != 0)
      throw InvalidArgument("SpaceTime: term " + std::to_string(K) + " has acted " +
                            std::to_string(start.clocks[K].count) +
                            " times already; elements are recorded from the start on");
  for (int term = 0; term < system.term_count(); ++term) {
    const auto [family, k] = system.place(term);
    for (int a = 0; a < family->nodes_per_term(); ++a) shares_[family->nodes(k)[a]] += 1.0;
  }
  for (int a = 0; a < system.node_count(); ++a) {
    shares_[a] = shares_[a] > 0.0 ? system.masses()[a] / shares_[a] : 0.0;
    record(a, rates(a, start.t0));
  }
}

/// Of the straight path that leads the node to time t. Differences of its ends would lose all digits
/// where two terms act at nearly the same time.
template <int D> auto SpaceTime<D>::rates(int node, double t) const -> Point {
  Point point{t, {}, {}, {}, {}};
  for (int c = 0; c < D; ++c) {
    point.dV[c] = tangents_.v(0, node, c);
    point.dW[c] = tangents_.v(1, node, c);
  }
  return point;
}

/// A point of the node, unless another term made it already.
template <int D> void SpaceTime<D>::record(int node, const Point& rates) {
  if (!points_[node].empty() && points_[node].back().t == rates.t) return;
  Point point = rates;
  for (int c = 0; c < D; ++c) {
    point.V[c] = tangents_.x(0, node, c);
    point.W[c] = tangents_.x(1, node, c);
  }
  points_[node].push_back(point);
}

template <int D>
void SpaceTime<D>::before(int term, double t, double weight, const State<D>& state) {
  const auto [family, k] = system_.place(term);
  const int n = family->nodes_per_term();
  std::vector<Point> arriving;
  arriving.reserve(static_cast<std::size_t>(n));
  for (int a = 0; a < n; ++a) arriving.push_back(rates(family->nodes(k)[a], t));
  tangents_.before(term, t, weight, state);
  Element element{weight, {}, {}, {}};
  for (int a = 0; a < n; ++a) {
    const int node = family->nodes(k)[a];
    record(node, arriving[a]);
    element.end.push_back(static_cast<int>(points_[node].size()) - 1);
  }
  element.begin = elements_[term].empty() ? std::vector<int>(static_cast<std::size_t>(n), 0)
                                          : elements_[term].back().end;
  TermValues<D> x{};
  gather(*family, k, state.nodes.data(), x.data());
  element.hessian.resize(static_cast<std::size_t>(n * D) * static_cast<std::size_t>(n * D));
  hessian_(*family, k, x.data(), t, element.hessian.data());
  elements_[term].push_back(std::move(element));
}

template <int D>
void SpaceTime<D>::add_element(int term, const Element& element, Sums& sums) const {
  const auto [family, k] = system_.place(term);
  const int* nodes = family->nodes(k);
  const int n = family->nodes_per_term();
  double total = 0.0;
  // kinetic part: neighbours in time; V_X·W_X cancels in [V_X' W_X - W_X' V_X]
  for (int a = 0; a < n; ++a)
    for (int i = element.begin[a]; i < element.end[a]; ++i) {
      const Point &p = points_[nodes[a]][i], &q = points_[nodes[a]][i + 1];
      const double mass = shares_[nodes[a]];
      for (int c = 0; c < D; ++c) {
        const double dV = mass * q.dV[c], dW = mass * q.dW[c];  // m (V_X' - V_X) / (t' - t)
        total += sums.add(nodes[a], i, dV * p.W[c], dW * p.V[c]);
        total += sums.add(nodes[a], i + 1, dW * q.V[c], dV * q.W[c]);
      }
    }
  // potential part: neighbours in space at the end of the element
  for (int row = 0; row < n * D; ++row)
    for (int column = 0; column < n * D; ++column) {
      const int a = row / D, b = column / D;
      if (a == b) continue;
      const Point &p = points_[nodes[a]][element.end[a]], &q = points_[nodes[b]][element.end[b]];
      const double h = element.step * element.hessian[row * n * D + column];
      total += sums.add(nodes[a], element.end[a], h * q.V[column % D] * p.W[row % D],
                        h * q.W[column % D] * p.V[row % D]);
    }
  sums.element = std::max(sums.element, std::abs(total));
}

template <int D> FormSum SpaceTime<D>::form_sum(const Block& block) const {
  Sums sums;
  for (const auto& points : points_) {
    sums.at.emplace_back(points.size());
    sums.at.back().front().boundary = true;
  }
  FormSum result;
  for (int term = 0; term < system_.term_count(); ++term) {
    const auto [family, k] = system_.place(term);
    const int n = family->nodes_per_term();
    std::vector<int> last(static_cast<std::size_t>(n), 0);
    for (std::size_t j = 0; j < elements_[term].size(); ++j) {
      const Element& element = elements_[term][j];
      const bool chosen = !block || block(term, static_cast<std::int64_t>(j));
      result.elements += chosen ? 1 : 0;
      if (chosen) add_element(term, element, sums);
      for (int a = 0; a < n; ++a)
        for (int i = element.begin[a]; i <= element.end[a]; ++i) {
          auto& at = sums.at[family->nodes(k)[a]][i];
          (chosen ? at.in_block : at.boundary) = true;
        }
      last = element.end;
    }
    // the element that is not complete is in no block
    for (int a = 0; a < n; ++a) {
      auto& at = sums.at[family->nodes(k)[a]];
      for (std::size_t i = last[a]; i < at.size(); ++i) at[i].boundary = true;
    }
  }
  result.element = sums.element;
  for (const auto& node : sums.at)
    for (const auto& at : node) {
      if (!at.in_block) continue;
      ++(at.boundary ? result.boundary_points : result.interior_points);
      if (at.boundary) {
        result.boundary += at.value;
        result.scale += at.scale;
      } else {
        result.interior = std::max(result.interior, std::abs(at.value));
      }
    }
  return result;
}

template class SpaceTime<1>;
template class SpaceTime<2>;
template class SpaceTime<3>;

}  // namespace varia::terms
