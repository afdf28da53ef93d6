// SPDX-License-Identifier: BSD-3-Clause
// The laws on SO(2), SE(2), SE(3), S² and products, from text: orders on both sides, symplecticity by the
// exact derivative to round-off, the two tiers; free, with constraints, and with constraints that move.
#include "varia/space/curved_spaces.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <vector>

#include "problems.hpp"
#include "src/verify/point_flow.hpp"
#include "varia/flow/stage_flow.hpp"
#include "varia/varia.hpp"
#include "varia/verify/check_points.hpp"

namespace varia::curved_spaces_test {
namespace {

using namespace problems;

constexpr Retraction maps[] = {Retraction::exponential, Retraction::cayley};
const char* name_of(Retraction tau) { return tau == Retraction::cayley ? "cay" : "exp"; }

/// A composition that does not need symmetric parts: with Cayley's map there are none.
Method euler_pair() { return compose({{euler_b(), 0.5}, {euler_a(), 0.5}}, 2, "euler_b, euler_a"); }

Method composition(Retraction tau) {
  return tau == Retraction::exponential ? triple_jump(midpoint()) : euler_pair();
}

StageFlow flow_of(const Method& method, const std::shared_ptr<KernelSystem>& system,
                  Retraction tau) {
  return StageFlow(method, system, {.retraction = tau});
}

TEST(CurvedSpaces, OrdersAreAsDeclared) {
  for (const Curved& problem : curved::all()) {
    const auto system = system_of(problem.free());
    const VectorState start = start_of(system, problem);
    const VectorState exact = reference_state(flow_of(gauss(2), system, maps[0]), start, 1.0);
    for (const Retraction tau : maps)
      for (const Method& method : {gauss(2), lobatto(3), composition(tau)})
        EXPECT_TRUE(
            check_order(flow_of(method, system, tau), start, 1.0, exact, method.order()).passes())
            << problem.name << " " << name_of(tau) << " " << method.name();
  }
}

/// Held with the one map, moving with the other.
TEST(CurvedSpaces, OrdersAreAsDeclaredWithConstraints) {
  for (const Curved& problem : curved::all())
    for (const Retraction tau : maps) {
      const auto system =
          system_of(tau == Retraction::exponential ? problem.held() : problem.driven());
      const VectorState start = start_of(system, problem);
      const VectorState exact = reference_state(flow_of(lobatto(3), system, tau), start, 1.0);
      std::vector<Method> methods = {lobatto(3)};
      if (tau == Retraction::exponential) methods.push_back(composition(tau));
      for (const Method& method : methods)
        EXPECT_TRUE(
            check_order(flow_of(method, system, tau), start, 1.0, exact, method.constrained_order())
                .passes())
            << problem.name << " " << name_of(tau) << " " << method.name();
    }
}

/// Half a step forwards twice is no pair of adjoints; midpoint is not symmetric with Cayley's map.
TEST(CurvedSpaces, OrdersThatAreClaimedInVainAreSeen) {
  const Curved problem = curved::plane();
  const auto system = system_of(problem.free());
  const VectorState start = start_of(system, problem);
  const Method halves = compose({{euler_a(), 0.5}, {euler_a(), 0.5}}, 2);
  const OrderReport first = check_order(flow_of(halves, system, maps[0]), start, 1.0);
  EXPECT_NEAR(first.measured, 1.0, 0.1);
  EXPECT_FALSE(first.passes());
  const auto jump = triple_jump(midpoint()).substeps();
  const OrderReport third = check_order(flow_of(compose(jump, 4), system, maps[1]), start, 1.0);
  EXPECT_NEAR(third.measured, 3.0, 0.1);
  EXPECT_FALSE(third.passes());
}

/// The largest defect of so many steps.
double symplectic_defect(const StageFlow& flow, VectorState s, int steps, double h = 0.1) {
  double worst = 0.0;
  for (int k = 0; k < steps; ++k) {
    worst = std::max(worst, check_symplectic(flow, s, h).defect);
    s = flow(s, h);
  }
  return worst;
}

TEST(CurvedSpaces, StepsAreSymplecticToRoundOff) {
  for (const Curved& problem : curved::all())
    for (const Retraction tau : maps) {
      const auto system = system_of(problem.free());
      const auto damped = system_of(problem.damped());
      const VectorState start = start_of(system, problem);
      double worst = 0.0;
      for (const Method& method :
           {gauss(2), lobatto(2), lobatto(3), composition(tau), adjoint(midpoint(0.3))}) {
        const double defect = symplectic_defect(flow_of(method, system, tau), start, 6);
        EXPECT_LT(defect, 1e-13) << problem.name << " " << name_of(tau) << " " << method.name();
        EXPECT_GT(symplectic_defect(flow_of(method, damped, tau), start, 1), 1e-3)
            << problem.name << " " << method.name();
        worst = std::max(worst, defect);
      }
      std::printf("%-28s %s  free  %.1e\n", problem.name.c_str(), name_of(tau), worst);
    }
}

TEST(CurvedSpaces, StepsWithConstraintsAreSymplecticToRoundOff) {
  for (const Curved& problem : curved::all())
    for (const bool moving : {false, true})
      for (const Retraction tau : maps) {
        const auto system = system_of(moving ? problem.driven() : problem.held());
        const VectorState start = start_of(system, problem);
        double worst = 0.0;
        for (const Method& method : {lobatto(2), lobatto(3), midpoint(), composition(tau)}) {
          const double defect = symplectic_defect(flow_of(method, system, tau), start, 6);
          EXPECT_LT(defect, 1e-13) << problem.name << " " << name_of(tau) << " " << method.name();
          worst = std::max(worst, defect);
        }
        std::printf("%-28s %s  %s  %.1e\n", problem.name.c_str(), name_of(tau),
                    moving ? "moving" : "held", worst);
      }
}

/// The largest distance of the stage tier from the certificate in three steps.
double tier_distance(const Method& method, const std::shared_ptr<KernelSystem>& system,
                     const VectorState& start, Retraction tau, const Method& other) {
  const detail::PointFlow flow(flow_of(method, system, tau));
  const Certificate certificate(other, TypedView(system), tau);
  auto a = flow.on_points(start);
  auto b = a;
  double worst = 0.0;
  for (int k = 0; k < 3; ++k) {
    a = flow(a, 0.1);
    b = certificate(b, 0.1);
    worst = std::max(worst, detail::distance(a, b));
  }
  return worst;
}

void expect_tiers(const char* kind, const Texts& texts, const Curved& problem, const Method& method,
                  Retraction tau) {
  const auto system = system_of(texts);
  EXPECT_LT(tier_distance(method, system, start_of(system, problem), tau, method), 1e-12)
      << problem.name << " " << kind << " " << name_of(tau) << " " << method.name();
}

TEST(CurvedSpaces, StageTierIsCertificateTier) {
  for (const Curved& problem : curved::all())
    for (const Retraction tau : maps) {
      expect_tiers("free", problem.free(), problem, gauss(2), tau);
      if (problem.v.size() < 10) expect_tiers("free", problem.free(), problem, lobatto(3), tau);
    }
  const Curved problem = curved::plane();
  const auto system = system_of(problem.free());
  EXPECT_GT(tier_distance(gauss(2), system, start_of(system, problem), maps[0], lobatto(3)), 1e-9);
}

TEST(CurvedSpaces, StageTierIsCertificateTierWithConstraints) {
  for (const Curved& problem : curved::all())
    for (const Retraction tau : maps) {
      expect_tiers("held", problem.held(), problem, lobatto(2), tau);
      expect_tiers("driven", problem.driven(), problem, lobatto(2), tau);
      if (problem.v.size() < 5) expect_tiers("driven", problem.driven(), problem, lobatto(3), tau);
    }
  expect_tiers("held", curved::space().held(), curved::space(), lobatto(3), maps[0]);
  const Curved problem = curved::plane();
  const auto system = system_of(problem.held());
  EXPECT_GT(tier_distance(lobatto(2), system, start_of(system, problem), maps[0], midpoint()),
            1e-9);
}

}  // namespace
}  // namespace varia::curved_spaces_test
