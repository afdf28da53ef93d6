// SPDX-License-Identifier: BSD-3-Clause
// The exact discrete Lagrangian and certified orders on systems given as text.
#include <gtest/gtest.h>

#include "models.hpp"
#include "varia/flow/flow.hpp"
#include "varia/verify/certify_flow.hpp"
#include "varia/verify/certify_order.hpp"

namespace varia::exact_text_test {
namespace {

using V2 = Vector<double, 2>;

VectorState start_of(const io::Model& model, const Vn& q, const Vn& v, double t = 0.0) {
  return initial(*model.system, q, v, t);
}

/// Text and template give the same value and momenta.
TEST(ExactText, IsThatOfTheTemplate) {
  const io::Model model = io::models::model_of(io::models::double_pendulum());
  const ExactLagrangian by_text(StageFlow(gauss(1), model.system));
  const System system{[](const auto& q, const auto& v) {
    return v[0] * v[0] + 0.5 * v[1] * v[1] + v[0] * v[1] * cos(q[0] - q[1]) + 2.0 * cos(q[0]) +
           cos(q[1]);
  }};
  const V2 q0(0.7, -0.3);
  const V2 q1(0.9, 0.1);
  const auto a = by_text.at(Vn(q0), Vn(q1), 0.4);
  const auto b = ExactLagrangian(system).at(q0, q1, 0.4);
  EXPECT_NEAR(a.value, b.value, 1e-13);
  EXPECT_LT((a.start.p - Vn(b.start.p)).norm(), 1e-12);
  EXPECT_LT((a.end.p - Vn(b.end.p)).norm(), 1e-12);
}

void expect_order(const std::string& text, const Vn& q, const Vn& v, const char* method, double h,
                  bool by_steps = false, double t = 0.0) {
  const io::Model model = io::models::model_of(text);
  const StageFlow flow(parse_method(method), model.system);
  const VectorState start = start_of(model, q, v, t);
  const CertifiedOrder report = certify_order(flow, start, h);
  const int declared =
      model.system->d > 0 ? flow.method().constrained_order() : flow.method().order();
  EXPECT_EQ(report.declared, declared) << method;
  EXPECT_NEAR(report.measured, declared, 0.1) << method;
  EXPECT_EQ(report.by_steps, by_steps) << method;
}

TEST(ExactText, CertifiedOrders) {
  const Vn q = V2(0.7, -0.3);
  const Vn v = V2(0.2, 0.3);
  for (const char* method :
       {"euler_a", "midpoint", "gauss(2)", "lobatto(3)", "triple_jump(verlet)"})
    expect_order(io::models::double_pendulum(), q, v, method, 0.5);
  expect_order(io::models::kepler(), V2(0.4, 0.0), V2(0.0, 2.0), "blanes_moan(4)", 0.1);
  expect_order(io::models::van_der_pol(), V2(-0.5, -0.25), V2(0.0, 2.0), "gauss(2)", 0.3, true);
  expect_order(io::models::caldirola_kanai(), Vn::Constant(1, 1.0), Vn::Constant(1, 0.3),
               "gauss(2)", 0.6, false, 0.5);
}

TEST(ExactText, CertifiedOrdersWithConstraints) {
  const Vector<double, 3> q(std::sin(1.2), 0.0, -std::cos(1.2));
  const Vector<double, 3> v(0.3 * std::cos(1.2), 0.7, 0.3 * std::sin(1.2));
  for (const char* method : {"verlet", "lobatto(3)"})
    expect_order(io::models::spherical_pendulum(), q, v, method, 0.5);
}

/// A method that is not what it claims to be is found.
TEST(ExactText, FindsAWrongClaim) {
  const io::Model model = io::models::model_of(io::models::pendulum());
  const StageFlow flow(compose({{euler_a(), 0.5}, {euler_a(), 0.5}}, 2), model.system);
  const auto start = start_of(model, Vn::Constant(1, 1.2), Vn::Constant(1, 0.3));
  const CertifiedOrder report = certify_order(flow, start, 0.4);
  EXPECT_FALSE(report.passes());
  EXPECT_NEAR(report.measured, 1.0, 0.1);
}

}  // namespace
}  // namespace varia::exact_text_test
