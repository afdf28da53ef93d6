// SPDX-License-Identifier: BSD-3-Clause
// `check`: what keeps the laws passes, what does not fails with a reason.
#include "varia/io/check.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "models.hpp"
#include "refusal.hpp"
#include "varia/io/compare.hpp"

namespace varia::io::check_test {
namespace {

CheckReport report_of(const std::string& text, const std::string& method, double step = 0.05,
                      const CheckOptions& options = {}) {
  Model model = models::model_of(text);
  set_method(model, parse_method(method));
  model.step = step;
  return check(model, options);
}

std::string all(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

TEST(Check, VariationalMethodsPass) {
  for (const auto& [text, method] :
       std::vector<std::pair<std::string, std::string>>{{models::kepler(), "gauss(2)"},
                                                        {models::double_pendulum(), "lobatto(3)"},
                                                        {models::magnetic(), "verlet"},
                                                        {models::caldirola_kanai(), "gauss(2)"},
                                                        {models::spherical_pendulum(), "verlet"}}) {
    const CheckReport report = report_of(text, method, 0.03);
    EXPECT_TRUE(report.passed()) << method << "\n" << all(report.failures);
  }
}

/// The order against the exact discrete Lagrangian; a composition that declares too much is found out.
TEST(Check, OrdersAreCertified) {
  for (const char* method : {"verlet", "gauss(2)", "euler_a", "yoshida(4)"}) {
    const CheckReport report = report_of(models::double_pendulum(), method, 0.03);
    ASSERT_TRUE(report.certified.has_value()) << method << "\n" << all(report.notes);
    EXPECT_FALSE(report.certified->by_steps);
    EXPECT_NEAR(report.certified->measured, report.certified->declared, 0.1) << method;
  }
  const CheckReport forced = report_of(models::van_der_pol(), "midpoint", 0.03);
  ASSERT_TRUE(forced.certified.has_value());
  EXPECT_TRUE(forced.certified->by_steps);
  const CheckReport wrong =
      report_of(models::kepler(), "compose(verlet: 0.5, verlet: 0.5, order=4)", 0.03);
  EXPECT_FALSE(wrong.passed());
  expect_words(all(wrong.failures), {"certified order", "below", "measured order", "declared"});
}

/// Each number just below its limit passes, and just above it is the one thing that fails.
TEST(Check, EveryLimitCounts) {
  const auto failures = [](double order, double defect, int which) {
    const auto value = [&](int k) { return k == which ? defect : 0.0; };
    CheckReport r;
    r.order.declared = 2;
    r.order.steps = {10, 20, 40};
    r.order.measured = which == 0 ? order : 2.0;
    r.certified = CheckReport::Certified{4, which == 1 ? order + 2 : 4.0, false};
    r.symplecticity = value(2);
    r.reversibility = value(3);
    r.action = ActionReport{value(4), value(5)};
    r.momenta = {{"rotation", value(6)}, {"shift", value(7)}};
    r.constraints = {value(8), value(9)};
    r.multipliers = CheckReport::Certified{3, which == 10 ? order + 1 : 3.0, false};
    judge(r);
    return all(r.failures);
  };
  const char* const words[] = {
      "measured order",    "certified order",     "symplectic", "reversibility",
      "p0 = -D1 Ld",       "p1 = D2 Ld",          "rotation",   "shift",
      "constraint defect", "velocity constraint", "multipliers"};
  for (int k = 0; k < 11; ++k) {
    for (const double order : {1.71, 2.29}) EXPECT_EQ(failures(order, 0.99e-10, k), "");
    for (const double order : {1.69, 2.31}) {
      const std::string text = failures(order, 1.01e-10, k);
      if ((k == 1 || k == 10) && order > 2) {
        EXPECT_EQ(text, "") << "more than is declared";
        continue;
      }
      expect_has(text, words[k]);
      EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1) << text;
    }
  }
  CheckReport nothing_measured;
  judge(nothing_measured);
  EXPECT_TRUE(nothing_measured.passed());
}

/// Propagated multipliers have the even one of s and s - 1, those computed anew 2s - 2.
TEST(CheckSlow, OrdersOfMultipliers) {
  const auto found = [](const std::string& method, const std::string& multiplier) {
    Model model = models::model_of(
        models::scenario(R"~(coordinates = ["x", "y", "z"]
lagrangian = "(x_dot^2 + y_dot^2 + z_dot^2)/2 - (x^2 + y^2)/2"
nonholonomic = ["z_dot - y*x_dot"])~",
                         "x = 1\ny = 0.5\nz = 0\nx_dot = 0.4\ny_dot = -0.3\nz_dot = 0.2", method,
                         "0.2") +
        "multiplier = \"" + multiplier + "\"\n");
    const CheckReport report = check(model);
    EXPECT_TRUE(report.passed()) << all(report.failures);
    return report.multipliers.value_or(CheckReport::Certified{});
  };
  for (const auto& [s, propagated] : {std::pair{2, 2}, {3, 2}, {4, 4}}) {
    const std::string method = "nh_lobatto(" + std::to_string(s) + ")";
    EXPECT_EQ(found(method, "propagate").declared, propagated);
    EXPECT_NEAR(found(method, "propagate").measured, propagated, 0.2) << s;
    EXPECT_EQ(found(method, "recompute").declared, 2 * s - 2);
    // of order 6 few errors lie above round-off
    EXPECT_NEAR(found(method, "recompute").measured, 2 * s - 2, s < 4 ? 0.2 : 0.5) << s;
  }
  EXPECT_EQ(found("nh_lobatto_sym(2)", "propagate").declared, 0);
}

/// Beside holonomic constraints a propagated multiplier has the round-off of a place over h², which is no order.
TEST(CheckSlow, OrdersOfMultipliersBesideHolonomicConstraints) {
  for (const auto& [s, order] : {std::pair{2, 2}, {3, 2}, {4, 4}})
    for (const double h : {0.025, 0.05, 0.1}) {
      const CheckReport report =
          report_of(models::scenario(
                        R"~(coordinates = ["x", "y", "z", "s"]
lagrangian = "(x_dot^2 + y_dot^2 + z_dot^2 + s_dot^2)/2 - z - s^2/2"
holonomic = ["x^2 + y^2 + z^2 - 1"]
nonholonomic = ["s_dot - x*z_dot"])~",
                        "x = 0.6\ny = 0\nz = -0.8\ns = 0.3\nx_dot = 0.4\ny_dot = 0.9\nz_dot = 0.3\n"
                        "s_dot = 0.18",
                        "nh_lobatto(2)"),
                    "nh_lobatto(" + std::to_string(s) + ")", h);
      EXPECT_TRUE(report.passed()) << all(report.failures);
      ASSERT_TRUE(report.multipliers) << s << " " << h << all(report.notes);
      EXPECT_NEAR(report.multipliers->measured, order, 0.2) << s << " " << h;
    }
}

/// (rolling-balance): along x and z the reaction acts, and nothing else does.
TEST(Check, MomentaThatReactionsChange) {
  const auto found = [](const std::string& method, const std::string& more) {
    return report_of(
        models::scenario(R"~(coordinates = ["x", "y", "z"]
lagrangian = "(x_dot^2 + y_dot^2 + z_dot^2)/2"
symmetry.shift = { x = "1", z = "2" }
nonholonomic = ["z_dot - y*x_dot"])~" +
                             more,
                         "x = 1\ny = 0.5\nz = 0\nx_dot = 0.4\ny_dot = -0.3\nz_dot = 0.2", method,
                         "0.2"),
        method);
  };
  for (const char* force : {"", "\nforce = { z = \"-0.3*z_dot\" }"}) {
    const CheckReport report = found("nh_lobatto(3)", force);
    EXPECT_TRUE(report.passed()) << all(report.failures);
    ASSERT_EQ(report.balances.size(), 3U);
    EXPECT_EQ(report.balances[0].first, "shift");
    EXPECT_EQ(report.balances[1].first, "x_p");
    EXPECT_EQ(report.balances[2].first, "z_p");
    for (const auto& [name, defect] : report.balances) EXPECT_LT(defect, 1e-15) << name;
  }
  const CheckReport other = found("dla", "");
  EXPECT_TRUE(other.balances.empty());
  expect_words(all(other.notes), {"balance", "nh_lobatto(s)"});
}

TEST(Check, OnRotations) {
  const CheckReport report = report_of(models::top("{ A = 1, B = 1.4, C = 0.6 }"), "gauss(2)");
  EXPECT_TRUE(report.passed()) << all(report.failures);
  EXPECT_NEAR(report.order.measured, 4.0, 0.15);
  EXPECT_LT(*report.symplecticity, 1e-11);
  ASSERT_EQ(report.momenta.size(), 1U);  // the body axis is not a symmetry: a note
  EXPECT_EQ(report.momenta[0].first, "vertical");
  expect_words(all(report.notes), {"body_axis"});
}

TEST(Check, BaselinesFailWithReasons) {
  const CheckReport report = report_of(models::kepler(), "rk4");
  EXPECT_FALSE(report.passed());
  EXPECT_NEAR(report.order.measured, 4.0, 0.2);
  expect_words(all(report.failures), {"symplectic", "rotation"});
  expect_words(all(report.notes), {"not variational"});
}

TEST(Check, ForcesAreNoted) {
  const CheckReport report = report_of(models::van_der_pol(), "gauss(2)");
  EXPECT_TRUE(report.passed()) << all(report.failures);
  EXPECT_FALSE(report.symplecticity.has_value());
  expect_words(all(report.notes), {"force"});
}

TEST(Check, MethodsWithoutReversibilitySayIt) {
  const CheckReport report = report_of(models::pendulum(), "euler_a");
  EXPECT_TRUE(report.passed()) << all(report.failures);
  EXPECT_FALSE(report.reversibility.has_value());
  expect_words(all(report.notes), {"euler_a", "not symmetric"});
}

TEST(Check, LargeSystemsLeaveOutWhatCostsTooMuch) {
  const CheckReport report = report_of(models::chain(30), "verlet");
  EXPECT_TRUE(report.passed()) << all(report.failures);
  EXPECT_FALSE(report.symplecticity.has_value());
  EXPECT_FALSE(report.action.has_value());
  expect_words(all(report.notes), {"24"});
}

TEST(Check, WrongRequestsAreErrors) {
  refusal<ScenarioError>([&] { report_of(models::spherical_pendulum(), "gauss(2)"); });
  refusal<ScenarioError>([&] { report_of(models::spherical_pendulum(), "rk4"); });
  refusal<ScenarioError>([&] { report_of(models::planar("x*y_dot"), "verlet"); });
}

// ---------------------------------------------------------------- bounds of the work

/// Soft springs between pairs of masses that stiff ones hold together.
std::string stiff_pairs() {
  return models::scenario(
      "coordinates = [\"x[1..6]\", \"y[1..6]\"]\n"
      "lagrangian = \"sum(i, 1, 6, x_dot[i]^2 + y_dot[i]^2)/2 - 5e7*sum(i, 1, 6, y[i]^2)"
      " - (x[1] - y[1])^4 - sum(i, 1, 5, (x[i+1] - y[i+1] - x[i] - y[i])^4) - (x[6] + y[6])^4\"",
      "x = \"sin(i)\"\ny = \"1e-4*cos(i)\"\nx_dot = 0.1\ny_dot = 0.7", "verlet", "0.01", "100");
}

std::vector<std::string> unmeasured_laws(const CheckReport& report) {
  std::vector<std::string> laws;
  for (const auto& [law, why] : report.unmeasured) laws.push_back(law);
  return laws;
}

/// What takes too much is stopped at the same step each time, named, and not called a pass.
TEST(CheckSlow, WorkIsBoundedByACount) {
  const CheckReport report = report_of(stiff_pairs(), "gauss(2)", 0.1, {{}, 1e-3});
  EXPECT_EQ(report.verdict(), "incomplete") << all(report.failures);
  EXPECT_FALSE(report.passed());
  ASSERT_EQ(unmeasured_laws(report), std::vector<std::string>{"order"});
  expect_words(report.unmeasured[0].why, {"more work", "stopped after", "--work 0.01"});
  EXPECT_TRUE(report.order.steps.empty());
  EXPECT_FALSE(report.certified.has_value());
  expect_words(all(report.notes), {"order of Ld", "more work", "watched over"});
  EXPECT_TRUE(report.symplecticity.has_value());  // one step
  const CheckReport again = report_of(stiff_pairs(), "gauss(2)", 0.1, {{}, 1e-3});
  EXPECT_EQ(again.unmeasured[0].why, report.unmeasured[0].why);
  EXPECT_EQ(again.notes, report.notes);
  const CheckReport enough = report_of(stiff_pairs(), "gauss(2)", 1e-5, {{}, 0.2});
  EXPECT_EQ(enough.verdict(), "pass") << all(enough.failures) << all(unmeasured_laws(enough));
}

/// Orders that can be measured are the same with more work allowed, to the bit.
TEST(CheckSlow, TheBoundChangesNoMeasurement) {
  for (const auto& [text, method] :
       {std::pair{models::kepler(), "gauss(3)"}, std::pair{models::double_pendulum(), "taylor(6)"},
        std::pair{models::chain(8), "gauss(2)"}}) {
    const CheckReport bounded = report_of(text, method, 0.03);
    const CheckReport more = report_of(text, method, 0.03, {{}, 1e6});
    EXPECT_EQ(bounded.order.errors, more.order.errors) << method;
    EXPECT_EQ(bounded.order.measured, more.order.measured) << method;
    ASSERT_TRUE(bounded.certified.has_value()) << method << "\n" << all(bounded.notes);
    ASSERT_TRUE(more.certified.has_value()) << method;
    EXPECT_EQ(bounded.certified->measured, more.certified->measured) << method;
  }
}

TEST(Check, ProgressNamesTheLawAndThePart) {
  std::vector<std::string> laws;
  double last = 0.0;
  const auto progress = [&](const std::string& law, double part) {
    if (laws.empty() || laws.back() != law) {
      laws.push_back(law);
      last = 0.0;
    }
    EXPECT_GE(part, last) << law;
    EXPECT_LE(part, 1.0) << law;
    last = part;
  };
  report_of(models::kepler(), "gauss(2)", 0.03, {progress, 1.0});
  EXPECT_EQ(laws,
            (std::vector<std::string>{"order", "reversibility", "symplecticity", "p0 = -D1 Ld",
                                      "certified order", "momenta and constraints"}));
}

/// The steps of the scenario end: a failure, with everything else that was measured.
TEST(CheckSlow, StepsThatEndAreAFailure) {
  const CheckReport report = report_of(stiff_pairs(), "verlet", 3e-4);
  EXPECT_EQ(report.verdict(), "fail");
  expect_words(all(report.failures), {"steps of the scenario end after"});
  EXPECT_NEAR(report.order.measured, 2.0, 0.1);
  EXPECT_TRUE(report.symplecticity.has_value());
}

/// Errors below round-off: no order, and no other law is left out for that.
TEST(Check, AnOrderThatCannotBeMeasuredIsNoPass) {
  const CheckReport report = report_of(models::pendulum(), "gauss(6)", 1e-4);
  EXPECT_EQ(report.verdict(), "incomplete") << all(report.failures);
  EXPECT_EQ(unmeasured_laws(report), std::vector<std::string>{"order"});
  expect_words(report.unmeasured[0].why, {"round-off"});
  EXPECT_TRUE(report.reversibility.has_value());
  EXPECT_TRUE(report.symplecticity.has_value());
}

/// Sizes are those of the system: units and factors change nothing.
TEST(Check, MomentaAndConstraintsAreRelative) {
  for (const char* factor : {"1", "1e9", "1e-9"}) {
    const std::string f = factor;
    const std::string text = models::scenario(
        "coordinates = [\"x\", \"y\", \"z\"]\nlagrangian = \"" + f +
            "*((x_dot^2 + y_dot^2 + z_dot^2)/2 - 9.81*z)\"\nholonomic = [\"" + f +
            "*(x^2 + y^2 + z^2 - 1)\"]\n[system.symmetry]\nrotation = { x = \"-y\", y = \"x\" }",
        "x = 1\ny = 0\nz = 0\nx_dot = 0\ny_dot = 1.3\nz_dot = 0.2", "verlet", "0.01", "100");
    const CheckReport report = report_of(text, "verlet", 0.01);
    ASSERT_EQ(report.momenta.size(), 1U);
    EXPECT_LT(report.momenta[0].second, 1e-12) << factor;
    EXPECT_GT(report.momenta[0].second, 1e-17) << factor;
    ASSERT_TRUE(report.constraints.has_value());
    EXPECT_LT(report.constraints->first, 1e-14) << factor;
    EXPECT_LT(report.constraints->second, 1e-12) << factor;
    EXPECT_GT(report.constraints->second, 1e-19) << factor;
  }
}

/// Of one energy the leading error of Ld on a linear system is a function of h alone: more than the
/// declared order is seen, which is no failure. The order of the steps is that which is declared.
TEST(Check, LinearSystemsPass) {
  const std::string oscillator =
      models::scenario("coordinates = [\"x\"]\nlagrangian = \"x_dot^2/2 - x^2/2\"",
                       "x = 1\nx_dot = 0", "verlet", "0.1", "10");
  for (const char* method : {"midpoint", "verlet", "gauss(2)", "gauss(3)"}) {
    const CheckReport report = report_of(oscillator, method, 0.1);
    EXPECT_EQ(report.verdict(), "pass") << method << "\n" << all(report.failures);
    EXPECT_NEAR(report.order.measured, report.order.declared, 0.1) << method;
    ASSERT_TRUE(report.certified.has_value()) << method << "\n" << all(report.notes);
    EXPECT_GT(report.certified->measured, report.certified->declared - 0.1) << method;
    EXPECT_EQ(report.certified->measured > report.certified->declared + 0.3,
              all(report.notes).find("above the declared one") != std::string::npos)
        << method;
  }
}

/// Orders that round-off or steps too long hide are not measured, rather than wrong.
TEST(CheckSlow, OrdersThatAreNotSettledAreNoFailures) {
  for (const char* method : {"gauss(4)", "gauss(5)", "gauss(6)"})
    for (const std::string& text : {models::kepler(), models::double_pendulum()}) {
      const CheckReport report = report_of(text, method, 0.03);
      EXPECT_TRUE(report.failures.empty()) << method << "\n" << all(report.failures);
    }
  const CheckReport report = report_of(stiff_pairs(), "verlet", 1e-3, {{}, 0.1});
  EXPECT_EQ(all(report.failures).find("measured order"), std::string::npos) << all(report.failures);
}

// ---------------------------------------------------------------- comparisons

TEST(Compare, ErrorsFallWithTheOrder) {
  Model model = models::model_of(models::kepler());
  const Comparison c = compare(model, {"verlet", "gauss(2)", "rk4"}, {0.01, 0.005},
                               [](const std::string&) { return true; });
  ASSERT_EQ(c.rows.size(), 6U);
  const double orders[] = {2, 4, 4};
  for (std::size_t m = 0; m < 3; ++m) {
    EXPECT_NEAR(std::log2(c.rows[2 * m].error / c.rows[2 * m + 1].error), orders[m], 0.5)
        << c.rows[2 * m].method;
    EXPECT_EQ(c.rows[2 * m].steps, 500);
    EXPECT_EQ(c.rows[2 * m + 1].steps, 1000);
    EXPECT_EQ(c.rows[2 * m].variational, m < 2);
    EXPECT_EQ(c.rows[2 * m].t.size(), c.rows[2 * m].energy.size());
  }
  refusal([&] { compare(model, {"nonsense"}, {0.1}, [](const std::string&) { return true; }); });
  EXPECT_TRUE(
      compare(model, {"verlet"}, {0.1}, [](const std::string&) { return false; }).rows.empty());
}

TEST(Compare, ListsSplitAtOuterCommas) {
  EXPECT_EQ(split_list("verlet, gauss(2), galerkin(2, lobatto:3)"),
            (std::vector<std::string>{"verlet", "gauss(2)", "galerkin(2, lobatto:3)"}));
  refusal([&] { split_list("verlet,,rk4"); });
  refusal([&] { split_list(""); });
}

}  // namespace
}  // namespace varia::io::check_test
