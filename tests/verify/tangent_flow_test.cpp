// SPDX-License-Identifier: BSD-3-Clause
// The tangent flow and the Lyapunov exponent: against two neighbouring motions, against variational
// equations written by hand and integrated otherwise, on regular motion, over a checkpoint.
#include "varia/verify/tangent_flow.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "problems.hpp"
#include "varia/ad/jet.hpp"
#include "varia/flow/stage_flow.hpp"
#include "varia/methods/composition.hpp"
#include "varia/methods/methods.hpp"

namespace varia::tangent_flow_test {
namespace {

using namespace problems;

// energy 1/6, in the chaotic sea
constexpr double height = -0.2;
const double side_speed =
    std::sqrt(2.0 / 6.0 - 0.01 - height * height + 2.0 / 3.0 * height * height * height);

VectorState henon_heiles_start(const std::shared_ptr<KernelSystem>& f) {
  return start_of(f, vector({0.0, height}), vector({side_speed, 0.1}));
}

LyapunovEstimate measured(const StageFlow& flow, VectorState s, double h, long steps) {
  Lyapunov lyapunov(flow, s);
  auto memory = flow.memory(s);
  for (long k = 0; k < steps; ++k) {
    lyapunov.step(s, h);
    flow.move(s, h, 1, memory);
  }
  return lyapunov.estimate();
}

/// (1/T) ln of the growth of a small distance, set back to its size after each step, over the same part
/// of the time.
double by_neighbours(const StageFlow& flow, VectorState s, double h, long steps) {
  constexpr double size = 1e-7;
  const auto n = s.p.size();
  Vn distance = Vn::Constant(2 * n, size / std::sqrt(2.0 * static_cast<double>(n)));
  auto memory = flow.memory(s);
  auto beside = flow.memory(s);
  double growth = 0.0;
  for (long k = 0; k < steps; ++k) {
    VectorState z = s;
    z.q += distance.head(n);
    z.p += distance.tail(n);
    flow.move(z, h, 1, beside);
    flow.move(s, h, 1, memory);
    distance << (z.q - s.q) + (z.q_rest - s.q_rest), (z.p - s.p) + (z.p_rest - s.p_rest);
    const double length = distance.norm();
    if (8 * k >= steps) growth += std::log(length / size);
    distance *= size / length;
  }
  return growth / (0.875 * static_cast<double>(steps) * h);
}

TEST(Lyapunov, HenonHeilesByNeighbours) {
  const auto f = system_of(texts::henon_heiles());
  const StageFlow flow(verlet(), f);
  const VectorState s = henon_heiles_start(f);
  const long steps = 1L << 17;
  const LyapunovEstimate found = measured(flow, s, 0.05, steps);
  EXPECT_NEAR(found.exponent, by_neighbours(flow, s, 0.05, steps),
              1.0 / (0.05 * static_cast<double>(steps)));
  EXPECT_GT(found.exponent, 10 * found.error);
  EXPECT_GT(found.megno, 100.0);
}

template <class S> using Phase = std::array<S, 4>;

struct HenonHeilesRate {
  template <class S> Phase<S> operator()(const Phase<S>& z) const {
    const S &x = z[0], &y = z[1];
    return {z[2], z[3], -x - 2.0 * x * y, -y - x * x + y * y};
  }
};

/// Hamilton's equations of H = (p²/2 + P² - p P cos(a - b))/(2 - cos²(a - b)) - 2cos a - cos b.
struct DoublePendulumRate {
  template <class S> Phase<S> operator()(const Phase<S>& z) const {
    const S &a = z[0], &b = z[1], &p = z[2], &P = z[3];
    const S c = cos(a - b);
    const S s = sin(a - b);
    const S mass = 2.0 - c * c;
    const S kinetic = (0.5 * p * p + P * P - p * P * c) / mass;
    const S slope = (p * P * s - 2.0 * kinetic * c * s) / mass;
    return {(p - P * c) / mass, (2.0 * P - p * c) / mass, -slope - 2.0 * sin(a), slope - sin(b)};
  }
};

/// A motion and a tangent vector, as jets, by the classical Runge-Kutta method.
template <class Rate>
double by_runge_kutta(const Rate& rate, const Phase<double>& start, double h, long steps) {
  using J = Jet<double, 1>;
  const auto along = [](const Phase<J>& z, const Phase<J>& k, double by) {
    Phase<J> out;
    for (std::size_t i = 0; i < 4; ++i) out[i] = z[i] + by * k[i];
    return out;
  };
  Phase<J> z;
  for (std::size_t i = 0; i < 4; ++i) z[i] = J(start[i]);
  z[0].d[0] = 1.0;
  double growth = 0.0;
  for (long k = 0; k < steps; ++k) {
    const Phase<J> a = rate(z), b = rate(along(z, a, 0.5 * h)), c = rate(along(z, b, 0.5 * h)),
                   d = rate(along(z, c, h));
    for (std::size_t i = 0; i < 4; ++i) z[i] += (h / 6.0) * (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]);
    double length = 0.0;
    for (const J& x : z) length = std::hypot(length, x.d[0]);
    for (J& x : z) x.d[0] /= length;
    growth += std::log(length);
  }
  return growth / (static_cast<double>(steps) * h);
}

TEST(Lyapunov, HenonHeilesByVariationalEquations) {
  const auto f = system_of(texts::henon_heiles());
  const double h = 0.05;
  const LyapunovEstimate found =
      measured(StageFlow(yoshida(4), f), henon_heiles_start(f), h, 200'000);
  const double other =
      by_runge_kutta(HenonHeilesRate{}, {0.0, height, side_speed, 0.1}, 0.02, 500'000);
  EXPECT_NEAR(found.exponent, other, 4 * found.error);
  EXPECT_LT(found.error, 0.1 * found.exponent);
}

TEST(Lyapunov, DoublePendulumByNeighbours) {
  const auto f = system_of(texts::double_pendulum());
  const StageFlow flow(gauss(2), f);
  const VectorState s = start_of(f, vector({2.0, 2.5}), vector({0.0, 0.0}));
  const long steps = 1L << 15;
  const LyapunovEstimate found = measured(flow, s, 0.05, steps);
  EXPECT_NEAR(found.exponent, by_neighbours(flow, s, 0.05, steps),
              1.0 / (0.05 * static_cast<double>(steps)));
  EXPECT_GT(found.exponent, 5 * found.error);
}

TEST(Lyapunov, DoublePendulumByVariationalEquations) {
  const auto f = system_of(texts::double_pendulum());
  const LyapunovEstimate found = measured(
      StageFlow(gauss(2), f), start_of(f, vector({2.0, 2.5}), vector({0.0, 0.0})), 0.05, 100'000);
  const double other = by_runge_kutta(DoublePendulumRate{}, {2.0, 2.5, 0.0, 0.0}, 0.01, 500'000);
  EXPECT_NEAR(found.exponent, other, 4 * found.error);
  EXPECT_LT(found.error, 0.1 * found.exponent);
}

TEST(Lyapunov, RegularMotionHasNone) {
  const auto f = system_of(texts::kepler());
  const VectorState s = start_of(f, vector({0.7, 0.0}), vector({0.0, 1.3}));
  const LyapunovEstimate found = measured(StageFlow(gauss(2), f), s, 0.05, 40'000);
  EXPECT_LT(std::abs(found.exponent), 2 * found.error);
  EXPECT_NEAR(found.megno, 2.0, 0.1);
}

/// A heavy top: momenta and velocities of one size make no exponent, the frame none either.
TEST(Lyapunov, SymmetricTopIsRegular) {
  const auto f = system_of({{{"R", "SO3"}}, "(R_w1^2 + R_w2^2 + 0.6*R_w3^2)/2 - 1.3*R33"});
  const VectorState s = start_of(f, vector({0.4, 0.0, 0.0}), vector({0.1, 0.2, 4.0}));
  const LyapunovEstimate found = measured(StageFlow(gauss(2), f), s, 0.05, 20'000);
  EXPECT_LT(std::abs(found.exponent), 3 * found.error);
  EXPECT_NEAR(found.megno, 2.0, 0.3);
}

TEST(Lyapunov, ContinuesToTheBit) {
  const auto f = system_of(texts::double_pendulum());
  const StageFlow flow(gauss(2), f);
  VectorState s = start_of(f, vector({2.0, 2.5}), vector({0.0, 0.0}));
  Lyapunov whole(flow, s);
  Lyapunov first(flow, s);
  Lyapunov second(flow, s);
  auto memory = flow.memory(s);
  for (int k = 0; k < 500; ++k) {
    whole.step(s, 0.05);
    if (k == 299) first.step(s, 0.05), second.load(first.save());
    if (k < 299) first.step(s, 0.05);
    if (k > 299) second.step(s, 0.05);
    flow.move(s, 0.05, 1, memory);
  }
  EXPECT_EQ(second.save(), whole.save());
  EXPECT_THROW(second.load({1.0}), InvalidArgument);
}

}  // namespace
}  // namespace varia::tangent_flow_test
