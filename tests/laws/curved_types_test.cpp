// SPDX-License-Identifier: BSD-3-Clause
// The laws on SE(2), SE(3), S² and a product for systems stated as C++ functions: orders on both sides,
// symplecticity by the exact derivative, the two tiers, and the steps of the same system from text.
#include <gtest/gtest.h>

#include <vector>

#include "problems.hpp"
#include "varia/flow/stage_flow.hpp"
#include "varia/varia.hpp"

namespace varia::curved_types_test {
namespace {

using namespace problems;

/// Of the stage tier from the certificate after three steps.
template <class S, class StateT>
double tier_distance(const Method& method, const S& system, const StateT& start, Retraction tau,
                     const Method& other) {
  const Flow flow(method, system, {.retraction = tau});
  const Certificate certificate(other, system, tau);
  auto a = start;
  auto b = start;
  for (int k = 0; k < 3; ++k) {
    a = flow(a, 0.1);
    b = certificate(b, 0.1);
  }
  return detail::distance(a, b);
}

template <class S, class StateT>
void expect_laws(const S& system, const StateT& start, Retraction tau) {
  const FlowOptions options{.retraction = tau};
  const auto exact = reference_state(system, start, 1.0);
  std::vector<Method> methods = {gauss(2), lobatto(3)};
  if (tau == Retraction::exponential) methods.push_back(triple_jump(midpoint()));
  for (const Method& method : methods) {
    const Flow flow(method, system, options);
    EXPECT_TRUE(check_order(flow, start, 1.0, exact, method.order()).passes()) << method.name();
    EXPECT_LT(check_symplectic(flow, start, 0.1).defect, 1e-13) << method.name();
    if (method.stages() != nullptr) {
      EXPECT_LT(tier_distance(method, system, start, tau, method), 1e-12) << method.name();
    }
  }
}

template <class L, Point Q>
void expect_laws(const Curved& problem, const L& lagrangian, const Q& origin) {
  const System system{lagrangian};
  const Q q = Space<Q>::retract(origin, Tangent<Q>(problem.xi));
  const auto start = initial(system, q, Tangent<Q>(problem.v), 0.2);
  const auto text = system_of(problem.free());
  for (const Retraction tau : {Retraction::exponential, Retraction::cayley}) {
    SCOPED_TRACE(problem.name + (tau == Retraction::cayley ? ", cay" : ", exp"));
    expect_laws(system, start, tau);
    const FlowOptions options{.retraction = tau};
    for (const Method& method : {gauss(2), lobatto(3)})
      EXPECT_LT(
          distance(detail::vector_state(advance(Flow(method, system, options), start, 0.1, 20)),
                   walk(StageFlow(method, text, options), start_of(text, problem), 0.1, 20)),
          1e-13)
          << method.name();
  }
}

/// Half a step forwards twice is no pair of adjoints, a force is not symplectic, and methods differ.
TEST(CurvedTypes, WrongOnesAreSeen) {
  const auto drag = [](const auto&, const auto& v) { return (-0.3 * v).eval(); };
  const System system{curved::plane_lagrangian};
  const System damped{curved::plane_lagrangian, Force{drag}};
  const Curved problem = curved::plane();
  const auto start = initial(system, SE2<double>{0.4, -0.3, 0.9}, Vector<double, 3>(problem.v));
  const Flow halves(compose({{euler_a(), 0.5}, {euler_a(), 0.5}}, 2), system);
  EXPECT_NEAR(check_order(halves, start, 1.0).measured, 1.0, 0.1);
  EXPECT_GT(check_symplectic(Flow(gauss(2), damped), start, 0.1).defect, 1e-3);
  EXPECT_GT(tier_distance(gauss(2), system, start, default_retraction, lobatto(3)), 1e-9);
}

TEST(CurvedTypes, PlaneObeysTheLaws) {
  expect_laws(curved::plane(), curved::plane_lagrangian, SE2<double>());
}

TEST(CurvedTypes, SpaceObeysTheLaws) {
  expect_laws(curved::space(), curved::space_lagrangian, SE3<double>());
}

TEST(CurvedTypes, SphereObeysTheLaws) {
  expect_laws(curved::sphere(), curved::sphere_lagrangian(), SO3<double>());
}

TEST(CurvedTypes, ProductObeysTheLaws) {
  expect_laws(curved::body_and_mass(), curved::body_and_mass_lagrangian,
              Product(SE2<double>(), Vector<double, 1>(0.0)));
}

}  // namespace
}  // namespace varia::curved_types_test
