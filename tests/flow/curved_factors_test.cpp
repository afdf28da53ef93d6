// SPDX-License-Identifier: BSD-3-Clause
// The engine on products with SO(3), systems given as text: the trajectories of the same systems as
// types, the laws, constraints that depend on each other, and matrices that stay bands.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "problems.hpp"
#include "refusal.hpp"
#include "varia/flow/stage_flow.hpp"
#include "varia/methods/composition.hpp"
#include "varia/varia.hpp"
#include "varia/verify/check_points.hpp"

namespace varia::curved_factors_test {
namespace {

using namespace problems;
using V3 = Vector<double, 3>;
const SO3<double> tilted = problems::tilted();

Vn entries(const std::vector<SO3<double>>& r, const Vn& x = Vn()) {
  Vn q(9 * static_cast<int>(r.size()) + x.size());
  for (std::size_t b = 0; b < r.size(); ++b) Space<SO3<double>>::write(r[b], q.data() + 9 * b);
  q.tail(x.size()) = x;
  return q;
}

/// So many steps with the memory kept, and the iterations of Newton's method.
template <class F, class StateT>
std::pair<StateT, long> walk(const F& flow, const StateT& start, double h, long steps) {
  auto memory = flow.memory(start);
  StateT end = flow.steps(start, h, steps, memory);
  return {std::move(end), memory.statistics.iterations};
}

const std::string top_text = "(" + texts::heavy_top("A").lagrangian + ")";

TEST(CurvedFactors, HeavyTopIsThatOfTheType) {
  const System typed{heavy_top_lagrangian};
  const auto text = system_of({{{"A", "SO3"}}, top_text});
  const V3 w(0.4, 0.9, 2.0);
  for (const Retraction tau : {Retraction::exponential, Retraction::cayley})
    for (const Method& method :
         {gauss(3), lobatto(3), verlet(), galerkin(2, parse_quadrature("lobatto:3")),
          adjoint(midpoint(0.3)), compose({{euler_b(), 0.5}, {euler_a(), 0.5}}, 2)}) {
      const FlowOptions options{.retraction = tau};
      const StageFlow flow(method, text, options);
      const auto [a, by_type] =
          walk(Flow(method, typed, options), initial(typed, tilted, w), 0.05, 50);
      const auto [b, by_text] =
          walk(flow, initial(flow.system(), entries({tilted}), Vn(w)), 0.05, 50);
      // a wrong Jacobian would need more; the last step of a solve may be a matter of round-off
      // (an adjoint here makes some ten solves a step)
      const double solves = method.adjoint_of() != nullptr ? 10.0 : 1.0;
      EXPECT_NEAR(static_cast<double>(by_text), static_cast<double>(by_type), 3.0 * solves)
          << method.name();
      EXPECT_LT((b.q - entries({a.q})).cwiseAbs().maxCoeff(), 1e-13) << method.name();
      EXPECT_LT((b.p - a.p).cwiseAbs().maxCoeff(), 1e-13) << method.name();
      EXPECT_NEAR(b.t, a.t, 0.0);
    }
  expect_words(
      refusal([&] { StageFlow(triple_jump(gauss(1)), text, {.retraction = Retraction::cayley}); }),
      {"not symmetric"});
  expect_words(refusal([&] { StageFlow(blanes_moan_rkn(6), text); }), {"Lie group"});
}

/// A body that turns and moves, with a force that couples both, its tip held in a plane.
const Texts body = {{{"A", "SO3"}, "x"},
                    top_text + "*(1 + 0.1*x^2) + x_dot^2 + 0.3*x_dot*A_w2 - 0.5*x^2 + 0.4*A12*x",
                    {"-0.1*A_w1 + A23*x", "-0.1*A_w2", "-0.1*A_w3", "-0.1*x_dot + A_w2*x"},
                    {"x + A33 + 0.2*x*A12 - 1"}};

auto typed_body() {
  return System{[](const auto& q, const auto& v) {
                  using S = typename std::decay_t<decltype(v)>::Scalar;
                  const auto& r = get<0>(q);
                  const S x = get<1>(q)[0];
                  const Vector<S, 3> w = v.template head<3>();
                  return heavy_top_lagrangian(r, w) * (1.0 + 0.1 * x * x) + v[3] * v[3] +
                         0.3 * v[3] * w[1] - 0.5 * x * x + 0.4 * r(0, 1) * x;
                },
                Force{[](const auto& q, const auto& v) {
                  std::decay_t<decltype(v)> f = -0.1 * v;
                  f[0] += get<0>(q)(1, 2) * get<1>(q)[0];
                  f[3] += v[1] * get<1>(q)[0];
                  return f;
                }},
                Holonomic{[](const auto& q) {
                  const auto x = get<1>(q)[0];
                  return x + get<0>(q)(2, 2) + 0.2 * x * get<0>(q)(0, 1) - 1.0;
                }}};
}

TEST(CurvedFactors, ForcedAndConstrainedBodyIsThatOfTheType) {
  const auto typed = typed_body();
  const auto text = system_of(body);
  const TypedView view(text);
  const Vector<double, 4> v(0.4, 0.9, 1.2, 0.3);
  const Vector<double, 1> x(0.2);
  const auto [q, u] = project(typed, Product<SO3<double>, Vector<double, 1>>(tilted, x), v);
  const auto [tq, tu] = project(view, entries({tilted}, x), Vn(v));
  EXPECT_LT((tu - u).norm(), 1e-13);
  EXPECT_NEAR(initial(view, tq, tu).lambda[0], initial(typed, q, u).lambda[0], 1e-11);
  for (const Retraction tau : {Retraction::exponential, Retraction::cayley})
    for (const Method& method : {lobatto(3), lobatto(4), midpoint(), trapezoid(0.3)}) {
      const FlowOptions options{.retraction = tau};
      const auto [a, by_type] = walk(Flow(method, typed, options), initial(typed, q, u), 0.05, 20);
      const auto [b, by_text] =
          walk(StageFlow(method, text, options), initial(view, tq, tu), 0.05, 20);
      EXPECT_LE(by_text, by_type + by_type / 4) << method.name();
      EXPECT_LT((b.q - entries({get<0>(a.q)}, get<1>(a.q))).norm(), 1e-13) << method.name();
      EXPECT_LT((b.p - a.p).norm(), 1e-13) << method.name();
      // λ₁ comes from the momentum: p₁ + w₁Gᵀλ₁
      const StageCoefficients& k = *method.stages();
      const double weight = 0.05 * (k.ends ? k.b.hi.back() : 0.5);
      EXPECT_NEAR(b.lambda[0], a.lambda[0], 1e-13 / weight) << method.name();
      EXPECT_LT(constraint_defect(view, b).position + constraint_defect(view, b).velocity, 1e-13);
    }
}

/// Two rotations in one potential: symmetric under turning both about the vertical.
TEST(CurvedFactors, CoupledRotationsObeyTheLaws) {
  const std::string other = "(" + texts::heavy_top("B").lagrangian + ")";
  std::string spring;
  for (const char* i : {"1", "2", "3"})
    spring += std::string(" - 0.7*(A") + i + "1 - B" + i + "2)^2";
  const auto text =
      system_of({{{"A", "SO3"}, {"B", "SO3"}}, top_text + " + 0.5*" + other + spring});
  Vn w(6);
  w << 0.4, 0.9, 1.2, -0.3, 0.6, 0.8;
  const StageFlow flow(gauss(2), text);
  const VectorState start = initial(flow.system(), entries({tilted, SO3<double>()}), w);
  const auto with = [&](const Method& method) { return flow.with_method(method); };
  EXPECT_NEAR(check_order(flow, start, 2.0).measured, 4.0, 0.1);
  EXPECT_NEAR(check_order(with(trapezoid(0.3)), start, 2.0).measured, 1.0, 0.1);
  EXPECT_LT(check_symplectic(flow, start, 0.1).defect, 1e-13);
  EXPECT_TRUE(check_reversible(with(midpoint()), start, 0.1, 10).passes());
  EXPECT_FALSE(check_reversible(with(midpoint(0.3)), start, 0.1, 10).passes());
  EXPECT_TRUE(check_action(flow, start, 0.1).passes());
  EXPECT_TRUE(check_action(with(lobatto(4)), start, 0.1).passes());
  EXPECT_TRUE(check_action(with(adjoint(midpoint(0.3))), start, 0.1).passes());
  const auto vertical = [](const VectorState& s) {
    return s.q.segment<3>(6).dot(s.p.head<3>()) + s.q.segment<3>(15).dot(s.p.tail<3>());
  };
  const double momentum = vertical(start);
  double drift = 0.0;
  advance(flow, start, 0.1, 200,
          [&](const VectorState& s) { drift = std::max(drift, std::abs(vertical(s) - momentum)); });
  EXPECT_LT(drift, 1e-13);
}

TEST(CurvedFactors, DependentConstraintsAreNamedOrLeftOut) {
  const auto text = system_of({{{"A", "SO3"}}, top_text, {}, {"A33 - 0.8", "2*A33 - 1.6"}});
  const auto single = system_of({{{"A", "SO3"}}, top_text, {}, {"A33 - 0.8"}});
  const TypedView view(text);
  const auto [q, v] = project(view, entries({tilted}), Vn(V3(0.4, 0.9, 1.2)));
  const VectorState start = initial(view, q, v);
  expect_words(refusal([&] { StageFlow(midpoint(), text)(start, 0.05); }),
               {"dependent", "phi[2]", "2 grad phi[1]"});
  const StageFlow flow(lobatto(3), text, {.leave_out_dependent = true});
  const VectorState end = advance(flow, start, 0.05, 100);
  const StageFlow alone(lobatto(3), single);
  const VectorState same = advance(alone, initial(*single, q, v), 0.05, 100);
  EXPECT_LT((end.q - same.q).norm() + (end.p - same.p).norm(), 1e-13);
  EXPECT_EQ(end.lambda[1], 0.0);
  EXPECT_LT(constraint_defect(view, end).position, 1e-13);
}

/// Bodies side by side, each coupled to the next: the matrix of a step has the graph of the bodies.
TEST(CurvedFactors, AChainOfBodiesHasABand) {
  const auto chain = [](int n) {
    Texts texts;
    for (int b = 0; b < n; ++b) {
      const std::string name(1, static_cast<char>('A' + b));
      const std::string next(1, static_cast<char>('B' + b));
      texts.coordinates.push_back({name, "SO3"});
      texts.lagrangian += (b == 0 ? "" : " + ") + std::string("0.5*(") + name + "_w1^2 + 1.2*" +
                          name + "_w2^2 + 0.7*" + name + "_w3^2)";
      if (b + 1 < n)
        texts.lagrangian += " + " + name + "11*" + next + "21 + " + name + "33*" + next + "33";
    }
    return system_of(texts);
  };
  const StageFlow small(gauss(2), chain(15));
  const StageFlow large(gauss(2), chain(25));
  EXPECT_TRUE(large.banded());
  EXPECT_EQ(small.bandwidth(), large.bandwidth());
  EXPECT_LT(large.bandwidth(), 12);
}

/// Bodies of length 1 that hang from the origin, each held to the one before by a ball joint: a motion
/// each, or a rotation and a point of ℝ³. Together they weigh 1. One potential couples all of them where
/// that is asked for.
struct JointedBodies {
  std::shared_ptr<KernelSystem> system;
  VectorState start;
};

JointedBodies jointed_bodies(int n, bool as_motions, bool all_coupled = false) {
  const std::string count = std::to_string(n);
  const std::string x[] = {as_motions ? "R_x" : "x", as_motions ? "R_y" : "y",
                           as_motions ? "R_z" : "z"};
  const auto term = [](const std::string& name, int i) {
    return name + "[" + std::to_string(i) + "]";
  };
  Texts texts;
  const std::string array = "[1.." + count + "]";
  texts.coordinates = {{"R" + array, as_motions ? "SE3" : "SO3"}};
  if (!as_motions)
    for (const char* name : {"x", "y", "z"}) texts.coordinates.push_back({name + array});
  const std::string speeds =
      as_motions ? "R_v1[i]^2 + R_v2[i]^2 + R_v3[i]^2" : "x_dot[i]^2 + y_dot[i]^2 + z_dot[i]^2";
  texts.lagrangian = "sum(i, 1, " + count +
                     ", (0.1*R_w1[i]^2 + 0.14*R_w2[i]^2 + 0.06*R_w3[i]^2 + " + speeds + ")/2 - " +
                     x[2] + "[i]/" + count + ")";
  if (all_coupled) texts.lagrangian += " - 0.01*sum(i, 1, " + count + ", " + x[0] + "[i])^2";
  for (int i = 1; i <= n; ++i)
    for (int a = 0; a < 3; ++a) {
      const std::string axis = "R" + std::to_string(a + 1) + "3";
      std::string joint = term(x[a], i) + " + 0.5*" + term(axis, i);
      if (i > 1) joint += " - (" + term(x[a], i - 1) + " - 0.5*" + term(axis, i - 1) + ")";
      texts.constraints.push_back(joint);
    }
  const auto system = system_of(texts);
  Vn xi = Vn::Zero(6 * n);
  Vn v = Vn::Zero(6 * n);
  for (int i = 0; i < n; ++i) {
    xi[as_motions ? 6 * i + 5 : 5 * n + i] = -0.5 - i;
    const int turn = as_motions ? 6 * i : 3 * i;
    v[turn] = 0.3 * std::sin(1.0 + 2.0 * i);
    v[turn + 2] = 0.4;
  }
  return {system, start_of(system, xi, v)};
}

/// O(n): unknowns like n, a band whose width does not grow, and iterations that do not either.
TEST(CurvedFactorsSlow, AStepOfJointedBodiesCostsOrderN) {
  for (const bool as_motions : {true, false})
    for (const Method& method : {lobatto(2), lobatto(3), midpoint()}) {
      const auto measured = [&](int n) {
        const JointedBodies bodies = jointed_bodies(n, as_motions);
        const StageFlow flow(method, bodies.system);
        EXPECT_TRUE(flow.banded()) << n << " " << method.name();
        const auto [end, iterations] = walk(flow, bodies.start, 0.05, 5);
        const ConstraintDefect defect = constraint_defect(*bodies.system, end);
        EXPECT_LT(std::max(defect.position, defect.velocity), 1e-12);
        EXPECT_GT((end.q - bodies.start.q).norm(), 1e-2);
        return std::tuple(flow.unknowns(), flow.bandwidth(), static_cast<double>(iterations));
      };
      const auto [few, width, iterations] = measured(16);
      const auto [many, same_width, more] = measured(48);
      EXPECT_EQ(many, 3 * few) << method.name();
      EXPECT_EQ(width, same_width) << method.name();
      EXPECT_LE(more, 1.5 * iterations) << method.name();
    }
  for (const bool as_motions : {true, false}) {
    const StageFlow small(lobatto(2), jointed_bodies(8, as_motions, true).system);
    const StageFlow large(lobatto(2), jointed_bodies(24, as_motions, true).system);
    EXPECT_GT(large.bandwidth(), 2 * small.bandwidth());
  }
}

TEST(CurvedFactors, WrongStartsAreRefused) {
  const TypedView view(system_of({{{"A", "SO3"}, "x"}, top_text + " + x_dot^2"}));
  Vn q = entries({tilted}, Vector<double, 1>(0.2));
  const Vn v = Vn::Zero(4);
  expect_words(refusal([&] { initial(view, Vn(q.head(9)), v); }), {"9", "SO(3) x R^1", "10"});
  expect_words(refusal([&] { initial(view, q, Vn(Vn::Zero(3))); }), {"3 components", "4"});
  Vn reflected = q;
  reflected.head(3) *= -1.0;
  expect_words(refusal([&] { initial(view, reflected, v); }), {"reflection"});
  q[0] += 1e-3;
  expect_words(refusal([&] { initial(view, q, v); }), {"not a rotation", "orthonormal"});
}

}  // namespace
}  // namespace varia::curved_factors_test
