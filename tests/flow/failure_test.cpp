// SPDX-License-Identifier: BSD-3-Clause
// Wrong requests and unsolvable steps: each a typed error whose text names the cause and the remedy.
#include <gtest/gtest.h>

#include <limits>

#include "problems.hpp"
#include "refusal.hpp"
#include "varia/varia.hpp"

namespace varia::failure_test {
namespace {

TEST(Failure, NumberOfStages) {
  expect_words(refusal<InvalidArgument>([] { gauss(0); }), {"gauss", "at least 1", "got 0"});
  expect_words(refusal<InvalidArgument>([] { lobatto(1); }), {"lobatto", "at least 2", "got 1"});
  expect_words(refusal<InvalidArgument>([] { galerkin(-3); }), {"galerkin", "at least 1", "-3"});
}

TEST(Failure, StepSize) {
  const auto p = problems::pendulum();
  const Flow flow(gauss(2), p.system);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double h : {0.0, nan, std::numeric_limits<double>::infinity()}) {
    expect_words(refusal<InvalidArgument>([&] { flow(p.start, h); }),
                 {"step size", "finite", to_text(h).c_str()});
    EXPECT_THROW(advance(flow, p.start, h, 3), InvalidArgument);
    EXPECT_THROW(integrate(flow, p.start, {.h = h, .steps = 3}), InvalidArgument);
  }
  expect_words(refusal<InvalidArgument>([&] { integrate(flow, p.start, {.h = 0.1, .steps = -1}); }),
               {"steps", "-1"});
  expect_words(refusal<InvalidArgument>(
                   [&] { integrate(flow, p.start, {.h = 0.1, .steps = 1, .every = 0}); }),
               {"every", "0"});
}

TEST(Failure, DimensionMismatch) {
  const System plain{[](const auto& q, const auto& v) { return 0.5 * v.dot(v) - 0.5 * q.dot(q); }};
  expect_words(refusal<InvalidArgument>([&] { initial(plain, Vn(Vn::Ones(3)), Vn(Vn::Ones(2))); }),
               {"2 components", "3"});
  const System weighted{Separable{Vector<double, Dynamic>(Vn::Ones(4)),
                                  [](const auto& q) { return 0.5 * q.dot(q); }}};
  expect_words(
      refusal<InvalidArgument>([&] { initial(weighted, Vn(Vn::Ones(3)), Vn(Vn::Ones(3))); }),
      {"mass", "4 entries", "3 coordinates"});
  EXPECT_THROW(make_state(Vn(Vn::Ones(3)), Vn(Vn::Ones(2))), InvalidArgument);
  State<Vn> state = initial(plain, Vn(Vn::Ones(3)), Vn(Vn::Ones(3)));
  state.p = Vn::Ones(2);
  EXPECT_THROW(Flow(gauss(1), plain)(state, 0.1), InvalidArgument);
}

TEST(Failure, StartOffTheConstraint) {
  const auto p = problems::spherical_pendulum();
  const Vector<double, 3> off(1.0, 0.0, 0.1);
  const Vector<double, 3> on(1.0, 0.0, 0.0);
  expect_words(
      refusal<InvalidArgument>([&] { initial(p.system, off, Vector<double, 3>(0.0, 1.0, 0.0)); }),
      {"off the constraint", "phi", "project"});
  expect_words(
      refusal<InvalidArgument>([&] { initial(p.system, on, Vector<double, 3>(1.0, 1.0, 0.0)); }),
      {"velocity", "G v", "project"});
  auto state = p.start;
  state.q *= 1.01;  // a state made by hand is checked when a run begins
  EXPECT_THROW(advance(Flow(verlet(), p.system), state, 0.1, 1), InvalidArgument);
}

TEST(Failure, GaussOnAConstraintSaysWhy) {
  const auto p = problems::spherical_pendulum();
  expect_words(refusal<InvalidArgument>([&] { Flow(gauss(2), p.system); }),
               {"gauss(2)", "order drops from 4 to 2", "lobatto"});
  EXPECT_THROW(Flow(triple_jump(gauss(2)), p.system), InvalidArgument);
  EXPECT_NO_THROW(Flow(gauss(1), p.system));
}

TEST(Failure, SingularMass) {
  const System plain{
      [](const auto& q, const auto& v) { return 0.5 * v[0] * v[0] + q[1] * v[0] - q[1] * q[1]; }};
  const Vector<double, 2> q(1.0, 2.0);
  expect_words(refusal<SingularMass>([&] { initial(plain, q, q); }),
               {"singular", "(0, 1)", "kinetic"});
  EXPECT_THROW((System{Separable{0.0, [](const auto& x) { return x[0]; }}}), SingularMass);
  EXPECT_THROW((System{Separable{Vector<double, 2>(1.0, 0.0), [](const auto& x) { return x[0]; }}}),
               SingularMass);
}

TEST(Failure, NewtonThatCannotConverge) {
  // midpoint with V = q³/3 from q = 0: (h³/8)v² + v - p₀ = 0 has no real root for p₀ = -1, h = 2
  const System cubic{
      [](const auto& q, const auto& v) { return 0.5 * v.dot(v) - q[0] * q[0] * q[0] / 3.0; }};
  const auto start = initial(cubic, Vector<double, 1>(0.0), Vector<double, 1>(-1.0));
  const auto text = refusal<NoConvergence>([&] { Flow(midpoint(), cubic)(start, 2.0); });
  expect_words(text, {"midpoint", "t = 0", "h = 2", "not solved", "smaller step"});
  // an inverted oscillator at h = 2/ω: the matrix of the midpoint rule is singular
  const System inverted{
      [](const auto& q, const auto& v) { return 0.5 * v.dot(v) + 0.5 * q.dot(q); }};
  const auto top = initial(inverted, Vector<double, 1>(0.1), Vector<double, 1>(0.0));
  expect_words(refusal<NoConvergence>([&] { Flow(midpoint(), inverted)(top, 2.0); }), {"singular"});
  const auto p = problems::kepler();
  try {
    Flow(gauss(2), p.system, {.newton = {.max_iterations = 1}})(p.start, 0.3);
    ADD_FAILURE() << "one iteration cannot be enough";
  } catch (const NoConvergence& error) {
    EXPECT_EQ(error.t, 0.0);
    EXPECT_EQ(error.h, 0.3);
    EXPECT_EQ(error.iterations, 1);
    EXPECT_GT(error.last_update, 0.0);
  }
  EXPECT_THROW(Flow(gauss(2), p.system, {.newton = {.max_iterations = 0}}), InvalidArgument);
}

TEST(Failure, ExplicitOverflowIsReportedNotReturned) {
  const System stiff{Separable{1.0, [](const auto& q) { return 1e6 * pow(q[0], 4); }}};
  const auto start = initial(stiff, Vector<double, 1>(1.0), Vector<double, 1>(0.0));
  expect_words(refusal<NoConvergence>([&] { advance(Flow(verlet(), stiff), start, 1.0, 50); }),
               {"not finite", "smaller"});
}

TEST(Failure, StatesBeforeTheFailureReachTheObservers) {
  const System stiff{Separable{1.0, [](const auto& q) { return 1e6 * pow(q[0], 4); }}};
  const auto start = initial(stiff, Vector<double, 1>(1.0), Vector<double, 1>(0.0));
  int seen = 0;
  const auto watch = [&](const auto& s) {
    EXPECT_TRUE(s.q.allFinite());
    ++seen;
  };
  EXPECT_THROW(advance(Flow(verlet(), stiff), start, 1.0, 50, watch), NoConvergence);
  EXPECT_GT(seen, 1);
}

TEST(Failure, DomainErrorsOfTheLagrangianComeThrough) {
  const System kepler{problems::kepler_lagrangian};
  const Vector<double, 2> zero(0.0, 0.0);
  EXPECT_THROW(initial(kepler, zero, Vector<double, 2>(1.0, 0.0)), DomainError);
}

TEST(Failure, ChecksSayWhatTheyNeed) {
  const auto p = problems::pendulum();
  expect_words(
      refusal<InvalidArgument>([&] { check_noether(Flow(verlet(), p.system), p.start, 0.1, 10); }),
      {"Symmetry"});
  EXPECT_THROW(Certificate(triple_jump(midpoint()), p.system), InvalidArgument);
}

}  // namespace
}  // namespace varia::failure_test
