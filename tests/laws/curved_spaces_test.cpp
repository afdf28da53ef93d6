// SPDX-License-Identifier: BSD-3-Clause
// Steps on SO(2), SE(2), SE(3), S² and products, from text, are symplectic to round-off by the exact
// derivative; free, with constraints, and with constraints that move.
#include "varia/space/curved_spaces.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>

#include "problems.hpp"
#include "varia/flow/stage_flow.hpp"
#include "varia/methods/composition.hpp"
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

}  // namespace
}  // namespace varia::curved_spaces_test
