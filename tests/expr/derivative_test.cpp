// SPDX-License-Identifier: BSD-3-Clause
// Derivatives of expressions: against differences, against jets, against each other; sparsity.
#include "varia/expr/derivative.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "random_expression.hpp"
#include "refusal.hpp"
#include "varia/ad/jet2.hpp"
#include "varia/expr/parse.hpp"
#include "varia/expr/print.hpp"
#include "varia/expr/tape.hpp"
#include "varia/expr/tape_scalar.hpp"

namespace varia::expr::derivative_test {
namespace {

std::vector<double> values(const Graph& g, const std::vector<Id>& f, const std::vector<double>& x) {
  const Tape tape(g, f, static_cast<int>(x.size()));
  std::vector<double> work(tape.instructions().size()), out(f.size());
  tape.evaluate(x.data(), out.data(), work.data());
  return out;
}

double value(const Graph& g, Id f, const std::vector<double>& x) { return values(g, {f}, x)[0]; }

/// Central difference, extrapolated once.
double difference(const Graph& g, Id f, std::vector<double> x, std::size_t k) {
  const auto central = [&](double h) {
    std::vector<double> right = x, left = x;
    right[k] += h;
    left[k] -= h;
    return (value(g, f, right) - value(g, f, left)) / (2 * h);
  };
  return (4 * central(5e-4) - central(1e-3)) / 3;
}

const std::vector<int> three{0, 1, 2};
const std::vector<std::string> names{"x", "y", "z"};

TEST(Derivative, GradientAgainstDifferences) {
  Graph g;
  RandomExpression random(g, 1);
  for (int k = 0; k < 300; ++k) {
    const Id f = random(12);
    const std::vector<double> x = random.point();
    const std::vector<Id> df = gradient(g, f, three);
    for (std::size_t i = 0; i < 3; ++i) {
      const double expected = difference(g, f, x, i);
      EXPECT_NEAR(value(g, df[i], x), expected, 1e-6 * (1 + std::abs(expected)))
          << to_text(g, f, names);
      EXPECT_EQ(derivative(g, f, static_cast<int>(i)), df[i]);
    }
  }
}

TEST(Derivative, GradientAndHessianAgainstJets) {
  Graph g;
  RandomExpression random(g, 2);
  for (int k = 0; k < 1000; ++k) {
    const Id f = random(20);
    const std::vector<double> x = random.point();
    const std::vector<Id> df = gradient(g, f, three);
    const std::vector<Entry> ddf = hessian(g, df, three);

    std::vector<Jet2<3>> in, work;
    for (int i = 0; i < 3; ++i) in.push_back(Jet2<3>::variable(x[static_cast<std::size_t>(i)], i));
    Jet2<3> jet;
    Tape(g, {f}, 3).evaluate_as(in.data(), &jet, work);

    const std::vector<double> first = values(g, df, x);
    double scale = 1;
    for (const double d : jet.g) scale = std::max(scale, std::abs(d));
    for (const double d : jet.H) scale = std::max(scale, std::abs(d));
    std::map<std::pair<int, int>, double> second;
    for (const Entry& e : ddf) second[{e.row, e.column}] = value(g, e.value, x);
    EXPECT_NEAR(value(g, f, x), jet.v, 1e-12 * (1 + std::abs(jet.v)));
    for (int i = 0; i < 3; ++i) {
      EXPECT_NEAR(first[static_cast<std::size_t>(i)], jet.g[i], 1e-11 * scale)
          << to_text(g, f, names);
      for (int j = 0; j <= i; ++j) {
        const auto found = second.find({i, j});
        EXPECT_NEAR(found == second.end() ? 0.0 : found->second, jet.hess(i, j), 1e-10 * scale)
            << to_text(g, f, names);
      }
    }
  }
}

TEST(Derivative, HessianIsTheDerivativeOfTheGradient) {
  Graph g;
  RandomExpression random(g, 3);
  for (int k = 0; k < 200; ++k) {
    const Id f = random(15);
    const std::vector<double> x = random.point();
    const std::vector<Id> df = gradient(g, f, three);
    const std::vector<Entry> full = jacobian(g, df, three);
    for (const Entry& e : full) {
      const double reverse =
          value(g, derivative(g, df[static_cast<std::size_t>(e.row)], e.column), x);
      EXPECT_NEAR(value(g, e.value, x), reverse, 1e-10 * (1 + std::abs(reverse)));
    }
    // what is missing is zero
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        bool present = false;
        for (const Entry& e : full) present = present || (e.row == i && e.column == j);
        if (!present) {
          const Id d = derivative(g, df[static_cast<std::size_t>(i)], j);
          EXPECT_NEAR(value(g, d, x), 0.0, 1e-12);
        }
      }
  }
}

struct Names {
  Graph g;
  Scope scope;
  std::vector<int> all;
  Id operator()(const std::string& text) { return parse(g, scope, text); }
  void scalars(const std::vector<std::string>& list) {
    for (const std::string& name : list) {
      scope.add(name, g.variable(static_cast<int>(all.size())));
      all.push_back(static_cast<int>(all.size()));
    }
  }
  void array(const std::string& name, int n) {
    std::vector<Id> ids;
    for (int k = 0; k < n; ++k) {
      ids.push_back(g.variable(static_cast<int>(all.size())));
      all.push_back(static_cast<int>(all.size()));
    }
    scope.add_array(name, 1, ids);
  }
};

TEST(Derivative, KeplerIsAboutADozenOperations) {
  Names k;
  k.scalars({"x", "y", "x_dot", "y_dot"});
  k.scope.add("mu", k.g.constant(3.5));
  const Id f = k("(x_dot^2 + y_dot^2)/2 + mu/sqrt(x^2 + y^2)");
  const std::vector<Id> df = gradient(k.g, f, k.all);
  EXPECT_LE(Tape(k.g, df, 4).operations(), 12);
  EXPECT_EQ(df[2], k("x_dot"));
  const std::vector<Entry> h = hessian(k.g, df, k.all);
  std::vector<Id> entries;
  for (const Entry& e : h) entries.push_back(e.value);
  const Tape second(k.g, entries, 4);
  EXPECT_LE(second.operations(), 18);
  int divisions = 0;
  for (const Instruction& i : second.instructions()) divisions += i.op == Op::div;
  EXPECT_EQ(divisions, 1);
  ASSERT_EQ(h.size(), 5u);  // 3 of position, 2 of velocity, none mixed
  EXPECT_TRUE(k.g.is_constant(h[3].value, 1.0));
  EXPECT_TRUE(k.g.is_constant(h[4].value, 1.0));
}

TEST(Derivative, QuadraticFormsHaveConstantSecondDerivatives) {
  Names k;
  k.scalars({"x", "x_dot", "y_dot"});
  k.scope.add("m", k.g.constant(2.5));
  for (const char* text :
       {"m*x_dot^2/2", "x_dot*m*x_dot/2", "m*(x_dot^2 + y_dot^2)/2", "(x_dot + y_dot)^2/3",
        "m/2*(x_dot - 3*y_dot)^2", "x_dot*y_dot/7 - y_dot*y_dot", "(2*x_dot)^2 - (x_dot - 1)^2"}) {
    const std::vector<Entry> h = hessian(k.g, gradient(k.g, k(text), k.all), k.all);
    EXPECT_FALSE(h.empty()) << text;
    for (const Entry& e : h) {
      EXPECT_TRUE(k.g.is_constant(e.value)) << text << ": " << to_text(k.g, e.value, names);
      EXPECT_NE(e.column, 0) << text;
    }
  }
}

TEST(Derivative, ChainIsTridiagonal) {
  Names k;
  k.array("q", 512);
  k.array("q_dot", 512);
  const Id f =
      k("sum(i, 1, 512, q_dot[i]^2)/2 - sum(i, 1, 511, (q[i+1] - q[i])^2/2 + (q[i+1] - q[i])^4/4)");
  const std::vector<Id> df = gradient(k.g, f, k.all);
  for (int i = 0; i < 512; ++i) {
    const std::vector<int> local = variables_of(k.g, df[static_cast<std::size_t>(i)]);
    EXPECT_GE(local.front(), i - 1);
    EXPECT_LE(local.back(), i + 1);
  }
  const std::vector<Entry> h = hessian(k.g, df, k.all);
  EXPECT_EQ(h.size(), 512u + 511u + 512u);
  for (std::size_t n = 0; n < h.size(); ++n) {
    EXPECT_LE(h[n].row - h[n].column, h[n].row < 512 ? 1 : 0);
    EXPECT_GE(h[n].row, h[n].column);
    EXPECT_TRUE(h[n].row < 512 || k.g.is_constant(h[n].value, 1.0));
    EXPECT_TRUE(n == 0 || h[n].row > h[n - 1].row ||
                (h[n].row == h[n - 1].row && h[n].column > h[n - 1].column));
  }
  EXPECT_LT(k.g.size(), 30000u) << "work grows with the number of bodies, not its square";
  // a linear chain has constants only
  const Id linear = k("sum(i, 1, 511, (q[i+1] - q[i])^2)");
  for (const Entry& e : hessian(k.g, gradient(k.g, linear, k.all), k.all))
    EXPECT_TRUE(k.g.is_constant(e.value));
}

TEST(Derivative, ManyBodies) {
  Names k;
  for (const char* c : {"x", "y", "z"}) k.array(c, 6);
  const Id f =
      k("sum(i, 1, 5, sum(j, i + 1, 6, i*j/sqrt((x[i]-x[j])^2 + (y[i]-y[j])^2 + (z[i]-z[j])^2)))");
  const std::vector<Id> df = gradient(k.g, f, k.all);
  const std::vector<Entry> h = hessian(k.g, df, k.all);
  EXPECT_EQ(h.size(), 18u * 19u / 2u);
  EXPECT_LE(Tape(k.g, df, 18).operations(), 15 * 22);
  std::vector<double> at;
  for (int i = 0; i < 18; ++i) at.push_back(std::sin(3.7 * i));
  for (const Entry& e : h) {
    const double expected =
        value(k.g, derivative(k.g, df[static_cast<std::size_t>(e.row)], e.column), at);
    EXPECT_NEAR(value(k.g, e.value, at), expected, 1e-10 * (1 + std::abs(expected)));
  }
}

TEST(Derivative, SeparabilityIsSeen) {
  Names k;
  k.scalars({"x", "y", "x_dot", "y_dot"});
  const auto mixed = [&](const char* text) {
    int count = 0;
    for (const Entry& e : hessian(k.g, gradient(k.g, k(text), k.all), k.all))
      count += e.row >= 2 && e.column < 2;
    return count;
  };
  EXPECT_EQ(mixed("(x_dot^2 + y_dot^2)/2 - cos(x)*exp(y)"), 0);
  EXPECT_EQ(mixed("x_dot^2*(1 + y^2)/2"), 1);
  EXPECT_EQ(mixed("x*y_dot - y*x_dot"), 2);
}

TEST(Derivative, StepsHaveNoDerivative) {
  Names k;
  k.scalars({"x", "y", "z"});
  EXPECT_TRUE(k.g.is_constant(derivative(k.g, k("sign(x)"), 0), 0.0));
  const std::vector<double> low{1, 2, 0}, high{3, 2, 0};
  const Id smaller = derivative(k.g, k("min(x^2, y)"), 0);
  EXPECT_DOUBLE_EQ(value(k.g, smaller, low), 2.0);
  EXPECT_DOUBLE_EQ(value(k.g, smaller, high), 0.0);
  const Id larger = derivative(k.g, k("max(x, y)"), 1);
  EXPECT_DOUBLE_EQ(value(k.g, larger, low), 1.0);
  EXPECT_DOUBLE_EQ(value(k.g, larger, high), 0.0);
  EXPECT_TRUE(jacobian(k.g, {k("sign(x)")}, {0}).empty());
}

TEST(Derivative, SubstitutionIsComposition) {
  Graph g;
  RandomExpression random(g, 4);
  for (int k = 0; k < 200; ++k) {
    const Id f = random(15);
    const Id u = g.add(g.mul(g.constant(0.3), random(3)), g.variable(1));
    const std::vector<double> x = random.point();
    const double inner = value(g, u, x);
    const Id composed = substitute(g, f, {{0, u}, {2, g.variable(0)}});
    const double expected = value(g, f, {inner, x[1], x[0]});
    EXPECT_NEAR(value(g, composed, x), expected, 1e-10 * (1 + std::abs(expected)));
  }
  // all at once, not one after the other
  const Id x = g.variable(0), y = g.variable(1);
  const std::vector<Id> swapped = substitute(g, {g.sub(x, y), g.mul(x, x)}, {{0, y}, {1, x}});
  EXPECT_EQ(swapped[0], g.sub(y, x));
  EXPECT_EQ(swapped[1], g.mul(y, y));
  EXPECT_TRUE(
      g.is_constant(substitute(g, g.div(x, y), {{0, g.constant(6)}, {1, g.constant(3)}}), 2.0));
  refusal([&] { substitute(g, x, {{0, y}, {0, x}}); });
}

TEST(Derivative, DependenceIsExact) {
  Graph g;
  const Id f = g.add(g.variable(7), g.mul(g.variable(3), g.make(Op::sin, g.variable(7))));
  EXPECT_EQ(variables_of(g, f), (std::vector<int>{3, 7}));
  EXPECT_TRUE(variables_of(g, g.constant(2)).empty());
  refusal([&] { hessian(g, {f}, {3, 7}); });
  refusal([&] { jacobian(g, {f}, {3, 3}); });
}

TEST(Derivative, DepthDoesNotMatter) {
  Graph g;
  Id f = g.variable(0);
  for (int k = 0; k < 200000; ++k) f = g.make(k % 2 == 0 ? Op::sin : Op::atan, f);
  const Id df = derivative(g, f, 0);
  EXPECT_TRUE(std::isfinite(value(g, df, {0.5})));
  EXPECT_EQ(hessian(g, {f}, {0}).size(), 1u);
  EXPECT_EQ(to_text(g, f, {"x"}, 50).size(), 50u);
}

/// A small expression at the top of a large graph is looked at by itself, a large one together with
/// what lies below; both give the same.
TEST(Derivative, DoesNotDependOnWhatElseIsInTheGraph) {
  const std::string text = "x*y^3 + sqrt(x^2 + y^2)^3 - sin(x*y)/(1 + y^2)";
  std::vector<std::vector<double>> found;
  for (const int others : {0, 40000}) {
    Graph g;
    Scope scope;
    scope.add("x", g.variable(0));
    scope.add("y", g.variable(1));
    Id filler = g.variable(2);
    for (int k = 0; k < others; ++k) filler = g.make(Op::sin, filler);
    const Id f = parse(g, scope, text);
    EXPECT_EQ(variables_of(g, f), (std::vector<int>{0, 1}));
    std::vector<Id> all = gradient(g, f, {0, 1});
    for (const Entry& entry : hessian(g, gradient(g, f, {0, 1}), {0, 1}))
      all.push_back(entry.value);
    all.push_back(substitute(g, f, {{0, g.constant(2.0)}}));
    found.push_back(values(g, all, {0.7, 1.3, 0.1}));
    if (others == 0) continue;
    // the whole graph below the sum
    EXPECT_EQ(variables_of(g, g.add(f, filler)), (std::vector<int>{0, 1, 2}));
  }
  EXPECT_EQ(found[0], found[1]);
}

}  // namespace
}  // namespace varia::expr::derivative_test
