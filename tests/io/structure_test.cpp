// SPDX-License-Identifier: BSD-3-Clause
// What is found in a Lagrangian: whether it is separable, which coordinates are cyclic, whether time
// occurs, how far couplings reach.
#include <gtest/gtest.h>

#include "models.hpp"
#include "varia/verify/typed_view.hpp"

namespace varia::io::structure_test {
namespace {

using Names = std::vector<std::string>;

Structure of(const std::string& text) { return models::model_of(text).structure; }

TEST(Structure, SeparableLagrangiansAreFound) {
  for (const char* l :
       {"(x_dot^2 + y_dot^2)/2 - x*y", "x_dot^2/2 + 3*y_dot^2 + x_dot*y_dot - sin(x)*y",
        "0.5*x_dot*x_dot + 0.5*pow(y_dot, 2) - exp(x*y)", "(x_dot + y_dot)^2 + x_dot^2 - x^2",
        "(x_dot^2 + y_dot^2)/2 - cos(t)*x", "x_dot^2/2 - y_dot^2/2 - x*y",
        "(x_dot - 1)^2/2 + x_dot + y_dot^2", "x_dot^2 + y_dot^2 + x*x_dot - x_dot*x",
        "x_dot^2 + hypot(y_dot, 0)*y_dot/2 + y_dot^2 - hypot(y_dot, 0)*y_dot/2"})
    EXPECT_TRUE(of(models::planar(l)).separable) << l;
  const Model full = models::model_of(models::full_mass());
  EXPECT_TRUE(full.structure.separable);
  EXPECT_TRUE(full.system->mass_diagonal.empty());
  EXPECT_DOUBLE_EQ(full.system->mass(0, 1), 0.4);
}

TEST(Structure, OtherLagrangiansAreNot) {
  for (const char* l :
       {"(1 + x^2)*x_dot^2/2 + y_dot^2/2 - x*y", "(x_dot^2 + y_dot^2)/2 + x*y_dot - y*x_dot",
        "exp(t)*(x_dot^2 + y_dot^2)/2", "x_dot^2/2 + y_dot^4 + y_dot^2 - x",
        "(x_dot^2 + y_dot^2)/2 + t*x_dot", "x_dot^2/2 + y_dot^2/2 + cos(t)*y_dot",
        "(x_dot^2 + y_dot^2)/2 + 3*x_dot", "sqrt(1 + x_dot^2) + y_dot^2/2"})
    EXPECT_FALSE(of(models::planar(l)).separable) << l;
  EXPECT_FALSE(of(models::top("{ A = 1, B = 1, C = 1 }")).separable);
  // every mass on the diagonal is constant
  EXPECT_FALSE(of(models::scenario("coordinates = [\"x\", \"y\", \"z\"]\nlagrangian = \"(x_dot^2 + "
                                   "y_dot^2 + z_dot^2)/2 + x_dot*y_dot*z_dot\"",
                                   "x = 0\ny = 0\nz = 0\nx_dot = 0\ny_dot = 0\nz_dot = 0"))
                   .separable);
}

/// For the separable ones -∂V/∂q and M are those of L itself.
TEST(Structure, PotentialAndMassAreThoseOfTheLagrangian) {
  for (const std::string& text :
       {models::kepler(), models::full_mass(), models::chain(10), models::chain(10, true)}) {
    const Model model = models::model_of(text);
    const KernelSystem& f = *model.system;
    ASSERT_TRUE(f.separable);
    const auto n = static_cast<std::size_t>(f.n);
    const auto x = f.point(0.7, model.q0.data(), model.rates0.data());
    std::vector<double> g(2 * n), slope(n);
    f.gradient(x.data(), g.data());
    f.potential_gradient(x.data(), slope.data());
    for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(-slope[i], g[i], 1e-13);
    const Eigen::VectorXd v = Eigen::Map<const Eigen::VectorXd>(model.rates0.data(), f.n);
    const Eigen::VectorXd p =
        f.mass_diagonal.empty()
            ? Eigen::VectorXd(f.mass * v)
            : Eigen::VectorXd(
                  Eigen::Map<const Eigen::VectorXd>(f.mass_diagonal.data(), f.n).cwiseProduct(v));
    for (int i = 0; i < f.n; ++i) EXPECT_NEAR(p[i], g[n + static_cast<std::size_t>(i)], 1e-13);
  }
}

TEST(Structure, QuadraticInVelocities) {
  EXPECT_TRUE(of(models::double_pendulum()).quadratic);
  EXPECT_TRUE(of(models::magnetic()).quadratic);
  EXPECT_TRUE(of(models::caldirola_kanai()).quadratic);
  EXPECT_FALSE(of(models::planar("x_dot^2/2 + y_dot^4 + y_dot^2")).quadratic);
}

TEST(Structure, TimeIsFoundInLagrangianAndForce) {
  EXPECT_TRUE(of(models::kepler()).time_independent);
  EXPECT_FALSE(of(models::caldirola_kanai()).time_independent);
  EXPECT_FALSE(of(models::van_der_pol()).time_independent);
  EXPECT_FALSE(of(models::planar("(x_dot^2 + y_dot^2)/2 - x*sin(t)")).time_independent);
  EXPECT_TRUE(of(models::planar("(x_dot^2 + y_dot^2)/2 - x*(t - t)")).time_independent);
}

TEST(Structure, CyclicCoordinates) {
  EXPECT_EQ(of(models::planar("(x_dot^2 + y_dot^2)/2 - y")).cyclic, Names{"x"});
  EXPECT_EQ(of(models::planar("(x_dot^2 + x^2*y_dot^2)/2 - 1/x")).cyclic, Names{"y"});
  EXPECT_EQ(of(models::planar("(x_dot^2 + y_dot^2)/2")).cyclic, (Names{"x", "y"}));
  EXPECT_EQ(of(models::planar("(x_dot^2 + y_dot^2)/2 - x*y")).cyclic, Names{});
  EXPECT_EQ(of(models::planar("(x_dot^2 + y_dot^2)/2 - y + x - x")).cyclic, Names{"x"});
  // a constraint on it takes the freedom away
  EXPECT_EQ(of(models::planar("(x_dot^2 + y_dot^2)/2", "holonomic = [\"x - 0.7\"]")).cyclic,
            Names{"y"});
  const Model forced =
      models::model_of(models::planar("(x_dot^2 + y_dot^2)/2 - y", "force = { x = \"-x_dot\" }"));
  ASSERT_EQ(forced.momenta.size(), 1U);
  EXPECT_EQ(forced.momenta[0].name, "x_p");
  EXPECT_FALSE(forced.momenta[0].conserved);
  EXPECT_FALSE(forced.momenta[0].message.empty());
  const Model free = models::model_of(models::planar("(x_dot^2 + y_dot^2)/2 - y"));
  EXPECT_TRUE(free.momenta.at(0).conserved);
}

TEST(Structure, BandwidthOfChains) {
  for (const int n : {16, 64}) {
    const Structure line = of(models::chain(n));
    EXPECT_EQ(line.coordinates, n);
    EXPECT_EQ(line.bandwidth, 1);
    EXPECT_EQ(line.second_derivatives, n + (n - 1) + n);  // q, neighbours, masses
    const Structure ring = of(models::chain(n, true));
    EXPECT_EQ(ring.bandwidth, n - 1);
    EXPECT_EQ(ring.second_derivatives, n + n + n);
  }
  // the work for all second derivatives grows with n, not with its square
  EXPECT_LT(of(models::chain(200)).operations, 4.2 * of(models::chain(50)).operations);
}

TEST(Structure, SpacesHaveNames) {
  EXPECT_EQ(space_name(models::model_of(models::kepler())), "R^2");
  EXPECT_EQ(space_name(models::model_of(models::top("{ A = 1, B = 1, C = 1 }"))), "SO(3)");
  EXPECT_EQ(
      space_name(models::model_of(models::scenario(
          "coordinates = [\"x\", \"q[1..3]\", { name = \"R\", space = \"SO3\" }, \"y\"]\n"
          "lagrangian = \"x_dot^2 + sum(i,1,3,q_dot[i]^2) + R_w1^2 + R_w2^2 + R_w3^2 + "
          "y_dot^2\"",
          "x = 0\nq = 0\ny = 0\nx_dot = 0\nq_dot = 0\ny_dot = 0\nR_w1 = 0\nR_w2 = 0\nR_w3 = 0\n"
          "R = { quaternion = [1, 0, 0, 0] }"))),
      "R^4 x SO(3) x R^1");
}

}  // namespace
}  // namespace varia::io::structure_test
