// SPDX-License-Identifier: BSD-3-Clause
// avi on systems given as text: equal to Verlet where all steps are equal, to the same system in
// C++ where they are not; order, momentum, restarts, and what is refused.
#include "varia/io/asynchronous.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "io/models.hpp"
#include "refusal.hpp"
#include "varia/io/check.hpp"
#include "varia/io/compare.hpp"
#include "varia/io/runner.hpp"
#include "varia/terms/fields.hpp"
#include "varia/terms/schedule.hpp"

namespace varia::io::asynchronous_test {

namespace {

/// Six masses with springs k = 1, 3, 9, ... of force k (s + s³), a term each; steps as given.
struct Chain {
  std::string step = "0.02*sqrt(2)/sqrt(k[i])";  ///< of term i
  std::string walls;                             ///< further terms of V, with a minus in front
  std::string more;                              ///< tables and keys of [system]
  std::string method = "avi";
  std::string run_step = "0.05";
  std::string steps = "40";
  std::string start = "q = \"0.3*sin(1 + 2.3*i)\"\nq_dot = \"0.4*cos(0.7 + 1.9*i)\"";

  std::string text() const {
    return "[system]\ncoordinates = [\"q[1..6]\"]\n"
           "parameters = { k = [1, 3, 9, 27, 81], m = [1, 1.5, 0.7, 2, 1, 0.5] }\n"
           "lagrangian = \"sum(i, 1, 6, m[i]*q_dot[i]^2)/2"
           " - sum(i, 1, 5, k[i]*((q[i+1] - q[i])^2/2 + (q[i+1] - q[i])^4/4))" +
           walls + "\"\n" + (method == "avi" ? springs() : std::string()) + more + "[start]\n" +
           start + "\n[run]\nmethod = \"" + method + "\"\nstep = " + run_step +
           "\nsteps = " + steps + "\n";
  }
  std::string springs() const {
    return "[[system.term]]\ni = [1, 5]\n"
           "potential = \"k[i]*((q[i+1] - q[i])^2/2 + (q[i+1] - q[i])^4/4)\"\n" +
           (step.empty() ? "" : "step = \"" + step + "\"\n");
  }
};

Model model_of(const Chain& chain) { return models::model_of(chain.text()); }

Snapshot end_of(const Model& model) {
  const auto stepper = make_stepper(model);
  stepper->advance(model.step, model.steps);
  Snapshot s;
  stepper->snapshot(s);
  return s;
}

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  EXPECT_EQ(a.size(), b.size());
  double worst = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) worst = std::max(worst, std::abs(a[i] - b[i]));
  return worst;
}

double distance(const Snapshot& a, const Snapshot& b) {
  return std::max(
      {std::abs(a.t - b.t), distance(a.q, b.q), distance(a.p, b.p), distance(a.v, b.v)});
}

std::string refused(const std::string& text) {
  return refusal<ScenarioError>([&] { make_stepper(models::model_of(text)); });
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

/// The chain with walls that move: terms of one coordinate, which depend on time.
Chain driven(const std::string& left = "step = 0.031\n",
             const std::string& right = "step = 0.017\n") {
  Chain chain;
  chain.walls = " - (q[1] - 0.2*sin(3*t))^2/2 - 2*q[6]^2";
  chain.more = "[[system.term]]\npotential = \"(q[1] - 0.2*sin(3*t))^2/2\"\n" + left +
               "[[system.term]]\npotential = \"2*q[6]^2 + 7\"\n" + right;
  return chain;
}

}  // namespace

TEST(Asynchronous, EqualStepsAreVerlet) {
  for (Chain chain : {Chain{}, driven("", "step = 0.05\n")})
    for (const char* step : {"", "0.05"}) {  // that of the run, or given
      chain.step = step;
      Chain plain = chain;
      plain.more.clear();
      plain.method = "verlet";
      const Snapshot a = end_of(model_of(chain)), b = end_of(model_of(plain));
      EXPECT_LT(distance(a, b), 1e-13);
      EXPECT_NEAR(a.t, 2.0, 1e-15);
    }
  // and unequal steps are another motion, near it
  Chain chain;
  Chain plain;
  plain.method = "verlet";
  const double far = distance(end_of(model_of(chain)), end_of(model_of(plain)));
  EXPECT_GT(far, 1e-6);
  EXPECT_LT(far, 0.2);
}

TEST(Asynchronous, OrderTwoOnBothSides) {
  for (const Chain& chain : {Chain{}, driven()}) {
    Model reference = model_of(chain);
    reference.method = parse_method("gauss(6)");
    const Snapshot exact = end_of(reference);
    std::vector<double> errors;
    for (int level = 0; level < 6; ++level) {
      Model model = model_of(chain);
      for (Term& term : model.terms) term.step = std::ldexp(term.step, -level);
      errors.push_back(distance(end_of(model), exact));
    }
    // phases at the end differ from level to level: the mean over five halvings
    const double order = std::log2(errors.front() / errors.back()) / 5.0;
    EXPECT_GT(order, 1.8) << errors.front() << " " << errors.back();
    EXPECT_LT(order, 2.2) << errors.front() << " " << errors.back();
  }
}

TEST(Asynchronous, MomentumOfAFreeChainToRoundOff) {
  Chain chain;
  chain.step = "0.0025*((1 + sqrt(5))/2)^(-i)";
  chain.steps = "200";
  const auto stepper = make_stepper(model_of(chain));
  Snapshot s;
  const auto momentum = [&] {
    stepper->snapshot(s);
    double sum = 0.0;
    for (const double p : s.p) sum += p;
    return sum;
  };
  const double first = momentum();
  double worst = 0.0;
  for (int k = 0; k < 200; ++k) {
    stepper->advance(0.05, 1);
    worst = std::max(worst, std::abs(momentum() - first));
  }
  long updates = 0;
  for (const long count : stepper->updates()) updates += count;
  EXPECT_GT(updates, 100000);
  EXPECT_LT(worst, 1e-13);
  EXPECT_GT(std::abs(first), 1e-3);
}

TEST(Asynchronous, UpdatesFollowFromTheSteps) {
  Chain chain;
  chain.step = "0.01*sqrt(1 + i)";
  Model model = model_of(chain);
  const auto stepper = make_stepper(model);
  stepper->advance(model.step, model.steps);
  const std::vector<long> counts = stepper->updates();
  ASSERT_EQ(counts.size(), 5U);
  for (std::size_t i = 0; i < 5; ++i)
    EXPECT_EQ(counts[i], static_cast<long>(2.0 / (0.01 * std::sqrt(2.0 + static_cast<double>(i)))));
  const Summary s = run(model, {});
  ASSERT_TRUE(s.updates.has_value());
  EXPECT_EQ(s.updates->max, counts.front());
  EXPECT_EQ(s.updates->min, counts.back());
  EXPECT_EQ(s.updates->newmark_equivalent, 5 * counts.front());
  EXPECT_NEAR(s.updates->ratio, s.updates->predicted, 0.05 * s.updates->predicted);
  EXPECT_EQ((std::pair{s.method, s.order}), (std::pair{std::string("avi"), 2}));
  EXPECT_TRUE(s.structure.is_explicit);
  EXPECT_TRUE(s.variational);
}

// One potential as a callable: what a program in C++ would write.
struct Spring {
  double k;
  template <class X, class T> auto operator()(const X& x, const T&) const {
    const auto s = x[1] - x[0];
    return k * (0.5 * s * s + 0.25 * s * s * s * s);
  }
};

TEST(Asynchronous, SameAsTermsInCpp) {
  const Chain chain;
  terms::System<1> system;
  std::vector<std::array<int, 2>> nodes;
  std::vector<Spring> springs;
  std::vector<double> steps, x, v;
  for (int i = 0; i < 5; ++i) {
    const double k = std::pow(3.0, i);
    nodes.push_back({i, i + 1});
    springs.push_back({k});
    steps.push_back(0.02 * std::sqrt(2.0) / std::sqrt(k));
  }
  for (int i = 1; i <= 6; ++i) {
    x.push_back(0.3 * std::sin(1.0 + 2.3 * i));
    v.push_back(0.4 * std::cos(0.7 + 1.9 * i));
  }
  system.add(std::make_unique<terms::Fields<1, 2, Spring>>(nodes, springs));
  system.set_masses({1, 1.5, 0.7, 2, 1, 0.5});
  terms::State<1> state = terms::start<1>(system, x, v, steps);
  terms::queue<1>(system, state)->advance(2.0);
  const terms::Synchronised<1> at = terms::synchronise<1>(system, state, 2.0);
  const Snapshot s = end_of(model_of(chain));
  EXPECT_LT(distance(s.q, at.x), 1e-13);
  EXPECT_LT(distance(s.v, at.v), 1e-12);
  EXPECT_GT(distance(s.q, x), 0.1);
}

TEST(Asynchronous, EnergyIsThatOfTheSynchronisedState) {
  Chain chain;
  chain.run_step = "0.01";  // shorter than the steps of the terms: nothing acts in most of them
  chain.steps = "2000";
  Model model = model_of(chain);
  const Summary s = run(model, {});
  EXPECT_LT(s.energy.max_rel_error, 1e-2);
  EXPECT_GT(s.energy.max_rel_error, 1e-6);
  EXPECT_LT(std::abs(s.energy.drift_per_time) * 20.0, 0.2 * s.energy.max_abs_error);
}

TEST(Asynchronous, ASynchronisedStateDoesNotDisturbTheMotion) {
  Chain often;
  often.run_step = "0.0078125";
  often.steps = "256";
  Chain once = often;
  once.run_step = "2";
  once.steps = "1";
  EXPECT_EQ(distance(end_of(model_of(often)), end_of(model_of(once))), 0.0);
}

TEST(Asynchronous, TimesAreMultiplesOfTheStep) {
  Chain chain;
  chain.run_step = "0.1";
  chain.steps = "1000";
  const Model model = model_of(chain);
  const Snapshot at_once = end_of(model);
  EXPECT_EQ(at_once.t, 1000 * 0.1);
  const auto stepper = make_stepper(model);
  for (int k = 0; k < 1000; ++k) stepper->advance(model.step, 1);
  Snapshot s;
  stepper->snapshot(s);
  EXPECT_EQ(distance(s, at_once), 0.0);
}

TEST(Asynchronous, RestartsToTheBit) {
  Chain chain = driven();
  chain.start = "t = 1000.3\n" + chain.start;  // where times have few digits left for a step
  const Model model = model_of(chain);
  const Snapshot through = end_of(model);
  const auto first = make_stepper(model);
  first->advance(model.step, 17);
  const std::vector<double> saved = first->save();
  const auto second = make_stepper(model);
  second->load(saved);
  Snapshot a, b;
  first->snapshot(a);
  second->snapshot(b);
  EXPECT_EQ(distance(a, b), 0.0);
  second->advance(model.step, 23);
  second->snapshot(b);
  EXPECT_EQ(distance(b, through), 0.0);
  EXPECT_EQ(second->statistics().steps, 40);
  std::vector<double> wrong = saved;
  wrong.pop_back();
  expect_words(refusal([&] { second->load(wrong); }), {"checkpoint", "another system"});
}

TEST(Asynchronous, MomentaAtTheStartAndTimesBeforeZero) {
  Chain chain = driven();
  const Snapshot a = [&] {
    Chain c = chain;
    c.start = "t = -1.5\n" + chain.start;
    return end_of(model_of(c));
  }();
  chain.start = "t = -1.5\nq = \"0.3*sin(1 + 2.3*i)\"\nq_p = \"m[i]*0.4*cos(0.7 + 1.9*i)\"";
  const Snapshot b = end_of(model_of(chain));
  EXPECT_LT(distance(a, b), 1e-13);
  EXPECT_NEAR(a.t, 0.5, 1e-15);
  Model reference = model_of(chain);
  reference.method = parse_method("gauss(6)");
  EXPECT_LT(distance(a, end_of(reference)), 2e-2);
}

/// Its first impulse is 1e18 times the velocity, which is nevertheless recorded as stated, also by
/// a run that goes on from there.
TEST(Asynchronous, TheFirstStateIsTheStart) {
  const Model model = models::model_of(
      "[system]\ncoordinates = [\"x\"]\nlagrangian = \"x_dot^2/2 - (0.5/x)^12\"\n"
      "[[system.term]]\npotential = \"(0.5/x)^12\"\nstep = 1.7\n"
      "[start]\nx = 0.016\nx_dot = 1.51\n[run]\nmethod = \"avi\"\nstep = 1.9\nsteps = 9\n");
  const auto stepper = make_stepper(model);
  const auto expect_start = [&] {
    Snapshot s;
    stepper->snapshot(s);
    EXPECT_EQ(s.t, 0.0);
    EXPECT_EQ(s.q[0], 0.016);
    EXPECT_EQ(s.v[0], 1.51);
  };
  expect_start();
  const std::vector<double> saved = stepper->save();
  stepper->advance(model.step, 1);
  stepper->load(saved);
  expect_start();
}

TEST(Asynchronous, AFreeCoordinateHasNoTermsAndDrifts) {
  const Model model = models::model_of(
      "[system]\ncoordinates = [\"x\", \"y\"]\nlagrangian = \"(x_dot^2 + y_dot^2)/2 - x^2/2\"\n"
      "[[system.term]]\npotential = \"x^2/2\"\nstep = 0.03\n"
      "[start]\nx = 1\ny = 2\nx_dot = 0\ny_dot = 3\n[run]\nmethod = \"avi\"\nstep = 0.1\nsteps = "
      "10\n");
  const Snapshot s = end_of(model);
  EXPECT_NEAR(s.q[1], 5.0, 1e-14);
  EXPECT_NEAR(s.q[0], std::cos(1.0), 1e-3);
}

TEST(Asynchronous, DivergenceStopsAtTheLastGoodStep) {
  Chain chain;
  chain.step = "2";  // far beyond the stable step of every spring
  chain.run_step = "4";
  chain.steps = "100";
  const Model model = model_of(chain);
  const auto stepper = make_stepper(model);
  const std::string text =
      refusal<NoConvergence>([&] { stepper->advance(model.step, model.steps); });
  expect_words(text, {"avi", "q[", "finite", "smaller steps"});
  EXPECT_GT(stepper->completed(), 0);
  EXPECT_LT(stepper->completed(), 100);
  Snapshot s;
  stepper->snapshot(s);
  EXPECT_EQ(s.t, 4.0 * static_cast<double>(stepper->completed()));
  for (const double q : s.q) EXPECT_TRUE(std::isfinite(q));
}

TEST(Asynchronous, CheckMeasuresItsLaws) {
  Model model = model_of(Chain{});
  const CheckReport good = check(model);
  EXPECT_TRUE(good.passed()) << (good.failures.empty() ? "" : good.failures.front());
  EXPECT_NEAR(good.order.measured, 2.0, 0.2);
  ASSERT_TRUE(good.symplecticity.has_value());
  EXPECT_LT(*good.symplecticity, 1e-11);
  EXPECT_FALSE(good.reversibility.has_value());
}

TEST(Asynchronous, CompareRunsItBesideOthers) {
  const Model model = model_of(Chain{});
  const Comparison c =
      compare(model, {"avi", "verlet"}, {0.05, 0.025}, [](const std::string&) { return true; });
  ASSERT_EQ(c.rows.size(), 4U);
  for (const ComparisonRow& row : c.rows) EXPECT_EQ(row.message, "");
  EXPECT_EQ(c.rows[0].method, "avi");
  // the steps of the terms follow that of the comparison
  EXPECT_GT(c.rows[0].error / c.rows[1].error, 2.0);
  EXPECT_LT(c.rows[0].error / c.rows[1].error, 8.0);
  // a step beyond what Verlet can do is a row with its message, and the comparison goes on
  Chain stiff;
  stiff.steps = "400";
  const Comparison far =
      compare(model_of(stiff), {"verlet", "avi"}, {0.4}, [](const std::string&) { return true; });
  ASSERT_EQ(far.rows.size(), 2U);
  expect_words(far.rows[0].message, {"finite"});
  Chain plain;
  plain.method = "verlet";
  const Model without = model_of(plain);
  expect_words(
      refusal([&] { compare(without, {"avi"}, {0.05}, [](const std::string&) { return true; }); }),
      {"avi", "[[system.term]]"});
}

TEST(AsynchronousRefusals, Systems) {
  const auto planar = [](const std::string& lagrangian, const std::string& more) {
    return replaced(models::planar(lagrangian, more), "gauss(2)", "avi");
  };
  const std::string term = "[[system.term]]\npotential = \"x^2/2\"\n";
  const std::string plain = "(x_dot^2 + y_dot^2)/2 - x^2/2";
  expect_words(refused(planar("(x_dot^2 + (1 + x^2)*y_dot^2)/2 - x^2/2", term)),
               {"system.lagrangian", "constant masses", "not of this form"});
  expect_words(refused(planar("(x_dot^2 + y_dot^2)/2 + 0.25*x_dot*y_dot - x^2/2", term)),
               {"system.lagrangian", "constant masses", "0.25", "x_dot*y_dot"});
  expect_words(refused(planar("(x_dot^2 - y_dot^2)/2 - x^2/2", term)),
               {"system.lagrangian", "positive masses", "y is -1"});
  expect_words(refused(planar(plain, "force = { x = \"-x_dot\" }\n" + term)),
               {"system.force.x", "avi", "forces"});
  expect_words(refused(planar(plain, "holonomic = [\"x^2 + y^2 - 1\"]\n" + term)),
               {"system.holonomic", "avi", "constraints"});
  expect_words(refused(planar(plain, "")), {"run.method", "avi", "[[system.term]]", "none"});
  expect_words(refused(replaced(planar(plain, term), "step = 0.05", "step = -0.05")),
               {"run.step", "forward", "-0.05"});
  expect_words(refused(replaced(models::top("{ A = 1, B = 1, C = 2 }"), "gauss(2)", "avi")),
               {"run.method", "avi", "rotation"});
  expect_words(refused(replaced(planar(plain, term), "\"avi\"", "\"verlet\"")),
               {"system.term", "avi", "verlet", "compare"});
  expect_words(refused(replaced(planar(plain, term), "\"avi\"", "\"avi(2)\"")),
               {"run.method", "avi takes no parameters"});
}

TEST(AsynchronousRefusals, Terms) {
  const std::string good = Chain{}.text();
  EXPECT_NO_THROW(make_stepper(models::model_of(good)));
  const auto changed = [&](const std::string& from, const std::string& to) {
    return refused(replaced(good, from, to));
  };
  const std::string potential = "potential = \"k[i]";
  expect_words(changed(potential, "potential = \"q_dot[i]*k[i]"),
               {"system.term[1].potential", "velocity", "q_dot[1]", "coordinates"});
  expect_words(
      changed("[[system.term]]\n", "[[system.term]]\npotential = \"k[2]\"\n[[system.term]]\n"),
      {"system.term[1].potential", "does not depend on any coordinate"});
  expect_words(changed("0.02*sqrt(2)/sqrt(k[i])", "-0.1"),
               {"system.term[1].step", "greater than 0", "-0.1"});
  expect_words(changed("\"0.02*sqrt(2)/sqrt(k[i])\"", "0"),
               {"system.term[1].step", "greater than 0", "0"});
  expect_words(changed("0.02*sqrt(2)/sqrt(k[i])", "1e-12"),
               {"system.term[1].step", "too small", "1e-12"});
  expect_words(changed("0.02*sqrt(2)/sqrt(k[i])", "q[1]"), {"system.term[1].step", "q"});
  expect_words(changed("[[system.term]]\n",
                       "[[system.term]]\npotential = \"sqrt(q[1] - 10)\"\n[[system.term]]\n"),
               {"system.term[1].potential", "no finite value", "square root"});
  expect_words(changed("i = [1, 5]", "i = [1, 4]"),
               {"system.term", "do not add up", "dV/dq[5]", "difference"});
  expect_words(changed(potential, "potential = \"1.0001*k[i]"), {"system.term", "do not add up"});
  expect_words(changed("i = [1, 5]", "i = [1, 2, 5]"), {"system.term[1].i", "first", "list of 3"});
  expect_words(changed("i = [1, 5]", "i = [5, 1]"), {"system.term[1].i[2]", "5", "1"});
  expect_words(changed("i = [1, 5]", "i = [1, 4.5]"),
               {"system.term[1].i[2]", "whole number", "4.5"});
  expect_words(changed("i = [1, 5]", "i = [1, 200000]"), {"system.term[1].i[2]", "100000"});
  expect_words(changed("i = [1, 5]", "j = [1, 5]"), {"system.term[1].j", "unknown key", "i"});
  expect_words(changed(potential, "Potential = \"k[i]"), {"system.term[1].Potential", "potential"});
}

TEST(AsynchronousRefusals, ATermOfTooManyCoordinates) {
  const auto text = [](int n) {
    const std::string last = std::to_string(n);
    return "[system]\ncoordinates = [\"q[1.." + last + "]\"]\nlagrangian = \"sum(i, 1, " + last +
           ", q_dot[i]^2)/2 - sum(i, 1, " + last +
           ", q[i])^2\"\n[[system.term]]\npotential = "
           "\"sum(i, 1, " +
           last +
           ", q[i])^2\"\n[start]\nq = 1\nq_dot = 0\n[run]\nmethod = \"avi\"\n"
           "step = 0.1\nsteps = 1\n";
  };
  EXPECT_NO_THROW(make_stepper(models::model_of(text(10))));
  expect_words(refused(text(11)), {"system.term[1].potential", "11 coordinates", "at most 10"});
}

TEST(AsynchronousRefusals, IndexThatIsAParameter) {
  expect_words(refused("[system]\ncoordinates = [\"x\"]\nparameters = { i = 3 }\n"
                       "lagrangian = \"x_dot^2/2 - x^2/2\"\n[[system.term]]\ni = [1, 1]\n"
                       "potential = \"x^2/2\"\n[start]\nx = 1\nx_dot = 0\n[run]\nmethod = \"avi\"\n"
                       "step = 0.1\nsteps = 1\n"),
               {"system.term[1].i", "i is a coordinate or a parameter"});
}

}  // namespace varia::io::asynchronous_test
