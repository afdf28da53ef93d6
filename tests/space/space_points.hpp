// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What the laws of spaces are checked on: points and displacements of every size, fixed seeds.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "varia/ad/eigen.hpp"
#include "varia/space/euclidean.hpp"
#include "varia/space/product.hpp"
#include "varia/space/se2.hpp"
#include "varia/space/se3.hpp"
#include "varia/space/so3.hpp"

namespace varia {

/// Some point from which all others are displaced; ℝⁿ of run-time size is ℝ⁴ here.
template <class Q> struct Origin;
template <int N> struct Origin<Vector<double, N>> {
  static Vector<double, N> point() { return Vector<double, N>::Zero(N == Dynamic ? 4 : N); }
};
template <> struct Origin<SO3<double>> {
  static SO3<double> point() { return {}; }
};
template <> struct Origin<SE2<double>> {
  static SE2<double> point() { return {0.3, -0.4, 0.2}; }
};
template <> struct Origin<SE3<double>> {
  static SE3<double> point() { return {{}, Vector<double, 3>(0.3, -0.4, 0.2)}; }
};
template <class... Q> struct Origin<Product<Q...>> {
  static Product<Q...> point() { return Product<Q...>(Origin<Q>::point()...); }
};

/// The numbers a point is stored as.
template <class S, int N> std::vector<S> entries(const Eigen::Matrix<S, N, 1>& x) {
  return {x.data(), x.data() + x.size()};
}
template <class S> std::vector<S> entries(const SO3<S>& r) {
  return {r.matrix.data(), r.matrix.data() + 9};
}
template <class S> std::vector<S> entries(const SE2<S>& q) { return {q.x, q.y, q.theta}; }
template <class S> std::vector<S> entries(const SE3<S>& q) {
  std::vector<S> all(12);
  Space<SE3<S>>::write(q, all.data());
  return all;
}
template <class... Q> std::vector<Scalar<Product<Q...>>> entries(const Product<Q...>& q) {
  std::vector<Scalar<Product<Q...>>> all;
  std::apply(
      [&](const auto&... part) {
        (
            [&] {
              for (const auto& e : entries(part)) all.push_back(e);
            }(),
            ...);
      },
      q.parts);
  return all;
}

template <class Q> class SpacePoints : public ::testing::Test {
 protected:
  using Trait = Space<Q>;
  using Tan = Tangent<Q>;
  static constexpr int dim = Trait::dof == Dynamic ? 4 : Trait::dof;  ///< of the points tested
  static constexpr Retraction both[2] = {Retraction::cayley, Retraction::exponential};

  /// Components uniform in [-size, size]: size below π/√3 keeps rotations below half a turn.
  Tan tangent(double size) {
    std::uniform_real_distribution<double> uniform(-size, size);
    Tan v(dim);
    for (int i = 0; i < dim; ++i) v[i] = uniform(random_);
    return v;
  }
  Q point() { return Trait::retract(Origin<Q>::point(), tangent(1.5), Retraction::exponential); }

  static double distance(const Q& a, const Q& b) {
    const auto x = entries(a);
    const auto y = entries(b);
    EXPECT_EQ(x.size(), y.size());
    double most = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) most = std::max(most, std::abs(x[i] - y[i]));
    return most;
  }
  static double error(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
    return (a - b).cwiseAbs().maxCoeff();
  }
  template <class J> static Vector<J, Trait::dof> variables(const Tan& x, int k = 0) {
    Vector<J, Trait::dof> y(dim);
    for (int i = 0; i < dim; ++i) y[i] = J::variable(x[i], k + i);
    return y;
  }
  /// Displacements of every size a law should hold for.
  std::vector<Tan> displacements() {
    std::vector<Tan> all = {Tan::Zero(dim)};
    for (const double size : {1e-8, 1e-3, 0.4, 1.0, 1.7})
      for (int k = 0; k < 4; ++k) all.push_back(tangent(size));
    return all;
  }

 private:
  std::mt19937 random_{20240229u};
};

}  // namespace varia
