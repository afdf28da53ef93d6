// SPDX-License-Identifier: BSD-3-Clause
// Constant masses: what they do, and what is refused.
#include "varia/mechanics/mass.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "refusal.hpp"
#include "varia/mechanics/legendre.hpp"
#include "varia/space/euclidean.hpp"

namespace varia::mass_test {
namespace {

using V2 = Vector<double, 2>;
using V3 = Vector<double, 3>;
using M2 = Matrix<double, 2>;

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

template <class M> void expect_solve_inverts_apply(const M& mass, const V3& v) {
  const V3 p = mass.apply(v);
  const V3 back = mass.solve(p);
  EXPECT_LE((back - v).norm(), 1e-15);
  Matrix<double, 3> filled = Matrix<double, 3>::Constant(7.0);
  mass.fill(filled);
  EXPECT_LE((filled * v - p).norm(), 1e-15);
}

TEST(Mass, SolveInvertsApplyAndFillIsItsMatrix) {
  const V3 v(0.3, -1.4, 0.8);
  expect_solve_inverts_apply(UniformMass(2.5), v);
  expect_solve_inverts_apply(DiagonalMass<3>(V3(1.0, 2.0, 0.5)), v);
  expect_solve_inverts_apply(
      DenseMass<3>(Matrix<double, 3>{{2, 0.3, 0}, {0.3, 1, 0.2}, {0, 0.2, 3}}), v);
}

TEST(Mass, NegativeMassesAreRegular) {  // indefinite kinetic energies have a Legendre transform
  EXPECT_EQ(UniformMass(-2.0).solve(4.0), -2.0);
  EXPECT_NO_THROW(DiagonalMass<2>(V2(1.0, -1.0)));
}

TEST(Mass, ZeroIsSingularAndTheDirectionIsNamed) {
  EXPECT_TRUE(has(refusal<SingularMass>([] { UniformMass(0.0); }), "mass is 0"));
  EXPECT_TRUE(has(refusal<SingularMass>([] { DiagonalMass<2>(V2(1.0, 0.0)); }), "(0, 1)"));
  EXPECT_TRUE(has(refusal<SingularMass>([] { DiagonalMass<3>(V3(1.0, 0.0, 2.0)); }), "(0, 1, 0)"));
  const std::string text = refusal<SingularMass>([] { DenseMass<2>(M2{{1.0, 1.0}, {1.0, 1.0}}); });
  EXPECT_TRUE(has(text, "(0.707107, -0.707107)") || has(text, "(-0.707107, 0.707107)")) << text;
  EXPECT_TRUE(has(text, "momenta do not determine velocities")) << text;
}

TEST(Mass, NotANumberIsRefused) {
  for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    EXPECT_TRUE(has(refusal<InvalidArgument>([&] { UniformMass{bad}; }), "finite"));
    EXPECT_TRUE(has(refusal<InvalidArgument>([&] { DiagonalMass<2>(V2(1.0, bad)); }), "finite"));
    refusal<InvalidArgument>([&] { DenseMass<2>(M2{{1.0, 0.0}, {0.0, bad}}); });
  }
}

TEST(Mass, NotANumberInAMatrixIsCalledSo) {
  const std::string text = refusal<InvalidArgument>([] {
    DenseMass<2>(M2{{1.0, 0.0}, {0.0, std::nan("")}});
  });
  EXPECT_TRUE(has(text, "finite")) << text;
}

TEST(Mass, MatrixMustBeSquareAndSymmetric) {
  EXPECT_TRUE(has(refusal<InvalidArgument>([] {
                    DenseMass<2>(M2{{1.0, 0.1}, {0.0, 1.0}});
                  }),
                  "symmetric"));
  refusal<InvalidArgument>([] { DenseMass<Dynamic>(Eigen::MatrixXd::Ones(2, 3)); });
}

TEST(Mass, SizeMustBeThatOfTheSpace) {
  const std::string diagonal =
      refusal<InvalidArgument>([] { DiagonalMass<Dynamic>(Vn::Ones(3)).check(2); });
  EXPECT_TRUE(has(diagonal, "3") && has(diagonal, "2")) << diagonal;
  const std::string dense = refusal<InvalidArgument>(
      [] { DenseMass<Dynamic>(Eigen::MatrixXd::Identity(3, 3)).check(4); });
  EXPECT_TRUE(has(dense, "3") && has(dense, "4")) << dense;
  EXPECT_NO_THROW(UniformMass(1.0).check(17));
}

/// A spacecraft beside a star: 1 : 1e-20 is regular, each coordinate has its inertia.
TEST(Mass, VeryDifferentMassesOnADiagonalAreRegular) {
  EXPECT_NO_THROW(DiagonalMass<2>(V2(1.0, 1e-20)));
  const System plain{
      [](const auto&, const auto& v) { return 0.5 * (v[0] * v[0] + 1e-20 * v[1] * v[1]); }};
  EXPECT_NO_THROW(check_regular(plain, V2(0.0, 0.0), V2(1.0, 1.0)));
}

TEST(MassMatrix, OfACallableIsItsSecondDerivative) {
  const System plain{[](const auto& q, const auto& v) {
    return 0.5 * (1.0 + q[0] * q[0]) * v[0] * v[0] + q[1] * v[0] * v[1] + v[1] * v[1];
  }};
  const V2 q(0.5, 0.2), v(1.0, -2.0);
  EXPECT_LE((mass_matrix(plain, q, v) - M2{{1.25, 0.2}, {0.2, 2.0}}).norm(), 1e-15);
  EXPECT_LE((mass_matrix(plain, Vn(q), Vn(v)) - M2{{1.25, 0.2}, {0.2, 2.0}}).norm(), 1e-15);
}

TEST(MassMatrix, OfADeclarationIsTheDeclaredMass) {
  const auto flat = [](const auto& q) { return q[0] * 0.0; };
  const V2 q(0.5, 0.2), v(1.0, -2.0);
  EXPECT_EQ(mass_matrix(System{Separable{3.0, flat}}, q, v), 3.0 * M2::Identity());
  EXPECT_EQ(mass_matrix(System{Separable{3.0, flat}}, Vn(q), Vn(v)), 3.0 * M2::Identity());
  EXPECT_EQ(mass_matrix(System{Separable{V2(1, 2), flat}}, q, v), M2(V2(1, 2).asDiagonal()));
  EXPECT_EQ(mass_matrix(System{Separable{M2{{2, 1}, {1, 3}}, flat}}, q, v), (M2{{2, 1}, {1, 3}}));
}

TEST(MassMatrix, OfALagrangianWithoutOneVelocityNamesIt) {
  const System plain{[](const auto& q, const auto& v) { return 0.5 * v[0] * v[0] - q[1] * q[1]; }};
  const std::string text =
      refusal<SingularMass>([&] { check_regular(plain, V2(0.1, 0.2), V2(1.0, 1.0)); });
  EXPECT_TRUE(has(text, "(0, 1)")) << text;
  EXPECT_TRUE(has(text, "remove the coordinates")) << text;
}

}  // namespace
}  // namespace varia::mass_test
