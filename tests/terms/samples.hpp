// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Small systems of terms for the tests: chains on the line, nets of springs and mixtures of kinds.
#include <cmath>
#include <memory>
#include <random>
#include <vector>

#include "varia/terms/fields.hpp"
#include "varia/terms/pairs.hpp"
#include "varia/terms/schedule.hpp"
#include "varia/terms/system.hpp"

namespace varia::terms {

/// A system with a state to start from.
template <int D> struct Sample {
  System<D> system;
  std::vector<double> x, v, steps;
  Supports<D> supports;

  State<D> begin(bool half_kick = true, double t0 = 0.0) const {
    return start(system, x, v, steps, supports, {t0, half_kick});
  }
};

/// Steps without a common measure, near `size`.
inline std::vector<double> incommensurate(int count, double size) {
  std::vector<double> steps(static_cast<std::size_t>(count));
  for (int K = 0; K < count; ++K)
    steps[static_cast<std::size_t>(K)] = size * (0.6 + std::fmod(0.618033988749895 * (K + 1), 1.0));
  return steps;
}

/// A free chain of n nodes with nonlinear links.
inline Sample<1> nonlinear_chain(int n, double size) {
  Sample<1> s;
  std::vector<std::array<int, 2>> links;
  std::vector<NonlinearSpring> springs;
  std::vector<double> masses;
  for (int a = 0; a < n; ++a) {
    masses.push_back(1.0 + 0.3 * std::sin(2.0 * a));
    s.x.push_back(a + 0.15 * std::sin(1.7 * a + 0.4));
    s.v.push_back(0.2 * std::cos(2.3 * a));
    if (a + 1 == n) break;
    links.push_back({a, a + 1});
    springs.push_back({1.0 + 0.2 * a, 1.0, 0.3, 0.5});
  }
  s.system.add(std::make_unique<Links<NonlinearSpring>>(links, springs));
  s.system.set_masses(masses);
  s.steps = incommensurate(n - 1, size);
  return s;
}

/// Edges, horizontal, vertical and diagonal, of a grid of nx by ny nodes.
inline std::vector<std::array<int, 2>> grid_edges(int nx, int ny) {
  std::vector<std::array<int, 2>> edges;
  for (int j = 0; j < ny; ++j)
    for (int i = 0; i < nx; ++i) {
      const int a = j * nx + i;
      if (i + 1 < nx) edges.push_back({a, a + 1});
      if (j + 1 < ny) edges.push_back({a, a + nx});
      if (i + 1 < nx && j + 1 < ny) edges.push_back({a, a + nx + 1});
    }
  return edges;
}

/// A free net of springs in the plane, disturbed, turning and moving.
inline Sample<2> spring_net(int nx, int ny, double size) {
  Sample<2> s;
  const auto edges = grid_edges(nx, ny);
  std::vector<Spring> springs;
  for (std::size_t e = 0; e < edges.size(); ++e)
    springs.push_back({4.0 + std::sin(3.0 * static_cast<double>(e)),
                       edges[e][1] - edges[e][0] == nx + 1 ? std::sqrt(2.0) : 1.0});
  std::vector<double> masses;
  for (int j = 0; j < ny; ++j)
    for (int i = 0; i < nx; ++i) {
      masses.push_back(1.0 + 0.4 * std::cos(5.0 * (j * nx + i)));
      const double x = i + 0.05 * std::sin(3.0 * i + 2.0 * j);
      const double y = j + 0.05 * std::cos(2.0 * i - 3.0 * j);
      s.x.insert(s.x.end(), {x, y});
      s.v.insert(s.v.end(), {0.3 - 0.2 * y, -0.1 + 0.2 * x});
    }
  s.system.add(std::make_unique<Pairs<2, Spring>>(edges, springs));
  s.system.set_masses(masses);
  s.steps = incommensurate(static_cast<int>(edges.size()), size);
  return s;
}

/// ½ k (A - A₀)², A the area of a triangle.
struct AreaEnergy {
  double stiffness, rest;
  template <class X, class T> auto operator()(const X& x, const T&) const {
    const auto area = 0.5 * ((x[2] - x[0]) * (x[5] - x[1]) - (x[3] - x[1]) * (x[4] - x[0])) - rest;
    return 0.5 * stiffness * area * area;
  }
};

/// A well at a point of the plane, whose depth moves with time.
struct WellEnergy {
  double stiffness, at_x, at_y, rate;
  template <class X, class T> auto operator()(const X& x, const T& t) const {
    using std::sin;
    const auto dx = x[0] - at_x, dy = x[1] - at_y;
    const T k = stiffness * (1.0 + 0.3 * sin(rate * t));
    return 0.5 * k * (dx * dx + dy * dy) + 0.25 * dx * dx * dx * dx;
  }
};

/// Three nodes of which the third belongs to this term alone: only the first two are corners.
class Bubbles final : public FamilyOf<Bubbles, 2, 3, 2> {
 public:
  explicit Bubbles(Terms terms) : FamilyOf<Bubbles, 2, 3, 2>(std::move(terms)) {}
  const char* kind() const override { return "bubble"; }
  double energy_of(int, const double* x, double) const {
    double sum = 0.0;
    for (int c = 0; c < 2; ++c) {
      const double d = x[4 + c] - 0.5 * (x[c] + x[2 + c]);
      sum += 0.5 * d * d + 0.25 * d * d * d * d;
    }
    return sum;
  }
  void gradient_of(int, const double* x, double, double* g) const {
    for (int c = 0; c < 2; ++c) {
      const double d = x[4 + c] - 0.5 * (x[c] + x[2 + c]), slope = d + d * d * d;
      g[4 + c] = slope;
      g[c] = g[2 + c] = -0.5 * slope;
    }
  }
};

/// Springs, areas, wells and bubbles over one net; with_ties: many equal steps.
inline Sample<2> mixture(int nx, int ny, double size, bool with_ties) {
  Sample<2> s = spring_net(nx, ny, size);
  std::vector<std::array<int, 3>> triangles, bubbles;
  std::vector<AreaEnergy> areas;
  std::vector<double> masses = s.system.masses();
  const int corners = nx * ny;
  for (int j = 0; j + 1 < ny; ++j)
    for (int i = 0; i + 1 < nx; ++i) {
      const int a = j * nx + i;
      triangles.push_back({a, a + 1, a + nx + 1});
      areas.push_back({3.0, 0.45});
      if ((i + j) % 2 == 0) continue;
      bubbles.push_back({a, a + nx, corners + static_cast<int>(bubbles.size())});
      masses.push_back(0.7);
      s.x.insert(s.x.end(), {i + 0.1, j + 0.4});
      s.v.insert(s.v.end(), {0.05, -0.1});
    }
  s.system.add(std::make_unique<Fields<2, 3, AreaEnergy>>(triangles, areas));
  s.system.add(std::make_unique<Bubbles>(bubbles));
  s.system.add(std::make_unique<Fields<2, 1, WellEnergy>>(
      std::vector<std::array<int, 1>>{{0}, {corners - 1}},
      std::vector<WellEnergy>{{2.0, 0.1, 0.0, 1.0}, {1.5, nx - 1.0, ny - 1.0, 2.0}}));
  s.system.set_masses(masses);
  s.steps = incommensurate(s.system.term_count(), size);
  if (with_ties)
    for (std::size_t K = 0; K < s.steps.size(); ++K)
      s.steps[K] = size * (K % 3 == 0 ? 0.5 : K % 3 == 1 ? 1.0 : 0.75);
  return s;
}

/// The numbers of a state that differ in any bit; 0: the same motion.
template <int D> int differences(const State<D>& a, const State<D>& b) {
  int count = 0;
  const auto differ = [&](double p, double q) { count += p == q ? 0 : 1; };
  for (std::size_t i = 0; i < a.nodes.size(); ++i) {
    for (int c = 0; c < D; ++c) {
      differ(a.nodes[i].x[c], b.nodes[i].x[c]);
      differ(a.nodes[i].v[c], b.nodes[i].v[c]);
    }
    differ(a.nodes[i].t, b.nodes[i].t);
  }
  for (std::size_t K = 0; K < a.clocks.size(); ++K) {
    differ(a.clocks[K].next, b.clocks[K].next);
    differ(a.clocks[K].last, b.clocks[K].last);
    differ(static_cast<double>(a.clocks[K].count), static_cast<double>(b.clocks[K].count));
  }
  for (std::size_t i = 0; i < a.supports.list().size(); ++i)
    for (int c = 0; c < D; ++c)
      differ(a.supports.list()[i].impulse[c], b.supports.list()[i].impulse[c]);
  return count;
}

inline double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double worst = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) worst = std::max(worst, std::abs(a[i] - b[i]));
  return worst;
}

}  // namespace varia::terms
