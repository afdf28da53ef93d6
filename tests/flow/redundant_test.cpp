// SPDX-License-Identifier: BSD-3-Clause
// Dependent constraints are refused by name, or left out with the motion unchanged; inconsistent
// ones are refused.
#include <gtest/gtest.h>

#include <functional>

#include "refusal.hpp"
#include "varia/flow/stage_flow.hpp"
#include "varia/mechanics/make_kernel_system.hpp"
#include "varia/methods/methods.hpp"
#include "varia/verify/typed_view.hpp"

namespace varia::redundant_test {
namespace {

using expr::Graph, expr::Id;

/// Two particles in the plane, weight 1 and masses 1 and 2, with constraints that `make` appends.
std::shared_ptr<KernelSystem> particles(
    const std::function<void(Graph&, const std::vector<Id>&, std::vector<Id>&)>& make) {
  Graph g;
  KernelFormulas formulas;
  formulas.space = ProductSpace({euclidean(4)});
  std::vector<Id> q, terms;
  for (int i = 0; i < 4; ++i) {
    q.push_back(g.variable(1 + i));
    const Id v = g.variable(5 + i);
    terms.push_back(g.mul(g.constant(i < 2 ? 0.5 : 1.0), g.mul(v, v)));
  }
  terms.push_back(g.neg(q[1]));
  terms.push_back(g.neg(g.mul(g.constant(2.0), q[3])));
  formulas.lagrangian = g.sum(terms);
  make(g, q, formulas.constraints);
  return make_kernel_system(g, formulas);
}

Id square(Graph& g, Id a) { return g.mul(a, a); }
Id circle(Graph& g, Id x, Id y, double radius2) {
  return g.sub(g.add(square(g, x), square(g, y)), g.constant(radius2));
}

/// A double pendulum: |q₁| = 1, |q₂ - q₁| = 1.
void rods(Graph& g, const std::vector<Id>& q, std::vector<Id>& phi) {
  phi.push_back(circle(g, q[0], q[1], 1.0));
  phi.push_back(circle(g, g.sub(q[2], q[0]), g.sub(q[3], q[1]), 1.0));
}
/// The same twice: φ₃ = 2φ₁ - 3φ₂ everywhere.
void rods_and_sum(Graph& g, const std::vector<Id>& q, std::vector<Id>& phi) {
  rods(g, q, phi);
  phi.push_back(g.sub(g.mul(g.constant(2.0), phi[0]), g.mul(g.constant(3.0), phi[1])));
}

Vn four(double a, double b, double c, double d) {
  Vn x = Vn::Zero(4);
  x[0] = a;
  x[1] = b;
  x[2] = c;
  x[3] = d;
  return x;
}

const Vn hanging = four(0.6, -0.8, 1.4, -1.4);
const Vn at_rest = Vn::Zero(4);

TEST(Redundant, RefusedByName) {
  const auto system = particles(rods_and_sum);
  const VectorState s = initial(*system, hanging, at_rest);
  const std::string text =
      refusal<DependentConstraints>([&] { StageFlow(verlet(), system).memory(s); });
  expect_words(text, {"grad phi[3] = 2 grad phi[1] - 3 grad phi[2]", "leave_out_dependent"});
}

TEST(Redundant, LeftOutTheMotionIsTheSame) {
  const auto plain = particles(rods);
  const auto redundant = particles(rods_and_sum);
  FlowOptions options;
  options.leave_out_dependent = true;
  for (const char* name :
       {"verlet", "lobatto(3)", "lobatto(4)", "midpoint", "triple_jump(verlet)"}) {
    const StageFlow a(parse_method(name), plain);
    const StageFlow b(parse_method(name), redundant, options);
    VectorState s = initial(*plain, hanging, at_rest);
    VectorState t = initial(*redundant, hanging, at_rest);
    EXPECT_LT((s.lambda - t.lambda.head(2)).norm(), 1e-12);
    auto ma = a.memory(s);
    auto mb = b.memory(t);
    s = a.steps(s, 0.02, 100, ma);
    t = b.steps(t, 0.02, 100, mb);
    EXPECT_LT((s.q - t.q).norm() + (s.p - t.p).norm(), 1e-12) << name;
    EXPECT_EQ(t.lambda[2], 0.0) << name;
    EXPECT_LT(std::abs(t.lambda[0] - s.lambda[0]), 1e-9) << name;
    EXPECT_LT(constraint_defect(*redundant, t).position, 1e-13) << name;
    EXPECT_GT((t.q - hanging).norm(), 0.1) << name;
  }
}

/// y = 0 and y = x² touch at the origin: the gradients are parallel at the start only, and what was
/// left out is violated at once.
TEST(Redundant, WhatOnlyLookedDependentIsNoticed) {
  const auto system = particles([](Graph& g, const std::vector<Id>& q, std::vector<Id>& phi) {
    phi.push_back(q[1]);
    phi.push_back(g.sub(q[1], square(g, q[0])));
  });
  FlowOptions options;
  options.leave_out_dependent = true;
  const Vn v = four(1.0, 0.0, 0.0, 0.0);
  const VectorState s = initial(*system, Vn(Vn::Zero(4)), v);
  const StageFlow flow(verlet(), system, options);
  auto memory = flow.memory(s);
  expect_words(refusal<SingularConstraints>([&] { flow.steps(s, 0.1, 1, memory); }),
               {"constraint 2", "left out"});
}

TEST(Redundant, AVanishingGradientIsRefused) {
  const auto system = particles([](Graph& g, const std::vector<Id>& q, std::vector<Id>& phi) {
    phi.push_back(square(g, circle(g, q[0], q[1], 1.0)));
  });
  FlowOptions options;
  options.leave_out_dependent = true;
  const VectorState s = initial(*system, hanging, at_rest);
  expect_words(
      refusal<DependentConstraints>([&] { StageFlow(verlet(), system, options).memory(s); }),
      {"gradient of constraint 1", "vanishes"});
}

/// Concentric circles: the start can lie on one of them only.
TEST(Inconsistent, TheStartIsRefused) {
  const auto system = particles([](Graph& g, const std::vector<Id>& q, std::vector<Id>& phi) {
    phi.push_back(circle(g, q[0], q[1], 1.0));
    phi.push_back(circle(g, q[0], q[1], 1.44));
  });
  const TypedView view(system);
  expect_words(refusal<InconsistentConstraints>([&] { initial(view, hanging, at_rest); }),
               {"contradict", "grad phi[2] = grad phi[1]", "cannot vanish together"});
  EXPECT_THROW(project(view, hanging, at_rest), InconsistentConstraints);
}

/// Circles that do not meet have independent gradients almost everywhere; the search ends between them.
TEST(Inconsistent, ProjectionEndsBetweenDisjointCircles) {
  for (const double distance : {3.0, 1.5}) {
    const auto system = particles([&](Graph& g, const std::vector<Id>& q, std::vector<Id>& phi) {
      phi.push_back(circle(g, q[0], q[1], 1.0));
      phi.push_back(circle(g, g.sub(q[0], g.constant(distance)), q[1], 1.0));
    });
    const TypedView view(system);
    const auto search = [&] { return project(view, hanging, at_rest); };
    if (distance > 2.0) {
      expect_words(refusal<InconsistentConstraints>(search), {"phi[1]", "phi[2]"});
    } else {
      EXPECT_NEAR(search().first[0], 0.75, 1e-14);
    }
  }
}

/// Projection onto redundant constraints works, and is that onto the independent ones.
TEST(Redundant, ProjectionIsThatOfTheIndependentOnes) {
  Vn q = hanging;
  q[0] += 0.05;
  q[3] -= 0.04;
  const Vn v = four(1.0, 0.3, -0.2, 0.5);
  const auto a = project(*particles(rods), q, v);
  const auto b = project(*particles(rods_and_sum), q, v);
  EXPECT_LT((a.first - b.first).norm() + (a.second - b.second).norm(), 1e-13);
}

}  // namespace
}  // namespace varia::redundant_test
