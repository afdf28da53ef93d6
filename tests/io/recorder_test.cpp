// SPDX-License-Identifier: BSD-3-Clause
// Running figures against direct formulas over all records, and records against the state.
#include "varia/io/recorder.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <map>

#include "models.hpp"
#include "refusal.hpp"

namespace varia::io::recorder_test {
namespace {

struct Sample {
  double t, x, energy;
};

/// Uneven times, values with a trend.
std::vector<Sample> samples(double t0 = 5.0) {
  std::vector<Sample> result;
  double t = t0;
  for (int k = 0; k < 200; ++k) {
    result.push_back({t, std::sin(0.7 * k) + 0.01 * k, -3.0 + 0.02 * (t - t0) + std::cos(k)});
    t += 0.05 + 0.04 * std::sin(k);
  }
  return result;
}

Figures figures_of(const std::vector<Sample>& s) {
  Figures f(2);
  for (const Sample& x : s) f.add({x.t, x.x}, x.energy, std::abs(x.x) * 1e-3, x.x * x.x);
  return f;
}

/// Slope of the line of least squares, in long double with two passes.
double slope(const std::vector<Sample>& s) {
  long double mt = 0, me = 0;
  for (const Sample& x : s) {
    mt += x.t;
    me += x.energy;
  }
  mt /= static_cast<long double>(s.size());
  me /= static_cast<long double>(s.size());
  long double tt = 0, te = 0;
  for (const Sample& x : s) {
    tt += (x.t - mt) * (x.t - mt);
    te += (x.t - mt) * (x.energy - me);
  }
  return static_cast<double>(te / tt);
}

TEST(Figures, AreTheDirectFormulas) {
  for (const double t0 : {0.0, 5.0, 1e6}) {
    const auto s = samples(t0);
    const Figures f = figures_of(s);
    EXPECT_NEAR(f.drift(), slope(s), 1e-9 * (1 + std::abs(slope(s)))) << t0;
    double integral = 0, lo = s[0].x, hi = s[0].x, change = 0, energy_change = 0, square = 0;
    for (std::size_t k = 0; k < s.size(); ++k) {
      if (k > 0) integral += 0.5 * (s[k].x + s[k - 1].x) * (s[k].t - s[k - 1].t);
      lo = std::min(lo, s[k].x);
      hi = std::max(hi, s[k].x);
      change = std::max(change, std::abs(s[k].x - s[0].x));
      energy_change = std::max(energy_change, std::abs(s[k].energy - s[0].energy));
      square = std::max(square, s[k].x * s[k].x);
    }
    EXPECT_NEAR(f.mean(1), integral / (s.back().t - s.front().t), 1e-12);
    EXPECT_EQ(f.column(1).min, lo);
    EXPECT_EQ(f.column(1).max, hi);
    EXPECT_EQ(f.column(1).first, s.front().x);
    EXPECT_EQ(f.column(1).last, s.back().x);
    EXPECT_EQ(f.column(1).largest_change(), change);
    EXPECT_EQ(f.energy().largest_change(), energy_change);
    EXPECT_EQ(f.max_velocity(), square);
    EXPECT_EQ(f.count(), 200);
  }
  EXPECT_GT(std::abs(slope(samples())), 1e-3);
}

TEST(Figures, DegenerateRunsHaveFigures) {
  Figures f(2);
  EXPECT_EQ(f.drift(), 0.0);
  f.add({3.0, 7.0}, 2.0, 0.0, 0.0);
  EXPECT_EQ(f.drift(), 0.0);
  EXPECT_EQ(f.mean(1), 7.0);
  EXPECT_EQ(f.column(1).largest_change(), 0.0);
  // backwards in time
  f.add({2.0, 9.0}, 3.0, 0.0, 0.0);
  EXPECT_DOUBLE_EQ(f.drift(), -1.0);
  EXPECT_DOUBLE_EQ(f.mean(1), 8.0);
}

TEST(Figures, GoOnToTheBit) {
  const auto s = samples();
  const std::vector<double> whole = figures_of(s).save();
  const std::vector<double> half = figures_of({s.begin(), s.begin() + 77}).save();
  Figures f(2);
  f.load(half);
  for (std::size_t k = 77; k < s.size(); ++k)
    f.add({s[k].t, s[k].x}, s[k].energy, std::abs(s[k].x) * 1e-3, s[k].x * s[k].x);
  const std::vector<double> end = f.save();
  ASSERT_EQ(end.size(), whole.size());
  EXPECT_EQ(std::memcmp(end.data(), whole.data(), whole.size() * sizeof(double)), 0);
  expect_words(refusal([&] { Figures(3).load(whole); }), {"another system"});
  expect_words(refusal([&] { Figures(2).load({}); }), {"another system"});
}

TEST(Recorder, RecordsAreTheStateAndItsFunctions) {
  Model model =
      models::model_of(models::planar("(1 + x^2)*x_dot^2/2 + y_dot^2/2 + y*x_dot - x*y",
                                      "symmetry.shift = { x = \"1\", y = \"x\" "
                                      "}\n[system.observe]\nwork = \"t + x*y_dot + 2*y_p\""));
  const auto stepper = make_stepper(model);
  stepper->advance(0.05, 7);
  Recorder recorder(model);
  const auto& r = recorder.record(*stepper);
  std::vector<std::string> names;
  for (const Column& c : recorder.columns()) names.push_back(c.kind + " " + c.name);
  EXPECT_EQ(names,
            (std::vector<std::string>{"t t", "q x", "q y", "v x_dot", "v y_dot", "p x_p", "p y_p",
                                      "energy energy", "observe work", "momentum shift"}));
  const double t = r[0], x = r[1], y = r[2], u = r[3], w = r[4], px = r[5], py = r[6];
  EXPECT_DOUBLE_EQ(t, 0.35);
  EXPECT_NEAR(px, (1 + x * x) * u + y, 1e-14);
  EXPECT_NEAR(py, w, 1e-14);
  EXPECT_NEAR(r[7], (1 + x * x) * u * u / 2 + w * w / 2 + x * y, 1e-14);
  EXPECT_NEAR(recorder.energy(), r[7], 0.0);
  EXPECT_NEAR(r[8], t + x * w + 2 * py, 1e-14);
  EXPECT_NEAR(r[9], px + x * py, 1e-14);
  Summary summary;
  Figures figures(r.size());
  figures.add(r, recorder.energy(), 0.0, 0.0);
  recorder.fill(summary, figures);
  EXPECT_EQ(summary.final.q[1].second, y);
  EXPECT_EQ(summary.observe.at(0).first, "work");
  EXPECT_EQ(summary.momenta.at(0).first, "shift");
  EXPECT_EQ(summary.energy.initial, r[7]);
}

TEST(Recorder, MeasuresConstraints) {
  const Model model = models::model_of(models::spherical_pendulum());
  const auto stepper = make_stepper(model);
  stepper->advance(0.05, 10);
  Recorder recorder(model);
  const auto& r = recorder.record(*stepper);
  EXPECT_NEAR(recorder.position_defect(), std::abs(r[1] * r[1] + r[2] * r[2] + r[3] * r[3] - 1.0),
              1e-15);
  EXPECT_NEAR(recorder.velocity_defect(), 2 * std::abs(r[1] * r[4] + r[2] * r[5] + r[3] * r[6]),
              1e-15);
  EXPECT_EQ(recorder.columns()[10].name, "lambda[1]");
}

TEST(Recorder, LeavesOutAndNamesWhatIsNotFinite) {
  const Model model = models::model_of(
      models::planar("(x_dot^2 + y_dot^2)/2",
                     "[system.observe]\nfine = \"x\"\nbad = \"1/(x - 0.7)\"\nroot = \"sqrt(y)\""));
  const auto stepper = make_stepper(model);
  Recorder recorder(model);
  const auto observed = [&] {
    const std::vector<double> record = recorder.record(*stepper);
    return std::vector<double>(record.begin() + 8, record.begin() + 11);
  };
  const auto complaint = [&] { return refusal<ScenarioError>([&] { recorder.require_values(); }); };
  EXPECT_EQ(recorder.columns()[8].name, "fine");
  std::vector<double> found = observed();
  EXPECT_EQ(found[0], 0.7);
  EXPECT_TRUE(std::isnan(found[1]));
  EXPECT_TRUE(std::isnan(found[2]));
  expect_words(complaint(), {"bad", "t = 0"});
  stepper->advance(0.05, 1);  // x has moved, y is still negative
  found = observed();
  EXPECT_TRUE(std::isfinite(found[1]));
  EXPECT_TRUE(std::isnan(found[2]));
  expect_words(complaint(), {"root", "sqrt"});
}

TEST(Recorder, FiguresAreOverTheValuesThatAreThere) {
  const double none = std::numeric_limits<double>::quiet_NaN();
  Figures figures(2);
  for (const auto& [t, x] : std::vector<std::pair<double, double>>{
           {0, 1}, {1, 3}, {2, none}, {3, none}, {4, -2}, {6, 0}})
    figures.add({t, x}, 0.0, 0.0, 0.0);
  const ColumnRange& r = figures.column(1);
  EXPECT_EQ(r.missing, 2);
  EXPECT_EQ(r.missing_from, 2.0);
  EXPECT_EQ(r.min, -2.0);
  EXPECT_EQ(r.max, 3.0);
  EXPECT_EQ(r.last, 0.0);
  EXPECT_EQ(figures.mean(1), (2.0 * 1 + -1.0 * 2) / 3);
}

/// A unit of an array is that of all its entries, and of no other name that begins alike.
TEST(Recorder, UnitsOfArrays) {
  const Model model = models::model_of(
      models::scenario(
          "coordinates = [\"q[1..3]\", \"qa\"]\nlagrangian = \"sum(i, 1, 3, q_dot[i]^2)/2 "
          "+ qa_dot^2/2\"\nobserve.far = \"q[1] + qa\"",
          "q = 0\nqa = 1\nq_dot = 1\nqa_dot = 0") +
      "[output.units]\nt = \"s\"\nq = \"m\"\nq_dot = \"m/s\"\nqa_p = \"kg m/s\"\nfar = \"km\"\n");
  std::map<std::string, std::string> units;
  const Recorder recorder(model);
  for (const Column& column : recorder.columns()) units[column.name] = column.unit;
  for (const char* i : {"[1]", "[2]", "[3]"}) {
    EXPECT_EQ(units.at("q" + std::string(i)), "m");
    EXPECT_EQ(units.at("q_dot" + std::string(i)), "m/s");
    EXPECT_EQ(units.at("q_p" + std::string(i)), "");
  }
  EXPECT_EQ(units.at("qa"), "");
  EXPECT_EQ(units.at("qa_dot"), "");
  EXPECT_EQ(units.at("qa_p"), "kg m/s");
  EXPECT_EQ(units.at("far"), "km");
  EXPECT_EQ(units.at("t"), "s");
  EXPECT_EQ(units.at("energy"), "");
}

}  // namespace
}  // namespace varia::io::recorder_test
