// SPDX-License-Identifier: BSD-3-Clause
// Compositions of kicks and drifts in the run-time engine: the map of the template engine, and the
// refusals of sets that are for separable systems only.
#include <gtest/gtest.h>

#include "models.hpp"
#include "refusal.hpp"
#include "varia/flow/flow.hpp"
#include "varia/flow/stage_flow.hpp"
#include "varia/mechanics/system.hpp"
#include "varia/methods/methods.hpp"

namespace varia::text_compositions_test {
namespace {

using V2 = Vector<double, 2>;

template <class S>
void expect_same(const std::string& text, const S& system, const V2& q, const V2& v, double t) {
  const io::Model model = io::models::model_of(text);
  ASSERT_TRUE(model.system->separable);
  for (const char* name :
       {"triple_jump(verlet)", "suzuki", "yoshida(8)", "sofroniou_spaletta", "ruth", "mclachlan",
        "mclachlan_atela(4)", "mclachlan_atela(5)", "blanes_moan(6)", "blanes_moan_rkn(4)",
        "blanes_moan_rkn(6, 11)", "blanes_moan_rkn(6)", "adjoint(ruth)"}) {
    SCOPED_TRACE(name);
    const Method method = parse_method(name);
    const StageFlow by_text(method, model.system);
    EXPECT_TRUE(by_text.is_explicit());
    const StageFlow solved(method, model.system, {.prefer_explicit = false});
    EXPECT_FALSE(solved.is_explicit());
    const VectorState start = initial(*model.system, Vn(q), Vn(v), t);
    auto memory = by_text.memory(start);
    const VectorState a = by_text.steps(start, 0.05, 5, memory);
    auto b = initial(system, q, v, t);
    const Flow flow(method, system);
    VectorState c = start;
    for (int k = 0; k < 5; ++k) {
      b = flow(b, 0.05);
      c = solved(c, 0.05);
    }
    EXPECT_LT((a.q - Vn(b.q)).norm() + (a.p - Vn(b.p)).norm(), 1e-13);
    EXPECT_LT((a.q - c.q).norm() + (a.p - c.p).norm(), 1e-12);
    EXPECT_EQ(a.t, b.t);
    EXPECT_NEAR(a.t, c.t, 1e-15);
  }
}

TEST(TextCompositions, AreThoseOfTheTemplate) {
  expect_same(io::models::kepler(),
              System{Separable{1.0, [](const auto& q) { return -1.0 / sqrt(q.dot(q)); }}},
              V2(0.4, 0.0), V2(0.0, 2.0), 0.0);
}

/// Masses that differ, and a potential that depends on time.
TEST(TextCompositions, WithTimeAndMasses) {
  expect_same(
      io::models::planar("x_dot^2 + 0.35*y_dot^2 - (x^2*y^2 + x^4 + 3*y^2)/2 + 0.1*t*x", ""),
      System{Separable{V2(2.0, 0.7),
                       [](double t, const auto& q) {
                         const auto x2 = q[0] * q[0];
                         const auto y2 = q[1] * q[1];
                         return (x2 * y2 + x2 * x2 + 3.0 * y2) / 2.0 - 0.1 * t * q[0];
                       }}},
      V2(0.4, 0.1), V2(0.2, -0.3), 0.5);
}

/// A full mass matrix.
TEST(TextCompositions, WithCoupledMasses) {
  Matrix<double, 2> mass;
  mass << 2.0, 0.5, 0.5, 1.0;
  expect_same(io::models::planar("x_dot^2 + 0.5*x_dot*y_dot + y_dot^2/2 - (x^4 + y^2 + x*y)/2", ""),
              System{Separable{mass,
                               [](const auto& q) {
                                 const auto x2 = q[0] * q[0];
                                 return (x2 * x2 + q[1] * q[1] + q[0] * q[1]) / 2.0;
                               }}},
              V2(0.4, 0.1), V2(0.2, -0.3), 0.0);
}

TEST(TextCompositions, SetsForQuadraticKineticEnergyAreRefusedElsewhere) {
  for (const char* name : {"mclachlan_atela(4)", "mclachlan_atela(5)", "blanes_moan_rkn(6)"}) {
    const auto refused = [&](const std::string& text) {
      const io::Model model = io::models::model_of(text);
      return refusal([&] { StageFlow(parse_method(name), model.system); });
    };
    expect_words(refused(io::models::double_pendulum()), {"only for L = ", "another form"});
    expect_words(refused(io::models::van_der_pol()), {"has a force"});
    expect_words(refused(io::models::spherical_pendulum()), {"has constraints"});
  }
}

}  // namespace
}  // namespace varia::text_compositions_test
