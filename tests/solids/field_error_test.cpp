// SPDX-License-Identifier: BSD-3-Clause
// (field-error): closed forms on meshes that do not match.
#include "varia/solids/field_error.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "refusal.hpp"
#include "varia/solids/generate.hpp"

namespace varia::field_error_test {
namespace {

using namespace solids;

std::vector<double> deform(const Mesh& mesh, double stretch, double bend) {
  std::vector<double> x = mesh.X;
  const int D = mesh.dimension();
  for (long a = 0; a < mesh.node_count(); ++a) {
    const double* X = mesh.node(a);
    x[static_cast<std::size_t>(a * D)] = stretch * X[0];
    x[static_cast<std::size_t>(a * D + 1)] += bend * X[0] * X[0];
  }
  return x;
}

TEST(FieldError, LinearFieldsAreEqualOnAnyMeshes) {
  for (const int order : {1, 2}) {
    const Mesh a = block({2, 1}, {3, 2}, 2, order, 0.3), b = block({2, 1}, {5, 7}, 1, 2, 0.2);
    const auto x = deform(a, 1.3, 0.0), y = deform(b, 1.3, 0.0);
    const FieldError e = field_error({a, x}, {b, y});
    EXPECT_LT(e.position, 1e-13);
    EXPECT_LT(e.gradient, 1e-12);
  }
}

TEST(FieldError, QuadraticElementsHoldQuadraticFields) {
  const Mesh a = block({2, 1, 1}, {2, 2, 1}, 1, 2), b = block({2, 1, 1}, {4, 3, 2}, 1, 2);
  const auto x = deform(a, 1.1, 0.2), y = deform(b, 1.1, 0.2);
  const FieldError e = field_error({a, x}, {b, y});
  EXPECT_LT(e.position, 1e-13);
  EXPECT_LT(e.gradient, 1e-12);
}

TEST(FieldError, DifferenceOfStretchesInClosedForm) {
  // φ_1 - φ_2 = 0.1 X over 0 < X < 2, 0 < Y < 1: e² = 0.01·8/3, e_F² = 0.01·2
  const Mesh a = block({2, 1}, {3, 2}, 2, 1, 0.3), b = block({2, 1}, {5, 4}, 1, 1, 0.2);
  const auto x = deform(a, 1.2, 0.0), y = deform(b, 1.1, 0.0);
  const FieldError e = field_error({a, x}, {b, y});
  EXPECT_NEAR(e.position, std::sqrt(0.08 / 3), 1e-13);
  EXPECT_NEAR(e.gradient, std::sqrt(0.02), 1e-13);
}

TEST(FieldError, LinearInterpolationErrsBySecondOrder) {
  const Mesh fine = block({2, 1}, {32, 16}, 1, 2);
  const auto y = deform(fine, 1.0, 0.3);
  double previous = 0.0;
  for (const int n : {2, 4, 8}) {
    const Mesh mesh = block({2, 1}, {2 * n, n}, 1, 1);
    const auto x = deform(mesh, 1.0, 0.3);
    const double e = field_error({mesh, x}, {fine, y}).position;
    if (previous > 0.0) {
      EXPECT_NEAR(std::log2(previous / e), 2.0, 0.1);
    }
    previous = e;
  }
}

TEST(FieldError, RefusesPointsOutside) {
  const Mesh a = block({1, 1}, {2, 2}), b = block({2, 1}, {2, 2});
  EXPECT_THROW(field_error({a, a.X}, {b, b.X}), InvalidArgument);
}

}  // namespace
}  // namespace varia::field_error_test
