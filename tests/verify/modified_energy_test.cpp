// SPDX-License-Identifier: BSD-3-Clause
// The modified energy by formula, with the numbers of the specification, and by differences.
#include "varia/verify/modified_energy.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "problems.hpp"
#include "refusal.hpp"
#include "varia/flow/integrate.hpp"
#include "varia/flow/newmark_flow.hpp"
#include "varia/methods/methods.hpp"

namespace varia::modified_energy_test {
namespace {

using namespace problems;

std::shared_ptr<KernelSystem> pendulum() { return system_of({{"x"}, "x_dot^2/2 - (1 - cos(x))"}); }
VectorState pendulum_start(const KernelSystem& f) {
  return initial(f, Vn::Constant(1, 1.5), Vn::Zero(1));
}

/// Largest minus smallest H̃ along a run.
template <class F>
double swing(const F& flow, const ModifiedEnergy& energy, const VectorState& start, double h,
             long steps) {
  double least = 1e300;
  double most = -1e300;
  advance(flow, start, h, steps, [&](const VectorState& s) {
    const double e = energy(s);
    least = std::min(least, e);
    most = std::max(most, e);
  });
  return most - least;
}

void expect_swing(const Method& method, const std::vector<double>& expected) {
  const auto f = pendulum();
  const VectorState s = pendulum_start(*f);
  for (std::size_t order = 0; order < expected.size(); ++order) {
    if (expected[order] == 0.0) continue;
    const ModifiedEnergy energy(method, f, 0.1, static_cast<int>(order));
    EXPECT_NEAR(swing(StageFlow(method, f), energy, s, 0.1, 20000) / expected[order], 1.0, 0.002)
        << method.name() << " up to h^" << order;
  }
}

/// Pendulum from (1.5, 0), h = 0.1, 20 000 steps.
TEST(ModifiedEnergy, SwingsAsInTheSpecification) {
  expect_swing(euler_a(), {8.24e-2, 7.22e-4, 9.70e-5, 3.47e-6});
  expect_swing(verlet(), {1.96e-3, 0.0, 3.99e-6});
}

/// Halving h divides the swing of H̃ up to h^k by 2^{k'+1}, k' the last power before a missing one.
template <class F>
double order_of_swing(const F& flow, const std::shared_ptr<KernelSystem>& f, const VectorState& s,
                      int order) {
  const auto at = [&](double h) {
    return swing(flow, ModifiedEnergy(flow.method(), f, h, order), s, h, std::lround(20.0 / h));
  };
  return std::log2(at(0.02) / at(0.01));
}

TEST(ModifiedEnergy, OrdersOfTheTruncations) {
  const auto f = system_of(texts::coupled());  // the mass is not diagonal
  const VectorState s = start_of(*f, texts::coupled());
  const auto expect = [&](const char* name, const std::vector<double>& orders) {
    for (std::size_t k = 0; k < orders.size(); ++k)
      EXPECT_NEAR(order_of_swing(StageFlow(parse_method(name), f), f, s, static_cast<int>(k)),
                  orders[k], 0.1)
          << name << " up to h^" << k;
  };
  expect("euler_a", {1, 2, 3, 4});
  expect("euler_b", {1, 2, 3, 4});
  expect("midpoint(0.3)", {1, 2});
  expect("trapezoid(0.3)", {1, 2});
  expect("midpoint", {2, 2, 4});
  expect("verlet", {2, 2, 4});
  expect("symmetrised(0.2)", {2, 2, 4});
  expect("galerkin(1, lobatto:3)", {2, 2, 4});
  for (const double beta : {0.0, 1.0 / 12, 0.25}) {
    const NewmarkFlow flow(newmark(beta, 0.5), f);
    EXPECT_NEAR(order_of_swing(flow, f, s, 0), 2.0, 0.1) << beta;
    EXPECT_NEAR(order_of_swing(flow, f, s, 2), 4.0, 0.1) << beta;
  }
}

/// The wrong method's formula gains nothing.
TEST(ModifiedEnergy, BelongsToItsMethod) {
  const auto f = pendulum();
  const VectorState s = pendulum_start(*f);
  const double own =
      swing(StageFlow(verlet(), f), ModifiedEnergy(verlet(), f, 0.1, 2), s, 0.1, 500);
  const double other =
      swing(StageFlow(midpoint(), f), ModifiedEnergy(verlet(), f, 0.1, 2), s, 0.1, 500);
  EXPECT_GT(other, 100.0 * own);
}

/// Wider differences see more of H̃, down to round-off, for every kind of variational method.
TEST(ShadowEnergy, IsKeptByEveryVariationalMethod) {
  const auto f = system_of(texts::coupled());
  const VectorState s = start_of(*f, texts::coupled());
  for (const char* name :
       {"verlet", "euler_a", "midpoint", "symmetrised(0.2)", "gauss(2)", "lobatto(3)",
        "galerkin(2, radau:2)", "triple_jump(verlet)", "adjoint(galerkin(2, radau:2))",
        "compose(midpoint: 0.5, verlet: 0.5)"}) {
    const StageFlow flow(parse_method(name), f);
    const auto at = [&](int w) { return shadow_energy(flow, s, 0.05, 100, w).swing(); };
    const double narrow = at(1);
    const double wide = at(4);
    EXPECT_GT(narrow, 1e-3) << name;
    EXPECT_LT(wide, 1e-5 * narrow) << name;
    EXPECT_LT(at(8), 1e-12) << name;
  }
}

/// From one state, forwards and backwards, what the steps of a run give: also for methods that are not
/// their own adjoint.
TEST(ShadowFunction, AgreesWithTheRun) {
  const auto f = system_of(texts::coupled());
  const VectorState s = start_of(*f, texts::coupled());
  for (const char* name : {"verlet", "euler_a", "gauss(2)", "galerkin(2, radau:2)", "ruth(3)",
                           "compose(midpoint: 0.3, euler_b: 0.7)"}) {
    const StageFlow flow(parse_method(name), f);
    const ShadowEnergy shadow = shadow_energy(flow, s, 0.05, 30, 4);
    const ShadowFunction at(flow, 0.05, 4);
    std::size_t k = 0;
    advance(flow, s, 0.05, 30, [&](const VectorState& z) {
      if (k >= 4 && k <= 26) {
        EXPECT_NEAR(at(z), shadow.value[k - 4], 2e-12) << name << ", step " << k;
      }
      ++k;
    });
  }
}

/// O(h^{2w}) until H̃ itself ends.
TEST(ShadowEnergy, HasTheOrderOfItsDifferences) {
  const auto f = pendulum();
  const VectorState s = pendulum_start(*f);
  for (const int w : {1, 2, 3}) {
    const auto at = [&](double h) {
      return shadow_energy(StageFlow(verlet(), f), s, h, std::lround(10.0 / h), w).swing();
    };
    EXPECT_NEAR(std::log2(at(0.1) / at(0.05)), 2.0 * w, 0.1);
  }
}

/// Differences and formula agree up to the first term the formula leaves out.
TEST(ShadowEnergy, AgreesWithTheFormula) {
  const auto f = system_of(texts::coupled());
  const VectorState s = start_of(*f, texts::coupled());
  const auto apart = [&](const char* name, int order, double h) {
    const StageFlow flow(parse_method(name), f);
    const ModifiedEnergy formula(flow.method(), f, h, order);
    const ShadowEnergy shadow = shadow_energy(flow, s, h, 40, 8);
    double worst = 0.0;
    long k = 0;
    advance(flow, s, h, 40, [&](const VectorState& z) {
      if (k >= 8 && k <= 32)
        worst = std::max(worst, std::abs(formula(z) - shadow.value[std::size_t(k - 8)]));
      ++k;
    });
    return worst;
  };
  EXPECT_NEAR(std::log2(apart("euler_a", 3, 0.04) / apart("euler_a", 3, 0.02)), 4.0, 0.2);
  EXPECT_NEAR(std::log2(apart("verlet", 2, 0.04) / apart("verlet", 2, 0.02)), 4.0, 0.2);
  EXPECT_NEAR(std::log2(apart("midpoint", 2, 0.04) / apart("midpoint", 2, 0.02)), 4.0, 0.2);
}

TEST(ModifiedEnergy, Refusals) {
  const auto f = pendulum();
  const VectorState s = pendulum_start(*f);
  expect_words(refusal([&] { ModifiedEnergy(gauss(2), f, 0.1, 2); }),
               {"gauss(2)", "verlet", "shadow_energy"});
  expect_words(refusal([&] { ModifiedEnergy(newmark(0.25, 0.6), f, 0.1, 2); }), {"newmark"});
  expect_words(refusal([&] { ModifiedEnergy(rk4(), f, 0.1, 0); }), {"rk4"});
  expect_words(refusal([&] { ModifiedEnergy(verlet(), f, 0.1, 3); }), {"h^2", "h^3"});
  const auto drag = system_of(texts::ring().with_force({"-x_dot", "-y_dot"}));
  expect_words(refusal([&] { ModifiedEnergy(verlet(), drag, 0.1, 2); }), {"force"});
  expect_words(refusal([&] {
                 shadow_energy(StageFlow(verlet(), drag), start_of(*drag, texts::ring()), 0.1, 100);
               }),
               {"force"});
  const auto time = system_of({{"x"}, "x_dot^2/2 - t*x"});
  expect_words(refusal([&] { shadow_energy(StageFlow(verlet(), time), s, 0.1, 100); }), {"time"});
  expect_words(refusal([&] { shadow_energy(StageFlow(verlet(), f), s, 0.1, 11); }), {"12", "11"});
  expect_words(refusal([&] { shadow_energy(StageFlow(verlet(), f), s, 0.1, 100, 13); }), {"13"});
}

}  // namespace
}  // namespace varia::modified_energy_test
