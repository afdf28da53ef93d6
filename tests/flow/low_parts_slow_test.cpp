// SPDX-License-Identifier: BSD-3-Clause
// Coefficients have low parts: without them every step is wrong alike, and the error of what a step keeps
// grows with the number of steps instead of its root [HMR08].
//
// Paths of degree 2 with gauss:3: the rule is exact for an oscillator, and L_d is that of all parabolas
// q = q₀(1-τ) + q₁τ + cτ(1-τ), by hand
//
//   L_d = α(q₀² + q₁²)/2 + βq₀q₁,   and so p² + (β² - α²)q² is kept exactly.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>

#include "problems.hpp"
#include "src/flow/stages.hpp"
#include "varia/flow/make_flow.hpp"

namespace varia::low_parts_test {
namespace {

using namespace problems;
using Long = long double;

/// β² - α² of the frequency ω and the step h.
Long stiffness(Long omega, Long h) {
  const Long k = omega * omega;
  // c/(3h) - kh((q₀ + q₁)/12 + c/30) = 0: c = s(q₀ + q₁)
  const Long s = k * h / 12 / (1 / (3 * h) - k * h / 30);
  const Long common = -k * h * s / 12;  // of (q₀ + q₁)²/2, with c put in
  const Long alpha = 1 / h - k * h / 3 + common;
  const Long beta = -1 / h - k * h / 6 + common;
  return beta * beta - alpha * alpha;
}

/// The largest relative change of what oscillators of frequencies 1, 1.1, … keep, in so many steps.
double change(const AnyFlow& flow, VectorState s, double h, long steps) {
  const auto kept = [&](const VectorState& z, int a) {
    const Long q = static_cast<Long>(z.q[a]) + z.q_rest[a];
    const Long p = static_cast<Long>(z.p[a]) + z.p_rest[a];
    return p * p + stiffness(1.0L + a / 10.0L, h) * q * q;
  };
  const VectorState start = s;
  auto memory = flow.memory(s);
  flow.move(s, h, steps, memory);
  double most = 0.0;
  for (int a = 0; a < s.p.size(); ++a)
    most = std::max(most, static_cast<double>(std::abs(kept(s, a) / kept(start, a) - 1)));
  return most;
}

const Method method = galerkin(2, gauss_quadrature(3));

std::string sum(int n, const std::string& squares, const std::string& velocity) {
  const std::string i = "sum(i, 1, " + std::to_string(n) + ", ";
  return i + velocity + "[i]^2)/2 " + squares + i + "(1 + (i - 1)/10)^2*q[i]^2)/2";
}

VectorState start_of(int n) {
  Vn q(n), p(n);
  for (int a = 0; a < n; ++a) {
    q[a] = 0.7 - 0.1 * a;
    p[a] = 0.3 + 0.2 * a;
  }
  return state_of(q, p);
}

std::shared_ptr<const KernelSystem> oscillators(int n) {
  return system_of({{"q[1.." + std::to_string(n) + "]"}, sum(n, "- ", "q_dot")});
}

/// Many steps: what rounding leaves is a random walk.
void expect_walk(const AnyFlow& flow, int n, long steps) {
  EXPECT_LT(change(flow, start_of(n), 0.3, steps), 2e-13) << n;
}

TEST(LowParts, OfManySteps) {
  expect_walk(make_flow(method, {.lagrangian = oscillators(1)}), 1, 200000);
  expect_walk(make_flow(method, {.lagrangian = oscillators(7)}, {.solver = Solver::newton}), 7,
              50000);
  expect_walk(make_flow(method, {.lagrangian = oscillators(1),
                                 .hamiltonian = hamiltonian_of(sum(1, "+ ", "p"), 1)}),
              1, 200000);
}

/// Long steps change much, and the last step of Newton's method still something: what it is, is the same
/// share of the motion in every step.
TEST(LowParts, OfTheLastStepOfNewtonsMethod) {
  const auto found = [](const AnyFlow& flow) { return change(flow, start_of(1), 1.3, 100000); };
  EXPECT_LT(found(make_flow(method, {.lagrangian = oscillators(1)})), 1.5e-12);
  EXPECT_LT(found(make_flow(method, {.lagrangian = oscillators(1),
                                     .hamiltonian = hamiltonian_of(sum(1, "+ ", "p"), 1)})),
            1.5e-12);
}

/// The mean of an error along each of some numbers that are random and do not know of each other.
struct Regression {
  std::array<double, 3> xy{}, xx{};
  void add(double error, const std::array<double, 3>& x) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      xy[i] += error * x[i];
      xx[i] += x[i] * x[i];
    }
  }
  double largest() const {
    double most = 0.0;
    for (std::size_t i = 0; i < xy.size(); ++i) most = std::max(most, std::abs(xy[i] / xx[i]));
    return most;
  }
};

/// The impulse of x″ = -x at random unknowns u by hand, -hΣ bᵢ(q₀ + hΣ Aᵢⱼuⱼ). Its rounding is 1e-16; the
/// mean of that along u₁, u₂ and q₀ is 1e-19, and a few 1e-18 where low parts are missing.
TEST(LowParts, OfTheImpulse) {
  const StageCoefficients& k = *method.stages();
  const auto exact = [](const SplitArray& x, int i) {
    return static_cast<Long>(x.hi[static_cast<std::size_t>(i)]) + x.lo[static_cast<std::size_t>(i)];
  };
  const double h = 0.7;
  for (const int n : {1, 7}) {
    const std::string i = "sum(i, 1, " + std::to_string(n) + ", ";
    const auto system =
        system_of({{"q[1.." + std::to_string(n) + "]"}, i + "q_dot[i]^2)/2 - " + i + "q[i]^2)/2"});
    detail::Stages stages(*system, k, default_retraction);
    std::mt19937 random(3);
    std::uniform_real_distribution<double> number(-1.0, 1.0);
    Regression mean;
    VectorState start = start_of(n);
    for (int sample = 0; sample < 400000 / n; ++sample) {
      for (int a = 0; a < n; ++a) {
        start.q[a] = number(random);
        start.q_rest[a] = 0x1p-54 * number(random);
        start.p[a] = number(random);
        start.p_rest[a] = 0x1p-54 * number(random);
      }
      stages.begin(start, h);
      for (double& u : stages.newton.x) u = number(random);
      const std::vector<double> u = stages.newton.x;
      stages.finish(1.0);
      VectorState end = start;
      stages.end_step(end);
      for (int a = 0; a < n; ++a) {
        const double u1 = u[static_cast<std::size_t>(a)], u2 = u[static_cast<std::size_t>(n + a)];
        Long impulse = 0.0L;
        for (int point = 0; point < 3; ++point)
          impulse -= h * exact(k.b, point) *
                     (static_cast<Long>(start.q[a]) + start.q_rest[a] +
                      h * (exact(k.A, 2 * point) * u1 + exact(k.A, 2 * point + 1) * u2));
        const Long found =
            (end.p[a] - static_cast<Long>(start.p[a])) + end.p_rest[a] - start.p_rest[a];
        mean.add(static_cast<double>(found - impulse), {u1, u2, start.q[a]});
      }
    }
    EXPECT_LT(mean.largest(), 1e-18) << n;
  }
}

}  // namespace
}  // namespace varia::low_parts_test
