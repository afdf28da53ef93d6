// SPDX-License-Identifier: BSD-3-Clause
// What inner forces cannot change stays, to round-off, along an optimum.
#include <gtest/gtest.h>

#include "problems/optima.hpp"
#include "varia/space/so3.hpp"

namespace varia::control_momentum_test {
namespace {

using namespace problems;
using Eigen::VectorXd;
using optima::Known;

/// The body of 003_numbers with three rotors that its motors turn: R ∈ SO(3), al ∈ ℝ³. It comes to rest in another
/// attitude, and the rotors keep the momentum. `on_body`: with the reaction once more on the body, which is wrong.
Known satellite(const std::string& on_body = "0") {
  Known k =
      optima::known("satellite",
                    {{{"R", "SO3"}, "a", "b", "c"},
                     "(3*R_w1^2 + 2.5*R_w2^2 + 1.8*R_w3^2)/2 + 0.2*(R_w1 + a_dot)^2/2"
                     " + 0.25*(R_w2 + b_dot)^2/2 + 0.3*(R_w3 + c_dot)^2/2",
                     {"-u*" + on_body, "-v*" + on_body, "-w*" + on_body, "u", "v", "w"},
                     {},
                     vector({1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}),
                     vector({0.3, -0.2, 0.5, 1, 0, -2})},
                    {{"u"}, {"v"}, {"w"}}, "(u^2 + v^2 + w^2)/2", {},
                    {"R12 - 0.6", "R23 - 0.4", "R31 - 0.5", "R_w1", "R_w2", "R_w3"}, {}, 5.0, 0.0);
  k.to = VectorXd(12);
  k.to << optima::rotation_vector(0.3, -0.4, -0.5), 0.0, 0.0, 0.0;
  return k;
}

/// Masses m = 1, 2, 3 that pull each other; they start with a common motion.
Known train() {
  return optima::known("train",
                       {{"x", "y", "z"},
                        "x_dot^2/2 + y_dot^2 + 1.5*z_dot^2 - (x - y)^2 - (y - z)^4/4",
                        {"u", "w - u", "-w"},
                        {},
                        vector({0, 1, 2}),
                        vector({0.4, -0.1, 0.3})},
                       {{"u"}, {"w"}}, "(u^2 + w^2)/2 + (x - y)^2", {},
                       {"y - x - 2", "z - y - 0.5", "y_dot - x_dot", "z_dot - y_dot"},
                       vector({0, 2, 2.5}), 3.0, 0.0);
}

ControlMotion motion_of(const Known& k, const Method& method, Retraction tau) {
  const ControlProblem problem = optima::problem_of(k, method, tau);
  const Optimum o = optimise(problem, problem.guess(optima::line_of(k)));
  EXPECT_EQ(o.status, OptimumStatus::solved) << o.message;
  EXPECT_GT(o.cost, 0.05);
  return problem.motion(o);
}

/// Largest change of what `momentum` makes of (q, p).
template <class F> double change(const ControlMotion& m, const F& momentum) {
  const VectorXd first = momentum(m.q[0], m.p[0]);
  EXPECT_GT(first.norm(), 0.1);
  double most = 0.0;
  for (std::size_t k = 1; k < m.q.size(); ++k)
    most = std::max(most, (momentum(m.q[k], m.p[k]) - first).cwiseAbs().maxCoeff());
  return most;
}

VectorXd in_space(const Vn& q, const Vn& p) {
  return Space<SO3<double>>::read(q.data()).matrix * p.head(3);
}

TEST(MomentumOfAnOptimum, OfASatelliteWithRotorsIsExact) {
  for (const Method& method : {gauss(1), gauss(2), gauss(3), lobatto(2), lobatto(3), lobatto(4)})
    for (const Retraction tau : {Retraction::exponential, Retraction::cayley}) {
      SCOPED_TRACE(method.name());
      const ControlMotion m = motion_of(satellite(), method, tau);
      EXPECT_LT(change(m, in_space), 2e-13);
      EXPECT_GT((m.q.back() - m.q.front()).norm(), 0.5);
      EXPECT_LT((in_space(m.q[0], m.p[0]) - vector({1.16, -0.55, 0.45})).norm(), 1e-14);
      EXPECT_LT(m.v.back().head(3).norm(), 1e-9);
    }
}

/// The bound is one: with the torque on the body too the momentum is another one.
TEST(MomentumOfAnOptimum, ChangesWithATorqueFromOutside) {
  EXPECT_GT(change(motion_of(satellite("1"), gauss(2), default_retraction), in_space), 0.05);
}

TEST(MomentumOfAnOptimum, OfMassesThatPullEachOtherIsExact) {
  for (const Method& method : {gauss(1), gauss(2), gauss(3), lobatto(2), lobatto(3), lobatto(4)}) {
    SCOPED_TRACE(method.name());
    const ControlMotion m = motion_of(train(), method, default_retraction);
    EXPECT_LT(change(m, [](const Vn&, const Vn& p) { return vector({p.sum()}); }), 5e-14);
    // and the centre of mass goes straight on
    const double centre = m.q.back().dot(vector({1, 2, 3})), start = m.q[0].dot(vector({1, 2, 3}));
    EXPECT_NEAR(centre - start, 3.0 * m.p[0].sum(), 1e-12);
  }
}

}  // namespace
}  // namespace varia::control_momentum_test
