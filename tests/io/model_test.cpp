// SPDX-License-Identifier: BSD-3-Clause
// From text to functions: numbers, Hamiltonians, and derivatives of Lagrangians on rotations against
// automatic differentiation of the same Lagrangian in C++.
#include "varia/io/model.hpp"

#include <gtest/gtest.h>

#include "models.hpp"
#include "refusal.hpp"
#include "varia/flow/legendre_transform.hpp"
#include "varia/io/stepper.hpp"
#include "varia/mechanics/system.hpp"
#include "varia/space/mixed.hpp"
#include "varia/space/product.hpp"
#include "varia/verify/typed_view.hpp"

namespace varia::io::model_test {
namespace {

using V3 = Vector<double, 3>;
std::string refused(const std::string& text) {
  return refusal<ScenarioError>([&] { make_stepper(models::model_of(text)); });
}

double value_of(const Model& model) {
  const auto x = model.system->point(model.t0, model.q0.data(), model.rates0.data());
  double l = 0.0;
  model.system->value(x.data(), &l);
  return l;
}

TEST(Model, ParametersAreExpressionsAndArrays) {
  const Model m = models::model_of(models::scenario(R"~(coordinates = ["x"]
lagrangian = "b*x_dot^2/2 - c[2]*x - sum(i, 1, n, c[i]*i)"
[system.parameters]
a = 2
b = "a^2 + sin(pi/2)"
n = 3
c = [1, "b/2", "-c0"]
c0 = 4)~",
                                                    "x = \"a\"\nx_dot = \"c[1]\""),
                                   {"c=[1, \"b/2\", -4]"});
  EXPECT_DOUBLE_EQ(m.parameters.at("b"), 5.0);
  EXPECT_DOUBLE_EQ(m.parameters.at("c[2]"), 2.5);
  EXPECT_DOUBLE_EQ(m.q0[0], 2.0);
  EXPECT_DOUBLE_EQ(m.rates0[0], 1.0);
  // 5/2 - 2.5*2 - (1 + 5 - 12)
  EXPECT_DOUBLE_EQ(value_of(m), 3.5);
}

TEST(Model, ParametersUseEarlierOnesOnly) {
  const auto with = [](const std::string& parameters) {
    return models::single("x_dot^2/2", "[system.parameters]\n" + parameters);
  };
  expect_words(refused(with("a = \"b\"\nb = 1")), {"system.parameters.a", "b", "later"});
  expect_words(refused(with("a = \"a + 1\"")), {"system.parameters.a", "itself"});
  expect_words(refused(with("a = \"b\"\nb = \"a\"")), {"system.parameters.a", "cycle"});
  expect_words(refused(with("a = \"x\"")), {"system.parameters.a", "x"});
  expect_words(refused(with("a = \"1/0\"")), {"system.parameters.a"});
  expect_words(refused(with("a = \"sqrt(-1)\"")), {"system.parameters.a"});
  expect_words(refused(with("a = \"1e308*10\"")), {"system.parameters.a"});
}

TEST(Model, ArraysStartByIndex) {
  const Model m = models::model_of(models::scenario(
      "coordinates = [\"u\", \"q[2..5]\"]\nparameters = { w = [10, 20, 30, 40, 50] }\n"
      "lagrangian = \"u_dot^2/2 + sum(i, 2, 5, i*q_dot[i]^2)/2 - sum(i, 2, 4, (q[i+1] - q[i])^2)\"",
      "u = 7\nu_dot = 8\nq = \"w[i] + i\"\nq_dot = [1, \"2*i\", 3, 4]"));
  EXPECT_EQ(m.q0, (std::vector<double>{7, 22, 33, 44, 55}));
  EXPECT_EQ(m.rates0, (std::vector<double>{8, 1, 6, 3, 4}));
  EXPECT_EQ(m.entry_names, (std::vector<std::string>{"u", "q[2]", "q[3]", "q[4]", "q[5]"}));
  EXPECT_DOUBLE_EQ(value_of(m), 32.0 + (2 + 3 * 36 + 4 * 9 + 5 * 16) / 2.0 - 3 * 121.0);
  EXPECT_EQ(m.system->mass_diagonal, (std::vector<double>{1, 2, 3, 4, 5}));
}

TEST(Model, StepsAndSpans) {
  const auto run = [](const std::string& lines) {
    return models::model_of(
        "[system]\ncoordinates = [\"x\"]\nlagrangian = \"x_dot^2/2\"\n"
        "[start]\nx = 0\nx_dot = 1\nt = 1\n[run]\nmethod = \"verlet\"\n" +
        lines);
  };
  EXPECT_EQ(run("step = 0.1\nuntil = 2").steps, 10);
  EXPECT_EQ(run("step = -0.1\nuntil = 0").steps, 10);
  EXPECT_EQ(run("step = \"pi/100\"\nuntil = \"1 + 2*pi\"").steps, 200);
  EXPECT_EQ(run("step = 0.1\nuntil = 1").steps, 0);
  const Model uneven = run("step = 0.3\nuntil = 2");
  EXPECT_EQ(uneven.steps, 3);
  ASSERT_EQ(uneven.notes.size(), 1U);
  expect_words(uneven.notes[0], {"until", "1.9"});
  expect_words(refusal<ScenarioError>([&] { run("step = 0.1\nuntil = 0"); }), {"run.until"});
  expect_words(refusal<ScenarioError>([&] { run("step = 0\nuntil = 2"); }), {"run.step"});
  expect_words(refusal<ScenarioError>([&] { run("step = 1e-300\nuntil = 2"); }), {"run.step"});
}

// ---------------------------------------------------------------- Hamiltonians

/// L, its gradient and its Hessian are those of the other model at points near the start.
void expect_same_lagrangian(const Model& a, const Model& b, double tolerance) {
  ASSERT_EQ(a.system->n, b.system->n);
  const int n = a.system->n;
  const TypedLagrangian la(a.system), lb(b.system);
  for (int k = 0; k < 10; ++k) {
    Vn q(n), v(n);
    for (int i = 0; i < n; ++i) {
      q[i] = 0.7 + 0.3 * std::sin(3.0 * k + i);
      v[i] = std::cos(2.0 * k - 1.3 * i);
    }
    const double t = 0.3 * k;
    EXPECT_NEAR(la(t, q, v), lb(t, q, v), tolerance * (1 + std::abs(lb(t, q, v))));
    Gradient<Dynamic> ga, gb;
    Hessian<Dynamic> ha, hb;
    la.hessian(t, q, v, ga, ha);
    lb.hessian(t, q, v, gb, hb);
    EXPECT_LT((ga.q - gb.q).norm() + (ga.v - gb.v).norm(), tolerance * (1 + gb.q.norm()));
    EXPECT_LT((ha.qq - hb.qq).norm() + (ha.qv - hb.qv).norm() + (ha.vv - hb.vv).norm(),
              tolerance * (1 + hb.qq.norm()));
  }
}

std::string planar_hamiltonian(const std::string& h) {
  return models::scenario("coordinates = [\"x\", \"y\"]\nhamiltonian = \"" + h + "\"",
                          "x = 0.7\ny = -0.4\nx_p = 0.3\ny_p = 0.9");
}

TEST(Model, HamiltoniansBecomeLagrangians) {
  expect_same_lagrangian(
      models::model_of(planar_hamiltonian("x_p^2/(2*1.7) + y_p^2/(2*0.3) + x^2*y^2/(1 + x^2)")),
      models::model_of(models::planar("1.7*x_dot^2/2 + 0.3*y_dot^2/2 - x^2*y^2/(1 + x^2)")), 1e-13);
  // mixed momenta: A = [[2, 1], [1, 1]], A^-1 = [[1, -1], [-1, 2]]
  expect_same_lagrangian(
      models::model_of(planar_hamiltonian("x_p^2 + x_p*y_p + y_p^2/2 + sin(x - y)")),
      models::model_of(models::planar("x_dot^2/2 - x_dot*y_dot + y_dot^2 - sin(x - y)")), 1e-13);
  // a magnetic field: H = |p - A|^2/2 + V has L = |v|^2/2 + A.v - V
  expect_same_lagrangian(
      models::model_of(planar_hamiltonian("((x_p + y)^2 + (y_p - x)^2)/2 + x*y")),
      models::model_of(models::planar("(x_dot^2 + y_dot^2)/2 - y*x_dot + x*y_dot - x*y")), 1e-13);
  // b(q).p with b = (sin y, x), and time: L = |v - b|^2/2 - c
  expect_same_lagrangian(
      models::model_of(planar_hamiltonian("(x_p^2 + y_p^2)/2 + sin(y)*x_p + x*y_p + cos(t)*x")),
      models::model_of(models::planar("((x_dot - sin(y))^2 + (y_dot - x)^2)/2 - cos(t)*x")), 1e-13);
  // and a wrong one is seen
  const Model a = models::model_of(planar_hamiltonian("(x_p^2 + y_p^2)/2 + x*y"));
  const Model b = models::model_of(models::planar("(x_dot^2 + y_dot^2)/2 + x*y"));
  EXPECT_GT(std::abs(value_of(a) - value_of(b)), 0.1);
}

TEST(Model, HamiltonianMotionIsTheLagrangianOne) {
  const auto end = [](const std::string& text) {
    const auto run = make_stepper(models::model_of(text));
    run->advance(0.05, 40);
    Snapshot s;
    run->snapshot(s);
    return s;
  };
  std::string lagrangian = models::planar("(x_dot^2 + y_dot^2)/2 - y*x_dot + x*y_dot - x*y");
  std::string hamiltonian = planar_hamiltonian("((x_p + y)^2 + (y_p - x)^2)/2 + x*y");
  // p = v + A: x_p = 0.3 - y = 0.7, y_p = 0.9 + x = 1.6
  hamiltonian.replace(hamiltonian.find("x_p = 0.3"), 9, "x_p = 0.7");
  hamiltonian.replace(hamiltonian.find("y_p = 0.9"), 9, "y_p = 1.6");
  const Snapshot a = end(lagrangian), b = end(hamiltonian);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_NEAR(a.q[i], b.q[i], 1e-13);
    EXPECT_NEAR(a.v[i], b.v[i], 1e-13);
    EXPECT_NEAR(a.p[i], b.p[i], 1e-13);
  }
}

/// Without a Lagrangian they are integrated as they are.
TEST(Model, OtherHamiltoniansAreKept) {
  for (const char* h :
       {"x_p^4 + y_p^2", "x*x_p^2 + y_p^2", "sqrt(1 + x_p^2) + y_p^2/2", "cos(t)*x_p^2 + y_p^2",
        "x_p^2/2 + y", "x_p + y_p", "x + y", "(x_p + y_p)^2/2"}) {
    const Model model = models::model_of(planar_hamiltonian(h));
    ASSERT_NE(model.hamiltonian, nullptr) << h;
    EXPECT_EQ(model.hamiltonian->uses_time, std::string(h).find("cos(t)") == 0) << h;
    Snapshot s;
    make_stepper(model)->snapshot(s);
    EXPECT_EQ(s.q, model.q0) << h;
    EXPECT_EQ(s.p, model.rates0) << h;
  }
  expect_words(refused(planar_hamiltonian("x_dot^2 + y_p^2")), {"system.hamiltonian", "x_dot"});
}

TEST(Model, IterationTakesNoConstraints) {
  std::string text = models::spherical_pendulum();
  text.insert(text.find("method ="), "solver = \"fixed_point\"\n");
  expect_words(refused(text), {"run.solver", "constraints", "newton"});
}

TEST(Model, DegenerateLagrangiansAreRefused) {
  expect_words(refused(models::planar("x*y_dot - y*x_dot - x^2 - y^2")),
               {"start.x_dot", "linear in the velocities"});
  expect_words(refused(models::planar("x_dot^2/2 - x*y")), {"system.lagrangian", "mass"});
  expect_words(refused(models::planar("(x_dot + y_dot)^2/2 - x^2 - y^2")), {"system.lagrangian"});
  expect_words(refused(models::planar("x^2 + y^2")), {"system.lagrangian", "degenerate"});
}

TEST(Model, StartsOutsideTheDomainAreNamed) {
  expect_words(refused(models::planar("(x_dot^2 + y_dot^2)/2 + 1/(x - 0.7)")),
               {"system.lagrangian", "start"});
  expect_words(refused(models::planar("(x_dot^2 + y_dot^2)/2 + log(y)")),
               {"system.lagrangian", "start", "log"});
  expect_words(refused(models::planar("(x_dot^2 + y_dot^2)/2", "force = { x = \"1/(x - 0.7)\" }")),
               {"system.force.x", "start"});
  // not only velocities: a start by momenta has a domain too
  expect_words(refused(planar_hamiltonian("(x_p^2 + y_p^2)/2 + log(y)")),
               {"system.hamiltonian", "start"});
}

TEST(Model, DependentConstraintsAreToldFromContradictions) {
  const auto with = [](const char* second) {
    std::string text = models::planar("(x_dot^2 + y_dot^2)/2",
                                      std::string("holonomic = [\"x - 0.7\", \"") + second + "\"]");
    text.replace(text.find("x_dot = 0.3"), 11, "x_dot = 0");
    return text.replace(text.find("gauss(2)"), 8, "verlet");
  };
  expect_words(refused(with("2*x - 1.4")), {"system.holonomic[1]", "dependent", "leave_out"});
  expect_words(refused(with("2*x - 1.5")), {"system.holonomic[1]", "contradict", "0.1"});
}

TEST(Model, StartsOffTheConstraintAreRefusedOrMoved) {
  const std::string circle = "holonomic = [\"x^2 + y^2 - 1\"]";
  std::string text = models::planar("(x_dot^2 + y_dot^2)/2", circle);
  text.replace(text.find("gauss(2)"), 8, "verlet");
  expect_words(refused(text), {"start", "constraint", "project = true"});
  text.replace(text.find("[start]"), 7, "[start]\nproject = true");
  Snapshot s;
  make_stepper(models::model_of(text))->snapshot(s);
  EXPECT_NEAR(s.q[0] * s.q[0] + s.q[1] * s.q[1], 1.0, 1e-14);
  EXPECT_NEAR(s.q[0] * s.v[0] + s.q[1] * s.v[1], 0.0, 1e-14);
  expect_words(refused(models::planar("(x_dot^2 + y_dot^2)/2", "holonomic = [\"1\"]")),
               {"holonomic"});
  expect_words(refused(models::planar("(x_dot^2 + y_dot^2)/2", "holonomic = [\"x_dot\"]")),
               {"holonomic", "x_dot"});
  expect_words(
      refused(models::planar("(x_dot^2 + y_dot^2)/2", "holonomic = [\"x\",\"y\",\"x-y\"]")),
      {"holonomic", "3 constraints"});
}

// ---------------------------------------------------------------- rotations

template <class L, class Q>
void expect_same_derivatives(const TypedLagrangian& text, const MixedPoint<double>& at, const L& l,
                             const Q& q, const Tangent<Q>& v) {
  Gradient<Dynamic> g, alone;
  Hessian<Dynamic> h;
  text.hessian(0.0, at, Vn(v), g, h);
  text.gradient(0.0, at, Vn(v), alone);
  GradientOf<Q> exact;
  HessianOf<Q> second;
  l.hessian(0.0, q, v, exact, second);
  EXPECT_NEAR(text(0.0, at, Vn(v)), l(0.0, q, v), 1e-12);
  EXPECT_LT((g.q - alone.q).norm() + (g.v - alone.v).norm(), 1e-13);
  EXPECT_LT((g.q - exact.q).norm() + (g.v - exact.v).norm(), 1e-12);
  EXPECT_LT((h.qq - second.qq).norm(), 1e-12);
  EXPECT_LT((h.qv - second.qv).norm(), 1e-12);
  EXPECT_LT((h.vv - second.vv).norm(), 1e-12);
  EXPECT_GT(second.qq.norm(), 1e-3);  // there is something to compare
}

Vn entries(const SO3<double>& r, const Vn& x = Vn()) {
  Vn result(9 + x.size());
  for (int i = 0; i < 9; ++i) result[i] = r(i / 3, i % 3);
  result.tail(x.size()) = x;
  return result;
}

SO3<double> some_rotation(int k) {
  return SO3<double>(rotation(V3(std::sin(k + 1.0), std::cos(2.0 * k), 0.7 * std::sin(3.0 * k)),
                              Retraction::exponential));
}

/// The potential is not linear in R and the kinetic energy depends on R.
TEST(Model, DerivativesOnRotationsAreThoseOfJets) {
  const Model model = models::model_of(models::scenario(
      "coordinates = [{ name = \"R\", space = \"SO3\" }]\nlagrangian = \"(R_w1^2 + 1.4*R_w2^2 + "
      "0.6*R_w3^2)/2 + 0.2*R12*R_w1*R_w3 - 1.3*(R33 + 0.3*R31) - R11*R22^2 + exp(R13*R21)\"",
      "R = { angle_axis = [0.4, 0, 0] }\nR_w1 = 0\nR_w2 = 0\nR_w3 = 1"));
  const Lagrangian l([](const auto& r, const auto& w) {
    using std::exp;
    return 0.5 * (w[0] * w[0] + 1.4 * w[1] * w[1] + 0.6 * w[2] * w[2]) +
           0.2 * r(0, 1) * w[0] * w[2] - 1.3 * (r(2, 2) + 0.3 * r(2, 0)) -
           r(0, 0) * r(1, 1) * r(1, 1) + exp(r(0, 2) * r(1, 0));
  });
  for (int k = 0; k < 5; ++k) {
    const SO3<double> r = some_rotation(k);
    expect_same_derivatives(TypedLagrangian(model.system),
                            MixedPoint<double>({rotations()}, entries(r)), l, r,
                            V3(0.3, -0.5 * k, 1.0));
  }
}

TEST(Model, DerivativesOnMovingBodiesAreThoseOfJets) {
  const Model model = models::model_of(models::scenario(
      "coordinates = [{ name = \"R\", space = \"SO3\" }, \"x\", \"y\", \"z\"]\nlagrangian = "
      "\"(R_w1^2 "
      "+ 1.4*R_w2^2 + 0.6*R_w3^2)/2 + x_dot^2 + y_dot^2 + z_dot^2 + 0.3*R_w2*(R21*x_dot + "
      "R22*y_dot) "
      "- (x + R13)^2*(y - R23) - sin(z*R33)\"",
      "R = { angle_axis = [0.4, 0, 0] }\nx = 0\ny = 0\nz = 0\nx_dot = 0\ny_dot = 0\nz_dot = 0\n"
      "R_w1 = 0\nR_w2 = 0\nR_w3 = 1"));
  EXPECT_EQ(space_name(model), "SO(3) x R^3");
  using Q = Product<SO3<double>, V3>;
  const Lagrangian l([](const auto& q, const auto& v) {
    const auto& r = get<0>(q);
    const auto& x = get<1>(q);
    using std::sin;
    return 0.5 * (v[0] * v[0] + 1.4 * v[1] * v[1] + 0.6 * v[2] * v[2]) + v[3] * v[3] + v[4] * v[4] +
           v[5] * v[5] + 0.3 * v[1] * (r(1, 0) * v[3] + r(1, 1) * v[4]) -
           (x[0] + r(0, 2)) * (x[0] + r(0, 2)) * (x[1] - r(1, 2)) - sin(x[2] * r(2, 2));
  });
  for (int k = 0; k < 3; ++k) {
    const SO3<double> r = some_rotation(k);
    const V3 x(0.3 * k, 0.5, -0.7);
    Vector<double, 6> v;
    v << 0.3, -0.4, 0.9, 0.1 * k, 0.5, -0.2;
    expect_same_derivatives(TypedLagrangian(model.system),
                            MixedPoint<double>({rotations(), euclidean(3)}, entries(r, x)), l,
                            Q(r, x), v);
  }
}

TEST(Model, RotationsStartInThreeForms) {
  const auto start = [](const std::string& form) {
    return models::model_of(models::scenario(
        "coordinates = [{ name = \"R\", space = \"SO3\" }]\nlagrangian = \"R_w1^2+R_w2^2+R_w3^2\"",
        "R = " + form + "\nR_w1 = 0\nR_w2 = 0\nR_w3 = 1"));
  };
  // a quarter turn about the third axis
  const std::vector<double> exact{0, -1, 0, 1, 0, 0, 0, 0, 1};
  for (const char* form : {"{ angle_axis = [0, 0, \"pi/2\"] }", "{ quaternion = [2, 0, 0, 2] }",
                           "{ matrix = [[0, -1, 0], [1, 0, 0], [0, 0, 1]] }"}) {
    const Model model = start(form);
    for (std::size_t i = 0; i < 9; ++i) EXPECT_NEAR(model.q0[i], exact[i], 1e-15) << form;
  }
  expect_words(
      refusal<ScenarioError>([&] { start("{ matrix = [[0, 1, 0], [1, 0, 0], [0, 0, 1]] }"); }),
      {"start.R", "determinant"});
  expect_words(refusal<ScenarioError>([&] { start("{ quaternion = [0, 0, 0, 0] }"); }),
               {"start.R", "quaternion"});
}

/// Entries of arrays know their index, one after the other and where one is given by itself; what has
/// no index does not know the last one.
TEST(Model, EntriesOfArraysKnowTheirIndex) {
  const auto text = [](const std::string& force) {
    return models::scenario(
        "coordinates = [\"q[1..4]\", \"x\"]\nlagrangian = \"sum(i, 1, 4, q_dot[i]^2)/2 + "
        "x_dot^2/2\"\n[system.force]\n" +
            force,
        "q = \"10*i\"\n\"q[2]\" = \"i - 5\"\nx = 7\nq_dot = \"-i\"\nx_dot = 0");
  };
  const Model model = models::model_of(text("q = \"i*q[i]\"\n\"q[3]\" = \"100 + i\"\nx = \"x\""));
  EXPECT_EQ(model.q0, (std::vector<double>{10, -3, 30, 40, 7}));
  EXPECT_EQ(model.rates0, (std::vector<double>{-1, -2, -3, -4, 0}));
  std::vector<double> force(5);
  model.system->force(model.system->point(0.0, model.q0.data(), model.rates0.data()).data(),
                      force.data());
  EXPECT_EQ(force, (std::vector<double>{10, -6, 103, 160, 7}));
  expect_words(refusal<ScenarioError>([&] { models::model_of(text("q = \"i\"\nx = \"i\"")); }),
               {"system.force.x", "i"});
}

}  // namespace
}  // namespace varia::io::model_test
