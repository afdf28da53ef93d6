// SPDX-License-Identifier: BSD-3-Clause
// Systems stated by a Hamiltonian that has no Lagrangian.
#include <gtest/gtest.h>

#include <cmath>

#include "models.hpp"
#include "refusal.hpp"
#include "varia/io/check.hpp"
#include "varia/io/error.hpp"
#include "varia/io/runner.hpp"
#include "varia/io/stepper.hpp"

namespace varia::io::hamiltonian_test {
namespace {

Summary result(const std::string& text) {
  Model model = models::model_of(text);
  return run(model, {});
}
std::string refused(const std::string& text) {
  return refusal<ScenarioError>([&] { make_stepper(models::model_of(text)); });
}

/// Two point vortices of strengths 1 and 2: q = x, p = strength * y.
std::string vortices(const std::string& method, const std::string& more = "") {
  return "[system]\ncoordinates = [\"x[1..2]\"]\n"
         "hamiltonian = \"-2/(4*pi)*log((x[1] - x[2])^2 + (x_p[1] - x_p[2]/2)^2)\"\n"
         "symmetry.translation = { x = \"1\" }\n" +
         more + "[start]\nx = [0.5, -0.25]\nx_p = [0, 0]\n[run]\nmethod = \"" + method +
         "\"\nstep = 0.05\nuntil = 20\n";
}

/// They turn about their centre with the angular velocity (sum of strengths)/(2 pi distance^2).
TEST(Hamiltonian, TwoVorticesTurnAboutTheirCentre) {
  const Summary s = result(vortices("gauss(4)"));
  EXPECT_EQ(s.status, "done");
  const double angle = 3.0 / (2.0 * M_PI * 0.75 * 0.75) * s.t_end;
  EXPECT_NEAR(s.final.q[0].second, 0.5 * std::cos(angle), 1e-9);
  EXPECT_NEAR(s.final.p[0].second, 0.5 * std::sin(angle), 1e-9);
  EXPECT_LT(s.energy.max_abs_error, 1e-12);
  EXPECT_LT(s.momenta.front().second.max_abs_error, 1e-13);
  EXPECT_TRUE(models::model_of(vortices("gauss(4)")).momenta.front().conserved);
}

TEST(Hamiltonian, WhatIsNoSymmetryIsFound) {
  const Model model =
      models::model_of(vortices("gauss(2)", "symmetry.stretch = { x = \"x[i]\" }\n"));
  EXPECT_FALSE(model.momenta[1].conserved);
}

/// A relativistic particle: both ∂H/∂q and ∂H/∂p take part in the invariance under rotations.
TEST(Hamiltonian, RotationsActOnMomentaToo) {
  const auto model = [](const std::string& h) {
    return models::model_of("[system]\ncoordinates = [\"x\", \"y\"]\nhamiltonian = \"" + h +
                            "\"\nsymmetry.rotation = { x = \"-y\", y = \"x\" }\n[start]\nx = 1\n"
                            "y = 0.2\nx_p = 0.1\ny_p = 0.4\n[run]\nmethod = \"gauss(2)\"\n"
                            "step = 0.05\nsteps = 200\n");
  };
  EXPECT_TRUE(model("sqrt(1 + x_p^2 + y_p^2) + x*y_p - y*x_p + x^2 + y^2").momenta[0].conserved);
  EXPECT_TRUE(model("sqrt(1 + x_p^2 + y_p^2) + (x*x_p + y*y_p)^2").momenta[0].conserved);
  EXPECT_FALSE(model("sqrt(1 + x_p^2 + y_p^2) + (x*x_p - y*y_p)^2").momenta[0].conserved);
  Model kept = model("sqrt(1 + x_p^2 + y_p^2) + (x*x_p + y*y_p)^2");
  EXPECT_LT(run(kept, {}).momenta[0].second.max_abs_error, 1e-13);
}

TEST(Hamiltonian, TheLawsAreChecked) {
  for (const char* method : {"midpoint", "gauss(2)", "lobatto(3)", "euler_a"}) {
    Model model = models::model_of(vortices(method));
    const CheckReport report = check(model);
    EXPECT_TRUE(report.passed()) << method << ": "
                                 << (report.failures.empty() ? "" : report.failures.front());
    ASSERT_TRUE(report.symplecticity.has_value());
    EXPECT_LT(*report.symplecticity, 1e-11);
  }
}

/// A Hamiltonian with a Lagrangian gives the same motion stated either way.
TEST(Hamiltonian, RegularOnesBecomeLagrangian) {
  const std::string end =
      "[start]\nx = 0.7\nx_p = 0.3\n[run]\nmethod = \"gauss(2)\"\nstep = 0.05\nsteps = 50\n";
  const Model regular = models::model_of(
      "[system]\ncoordinates = [\"x\"]\nhamiltonian = \"x_p^2/2 - cos(x)\"\n" + end);
  EXPECT_EQ(regular.hamiltonian, nullptr);
  const std::string quartic =
      "[system]\ncoordinates = [\"x\"]\nhamiltonian = \"x_p^2/2 - cos(x) + 0*x_p^4 + "
      "1e-300*x_p^4\"\n" +
      end;
  EXPECT_NE(models::model_of(quartic).hamiltonian, nullptr);
  Model once = regular;
  const Summary a = run(once, {});
  const Summary b = result(quartic);
  EXPECT_NEAR(a.final.q[0].second, b.final.q[0].second, 1e-13);
  EXPECT_NEAR(a.final.p[0].second, b.final.p[0].second, 1e-13);
  EXPECT_NEAR(a.energy.initial, b.energy.initial, 1e-14);
}

/// With a mass that is not 1 and not diagonal: the constraint of momenta is that of velocities.
TEST(Hamiltonian, NonholonomicConstraintsOfMomenta) {
  const auto text = [](const std::string& stated, const std::string& phi) {
    return models::scenario(
        "coordinates = [\"x\", \"y\", \"z\"]\n" + stated + "\nnonholonomic = [\"" + phi + "\"]",
        "x = 1\ny = 0.5\nz = 0\nx_p = 0.4\ny_p = -0.3\nz_p = 0.2", "nh_lobatto(3)");
  };
  // the mass ((2, 1, 0), (1, 2, 0), (0, 0, 1)) has the inverse ((2, -1), (-1, 2))/3, 1
  const std::string h = "hamiltonian = \"(x_p^2 - x_p*y_p + y_p^2)/3 + z_p^2/2 + (x^2 + y^2)/2\"";
  const std::string l =
      "lagrangian = \"x_dot^2 + x_dot*y_dot + y_dot^2 + z_dot^2/2 - (x^2 + y^2)/2\"";
  const std::string by_velocity = "z_dot - y*x_dot";
  const std::string by_momentum = "z_p - y*(2*x_p - y_p)/3";
  const std::string start = "project = true\n";
  const auto final_of = [&](const std::string& stated, const std::string& phi) {
    std::string scenario = text(stated, phi);
    scenario.insert(scenario.find("x = 1"), start);
    const Summary s = result(scenario);
    EXPECT_LT(s.constraints.max_velocity, 1e-14);
    return s.final;
  };
  const auto expected = final_of(l, by_velocity);
  for (const std::string& phi : {by_velocity, by_momentum}) {
    const auto found = final_of(h, phi);
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_NEAR(found.q[i].second, expected.q[i].second, 1e-12) << phi;
      EXPECT_NEAR(found.p[i].second, expected.p[i].second, 1e-12) << phi;
    }
    EXPECT_NEAR(found.lambda[0], expected.lambda[0], 1e-11);
  }
  expect_words(refused(text(l, by_momentum)), {"system.nonholonomic[1]", "unknown name 'z_p'"});
}

TEST(Hamiltonian, Refusals) {
  expect_words(refused(vortices("rk4")), {"run.method", "rk4"});
  expect_words(refused(vortices("gauss(2)", "force = { x = \"1\" }\n")), {"without forces"});
  expect_words(refused(vortices("gauss(2)", "holonomic = [\"x[1]\"]\n")), {"without constraints"});
  std::string text = vortices("gauss(2)");
  text.replace(text.find("x_p = [0, 0]"), 12, "x_dot = [0, 0]");
  expect_words(refused(text), {"start", "momenta"});
  text = vortices("gauss(2)");
  text.replace(text.find("x = [0.5, -0.25]"), 16, "x = [0.5, 0.5]");
  expect_words(refused(text), {"system.hamiltonian", "start"});
  expect_words(refused(vortices("gauss(2)") + "pace = \"auto\"\n"), {"pace", "Lagrangian"});
}

}  // namespace
}  // namespace varia::io::hamiltonian_test
