// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What every method must satisfy on every problem, written once.
#include <gtest/gtest.h>

#include <cstdio>

#include "problems.hpp"
#include "varia/varia.hpp"

namespace varia::laws {

/// From 2 % error to round-off there are too few steps in double precision to see a higher order;
/// tests/laws/high_order_test.cpp measures those with more digits.
constexpr int highest_measured = 8;

/// (order) within 0.1 of the declared order, above and below, for every method that applies.
template <class P> void orders(const P& problem, FlowOptions options = {}) {
  using S = std::decay_t<decltype(problem.system)>;
  const auto exact = reference_state(problem.system, problem.start, problem.duration);
  for (const Method& method :
       problems::methods_for<S>(options.retraction == Retraction::exponential)) {
    if (method.order() > highest_measured) continue;
    const Flow flow(method, problem.system, options);
    const int declared = S::constrained ? method.constrained_order() : method.order();
    const OrderReport report = check_order(flow, problem.start, problem.duration, exact, declared);
    EXPECT_NEAR(report.measured, declared, 0.1) << method.name() << " from " << report.steps.front()
                                                << " to " << report.steps.back() << " steps";
    std::printf("%-26s order %d, measured %.3f with %ld to %ld steps, error %.1e to %.1e\n",
                method.name().c_str(), declared, report.measured, report.steps.front(),
                report.steps.back(), report.errors.front(), report.errors.back());
  }
}

/// Symplectic to 1e-13, by the exact derivative, and not symplectic when there is a force.
template <class P> void symplectic(const P& problem, FlowOptions options = {}) {
  using S = std::decay_t<decltype(problem.system)>;
  for (const Method& method :
       problems::methods_for<S>(options.retraction == Retraction::exponential)) {
    const Flow flow(method, problem.system, options);
    const double defect = check_symplectic(flow, problem.start, problem.h).defect;
    if constexpr (S::forced) {
      EXPECT_GT(defect, 1e-3) << method.name();
    } else {
      EXPECT_LT(defect, 1e-13) << method.name();
    }
  }
}

/// F⁻ʰFʰ = id to 1e-12 exactly for the methods that are declared symmetric.
template <class P> void reversible(const P& problem, FlowOptions options = {}) {
  using S = std::decay_t<decltype(problem.system)>;
  using Q = std::decay_t<decltype(problem.start.q)>;
  for (const Method& method :
       problems::methods_for<S>(options.retraction == Retraction::exponential)) {
    const Flow flow(method, problem.system, options);
    const bool symmetric =
        Space<Q>::is_vector_space ? method.symmetric() : method.symmetric_on_groups();
    const double defect = check_reversible(flow, problem.start, problem.h, 10).defect;
    if (symmetric) {
      EXPECT_LT(defect, 1e-12) << method.name();
    } else if (!method.symmetric() && method.order() <= 4) {
      EXPECT_GT(defect, 1e-12) << method.name();
    }
  }
}

/// p₀ = -D₁L_d, p₁ = D₂L_d to 1e-12, with L_d differentiated as a whole.
template <class P> void action(const P& problem, FlowOptions options = {}) {
  using S = std::decay_t<decltype(problem.system)>;
  for (const Method& method :
       problems::methods_for<S>(options.retraction == Retraction::exponential)) {
    const ActionReport report =
        check_action(Flow(method, problem.system, options), problem.start, problem.h);
    EXPECT_LT(report.p0_defect, 1e-12) << method.name();
    EXPECT_LT(report.p1_defect, 1e-12) << method.name();
  }
}

/// Stage tier = certificate tier to 1e-12 over several steps.
template <class P> void tiers(const P& problem, FlowOptions options = {}) {
  using S = std::decay_t<decltype(problem.system)>;
  using Q = std::decay_t<decltype(problem.start.q)>;
  for (const Method& method :
       problems::methods_for<S>(options.retraction == Retraction::exponential)) {
    if (method.stages() == nullptr ||
        (!Space<Q>::is_vector_space && method.adjoint_of() != nullptr))
      continue;
    const Flow flow(method, problem.system, options);
    const Certificate certificate(method, problem.system, options.retraction);
    auto a = problem.start;
    auto b = problem.start;
    for (int k = 0; k < 3; ++k) {
      a = flow(a, problem.h);
      b = certificate(b, problem.h);
    }
    EXPECT_LT(detail::distance(a, b), 1e-12) << method.name();
    if constexpr (S::constrained) {
      EXPECT_LT((a.lambda - b.lambda).cwiseAbs().maxCoeff(), 1e-9) << method.name();
    }
  }
}

}  // namespace varia::laws
