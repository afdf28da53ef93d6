// SPDX-License-Identifier: BSD-3-Clause
// What errors are measured against, by hand from the definitions in scales.hpp.
#include "varia/io/scales.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>

#include "models.hpp"

namespace varia::io::scales_test {
namespace {

/// A record of a system with unit masses.
Snapshot record(const std::vector<double>& q, const std::vector<double>& v) {
  Snapshot s;
  s.q = q;
  s.v = s.p = v;
  return s;
}

/// x'' = -4x - 2g x' has the rates -g +- sqrt(g^2 - 4), and the frequency of what is left without friction.
TEST(Scales, RatesWithForces) {
  const auto rate = [](const std::string& friction) {
    const Model model = models::model_of(
        models::single("x_dot^2/2 - 2*x^2", "force = { x = \"" + friction + "\" }"));
    Scales scales(model);
    scales.add(record({1}, {3}), 6.5);
    Summary s;
    s.momenta.resize(model.momenta.size());
    scales.fill(s);
    EXPECT_NEAR(s.fastest_frequency, 2.0, 1e-12);
    return s.fastest_rate;
  };
  EXPECT_NEAR(std::abs(rate("-10*x_dot") - (-5.0 - std::sqrt(21.0))), 0.0, 1e-12);
  EXPECT_NEAR(std::abs(rate("10*x_dot") - (5.0 + std::sqrt(21.0))), 0.0, 1e-12);
  const std::complex<double> turning(-1.0, std::sqrt(3.0));
  EXPECT_NEAR(std::abs(rate("-2*x_dot") - turning), 0.0, 1e-12);
  EXPECT_NEAR(std::abs(rate("-5*x") - std::complex<double>(0.0, 3.0)), 0.0, 1e-12);
  EXPECT_NEAR(std::abs(rate("-x_dot^2") - (-3.0 - std::sqrt(5.0))), 0.0, 1e-12);
}

/// The parts of x p_y - y p_x are |y p_x| and |x p_y|; they do not cancel. The largest stays.
TEST(Scales, PartsOfADeclaredMomentum) {
  const Model model = models::model_of(models::kepler());
  Scales scales(model);
  EXPECT_EQ(scales.momenta(), (std::vector<double>{0.0}));
  scales.add(record({1, 2}, {3, 4}), 12.5);
  EXPECT_EQ(scales.momenta(), (std::vector<double>{10.0}));
  scales.add(record({1, 2}, {3, -6}), 22.5);
  EXPECT_EQ(scales.momenta(), (std::vector<double>{12.0}));
  scales.add(record({1, 2}, {1, 1}), 1.0);
  EXPECT_EQ(scales.momenta(), (std::vector<double>{12.0}));
}

/// Two symmetries: each has its own parts.
TEST(Scales, PartsOfSeveralMomenta) {
  const Model model =
      models::model_of(models::planar("(x_dot^2 + y_dot^2)/2",
                                      "symmetry.rotation = { x = \"-y\", y = \"x\" }\n"
                                      "symmetry.shift = { x = \"2\" }"));
  Scales scales(model);
  scales.add(record({1, 2}, {-3, 5}), 17.0);
  ASSERT_EQ(scales.momenta().size(), model.momenta.size());
  for (std::size_t m = 0; m < model.momenta.size(); ++m) {
    const std::string& name = model.momenta[m].name;
    EXPECT_EQ(scales.momenta()[m], name == "rotation" ? 11.0 : name == "shift" ? 6.0 : 5.0) << name;
  }
}

/// K = v²/2 is 2 at most, V = 5 x² goes from 0 to 5; a constant added to L changes nothing.
TEST(Scales, EnergyThatIsExchanged) {
  for (const char* lagrangian : {"x_dot^2/2 - 5*x^2", "x_dot^2/2 - 5*x^2 + 1000"}) {
    const Model model = models::model_of(models::single(lagrangian));
    const double constant = std::string(lagrangian).ends_with("1000") ? -1000.0 : 0.0;
    Scales scales(model);
    scales.add(record({0}, {2}), 2.0 + constant);
    EXPECT_EQ(scales.exchanged(), 2.0);
    EXPECT_EQ(scales.swing(), 0.0) << "one record";
    scales.add(record({0}, {1}), 0.5 + constant);
    EXPECT_EQ(scales.swing(), 1.5) << "half of 4 - 1";
    scales.add(record({1}, {0}), 5.0 + constant);
    EXPECT_EQ(scales.exchanged(), 5.0);
    EXPECT_EQ(scales.swing(), 5.0);
    EXPECT_EQ(scales.lowest_kinetic(), 0.0);
  }
}

/// On a circle of radius 2, at the distance 2 + d: φ = r² - 4 over |G| = 2 r is d, to first order.
TEST(Scales, DistanceFromAConstraint) {
  for (const char* factor : {"1", "1e9"}) {
    const Model model = models::model_of(models::scenario(
        "coordinates = [\"x\", \"y\"]\nlagrangian = \"(x_dot^2 + y_dot^2)/2\"\nholonomic = "
        "[\"" +
            std::string(factor) + "*(x^2 + y^2 - 4)\"]",
        "x = 2\ny = 0\nx_dot = 0\ny_dot = 3", "lobatto(3)"));
    Scales scales(model);
    scales.add(record({2, 0}, {0, 3}), 4.5);
    EXPECT_EQ(scales.position_defect(), 0.0);
    EXPECT_EQ(scales.velocity_defect(), 0.0);
    scales.add(record({2 + 2e-6, 0}, {6e-5, 3}), 4.5);
    EXPECT_NEAR(scales.position_defect(), 1e-6, 1e-11) << "of the size of x";
    EXPECT_NEAR(scales.velocity_defect(), 2e-5, 1e-10) << "of the speed";
  }
}

TEST(Scales, FastestFrequency) {
  const auto frequency = [](const std::string& lagrangian) {
    const Model model = models::model_of(models::planar(lagrangian));
    Scales scales(model);
    scales.add(record({0, 0}, {1, 1}), 1.0);
    return scales.frequency();
  };
  EXPECT_NEAR(frequency("(x_dot^2 + 4*y_dot^2)/2 - (9*x^2 + 16*y^2)/2"), 3.0, 1e-12);
  EXPECT_NEAR(frequency("(x_dot^2 + 4*y_dot^2)/2 - (x^2 + 64*y^2)/2"), 4.0, 1e-12);
  EXPECT_NEAR(frequency("(x_dot^2 + y_dot^2)/2 + 5*(x*y_dot - y*x_dot)/2"), 5.0, 1e-12);
  EXPECT_NEAR(frequency("(x_dot^2 + y_dot^2)/2 - (5*x^2 + 5*y^2 + 8*x*y)/2"), 3.0, 1e-12);
}

}  // namespace
}  // namespace varia::io::scales_test
