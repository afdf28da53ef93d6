// SPDX-License-Identifier: BSD-3-Clause
// |φ| below 1e-12 throughout 10,000 steps, n = 100 and 1000, open and closed.
#include <gtest/gtest.h>

#include <cstdio>

#include "../../bench/pendulum_chain.hpp"
#include "varia/methods/methods.hpp"
#include "varia/verify/typed_view.hpp"

namespace varia::chain_long_test {
namespace {

TEST(ChainLong, ConstraintsHoldThroughout) {
  for (const Method& method : {verlet(), lobatto(3)})
    for (const ChainEnd end : {ChainEnd::free, ChainEnd::first})
      for (const int n : {100, 1000}) {
        const auto chain = pendulum_chain(n, end);
        const TypedView view(chain.system);
        const StageFlow flow(method, chain.system);
        auto memory = flow.memory(chain.start);
        VectorState s = chain.start;
        ConstraintDefect worst;
        for (int k = 0; k < 10'000; ++k) {
          s = flow.step(s, 0.05, memory);
          const ConstraintDefect defect = constraint_defect(view, s);
          worst.position = std::max(worst.position, defect.position);
          worst.velocity = std::max(worst.velocity, defect.velocity);
        }
        std::printf("%s, n = %d: |phi| %.1e, |G v| %.1e\n", method.name().c_str(), n,
                    worst.position, worst.velocity);
        EXPECT_LT(worst.position, 1e-12) << method.name() << n;
        EXPECT_LT(worst.velocity, 1e-12) << method.name() << n;
      }
}

}  // namespace
}  // namespace varia::chain_long_test
