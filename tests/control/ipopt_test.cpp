// SPDX-License-Identifier: BSD-3-Clause
// Ipopt finds the optima that the solver of Varia finds. Where it is not installed these tests are skipped.
#include <gtest/gtest.h>

#include "problems/optima.hpp"
#include "refusal.hpp"
#include "src/control/ipopt_library.hpp"
#include "src/control/sparse_chain.hpp"
#include "varia/control/optimise.hpp"

namespace varia::ipopt_test {
namespace {

using namespace problems;
using optima::Known;

#define NEEDS_IPOPT() \
  if (!ipopt_is_installed()) GTEST_SKIP() << "Ipopt is not installed"

struct Both {
  Optimum ours, ipopts;
};

Both both(const ChainProblem& problem, const ChainPoint& guess) {
  return {optimise(problem, guess), optimise_by_ipopt(problem, guess)};
}

void expect_same_optimum(const Known& k, const std::string& method) {
  const ControlProblem problem = optima::problem_of(k, find_method(method));
  const Both found = both(problem, problem.guess(optima::line_of(k)));
  const std::string name = k.texts.name + ", " + method;
  EXPECT_EQ(found.ours.status, OptimumStatus::solved) << name << ": " << found.ours.message;
  EXPECT_EQ(found.ipopts.status, OptimumStatus::solved) << name << ": " << found.ipopts.message;
  EXPECT_NEAR(found.ipopts.cost, found.ours.cost, 1e-7 * std::abs(found.ours.cost)) << name;
  EXPECT_LE(found.ipopts.kkt_error, 1e-8) << name;
  EXPECT_GT(found.ipopts.iterations, 1) << name;
  EXPECT_EQ(found.ipopts.history.size(), static_cast<std::size_t>(found.ipopts.iterations)) << name;
  std::printf("%s ours %d %.15g %.2e ipopt %d %.15g %.2e\n", name.c_str(), found.ours.iterations, found.ours.cost, found.ours.kkt_error, found.ipopts.iterations, found.ipopts.cost, found.ipopts.kkt_error);
}

TEST(Ipopt, SameOptimumOnVectorSpaces) {
  NEEDS_IPOPT();
  for (const Known& k : {optima::sato(), optima::cart_pole(), optima::brachistochrone(),
                         optima::bryson_denham(), optima::orbit_raising(), optima::goddard()})
    for (const char* method : {"midpoint", "gauss(2)", "lobatto(3)"}) expect_same_optimum(k, method);
}

}  // namespace
}  // namespace varia::ipopt_test
