// SPDX-License-Identifier: BSD-3-Clause
// L = ⟨θ, v⟩ - H as text: the same steps as from C++ functions, checkpoints, stationary points, refusals.
#include "varia/flow/one_form_flow.hpp"

#include "flow/derivative_laws.hpp"
#include "problems.hpp"
#include "refusal.hpp"

namespace varia::one_form_flow_test {
namespace {

using namespace problems;
using enum OneFormProjection;
using V2 = Vector<double, 2>;

template <class T, class H>
double distance(const Texts& text, const T& theta, const H& energy, const V2& q, int s,
                OneFormProjection projection) {
  const OneFormFlow plain = one_form_flow(s, theta, energy, projection);
  const OneFormFlow flow(gauss(s), system_of(text), projection);
  double most = 0.0;
  auto a = plain.start(q);
  auto b = flow.start(q);
  auto of_a = plain.memory(a);
  auto of_b = flow.memory(b);
  for (int k = 0; k < 50; ++k) {
    a = plain.step(a, 0.1, of_a);
    b = flow.step(b, 0.1, of_b);
    most = std::max({most, (a.q - b.q).norm(), (a.p - b.p).norm(), std::abs(a.t - b.t)});
  }
  return most;
}

TEST(OneFormFlow, StepsOfTheFunctions) {
  for (const auto projection : {none, each_step, symmetric})
    for (const int s : {1, 2, 3}) {
      EXPECT_LT(distance(texts::populations(), population_form, population_energy, V2(1.0, 1.0), s,
                         projection),
                1e-13);
      EXPECT_LT(distance(texts::guiding_centre(), guiding_form, guiding_energy, V2(1.0, 0.3), s,
                         projection),
                1e-13);
    }
}

/// The derivatives are exact: Newton's method converges quadratically.
TEST(OneFormFlow, FewIterations) {
  for (const auto projection : {none, symmetric}) {
    const OneFormFlow flow(gauss(2), system_of(texts::driven_guiding_centre()), projection);
    const VectorState s = flow.start(vector({1.0, 0.3}), 0.4);
    auto memory = flow.memory(s);
    flow.step(s, 0.5, memory);
    const int solves = projection == none ? 1 : 3;  // of a step: those of Newton's method around it
    EXPECT_LE(memory.statistics.max_iterations, 6 * solves);
    EXPECT_EQ(flow.unknowns(), projection == none ? 4 : 6);
  }
}

TEST(OneFormFlow, ManyStepsAreSingleStepsAndCheckpointsGoOnToTheBit) {
  for (const auto projection : {none, each_step, symmetric})
    for (const bool compensated : {true, false}) {
      const OneFormFlow flow(gauss(2), system_of(texts::driven_guiding_centre()), projection,
                             {.compensated = compensated});
      const VectorState start = flow.start(vector({1.0, 0.3}), 0.4);
      auto memory = flow.memory(start);
      auto single = flow.memory(start);
      const VectorState s = flow.steps(start, 0.1, 12, memory);
      VectorState one = start;
      for (int k = 0; k < 12; ++k) one = flow.step(one, 0.1, single);
      EXPECT_EQ(s.q, one.q);
      EXPECT_EQ(s.p, one.p);
      EXPECT_EQ(s.t, one.t);
      auto other = flow.memory(s);
      other.load(memory.save());
      const VectorState a = flow.steps(s, 0.1, 9, memory);
      const VectorState b = flow.steps(s, 0.1, 9, other);
      EXPECT_EQ(a.q, b.q);
      EXPECT_EQ(a.q_rest, b.q_rest);
      EXPECT_EQ(a.p, b.p);
      EXPECT_EQ(other.statistics.steps, 21);
      EXPECT_EQ(other.statistics.iterations, memory.statistics.iterations);
      EXPECT_EQ(compensated, a.q_rest.cwiseAbs().maxCoeff() > 0.0);
      EXPECT_THROW(other.load({1.0, 2.0, 3.0}), InvalidArgument);
      EXPECT_THROW(flow.with_method(gauss(3)).memory(start).load(memory.save()), InvalidArgument);
    }
}

/// ω q̇ = ∇H + ∂θ/∂t, against the motion and in closed form.
TEST(OneFormFlow, Velocity) {
  const OneFormFlow prey(gauss(1), system_of(texts::populations()));
  const Vn v = prey.velocity(0.0, vector({1.3, 0.8}));
  EXPECT_NEAR(v[0], 1.3 * (0.8 - 2.0), 1e-14);
  EXPECT_NEAR(v[1], 0.8 * (1.0 - 1.3), 1e-14);
  const OneFormFlow flow(gauss(4), system_of(texts::driven_guiding_centre()));
  const VectorState s = flow.start(vector({1.0, 0.3}), 0.4);
  const double h = 1e-3;
  const Vn difference = (flow(s, h).q - flow(s, -h).q) / (2 * h);
  EXPECT_LT((flow.velocity(s) - difference).norm(), 1e-5);
  EXPECT_GT(flow.velocity(s).norm(), 0.1);
}

/// Where ∇H nearly vanishes velocities have no relative precision; at the point itself nothing moves.
TEST(OneFormFlow, StationaryPoints) {
  for (const auto projection : {none, symmetric})
    for (const int s : {1, 2}) {
      const OneFormFlow flow(gauss(s), system_of(texts::populations()), projection);
      EXPECT_EQ(walk(flow, flow.start(vector({1.0, 2.0})), 0.1, 20).q, vector({1.0, 2.0}));
      for (const double off : {1e-15, 1e-14, 1e-13, 1e-11, 1e-9}) {
        const VectorState end = walk(flow, flow.start(vector({1.0 + off, 2.0})), 0.1, 100);
        EXPECT_LT((end.q - vector({1.0, 2.0})).norm(), 3.0 * off + 1e-13);
      }
    }
}

TEST(OneFormFlow, LinearityIsThatOfTheFunction) {
  const auto s = system_of({{"x", "y"}, "(x_dot + y)^2/2 - x_dot^2/2 + x*y_dot - cos(x)"});
  EXPECT_TRUE(s->degenerate);  // velocities that cancel only after differentiation
  EXPECT_FALSE(system_of({{"x", "y"}, "y*x_dot + y_dot^2/2 - x"})->degenerate);
  EXPECT_FALSE(system_of({{"x", "y"}, "x^2 + y^2"})->degenerate);
  const OneFormFlow flow(midpoint(), s);
  const VectorState start = flow.start(vector({0.3, 0.8}));
  EXPECT_NEAR(start.p[0], 0.8, 1e-16);
  EXPECT_NEAR(flow.energy(start), std::cos(0.3) - 0.32, 1e-16);
}

TEST(OneFormFlow, DerivativeOfAStep) {
  const PhaseVector z{vector({0.7, -0.4}), vector({0.0, 0.0}), 0.6, -0.2, Vn()};
  for (const auto projection : {each_step, symmetric})
    for (const int s : {1, 2}) {
      const OneFormFlow flow(gauss(s), system_of(texts::driven_guiding_centre()), projection);
      const auto near = [&](double e) {
        return flow.start(vector({1.0, 0.3}) + e * z.delta, 0.4 + e * z.t);
      };
      derivative_laws::expect_derivative(flow, near, z, 0.3, flow.method().name());
    }
}

TEST(OneFormFlow, Refusals) {
  const auto system = system_of(texts::guiding_centre());
  for (const Method& method : {verlet(), lobatto(3), euler_a(), midpoint(0.3), rk4()})
    expect_words(refusal([&] { OneFormFlow(method, system); }),
                 {method.name().c_str(), "linear in the velocities", "gauss(s)"});
  EXPECT_NO_THROW(OneFormFlow(midpoint(), system));
  const OneFormFlow flow(gauss(1), system);
  const VectorState s = flow.start(vector({1.0, 0.3}));
  refusal([&] { flow(s, 0.0); });
  expect_words(refusal([&] {
                 flow.start(vector({1.0, 0.3, 1.0, 1.0}));
               }),
               {"4 coordinates", "has 2"});
  refusal([&] { flow.start(vector({1.0, std::nan("")})); });
  VectorState moved = s;
  moved.p[0] += 1e-3;
  expect_words(refusal([&] { flow(moved, 0.1); }), {"not theta(q)", "start(q, t)"});
  EXPECT_NO_THROW(OneFormFlow(gauss(1), system, none)(moved, 0.1));
  const OneFormFlow logarithm(gauss(1), system_of(texts::populations()));
  expect_words(refusal([&] { logarithm.start(vector({1.0, -1.0})); }), {"not finite"});
  refusal([&] { OneFormFlow(gauss(1), system, symmetric, {.newton = {.max_iterations = 0}}); });
  // to the left of 0 the derivatives of log are finite, H is not
  const OneFormFlow falling(gauss(1),
                            system_of({{"x", "y"}, "y*x_dot - 5*y + 0.001*log(x + 10.3)"}));
  EXPECT_NO_THROW(walk(falling, falling.start(vector({0.0, 0.0})), -0.1, 15));
  expect_words(refusal<DomainError>([&] {
                 walk(falling, falling.start(vector({0.0, 0.0})), -0.1, 40);
               }),
               {"H has no value", "t = -2."});
  expect_words(refusal<NoConvergence>([&] {
                 OneFormFlow(gauss(1), system, symmetric, {.newton = {.max_iterations = 1}})(s,
                                                                                             1.0);
               }),
               {"gauss(1)", "t = 0", "smaller step"});
}

/// θ = d(q₁q₂): nothing is determined. A field that vanishes on a line: nothing there.
TEST(OneFormFlow, SingularTwoForm) {
  for (const auto projection : {none, symmetric}) {
    const OneFormFlow exact(gauss(1), system_of({{"x", "y"}, "y*x_dot + x*y_dot - x^2"}),
                            projection);
    const VectorState s = exact.start(vector({1.0, 0.3}), 0.25);
    expect_words(refusal<DomainError>([&] { exact(s, 0.1); }), {"d theta is singular", "t = 0.25"});
    expect_words(refusal<DomainError>([&] { exact.velocity(s); }), {"t = 0.25"});
  }
  const OneFormFlow line(gauss(1), system_of({{"x", "y"}, "x^2*y_dot - y - x"}));
  EXPECT_THROW(line(line.start(vector({0.0, 0.3})), 0.1), DomainError);
  EXPECT_NO_THROW(line(line.start(vector({0.5, 0.3})), 0.1));
}

}  // namespace
}  // namespace varia::one_form_flow_test
