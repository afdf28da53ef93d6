// SPDX-License-Identifier: BSD-3-Clause
// Free parameters of scenarios: derivatives of the end state against other runs, the same motion as with
// numbers, restarts, and what is refused.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "expr/native_sandbox.hpp"
#include "models.hpp"
#include "refusal.hpp"
#include "varia/io/diagnostics.hpp"
#include "varia/io/runner.hpp"
#include "varia/io/stepper.hpp"
#include "varia/verify/differences.hpp"

namespace varia::io::sensitivity_test {
namespace {

/// Masses, potential, force and start depend on a; the step too where it is asked for.
std::string text(double a, const std::string& method, const std::string& step = "0.05",
                 const std::string& more = "[diagnose]\nsensitivity = [\"a\"]\n") {
  return "[system]\ncoordinates = [\"x\", \"y\"]\nparameters = { a = " + varia::to_text(a) +
         ", m = \"1 + a^2\" }\n"
         "lagrangian = \"m*(x_dot^2 + y_dot^2)/2 - a*x^4/4 - (y - a*x)^2/2\"\n"
         "[start]\nx = \"1 - a\"\ny = 0.2\nx_dot = 0.1\ny_dot = \"sqrt(a)\"\n"
         "[run]\nmethod = \"" +
         method + "\"\nstep = \"" + step + "\"\nsteps = 60\n" + more;
}

/// A top whose tilt, inertia and damping depend on a.
std::string top(double a, const std::string& method) {
  return "[system]\ncoordinates = [{ name = \"R\", space = \"SO3\" }, \"x\"]\nparameters = { a = " +
         varia::to_text(a) +
         " }\nlagrangian = \"(R_w1^2 + (1 + a)*R_w2^2 + 0.6*R_w3^2)/2 - 1.3*a*R33 + x_dot^2/2 - "
         "x^2*R11\"\nforce = { R_2 = \"-0.1*a*R_w2\", x = \"0.1*sin(a*t)\" }\n"
         "[start]\nR = { angle_axis = [\"0.5*a\", 0.1, 0] }\nR_w1 = 0.1\nR_w2 = \"a\"\nR_w3 = 3\n"
         "x = 0.3\nx_dot = \"a^2\"\n[run]\nmethod = \"" +
         method + "\"\nstep = 0.05\nsteps = 40\n[diagnose]\nsensitivity = [\"a\"]\n";
}

/// A pendulum in the plane whose length is a, held by a constraint; driven where its pivot moves.
std::string pendulum(double a, const std::string& pivot) {
  return "[system]\ncoordinates = [\"x\", \"y\"]\nparameters = { a = " + varia::to_text(a) +
         " }\nlagrangian = \"(x_dot^2 + y_dot^2)/2 - y\"\nholonomic = [\"((x - " + pivot +
         ")^2 + y^2 - a^2)/2\"]\n[start]\nx = \"a*0.6\"\ny = \"-a*0.8\"\nx_dot = \"0.8*a\"\n"
         "y_dot = \"0.6*a\"\n[run]\nmethod = \"lobatto(3)\"\nstep = 0.05\nsteps = 40\n"
         "[diagnose]\nsensitivity = [\"a\"]\n";
}

/// Two bodies on a hinge, of which everything depends on a: masses, inertia, points, axis, gravity.
std::string hinged(double a) {
  return "[system]\nparameters = { a = " + varia::to_text(a) + R"~( }
gravity = [0, "0.1*a", -1]
[[system.body]]
name = "A"
mass = "1 + a"
inertia = ["0.3*a", 0.3, 0.4]
centre = [0.3, "0.1*a", 0]
points.tip = ["0.5*a", 0, 0.1]
[[system.body]]
name = "B"
mass = 1
shape.box = [0.5, "a", 0.3]
points.base = ["-0.5*a", 0, 0]
[[system.joint]]
kind = "ball"
between = ["ground", "A"]
[[system.joint]]
kind = "hinge"
between = ["A.tip", "B.base"]
axis = ["0.2*a", 1, 0.3]
turn = ["0.2*a", 1, 0.3]
[start]
A = { position = [0, 0, 0], angle_axis = [0, 0, 0] }
B = { position = ["0.5*a + 0.5*a", 0, 0.1], angle_axis = [0, 0, 0] }
[run]
method = "lobatto(3)"
step = 0.05
steps = 20
[diagnose]
sensitivity = ["a"]
)~";
}

/// A spherical pendulum whose start and gravity depend on a.
std::string on_sphere(double a) {
  return "[system]\ncoordinates = [{ name = \"n\", space = \"S2\" }]\nparameters = { a = " +
         varia::to_text(a) +
         " }\nlagrangian = \"(n1_dot^2 + n2_dot^2 + n3_dot^2)/2 - 9.81*a*n3\"\n"
         "[start]\nn = [\"sin(2*a)\", 0, \"cos(2*a)\"]\nn_dot = [0, \"1.4*a^2\", 0]\n"
         "[run]\nmethod = \"gauss(2)\"\nstep = 0.02\nsteps = 40\n"
         "[diagnose]\nsensitivity = [\"a\"]\n";
}

/// Not quadratic in the momenta: there is no Lagrangian.
std::string relativistic(double a, const std::string& method) {
  return "[system]\ncoordinates = [\"x\", \"y\"]\nparameters = { a = " + varia::to_text(a) +
         " }\nhamiltonian = \"sqrt(a^2 + x_p^2 + y_p^2) + a*x^4/4 + (y - x)^2/2 + "
         "0.1*a*x*sin(t)\"\n"
         "[start]\nx = \"1 - a\"\ny = 0.2\nx_p = 0.1\ny_p = \"sqrt(a)\"\n"
         "[run]\nmethod = \"" +
         method + "\"\nstep = \"0.1*a\"\nsteps = 60\n[diagnose]\nsensitivity = [\"a\"]\n";
}

/// Lotka and Volterra: linear in the velocities.
std::string populations(double a, const std::string& projection) {
  return "[system]\ncoordinates = [\"x\", \"y\"]\nparameters = { a = " + varia::to_text(a) +
         " }\nlagrangian = \"(log(y)/x + a*y)*x_dot + a*x*y_dot - (x + a*y - log(x) - 2*log(y))\"\n"
         "[start]\nx = \"2*a\"\ny = 1.1\n[run]\nmethod = \"gauss(2)\"\nstep = \"0.1*a\"\n"
         "steps = 40\nprojection = \"" +
         projection + "\"\n[diagnose]\nsensitivity = [\"a\"]\n";
}

Summary result(const std::string& scenario, const RunOptions& options = {}) {
  Model model = models::model_of(scenario);
  return run(model, options);
}

template <class List> Eigen::VectorXd numbers(const List& q, const List& p) {
  Eigen::VectorXd x(static_cast<Eigen::Index>(q.size() + p.size()));
  Eigen::Index i = 0;
  for (const auto* list : {&q, &p})
    for (const auto& [name, value] : *list) x[i++] = value;
  return x;
}

/// Against Romberg differences of whole runs.
template <class Scenario> double worst_error(const Scenario& scenario, double a) {
  const auto& found = result(scenario(a)).diagnose.sensitivity;
  EXPECT_EQ(found.size(), 1u);
  EXPECT_EQ(found.front().first, "a");
  const Eigen::VectorXd differences = derivative_at_zero(
      [&](double change) {
        const Summary s = result(scenario(a + change));
        return numbers(s.final.q, s.final.p);
      },
      0.05);
  const auto& by = found.front().second;
  return (numbers(by.q, by.p) - differences).cwiseAbs().maxCoeff();
}

TEST(Sensitivity, EqualsDifferencesOfRuns) {
  for (const char* method : {"verlet", "gauss(2)", "lobatto(3)", "yoshida(4)"})
    EXPECT_LT(worst_error([&](double a) { return text(a, method); }, 0.4), 1e-8) << method;
}

TEST(Sensitivity, OfTheStepToo) {
  EXPECT_LT(worst_error([](double a) { return text(a, "gauss(2)", "0.1*a"); }, 0.4), 1e-8);
  const Summary s = result(text(0.4, "gauss(2)", "0.1*a"));
  EXPECT_NEAR(s.diagnose.sensitivity.front().second.t, 6.0, 1e-12);
}

TEST(Sensitivity, OnGroups) {
  EXPECT_LT(worst_error([](double a) { return top(a, "gauss(2)"); }, 0.7), 1e-7);
}

TEST(Sensitivity, WithConstraints) {
  EXPECT_LT(worst_error([](double a) { return pendulum(a, "0"); }, 1.3), 1e-8);
  EXPECT_LT(worst_error([](double a) { return pendulum(a, "0.2*a*t^2"); }, 1.3), 1e-8);
}

TEST(SensitivitySlow, OfBodiesAndJoints) { EXPECT_LT(worst_error(hinged, 0.9), 1e-7); }

TEST(Sensitivity, OnTheSphere) { EXPECT_LT(worst_error(on_sphere, 0.9), 1e-7); }

TEST(Sensitivity, OfHamiltoniansWithoutALagrangian) {
  for (const char* method : {"verlet", "gauss(2)", "lobatto(3)"})
    EXPECT_LT(worst_error([&](double a) { return relativistic(a, method); }, 0.4), 1e-8) << method;
}

TEST(SensitivitySlow, OfLagrangiansLinearInTheVelocities) {
  for (const char* projection : {"symmetric", "each_step", "none"})
    EXPECT_LT(worst_error([&](double a) { return populations(a, projection); }, 0.6), 1e-8)
        << projection;
}

TEST(Sensitivity, OfAnOwnDiscreteLagrangian) {
  const auto own = [](double a) {
    return "[system]\ncoordinates = [\"x\"]\nparameters = { a = " + varia::to_text(a) +
           " }\nlagrangian = \"a*x_dot^2/2 - a^2*x^4/4\"\n"
           "discrete_lagrangian = \"a*(x_1 - x_0)^2/(2*h) - h*a^2*((x_0 + x_1)/2)^4/4\"\n"
           "[start]\nx = \"1 - a\"\nx_dot = \"a\"\n[run]\nmethod = \"discrete_lagrangian(2)\"\n"
           "step = \"0.1*a\"\nsteps = 40\n[diagnose]\nsensitivity = [\"a\"]\n";
  };
  EXPECT_LT(worst_error(own, 0.6), 1e-8);
}

/// The exponent does not depend on the side on which the system is stated.
TEST(Lyapunov, OfAHamiltonianIsThatOfItsLagrangian) {
  const std::string start = "[start]\nx = 0\ny = 0.1\n";
  const std::string rest =
      "[run]\nmethod = \"gauss(2)\"\nstep = 0.1\nsteps = 3000\n[diagnose]\nlyapunov = true\n";
  const std::string potential = "(x^2 + y^2)/2 + x^2*y - y^3/3";
  const std::string system = "[system]\ncoordinates = [\"x\", \"y\"]\n";
  const auto exponent = [&](const std::string& text) {
    return result(text).diagnose.lyapunov->exponent;
  };
  const double by_lagrangian =
      exponent(system + "lagrangian = \"(x_dot^2 + y_dot^2)/2 - (" + potential + ")\"\n" + start +
               "x_dot = 0.5\ny_dot = 0.1\n" + rest);
  // x_p^4 is 0 of the size of round-off, and hides that H is quadratic
  const double by_hamiltonian =
      exponent(system + "hamiltonian = \"(x_p^2 + y_p^2)/2 + 1e-30*x_p^4 + " + potential + "\"\n" +
               start + "x_p = 0.5\ny_p = 0.1\n" + rest);
  EXPECT_GT(by_lagrangian, 0.0);
  EXPECT_NEAR(by_hamiltonian, by_lagrangian, 1e-3);
}

/// Other discretisations of one chaotic motion have about its exponent, by the same unit of time.
TEST(Lyapunov, OfOtherFlows) {
  const auto exponent = [](const std::string& run) {
    return result(
               "[system]\ncoordinates = [\"x\", \"y\"]\nlagrangian = \"(x_dot^2 + y_dot^2)/2 - "
               "(x^2 + y^2)/2 - x^2*y + y^3/3\"\n[start]\nx = 0\ny = 0.1\nx_dot = 0.5\n"
               "y_dot = 0.1\n[run]\nstep = 0.1\nsteps = 1000\nmethod = " +
               run + "\n[diagnose]\nlyapunov = true\n")
        .diagnose.lyapunov->exponent;
  };
  const double expected = exponent("\"gauss(3)\"");
  EXPECT_GT(expected, 0.0);
  for (const char* run : {"\"rk4\"", "\"newmark(0.25)\"", "\"shooting(4, lobatto:3)\"",
                          "\"gauss(2)\"\npace = \"1/(1 + x^2 + y^2)\""})
    EXPECT_NEAR(exponent(run), expected, 0.5 * expected) << run;
}

TEST(FreeParameter, TheMotionIsThatOfNumbers) {
  for (const char* method : {"verlet", "gauss(2)"}) {
    const Summary fixed = result(text(0.4, method, "0.05", ""));
    const Summary free = result(text(0.4, method));
    EXPECT_TRUE(free.structure.separable);
    EXPECT_EQ(free.structure.is_explicit, fixed.structure.is_explicit);
    EXPECT_LT((numbers(free.final.q, free.final.p) - numbers(fixed.final.q, fixed.final.p))
                  .cwiseAbs()
                  .maxCoeff(),
              1e-13)
        << method;
  }
}

TEST(Sensitivity, AWrongNameIsRefused) {
  const auto refused = [](const std::string& list, const std::string& table) {
    return refusal<ScenarioError>([&] {
      models::model_of(table == "diagnose"
                           ? text(0.4, "verlet", "0.05", "[diagnose]\nsensitivity = " + list + "\n")
                           : text(0.4, "verlet", "0.05", "").insert(9, "free = " + list + "\n"));
    });
  };
  for (const char* table : {"diagnose", "system"}) {
    EXPECT_NE(refused("[\"b\"]", table).find("there are: a, m"), std::string::npos);
    EXPECT_NE(refused("[\"a\", \"a\"]", table).find("twice"), std::string::npos);
  }
}

TEST(SensitivitySlow, OfMethodsWithAFlowOfTheirOwn) {
  for (const char* method :
       {"rk4", "newmark(0.25)", "shooting(4, lobatto:3)", "taylor(3, gauss:2)"})
    EXPECT_LT(worst_error([&](double a) { return text(a, method, "0.1*a"); }, 0.4), 1e-8) << method;
}

TEST(SensitivitySlow, OfStepsOfVariableLength) {
  const auto variable = [](double a, const std::string& method, const std::string& how) {
    std::string scenario = text(a, method, "0.1*a");
    return scenario.insert(scenario.find("[diagnose]"), how + "\n");
  };
  for (const char* method : {"verlet", "gauss(2)"})
    for (const char* how : {"pace = \"1/(1 + a*x^2)\"", "pace = \"auto\""})
      EXPECT_LT(worst_error([&](double a) { return variable(a, method, how); }, 0.4), 1e-8)
          << method << " " << how;
  EXPECT_LT(worst_error(
                [&](double a) { return variable(a, "midpoint", "keep_energy = \"refuse\""); }, 0.4),
            1e-7);
}

TEST(Sensitivity, IsForFlowsThatHaveADerivative) {
  const std::string refused = refusal<ScenarioError>([] {
    Diagnostics d(models::model_of(
        "[system]\ncoordinates = [\"x\"]\nlagrangian = \"(x_dot^2 - x^2)/2\"\n"
        "[[system.term]]\npotential = \"x^2/2\"\nstep = 0.03\n[start]\nx = 1\nx_dot = 0\n"
        "[run]\nmethod = \"avi\"\nstep = 0.1\nsteps = 2\n[diagnose]\nlyapunov = true\n"));
  });
  EXPECT_NE(refused.find("avi has none"), std::string::npos) << refused;
}

/// How a projected start moves with a parameter is not known.
TEST(Sensitivity, NotFromAProjectedStart) {
  const std::string refused = refusal<ScenarioError>([] {
    Diagnostics d(models::model_of(
        "[system]\ncoordinates = [\"x\", \"y\"]\nparameters = { a = 1.0 }\n"
        "lagrangian = \"(x_dot^2 + y_dot^2)/2 - a*y\"\nholonomic = [\"x^2 + y^2 - 1\"]\n"
        "[start]\nx = 1.01\ny = 0\nx_dot = 0\ny_dot = 0\nproject = true\n"
        "[run]\nmethod = \"lobatto(2)\"\nstep = 0.1\nsteps = 2\n"
        "[diagnose]\nsensitivity = [\"a\"]\n"));
  });
  expect_words(refused, {"diagnose.sensitivity", "projected", "project = true"});
}

class FreeParameters : public expr::Sandbox {};

TEST_F(FreeParameters, AreCompiledOnce) {
  const auto evaluation = [](double a, const std::string& method) {
    Model model = models::model_of(text(a, method, "0.05", "").insert(9, "free = [\"a\"]\n"));
    model.scenario.run.evaluation = "native";
    return prepare_evaluation(model).text;
  };
  for (const char* method : {"verlet", "gauss(2)"}) {
    EXPECT_EQ(evaluation(0.4, method).find("cache"), std::string::npos);
    EXPECT_NE(evaluation(0.5, method).find("cache"), std::string::npos);
  }
}

}  // namespace
}  // namespace varia::io::sensitivity_test
