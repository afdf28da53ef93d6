// SPDX-License-Identifier: BSD-3-Clause
// What constrained flows do and do not keep [MW01, 3.4-3.7]: orders on N, symplecticity on T*N,
// adjoints, momenta, and the pendulum in its angle, with and without drag.
#include "problems.hpp"
#include "varia/verify/typed_view.hpp"

namespace varia::constrained_laws_test {
namespace {

using namespace problems;

const std::string kinetic = "(x_dot^2 + y_dot^2 + z_dot^2)/2";
const Texts free_particle{{"x", "y", "z"}, kinetic + " - z - 0.3*x^2 - 0.2*x*y", {}, {}};
const Texts sphere{
    free_particle.coordinates, free_particle.lagrangian, {}, {"x^2 + y^2 + z^2 - 1"}};

/// (q, p) in angles: q = (sin a cos b, sin a sin b, -cos a), momenta p_a, p_b.
VectorState state_of(const TypedView& view, const Vn& y) {
  const double a = y[0];
  const double b = y[1];
  const Vn qa = vector({std::cos(a) * std::cos(b), std::cos(a) * std::sin(b), std::sin(a)});
  const Vn qb = vector({-std::sin(a) * std::sin(b), std::sin(a) * std::cos(b), 0.0});
  return initial(view, vector({std::sin(a) * std::cos(b), std::sin(a) * std::sin(b), -std::cos(a)}),
                 Vn(qa * y[2] + qb * (y[3] / qb.squaredNorm())));
}
Vn angles_of(const VectorState& s) {
  const double a = std::acos(-s.q[2]);
  const double b = std::atan2(s.q[1], s.q[0]);
  const Vn qa = vector({std::cos(a) * std::cos(b), std::cos(a) * std::sin(b), std::sin(a)});
  const Vn qb = vector({-std::sin(a) * std::sin(b), std::sin(a) * std::cos(b), 0.0});
  return vector({a, b, qa.dot(s.p), qb.dot(s.p)});
}

/// Any unconstrained flow restricted to N × N: p₀ + Gᵀλ₀ is what makes φ(q₁) = 0 (3.5.2).
VectorState restricted(const StageFlow& flow, const VectorState& s, double h) {
  const auto end = [&](double lambda) {
    VectorState moved = s;
    moved.lambda.resize(0);
    moved.p += 2.0 * lambda * s.q;
    return flow(moved, h);
  };
  const Vn lambda =
      root([&](const Vn& x) { return vector({end(x[0]).q.squaredNorm() - 1.0}); }, vector({0.0}));
  VectorState next = end(lambda[0]);
  next.p -= next.q * next.q.dot(next.p) / next.q.squaredNorm();
  return next;
}

const Vn start_angles = vector({1.1, 0.4, 0.3, 0.6});

TEST(ConstrainedLaws, OrdersOnTheManifold) {
  const auto system = system_of(sphere);
  const auto unconstrained = system_of(free_particle);
  const TypedView view(system);
  const VectorState start = state_of(view, start_angles);
  const VectorState exact = walk(StageFlow(lobatto(5), system), start, 1.0 / 64, 64);
  const auto order = [&](const char* name, int n) {
    const StageFlow flow(parse_method(name), system);
    return measured_order([&](int k) { return distance(walk(flow, start, 1.0 / k, k), exact); }, n);
  };
  EXPECT_NEAR(order("euler_a", 128), 1.0, 0.1);
  EXPECT_NEAR(order("euler_b", 128), 1.0, 0.1);
  EXPECT_NEAR(order("verlet", 32), 2.0, 0.1);
  EXPECT_NEAR(order("midpoint", 32), 2.0, 0.1);
  EXPECT_NEAR(order("lobatto(3)", 8), 4.0, 0.1);
  EXPECT_NEAR(order("triple_jump(verlet)", 64), 4.0, 0.1);
  // on ℝ³ these have order 4; their L_d restricted to N × N has order 2
  for (const char* name : {"gauss(2)", "lobatto(3)"}) {
    const StageFlow flow(parse_method(name), unconstrained);
    const auto error = [&](int n) {
      VectorState s = start;
      for (int k = 0; k < n; ++k) s = restricted(flow, s, 1.0 / n);
      return distance(s, exact);
    };
    EXPECT_NEAR(measured_order(error, 8), 2.0, 0.1) << name;
  }
  EXPECT_THROW(StageFlow(gauss(2), system), InvalidArgument);
}

/// The Jacobian of the step in (a, b, p_a, p_b), by differences.
template <class F> double symplectic_defect(const F& step) {
  Eigen::Matrix4d jacobian;
  const double e = 1e-4;
  for (int j = 0; j < 4; ++j) {
    const auto at = [&](double k) {
      Vn y = start_angles;
      y[j] += k * e;
      return step(y);
    };
    jacobian.col(j) = (8.0 * (at(1) - at(-1)) - (at(2) - at(-2))) / (12.0 * e);
  }
  Eigen::Matrix4d form = Eigen::Matrix4d::Zero();
  form.topRightCorner<2, 2>().setIdentity();
  form.bottomLeftCorner<2, 2>() = -Eigen::Matrix2d::Identity();
  return (jacobian.transpose() * form * jacobian - form).cwiseAbs().maxCoeff();
}

TEST(ConstrainedLaws, SymplecticOnTheManifold) {
  const auto system = system_of(sphere);
  Texts damped = sphere;
  damped.force = {"-0.3*x_dot", "-0.3*y_dot", "-0.3*z_dot"};
  const auto forced = system_of(damped);
  for (const char* name : {"verlet", "euler_a", "midpoint", "lobatto(3)", "triple_jump(verlet)"}) {
    const auto defect = [&](const std::shared_ptr<KernelSystem>& f) {
      const StageFlow flow(parse_method(name), f);
      return symplectic_defect(
          [&](const Vn& y) { return angles_of(flow(state_of(TypedView(f), y), 0.2)); });
    };
    EXPECT_LT(defect(system), 1e-10) << name;
    EXPECT_GT(defect(forced), 1e-2) << name;
  }
  const StageFlow gauss2(gauss(2), system_of(free_particle));
  EXPECT_LT(symplectic_defect([&](const Vn& y) {
              return angles_of(restricted(gauss2, state_of(TypedView(system), y), 0.2));
            }),
            1e-10);
}

/// (L*)ᴺ = (Lᴺ)*: constrained Euler A and B undo each other, neither undoes itself.
TEST(ConstrainedLaws, Adjoints) {
  const auto system = system_of(sphere);
  const VectorState s = state_of(TypedView(system), start_angles);
  const StageFlow a(euler_a(), system);
  const StageFlow b(euler_b(), system);
  EXPECT_LT(distance(b(a(s, 0.2), -0.2), s), 1e-14);
  EXPECT_LT(distance(a(b(s, 0.2), -0.2), s), 1e-14);
  EXPECT_GT(distance(a(a(s, 0.2), -0.2), s), 1e-4);
  const StageFlow both(compose({{euler_b(), 0.5}, {euler_a(), 0.5}}, 2, "b, a"), system);
  EXPECT_LT(distance(both(s, 0.2), a(b(s, 0.1), 0.1)), 1e-14);
}

/// Three bodies joined by two rods, springs of the third side: momenta in the plane are kept.
TEST(ConstrainedLaws, NoetherWithRods) {
  const std::string rod1 = "(x2 - x1)^2 + (y2 - y1)^2 - 1";
  const std::string rod2 = "(x3 - x2)^2 + (y3 - y2)^2 - 1";
  Texts bodies{{"x1", "y1", "x2", "y2", "x3", "y3"},
               "(x1_dot^2 + y1_dot^2)/2 + x2_dot^2 + y2_dot^2 + 1.5*(x3_dot^2 + y3_dot^2) - "
               "((x3 - x1)^2 + (y3 - y1)^2)^2",
               {},
               {rod1, rod2}};
  const auto momenta = [](const VectorState& s) {
    return vector({s.p[0] + s.p[2] + s.p[4], s.p[1] + s.p[3] + s.p[5],
                   s.q[0] * s.p[1] - s.q[1] * s.p[0] + s.q[2] * s.p[3] - s.q[3] * s.p[2] +
                       s.q[4] * s.p[5] - s.q[5] * s.p[4]});
  };
  for (const bool torque : {false, true}) {
    // T38: a force that only pulls along the line of the bodies 1 and 2 has no total momentum
    if (torque) bodies.force = {"x2 - x1", "y2 - y1", "x1 - x2", "y1 - y2", "0.2", "0"};
    const auto system = system_of(bodies);
    const TypedView view(system);
    const auto on = project(view, vector({0.1, 0.0, 1.1, 0.1, 1.2, 1.0}),
                            vector({0.3, -0.2, 0.1, 0.5, -0.6, 0.4}));
    const VectorState start = initial(view, on.first, on.second);
    for (const char* name :
         {"verlet", "euler_b", "midpoint", "lobatto(3)", "triple_jump(verlet)"}) {
      const VectorState end = walk(StageFlow(parse_method(name), system), start, 0.05, 100);
      const Vn change = momenta(end) - momenta(start);
      EXPECT_NEAR(change[0], torque ? 0.2 * 5.0 : 0.0, 1e-12) << name;
      EXPECT_NEAR(change[1], 0.0, 1e-12) << name;
      if (torque) {
        EXPECT_GT(std::abs(change[2]), 1e-3) << name;
      } else {
        EXPECT_NEAR(change[2], 0.0, 1e-12) << name;
      }
      EXPECT_GT((end.p - start.p).norm(), 0.1) << name;
    }
  }
}

/// T32, T38: q = (sin θ, -cos θ). Restricted to the circle, midpoint and Verlet have the discrete
/// Lagrangian (1 - cos Δ)/h + h (cos θ₀ + cos θ₁)/2, Δ = θ₁ - θ₀, and the drag -c q̇ of the midpoint
/// rule the discrete forces -(c/2) sin Δ: the step in the angle is in closed form.
TEST(ConstrainedLaws, PendulumIsThatOfItsAngle) {
  for (const double c : {0.0, 0.4}) {
    Texts texts{{"x", "y"}, "(x_dot^2 + y_dot^2)/2 - y", {}, {"x^2 + y^2 - 1"}};
    if (c > 0.0) texts.force = {"-0.4*x_dot", "-0.4*y_dot"};
    const auto system = system_of(texts);
    const TypedView view(system);
    const double h = 0.1;
    for (const char* name : {"midpoint", "verlet"}) {
      const StageFlow flow(parse_method(name), system);
      double theta = 1.2;
      double p = 0.3;
      VectorState s = initial(view, vector({std::sin(theta), -std::cos(theta)}),
                              vector({p * std::cos(theta), p * std::sin(theta)}));
      auto memory = flow.memory(s);
      for (int k = 0; k < 100; ++k) {
        const double sine = (p - 0.5 * h * std::sin(theta)) / (1.0 / h + 0.5 * c);
        theta += std::asin(sine);
        p = sine / h - 0.5 * h * std::sin(theta) - 0.5 * c * sine;
        s = flow.step(s, h, memory);
      }
      EXPECT_NEAR(s.q[0], std::sin(theta), 1e-12) << name << c;
      EXPECT_NEAR(s.q[1], -std::cos(theta), 1e-12) << name << c;
      EXPECT_NEAR(s.p[0] * std::cos(theta) + s.p[1] * std::sin(theta), p, 1e-12) << name << c;
    }
  }
}

/// T37: on the sphere without weight the exact discrete Lagrangian is θ²/2h. Projected to the
/// tangent planes its momenta are those of the great circle; unprojected they depend on how the
/// function is continued off the sphere.
TEST(ConstrainedLaws, ExactLagrangianOfTheSphere) {
  const double h = 0.7;
  using V3 = Vector<double, 3>;
  const V3 a(1.0, 0.0, 0.0);
  const V3 v(0.0, 0.6, 0.5);
  const V3 b = std::cos(h * v.norm()) * a + std::sin(h * v.norm()) * v.normalized();
  for (const bool unit : {false, true}) {
    const auto exact = [&](const V3& x, const V3& y) {
      const double cosine = unit ? x.normalized().dot(y.normalized()) : x.dot(y);
      return 0.5 * std::pow(std::acos(cosine), 2) / h;
    };
    V3 d1;
    for (int j = 0; j < 3; ++j) {
      const V3 e = 1e-5 * V3::Unit(j);
      d1[j] = (exact(a + e, b) - exact(a - e, b)) / 2e-5;
    }
    const V3 tangent = -(d1 - a * a.dot(d1));
    EXPECT_LT((tangent - v).norm(), 1e-9);
    EXPECT_EQ(std::abs(a.dot(d1)) < 1e-6, unit);
  }
}

}  // namespace
}  // namespace varia::constrained_laws_test
