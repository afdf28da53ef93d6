// SPDX-License-Identifier: BSD-3-Clause
// The derivative of a step against that of the certificate's step, by differences, on SE(2), SE(3), S² and
// a product, with constraints and with constraints that move. The certificate knows no stage equations.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>

#include "problems.hpp"
#include "src/verify/point_flow.hpp"
#include "varia/flow/certificate.hpp"
#include "varia/flow/step_derivative.hpp"
#include "varia/verify/differences.hpp"
#include "varia/verify/typed_view.hpp"

namespace varia::step_derivative_slow_test {
namespace {

using namespace problems;

constexpr double h = 0.15;

/// The largest difference of the two along directions in (q, p, t, h), the step of the engine by the one
/// method and that of the certificate by the other.
double distance_to_certificate(const Texts& texts, const Curved& problem, const Method& method,
                               const Method& other, Retraction tau = Retraction::exponential) {
  const auto system = system_of(texts);
  const int n = system->n;
  const VectorState start = start_of(system, problem);
  const StageFlow flow(method, system, {.retraction = tau});
  const detail::PointFlow points(flow);
  const Certificate certificate(other, TypedView(system), tau);
  VectorState s = start;
  auto memory = flow.memory(s);
  const StepDerivative& derivative = flow.differentiate(s, h, memory);
  const auto end = certificate(points.on_points(start), h);
  double worst = 0.0;
  for (PhaseVector z :
       {PhaseVector{Vn::LinSpaced(n, 0.7, -0.4), Vn::LinSpaced(n, -0.3, 0.6), 0.6, -0.2, Vn()},
        PhaseVector{Vn::LinSpaced(n, 0.2, 0.5), Vn::LinSpaced(n, 0.8, -0.5), -0.3, 0.1, Vn()}}) {
    const auto moved = [&](double size) {
      VectorState from = start;
      const Vn delta = size * z.delta;
      system->space.retract(start.q.data(), delta.data(), Retraction::exponential, from.q.data());
      from.p += size * z.nu;
      from.t += size * z.t;
      const auto to = certificate(points.on_points(from), h + size * z.h);
      Vn difference(2 * n);
      difference << Space<MixedPoint<double>>::difference(end.q, to.q), to.p - end.p;
      return difference;
    };
    const Vn measured = detail::extrapolated_difference(moved, 0.01).value;
    derivative.forward(z);
    worst = std::max({worst, (z.delta - measured.head(n)).cwiseAbs().maxCoeff(),
                      (z.nu - measured.tail(n)).cwiseAbs().maxCoeff()});
  }
  return worst;
}

void expect_same(const char* kind, const Texts& texts, const Curved& problem, const Method& method,
                 Retraction tau = Retraction::exponential) {
  const double distance = distance_to_certificate(texts, problem, method, method, tau);
  EXPECT_LT(distance, 1e-11) << problem.name << kind << method.name();
  std::printf("%-10s %-8s %-12s %.1e\n", problem.name.c_str(), kind, method.name().c_str(),
              distance);
}

TEST(StepDerivativeSlow, IsThatOfTheCertificate) {
  for (const Curved& p :
       {curved::plane(), curved::space(), curved::sphere(), curved::body_and_mass()}) {
    expect_same("exp", p.free(), p, gauss(2));
    expect_same("cay", p.free(), p, lobatto(3), Retraction::cayley);
  }
  const Curved p = curved::plane();
  EXPECT_GT(distance_to_certificate(p.free(), p, gauss(2), lobatto(3)), 1e-7);
}

TEST(StepDerivativeSlow, IsThatOfTheCertificateWithConstraints) {
  for (const Curved& p : {curved::plane(), curved::space(), curved::sphere()}) {
    expect_same("held", p.held(), p, lobatto(3));
    expect_same("driven", p.driven(), p, lobatto(2));
    expect_same("driven", p.driven(), p, lobatto(2), Retraction::cayley);
  }
  const Curved p = curved::sphere();
  expect_same("driven", p.driven(), p, lobatto(3));
  EXPECT_GT(distance_to_certificate(p.driven(), p, lobatto(2), midpoint()), 1e-7);
}

}  // namespace
}  // namespace varia::step_derivative_slow_test
