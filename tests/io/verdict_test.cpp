// SPDX-License-Identifier: BSD-3-Clause
// Verdicts just below and just above each limit of docs/reference/outputs.md.
#include "varia/io/verdict.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <limits>

#include "models.hpp"

namespace varia::io::verdict_test {
namespace {

constexpr double below = 1 - 1e-9, above = 1 + 1e-9;
constexpr double eps = std::numeric_limits<double>::epsilon();

/// A run of 10000 steps of which everything is good.
Summary example() {
  Summary s;
  s.steps = 10000;
  s.step = 0.01;
  s.order = 2;
  s.t_end = 100;
  s.energy.exchanged = s.energy.swing = 2.0;
  s.energy.moves = true;
  s.energy.max = 1.0;
  s.energy.trend = "level";
  return s;
}

/// 64 ε (1 + √N)
double wandering(const Summary& s) {
  return 64 * eps * (1 + std::sqrt(static_cast<double>(s.steps)));
}

Verdict named(const std::string& name, const Model& model, const Summary& s) {
  for (const Verdict& v : verdicts(model, s))
    if (v.name == name) return v;
  return {name, "", "", ""};  // none
}

std::string status(const std::string& name, const Model& model, const Summary& s) {
  return named(name, model, s).status;
}

std::string of_energy(const Summary& s) {
  static const Model model = models::model_of(models::pendulum());
  return status("energy", model, s);
}

TEST(Verdicts, EnergyWithoutTrend) {
  const auto at = [](double share) {
    Summary s = example();
    s.energy.max_abs_error = share * s.energy.exchanged;
    return of_energy(s);
  };
  EXPECT_EQ(at(0.05 * below), "good");
  EXPECT_EQ(at(0.05 * above), "note");
  EXPECT_EQ(at(0.3 * below), "note");
  EXPECT_EQ(at(0.3 * above), "bad");
}

TEST(Verdicts, EnergyOfASteadyMotionDoesNotCount) {
  const auto at = [](double share) {
    Summary s = example();
    s.energy.swing = 1e-3 * s.energy.exchanged;
    s.energy.max_abs_error = share * s.energy.swing;
    return of_energy(s);
  };
  EXPECT_EQ(at(0.1 * below), "good");
  EXPECT_EQ(at(0.1 * above), "note");
}

TEST(Verdicts, EnergyWithTrend) {
  const auto at = [](double error, bool variational) {
    Summary s = example();
    s.variational = variational;
    s.energy.trend = "drifting";
    s.energy.drift_per_time = -error / 100;
    s.energy.max_abs_error = error;
    s.energy.round_off = 1e-13;
    return of_energy(s);
  };
  const Summary s = example();
  const double rounded = 8 * 1e-13 + wandering(s) * s.energy.exchanged;
  for (const bool variational : {true, false}) {
    EXPECT_EQ(at(rounded * below, variational), "good");
    EXPECT_EQ(at(rounded * above, variational), "note");
  }
  EXPECT_EQ(at(0.3 * 2 * below, true), "note");
  EXPECT_EQ(at(0.3 * 2 * above, true), "bad");
  EXPECT_EQ(at(1e-8 * 2 * below, false), "note");
  EXPECT_EQ(at(1e-8 * 2 * above, false), "bad");
}

/// 1e-13 of a large constant, which a fit of the trend takes for round-off, may be much of the rest.
TEST(Verdicts, ATrendBesideAConstantIsOne) {
  const auto at = [](double slope) {
    Summary s = example();
    s.variational = false;
    s.energy.max = s.energy.initial = s.energy.final = 1e9;
    s.energy.round_off = 1e9 * eps;
    s.energy.max_abs_error = 1e-5;
    s.energy.trend = "round_off";
    s.energy.drift_per_time = slope * 1e-5 / 100;
    return of_energy(s);
  };
  EXPECT_EQ(at(0.5 * below), "good");
  EXPECT_EQ(at(0.5 * above), "bad");
}

/// Of a baseline that ends at its largest error.
TEST(Verdicts, SteadyLossIsNoSwing) {
  const auto at = [](double end, bool variational) {
    Summary s = example();
    s.variational = variational;
    s.energy.max_abs_error = 0.01;
    s.energy.final = s.energy.initial - end * 0.01;
    return s;
  };
  EXPECT_EQ(of_energy(at(0.9 * below, false)), "good");
  EXPECT_EQ(of_energy(at(0.9 * above, false)), "bad");
  EXPECT_EQ(of_energy(at(0.9 * above, true)), "good");
  const Model model = models::model_of(models::pendulum());
  const std::string text = named("energy", model, at(1, false)).text;
  EXPECT_NE(text.find("decays"), std::string::npos) << text;
}

TEST(Verdicts, EnergyHiddenByRoundOff) {
  const auto at = [](double factor) {
    Summary s = example();
    s.energy.round_off = factor * 0.05 * s.energy.exchanged / 8;
    return s;
  };
  EXPECT_EQ(of_energy(at(below)), "good");
  EXPECT_EQ(of_energy(at(above)), "note");
  Summary rest = at(above);
  rest.energy.moves = false;
  EXPECT_EQ(of_energy(rest), "good") << "at rest";
}

/// A loss of 1e-8 is bad of a method that is not variational: less must not be hidden.
TEST(Verdicts, LossesHiddenByRoundOff) {
  const auto at = [](double factor) {
    Summary s = example();
    s.variational = false;
    s.energy.round_off = factor * 1e-8 * s.energy.exchanged / 8;
    return of_energy(s);
  };
  EXPECT_EQ(at(below), "good");
  EXPECT_EQ(at(above), "note");
}

TEST(Verdicts, EnergyThatIsNotANumberIsBad) {
  Summary s = example();
  for (const double x :
       {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    s.energy.max_abs_error = x;
    EXPECT_EQ(of_energy(s), "bad");
  }
}

/// Units of energy change nothing.
TEST(Verdicts, DoNotDependOnTheUnitOfEnergy) {
  for (const bool variational : {true, false})
    for (const char* trend : {"level", "drifting", ""})
      for (const double share : {1e-17, 1e-12, 1e-9, 1e-5, 0.04, 0.2, 0.5}) {
        Summary s = example();
        s.variational = variational;
        s.energy.trend = trend;
        s.energy.max_abs_error = 2 * share;
        s.energy.final = s.energy.initial - 0.5 * share;
        s.energy.drift_per_time = 0.02 * share;
        const std::string here = of_energy(s);
        for (const double unit : {0x1p-200, 0x1p-60, 0x1p60}) {
          Summary other = s;
          for (double* x :
               {&other.energy.max_abs_error, &other.energy.final, &other.energy.drift_per_time,
                &other.energy.exchanged, &other.energy.swing, &other.energy.max})
            *x *= unit;
          EXPECT_EQ(of_energy(other), here) << trend << share << unit;
        }
      }
}

TEST(Verdicts, EnergyIsANoteWithForcesOrTime) {
  Summary s = example();
  for (const char* text : {"x_dot^2/2 - x^2/2 + x*sin(t)", "x_dot^2/2 - x^2/2"}) {
    const bool timed = std::string(text).find('t', 10) != std::string::npos;
    const Model model =
        models::model_of(models::single(text, timed ? "" : "force = { x = \"-x_dot\" }"));
    for (const double error : {0.0, 1.0}) {
      s.energy.max_abs_error = error;
      EXPECT_EQ(status("energy", model, s), "note") << text;
    }
  }
}

TEST(Verdicts, Momenta) {
  Model model = models::model_of(models::kepler());
  const auto at = [&](double share) {
    Summary s = example();
    Summary::Momentum m{0.8, share * 5, 0.8, 5};
    s.momenta = {{"rotation", m}};
    return named("rotation", model, s);
  };
  const double rounded = wandering(example());
  EXPECT_EQ(at(rounded * below).status, "good");
  EXPECT_EQ(at(rounded * above).status, "note");
  EXPECT_EQ(at(1e-9 * below).status, "note");
  EXPECT_EQ(at(1e-9 * above).status, "bad");
  // a generator that is one only to the round-off of its numbers
  model.momenta[0].defect = 2e-13;
  EXPECT_EQ(at(1e-9 * above).status, "note");
  EXPECT_NE(at(1e-9 * above).text.find("generator"), std::string::npos);
  EXPECT_EQ(at(rounded * below).status, "good");
  model.momenta[0].defect = 0.5e-13;
  EXPECT_EQ(at(1e-9 * above).status, "bad");
}

TEST(Verdicts, Constraints) {
  const Model model = models::model_of(
      models::scenario("coordinates = [\"x\", \"y\"]\nlagrangian = \"(x_dot^2 + y_dot^2)/2 - y\"\n"
                       "holonomic = [\"x^2 + y^2 - 1\"]",
                       "x = 1\ny = 0\nx_dot = 0\ny_dot = 0.5", "verlet"));
  for (const bool speed : {true, false}) {
    const auto at = [&](double defect) {
      Summary s = example();
      (speed ? s.constraints.relative_velocity : s.constraints.relative_position) = defect;
      return status("constraints", model, s);
    };
    EXPECT_EQ(at(1e-12 * below), "good");
    EXPECT_EQ(at(1e-12 * above), "note");
    EXPECT_EQ(at(1e-8 * below), "note");
    EXPECT_EQ(at(1e-8 * above), "bad");
  }
}

TEST(Verdicts, StepsThatDoNotResolve) {
  const Model model = models::model_of(models::pendulum());
  const double pi = std::acos(-1.0);
  for (const int order : {1, 2, 4, 6, 8, 12}) {
    const double limit = std::min(pi, 0.5 * order);
    Summary s = example();
    s.order = order;
    for (const double sign : {1.0, -1.0}) {
      s.step = sign * 0.1;
      s.fastest_frequency = 10 * limit * below;
      EXPECT_EQ(status("step", model, s), "") << order;
      s.fastest_frequency = 10 * limit * above;
      EXPECT_EQ(status("step", model, s), "note") << order;
    }
  }
}

TEST(Verdicts, StepsThatMissWhatActs) {
  const Model model = models::model_of(models::pendulum());
  Summary s = example();
  s.step_error = 0.3 * below;
  EXPECT_EQ(status("step", model, s), "");
  s.step_error = 0.3 * above;
  EXPECT_EQ(status("step", model, s), "bad");
  s.step_length = Summary::StepLength{};
  EXPECT_EQ(status("step", model, s), "");
}

/// Growth and decay are named as such where they are faster than all that turns.
TEST(Verdicts, StepsThatDoNotResolveForces) {
  const Model model = models::model_of(models::pendulum());
  const auto text = [&](std::complex<double> rate) {
    Summary s = example();
    s.fastest_frequency = 50.0;
    s.fastest_rate = rate;
    return named("step", model, s).text;
  };
  EXPECT_EQ(text(-99.0), "");
  EXPECT_NE(text(-101.0).find("fastest decay: a step is 1.01 times its time"), std::string::npos);
  EXPECT_NE(text(101.0).find("fastest growth"), std::string::npos);
  EXPECT_NE(text({-50.0, 100.0}).find("turns once"), std::string::npos);
}

TEST(Verdicts, NegativeKineticEnergy) {
  const Model model = models::model_of(models::pendulum());
  Summary s = example();
  s.energy.lowest_kinetic = -1e-9 * s.energy.exchanged * below;
  EXPECT_EQ(status("kinetic energy", model, s), "");
  s.energy.lowest_kinetic = -1e-9 * s.energy.exchanged * above;
  EXPECT_EQ(status("kinetic energy", model, s), "note");
  s.energy.round_off = 1e-3;  // a constant in L
  EXPECT_EQ(status("kinetic energy", model, s), "");
  s.energy.lowest_kinetic = -(8e-3 + 1e-9 * s.energy.exchanged) * above;
  EXPECT_EQ(status("kinetic energy", model, s), "note");
}

TEST(Verdicts, BalanceOfAMomentum) {
  const Model model = models::model_of(models::kepler());
  for (const double size : {1e-9, 1.0, 1e9}) {
    const auto at = [&](double defect) {
      Summary s = example();
      s.momenta = {{"rotation", {0.1 * size, 0.2 * size, 0.3 * size, size}}};
      s.diagnose.balance = {{"rotation", {0.1, 0.1, defect * size}}};
      return status("rotation balance", model, s);
    };
    EXPECT_EQ(at(1e-11 * below), "good") << size;
    EXPECT_EQ(at(1e-11 * above), "bad") << size;
  }
}

TEST(Verdicts, EnergyOfDrivenConstraints) {
  const Model model = models::model_of(
      models::scenario("coordinates = [\"x\", \"y\"]\nlagrangian = \"(x_dot^2 + y_dot^2)/2 - y\"\n"
                       "holonomic = [\"y - 0.5*sin(t)\"]",
                       "x = 1\ny = 0\nx_dot = 0\ny_dot = 0.5", "verlet"));
  for (const double size : {1e-15, 1.0, 1e15}) {
    const auto at = [&](double defect) {
      Summary s = example();
      s.energy.exchanged = size;
      s.energy.min = -0.5 * size;
      s.energy.max = 0.5 * size;
      s.observe = {{driver_work, {}}, {energy_balance, {0, 0, 0, defect * size}}};
      return status("energy", model, s);
    };
    EXPECT_EQ(at(0.01 * below), "good") << size;
    EXPECT_EQ(at(0.01 * above), "note") << size;
  }
}

TEST(Verdicts, RunsThatFailAreBad) {
  const Model model = models::model_of(models::pendulum());
  Summary s = example();
  EXPECT_EQ(status("run", model, s), "");
  s.status = "failed";
  EXPECT_EQ(status("run", model, s), "bad");
  EXPECT_EQ(status("energy", model, s), "note");
  s.energy.exchanged = 0;
  s.energy.max_abs_error = 1;
  for (const Verdict& v : verdicts(model, s)) EXPECT_EQ(v.text.find("inf"), std::string::npos);
}

TEST(Verdicts, NumbersThatAreNoneAreWords) {
  for (const double x :
       {std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(),
        std::numeric_limits<double>::quiet_NaN(), -std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_EQ(short_number(x), "no finite number");
  }
  EXPECT_EQ(short_number(1.2345e-9), "1.23e-09");
}

}  // namespace
}  // namespace varia::io::verdict_test
