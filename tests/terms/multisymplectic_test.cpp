// SPDX-License-Identifier: BSD-3-Clause
// The discrete multisymplectic form formula (AVI-form) on blocks of space-time elements.
#include "varia/terms/multisymplectic.hpp"

#include <gtest/gtest.h>

#include "refusal.hpp"
#include "terms/samples.hpp"

namespace varia::terms::multisymplectic_test {
namespace {

template <int D> Variation variation(const Sample<D>& s, double seed) {
  Variation out;
  for (std::size_t i = 0; i < s.x.size(); ++i) {
    out.x.push_back(std::sin(seed + 2.0 * static_cast<double>(i)));
    out.v.push_back(std::cos(2.0 * seed + 3.0 * static_cast<double>(i)));
  }
  return out;
}

template <int D> SpaceTime<D> record(const Sample<D>& s, double until, bool half_kick = true) {
  State<D> state = s.begin(half_kick);
  SpaceTime<D> spacetime(s.system, state, variation(s, 0.3), variation(s, 1.1));
  queue(s.system, state, {nullptr, &spacetime, 1})->advance(until);
  return spacetime;
}

void expect_vanishes(const FormSum& sum) {
  EXPECT_GT(sum.elements, 0);
  EXPECT_GT(sum.scale, 1.0);
  EXPECT_LT(std::abs(sum.boundary), 1e-12 * sum.scale);
  EXPECT_LT(sum.interior, 1e-11 * sum.scale);
  EXPECT_LT(sum.element, 1e-12 * sum.scale);
}

TEST(Multisymplectic, TheBoundarySumOfAChainVanishes) {
  const Sample<1> s = nonlinear_chain(6, 0.2);
  for (const bool half_kick : {false, true}) {
    const SpaceTime<1> spacetime = record(s, 4.0, half_kick);
    const FormSum all = spacetime.form_sum();
    expect_vanishes(all);
    EXPECT_GT(all.interior_points, 50);
    EXPECT_GT(all.boundary_points, 10);
    // blocks in time, in space, and with holes
    expect_vanishes(spacetime.form_sum([](int, std::int64_t j) { return j >= 3 && j < 12; }));
    expect_vanishes(spacetime.form_sum([](int K, std::int64_t) { return K == 1 || K == 2; }));
    expect_vanishes(
        spacetime.form_sum([](int K, std::int64_t j) { return (7 * K + 3 * j) % 5 != 0; }));
    EXPECT_GT(
        spacetime.form_sum([](int, std::int64_t j) { return j >= 3 && j < 12; }).interior_points,
        10);
  }
}

TEST(Multisymplectic, ItVanishesForMixedKindsTiesAndSupports) {
  for (const bool ties : {false, true}) {
    Sample<2> s = mixture(3, 3, 0.1, ties);
    if (ties) s.supports.add(s.system.node_count(), {0, {true, false}, {0.0, 0.0}, {}, {}});
    const SpaceTime<2> spacetime = record(s, 1.0);
    expect_vanishes(spacetime.form_sum());
    expect_vanishes(spacetime.form_sum([](int K, std::int64_t j) { return K % 4 != 1 && j > 1; }));
  }
}

/// A single element is a block without any interior point.
TEST(Multisymplectic, OneElementIsAllBoundary) {
  const Sample<1> s = nonlinear_chain(6, 0.2);
  const SpaceTime<1> spacetime = record(s, 2.0);
  const FormSum sum = spacetime.form_sum([](int K, std::int64_t j) { return K == 2 && j == 3; });
  EXPECT_EQ(sum.elements, 1);
  EXPECT_EQ(sum.interior_points, 0);
  EXPECT_GT(sum.scale, 0.0);
  EXPECT_LT(std::abs(sum.boundary), 1e-12 * sum.scale);
}

/// The formula is about motions: variations that follow other equations do not satisfy it.
TEST(Multisymplectic, VariationsOfAnotherMotionDoNotSatisfyIt) {
  const Sample<1> s = nonlinear_chain(6, 0.2);
  int calls = 0;
  const Hessian<1> wrong = [&calls](const Family<1>& f, int k, const double* x, double t,
                                    double* h) {
    difference_hessian(f, k, x, t, h);
    if (++calls % 2 == 1)  // the propagation, not the form: each update asks twice
      for (int i = 0; i < 4; ++i) h[i] *= 1.01 + 0.01 * k;
  };
  State<1> state = s.begin();
  SpaceTime<1> spacetime(s.system, state, variation(s, 0.3), variation(s, 1.1), wrong);
  queue(s.system, state, {nullptr, &spacetime, 1})->advance(4.0);
  const FormSum sum = spacetime.form_sum([](int K, std::int64_t) { return K == 1 || K == 2; });
  EXPECT_GT(sum.interior, 1e-6 * sum.scale);
  EXPECT_GT(std::abs(sum.boundary), 1e-6 * sum.scale);
  EXPECT_LT(sum.element, 1e-12 * sum.scale);
}

TEST(Multisymplectic, AMotionUnderWayIsRefused) {
  const Sample<1> s = nonlinear_chain(4, 0.2);
  State<1> state = s.begin();
  queue(s.system, state)->advance(1.0);
  expect_words(
      refusal([&] { SpaceTime<1>(s.system, state, variation(s, 0.3), variation(s, 1.1)); }),
      {"term 0", "start"});
}

}  // namespace
}  // namespace varia::terms::multisymplectic_test
