// SPDX-License-Identifier: BSD-3-Clause
// A problem stated by callables is the one stated by text. Also conditions.hpp.
#include "varia/control/optimal_control.hpp"

#include <gtest/gtest.h>

#include "problems/controlled.hpp"
#include "refusal.hpp"
#include "varia/space/se2.hpp"
#include "varia/space/so3.hpp"

namespace varia::optimal_control_test {
namespace {

using namespace problems;
using Eigen::VectorXd;
using V2 = Vector<double, 2>;
using V3 = Vector<double, 3>;

/// Largest difference of all functions with their derivatives, somewhere.
double difference(const ControlProblem& a, const ControlProblem& b, const ControlGuess& guess) {
  ChainPoint at = a.guess(guess);
  const ChainPoint from = at;
  a.move(from, random_direction(a, 0.3, 7), 1.0, at);
  double largest = 0.0;
  const auto compare = [&](const auto& x, const auto& y) {
    ASSERT_EQ(x.size(), y.size());
    if (x.size() > 0) largest = std::max(largest, (x - y).cwiseAbs().maxCoeff());
  };
  for (int k = 0; k < a.steps(); ++k) {
    const ChainStepSizes s = a.sizes(k);
    ChainStep x, y;
    a.evaluate(k, at, VectorXd::Ones(s.y), VectorXd::Ones(s.g), ChainOrder::all, x);
    b.evaluate(k, at, VectorXd::Ones(s.y), VectorXd::Ones(s.g), ChainOrder::all, y);
    compare(x.rows, y.rows);
    compare(x.inequalities, y.inequalities);
    compare(x.jacobian, y.jacobian);
    compare(x.hessian, y.hessian);
    largest = std::max(largest, std::abs(x.cost - y.cost));
  }
  for (const bool end : {false, true}) {
    ChainEnd x, y;
    const auto evaluate = [&](const ControlProblem& p, ChainEnd& out) {
      const VectorXd nu = VectorXd::Ones(end ? p.end_rows() : p.start_rows());
      if (end)
        p.evaluate_end(at, nu, ChainOrder::all, out);
      else
        p.evaluate_start(at, nu, ChainOrder::all, out);
    };
    evaluate(a, x);
    evaluate(b, y);
    compare(x.rows, y.rows);
    compare(x.hessian, y.hessian);
  }
  return largest;
}

TEST(OptimalControl, OnAVectorSpaceWithEverything) {
  const ControlTexts texts = controlled::everything();
  OptimalControl<V2> c({texts.inputs, 1, texts.parameters},
                       [](const auto&, const auto&, const auto&) { return 0.0; });
  // L has a parameter: it is stated by the moment
  c.lagrangian([](const auto& s) {
    const auto &x = s.q[0], &y = s.q[1], &vx = s.v[0], &vy = s.v[1], &k = s.theta[0];
    return (1.0 + 0.3 * sin(s.t)) * s.v.dot(s.v) * 0.5 + 0.1 * vx * vx * vx * vx +
           0.2 * x * x * vy * vy + k * x * vy / 5.0 - k * k * x * x * x * x / 4.0 - y * y / 2.0 -
           x * cos(2.0 * s.t);
  });
  c.force([](const auto& s) {
    return s.covector(s.u[0] * cos(s.q[0]) - 0.1 * s.v[0],
                      s.u[1] + 0.2 * s.u[0] * s.u[0] + s.a[0] * s.q[1] - s.t * s.theta[0]);
  });
  c.rates([](const auto& s) { return -s.a[0] * s.u[0] + s.v[0] * s.theta[0] + s.t; });
  c.cost([](const auto& s) {
    return s.u.dot(s.u) * 0.5 + s.q[0] * s.q[0] * s.v[1] + s.a[0] * s.a[0] + s.t * s.theta[0];
  });
  c.final_cost([](const auto& s) {
    return s.q[0] * s.p[0] + s.v[1] * s.v[1] + s.a[0] * s.theta[0] + s.t * s.t;
  });
  c.path(
      "g", [](const auto& s) { return s.q[0] * s.q[0] + s.u[0] * s.a[0]; }, -unbounded, 4.0);
  c.path(
      "v", [](const auto& s) { return s.v[1] + s.theta[0]; }, -3.0, 3.0);
  c.at_start("x", [](const auto& s) { return s.q[0] - 0.5; });
  c.at_start("y", [](const auto& s) { return s.q[1] * s.v[1] + 0.24; });
  c.at_start("m", [](const auto& s) { return s.a[0] - 0.1; });
  c.at_end("x", [](const auto& s) { return s.q[0] + s.p[1] * s.a[0] - s.theta[0]; });
  c.at_end("t", [](const auto& s) { return s.t * s.q[1]; });
  ControlGuess guess = guess_at_start(texts);
  guess.parameters = {1.0};
  EXPECT_LT(difference(control_problem(texts, gauss(2)), c.problem(gauss(2), texts.time), guess),
            1e-13);
}

TEST(OptimalControl, OnRotations) {
  const ControlTexts texts = controlled::body();
  OptimalControl<SO3<double>> c({.inputs = texts.inputs}, [](const auto& r, const auto& w) {
    return (w[0] * w[0] + 2.0 * w[1] * w[1] + 3.0 * w[2] * w[2]) * 0.5 - r.matrix(2, 2) +
           0.3 * r.matrix(0, 1) * w[0];
  });
  c.force([](const auto& s) {
    return s.covector(s.u[0] - 0.1 * s.v[0], s.u[0] * s.q.matrix(0, 0), 0.5 * s.u[0] * s.u[0]);
  });
  c.cost([](const auto& s) {
    const auto w = s.v[2] * s.v[2];
    return s.u[0] * s.u[0] * s.q.matrix(1, 1) * 0.5 + w * w;
  });
  c.final_cost([](const auto& s) { return s.q.matrix(0, 2) * s.v[1] + s.p[0] * s.p[0]; });
  c.path(
      "g", [](const auto& s) { return s.q.matrix(2, 0) * s.u[0] + s.v[0]; }, -5.0, 5.0);
  EXPECT_LT(difference(control_problem(texts, gauss(2)), c.problem(gauss(2), texts.time),
                       guess_at_start(texts)),
            1e-13);
}

TEST(OptimalControl, OnAProductWithAConstraint) {
  ControlTexts texts = controlled::plane_body();
  texts.system.constraints = {"x - sin(t)"};
  OptimalControl<Product<SE2<double>, Vector<double, 1>>> c(
      {.inputs = texts.inputs}, [](const auto& q, const auto& v) {
        const auto& g = get<0>(q);
        const auto& x = get<1>(q)[0];
        return (v[0] * v[0] + 1.3 * v[1] * v[1] + 0.7 * v[2] * v[2]) * 0.5 + 0.2 * v[2] * v[1] +
               v[3] * v[3] * 0.5 - (g.x - x) * (g.x - x) * 0.5 - g.y * g.y / 4.0;
      });
  c.force([](const auto& s) {
    return s.covector(s.u[0] * cos(get<1>(s.q)[0]), -0.2 * s.v[1], s.u[0], s.u[0] * s.v[2]);
  });
  c.holonomic([](const auto& s) { return get<1>(s.q)[0] - sin(s.t); });
  c.cost([](const auto& s) { return s.u[0] * s.u[0] * 0.5; });
  EXPECT_LT(difference(control_problem(texts, lobatto(3)), c.problem(lobatto(3), texts.time),
                       guess_at_start(texts)),
            1e-13);
}

/// Two rows on the sphere, as many as there are directions: the frame is not seen.
TEST(Conditions, FixAPoint) {
  expr::Graph graph;
  for (const char* name : {"R", "SO2", "SO3", "SE2", "SE3", "S2"}) {
    const ProductSpace space({find_space(name), find_space("R")});
    Vn q(space.entries()), xi = Vn::LinSpaced(space.dof(), 0.3, 0.8), there = q;
    for (const auto& place : space.factors()) place.factor->origin(q.data() + place.entry);
    space.retract(q.data(), xi.data(), Retraction::exponential, q.data());
    const std::vector<std::string> names(static_cast<std::size_t>(space.dof()), "x");
    const auto rows = fixed_point(graph, space, q.data(), names);
    const auto hidden = static_cast<int>(space.vertical().size());
    ASSERT_EQ(static_cast<int>(rows.size()), space.dof() - hidden) << name;
    std::vector<expr::Id> ids;
    for (const ControlRow& row : rows) ids.push_back(row.f);
    const expr::Kernel kernel(std::make_shared<const expr::Tape>(graph, ids, 1 + space.entries()));
    const auto values = [&](const Vn& displacement) {
      there.resize(q.size());
      space.retract(q.data(), displacement.data(), Retraction::exponential, there.data());
      std::vector<double> input{0.0};
      input.insert(input.end(), there.begin(), there.end());
      VectorXd out(static_cast<Eigen::Index>(rows.size()));
      kernel(input.data(), out.data());
      return out;
    };
    Vn delta = Vn::Zero(space.dof());
    EXPECT_LT(values(delta).cwiseAbs().maxCoeff(), 1e-15) << name;
    for (int i = 0; i < space.dof(); ++i) {
      delta.setZero();
      delta[i] = 0.1;
      const bool vertical = hidden > 0 && i == space.vertical().front();
      if (vertical)
        EXPECT_LT(values(delta).cwiseAbs().maxCoeff(), 1e-15);
      else
        EXPECT_GT(values(delta).cwiseAbs().maxCoeff(), 0.09) << name << i;
    }
  }
}

TEST(Conditions, AStraightLineLeadsFromOneToTheOther) {
  OptimalControl<SO3<double>> c({.inputs = {{"u"}}},
                                [](const auto&, const auto& w) { return 0.5 * w.dot(w); });
  const auto turned =
      Space<SO3<double>>::retract(SO3<double>(), V3(0.3, -0.4, 1.2), Retraction::exponential);
  const ControlTime time{1.0, 3.0, 4, {}};
  EXPECT_THROW(c.straight_line(time), InvalidArgument);
  c.start(SO3<double>(), V3::Zero());
  c.end(turned, V3::Zero());
  EXPECT_EQ(c.formulas().start.size(), 6u);
  const ControlGuess guess = c.straight_line(time);
  double q[9];
  guess.q(3.0, q);
  EXPECT_NEAR(q[1], turned.matrix(0, 1), 1e-14);
  guess.q(2.0, q);
  const auto half = Space<SO3<double>>::read(q);
  EXPECT_NEAR((half.matrix * half.matrix - turned.matrix).norm(), 0.0, 1e-14);
}

}  // namespace
}  // namespace varia::optimal_control_test
