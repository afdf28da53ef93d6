// SPDX-License-Identifier: BSD-3-Clause
// The derivative of a step against that of the certificate's step, by differences, on SE(2), SE(3), S² and
// a product, with constraints and with constraints that move. The certificate knows no stage equations.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>

#include "problems.hpp"
#include "src/verify/point_flow.hpp"
#include "varia/flow/certificate.hpp"
#include "varia/flow/flow.hpp"
#include "varia/flow/step_derivative.hpp"
#include "varia/varia.hpp"
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

/// The derivative of the certificate tier's step by differences, against that of the engine.
template <class S, class State>
double distance_of_tiers(const Method& method, const S& system, const State& start) {
  const Flow flow(method, system);
  const StageFlow engine = flow.stage_flow(start.q);
  const KernelSystem& f = engine.system();
  VectorState s = detail::vector_state(start);
  auto memory = engine.memory(s);
  const Eigen::MatrixXd exact = engine.differentiate(s, h, memory).matrix(f.n);
  const Certificate certificate(method, system);
  const VectorState end = detail::vector_state(certificate(start, h));
  double worst = 0.0;
  for (int k = 0; k < 2 * f.n; ++k) {
    const Vn measured = derivative_at_zero(
        [&](double size) {
          VectorState from = detail::vector_state(start);
          const Vn delta = k < f.n ? Vn(size * Vn::Unit(f.n, k)) : Vn::Zero(f.n);
          f.space.retract(from.q.data(), delta.data(), Retraction::exponential, from.q.data());
          if (k >= f.n) from.p[k - f.n] += size;
          State moved = start;
          detail::from_vectors(from, moved);
          return Eigen::VectorXd(difference(f, end, detail::vector_state(certificate(moved, h))));
        },
        0.05);
    worst = std::max(worst, (exact.col(k) - measured).cwiseAbs().maxCoeff());
  }
  return worst;
}

TEST(StepDerivative, EqualsThatOfTheCertificate) {
  using V2 = Vector<double, 2>;
  using V3 = Vector<double, 3>;
  const System kepler{kepler_lagrangian};
  const System heavy_top{[](const auto& R, const auto& w) {
    const V3 inertia(1.0, 1.4, 0.6);
    return 0.5 * w.dot(inertia.cwiseProduct(w)) - 1.3 * (R(2, 2) + 0.3 * R(2, 0));
  }};
  const auto on_plane = initial(kepler, V2(0.8, 0.3), V2(-0.2, 1.1));
  const auto turned =
      initial(heavy_top, SO3<double>(rotation(V3(0.4, -0.3, 0.2), Retraction::exponential)),
              V3(0.6, 0.9, 2.0));
  for (const Method& method : {gauss(1), gauss(2), lobatto(3), midpoint(0.3)}) {
    EXPECT_LT(distance_of_tiers(method, kepler, on_plane), 1e-11) << method.name();
    EXPECT_LT(distance_of_tiers(method, heavy_top, turned), 1e-11) << method.name();
  }
}

}  // namespace
}  // namespace varia::step_derivative_slow_test
