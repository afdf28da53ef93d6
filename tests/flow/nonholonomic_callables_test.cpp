// SPDX-License-Identifier: BSD-3-Clause
// System{L, Nonholonomic{Phi}}: what is stated by callables is the system stated by text.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "problems/rolling.hpp"
#include "refusal.hpp"
#include "varia/flow/flow.hpp"
#include "varia/mechanics/system.hpp"
#include "varia/space/product.hpp"
#include "varia/space/se2.hpp"
#include "varia/space/so3.hpp"

namespace varia::nonholonomic_callables_test {
namespace {

using namespace problems;
using V3 = Vector<double, 3>;
using V4 = Vector<double, 4>;

/// Largest difference of the states after 20 steps, with multipliers, from the text and from callables.
template <class Q, class S>
double difference(const Method& method, const rolling::Rolling& p, const S& system,
                  Retraction tau) {
  FlowOptions options;
  options.retraction = tau;
  const auto text = system_of(p.texts, tau);
  const VectorState start = start_of(text, p.xi, p.v);
  const VectorState end = walk(StageFlow(method, text, options), start, 0.05, 20);
  EXPECT_GT((end.q - start.q).cwiseAbs().maxCoeff(), 0.01);
  Vn v = Vn::Zero(text->n);
  LegendreTransform(*text).velocity(start, v.data());
  Q q;
  Entries<Q>::read(start.q.data(), q);
  StateOf<S, Q> s = initial(system, q, Tangent<Q>(v));
  EXPECT_LT((s.lambda - start.lambda).cwiseAbs().maxCoeff(), 1e-12) << p.name;
  const Flow flow(method, system, options);
  auto memory = flow.memory(s);
  s = flow.steps(s, 0.05, 20, memory);
  EXPECT_LE(memory.statistics.max_iterations, 7) << p.name;
  return std::max({(detail::entries_of(s.q) - end.q).cwiseAbs().maxCoeff(),
                   (s.p - end.p).cwiseAbs().maxCoeff(),
                   (s.lambda - end.lambda).cwiseAbs().maxCoeff()});
}
template <class Q, class S>
double difference(const rolling::Rolling& p, const S& system,
                  Retraction tau = Retraction::exponential) {
  return std::max(difference<Q>(nh_lobatto(3), p, system, tau),
                  difference<Q>(dla(), p, system, tau));
}

TEST(NonholonomicCallables, OneConstraintOnAVectorSpace) {
  const System particle{
      [](const auto& q, const auto& v) {
        return 0.5 * v.dot(v) - 0.5 * (q[0] * q[0] + q[1] * q[1]);
      },
      Nonholonomic{[](const auto& q, const auto& v) { return v[2] - q[1] * v[0]; }}};
  EXPECT_LT(difference<V3>(rolling::particle(), particle), 1e-12);
}

TEST(NonholonomicCallables, WithTimeAndAForce) {
  const System affine{[](const auto& q, const auto& v) {
                        using std::cos;
                        return (1.0 + 0.2 * q[0] * q[0]) * v[0] * v[0] / 2.0 + v[1] * v[1] / 2.0 +
                               v[2] * v[2] - cos(q[2]) - q[0] * q[1];
                      },
                      Force{[](double t, const auto&, const auto& v) {
                        using S = typename std::decay_t<decltype(v)>::Scalar;
                        return Vector<S, 3>(-0.2 * v[0] + std::sin(t), S(0.0),
                                            -0.1 * v[2] * v[2] * v[2]);
                      }},
                      Nonholonomic{[](double t, const auto& q, const auto& v) {
                        return v[2] - q[1] * v[0] - 0.3 * q[0] * std::cos(t);
                      }}};
  EXPECT_LT(difference<V3>(rolling::affine(), affine), 1e-11);
}

TEST(NonholonomicCallables, NotLinearInVelocities) {
  const System nonlinear{[](const auto& q, const auto& v) {
                           return 0.5 * (v[0] * v[0] + v[1] * v[1]) + v[2] * v[2] - q[2] -
                                  0.5 * q[0] * q[0] * q[1];
                         },
                         Nonholonomic{[](const auto&, const auto& v) {
                           return v[0] * v[0] + v[1] * v[1] - v[2] * v[2] - 0.5;
                         }}};
  EXPECT_LT(difference<V3>(rolling::nonlinear(), nonlinear), 1e-12);
}

TEST(NonholonomicCallables, OnGroups) {
  const System suslov{
      [](const auto& R, const auto& w) {
        return 0.5 * (2.0 * w[0] * w[0] + 1.5 * w[1] * w[1] + w[2] * w[2]) + 0.3 * w[0] * w[2] +
               0.4 * w[1] * w[2] - 0.5 * R(2, 2) * R(0, 1);
      },
      Nonholonomic{[](const auto& R, const auto& w) { return w[2] - 0.2 * R(0, 2) * w[0]; }}};
  const System unicycle{[](const auto& g, const auto& v) {
                          return 0.5 * (v[0] * v[0] + v[1] * v[1]) + 0.25 * v[2] * v[2] -
                                 0.5 * (g.x * g.x + g.y * g.y);
                        },
                        Nonholonomic{[](const auto&, const auto& v) { return v[1]; }}};
  for (const Retraction tau : {Retraction::exponential, Retraction::cayley}) {
    EXPECT_LT(difference<SO3<double>>(rolling::suslov(), suslov, tau), 1e-12);
    EXPECT_LT(difference<SE2<double>>(rolling::unicycle(), unicycle, tau), 1e-12);
  }
}

TEST(NonholonomicCallables, SeveralConstraints) {
  using Q = Product<SO3<double>, Vector<double, 2>>;
  const System turntable{[](const auto&, const auto& v) {
                           return 0.5 * (v[3] * v[3] + v[4] * v[4]) +
                                  0.2 * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
                         },
                         Nonholonomic{[](const auto& q, const auto& v) {
                           using S = typename std::decay_t<decltype(v)>::Scalar;
                           const auto& x = get<1>(q);
                           return Vector<S, 2>(v[3] + 1.3 * x[1] - v[1], v[4] - 1.3 * x[0] + v[0]);
                         }}};
  static_assert(decltype(turntable)::multipliers<Q>() == 2);
  EXPECT_LT(difference<Q>(rolling::turntable(), turntable), 1e-12);
}

TEST(NonholonomicCallables, BothKinds) {
  const System geared{
      [](const auto& q, const auto& v) { return 0.5 * v.dot(v) - q[2] - 0.5 * q[3] * q[3]; },
      Holonomic{[](const auto& q) { return q[0] * q[0] + q[1] * q[1] + q[2] * q[2] - 1.0; }},
      Nonholonomic{[](const auto& q, const auto& v) { return v[3] - q[0] * v[2]; }}};
  EXPECT_LT(difference<V4>(rolling::geared(), geared), 1e-12);
  using Q = Product<SO3<double>, Vector<double, 1>>;
  const System guided{
      [](const auto& q, const auto& v) {
        const auto& R = get<0>(q);
        return 0.5 * (v[0] * v[0] + 1.4 * v[1] * v[1] + 0.6 * v[2] * v[2] + v[3] * v[3]) - R(2, 2) -
               0.4 * get<1>(q)[0] * R(0, 1);
      },
      Holonomic{[](const auto& t, const auto& q) {
        using std::sin;
        return get<0>(q)(2, 2) - 0.3 * get<1>(q)[0] - 0.6 - 0.1 * sin(t);
      }},
      Nonholonomic{
          [](const auto& q, const auto& v) { return v[2] - 0.5 * v[3] * get<0>(q)(0, 0); }}};
  EXPECT_LT(difference<Q>(rolling::guided(), guided), 1e-11);
}

TEST(NonholonomicCallables, Refusals) {
  const System sleigh{[](const auto&, const auto& v) { return 0.5 * v.dot(v); },
                      Nonholonomic{[](const auto& q, const auto& v) {
                        using std::cos, std::sin;
                        return v[1] * cos(q[2]) - v[0] * sin(q[2]);
                      }}};
  expect_words(refusal([&] { Flow(gauss(2), sleigh); }), {"gauss(2)", "nh_lobatto(s)"});
  expect_words(refusal([&] { initial(sleigh, V3(0, 0, 0), V3(1, 0.5, 0)); }),
               {"violates nonholonomic constraint 1", "project"});
  const auto [q, v] = project(sleigh, V3(0, 0, 0), V3(1, 0.5, 0));
  EXPECT_LT((v - V3(1, 0, 0)).norm(), 1e-15);
}

}  // namespace
}  // namespace varia::nonholonomic_callables_test
