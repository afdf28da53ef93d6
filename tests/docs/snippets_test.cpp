// SPDX-License-Identifier: BSD-3-Clause
// The C++ of the pages under docs/how-to that is not in an example: compiled, run and checked.
#include <gtest/gtest.h>

#include "space/chart_laws.hpp"
#include "space/space_laws.hpp"
#include "space/tangent_laws.hpp"
#include "varia/space/factor_of.hpp"
#include "varia/varia.hpp"

namespace varia {

// A point of the circle: c + i s with c² + s² = 1.
template <class S> struct Circle { S c = S(1.0), s = S(0.0); };

template <class S> struct Space<Circle<S>> {
  using Q = Circle<S>;
  using Scalar = S;
  using V = Vector<S, 1>;
  using Map = Matrix<S, 1>;
  template <class T> using Rebind = Circle<T>;
  static constexpr int dof = 1;
  static constexpr bool is_vector_space = false;

  static constexpr int entries = 2;
  template <class T> static Circle<T> read(const T* x) { return {x[0], x[1]}; }
  static void write(const Q& q, S* x) {
    x[0] = q.c;
    x[1] = q.s;
  }

  static int dim(const Q&) { return 1; }
  static Q retract(const Q& q, const V& xi, Retraction = Retraction::exponential) {
    return displace<S>(q, xi);
  }
  static V difference(const Q& q0, const Q& q1, Retraction = Retraction::exponential) {
    return V(atan2(q0.c * q1.s - q0.s * q1.c, q0.c * q1.c + q0.s * q1.s));
  }
  template <class T> static Circle<T> cast(const Q& q) { return {T(q.c), T(q.s)}; }
  template <class T> static Circle<T> displace(const Q& q, const Vector<T, 1>& delta) {
    const T c = cos(delta[0]), s = sin(delta[0]);
    return {q.c * c - q.s * s, q.s * c + q.c * s};
  }
  template <class J> static Circle<J> seed(const Q& q, int k) {
    return displace<J>(q, Vector<J, 1>(J::variable(0.0, k)));
  }

  // The group is commutative and τ = exp: dτ and Ad* are the identity, ad* vanishes.
  template <class T>
  static Vector<T, 1> velocity(const Vector<T, 1>&, const Vector<T, 1>& eta, Retraction) {
    return eta;
  }
  static Map coadjoint(const V&, Retraction) { return Map(1.0); }
  static Map ad_star(const V&) { return Map(0.0); }

  static void update(Q& q, V&, V& p, V& p_rest, const V& xi, const V& delta, Retraction) {
    q = retract(q, xi);
    const S size = sqrt(q.c * q.c + q.s * q.s);
    q = {q.c / size, q.s / size};
    detail::compensated_add(p, p_rest, delta);
  }
};

template <> struct Origin<Circle<double>> {
  static Circle<double> point() { return {}; }
};
template <class S> std::vector<S> entries(const Circle<S>& q) { return {q.c, q.s}; }
INSTANTIATE_TYPED_TEST_SUITE_P(Circle, SpaceLaws, ::testing::Types<Circle<double>>);
INSTANTIATE_TYPED_TEST_SUITE_P(Circle, TangentLaws, ::testing::Types<Circle<double>>);
INSTANTIATE_TYPED_TEST_SUITE_P(Circle, ChartLaws, ::testing::Types<Circle<double>>);

namespace {

TEST(AddASpace, PendulumOnTheCircleIsThePendulumInTheAngle) {
  const System circle{[](const auto& q, const auto& w) { return 0.5 * w.dot(w) + q.c; }};
  const System angle{[](const auto& q, const auto& v) { return 0.5 * v.dot(v) + cos(q[0]); }};
  const Vector<double, 1> theta(1.0), rate(0.4);
  const Circle<double> q{cos(1.0), sin(1.0)};
  const auto a = advance(Flow(gauss(2), circle), initial(circle, q, rate), 0.1, 100);
  const auto b = advance(Flow(gauss(2), angle), initial(angle, theta, rate), 0.1, 100);
  EXPECT_NEAR(a.q.s, sin(b.q[0]), 1e-13);
  EXPECT_NEAR(a.p[0], b.p[0], 1e-13);
}

TEST(StateASystem, LagrangianWithTime) {
  const System driven{[](double t, const auto& q, const auto& v) {
    return 0.5 * v.dot(v) + cos(q[0]) + 0.3 * std::sin(2.0 * t) * q[0];
  }};
  const auto start = initial(driven, Vector<double, 1>(1.0), Vector<double, 1>(0.5), 2.0);
  EXPECT_EQ(start.t, 2.0);
  EXPECT_EQ(start.p[0], 0.5);
  const double a = acceleration(driven, 2.0, start.q, start.p).a[0];
  EXPECT_NEAR(a, -std::sin(1.0) + 0.3 * std::sin(4.0), 1e-9);
}

TEST(StateASystem, ManyBodies) {
  const Vector<double, 6> mass(5.0, 5.0, 1.0, 1.0, 2.0, 2.0);
  const System bodies{Separable{mass, over_pairs<2>([mass](int i, int j, const auto& r) {
                                  return -mass[2 * i] * mass[2 * j] / r;
                                })}};
  Vector<double, 6> q;
  q << 0.0, 0.0, 1.0, 0.0, 0.0, 2.0;
  const Vector<double, 6> rest = Vector<double, 6>::Zero();
  EXPECT_NEAR(energy(bodies, q, rest), -5.0 - 10.0 / 2.0 - 2.0 / std::sqrt(5.0), 1e-14);
  EXPECT_TRUE((Flow(verlet(), bodies).is_explicit<Vector<double, 6>>()));
}

TEST(StateASystem, Damping) {
  const double c = 0.2;
  const System damped{[](const auto& q, const auto& v) { return 0.5 * v.dot(v) + cos(q[0]); },
                      Force{[c](const auto&, const auto& v) { return (-c * v).eval(); }}};
  const Vector<double, 1> q(1.0), v(0.5);
  EXPECT_NEAR(acceleration(damped, 0.0, q, v).a[0], -std::sin(1.0) - 0.1, 1e-15);
}

TEST(StateASystem, SeveralConstraints) {
  const System rods{[](const auto& q, const auto& v) { return 0.5 * v.dot(v) - q[1] - q[3]; },
                    Holonomic{[](const auto& q) {
                      using S = std::decay_t<decltype(q[0])>;
                      const S x = q[2] - q[0], y = q[3] - q[1];
                      return Vector<S, 2>(q[0] * q[0] + q[1] * q[1] - 1.0, x * x + y * y - 1.0);
                    }}};
  const Vector<double, 4> hanging(0.0, -1.0, 0.0, -2.0);
  const auto start = initial(rods, hanging, Vector<double, 4>(Vector<double, 4>::Zero()));
  EXPECT_NEAR(2.0 * start.lambda[0], -2.0, 1e-14);  // Gᵀλ: the upper rod carries both weights
  EXPECT_NEAR(2.0 * start.lambda[1], -1.0, 1e-14);
  const System driven{[](const auto& q, const auto& v) { return 0.5 * v.dot(v) - q[1]; },
                      Holonomic{[](const auto& t, const auto& q) {
                        const auto x = q[0] - 0.3 * sin(2.0 * t);
                        return x * x + q[1] * q[1] - 1.0;
                      }}};
  const auto following = initial(driven, Vector<double, 2>(1.0, 0.0), Vector<double, 2>(0.6, 0.2));
  EXPECT_LT(constraint_defect(driven, Flow(lobatto(3), driven)(following, 0.1)).velocity, 1e-14);
}

TEST(StateASystem, NonholonomicConstraints) {
  const System sleigh{[](const auto& q, const auto& v) {
                        const auto x = v[0] - 0.5 * v[2] * sin(q[2]);
                        const auto y = v[1] + 0.5 * v[2] * cos(q[2]);
                        return 0.5 * (x * x + y * y + v[2] * v[2]);
                      },
                      Nonholonomic{[](const auto& q, const auto& v) {
                        return v[1] * cos(q[2]) - v[0] * sin(q[2]);
                      }}};
  const Flow rolling(nh_lobatto(3), sleigh);
  using V3 = Vector<double, 3>;
  const auto start = initial(sleigh, V3(0, 0, 0), V3(-0.5, 0, 1));
  const auto end = rolling(start, 0.1);
  EXPECT_LT(constraint_defect(sleigh, end).velocity, 1e-15);
}

TEST(StateASystem, BodyThatMovesAndTurns) {
  using Body = Product<SO3<double>, Vector<double, 3>>;
  const System body{[](const auto& q, const auto& v) {
    const Vector<double, 3> inertia(1.0, 2.0, 3.0);
    const auto w = v.template head<3>();
    const auto u = v.template tail<3>();
    return 0.5 * w.dot(inertia.cwiseProduct(w)) + 0.5 * u.dot(u) - 9.81 * get<1>(q)[2];
  }};
  Vector<double, 6> v;
  v << 0.1, 0.2, 0.3, 1.0, 0.0, 0.0;
  const auto start = initial(body, Body(SO3<double>(), Vector<double, 3>(0.0, 0.0, 2.0)), v);
  EXPECT_NEAR(start.p[1], 0.4, 1e-15);
  EXPECT_NEAR(start.p[3], 1.0, 1e-15);
}

const System pendulum{[](const auto& q, const auto& v) { return 0.5 * v.dot(v) + cos(q[0]); }};
const auto start = initial(pendulum, Vector<double, 1>(1.0), Vector<double, 1>(0.4));

TEST(ChooseAMethod, Compositions) {
  const Method fourth = triple_jump(verlet());
  const Method sixth = triple_jump(fourth);
  const Method second = compose({{euler_a(), 0.5}, {euler_b(), 0.5}}, 2);
  EXPECT_EQ(fourth.order(), 4);
  EXPECT_EQ(sixth.order(), 6);
  EXPECT_TRUE(second.symmetric());
}

TEST(ChooseAMethod, SymmetryOnGroups) {
  const Vector<double, 3> inertia(1.0, 1.4, 0.6);
  const System top{Separable{inertia, [](const auto& R) { return R(2, 2) + 0.3 * R(2, 0); }}};
  const auto tilted = initial(top, SO3<double>(rotation(inertia, Retraction::cayley)), inertia);
  const Flow geodesic(midpoint(), top, {.retraction = Retraction::exponential});
  const Flow rational(midpoint(), top, {.retraction = Retraction::cayley});
  const Flow ends(trapezoid(), top, {.retraction = Retraction::cayley});
  EXPECT_TRUE(check_reversible(geodesic, tilted, 0.1).passes());
  EXPECT_FALSE(check_reversible(rational, tilted, 0.1).passes());
  EXPECT_TRUE(check_reversible(ends, tilted, 0.1).passes());
}

TEST(CheckAFlow, Certified) {
  const Flow flow(gauss(2), pendulum);
  const OrderReport order = check_order(flow, start, 3.0);
  EXPECT_EQ(order.declared, 4);
  EXPECT_NEAR(order.measured, 4.0, 0.1);
  EXPECT_TRUE(order.passes());
  EXPECT_TRUE(check_symplectic(flow, start, 0.1).passes());
  EXPECT_TRUE(check_reversible(flow, start, 0.1, 10).passes());
  EXPECT_TRUE(check_action(flow, start, 0.1).passes());
}

TEST(CheckAFlow, WrongDeclarationFails) {
  const Method wrong = compose({{euler_a(), 1.0}}, 2, "euler_a, said to be of order 2");
  EXPECT_FALSE(check_order(Flow(wrong, pendulum), start, 1.0).passes());
  EXPECT_FALSE(check_reversible(Flow(wrong, pendulum), start, 0.1).passes());
}

TEST(AddAMethod, SimpsonOnTheStraightPath) {
  const DoubleDouble sixth = DoubleDouble(1.0) / 6.0;
  const std::vector<DoubleDouble> c{0.0, 0.5, 1.0};
  const std::vector<DoubleDouble> b{sixth, 4.0 * sixth, sixth};
  // Ξⁱ = h cᵢ u, Hⁱ = u, ξ = h u: one unknown velocity, three quadrature points
  const StageCoefficients path(c, b, c, {1.0, 1.0, 1.0}, {1.0});
  const Method simpson("simpson", 2, true, true, path);
  const Flow flow(simpson, pendulum);
  EXPECT_TRUE(check_order(flow, start, 3.0).passes());
  EXPECT_TRUE(check_action(flow, start, 0.1).passes());
  const Flow same(galerkin(1, parse_quadrature("simpson")), pendulum);
  EXPECT_NEAR(flow(start, 0.1).q[0], same(start, 0.1).q[0], 1e-15);
}

}  // namespace
}  // namespace varia
