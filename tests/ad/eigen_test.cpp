// SPDX-License-Identifier: BSD-3-Clause
#include "varia/ad/eigen.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>

// Outside namespace varia, as a user writes it.
namespace eigen_test {
namespace {

using varia::Dynamic;
using varia::Jet;
using varia::Jet2;
using varia::Matrix;
using varia::Vector;

Matrix<double, 3> some_matrix() {
  Matrix<double, 3> M;
  M << 2.0, -0.3, 0.1, 0.4, 1.5, 0.2, -0.6, 0.7, 3.0;
  return M;
}

/// The expression f(v), in every kind of jet, has gradient g and Hessian H.
template <class F>
void expect_derivatives(const char* name, const F& f, const Vector<double, 3>& x,
                        const Vector<double, 3>& g, const Matrix<double, 3>& H) {
  SCOPED_TRACE(name);
  using J = Jet<double, 3>;
  using N = Jet<J, 3>;
  Vector<J, 3> first;
  Vector<N, 3> nested;
  Vector<Jet2<3>, 3> second;
  for (int k = 0; k < 3; ++k) {
    first[k] = J::variable(x[k], k);
    nested[k] = N::variable(first[k], k);
    second[k] = Jet2<3>::variable(x[k], k);
  }
  const J a = f(first);
  const N b = f(nested);
  const Jet2<3> c = f(second);
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(a.d[i], g[i], 1e-14);
    EXPECT_NEAR(b.d[i].v, g[i], 1e-14);
    EXPECT_NEAR(c.g[i], g[i], 1e-14);
    for (int j = 0; j < 3; ++j) {
      EXPECT_NEAR(b.d[i].d[j], H(i, j), 1e-14);
      EXPECT_NEAR(c.hess(i, j), H(i, j), 1e-14);
    }
  }
}

TEST(Eigen, ExpressionsOfJets) {
  const Vector<double, 3> x(0.3, -0.8, 1.1);
  const Vector<double, 3> a(0.5, 0.2, -0.9);
  const Matrix<double, 3> M = some_matrix(), I = Matrix<double, 3>::Identity();
  const Matrix<double, 3> S = M + M.transpose(), zero = Matrix<double, 3>::Zero();
  const double n = x.norm();

  expect_derivatives(
      "dot", [](const auto& v) { return v.dot(v); }, x, 2 * x, 2 * I);
  expect_derivatives(
      "dot with numbers", [&](const auto& v) { return a.dot(v); }, x, a, zero);
  expect_derivatives(
      "squaredNorm", [](const auto& v) { return 0.5 * v.squaredNorm(); }, x, x, I);
  expect_derivatives(
      "norm", [](const auto& v) { return v.norm(); }, x, x / n,
      (I - x * x.transpose() / (n * n)) / n);
  expect_derivatives(
      "M v", [&](const auto& v) { return v.dot(M * v); }, x, S * x, S);
  expect_derivatives(
      "2 v", [&](const auto& v) { return (2 * v - v / 2).dot(a * 0.5); }, x, 0.75 * a, zero);
  expect_derivatives(
      "v + a", [&](const auto& v) { return (v + a).dot(a - v); }, x, -2 * x, -2 * I);
  expect_derivatives(
      "segment",
      [&](const auto& v) {
        using T = typename std::decay_t<decltype(v)>::Scalar;
        Vector<T, 6> w;
        w << v, 2.0 * v;
        return w.template segment<3>(3).dot(w.template head<3>());
      },
      x, 4 * x, 4 * I);
  expect_derivatives(
      "vᵀMv",
      [&](const auto& v) {
        using T = typename std::decay_t<decltype(v)>::Scalar;
        const T e = v.transpose() * M * v;
        return 0.5 * e;
      },
      x, 0.5 * S * x, 0.5 * S);
  expect_derivatives(
      "number and inner product",
      [&](const auto& v) {
        using T = typename std::decay_t<decltype(v)>::Scalar;
        return T(1.0) + v.transpose() * v;
      },
      x, 2 * x, 2 * I);
  // |a × v|² = |a|²|v|² − (a·v)²
  expect_derivatives(
      "cross",
      [&](const auto& v) {
        using T = typename std::decay_t<decltype(v)>::Scalar;
        const Vector<T, 3> b = a.template cast<T>();
        return b.cross(v).squaredNorm();
      },
      x, 2 * (a.dot(a) * x - a.dot(x) * a), 2 * (a.dot(a) * I - a * a.transpose()));
  expect_derivatives(
      "dynamic matrices",
      [&](const auto& v) {
        using T = typename std::decay_t<decltype(v)>::Scalar;
        const Matrix<double, Dynamic> A = M;
        const Vector<T, Dynamic> w = v;
        const Matrix<T, Dynamic> B = w * w.transpose();
        return (A * B).trace() + (A * w).dot(w);
      },
      x, 2 * S * x, 2 * S);
}

TEST(Eigen, NestedJetsMixWithTheirInnerScalar) {
  using I = Jet<double, 3>;
  using J = Jet<I, 3>;
  const Vector<I, 3> c = Vector<double, 3>(1.0, 2.0, 3.0).cast<I>();
  Vector<J, 3> v;
  for (int k = 0; k < 3; ++k) v[k] = J::variable(I::variable(0.5 * k, k), k);
  const J y = c.dot(v) + (c[0] * v + v * c[1]).squaredNorm();
  for (int k = 0; k < 3; ++k) {
    EXPECT_DOUBLE_EQ(y.d[k].v, c[k].v + 18.0 * 0.5 * k);
    EXPECT_DOUBLE_EQ(y.d[k].d[k], 18.0);
  }
}

}  // namespace
}  // namespace eigen_test
