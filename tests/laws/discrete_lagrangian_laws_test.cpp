// SPDX-License-Identifier: BSD-3-Clause
// The laws of a discrete Lagrangian as text: symplectic, momenta of symmetries, reversible if L_d is,
// and the order it is certified with.
#include <cstdio>

#include "problems.hpp"
#include "refusal.hpp"
#include "varia/flow/make_flow.hpp"
#include "varia/verify/certify_flow.hpp"
#include "varia/verify/certify_order.hpp"
#include "varia/verify/check_invariants.hpp"
#include "varia/verify/check_symplectic.hpp"

namespace varia::discrete_lagrangian_laws_test {
namespace {

using namespace problems;

TEST(DiscreteLagrangianLaws, Symplectic) {
  for (const auto& text : {discrete::ring_trapezoid(), discrete::ring_midpoint(),
                           discrete::ring_rectangle(), discrete::double_pendulum()}) {
    const auto flow = discrete_flow(text, 2);
    const VectorState s = flow.start(vector({0.9, 0.2}), vector({0.3, 0.7}));
    EXPECT_LT(check_symplectic(flow, s, 0.1).defect, 1e-11) << text;
  }
}

/// Rotations are symmetries of all three rules, whatever their order; of a potential that is not
/// round they are not.
TEST(DiscreteLagrangianLaws, Noether) {
  const auto drift = [](const std::string& text) {
    const auto flow = discrete_flow(text, 2);
    VectorState s = flow.start(vector({1.0, 0.0}), vector({0.3, 0.7}));
    auto memory = flow.memory(s);
    double most = 0.0;
    for (int k = 0; k < 2000; ++k) {
      s = flow.step(s, 0.05, memory);
      most = std::max(most, std::abs(s.q[0] * s.p[1] - s.q[1] * s.p[0] - 0.7));
    }
    return most;
  };
  for (const auto& text :
       {discrete::ring_trapezoid(), discrete::ring_midpoint(), discrete::ring_rectangle()})
    EXPECT_LT(drift(text), 1e-13) << text;
  EXPECT_GT(drift(discrete::ring_midpoint() + " - 0.01*h*a[1]^2"), 1e-4);
}

/// L_d(q₀, q₁, h) = -L_d(q₁, q₀, -h) is reversible; the rectangle rule is not.
TEST(DiscreteLagrangianLaws, Reversible) {
  const auto defect = [](const std::string& text) {
    const auto flow = discrete_flow(text, 2);
    return check_reversible(flow, flow.start(vector({1.0, 0.0}), vector({0.3, 0.7})), 0.1, 10)
        .defect;
  };
  EXPECT_LT(defect(discrete::ring_trapezoid()), 1e-12);
  EXPECT_LT(defect(discrete::ring_midpoint()), 1e-12);
  EXPECT_GT(defect(discrete::ring_rectangle()), 1e-3);
}

/// L_d = d²/2h - h∫V - h³|∇V|²/24 with Simpson's rule is of order 4; no term of it can be missing.
std::string pendulum_fourth(const std::string& correction) {
  return "(b[1] - a[1])^2/(2*h) + h/6*(cos(a[1]) + 4*cos((a[1] + b[1])/2) + cos(b[1]))" +
         correction;
}

/// The flow of the text for what the system is.
AnyFlow own_flow(const std::string& text, int declared,
                 std::shared_ptr<const KernelSystem> system) {
  return make_flow(
      own_lagrangian(declared),
      {.lagrangian = std::move(system), .discrete = discrete_flow(text, 1).discrete_system()});
}

double certified(const std::string& text, int declared, double h = 0.4) {
  const auto f = system_of(texts::pendulum());
  const StageFlow exact(gauss(2), f);
  const VectorState start = start_of(*f, texts::pendulum());
  const auto report = certify_order(own_flow(text, declared, f), start, h);
  std::printf("order %.3f, errors %.1e to %.1e: %s\n", report.measured, report.errors.front(),
              report.errors.back(), text.c_str());
  EXPECT_EQ(report.passes(), std::abs(report.measured - declared) <= 0.1);
  return report.measured;
}

TEST(DiscreteLagrangianLaws, CertifiedOrders) {
  EXPECT_NEAR(certified("(b[1] - a[1])^2/(2*h) + h*cos((a[1] + b[1])/2)", 2), 2.0, 0.1);
  EXPECT_NEAR(certified("(b[1] - a[1])^2/(2*h) + h/2*(cos(a[1]) + cos(b[1]))", 2), 2.0, 0.1);
  EXPECT_NEAR(certified("(b[1] - a[1])^2/(2*h) + h*cos(a[1])", 2), 1.0, 0.1);  // wrong claim
  EXPECT_NEAR(certified(pendulum_fourth(" - h^3/24*sin((a[1] + b[1])/2)^2"), 4, 0.8), 4.0, 0.1);
  EXPECT_NEAR(certified(pendulum_fourth(""), 4, 0.8), 2.0, 0.1);
  EXPECT_NEAR(certified(pendulum_fourth(" + h^3/24*sin((a[1] + b[1])/2)^2"), 4, 0.8), 2.0, 0.1);
  // another system's: no order at all
  EXPECT_LT(certified("(b[1] - a[1])^2/(2*h) + 1.1*h*cos((a[1] + b[1])/2)", 2), 0.2);
}

/// The certified order is that of the motion.
TEST(DiscreteLagrangianLaws, MeasuredOrders) {
  const auto f = system_of(texts::pendulum());
  const StageFlow fine(gauss(5), f);
  const VectorState start = start_of(*f, texts::pendulum());
  const VectorState end = walk(fine, start, 0.02, 100);
  const auto order = [&](const std::string& text, int n) {
    const auto flow = discrete_flow(text, 1);
    return measured_order(
        [&](int steps) { return distance(walk(flow, start, 2.0 / steps, steps), end); }, n);
  };
  EXPECT_NEAR(order("(b[1] - a[1])^2/(2*h) + h*cos(a[1])", 200), 1.0, 0.1);
  EXPECT_NEAR(order("(b[1] - a[1])^2/(2*h) + h*cos((a[1] + b[1])/2)", 40), 2.0, 0.1);
  EXPECT_NEAR(order(pendulum_fourth(" - h^3/24*sin((a[1] + b[1])/2)^2"), 20), 4.0, 0.1);
}

/// -∂L_d/∂h has no trend, though no step was chosen for it.
TEST(DiscreteLagrangianLaws, DiscreteEnergy) {
  const auto flow = discrete_flow(discrete::ring_midpoint(), 2);
  VectorState s = flow.start(vector({1.0, 0.0}), vector({0.3, 0.7}));
  auto memory = flow.memory(s);
  double low = 1e300;
  double high = -1e300;
  double early = 0.0;
  for (int k = 0; k < 20000; ++k) {
    const VectorState next = flow.step(s, 0.05, memory);
    const double e = flow.energy(s.q, next.q, 0.05);
    low = std::min(low, e);
    high = std::max(high, e);
    if (k == 1000) early = high - low;
    s = next;
  }
  EXPECT_LT(high - low, 1.1 * early);
  EXPECT_LT(std::abs(0.5 * (high + low) - 0.29), 1e-2);
}

TEST(DiscreteLagrangianLaws, CertifyRefuses) {
  const std::string free = "(b[1] - a[1])^2/(2*h)";
  expect_words(refusal([&] { own_flow(free, 2, system_of(texts::ring())); }),
               {"2 coordinates", "discrete Lagrangian 1"});
  const auto f = system_of(texts::pendulum().with_force({"-x_dot"}));
  const VectorState start = start_of(*f, texts::pendulum());
  expect_words(refusal([&] { certify_order(own_flow(free, 2, f), start, 0.1); }), {"forces"});
}

}  // namespace
}  // namespace varia::discrete_lagrangian_laws_test
