// SPDX-License-Identifier: BSD-3-Clause
// Coefficients of one's own, which belong to no collocation: with any A and weights that are not 0 the
// path of stages has a discrete Lagrangian, and its flow is symplectic. Where A is its own conjugate,
// bᵢaᵢⱼ + bⱼaⱼᵢ = bᵢbⱼ, the flow is that of the Runge-Kutta method; diagonally implicit ones are
// compositions of midpoint rules.
#include <gtest/gtest.h>

#include "methods/tableaux.hpp"
#include "problems.hpp"
#include "varia/methods/composition.hpp"
#include "varia/varia.hpp"

namespace varia::own_tableau_test {
namespace {

using namespace problems;
using Coefficients = std::vector<DoubleDouble>;

Tableau tableau(const Coefficients& b, const Coefficients& A) {
  const std::size_t s = b.size();
  Coefficients c;
  for (std::size_t i = 0; i < s; ++i) {
    DoubleDouble sum = 0.0;
    for (std::size_t j = 0; j < s; ++j) sum += A[i * s + j];
    c.push_back(sum);
  }
  return {"own", c, b, A, static_cast<int>(s), 0};
}

/// aᵢⱼ = bⱼ below the diagonal, bᵢ/2 on it.
Tableau diagonally_implicit(const Coefficients& b) {
  Coefficients A(b.size() * b.size(), 0.0);
  for (std::size_t i = 0; i < b.size(); ++i)
    for (std::size_t j = 0; j <= i; ++j) A[i * b.size() + j] = j < i ? b[j] : 0.5 * b[j];
  return tableau(b, A);
}

Method method_of(const Tableau& t, int order, bool symmetric) {
  Coefficients identity(t.A.size(), 0.0);
  for (std::size_t i = 0; i < t.b.size(); ++i) identity[i * t.b.size() + i] = 1.0;
  return {"own", order, symmetric, false, StageCoefficients(t.c, t.b, t.A, identity, t.b)};
}

/// Neither collocation nor its own conjugate, of first order.
Tableau crooked() {
  return tableau({0.2, 0.5, 0.3}, {0.1, -0.3, 0.2, 0.4, 0.25, 0.0, -0.2, 0.7, 0.6});
}

DoubleDouble cube_root_of_two() {
  DoubleDouble x = std::cbrt(2.0);
  for (int k = 0; k < 3; ++k) x = x - (x * x * x - 2.0) / (3.0 * x * x);
  return x;
}

/// (γ, 1 - 2γ, γ) with γ = 1/(2 - ∛2)
Coefficients triple() {
  const DoubleDouble gamma = 1.0 / (2.0 - cube_root_of_two());
  return {gamma, 1.0 - 2.0 * gamma, gamma};
}

TEST(OwnTableau, AreNoCollocation) {
  for (const Tableau& t : {diagonally_implicit({0.5, 0.5}), diagonally_implicit(triple())}) {
    EXPECT_TRUE(is_symplectic_pair(t, t));
    EXPECT_EQ(simplifying_c(t), 1);
  }
  EXPECT_FALSE(is_symplectic_pair(crooked(), crooked()));
  EXPECT_TRUE(is_symplectic_pair(crooked(), symplectic_conjugate(crooked())));
}

/// The mass of the double pendulum depends on q; ∂²L/∂v² of the driven one on v and t.
TEST(OwnTableau, StepsAreTheComposition) {
  for (const Texts& text : {texts::double_pendulum(), texts::driven()}) {
    const auto system = system_of(text);
    const VectorState start = start_of(*system, text);
    const auto after = [&](const Method& method) {
      return walk(StageFlow(method, system), start, 0.1, 10);
    };
    const VectorState halves = after(compose({{midpoint(), 0.5}, {midpoint(), 0.5}}, 2));
    EXPECT_LT(distance(after(method_of(diagonally_implicit({0.5, 0.5}), 2, true)), halves), 1e-13);
    const VectorState jumps = after(triple_jump(midpoint()));
    EXPECT_LT(distance(after(method_of(diagonally_implicit(triple()), 4, true)), jumps), 1e-13);
    EXPECT_GT(distance(halves, jumps), 1e-5);
  }
}

TEST(OwnTableau, Symplectic) {
  const auto system = system_of(texts::double_pendulum());
  const VectorState start = start_of(*system, texts::double_pendulum());
  for (const Method& method :
       {method_of(diagonally_implicit({0.5, 0.5}), 2, true),
        method_of(diagonally_implicit(triple()), 4, true), method_of(crooked(), 1, false)}) {
    const StageFlow flow(method, system);
    EXPECT_LT(check_symplectic(flow, start, 0.1).defect, 1e-13);
    EXPECT_LT(check_symplectic_by_differences(flow, start, 0.1).defect, 1e-11);
  }
}

TEST(OwnTableau, Orders) {
  const auto system = system_of(texts::double_pendulum());
  const VectorState start = start_of(*system, texts::double_pendulum());
  for (const Method& method :
       {method_of(diagonally_implicit({0.5, 0.5}), 2, true),
        method_of(diagonally_implicit(triple()), 4, true), method_of(crooked(), 1, false)}) {
    const OrderReport report = check_order(StageFlow(method, system), start, 1.0);
    EXPECT_NEAR(report.measured, method.order(), 0.15);
  }
}

/// Linear symmetries are kept, and the action differentiated as a whole gives the same step.
TEST(OwnTableau, MomentaAndAction) {
  const System kepler{kepler_lagrangian};
  const auto start = initial(kepler, Vector<double, 2>(0.8, 0.1), Vector<double, 2>(-0.2, 1.1));
  const auto rotation = [](const auto& s) { return s.q[0] * s.p[1] - s.q[1] * s.p[0]; };
  for (const Method& method :
       {method_of(diagonally_implicit(triple()), 4, true), method_of(crooked(), 1, false)}) {
    const Flow flow(method, kepler);
    const Certificate certificate(method, kepler);
    EXPECT_LT(detail::distance(flow(start, 0.1), certificate(start, 0.1)), 1e-12);
    const ActionReport report = check_action(flow, start, 0.1);
    EXPECT_LT(report.p0_defect + report.p1_defect, 1e-12);
    auto memory = flow.memory(start);
    EXPECT_NEAR(rotation(flow.steps(start, 0.05, 100, memory)), rotation(start), 1e-13);
  }
}

}  // namespace
}  // namespace varia::own_tableau_test
