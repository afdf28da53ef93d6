// SPDX-License-Identifier: BSD-3-Clause
// Compositions as flows: one map, whether run with merged kicks and drifts, substep by substep, or
// implicitly; what they cost; where they are refused.
#include "varia/methods/composition.hpp"

#include <gtest/gtest.h>

#include "methods/composition_scheme.hpp"
#include "problems.hpp"
#include "refusal.hpp"
#include "varia/varia.hpp"

namespace varia::composition_test {
namespace {

const std::vector<const char*> explicit_names{"verlet",
                                              "euler_a",
                                              "euler_b",
                                              "trapezoid(0.3)",
                                              "ruth",
                                              "mclachlan",
                                              "mclachlan_atela(4)",
                                              "mclachlan_atela(5)",
                                              "blanes_moan(4)",
                                              "blanes_moan(6)",
                                              "blanes_moan_rkn(4)",
                                              "blanes_moan_rkn(6, 11)",
                                              "blanes_moan_rkn(6)",
                                              "yoshida(8)",
                                              "sofroniou_spaletta",
                                              "triple_jump(suzuki(verlet))",
                                              "adjoint(ruth)",
                                              "compose(euler_b: 0.5, euler_a: 0.5, order=2)"};

/// Applies the substeps of a method one by one.
template <class F, class S>
S substep_by_substep(const F& flow, const Method& method, S s, double h) {
  if (method.substeps().empty()) return flow.with_method(method)(s, h);
  for (const auto& [part, fraction] : method.substeps())
    s = substep_by_substep(flow, part, s, fraction * h);
  return s;
}

TEST(Composition, MergedSubstepsAreTheSameMap) {
  const auto p = problems::separable_kepler();
  for (const char* name : explicit_names) {
    const Method method = parse_method(name);
    const Flow flow(method, p.system);
    EXPECT_TRUE(flow.is_explicit<std::decay_t<decltype(p.start.q)>>()) << name;
    const Flow solved(method, p.system, {.prefer_explicit = false});
    for (const double h : {p.h, -p.h}) {
      const auto merged = flow(p.start, h);
      EXPECT_LT(detail::distance(merged, substep_by_substep(flow, method, p.start, h)), 2e-15)
          << name;
      EXPECT_LT(detail::distance(merged, solved(p.start, h)), 1e-13) << name;
    }
  }
}

/// Explicit parts beside an implicit one: a part that ends with a drift leaves no gradient behind.
TEST(Composition, ExplicitAndImplicitPartsTogether) {
  const auto p = problems::separable_kepler();
  const Method method = parse_method("compose(mclachlan: 0.5, verlet: 0.25, midpoint: 0.25)");
  const Flow flow(method, p.system);
  EXPECT_FALSE(flow.is_explicit<std::decay_t<decltype(p.start.q)>>());
  const auto apart = substep_by_substep(flow, method, p.start, p.h);
  EXPECT_LT(detail::distance(flow(p.start, p.h), apart), 2e-15);
}

/// A run is its steps, to the bit, and begins afresh from any of its states.
TEST(Composition, ManyStepsAreSingleSteps) {
  const auto p = problems::separable_kepler();
  for (const char* name : explicit_names)
    for (const bool compensated : {true, false}) {
      const Flow flow(parse_method(name), p.system, {.compensated = compensated});
      auto memory = flow.memory(p.start);
      const auto together = flow.steps(p.start, p.h, 20, memory);
      auto single = p.start;
      for (int k = 0; k < 20; ++k) single = flow(single, p.h);
      EXPECT_EQ(together.q, single.q) << name;
      EXPECT_EQ(together.p, single.p) << name;
      EXPECT_EQ(together.t, single.t) << name;
    }
}

TEST(Composition, TimeIsThatOfTheSteps) {
  const auto p = problems::separable_kepler();
  for (const char* name : explicit_names)
    EXPECT_EQ(advance(Flow(parse_method(name), p.system), p.start, 0.1, 1000).t, 100.0) << name;
}

/// A potential that depends on time is seen at the times of the substeps.
TEST(Composition, OrderWithATimeDependentPotential) {
  const System system{Separable{1.0, [](double t, const auto& q) {
                                  return (1.0 + 0.5 * sin(t)) * q[0] * q[0] - cos(q[0] + t);
                                }}};
  const auto start = initial(system, Vector<double, 1>(0.6), Vector<double, 1>(0.2));
  for (const char* name : {"blanes_moan(4)", "blanes_moan_rkn(6, 11)", "blanes_moan_rkn(6)",
                           "kahan_li(6)", "ruth", "mclachlan_atela(4)"}) {
    const OrderReport report = check_order(Flow(parse_method(name), system), start, 3.0);
    EXPECT_TRUE(report.passes()) << name << " measured " << report.measured;
  }
}

/// A potential that counts how often its gradient is taken.
struct Counting {
  long* gradients;
  template <class Q> auto operator()(const Q& q) const {
    ++*gradients;
    return 0.5 * q.dot(q);
  }
};

TEST(Composition, CostsOneGradientForEachKick) {
  long gradients = 0;
  const System system{Separable{1.0, Counting{&gradients}}};
  const auto start = initial(system, Vector<double, 2>(0.4, 0.1), Vector<double, 2>(0.0, 0.3));
  const auto count = [&](const char* name) {
    const Flow flow(parse_method(name), system);
    auto memory = flow.memory(start);
    const auto first = flow.step(start, 0.01, memory);  // begins with a gradient
    gradients = 0;
    flow.steps(first, 0.01, 10, memory);
    return gradients;
  };
  const long unit = count("verlet") / 10;  // evaluations of V in one gradient
  EXPECT_GE(unit, 1);
  for (const auto& [name, expected] : {std::pair{"euler_a", 1},
                                       {"euler_b", 1},
                                       {"triple_jump(verlet)", 3},
                                       {"suzuki", 5},
                                       {"yoshida(8)", 15},
                                       {"sofroniou_spaletta", 35},
                                       {"ruth", 3},
                                       {"mclachlan", 5},
                                       {"mclachlan_atela(4)", 4},
                                       {"mclachlan_atela(5)", 6},
                                       {"blanes_moan(4)", 6},
                                       {"blanes_moan(6)", 10},
                                       {"blanes_moan_rkn(4)", 6},
                                       {"blanes_moan_rkn(6, 11)", 11},
                                       {"blanes_moan_rkn(6)", 14},
                                       {"compose(euler_a: 0.5, euler_b: 0.5)", 1},
                                       {"compose(euler_b: 0.5, euler_a: 0.5)", 1}})
    EXPECT_EQ(count(name), 10 * unit * expected) << name;
}

/// Sets for quadratic kinetic energy are refused where they would not have their order.
TEST(Composition, SetsForQuadraticKineticEnergyAreRefusedElsewhere) {
  const auto refused = [](const auto& problem, const Method& method) {
    return refusal([&] { Flow(method, problem.system)(problem.start, problem.h); });
  };
  for (const char* name :
       {"mclachlan_atela(4)", "mclachlan_atela(5)", "blanes_moan_rkn(6, 11)", "blanes_moan_rkn(6)",
        "adjoint(mclachlan_atela(4))", "compose(verlet: 0.5, blanes_moan_rkn(6): 0.5)",
        "yoshida(8, blanes_moan_rkn(6))"}) {
    const Method method = parse_method(name);
    expect_words(refused(problems::double_pendulum(), method),
                 {"only for L = ", "not declared Separable", "blanes_moan(6)"});
    expect_words(refused(problems::spherical_pendulum(), method), {"not declared Separable"});
    expect_words(refused(problems::heavy_top(), method), {method.name().c_str()});
    const System forced{Separable{1.0, [](const auto& q) { return 0.5 * q.dot(q); }},
                        Force{[](const auto&, const auto& v) { return (-0.1 * v).eval(); }}};
    const problems::Problem damped{
        forced, initial(forced, Vector<double, 1>(1.0), Vector<double, 1>(0.0)), 0.1, 1.0};
    expect_words(refused(damped, method), {"has a force"});
    const System bound{Separable{1.0, [](const auto& q) { return q[1]; }},
                       Holonomic{[](const auto& q) { return q.dot(q) - 1.0; }}};
    const problems::Problem bead{
        bound, initial(bound, Vector<double, 2>(1.0, 0.0), Vector<double, 2>(0.0, 0.1)), 0.1, 1.0};
    expect_words(refused(bead, method), {"has constraints"});
    const System body{
        Separable{Vector<double, 3>(1.0, 1.4, 0.6), [](const auto& R) { return R(2, 2) * 1.0; }}};
    const problems::Problem top{
        body, initial(body, problems::tilted(), Vector<double, 3>(0.4, 0.9, 2.0)), 0.1, 1.0};
    expect_words(refused(top, method), {"Lie group"});
  }
}

/// With the Cayley map euler_b is not the adjoint of euler_a; with the exponential it is.
TEST(Composition, PairsOnGroupsNeedTheExponential) {
  const auto p = problems::heavy_top();
  const FlowOptions cayley{.retraction = Retraction::cayley};
  expect_words(refusal([&] { Flow(blanes_moan(4), p.system, cayley)(p.start, p.h); }),
               {"blanes_moan(4)", "Lie group", "another adjoint"});
  const Flow bare(compose(euler_pairs(composition_scheme("blanes_moan(4)")), 4, "bare"), p.system,
                  cayley);
  EXPECT_LT(check_order(bare, p.start, 4.0).measured, 3.5);
  EXPECT_NO_THROW(Flow(blanes_moan(4), p.system)(p.start, p.h));
}

/// The fractions of the triple jump on a method that is not symmetric: no order 4.
TEST(Composition, TripleJumpOfAnUnsymmetricMethodHasOrderOne) {
  const auto p = problems::henon_heiles();
  const double gamma = triple_jump(verlet()).substeps()[0].second;
  const Flow flow(compose({{euler_a(), gamma}, {euler_a(), 1.0 - 2.0 * gamma}, {euler_a(), gamma}},
                          4, "jump of euler_a"),
                  p.system);
  EXPECT_NEAR(check_order(flow, p.start, p.duration).measured, 1.0, 0.1);
}

}  // namespace
}  // namespace varia::composition_test
