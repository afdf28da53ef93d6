// SPDX-License-Identifier: BSD-3-Clause
// Constraints that follow from others are found and named; those that contradict each other too.
#include "varia/mechanics/dependent_constraints.hpp"

#include <gtest/gtest.h>

#include "refusal.hpp"
#include "varia/mechanics/make_kernel_system.hpp"
#include "varia/mechanics/system.hpp"
#include "varia/space/euclidean.hpp"

namespace varia::dependent_constraints_test {
namespace {

using V3 = Vector<double, 3>;

/// A particle in space with the given φ.
template <class F> auto particle(F phi) {
  return System{[](const auto&, const auto& v) { return 0.5 * v.dot(v); }, Holonomic{phi}};
}

TEST(DependentConstraints, IndependentOnesAreLeftAlone) {
  const auto system = particle([](const auto& q) {
    using S = std::decay_t<decltype(q[0])>;
    return Vector<S, 2>(q.dot(q) - 1.0, 1000.0 * q[2]);
  });
  const ConstraintRank rank = dependent_constraints(system, V3(0.6, 0.8, 0.0));
  EXPECT_TRUE(rank.independent());
  EXPECT_EQ(rank.rank(), 2);
  EXPECT_EQ(rank.count, 2);
}

TEST(DependentConstraints, CombinationsAreNamed) {
  // ∇φ₃ = ∇φ₁ + 4 z ∇φ₂ with φ₂ = z/2, on z = 0: ∇φ₃ = ∇φ₁
  const auto system = particle([](const auto& q) {
    using S = std::decay_t<decltype(q[0])>;
    const S plane = q[0] - 2.0 * q[1];
    return Vector<S, 3>(plane, 0.5 * q[2], 3.0 * plane - q[2]);
  });
  const ConstraintRank rank = dependent_constraints(system, V3(0.8, 0.4, 0.0));
  ASSERT_EQ(rank.dependencies.size(), 1U);
  const Dependency& x = rank.dependencies[0];
  EXPECT_EQ(x.last, 2);
  EXPECT_EQ(x.constraints, (std::vector<int>{0, 1}));
  EXPECT_NEAR(x.coefficients[0], 3.0, 1e-12);
  EXPECT_NEAR(x.coefficients[1], -2.0, 1e-12);
  EXPECT_NEAR(x.value, 0.0, 1e-12);
  EXPECT_EQ(to_text(x), "grad phi[3] = 3 grad phi[1] - 2 grad phi[2]");
  EXPECT_EQ(to_text(x, {"a", "b", "c"}), "grad (c) = 3 grad (a) - 2 grad (b)");
  expect_words(to_text(rank), {"3 constraints", "only 2 of them independent"});
  EXPECT_EQ(rank.left_out(), (std::vector<int>{2}));
}

/// Copies of one constraint: all are counted, the first three are named.
TEST(DependentConstraints, ManyAreCounted) {
  const auto text = [](int copies) {
    const auto system = particle([copies](const auto& q) {
      using S = std::decay_t<decltype(q[0])>;
      Vector<S, Dynamic> phi(1 + copies);
      for (int i = 0; i <= copies; ++i) phi[i] = (1.0 + i) * q[0];
      return phi;
    });
    return to_text(dependent_constraints(system, V3(0.0, 0.4, 0.3)));
  };
  EXPECT_EQ(text(1), "2 constraints, but only 1 of them independent: grad phi[2] = 2 grad phi[1]");
  EXPECT_EQ(text(2),
            "3 constraints, but only 1 of them independent: grad phi[2] = 2 grad phi[1]; "
            "grad phi[3] = 3 grad phi[1]");
  EXPECT_EQ(text(5),
            "6 constraints, but only 1 of them independent: grad phi[2] = 2 grad phi[1]; "
            "grad phi[3] = 3 grad phi[1]; grad phi[4] = 4 grad phi[1]; and 2 more");
}

TEST(DependentConstraints, LongRelationsAreCounted) {
  ConstraintRank rank;
  rank.count = 10;
  rank.dependencies.push_back(
      {9, {0, 1, 2, 3, 4, 5, 6, 7, 8}, std::vector<double>(9, -1.0 / 3.0), 0.0});
  EXPECT_EQ(to_text(rank),
            "10 constraints, but only 9 of them independent: phi[10] follows from 9 others");
  const std::vector<std::string> names{std::string(150, 'a'), "b"};
  rank.count = 2;
  rank.dependencies = {{1, {0}, {2.0}, 0.0}};
  EXPECT_EQ(to_text(rank, names),
            "2 constraints, but only 1 of them independent: (b) follows from 1 other");
}

TEST(DependentConstraints, ContradictionsHaveAValue) {
  const auto system = particle([](const auto& q) {
    using S = std::decay_t<decltype(q[0])>;
    return Vector<S, 2>(q.dot(q) - 1.0, 2.0 * q.dot(q) - 4.0);
  });
  const ConstraintRank rank = dependent_constraints(system, V3(0.6, 0.8, 0.0));
  ASSERT_EQ(rank.dependencies.size(), 1U);
  EXPECT_NEAR(rank.dependencies[0].value, -2.0, 1e-12);
}

TEST(DependentConstraints, AVanishingGradientIsItsOwnCase) {
  const auto system = particle([](const auto& q) {
    const auto x = q.dot(q) - 1.0;
    return x * x;
  });
  const ConstraintRank rank = dependent_constraints(system, V3(0.0, 1.0, 0.0));
  EXPECT_EQ(rank.without_gradient(), 0);
  EXPECT_EQ(to_text(rank.dependencies[0]), "grad phi[1] = 0");
}

/// Units do not matter, small angles do.
TEST(DependentConstraints, TheAngleDecides) {
  for (const double angle : {1e-3, 1e-6, 1e-12}) {
    const auto system = particle([angle](const auto& q) {
      using S = std::decay_t<decltype(q[0])>;
      return Vector<S, 2>(1e9 * q[0], 1e-9 * (q[0] + angle * q[1]));
    });
    EXPECT_EQ(dependent_constraints(system, V3(0.0, 0.0, 1.0)).independent(), angle > 1e-8)
        << angle;
  }
}

/// So among many, of which all but two are at right angles.
TEST(DependentConstraints, TheAngleDecidesAmongManyToo) {
  constexpr int n = 40;
  Pattern pattern;
  std::vector<double> gradient;
  const auto add = [&](int row, int column, double value) {
    pattern.row.push_back(row);
    pattern.column.push_back(column);
    gradient.push_back(value);
  };
  for (int a = 0; a < n - 1; ++a) add(a, a, 1.0 + a);
  add(n - 1, 17, 3.0);
  const std::vector<double> phi(n, 0.0);
  for (const double angle : {1e-1, 1e-3, 1e-6, 1e-12, 0.0}) {
    if (angle < 0.1) pattern.row.pop_back(), pattern.column.pop_back(), gradient.pop_back();
    add(n - 1, n - 1, 3.0 * angle);
    const ConstraintRank rank = dependent_constraints(pattern, n, n, phi.data(), gradient.data());
    EXPECT_EQ(rank.independent(), angle > 1e-8) << angle;
    EXPECT_EQ(rank.left_out(), angle > 1e-8 ? std::vector<int>{} : std::vector<int>{n - 1});
  }
}

/// Rods along a line and one rod over several of them, beyond the size where the order is kept.
TEST(DependentConstraints, LongListsAreSparse) {
  for (const int n : {200, 2000}) {
    expr::Graph g;
    KernelFormulas formulas;
    formulas.space = ProductSpace({euclidean(n)});
    std::vector<expr::Id> kinetic;
    const auto x = [&](int i) { return g.variable(1 + i); };
    for (int i = 0; i < n; ++i) {
      const auto v = g.variable(1 + n + i);
      kinetic.push_back(g.mul(v, v));
      if (i > 0 && i < n - 4) formulas.constraints.push_back(g.sub(x(i), x(i - 1)));
    }
    formulas.lagrangian = g.sum(kinetic);
    const std::vector<double> q(static_cast<std::size_t>(n), 0.3);
    EXPECT_TRUE(dependent_constraints(*make_kernel_system(g, formulas), q.data()).independent());
    formulas.constraints.push_back(g.mul(g.constant(5.0), g.sub(x(12), x(9))));
    const auto system = make_kernel_system(g, formulas);
    const ConstraintRank rank = dependent_constraints(*system, q.data());
    ASSERT_EQ(rank.dependencies.size(), 1U) << n;
    // one of 9-10, 10-11, 11-12 and the long one; which of them depends on the order
    std::vector<int> all = rank.dependencies[0].constraints;
    all.push_back(rank.dependencies[0].last);
    std::sort(all.begin(), all.end());
    EXPECT_EQ(all, (std::vector<int>{9, 10, 11, system->d - 1})) << n;
  }
}

TEST(MakeKernelSystem, RefusesWhatIsNoConstraint) {
  expr::Graph g;
  KernelFormulas formulas;
  formulas.space = ProductSpace({euclidean(1)});
  formulas.lagrangian = g.mul(g.variable(2), g.variable(2));
  formulas.constraints = {g.variable(2)};
  expect_has(refusal([&] { make_kernel_system(g, formulas); }), "constraint 1");
  formulas.constraints = {g.constant(1.0)};
  expect_has(refusal([&] { make_kernel_system(g, formulas); }), "coordinate");
  formulas.constraints.clear();
  formulas.force = {g.variable(1), g.variable(1)};
  expect_has(refusal([&] { make_kernel_system(g, formulas); }), "components");
  formulas.space = ProductSpace();
  EXPECT_THROW(make_kernel_system(g, formulas), InvalidArgument);
}

}  // namespace
}  // namespace varia::dependent_constraints_test
