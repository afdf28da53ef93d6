// SPDX-License-Identifier: BSD-3-Clause
// Events of runs: they lie on the section to round-off, agree with closed forms and with a reference
// of another kind, and leave the motion as it is; cases at the ends of steps, two in one step, ends of
// runs, groups, constraints, steps of variable length; what is refused.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

#include "adversity.hpp"
#include "models.hpp"
#include "refusal.hpp"
#include "varia/io/event.hpp"
#include "varia/io/runner.hpp"

namespace varia::io::events_test {

namespace {

using Rows = std::vector<std::vector<double>>;

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

std::string event(const std::string& lines) { return "[[event]]\n" + lines + "\n"; }

/// A run and its table of events.
struct Watched {
  explicit Watched(const std::string& text, const std::vector<std::string>& overrides = {}) {
    Model model = models::model_of(text + "[output]\nreport = false\n", overrides);
    Folder folder;
    RunOptions options;
    options.directory = folder.path();
    options.events = [&](RecordReader& reader) {
      columns = reader.columns();
      std::vector<double> row(columns.size());
      while (reader.next(row.data())) rows.push_back(row);
    };
    options.finish = [](RecordReader&, Summary&) {};
    summary = run(model, options);
  }
  /// The column of this name of all rows.
  std::vector<double> column(const std::string& name) const {
    std::vector<double> values;
    for (std::size_t i = 0; i < columns.size(); ++i)
      if (columns[i].name == name)
        for (const auto& row : rows) values.push_back(row[i]);
    return values;
  }
  const Summary::Event& at(std::size_t i) const { return summary.events.at(i); }

  Summary summary;
  ColumnList columns;
  Rows rows;
};

/// x'' = -1 from rest at x = 1, which Verlet follows without error: x = 1 - t²/2.
std::string fall(const std::string& events, const std::string& step = "0.1",
                 const std::string& steps = "20") {
  return models::scenario("coordinates = [\"x\"]\nlagrangian = \"x_dot^2/2 - x\"",
                          "x = 1\nx_dot = 0", "verlet", step, steps) +
         events;
}

/// x = -1 + t.
std::string drift(const std::string& events, const std::string& step = "0.25",
                  const std::string& steps = "8") {
  return models::scenario("coordinates = [\"x\"]\nlagrangian = \"x_dot^2/2\"", "x = -1\nx_dot = 1",
                          "verlet", step, steps) +
         events;
}

const double fall_time = std::sqrt(2.0);
constexpr double ulp = 0x1p-52;  ///< of numbers from 1 to 2

}  // namespace

TEST(Events, AStopIsTheEndOfTheRun) {
  const Watched w(
      fall(event("when = \"x\"\ndirection = \"down\"\naction = \"stop\"\nname = \"ground\"")));
  EXPECT_NEAR(w.summary.t_end, fall_time, ulp);
  EXPECT_NEAR(w.summary.final.q[0].second, 0.0, 3e-16);
  EXPECT_NEAR(w.summary.final.v[0].second, -fall_time, 3e-16);
  EXPECT_EQ(w.summary.status, "done");
  EXPECT_EQ(w.summary.message.rfind("ended by the event ground at t = 1.41421356237309", 0), 0U)
      << w.summary.message;
  EXPECT_EQ(w.summary.steps, 15);
  EXPECT_EQ(w.summary.records, 16);
  ASSERT_EQ(w.rows.size(), 1U);
  EXPECT_EQ(w.column("t")[0], w.summary.t_end);
  EXPECT_EQ(w.at(0).count, 1);
  EXPECT_EQ(w.at(0).times, w.column("t"));
}

/// The event state is recorded where no record would be due, and is the last one where it is.
TEST(Events, AStopIsTheLastRecordWhateverIsRecorded) {
  const std::string stop = event("when = \"x\"\naction = \"stop\"");
  for (const long every : {1, 5, 7, 15, 1000}) {
    const Watched w(fall(stop), {"run.every=" + std::to_string(every)});
    EXPECT_NEAR(w.summary.t_end, fall_time, ulp) << every;
    EXPECT_EQ(w.summary.records, 1 + 15 / every + (15 % every != 0 ? 1 : 0)) << every;
    EXPECT_NEAR(w.summary.final.q[0].second, 0.0, 3e-16) << every;
  }
}

TEST(Events, PeriodsOfAPendulumAreEllipticIntegrals) {
  double a = 1.0,
         b = std::cos(1.25);  // 4 K(sin(1.25)) = 2 pi/agm(1, cos(1.25)) for an amplitude of 2.5
  for (int i = 0; i < 6; ++i) {
    const double mean = 0.5 * (a + b);
    b = std::sqrt(a * b);
    a = mean;
  }
  const double period = 2.0 * std::numbers::pi / a;
  const Watched w(models::scenario("coordinates = [\"q\"]\nlagrangian = \"q_dot^2/2 + cos(q)\"",
                                   "q = 2.5\nq_dot = 0", "gauss(6)", "0.05", "100000") +
                  event("when = \"q\"\ndirection = \"up\"") +
                  event("when = \"q_dot\"\ndirection = \"down\"\naction = \"stop\"\nafter = 10"));
  EXPECT_NEAR(w.summary.t_end, 10.0 * period, 1e-12 * 10.0 * period);
  EXPECT_EQ(w.at(1).count, 10);
  ASSERT_EQ(w.at(0).count, 10);
  for (int k = 0; k < 10; ++k) EXPECT_NEAR(w.at(0).times[k], (k + 0.75) * period, 1e-10);
  for (const double q : w.column("q")) EXPECT_TRUE(std::abs(q) < 1e-15 || q > 2.4999999);
}

// ---------------------------------------------------------------- Henon-Heiles

namespace {

/// Henon-Heiles by Taylor series in long double, which knows nothing of flows: x and y, their
/// velocities, and the crossings of x = 0 upwards.
class Taylor {
 public:
  using Real = long double;
  struct Point {
    Real t, y, v;
  };

  Taylor(Real y0, Real u0, Real v0) : x_{0, u0}, y_{y0, v0} {}

  Point next_crossing() {
    for (;;) {
      expand();
      const bool up = x_[0] < 0 && value(x_, step) >= 0;
      if (up) {
        Real h = step * x_[0] / (x_[0] - value(x_, step));
        for (int i = 0; i < 50; ++i) h -= value(x_, h) / slope(x_, h);
        const Point found{t_ + h, value(y_, h), slope(y_, h)};
        go();
        return found;
      }
      go();
    }
  }

 private:
  static constexpr int order = 22;
  static constexpr Real step = 0.1L;
  using Series = std::array<Real, order + 1>;

  static Real value(const Series& s, Real h) {
    Real sum = 0;
    for (int k = order; k >= 0; --k) sum = sum * h + s[static_cast<std::size_t>(k)];
    return sum;
  }
  static Real slope(const Series& s, Real h) {
    Real sum = 0;
    for (int k = order; k > 0; --k) sum = sum * h + k * s[static_cast<std::size_t>(k)];
    return sum;
  }
  void expand() {
    for (std::size_t k = 0; k + 2 <= order; ++k) {
      Real xy = 0, xx = 0, yy = 0;
      for (std::size_t i = 0; i <= k; ++i) {
        xy += x_[i] * y_[k - i];
        xx += x_[i] * x_[k - i];
        yy += y_[i] * y_[k - i];
      }
      const Real scale = static_cast<Real>((k + 1) * (k + 2));
      x_[k + 2] = (-x_[k] - 2 * xy) / scale;
      y_[k + 2] = (-y_[k] - xx + yy) / scale;
    }
  }
  void go() {
    const Real x = value(x_, step), u = slope(x_, step), y = value(y_, step), v = slope(y_, step);
    x_[0] = x, x_[1] = u, y_[0] = y, y_[1] = v;
    t_ += step;
  }

  Series x_, y_;
  Real t_ = 0;
};

}  // namespace

TEST(Events, AThousandCrossingsOfHenonAndHeilesAgreeWithTaylorSeries) {
  const Watched w(models::scenario(
                      "coordinates = [\"x\", \"y\"]\nlagrangian = \"(x_dot^2 + y_dot^2)/2 - (x^2 + "
                      "y^2)/2 - x^2*y + y^3/3\"",
                      "x = 0\ny = 0.1\nx_dot = \"sqrt(2*(1/12 - 0.005 + 0.001/3))\"\ny_dot = 0",
                      "gauss(8)", "0.2", "1000000") +
                  event("when = \"x\"\ndirection = \"up\"") +
                  event("when = \"x\"\ndirection = \"up\"\naction = \"stop\"\nafter = 1000"));
  EXPECT_EQ(w.summary.status, "done");
  const auto number = w.column("event"), t = w.column("t"), x = w.column("x"), y = w.column("y"),
             v = w.column("y_p");
  ASSERT_EQ(t.size(), 1001U) << "and the stop";
  EXPECT_EQ(number.back(), 2.0);
  Taylor reference(0.1L, std::sqrt(2 * (1 / 12.0L - 0.005L + 0.001L / 3)), 0);
  double off = 0.0, error = 0.0;
  for (std::size_t i = 0; i < 1000; ++i) {
    const Taylor::Point p = reference.next_crossing();
    off = std::max(off, std::abs(x[i]));
    error = std::max({error, std::abs(t[i] - static_cast<double>(p.t)) / t[i],
                      std::abs(y[i] - static_cast<double>(p.y)),
                      std::abs(v[i] - static_cast<double>(p.v))});
  }
  EXPECT_LT(off, 1e-14);
  EXPECT_LT(error, 1e-9);
}

// ---------------------------------------------------------------- the motion is left alone

namespace {

std::string chain(const std::string& method) {
  return "[system]\ncoordinates = [\"q[1..3]\"]\nlagrangian = \"sum(i, 1, 3, q_dot[i]^2)/2 - (q[2] "
         "- "
         "q[1])^2/2 - 2*(q[3] - q[2])^2\"\n[[system.term]]\npotential = \"(q[2] - "
         "q[1])^2/2\"\nstep = "
         "0.07\n[[system.term]]\npotential = \"2*(q[3] - q[2])^2\"\nstep = 0.03\n[start]\nq = "
         "\"0.3*sin(i)\"\nq_dot = \"0.5*cos(2*i)\"\n[run]\nmethod = \"" +
         method + "\"\nstep = 0.1\nsteps = 100\n";
}

std::string top() {
  return models::scenario(
      "coordinates = [{ name = \"R\", space = \"SO3\" }]\nlagrangian = \"(R_w1^2 + 1.2*R_w2^2 + "
      "0.6*R_w3^2)/2 - R33\"",
      "R = { angle_axis = [0.5, 0.2, 0] }\nR_w1 = 0.3\nR_w2 = -0.2\nR_w3 = 4");
}

std::string pace(const std::string& method) {
  return replaced(models::kepler(), "gauss(2)", method + "\"\npace = \"(x^2 + y^2)^(3/4)");
}

/// A system with the function that is watched.
struct Case {
  std::string name, text, when;
};

std::vector<Case> cases() {
  const auto with = [](std::string text, const std::string& method) {
    const std::string key = "method = \"";
    const auto at = text.find(key) + key.size();
    return text.replace(at, text.find('"', at) - at, method);
  };
  return {{"verlet", with(models::kepler(), "verlet"), "y"},
          {"gauss", models::kepler(), "x*x_dot + y*y_dot"},
          {"composition", with(models::kepler(), "yoshida(6)"), "y"},
          {"newmark", with(models::pendulum(), "newmark(0.25)"), "q"},
          {"rk4", with(models::kepler(), "rk4"), "y_p"},
          {"forced", with(models::van_der_pol(), "lobatto(3)"), "x - y"},
          {"constraint", models::spherical_pendulum(), "x - y"},
          {"group", top(), "R31"},
          {"pace, explicit", pace("verlet"), "y"},
          {"pace, implicit", pace("gauss(2)"), "y"},
          {"terms", chain("avi"), "q[1] - q[3]"}};
}

}  // namespace

TEST(Events, LeaveTheMotionAsItIs) {
  for (const Case& c : cases()) {
    const Watched with(c.text + event("when = \"" + c.when + "\"") + event("every = 0.037"));
    const Watched without(c.text);
    EXPECT_GT(with.at(0).count, 0) << c.name;
    EXPECT_EQ(with.summary.final.t, without.summary.final.t) << c.name;
    EXPECT_EQ(with.summary.final.q, without.summary.final.q) << c.name;
    EXPECT_EQ(with.summary.final.v, without.summary.final.v) << c.name;
    EXPECT_EQ(with.summary.final.p, without.summary.final.p) << c.name;
    EXPECT_EQ(with.summary.final.lambda, without.summary.final.lambda) << c.name;
    EXPECT_EQ(with.summary.energy.max_abs_error, without.summary.energy.max_abs_error) << c.name;
    EXPECT_EQ(with.summary.newton.mean_iterations, without.summary.newton.mean_iterations)
        << c.name;
    EXPECT_EQ(with.summary.records, without.summary.records) << c.name;
  }
}

/// The function is recorded as well, so that the table says how far from the section its states are.
TEST(Events, LieOnTheirSectionToRoundOff) {
  for (Case& c : cases()) {
    const auto at = c.text.find("[start]");
    c.text.insert(at, "[system.observe]\nwatched = \"" + c.when + "\"\n");
    const Watched w(c.text + event("when = \"" + c.when + "\""));
    ASSERT_GT(w.rows.size(), 0U) << c.name;
    EXPECT_EQ(w.rows.size(), static_cast<std::size_t>(w.at(0).count));
    for (const double value : w.column("watched")) EXPECT_NEAR(value, 0.0, 2e-15) << c.name;
  }
}

/// A shorter step ends on the constraint and on the group, as every step does.
TEST(Events, AreStatesOfTheSystem) {
  const Watched bead(models::spherical_pendulum() + event("when = \"x - y\""));
  ASSERT_GT(bead.rows.size(), 1U);
  for (std::size_t i = 0; i < bead.rows.size(); ++i) {
    const auto part = [&](const char* name) { return bead.column(name)[i]; };
    const double x = part("x"), y = part("y"), z = part("z");
    EXPECT_NEAR(x * x + y * y + z * z, 1.0, 1e-15);
    EXPECT_NEAR(x * part("x_dot") + y * part("y_dot") + z * part("z_dot"), 0.0, 1e-14);
    EXPECT_NEAR(part("energy"), bead.summary.energy.initial, 1e-5);
  }
  const Watched turning(top() + event("when = \"R31\""));
  ASSERT_GT(turning.rows.size(), 1U);
  for (std::size_t i = 0; i < turning.rows.size(); ++i) {
    double norm = 0.0;
    for (const char* name : {"R11", "R21", "R31"}) norm += std::pow(turning.column(name)[i], 2);
    EXPECT_NEAR(norm, 1.0, 1e-15);
  }
}

// ---------------------------------------------------------------- ends of steps, two in one step

TEST(Events, AtTheEndOfAStepAreCountedOnce) {
  const Watched w(drift(event("when = \"x\"")));
  EXPECT_EQ(w.at(0).times, std::vector{1.0});
  const Watched stop(drift(event("when = \"x\"\naction = \"stop\"")));
  EXPECT_EQ(stop.summary.t_end, 1.0);
  EXPECT_EQ(stop.summary.steps, 4);
  EXPECT_EQ(stop.summary.records, 5);
}

/// A zero that rounding puts behind the end of a step, or before it, is one as well.
TEST(Events, NearTheEndOfAStepAreCountedOnce) {
  for (const char* shift : {"1e-17", "-1e-17", "1e-16", "-1e-16", "3e-16", "-3e-16"}) {
    const Watched w(drift(event(std::string("when = \"x - ") + shift + "\""), "0.1", "20"));
    ASSERT_EQ(w.at(0).count, 1) << shift;
    EXPECT_NEAR(w.at(0).times[0], 1.0, 1e-15) << shift;
  }
}

TEST(Events, AZeroAtTheStartIsNone) {
  const Watched leaves(drift(event("when = \"x + 1\"")));
  EXPECT_EQ(leaves.at(0).count, 0);
  EXPECT_TRUE(leaves.rows.empty());
  const Watched returns(
      models::scenario("coordinates = [\"x\"]\nlagrangian = \"x_dot^2/2 - x^2/2\"",
                       "x = 0\nx_dot = 1", "gauss(6)", "0.1", "100") +
      event("when = \"x\"\naction = \"count\""));
  ASSERT_EQ(returns.at(0).count, 3) << "pi, 2 pi, 3 pi";
  for (int k = 0; k < 3; ++k)
    EXPECT_NEAR(returns.at(0).times[k], (k + 1) * std::numbers::pi, 1e-14);
  EXPECT_TRUE(returns.rows.empty()) << "counted only";
}

/// Up to x = 1 and down again: both ends of a step of 0.5 are below a level of 0.99 or 1 - 1e-10.
TEST(Events, TwoInOneStepAreBothFound) {
  for (const double below : {0.01, 1e-6, 1e-10}) {
    const std::string rise =
        models::scenario("coordinates = [\"x\"]\nparameters = { below = " + varia::to_text(below) +
                             " }\nlagrangian = \"x_dot^2/2 - x\"",
                         "x = \"1 - 0.5*1.25^2\"\nx_dot = 1.25", "verlet", "0.5", "5");
    const Watched w(rise + event("when = \"x - 1 + below\"\nname = \"both\"") +
                    event("when = \"x - 1 + below\"\ndirection = \"down\"\nname = \"down\""));
    ASSERT_EQ(w.at(0).count, 2) << below;
    const double half = std::sqrt(2.0 * below);
    EXPECT_NEAR(w.at(0).times[0], 1.25 - half, 1e-15 + 4e-16 / half);
    EXPECT_NEAR(w.at(0).times[1], 1.25 + half, 1e-15 + 4e-16 / half);
    ASSERT_EQ(w.at(1).count, 1);
    EXPECT_EQ(w.at(1).times[0], w.at(0).times[1]);
  }
}

/// Touching from below: within a step it is no event, at the end of one the value 0 is arrived at.
TEST(Events, TouchingCountsAtTheEndOfAStepOnly) {
  const auto apex = [](const char* step) {
    return Watched(models::scenario("coordinates = [\"x\"]\nlagrangian = \"x_dot^2/2 - x\"",
                                    "x = 0.5\nx_dot = 1", "verlet", step, "5") +
                   event("when = \"x - 1\"\naction = \"count\""));
  };
  EXPECT_EQ(apex("0.75").at(0).count, 0);
  EXPECT_EQ(apex("0.5").at(0).count, 1);
}

TEST(Events, OfOneStepComeInTheOrderOfTheMotion) {
  const Watched w(drift(event("when = \"x + 0.9\"") + event("when = \"x + 0.95\"") +
                        event("when = \"x + 0.8\"\naction = \"stop\"") +
                        event("when = \"x + 0.78\"") + event("every = 0.07")));
  EXPECT_EQ(w.column("event"), (std::vector<double>{2, 5, 1, 5, 3}));
  const std::vector<double> expected{0.05, 0.07, 0.1, 0.14, 0.2};
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_NEAR(w.column("t")[i], expected[i], 1e-15);
  EXPECT_EQ(w.at(3).count, 0) << "after the end of the run";
  EXPECT_EQ(w.summary.steps, 1);
  EXPECT_NEAR(w.summary.t_end, 0.2, 1e-16);
}

TEST(Events, FollowTheOrderOfABackwardRun) {
  const Watched w(fall(event("when = \"x\"\ndirection = \"down\"\naction = \"stop\"") +
                           event("when = \"x - 0.5\"\ndirection = \"up\"") + event("every = 0.5"),
                       "-0.1"));
  EXPECT_NEAR(w.summary.t_end, -fall_time, ulp);
  EXPECT_EQ(w.at(1).count, 0);
  EXPECT_EQ(w.at(2).times, (std::vector{-0.5, -1.0}));
}

// ---------------------------------------------------------------- after, every

TEST(Events, TheFirstOnesMayBeCountedOnly) {
  const std::string swing =
      models::scenario("coordinates = [\"x\"]\nlagrangian = \"x_dot^2/2 - x^2/2\"",
                       "x = 1\nx_dot = 0", "gauss(6)", "0.1", "100");
  const Watched w(swing + event("when = \"x\"\nafter = 3"));
  EXPECT_EQ(w.at(0).count, 3);
  EXPECT_EQ(w.at(0).times.size(), 3U);
  ASSERT_EQ(w.rows.size(), 1U);
  EXPECT_NEAR(w.column("t")[0], 2.5 * std::numbers::pi, 1e-13);
  const Watched stop(swing +
                     event("when = \"x\"\nafter = 2\ndirection = \"down\"\naction = \"stop\""));
  EXPECT_NEAR(stop.summary.t_end, 2.5 * std::numbers::pi, 1e-13);
}

TEST(Events, TheSummaryListsTheFirstThousandTimes) {
  const Watched w(drift(event("every = 0.001"), "0.25", "8"));
  EXPECT_EQ(w.at(0).count, 2000);
  EXPECT_EQ(w.at(0).times.size(), 1000U);
  EXPECT_EQ(w.rows.size(), 2000U);
  for (std::size_t k = 0; k < w.rows.size(); ++k)
    EXPECT_NEAR(w.column("t")[k], 0.001 * static_cast<double>(k + 1), 5e-16);
}

/// Steps of 0.1 and of 0.07 have no end in common but those at multiples of 0.7.
TEST(Events, PeriodsCountOnceWhateverTheStep) {
  for (const char* step : {"0.07", "0.1", "0.7", "0.3"}) {
    const long steps = std::lround(21.0 / std::stod(step));
    const Watched w(drift(event("every = 0.7") + event("every = \"2*0.35\"\nname = \"same\""), step,
                          std::to_string(steps)));
    EXPECT_EQ(w.at(0).count, 30) << step;
    EXPECT_EQ(w.at(1).times, w.at(0).times) << step;
    for (std::size_t k = 0; k < 30; ++k)
      EXPECT_NEAR(w.at(0).times[k], 0.7 * static_cast<double>(k + 1), 1e-14) << step;
  }
}

TEST(Events, PeriodsAreTimesWhereStepsVary) {
  const Watched w(pace("gauss(2)") + event("every = 0.5"));
  ASSERT_GT(w.at(0).count, 3);
  for (std::size_t k = 0; k < w.rows.size(); ++k)
    EXPECT_NEAR(w.column("t")[k], 0.5 * static_cast<double>(k + 1), 1e-15);
}

// ---------------------------------------------------------------- restart

TEST(Events, ContinueAfterARestart) {
  const std::string text = models::kepler() + event("when = \"y\"") +
                           event("when = \"x*x_dot + y*y_dot\"\naction = \"count\"") +
                           event("every = 0.31") + event("when = \"t - 4.5\"\naction = \"stop\"") +
                           "[output]\nreport = false\n";
  const auto part = [&](const char* steps, const std::string& folder, const std::string& restart) {
    Model model = models::model_of(text, {std::string("run.steps=") + steps});
    RunOptions options;
    options.directory = folder;
    options.restart = restart;
    Summary s = run(model, options);
    s.wall_seconds = s.steps_per_second = 0.0;
    s.files.clear();
    s.evaluation.clear();
    return to_json(s);
  };
  const Folder once, twice;
  const std::string whole = part("100", once.path(), "");
  part("47", twice.path(), "");
  const std::string checkpoint = twice.path() + "/checkpoint.h5";
  EXPECT_EQ(part("100", twice.path(), checkpoint), whole);
  EXPECT_EQ(part("100", twice.path(), checkpoint), whole) << "it has ended";
  const std::string other = refusal<InvalidArgument>([&] {
    Model model = models::model_of(text, {"event[1].when=x"});
    RunOptions options;
    options.restart = checkpoint;
    run(model, options);
  });
  EXPECT_NE(
      other.find("is of a run that watched other events: event[1].when: \"y\", the scenario has "
                 "\"x\""),
      std::string::npos)
      << other;
}

// ---------------------------------------------------------------- what is refused

namespace {

std::string refused(const std::string& events, const std::string& base = models::kepler()) {
  return refusal<ScenarioError>([&] {
    Model model = models::model_of(base + events);
    run(model, {});
  });
}

void expect_refused(const std::string& events, const std::string& says,
                    const std::string& base = models::kepler()) {
  const std::string text = refused(events, base);
  EXPECT_NE(text.find(says), std::string::npos) << events << "\n" << text;
  EXPECT_EQ(text.rfind("test.toml:", 0), 0U) << text;
}

}  // namespace

TEST(Events, RefusalsNameThePlaceAndTheRemedy) {
  expect_refused("[[event]]\nwhen = \"x\"\ndirektion = \"up\"", "event[1].direktion: unknown key");
  expect_refused("[[event]]\nwhen = \"x\"\ndirektion = \"up\"", "Did you mean direction?");
  expect_refused(event("when = \"x\"\ndirection = \"upp\""),
                 "event[1].direction: found \"upp\"; allowed: up, down, both. Did you mean up?");
  expect_refused(event("when = \"x\"\naction = \"halt\""), "allowed: record, stop, count");
  expect_refused(event("when = \"x\"\nafter = 0"),
                 "event[1].after: must be greater than 0, found 0.");
  expect_refused(event("when = \"x\"\nafter = 1.5"), "event[1].after: must be a whole number");
  expect_refused(event("when = \"x\"\naction = \"count\"\nafter = 2"),
                 "count counts every crossing");
  expect_refused(event("when = \"mu - 3\""),
                 "event[1].when: is the constant -2, which crosses nothing");
  expect_refused(event("when = \"x > 1\""), "write when = \"x - 1\" and direction = \"up\"");
  expect_refused(event("when = \"z\""), "event[1].when: ");
  expect_refused(event("when = \"x +\""), "event[1].when: ");
  expect_refused(event("name = \"a\""), "event[1].when: missing, and so is event[1].every");
  expect_refused(event("when = \"x\"\nevery = 1"),
                 "event[1].every: given together with event[1].when");
  expect_refused(event("every = 1\ndirection = \"up\""), "given together with event[1].every");
  expect_refused(event("every = 0"), "event[1].every: must be greater than 0, found 0");
  expect_refused(event("every = \"-mu\""), "must be greater than 0, found -1");
  expect_refused(event("every = \"x\""), "event[1].every: ");
  expect_refused(event("every = 1e-9"), "shorter than a thousandth of the step 0.05");
  expect_refused(event("when = \"x\"\nname = \"a\"") + event("when = \"y\"\nname = \"a\""),
                 "event[2].name: event[1] has the name a already");
  expect_refused(event("when = \"x\"\naxes = [\"y\"]"), "takes two names");
  expect_refused(event("when = \"x\"\naxes = [\"y\", \"y_dott\"]"), "Did you mean y_dot?");
  expect_refused("[event]\nwhen = \"x\"\n", "event: must be a list of tables, found a table");
  expect_refused(event("when = \"sqrt(x - 1)\""),
                 "event[1].when: has no finite value at the start: square root");
  expect_refused(event("when = \"x\""), "with keep_energy the energy determines",
                 replaced(models::kepler(), "[run]\n", "[run]\nkeep_energy = \"refuse\"\n"));
  expect_refused(event("when = \"X\""), "event: given together with solid",
                 "[solid]\nmesh = { generate = \"block\", size = [1, 1], elements = [2, 2] }\n"
                 "material = { model = \"neo_hookean\", lambda = 1, mu = 1, density = 1 }\n"
                 "[run]\nmethod = \"avi\"\nuntil = 1\n");
}

/// The square root loses its value on the way; the run says where and keeps what it has.
TEST(Events, AFunctionThatLosesItsValueIsAFailure) {
  const Watched w(fall(event("when = \"sqrt(x - 0.505) - 2\"")));
  EXPECT_EQ(w.summary.status, "failed");
  EXPECT_NE(w.summary.message.find("event[1].when has no finite value at t = 1: square root of"),
            std::string::npos)
      << w.summary.message;
}

}  // namespace varia::io::events_test
