// SPDX-License-Identifier: BSD-3-Clause
// (rkmk): the baseline on groups.
#include "varia/flow/rkmk_flow.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "problems/states.hpp"
#include "refusal.hpp"
#include "varia/flow/make_flow.hpp"

namespace varia::rkmk_flow_test {
namespace {

using namespace problems;

const double gravity = 9.81;

/// Kirchhoff's body, in an ideal fluid: J = diag(1, 1.4, 1.9), M = diag(2, 2.6, 3.1).
Texts kirchhoff() {
  return {{{"g", "SE3"}},
          "(g_w1^2 + 1.4*g_w2^2 + 1.9*g_w3^2 + 2*g_v1^2 + 2.6*g_v2^2 + 3.1*g_v3^2)/2"};
}
VectorState kirchhoff_start(const std::shared_ptr<KernelSystem>& system) {
  return start_of(system, Vn::Zero(6), vector({0.5, -0.3, 0.8, 0.7, 0.2, -0.4}));
}

/// A top in a field that depends on the whole rotation, with friction.
Texts top() {
  return {{{"R", "SO3"}},
          "(R_w1^2 + 1.4*R_w2^2 + 0.6*R_w3^2)/2 + 0.2*R_w1*R31 - R33 - 0.4*R12",
          {"-0.1*R_w1", "0.2*R13", "-0.1*R_w3*R11"}};
}
VectorState top_start(const std::shared_ptr<KernelSystem>& system) {
  return start_of(system, vector({0.4, -0.3, 0.2}), vector({0.6, 0.9, 2.0}));
}

RkmkFlow flow_with(int s, const SystemPtr& system, Retraction tau = Retraction::exponential) {
  FlowOptions options;
  options.retraction = tau;
  return {rkmk(s), system, options};
}

/// The values of a Runge-Kutta method of order 8 at t = 6: place and velocity.
TEST(RkmkFlow, OrdersOnTheKirchhoffBody) {
  for (const Retraction tau : {Retraction::exponential, Retraction::cayley}) {
    const auto system = system_of(kirchhoff(), tau);
    const VectorState start = kirchhoff_start(system);
    const auto error = [&](int s, int n) {
      const VectorState end = walk(flow_with(s, system, tau), start, 6.0 / n, n);
      Vn v = Vn::Zero(6);
      LegendreTransform(*system).velocity(end, v.data());
      const Vn place =
          end.q.tail(3) - vector({3.70851010420281, 1.07021227069421, -2.80404444291395});
      const Vn spin = v.head(3) - vector({-0.17564977370745, 0.66548845730199, 0.66978186766922});
      return std::max(place.cwiseAbs().maxCoeff(), spin.cwiseAbs().maxCoeff());
    };
    EXPECT_NEAR(std::log2(error(1, 200) / error(1, 400)), 2.0, 0.1);
    EXPECT_NEAR(std::log2(error(2, 100) / error(2, 200)), 4.0, 0.1);
    EXPECT_NEAR(std::log2(error(3, 30) / error(3, 60)), 6.0, 0.1);
  }
}

/// The heavy top of Brüls and Cardona at t = 1, which turns 24 times in that time.
TEST(RkmkFlow, OrdersOnTheHeavyTop) {
  const std::string weight = to_text(15.0 * gravity);
  const auto system =
      system_of({{{"R", "SO3"}},
                 "(15.234375*R_w1^2 + 0.46875*R_w2^2 + 15.234375*R_w3^2)/2 - " + weight + "*R32"});
  const VectorState start = start_of(system, Vn::Zero(3), vector({0.0, 150.0, -4.61538}));
  const Vn exact = vector({0.173343964098387, 0.640088592070567, -0.748490791133583});
  const auto error = [&](int s, int n) {
    const VectorState end = walk(flow_with(s, system), start, 1.0 / n, n);
    return (vector({end.q[1], end.q[4], end.q[7]}) - exact).cwiseAbs().maxCoeff();
  };
  EXPECT_NEAR(std::log2(error(1, 1000) / error(1, 2000)), 2.0, 0.1);
  EXPECT_NEAR(std::log2(error(2, 400) / error(2, 800)), 4.0, 0.1);
}

/// On both sides, with a force and a Lagrangian that is not T(v) - V(q): the limit is that of gauss(s),
/// approached with order 2s.
TEST(RkmkFlow, AgreesWithGaussUpToItsOrder) {
  const auto system = system_of(top());
  const VectorState start = top_start(system);
  for (const int s : {1, 2, 3}) {
    const auto apart = [&](int n) {
      return distance(walk(flow_with(s, system), start, 1.0 / n, n),
                      walk(StageFlow(gauss(s), system), start, 1.0 / n, n));
    };
    EXPECT_NEAR(measured_order(apart, s == 3 ? 8 : 32), 2.0 * s, 0.1) << s;
  }
}

TEST(RkmkFlow, IsGaussCollocationOnVectorSpaces) {
  const auto system = system_of({{"x", "y"},
                                 "(1 + 0.2*x^2)*x_dot^2/2 + y_dot^2/2 + 0.3*x*y_dot - cos(y) - x*y",
                                 {"-0.2*x_dot + sin(t)", "-0.1*y_dot^3"}});
  const VectorState start = start_of(system, vector({0.7, 0.5}), vector({0.4, -0.3}));
  for (const int s : {1, 2, 3, 4}) {
    const VectorState a = walk(flow_with(s, system), start, 0.1, 50);
    const VectorState b = walk(StageFlow(gauss(s), system), start, 0.1, 50);
    EXPECT_LT(distance(a, b), 1e-12) << s;
    EXPECT_GT(distance(a, start), 0.1);
  }
}

/// ω((δ, ν), (ε, μ)) = ⟨μ, δ⟩ - ⟨ν, ε⟩ + ⟨p, [δ, ε]⟩ on T*SO(3), of the images of all pairs of unit vectors.
double symplectic_defect(const SystemPtr& system, const VectorState& start,
                         const std::function<VectorState(const VectorState&)>& step) {
  const VectorState end = step(start);
  const auto moved = [&](int k, double size) {
    VectorState z = start;
    Vn xi = Vn::Zero(3);
    if (k < 3) {
      xi[k] = size;
      system->space.retract(start.q.data(), xi.data(), Retraction::exponential, z.q.data());
    } else {
      z.p[k - 3] += size;
    }
    return difference(*system, end, step(z));
  };
  Eigen::Matrix<double, 6, 6> image;
  for (int k = 0; k < 6; ++k) {
    constexpr double h = 1e-3;
    image.col(k) =
        (8 * (moved(k, h) - moved(k, -h)) - (moved(k, 2 * h) - moved(k, -2 * h))) / (12 * h);
  }
  const auto form = [](const Vn& p, const Vn& a, const Vn& b) {
    const Eigen::Vector3d x = a.head(3);
    const Eigen::Vector3d y = b.head(3);
    return b.tail(3).dot(x) - a.tail(3).dot(y) + Eigen::Vector3d(p).dot(x.cross(y));
  };
  double worst = 0.0;
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < i; ++j)
      worst = std::max(worst, std::abs(form(end.p, image.col(i), image.col(j)) -
                                       form(start.p, Vn::Unit(6, i), Vn::Unit(6, j))));
  return worst;
}

TEST(RkmkFlow, DoesNotKeepTheSymplecticFormAndDoesNotSaySo) {
  Texts free = top();
  free.force.clear();
  const auto system = system_of(free);
  const VectorState start = top_start(system);
  for (const int s : {1, 2}) {
    const RkmkFlow flow = flow_with(s, system);
    EXPECT_FALSE(flow.laws().symplectic);
    EXPECT_FALSE(rkmk(s).variational());
    const StageFlow symplectic(gauss(s), system);
    EXPECT_LT(symplectic_defect(system, start, [&](const auto& z) { return symplectic(z, 0.3); }),
              1e-9);
    EXPECT_GT(symplectic_defect(system, start, [&](const auto& z) { return flow(z, 0.3); }), 1e-6);
  }
}

/// In space the momentum of a free body is kept by gauss(s), and drifts with rkmk(s).
TEST(RkmkFlow, DoesNotKeepTheMomentumInSpace) {
  const auto system = system_of({{{"R", "SO3"}}, "(R_w1^2 + 1.4*R_w2^2 + 0.6*R_w3^2)/2"});
  const VectorState start = top_start(system);
  const auto in_space = [](const VectorState& s) {
    using Rows = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;
    return Vn(Eigen::Map<const Rows>(s.q.data()) * s.p);
  };
  const auto drift = [&](const VectorState& end) {
    return (in_space(end) - in_space(start)).norm();
  };
  EXPECT_LT(drift(walk(StageFlow(gauss(2), system), start, 0.1, 100)), 1e-13);
  EXPECT_GT(drift(walk(flow_with(2, system), start, 0.1, 100)), 1e-7);
}

TEST(RkmkFlow, AStepReturnsWhereItSaysSo) {
  const auto group = system_of(top());
  const VectorState start = top_start(group);
  const auto away = [&](const RkmkFlow& flow) {
    return distance(flow(flow(start, 0.1), -0.1), start);
  };
  EXPECT_TRUE(flow_with(1, group).laws().reversible);
  EXPECT_LT(away(flow_with(1, group)), 1e-14);
  EXPECT_FALSE(flow_with(2, group).laws().reversible);
  EXPECT_GT(away(flow_with(2, group)), 1e-12);
}

TEST(RkmkFlow, NewtonConvergesQuadratically) {
  for (const Retraction tau : {Retraction::exponential, Retraction::cayley}) {
    const auto system = system_of(top(), tau);
    const RkmkFlow flow = flow_with(3, system, tau);
    VectorState s = top_start(system);
    auto memory = flow.memory(s);
    s = flow.steps(s, 0.1, 10, memory);
    EXPECT_LE(memory.statistics.max_iterations, 6);
    EXPECT_EQ(memory.statistics.failed, 0);
  }
}

TEST(RkmkFlow, AMemoryIsSavedAndLoaded) {
  const auto system = system_of(kirchhoff());
  const RkmkFlow flow = flow_with(2, system);
  VectorState s = kirchhoff_start(system);
  auto memory = flow.memory(s);
  s = flow.steps(s, 0.1, 10, memory);
  auto other = flow.memory(s);
  other.load(memory.save());
  const VectorState a = flow.steps(s, 0.1, 10, memory);
  const VectorState b = flow.steps(s, 0.1, 10, other);
  EXPECT_EQ(a.q, b.q);
  EXPECT_EQ(a.p, b.p);
}

TEST(RkmkFlow, StepsOfNoSizeAreRefused) {
  const auto system = system_of(top());
  const RkmkFlow flow = flow_with(2, system);
  const VectorState s = top_start(system);
  for (const double h : {0.0, std::numeric_limits<double>::quiet_NaN()})
    EXPECT_THROW(flow(s, h), InvalidArgument) << h;
}

TEST(RkmkFlow, ConstraintsAreRefused) {
  Texts held{{"x", "y"}, "(x_dot^2 + y_dot^2)/2", {}, {"x^2 + y^2 - 1"}};
  expect_words(refusal([&] { RkmkFlow flow(rkmk(2), system_of(held)); }),
               {"rkmk(2)", "constraints", "lobatto(s)"});
  held.constraints.clear();
  held.nonholonomic = {"y_dot - x*x_dot"};
  expect_words(refusal([&] { RkmkFlow flow(rkmk(2), system_of(held)); }),
               {"rkmk(2)", "constraints", "nh_lobatto(s)"});
  expect_words(refusal([&] { RkmkFlow flow(rk4(), system_of(top())); }), {"rk4", "BaselineFlow"});
  expect_words(refusal([] { rkmk(0); }), {"rkmk", "at least 1"});
}

}  // namespace
}  // namespace varia::rkmk_flow_test
