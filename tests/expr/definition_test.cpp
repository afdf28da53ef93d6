// SPDX-License-Identifier: BSD-3-Clause
// Definitions: a use is its text in parentheses, once in the graph; mistakes are told in its own text.
#include "varia/expr/definition.hpp"

#include "refusal.hpp"
#include "text_fixture.hpp"
#include "varia/expr/derivative.hpp"

namespace varia::expr::definition_test {
namespace {

struct DefinitionTest : TextFixture {
  DefinitionTest() {
    scope.add("x", g.variable(0));
    scope.add("y", g.variable(1));
    scope.add("mu", g.constant(3.5));
    scope.add_array("q", 1, {g.variable(2), g.variable(3), g.variable(4), g.variable(5)});
    scope.add_index("i", 2);
  }
};

TEST_F(DefinitionTest, AUseIsTheTextInParentheses) {
  let("r", "x + y");
  let("d[k]", "q[k+1] - q[k]");
  let("c[k, l]", "q[k]*q[l]^2");
  let("V(s)", "mu*s^2/2 + s");
  let("W(a, b)", "V(a) - V(b)*r");
  expect_equal("2*r", "2*(x + y)");
  expect_equal("r^2", "(x + y)^2");
  expect_equal("sum(j, 1, 3, V(d[j]))", "sum(j, 1, 3, mu*(q[j+1] - q[j])^2/2 + (q[j+1] - q[j]))");
  expect_equal("c[1, i+2]", "q[1]*q[4]^2");
  expect_equal("W(x, 2*y)", "(mu*x^2/2 + x) - (mu*(2*y)^2/2 + 2*y)*(x + y)");
  expect_equal("V(V(x))", "mu*(mu*x^2/2 + x)^2/2 + (mu*x^2/2 + x)");
  EXPECT_NE((*this)("2*r"), (*this)("2*x + y"));
}

TEST_F(DefinitionTest, IsOneNodeAndDifferentiatedThrough) {
  let("r", "sqrt(x^2 + y^2)");
  const Id f = (*this)("1/r + mu*r");
  const std::size_t size = g.size();
  EXPECT_EQ((*this)("mu*r + 1/r"), f);
  EXPECT_EQ(g.size(), size);
  EXPECT_EQ(derivative(g, f, 0), derivative(g, (*this)("1/sqrt(x^2+y^2) + mu*sqrt(x^2+y^2)"), 0));
}

TEST_F(DefinitionTest, ArgumentsAndIndicesAreItsOwn) {
  let("f(s)", "s + x");
  let("g(s)", "f(2*s) - s");                 // s of f is not s of g
  let("e[i]", "q[i] + sum(k, 1, 2, q[k])");  // i is its own, k is no loop of the caller
  expect_equal("g(y)", "2*y + x - y");
  expect_equal("sum(k, 1, 4, e[k])", "sum(k, 1, 4, q[k] + (q[1] + q[2]))");
  expect_equal("e[i]", "q[2] + (q[1] + q[2])");
  let("bad", "q[i]");
  expect_words(error("bad").what(), {"in the definition of bad: unknown name 'i'"});
}

TEST_F(DefinitionTest, OnlyEarlierOnesMayBeUsed) {
  let("a", "b + 1");
  let("b", "x");
  let("c", "c^2");
  expect_words(error("a").what(), {"in the definition of a: uses b, which comes later"});
  expect_words(error("c").what(),
               {"in the definition of c: uses c itself", "a cycle has no value"});
}

TEST_F(DefinitionTest, MistakesAreToldInTheTextOfTheDefinition) {
  let("r", "sqrt(x^2 + z^2)");
  let("V(s)", "s*r");
  let("d[k]", "q[k+1] - q[k]");
  EXPECT_EQ(std::string(error("1 + V(x)").what()),
            "in the definition of r, used by V: unknown name 'z'; known: mu, q, "
            "x, y, pi\n  sqrt(x^2 + z^2)\n             ^");
  expect_words(error("sum(j, 1, 4, d[j])").what(),
               {"in the definition of d: index 5 is out of the range of q[1..4] (with k = 4)"});
  try {
    (*this)("V(x)");
    ADD_FAILURE();
  } catch (const ParseError& e) {
    ASSERT_EQ(e.definitions.size(), 2U);
    EXPECT_EQ(e.definitions[0].name, "r");
    EXPECT_EQ(e.definitions[1].name, "V");
    EXPECT_EQ(e.column, 12);
  }
}

TEST_F(DefinitionTest, WrongUsesAreToldWhereTheyAre) {
  let("r", "x");
  let("d[k]", "q[k]");
  let("V(s, t)", "s*t");
  expect_words(error("r(2)").what(), {"r is the definition of r", "products are written with *"});
  expect_words(error("r[2]").what(), {"it takes no index"});
  expect_words(error("d + 1").what(), {"d is the definition of d[k]: it takes an index in [ ]"});
  expect_words(error("d(2)").what(), {"it takes an index in [ ]"});
  expect_words(error("d[1, 2]").what(), {"d takes 1 index, found 2"});
  expect_words(error("V").what(), {"V is the definition of V(s, t): it takes arguments in ( )"});
  expect_words(error("V(x)").what(), {"V takes 2 arguments, found 1"});
  expect_words(error("d[x]").what(), {"the index of d must be a number that does not depend"});
  expect_words(error("VV(x)").what(), {"unknown function 'VV'; did you mean 'V'?"});
  expect_words(error("sum(r, 1, 2, r)").what(), {"the index 'r' of sum has a meaning already"});
}

TEST_F(DefinitionTest, AreCheckedWithoutBeingUsed) {
  let("d[k]", "q[k+1] - q[k]");
  check_definitions(g, scope);
  let("f(s)", "s + (x");
  expect_words(refusal<ParseError>([&] { check_definitions(g, scope); }),
               {"in the definition of f: ", "the ')' that closes the '(' at column 5"});
}

TEST_F(DefinitionTest, HeadsAndNames) {
  EXPECT_EQ(definition_of("r").head(), "r");
  EXPECT_EQ(definition_of(" r [ i ,j ] ").head(), "r[i, j]");
  EXPECT_EQ(definition_of("V(s,t)").arguments, (std::vector<std::string>{"s", "t"}));
  for (const char* bad : {"", "2r", "r[", "r[]", "r[i", "r[i,]", "r[i,i]", "r[2]", "r()", "V(s]",
                          "r[i,j,k]", "V(s)t"})
    refusal<InvalidArgument>([&] { definition_of(bad); });
  const auto refused = [&](const char* head) {
    return refusal<InvalidArgument>([&] { let(head, "1"); });
  };
  expect_words(refused("x"), {"the name 'x' is given twice"});
  expect_words(refused("sin(s)"), {"'sin' is a word of the language"});
  expect_words(refused("V(x)"), {"the argument 'x' of V(x) has a meaning already"});
}

}  // namespace
}  // namespace varia::expr::definition_test
