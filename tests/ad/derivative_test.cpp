// SPDX-License-Identifier: BSD-3-Clause
#include "varia/ad/derivative.hpp"

#include <gtest/gtest.h>

#include <cmath>

// Outside namespace varia, as a user writes it.
namespace derivative_test {
namespace {

using varia::Dynamic;
using varia::Matrix;
using varia::Vector;

template <class A, class B> void expect_near(const A& a, const B& b, double tolerance) {
  ASSERT_EQ(a.rows(), b.rows());
  ASSERT_EQ(a.cols(), b.cols());
  EXPECT_LE((a - b).cwiseAbs().maxCoeff(), tolerance) << "got\n" << a << "\nexpected\n" << b;
}

Matrix<double, 3> some_matrix() {
  Matrix<double, 3> M;
  M << 2.0, -0.3, 0.1, 0.4, 1.5, 0.2, -0.6, 0.7, 3.0;
  return M;
}

/// A chain of springs, not polynomial: all neighbours and all second neighbours interact.
struct Chain {
  template <class V> auto operator()(const V& x) const {
    using std::cos, std::sqrt;
    typename V::Scalar e = 0.25 * x[0] * x[0];
    for (int i = 1; i < x.size(); ++i) e += sqrt(1.0 + (x[i] - x[i - 1]) * (x[i] - x[i - 1]));
    for (int i = 2; i < x.size(); ++i) e -= cos(x[i] * x[i - 2]);
    return e;
  }
};

/// ℝⁿ → ℝ³
struct Moments {
  template <class V> auto operator()(const V& x) const {
    using std::sin;
    Vector<typename V::Scalar, 3> y;
    y << x.sum(), x.squaredNorm(), sin(x[0]) * x[x.size() - 1];
    return y;
  }
};

template <int N> Vector<double, N> some_point() {
  Vector<double, N> x;
  for (int i = 0; i < N; ++i) x[i] = std::sin(1.0 + 2.0 * i);
  return x;
}

// Run-time size equals compile-time size -----------------------------------------------------------

template <int N> void check_dynamic_equals_static() {
  SCOPED_TRACE(N);
  const Vector<double, N> x = some_point<N>();
  const Vector<double, Dynamic> y = x;
  const Chain f;
  expect_near(varia::gradient(f, y), varia::gradient(f, x), 1e-14);
  const auto a = varia::value_gradient_hessian(f, x);
  const auto b = varia::value_gradient_hessian(f, y);
  EXPECT_EQ(b.value, a.value);
  expect_near(b.gradient, a.gradient, 1e-14);
  expect_near(b.hessian, a.hessian, 1e-13);
  expect_near(b.hessian, b.hessian.transpose().eval(), 0.0);
  expect_near(varia::jacobian(Moments(), y), varia::jacobian(Moments(), x), 1e-15);
}

TEST(Derivative, DynamicEqualsStatic) {
  check_dynamic_equals_static<1>();
  check_dynamic_equals_static<5>();
  check_dynamic_equals_static<8>();
  check_dynamic_equals_static<13>();
  check_dynamic_equals_static<17>();
}

TEST(Derivative, HessianIsTheJacobianOfTheGradientByFiniteDifferences) {
  Vector<double, 5> x = some_point<5>();
  const Matrix<double, 5> H = varia::hessian(Chain(), x);
  const double h = 1e-3;
  for (int k = 0; k < 5; ++k) {
    const auto g = [&](double s) {
      Vector<double, 5> z = x;
      z[k] += s;
      return varia::gradient(Chain(), z);
    };
    const Vector<double, 5> column = (8.0 * (g(h) - g(-h)) - (g(2 * h) - g(-2 * h))) / (12.0 * h);
    expect_near(column, H.col(k), 1e-10);
  }
}

TEST(Derivative, JacobianOfALinearMapIsTheMap) {
  const Matrix<double, 3> M = some_matrix();
  const auto f = [&M](const auto& x) { return (M * x).eval(); };
  expect_near(varia::jacobian(f, some_point<3>()), M, 1e-15);
  const auto expression = [&M](const auto& x) { return M * x; };
  expect_near(varia::jacobian(expression, some_point<3>()), M, 1e-15);
  expect_near(varia::jacobian(expression, Vector<double, Dynamic>(some_point<3>())), M, 1e-15);
  const auto dynamic = [&M](const auto& x) {
    using T = typename std::decay_t<decltype(x)>::Scalar;
    return Vector<T, Dynamic>(M * x);
  };
  expect_near(varia::jacobian(dynamic, Vector<double, Dynamic>(some_point<3>())), M, 1e-15);
}

TEST(Derivative, TakesExpressionsAndConstants) {
  const Vector<double, 5> x = some_point<5>();
  expect_near(varia::gradient([](const auto& v) { return 0.5 * v.squaredNorm(); }, x.segment<3>(1)),
              x.segment<3>(1), 1e-15);
  const Vector<double, Dynamic> y = x;
  expect_near(varia::gradient([](const auto& v) { return 0.5 * v.squaredNorm(); }, y.head(3)),
              x.head<3>(), 1e-15);
  expect_near(varia::hessian([](const auto&) { return 4.0; }, x), (Matrix<double, 5>::Zero()), 0.0);
}

TEST(Derivative, EmptyPointHasAValueAndNoDerivatives) {
  const Vector<double, Dynamic> none;
  const auto r = varia::value_gradient_hessian([](const auto&) { return 4.0; }, none);
  EXPECT_EQ(r.value, 4.0);
  EXPECT_EQ(r.gradient.size(), 0);
  EXPECT_EQ(r.hessian.size(), 0);
  EXPECT_EQ(varia::gradient([](const auto&) { return 4.0; }, none).size(), 0);
}

// A chart: the pendulum's bob on the circle, q(δ) = (sin(θ+δ), −cos(θ+δ))
TEST(Derivative, ChunkedHessianInAChart) {
  const Vector<double, 6> theta = some_point<6>();
  const auto height = [&theta](const auto& delta) {
    using T = typename std::decay_t<decltype(delta)>::Scalar;
    T sum(0.0);
    for (int i = 0; i < 6; ++i) sum -= cos(theta[i] + delta[i]);
    return sum;
  };
  const auto r = varia::chunked_hessian(6, height);
  EXPECT_NEAR(r.value, -theta.array().cos().sum(), 1e-15);
  expect_near(r.gradient, theta.array().sin().matrix(), 1e-15);
  expect_near(r.hessian, Matrix<double, 6>(theta.array().cos().matrix().asDiagonal()), 1e-15);
  expect_near(varia::chunked_gradient(6, height), r.gradient, 1e-15);
}

}  // namespace
}  // namespace derivative_test
