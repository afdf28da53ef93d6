// SPDX-License-Identifier: BSD-3-Clause
// Laws of the run-time engine: the declared order, symplecticity, reversibility, the action, and the
// bits: a run does not depend on how it was cut into pieces.
#include <gtest/gtest.h>

#include <cstring>

#include "models.hpp"
#include "refusal.hpp"
#include "varia/io/check.hpp"
#include "varia/io/stepper.hpp"

namespace varia::io::text_laws_test {
namespace {

Model with_method(const std::string& text, const std::string& method, double step) {
  Model model = models::model_of(text);
  set_method(model, parse_method(method));
  model.step = step;
  return model;
}

struct Case {
  const char* method;
  int order;
};

void expect_laws(const std::string& text, double step) {
  for (const auto& [method, order] : std::vector<Case>{{"verlet", 2},
                                                       {"gauss(1)", 2},
                                                       {"gauss(2)", 4},
                                                       {"gauss(3)", 6},
                                                       {"lobatto(2)", 2},
                                                       {"lobatto(3)", 4},
                                                       {"lobatto(4)", 6},
                                                       {"triple_jump(verlet)", 4}}) {
    Model model = with_method(text, method, step);
    const CheckReport report = check(model);
    EXPECT_EQ(report.order.declared, order) << method;
    EXPECT_NEAR(report.order.measured, order, 0.15) << method;
    ASSERT_TRUE(report.symplecticity && report.reversibility && report.action) << method;
    EXPECT_LT(*report.symplecticity, 1e-11) << method;
    EXPECT_LT(*report.reversibility, 1e-11) << method;
    EXPECT_LT(report.action->p0_defect, 1e-11) << method;
    EXPECT_LT(report.action->p1_defect, 1e-11) << method;
    EXPECT_TRUE(report.passed()) << method;
  }
}

TEST(TextLaws, Pendulum) { expect_laws(models::pendulum(), 0.1); }
TEST(TextLawsSlow, Kepler) { expect_laws(models::kepler(), 0.03); }

/// Methods that are not symmetric, and baselines, do not have the laws: the measures see that.
TEST(TextLaws, WrongMethodsFail) {
  Model euler = with_method(models::pendulum(), "euler_a", 0.1);
  const CheckReport first_order = check(euler);
  EXPECT_NEAR(first_order.order.measured, 1.0, 0.15);
  EXPECT_FALSE(first_order.reversibility.has_value());
  EXPECT_LT(*first_order.symplecticity, 1e-11);
  Model runge_kutta = with_method(models::kepler(), "rk4", 0.05);
  const CheckReport baseline = check(runge_kutta);
  EXPECT_NEAR(baseline.order.measured, 4.0, 0.15);
  ASSERT_TRUE(baseline.symplecticity.has_value());
  EXPECT_GT(*baseline.symplecticity, 1e-7);
}

TEST(TextLawsSlow, ConstrainedMethodsHaveTheirOrder) {
  for (const auto& [method, order] :
       std::vector<Case>{{"verlet", 2}, {"lobatto(3)", 4}, {"lobatto(4)", 6}}) {
    Model model = with_method(models::spherical_pendulum(), method, 0.1);
    const CheckReport report = check(model);
    EXPECT_NEAR(report.order.measured, order, 0.15) << method;
    EXPECT_LT(*report.symplecticity, 1e-11) << method;
    EXPECT_LT(*report.reversibility, 1e-11) << method;
    EXPECT_LT(report.constraints->first, 1e-13) << method;
    EXPECT_LT(report.constraints->second, 1e-13) << method;
  }
}

// ---------------------------------------------------------------- bits

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

std::vector<Model> bit_models() {
  std::vector<Model> result;
  for (const char* method : {"verlet", "euler_a", "gauss(2)", "lobatto(3)", "triple_jump(verlet)",
                             "triple_jump(midpoint)", "rk4", "dopri5"})
    for (const std::string& text :
         {models::kepler(), models::full_mass(), models::van_der_pol(), models::caldirola_kanai()})
      result.push_back(with_method(text, method, 0.03));
  for (const char* method : {"verlet", "lobatto(3)", "lobatto(4)"})
    result.push_back(with_method(models::spherical_pendulum(), method, 0.05));
  for (const char* method : {"verlet", "gauss(2)"})
    result.push_back(with_method(models::top("{ A = 1, B = 1.4, C = 0.6 }"), method, 0.05));
  return result;
}

TEST(TextLaws, ManyStepsAreStepsToTheBit) {
  for (const Model& model : bit_models()) {
    const auto once = make_stepper(model);
    const auto often = make_stepper(model);
    once->advance(model.step, 37);
    for (int k = 0; k < 37; ++k) often->advance(model.step, 1);
    EXPECT_TRUE(same_bits(once->save(), often->save()))
        << model.method.name() << ", " << model.scenario.system.lagrangian->value;
    EXPECT_EQ(once->statistics().steps, 37);
    EXPECT_EQ(once->statistics().iterations, often->statistics().iterations);
  }
}

TEST(TextLaws, SavedRunsGoOnToTheBit) {
  for (const Model& model : bit_models()) {
    const std::string name = model.method.name() + ", " + model.scenario.system.lagrangian->value;
    const auto whole = make_stepper(model);
    whole->advance(model.step, 30);
    const auto first = make_stepper(model);
    first->advance(model.step, 13);
    const std::vector<double> saved = first->save();
    const auto second = make_stepper(model);
    second->load(saved);
    EXPECT_TRUE(same_bits(second->save(), saved)) << name;
    second->advance(model.step, 17);
    EXPECT_TRUE(same_bits(second->save(), whole->save())) << name;
    std::vector<double> damaged = saved;
    damaged.pop_back();
    expect_words(refusal([&] { make_stepper(model)->load(damaged); }), {"checkpoint"});
    damaged = saved;
    damaged.push_back(0.0);
    expect_words(refusal([&] { make_stepper(model)->load(damaged); }), {"checkpoint"});
    refusal([&] { make_stepper(model)->load({}); });
  }
}

/// The memory matters: without it an implicit run goes on within round-off only.
TEST(TextLaws, TheMemoryIsPartOfWhatIsSaved) {
  Model model = with_method(models::double_pendulum(), "gauss(2)", 0.05);
  const auto run = make_stepper(model);
  run->advance(model.step, 13);
  const std::size_t state = 2 + 4 * 2;  // t, rest; q, q_rest, p, p_rest
  EXPECT_GT(run->save().size(), state + 3);
}

/// A step that fails leaves the state of the last good step.
TEST(TextLaws, FailureLeavesTheLastGoodState) {
  for (const char* method : {"verlet", "gauss(2)", "rk4"}) {
    Model model = with_method(models::single("x_dot^2/2 + exp(x^2)"), method, 0.5);
    const auto run = make_stepper(model);
    const auto careful = make_stepper(model);
    refusal<NoConvergence>([&] { run->advance(model.step, 1000); });
    refusal<NoConvergence>([&] {
      for (int k = 0; k < 1000; ++k) careful->advance(model.step, 1);
    });
    Snapshot a, b;
    run->snapshot(a);
    careful->snapshot(b);
    EXPECT_EQ(a.t, b.t) << method;
    EXPECT_TRUE(same_bits(a.q, b.q) && same_bits(a.p, b.p)) << method;
  }
}

TEST(TextLaws, BackAndForthReturns) {
  for (const char* method : {"verlet", "gauss(2)", "lobatto(4)", "triple_jump(verlet)"}) {
    Model model = with_method(models::kepler(), method, 0.02);
    const auto run = make_stepper(model);
    Snapshot start, end;
    run->snapshot(start);
    run->advance(0.02, 50);
    run->advance(-0.02, 50);
    run->snapshot(end);
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_NEAR(end.q[i], start.q[i], 1e-13) << method;
      EXPECT_NEAR(end.p[i], start.p[i], 1e-12) << method;
    }
    EXPECT_NEAR(end.t, start.t, 1e-15);
  }
}

}  // namespace
}  // namespace varia::io::text_laws_test
