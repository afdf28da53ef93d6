// SPDX-License-Identifier: BSD-3-Clause
#include "varia/solids/steps.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>

#include "varia/core/error.hpp"
#include "varia/solids/quality.hpp"

namespace varia::solids {

namespace {

constexpr int most = 3 * terms::max_nodes;
using Vec = std::array<double, most>;

/// The symmetric operator M⁻¹ᐟ² K M⁻¹ᐟ² of one term.
template <int D> class Stiffness {
 public:
  Stiffness(const terms::Family<D>& family, int k, const double* X, const double* masses, double t)
      : family_(family), k_(k), t_(t), n(D * family.nodes_per_term()) {
    for (int i = 0; i < n; ++i) {
      if (!(masses[i / D] > 0.0))
        throw InvalidArgument("stable_step: the mass of node " + std::to_string(i / D) + " is " +
                              to_text(masses[i / D]) + "; it must be positive");
      x_[i] = X[i];
      root_[i] = 1.0 / std::sqrt(masses[i / D]);
      size_ = std::max(size_, std::abs(X[i] - X[i % D]));
    }
    if (!(size_ > 0.0)) size_ = 1.0;
  }

  /// w = M⁻¹ᐟ² K M⁻¹ᐟ² v by central differences.
  void apply(const Vec& v, Vec& w) const {
    double largest = 0.0;
    for (int i = 0; i < n; ++i) largest = std::max(largest, std::abs(root_[i] * v[i]));
    const double h = 5e-6 * size_ / largest;
    Vec plus, minus, y;
    for (int i = 0; i < n; ++i) y[i] = x_[i] + h * root_[i] * v[i];
    family_.gradient(k_, y.data(), t_, plus.data());
    for (int i = 0; i < n; ++i) y[i] = x_[i] - h * root_[i] * v[i];
    family_.gradient(k_, y.data(), t_, minus.data());
    for (int i = 0; i < n; ++i) w[i] = root_[i] * (plus[i] - minus[i]) / (2.0 * h);
  }

 private:
  const terms::Family<D>& family_;
  int k_;
  double t_, size_ = 0.0;
  Vec x_{}, root_{};

 public:
  const int n;
};

double dot(const Vec& a, const Vec& b, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; ++i) sum += a[i] * b[i];
  return sum;
}

/// The largest eigenvalue of the tridiagonal matrix with diagonal a and off-diagonal b, by bisection:
/// above it, and only there, all pivots of (middle - T) are positive.
double largest_eigenvalue(const Vec& a, const Vec& b, int m) {
  double low = a[0], high = a[0];
  for (int i = 0; i < m; ++i) {
    const double radius = (i > 0 ? std::abs(b[i - 1]) : 0.0) + (i + 1 < m ? std::abs(b[i]) : 0.0);
    low = std::max(low, a[i]);
    high = std::max(high, a[i] + radius);
  }
  const double tolerance = 1e-5 * std::max(std::abs(low), std::abs(high));
  while (high - low > tolerance) {
    const double middle = 0.5 * (low + high);
    double pivot = middle - a[0];
    bool above = pivot > 0.0;
    for (int i = 1; i < m && above; ++i) {
      pivot = middle - a[i] - b[i - 1] * b[i - 1] / pivot;
      above = pivot > 0.0;
    }
    (above ? high : low) = middle;
  }
  return high;
}

/// A start that no symmetry of an element is orthogonal to: always the same irrational numbers.
void start(Vec& v, int n) {
  for (int i = 0; i < n; ++i) {
    const double s = 0.6180339887498949 * (i + 1) * (1.0 + 0.1 * i);
    v[i] = s - std::floor(s) - 0.5;
  }
  const double norm = std::sqrt(dot(v, v, n));
  for (int i = 0; i < n; ++i) v[i] /= norm;
}

void next(const Vec& w, double norm, int n, Vec& q) {
  for (int c = 0; c < n; ++c) q[c] = w[c] / norm;
}

/// Largest eigenvalue by Lanczos' method with full orthogonalisation.
template <int D> double lanczos(const Stiffness<D>& K) {
  constexpr int steps = 16;
  const int n = K.n, m = std::min(n, steps);
  std::array<Vec, steps> q;
  Vec a{}, b{}, w;
  start(q[0], n);
  double top = 0.0, scale = 0.0;
  for (int j = 0; j < m; ++j) {
    K.apply(q[j], w);
    a[j] = dot(q[j], w, n);
    for (int i = 0; i <= j; ++i) {
      const double s = dot(q[i], w, n);
      for (int c = 0; c < n; ++c) w[c] -= s * q[i][c];
    }
    b[j] = std::sqrt(dot(w, w, n));
    scale = std::max({scale, std::abs(a[j]), b[j]});
    const bool closed = b[j] <= 1e-7 * scale;  // the space of all that q[0] has parts in
    if (j < 3 && !closed && j + 1 < m) {
      next(w, b[j], n, q[j + 1]);
      continue;
    }
    const double before = top;
    top = largest_eigenvalue(a, b, j + 1);
    if (closed || j + 1 == m || std::abs(top - before) <= 1e-5 * std::abs(top)) break;
    next(w, b[j], n, q[j + 1]);
  }
  return top > 1e-4 * scale ? top : 0.0;  // nothing but rigid motions and what pushes apart
}

}  // namespace

double courant_step(const Mesh& mesh, long element, double wave_speed, double fraction) {
  if (!(wave_speed > 0.0) || !std::isfinite(wave_speed))
    throw InvalidArgument("courant_step: the wave speed is " + to_text(wave_speed) +
                          "; it must be positive and finite");
  if (!(fraction > 0.0) || !std::isfinite(fraction))
    throw InvalidArgument("courant_step: the fraction is " + to_text(fraction) +
                          "; it must be positive and finite");
  return fraction * inradius(mesh, element) / wave_speed;
}

template <int D>
double stable_step(const terms::Family<D>& family, int k, const double* X, const double* masses,
                   double t) {
  const double top = lanczos(Stiffness<D>(family, k, X, masses, t));
  return top > 0.0 ? 2.0 / std::sqrt(top) : std::numeric_limits<double>::infinity();
}

template double stable_step(const terms::Family<1>&, int, const double*, const double*, double);
template double stable_step(const terms::Family<2>&, int, const double*, const double*, double);
template double stable_step(const terms::Family<3>&, int, const double*, const double*, double);

}  // namespace varia::solids
