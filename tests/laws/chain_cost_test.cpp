// SPDX-License-Identifier: BSD-3-Clause
// Long chains and rings of rods: a step costs O(n), and the constraints hold to round-off.
#include <gtest/gtest.h>

#include "../../bench/pendulum_chain.hpp"
#include "varia/flow/stage_flow.hpp"
#include "varia/methods/methods.hpp"

namespace varia::chain_cost_test {
namespace {

constexpr ChainEnd ends[] = {ChainEnd::free, ChainEnd::wall, ChainEnd::first};

double largest_defect(const PendulumChain& chain, const VectorState& s) {
  const ConstraintDefect defect = constraint_defect(*chain.system, s);
  return std::max(defect.position, defect.velocity);
}

/// Newton needs hardly more iterations for a longer chain, so that a step costs O(n).
TEST(ChainCost, IterationsDoNotGrow) {
  long iterations[2] = {0, 0};
  for (const Method& method : {verlet(), lobatto(3)})
    for (const ChainEnd end : ends) {
      int k = 0;
      for (const int n : {100, 1000}) {
        const auto chain = pendulum_chain(n, end);
        const StageFlow flow(method, chain.system);
        auto memory = flow.memory(chain.start);
        const VectorState s = flow.steps(chain.start, 0.05, 12, memory);
        EXPECT_LT(largest_defect(chain, s), 1e-12) << method.name() << n;
        iterations[k++] = memory.statistics.iterations;
      }
      EXPECT_LE(static_cast<double>(iterations[1]), 1.5 * static_cast<double>(iterations[0]))
          << method.name();
    }
}

TEST(ChainCost, TenThousandRods) {
  for (const ChainEnd end : {ChainEnd::free, ChainEnd::first}) {
    const auto chain = pendulum_chain(10'000, end);
    EXPECT_TRUE(chain.start.lambda.allFinite());
    const StageFlow flow(verlet(), chain.system);
    auto memory = flow.memory(chain.start);
    const VectorState s = flow.steps(chain.start, 0.05, 2, memory);
    // the coordinates themselves are rounded to 1e-12
    EXPECT_LT(largest_defect(chain, s), 1e-11);
    EXPECT_GT((s.q - chain.start.q).norm(), 1e-5);
  }
}

}  // namespace
}  // namespace varia::chain_cost_test
