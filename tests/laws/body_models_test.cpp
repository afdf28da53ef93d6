// SPDX-License-Identifier: BSD-3-Clause
// How bodies are to be stated, and what happens where they are stated otherwise: internal torques, a height that is
// held, an inertia tensor that is not diagonal, and reactions that are not variational. Numbers are those of closed
// forms, or of a Runge-Kutta method of order 8 at two tolerances.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "problems/rolling.hpp"
#include "varia/space/so3.hpp"

namespace varia::body_models_test {
namespace {

using namespace problems;
using V3 = Vector<double, 3>;

Vn velocity_of(const std::shared_ptr<KernelSystem>& system, const VectorState& s) {
  Vn v = Vn::Zero(system->n);
  LegendreTransform(*system).velocity(s, v.data());
  return v;
}
/// R m of the rotation that comes first.
V3 spatial_momentum(const VectorState& s) {
  return Space<SO3<double>>::read(s.q.data()).matrix * V3(s.p.head(3));
}

std::shared_ptr<KernelSystem> satellite(bool torque_on_the_body) {
  const std::string u[] = {"0.1*sin(t)", "-0.05", "0.02*t"};
  std::vector<std::string> force = {"0", "0", "0", u[0], u[1], u[2]};
  if (torque_on_the_body)
    for (std::size_t i = 0; i < 3; ++i) force[i] = "-(" + u[i] + ")";
  return system_of({{{"R", "SO3"}, "al[1..3]"},
                    "(3*R_w1^2 + 2.5*R_w2^2 + 1.8*R_w3^2)/2 + 0.1*(R_w1 + al_dot[1])^2 "
                    "+ 0.125*(R_w2 + al_dot[2])^2 + 0.15*(R_w3 + al_dot[3])^2",
                    force});
}

/// Trap 7: the angle of a rotor is that against the body, so the motor's torque on the body is in the equations already.
TEST(BodyModels, TheTorqueOfARotorIsInternal) {
  const Vn xi = Vn::Zero(6);
  const Vn v = vector({0.3, -0.2, 0.5, 1.0, 0.0, -2.0});
  const V3 kept(1.16, -0.55, 0.45);
  for (const Retraction tau : {Retraction::exponential, Retraction::cayley}) {
    FlowOptions options;
    options.retraction = tau;
    const auto system = satellite(false);
    const VectorState end =
        walk(StageFlow(gauss(4), system, options), start_of(system, xi, v), 0.05, 200);
    const Vn w = velocity_of(system, end);
    EXPECT_LT((w.head(3) - V3(0.24492196751536, 0.11787818404759, -0.65522445549879)).norm(),
              1e-12);
    EXPECT_LT((end.q.tail(3) - V3(18.00823537957794, -8.80658662491592, -3.13585269422169)).norm(),
              1e-12);
    EXPECT_LT((V3(end.q[0], end.q[4], end.q[8]) -
               V3(0.89896859108143, -0.79793479178161, -0.89129202714212))
                  .norm(),
              1e-12);
    EXPECT_LT((spatial_momentum(end) - kept).norm(), 1e-14);
    const auto twice = satellite(true);
    const VectorState other =
        walk(StageFlow(gauss(4), twice, options), start_of(twice, xi, v), 0.05, 200);
    EXPECT_GT((spatial_momentum(other) - kept).norm(), 0.1);
  }
}

/// The contact point of a disk: its height over the plane, and its velocity along it.
const std::string height = "z - sqrt(R31^2 + R32^2)";
std::string slip(const std::string& axis, const std::string& row) {
  return axis + "_dot + ((R" + row + "1*R_w3*R32 - R" + row + "2*R_w3*R31) + R" + row +
         "3*(R_w2*R31 - R_w1*R32))/sqrt(R31^2 + R32^2)";
}
std::shared_ptr<KernelSystem> disk(bool height_is_held) {
  Texts texts{
      {{"R", "SO3"}, "x", "y", "z"},
      "7.5*(x_dot^2 + y_dot^2 + z_dot^2) + 7.5*(R_w1^2/4 + R_w2^2/4 + R_w3^2/2) - 147.15*z"};
  if (height_is_held) texts.constraints = {height};
  texts.nonholonomic = {slip("x", "1"), slip("y", "2")};
  if (!height_is_held) texts.nonholonomic.push_back(slip("z", "3"));
  return system_of(texts);
}

/// Trap 5: the third rolling condition says that the height does not change. As a condition on velocities it is left to the
/// error of the method; as a holonomic one it holds.
TEST(BodyModels, TheHeightOfADiskIsHolonomic) {
  const Vn q = vector({-1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 1});
  const Vn v = vector({0, 15, 5, 5, 0, 0});
  const auto height_of = [](const VectorState& s) { return s.q[11] - std::hypot(s.q[6], s.q[7]); };
  const auto roll = [&](const std::shared_ptr<KernelSystem>& system) {
    return walk(StageFlow(nh_lobatto(2), system), initial(*system, q, v), 0.005, 400);
  };
  const auto held = disk(true);
  const VectorState end = roll(held);
  EXPECT_LT(std::abs(height_of(end)), 1e-14);
  EXPECT_LT(constraint_defect(*held, end).velocity, 1e-12);
  EXPECT_GT(std::abs(height_of(roll(disk(false)))), 1e-7);
}
TEST(BodyModels, ADiskRolls) {
  const auto system = disk(true);
  const VectorState start =
      initial(*system, vector({-1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 1}), vector({0, 15, 5, 5, 0, 0}));
  EXPECT_NEAR(energy_of(system, start), 850.275, 1e-12);
  const VectorState end = walk(StageFlow(nh_lobatto(4), system), start, 0.0025, 800);
  EXPECT_LT((end.q.tail(3) - V3(-0.889764519319, 5.414459166047, 0.999999998680)).norm(), 1e-9);
  EXPECT_NEAR(energy_of(system, end), 850.275, 1e-8);
}

/// Trap 6: the constraint speaks of velocities, the step of momenta; between them stands the inverse of the whole inertia
/// tensor.
TEST(BodyModels, SuslovsBodyWithAnInertiaThatIsNotDiagonal) {
  const auto system = system_of(rolling::with({{{"R", "SO3"}},
                                               "(2*R_w1^2 + 1.5*R_w2^2 + R_w3^2)/2 + 0.3*R_w1*R_w3 "
                                               "+ 0.4*R_w2*R_w3"},
                                              {"R_w3"}));
  const VectorState start = start_of(system, vector({0, 0, 0}), vector({0.6, -0.8, 0.0}));
  const VectorState end = walk(StageFlow(nh_lobatto(5), system), start, 0.05, 100);
  EXPECT_LT((velocity_of(system, end) - V3(-0.08863292288960, -1.05334021409992, 0.0)).norm(),
            1e-11);
  EXPECT_NEAR(end.p[2], 0.3 * -0.08863292288960 + 0.4 * -1.05334021409992, 1e-11);  // not 0
  EXPECT_LT(
      (V3(end.q[0], end.q[4], end.q[8]) - V3(0.30209512595083, 0.64280151201048, 0.49068108068036))
          .norm(),
      1e-11);
}

/// Trap 9: a skate on an incline does not slide down,
/// x = g sin α/(2ω²) sin²ωt, y = g sin α/(2ω²)(ωt - ½ sin 2ωt); where the action is stationary among motions with Φ = 0,
/// with λ = 0 at the start, it does.
TEST(BodyModels, AKnifeEdgeIsNotVakonomic) {
  const std::string lagrangian =
      "(x_dot^2 + y_dot^2 + f_dot^2)/2 + 9.81*sin(" + std::to_string(30) + "*pi/180)*x";
  const std::string phi = "x_dot*sin(f) - y_dot*cos(f)";
  const auto skate = system_of(rolling::with({{"x", "y", "f"}, lagrangian}, {phi}));
  const double factor = 9.81 * 0.5 / 8.0;
  const V3 exact(factor * std::pow(std::sin(10.0), 2), factor * (10.0 - 0.5 * std::sin(20.0)),
                 10.0);
  FlowOptions anew;
  anew.multipliers = Multipliers::recompute;
  const VectorState end = walk(StageFlow(nh_lobatto(6), skate, anew),
                               initial(*skate, Vn::Zero(3), vector({0, 0, 2})), 0.02, 250);
  EXPECT_LT((end.q - exact).norm(), 1e-12);
  EXPECT_NEAR(end.q[0], 0.181459842925332, 1e-12);
  EXPECT_NEAR(end.q[1], 5.851375221573812, 1e-12);
  EXPECT_NEAR(end.lambda[0], 5.336847097824718, 1e-11);
  const auto variational = system_of({{"x", "y", "f", "s"}, lagrangian + " + s_dot*(" + phi + ")"});
  const VectorState other =
      walk(StageFlow(gauss(6), variational),
           initial(*variational, Vn::Zero(4), vector({0, 0, 2, 0})), 0.02, 250);
  EXPECT_GT((other.q.head(3) - exact).norm(), 1.0);
}

}  // namespace
}  // namespace varia::body_models_test
