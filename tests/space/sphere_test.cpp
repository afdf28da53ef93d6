// SPDX-License-Identifier: BSD-3-Clause
// The sphere as it is seen and as it is held.
#include "varia/space/sphere.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "refusal.hpp"
#include "varia/expr/tape.hpp"
#include "varia/space/product_space.hpp"

namespace varia::sphere_test {
namespace {

using V3 = Vector<double, 3>;
using Numbers = std::vector<double>;

const SO3<double> some_frame(rotation(V3(0.3, -0.8, 0.5), Retraction::exponential));

/// The values of formulas of the nine entries of the frame and of a vector.
template <class F> V3 value(const F& formulas, const SO3<double>& r, const V3& x) {
  expr::Graph graph;
  Formulas q, v;
  for (int i = 0; i < 9; ++i) q.push_back(graph.variable(i));
  for (int i = 9; i < 12; ++i) v.push_back(graph.variable(i));
  const expr::Tape tape(graph, formulas(graph, q, v), 12);
  Numbers at(12), work(tape.instructions().size());
  Space<SO3<double>>::write(r, at.data());
  for (int i = 0; i < 3; ++i) at[static_cast<std::size_t>(9 + i)] = x[i];
  V3 out;
  tape.evaluate(at.data(), out.data(), work.data());
  return out;
}
V3 seen(const SO3<double>& r, const V3& x) {
  return value(
      [](auto& g, const auto& q, const auto& v) { return spheres()->seen_vector(g, q, v); }, r, x);
}
V3 held(const SO3<double>& r, const V3& x) {
  return value(
      [](auto& g, const auto& q, const auto& v) { return spheres()->held_vector(g, q, v); }, r, x);
}
V3 seen_point(const SO3<double>& r) {
  return value([](auto& g, const auto& q, const auto&) { return spheres()->seen_point(g, q); }, r,
               V3::Zero());
}

/// For all directions, poles and neighbours of the poles too.
TEST(Sphere, FramesAreRotationsOntoThePoint) {
  for (const double theta :
       {0.0, 1e-12, 1e-8, 0.3, 1.5707963267948966, 2.9, 3.1415926535, 3.141592653589793})
    for (const double phi : {0.0, 0.7853981633974483, 1.0, 2.5, 4.0, 6.0}) {
      const V3 n(std::sin(theta) * std::cos(phi), std::sin(theta) * std::sin(phi), std::cos(theta));
      const Matrix<double, 3> r = sphere_frame(n).matrix;
      EXPECT_LE((r.transpose() * r - Matrix<double, 3>::Identity()).cwiseAbs().maxCoeff(), 5e-16);
      EXPECT_NEAR(r.determinant(), 1.0, 5e-16);
      EXPECT_LE((r.col(2) - n).cwiseAbs().maxCoeff(), 2e-16);
      EXPECT_EQ(sphere_frame(n).matrix, r);
    }
}

/// ṅ is the rate of R e₃, and the lift undoes it.
TEST(Sphere, WhatIsSeenMovesAsTheThirdColumn) {
  const V3 w(0.4, -1.1, 0.7);
  Numbers q(9), rates(9);
  Space<SO3<double>>::write(some_frame, q.data());
  spheres()->entry_rates(q.data(), w.data(), rates.data());
  EXPECT_LE((seen(some_frame, w) - V3(rates[2], rates[5], rates[8])).norm(), 4e-16);
  EXPECT_LE((seen_point(some_frame) - V3(q[2], q[5], q[8])).norm(), 0.0);
  EXPECT_LE((held(some_frame, seen(some_frame, w)) - V3(w[0], w[1], 0.0)).norm(), 4e-16);
}

/// ⟨F, ṅ⟩ = ⟨lift of F, ω⟩: forces and momenta are lifted by the transpose. Normal parts vanish.
TEST(Sphere, LiftAndViewAreTransposed) {
  const V3 f(0.9, 0.2, -1.3), w(0.4, -1.1, 0.7);
  EXPECT_NEAR(held(some_frame, f).dot(w), f.dot(seen(some_frame, w)), 4e-16);
  EXPECT_LE(held(some_frame, seen_point(some_frame)).norm(), 4e-16);
}

TEST(Sphere, PointsAndVectorsAreReadOrRefused) {
  Numbers q(9);
  const V3 n(0.36, 0.48, 0.8), v(0.8, -0.6, 0.0);
  spheres()->read_point(0, n.data(), q.data());
  EXPECT_LE((V3(q[2], q[5], q[8]) - n).norm(), 2e-16);
  V3 w;
  spheres()->read_vector(q.data(), v.data(), w.data());
  EXPECT_LE((seen(Space<SO3<double>>::read(q.data()), w) - v).norm(), 4e-16);
  EXPECT_EQ(w[2], 0.0);
  const auto point = [&](double x, double y, double z) {
    const V3 at(x, y, z);
    return refusal([&] { spheres()->read_point(0, at.data(), q.data()); });
  };
  const V3 nearly(0.6, 0.0, 0.8 + 1e-10);
  spheres()->read_point(0, nearly.data(), q.data());
  EXPECT_NEAR(V3(q[2], q[5], q[8]).norm(), 1.0, 2e-16);
  expect_words(point(0.6, 0.0, 0.8 + 1e-8), {"off the sphere", "1.000000008", "divide"});
  expect_words(point(0, 0, 0), {"off the sphere", "length is 0", "unit vector"});
  expect_words(point(std::nan(""), 0, 1), {"off the sphere", "nan"});
  spheres()->read_point(0, n.data(), q.data());
  const V3 off = v + 0.25 * n;
  expect_words(refusal([&] { spheres()->read_vector(q.data(), off.data(), w.data()); }),
               {"not tangent", "0.25", "subtract"});
}

TEST(Sphere, IsAFactorOfProducts) {
  const ProductSpace space({euclidean(2), spheres(), rotations(), spheres()});
  EXPECT_EQ(space.name(), "R^2 x S^2 x SO(3) x S^2");
  EXPECT_EQ(space.vertical(), (std::vector<int>{4, 10}));
  Numbers numbers = {5, 6, 0.36, 0.48, 0.8, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, -1};
  Numbers q(static_cast<std::size_t>(space.entries()));
  space.hold_point(numbers.data(), q.data());
  EXPECT_EQ(q[1], 6.0);
  EXPECT_NEAR(q[2 + 5], 0.48, 1e-16);
  EXPECT_EQ(q[2 + 9 + 8], 9.0);
  EXPECT_EQ(q[2 + 9 + 9 + 8], -1.0);
}

}  // namespace
}  // namespace varia::sphere_test
