// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Orders of nh_lobatto(s) [Sato19, corollary 5.2.7.1]: of place and momentum 2s - 2; of the multipliers s (s even) or s - 1
// (s odd) where they are propagated, 2s - 2 where they are computed anew.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "problems/rolling.hpp"
#include "varia/verify/check_order.hpp"

namespace varia::multiplier_orders {

using namespace problems;
using rolling::Rolling;

inline FlowOptions options(Retraction tau, Multipliers multipliers) {
  FlowOptions o;
  o.retraction = tau;
  o.multipliers = multipliers;
  return o;
}

constexpr int times =
    4;  ///< at which errors are measured: at one alone an error may vanish by chance

/// With so many steps, the largest errors of place and momentum, and of the multipliers.
struct Errors {
  long steps;
  double state, multiplier;
};
inline Errors errors(const StageFlow& flow, VectorState s, double duration,
                     const std::vector<VectorState>& exact, long steps) {
  Errors e{steps, 0.0, 0.0};
  for (const VectorState& there : exact) {
    s = walk(flow, s, duration / static_cast<double>(steps), steps / times);
    e.state = std::max(e.state, distance(s, there));
    e.multiplier = std::max(e.multiplier,
                            (s.lambda - there.lambda).tail(flow.system().e).cwiseAbs().maxCoeff());
  }
  return e;
}

/// The slope of the last halving of the step whose errors are both clear of round-off, a multiple of that of a state.
inline void expect_order(const std::vector<Errors>& list, double Errors::*what,
                         const std::function<double(double)>& multiple, int order,
                         const std::string& which) {
  double slope = 0.0;
  for (const Errors& fine : list) {
    const auto n = static_cast<double>(fine.steps);
    const double round_off =
        std::numeric_limits<double>::epsilon() * std::sqrt(n) * std::max(1.0, multiple(n));
    const auto coarse = std::find_if(list.begin(), list.end(),
                                     [&](const Errors& e) { return 2 * e.steps == fine.steps; });
    if (coarse != list.end() && fine.*what > 30.0 * round_off)
      slope = std::log2((*coarse).*what / fine.*what);
  }
  EXPECT_NEAR(slope, order, 0.1) << which;
}

/// All of them on a system with one retraction, for 2 to so many stages.
inline void expect_orders(const Rolling& p, Retraction tau, double duration, int most = 5) {
  const auto system = system_of(p.texts, tau);
  const VectorState start = start_of(system, p.xi, p.v);
  const StageFlow reference(lobatto(8), system, options(tau, Multipliers::recompute));
  std::vector<VectorState> exact;
  for (int k = 1; k <= times; ++k)
    exact.push_back(detail::converged_state(reference, start, duration * k / times));
  for (int s = 2; s <= most; ++s)
    for (const Multipliers kind : {Multipliers::propagate, Multipliers::recompute}) {
      const StageFlow flow(nh_lobatto(s), system, options(tau, kind));
      const bool anew = kind == Multipliers::recompute;
      std::vector<Errors> list;
      for (const long n : {4, 8, 12, 16, 24, 32, 48, 64, 96, 128, 256, 512}) {
        try {
          list.push_back(errors(flow, start, duration, exact, n));
        } catch (const NoConvergence&) {
          continue;  // too long a step
        }
      }
      const std::string which = p.name + ", s = " + std::to_string(s) +
                                (anew ? ", anew" : ", propagated") +
                                (tau == Retraction::cayley ? ", cay" : ", exp");
      const auto of_state = [](double) { return 1.0; };
      expect_order(list, &Errors::state, of_state, 2 * s - 2, which + ", state");
      // a propagated multiplier is wrong by a momentum's round-off over h, beside holonomic ones by a place's over h^2
      const auto propagated = [&](double n) {
        return system->d == 0 ? 16.0 * n / duration : 10.0 * std::pow(n / duration, 2);
      };
      if (anew)
        expect_order(list, &Errors::multiplier, of_state, 2 * s - 2, which + ", multiplier");
      else
        expect_order(list, &Errors::multiplier, propagated, s % 2 == 0 ? s : s - 1,
                     which + ", multiplier");
    }
}

}  // namespace varia::multiplier_orders
