// SPDX-License-Identifier: BSD-3-Clause
// Parameters that stay free: constants of a program by their value, inputs of native code by their place.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "native_sandbox.hpp"
#include "refusal.hpp"
#include "varia/expr/derivative.hpp"
#include "varia/expr/kernel.hpp"
#include "varia/expr/parse.hpp"

namespace varia::expr::parameter_test {
namespace {

/// f(x) = a sin(b x) + x/a
struct Formula {
  explicit Formula(double a_value, double b_value) {
    Scope scope;
    scope.add("x", graph.variable(0));
    scope.add("a", graph.parameter(a_value));
    scope.add("b", graph.parameter(b_value));
    f = parse(graph, scope, "a*sin(b*x) + x/a");
  }
  std::shared_ptr<const Tape> tape(Id id) const {
    return std::make_shared<const Tape>(graph, std::vector<Id>{id}, 1);
  }
  double at(Id id, double x) const {
    double out = 0.0;
    Kernel(tape(id))(&x, &out);
    return out;
  }
  Graph graph;
  Id f = 0;
};

TEST(Parameter, HasItsValue) {
  const Formula p(2.0, 3.0);
  EXPECT_DOUBLE_EQ(p.at(p.f, 0.7), 2.0 * std::sin(2.1) + 0.35);
  EXPECT_EQ(p.graph.parameters(), (std::vector<double>{2.0, 3.0}));
}

TEST(Parameter, IsNoVariableButCanBeDifferentiatedBy) {
  Formula p(2.0, 3.0);
  EXPECT_EQ(variables_of(p.graph, p.f), std::vector<int>{0});
  const Id by_a = derivative(p.graph, p.f, Graph::first_parameter);
  const Id by_b = derivative(p.graph, p.f, Graph::first_parameter + 1);
  EXPECT_DOUBLE_EQ(p.at(by_a, 0.7), std::sin(3.0 * 0.7) - 0.7 / 4.0);
  EXPECT_DOUBLE_EQ(p.at(by_b, 0.7), 2.0 * 0.7 * std::cos(3.0 * 0.7));
}

TEST(Parameter, MakesNumbersThatDependOnIt) {
  Graph g;
  const Id a = g.parameter(2.0);
  const Id b = g.add(g.mul(a, a), g.constant(1.0));
  EXPECT_TRUE(variables_of(g, b).empty());
  EXPECT_FALSE(g.is_constant(b));
  EXPECT_EQ(number_of(g, b), 5.0);
}

TEST(Parameter, MustBeFinite) {
  Graph g;
  EXPECT_NE(refusal([&] { g.parameter(std::numeric_limits<double>::infinity()); }).find("finite"),
            std::string::npos);
}

class NativeParameter : public Sandbox {};

TEST_F(NativeParameter, OtherValuesNeedNoCompiler) {
  const Formula first(2.0, 3.0);
  const Formula second(-1.5, 0.4);
  const auto tape = first.tape(first.f);
  const auto other = second.tape(second.f);
  Kernel kernel(tape);
  kernel.attach(NativeModule::compile({{"f", tape.get()}}), "f");
  const auto module = NativeModule::compile({{"f", other.get()}});
  EXPECT_TRUE(module->from_cache());
  Kernel again(other);
  again.attach(module, "f");
  const double x = 0.7;
  double out = 0.0;
  kernel(&x, &out);
  EXPECT_EQ(out, first.at(first.f, x));
  again(&x, &out);
  EXPECT_EQ(out, second.at(second.f, x));
}

}  // namespace
}  // namespace varia::expr::parameter_test
