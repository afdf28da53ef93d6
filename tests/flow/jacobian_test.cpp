// SPDX-License-Identifier: BSD-3-Clause
// (chart)  The Jacobian of the stage equations is the derivative of their residual.
#include <gtest/gtest.h>

#include "src/flow/stages.hpp"
#include "varia/space/se3.hpp"
#include "varia/varia.hpp"

namespace varia::jacobian_test {
namespace {

/// Largest difference of the Jacobian and extrapolated differences, at a point off the solution.
template <class S, Point Q, int M>
double jacobian_error(const S& system, const State<Q, M>& s, const char* name, Retraction tau) {
  const Method method = parse_method(name);
  const auto kernels = kernels_of(system, s.q);
  VectorState start;
  detail::to_vectors(s, start);
  detail::Stages stages(*kernels, *method.stages(), tau);
  stages.begin(start, 0.3);
  const Tangent<Q> v = velocity(system, s);
  stages.guess(v.data());
  auto& w = stages.newton;
  for (std::size_t i = 0; i < w.x.size(); ++i) w.x[i] += 0.3 * std::sin(1.0 + 3.0 * double(i));
  const std::vector<double> x = w.x;
  stages.evaluate(true);
  double worst = 0.0;
  for (int k = 0; k < w.size; ++k) {
    const auto along = [&](double e) {
      w.x = x;
      w.x[static_cast<std::size_t>(k)] += e;
      stages.evaluate(false);
      return Eigen::VectorXd(Eigen::Map<Eigen::VectorXd>(w.residual.data(), w.size));
    };
    const Eigen::VectorXd column = derivative_at_zero(along, 0.1);
    for (int i = 0; i < w.size; ++i)
      worst = std::max(worst, std::abs(column[i] - w.jacobian.data()[w.jacobian.slot(i, k)]));
  }
  return worst;
}

TEST(Jacobian, IsTheDerivativeOfTheResidual) {
  const auto l = [](double t, const auto& R,
                    const auto& w) {  // mass and gyroscopic terms depend on R
    const Vector<double, 3> inertia(1.0, 1.4, 0.6);
    return 0.5 * w.dot(inertia.cwiseProduct(w)) * (1.0 + 0.3 * R(0, 1) * R(2, 2)) +
           0.1 * w[1] * w[1] * w[1] + w[0] * R(1, 2) -
           (1.3 + std::sin(t)) * (R(2, 2) + 0.3 * R(2, 0) * R(1, 1));
  };
  const Force force{[](const auto& R, const auto& w) {
    using S = std::decay_t<decltype(w[0])>;
    return Vector<S, 3>(-0.3 * w[0] + R(0, 1) * R(1, 2), w[1] * R(0, 0), R(2, 1) * w[0]);
  }};
  const Holonomic tilt{[](const auto& R) { return R(2, 2) - 0.6; }};
  const System free{l};
  const System held{l, force, tilt};
  const SO3<double> q(rotation(Vector<double, 3>(0.3, -0.8, 0.5), Retraction::cayley));
  const Vector<double, 3> v(0.4, 0.9, 2.0);
  const auto [on, tangent] = project(held, q, v);
  for (const Retraction tau : {Retraction::cayley, Retraction::exponential}) {
    for (const char* name : {"trapezoid(0.3)", "gauss(2)", "lobatto(3)", "galerkin(2, lobatto:3)"})
      EXPECT_LT(jacobian_error(free, initial(free, q, v), name, tau), 1e-10) << name;
    for (const char* name : {"midpoint", "trapezoid(0.3)", "lobatto(3)"})
      EXPECT_LT(jacobian_error(held, initial(held, on, tangent), name, tau), 1e-10) << name;
  }
}

/// Each number of degrees of freedom has its own sums: one, two, three, six, any other.
template <int N> double error_on_vectors(const char* name) {
  const System system{[](double t, const auto& q, const auto& v) {
    using std::cos;
    auto sum = 0.5 * v.dot(v) * (1.0 + 0.1 * q[0] * q[N - 1]) + v[0] * q[N - 1] * q[N - 1];
    for (int i = 0; i < N; ++i) sum += (1.0 + 0.2 * i) * cos(q[i] + 0.3 * q[(i + 1) % N]);
    return sum * (1.0 + 0.1 * std::sin(t));
  }};
  Vector<double, N> q;
  Vector<double, N> v;
  for (int i = 0; i < N; ++i) {
    q[i] = 0.3 + 0.2 * i;
    v[i] = 0.5 - 0.1 * i;
  }
  return jacobian_error(system, initial(system, q, v), name, Retraction::cayley);
}

TEST(Jacobian, OfEverySize) {
  for (const char* name : {"midpoint", "gauss(3)", "lobatto(3)", "galerkin(2, lobatto:3)"}) {
    EXPECT_LT(error_on_vectors<1>(name), 1e-10) << name;
    EXPECT_LT(error_on_vectors<2>(name), 1e-10) << name;
    EXPECT_LT(error_on_vectors<3>(name), 1e-10) << name;
    EXPECT_LT(error_on_vectors<5>(name), 1e-10) << name;
    EXPECT_LT(error_on_vectors<6>(name), 1e-10) << name;
    EXPECT_LT(error_on_vectors<8>(name), 1e-10) << name;
  }
}

TEST(Jacobian, OfProductsAndMotions) {
  using Body = Product<SO3<double>, Vector<double, 2>>;
  const System mixed{[](const auto& q, const auto& u) {
    const auto& R = get<0>(q).matrix;
    const auto& x = get<1>(q);
    return 0.5 * u.dot(u) * (1.0 + 0.2 * x[0] * R(0, 1)) + 0.3 * u[0] * u[3] * x[1] +
           R(2, 2) * x[0] - x.dot(x) * (1.0 + R(1, 0));
  }};
  const System motion{[](const auto& q, const auto& u) {
    return 0.5 * u.dot(u) * (1.0 + 0.1 * q.position[0]) + u[1] * u[4] * q.position[1] -
           q.rotation(2, 2) * q.position[2];
  }};
  const SO3<double> R(rotation(Vector<double, 3>(0.3, -0.8, 0.5), Retraction::cayley));
  const Body q(R, Vector<double, 2>(0.4, -0.2));
  Vector<double, 5> u;
  u << 0.4, 0.9, 0.6, 0.3, -0.5;
  SE3<double> pose;
  pose.rotation = R;
  pose.position = Vector<double, 3>(0.3, -0.4, 0.8);
  Vector<double, 6> w;
  w << 0.4, 0.9, 0.6, 0.3, -0.5, 0.2;
  for (const Retraction tau : {Retraction::cayley, Retraction::exponential})
    for (const char* name : {"midpoint", "gauss(2)", "lobatto(3)"}) {
      EXPECT_LT(jacobian_error(mixed, initial(mixed, q, u), name, tau), 1e-10) << name;
      EXPECT_LT(jacobian_error(motion, initial(motion, pose, w), name, tau), 1e-10) << name;
    }
}

}  // namespace
}  // namespace varia::jacobian_test
