// SPDX-License-Identifier: BSD-3-Clause
// Kernels that are programs of loops against derivatives of the same text, read term by term.
#include "varia/mechanics/looped_system.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "../expr/native_fixture.hpp"
#include "varia/expr/derivative.hpp"
#include "varia/expr/parse.hpp"
#include "varia/space/list.hpp"

namespace varia::looped_system_test {
namespace {

using Numbers = std::vector<double>;
using expr::Id;

struct Names {
  explicit Names(expr::Graph& g, int n) {
    scope.add("t", g.variable(0));
    scope.add_array("q", 1, expr::variables(g, 1, n));
    scope.add_array("v", 1, expr::variables(g, 1 + n, n));
    scope.add_array("m", 1, {g.constant(2.0), g.constant(3.0), g.constant(5.0)});
    scope.add("n", g.constant(n));
    scope.add("a", g.parameter(0.25, "a"));
    scope.add(named("d[i]", "q[i+1] - q[i]"));
    scope.add(named("V(s)", "s^2/2 + a*s^4/4"));
  }
  static expr::Definition named(const char* head, const char* text) {
    expr::Definition d = expr::definition_of(head);
    d.text = text;
    return d;
  }
  expr::Scope scope;
};

struct Looped {
  expr::Graph graph;
  LoopedSystem system;

  Looped(const std::string& text, int n) {
    const Names names(graph, n);
    expr::Loops loops(graph);
    const Id f = expr::parse_array(graph, names.scope, text, loops).entries[0];
    system =
        make_looped_system(graph, ProductSpace({find_space("R")->power(n)}), loops.families(f));
  }
  const KernelSystem& kernels() const { return *system.system; }
};

/// What the text gives term by term: L, its gradient, second derivatives with their places, and the derivatives of
/// the gradient in t and in the parameter.
struct Unrolled {
  double value = 0.0;
  Numbers gradient, second, rates;
  Pattern places;

  Unrolled(const std::string& text, int n, const Numbers& x) {
    expr::Graph g;
    const Names names(g, n);
    const Id f = expr::parse(g, names.scope, text);
    std::vector<int> variables;
    for (int i = 1; i <= 2 * n; ++i) variables.push_back(i);
    std::vector<Id> outputs = expr::gradient(g, f, variables);
    const std::vector<Id> slope = outputs;
    std::vector<Id> seconds;
    for (const expr::Entry& e : expr::hessian(g, slope, variables)) {
      places.row.push_back(e.row);
      places.column.push_back(e.column);
      seconds.push_back(e.value);
    }
    gradient = numbers(g, slope, x);
    second = numbers(g, seconds, x);
    value = numbers(g, {f}, x)[0];
    std::vector<Id> by_rate;
    for (const int variable : {0, expr::Graph::first_parameter})
      for (const Id id : slope) by_rate.push_back(expr::derivative(g, id, variable));
    rates = numbers(g, by_rate, x);
  }
  static Numbers numbers(const expr::Graph& g, const std::vector<Id>& f, const Numbers& x) {
    const expr::Tape tape(g, f, static_cast<int>(x.size()));
    Numbers work(tape.instructions().size()), out(f.size());
    tape.evaluate(x.data(), out.data(), work.data());
    return out;
  }
};

Numbers point(int n) {
  Numbers x{0.4};
  for (int i = 0; i < 2 * n; ++i) x.push_back(0.6 * std::sin(1.7 * i + 0.3));
  return x;
}

Numbers called(const expr::Kernel& kernel, const Numbers& x, std::size_t outputs) {
  Numbers out(outputs, 17.0);
  kernel(x.data(), out.data());
  return out;
}

void expect_close(const Numbers& a, const Numbers& b, const char* what) {
  ASSERT_EQ(a.size(), b.size()) << what;
  double largest = 1.0;
  for (const double x : b) largest = std::max(largest, std::abs(x));
  for (std::size_t k = 0; k < a.size(); ++k)
    ASSERT_NEAR(a[k], b[k], 1e-13 * largest) << what << " " << k;
}

const std::string kinetic = "sum(i, 1, n, v[i]^2)/2";

/// n is 300 in all of them, more than two blocks of turns.
const std::vector<std::string>& texts() {
  static const std::vector<std::string> list{
      kinetic + " - sum(i, 1, n-1, V(d[i])) - q[1]^2/2 - a*q[n]^4",
      "sum(i, 1, n, (1 + i/n)*v[i]^2)/2 - sum(i, 1, n, i^2/n^2*q[i]^2/(1 + q[i]^2))",
      kinetic + " - sum(i, 1, n/2 - 1, (q[2*i+1] - q[2*i-1])^4) - sum(i, 3, n, exp(a*q[i]*q[i-2]))",
      kinetic + " - cos(t)*q[1]^2*sum(i, 2, n, q[i]^2) - a*sum(i, 2, n, sin(t + i)*q[i])",
      kinetic +
          " - sum(i, 1, 99, sum(j, i+1, 100, a/sqrt((q[i]-q[j])^2 + (q[100+i]-q[100+j])^2 + "
          "(q[200+i]-q[200+j])^2 + 0.01)))",
      kinetic + " - sum(i, 1, n, q[i]^2 + sum(j, i+1, n, i*j/n^2*(q[i]-q[j])^2))/2",
      kinetic + " - sum(i, 1, 14, sum(j, 1, 20, (q[20*(i-1)+j] - q[20*i+j])^2))",
      kinetic + " - sum(i, 1, n/3, sum(k, 1, 3, m[k]*q[3*(i-1)+k]^2 + q[3*i]*k^2)^2*a)",
      kinetic + " - sum(k, 1, 3, sum(i, 1, n-k, m[k]*(q[i+k] - q[i])^2)) + sum(i, n, 1, q[i])",
      kinetic +
          " - sum(i, 2, 100, sum(j, 2*i-1, 2*i+20, (q[i-1] - q[j+40])^2/(1 + (i - j)^2))) - "
          "sum(i, 1, 100, sum(j, 3*i-1, 3*i, q[j]^2))"};
  return list;
}
constexpr int n = 300;

TEST(LoopedSystem, HasTheDerivativesOfTheSameTermsOneByOne) {
  for (const std::string& text : texts()) {
    SCOPED_TRACE(text);
    const Looped looped(text, n);
    const KernelSystem& f = looped.kernels();
    const Numbers x = point(n);
    const Unrolled terms(text, n, x);
    EXPECT_NEAR(called(f.value, x, 1)[0], terms.value, 1e-11 * (1.0 + std::abs(terms.value)));
    expect_close(called(f.gradient, x, 2 * n), terms.gradient, "gradient");
    EXPECT_EQ(f.second.row, terms.places.row);
    EXPECT_EQ(f.second.column, terms.places.column);
    Numbers both = terms.gradient;
    both.insert(both.end(), terms.second.begin(), terms.second.end());
    expect_close(called(f.hessian, x, both.size()), both, "second derivatives");
    Numbers slope;
    for (int i = 0; i < n; ++i) slope.push_back(-terms.gradient[static_cast<std::size_t>(i)]);
    expect_close(called(f.potential_gradient, x, n), slope, "slope of the potential");
    expect_close(called(f.rates, x, 4 * n), terms.rates, "rates");
    for (int i = 0; i < n; ++i)
      EXPECT_NEAR(
          f.mass_diagonal[static_cast<std::size_t>(i)],
          terms.gradient[static_cast<std::size_t>(n + i)] / x[static_cast<std::size_t>(1 + n + i)],
          1e-13);
    EXPECT_EQ(f.uses_time,
              text.find("t)") != std::string::npos && text.find("cos(t") != std::string::npos);
    EXPECT_TRUE(f.separable);
  }
}

class LoopedCode : public expr::NativeTest {};

TEST_F(LoopedCode, HasTheBitsOfTheInterpreter) {
  for (const std::string& text : texts()) {
    const Looped looped(text, n);
    expr::Kernel kernel = looped.kernels().potential_gradient;
    const Numbers interpreted = called(kernel, point(n), n);
    kernel.attach(expr::NativeModule::compile({kernel.named("slope")}), "slope");
    const Numbers native = called(kernel, point(n), n);
    if (text.find("exp") == std::string::npos && text.find("sin") == std::string::npos)
      EXPECT_EQ(interpreted, native) << text;
    else
      expect_close(native, interpreted, text.c_str());
  }
}

/// The code of a loop is as long for any number of turns.
TEST(LoopedSystem, IsNoLargerForMoreTurns) {
  const Looped few(texts()[0], 300), many(texts()[0], 30000);
  EXPECT_EQ(few.kernels().potential_gradient.loops()->statements(),
            many.kernels().potential_gradient.loops()->statements());
  EXPECT_NEAR(many.kernels().potential_gradient.operations() /
                  few.kernels().potential_gradient.operations(),
              100.0, 1.0);
}

TEST(LoopedSystem, TakesWhatItKnowsOnly) {
  for (const char* const rest :
       {"sqrt(1 + sum(i, 1, n, q[i]^2))", "sum(i, 1, n, (q[mod(i, n) + 1] - q[i])^2)",
        "sum(i, 1, n, q[i]*q[n+1-i])", "sum(i, 1, n, v[i]^2*q[i]^2)", "sum(i, 2, n, v[i]*v[i-1])",
        "sum(i, 1, n, v[i]*q[i])", "sum(i, 1, n, abs(q[i]))", "sum(i, 1, n, (q[i] - q[1])^2)",
        "sum(i, 1, n, (q[i] - sum(j, 1, n, q[j])/n)^2)",
        "sum(i, 1, 100, q[i]*sum(j, 101, n, q[j]))",
        "sum(i, 1, 20, sum(j, 1, 20, sum(k, 1, 20, q[i]*q[30+j]*q[60+k])))",
        "sum(i, 1, n, cos(t)*v[i]^2)"})
    EXPECT_THROW(Looped(kinetic + " - " + rest, n), expr::UnrolledOnly) << rest;
  EXPECT_THROW(Looped("sum(i, 2, n, v[i]^2) - sum(i, 1, n, q[i]^2)", n), expr::UnrolledOnly);
}

TEST(LoopedSystem, AnIndexOutOfRangeIsToldOfTheLastTurn) {
  try {
    Looped(kinetic + " - sum(i, 1, n, (q[i+1] - q[i])^2)", n);
    ADD_FAILURE();
  } catch (const expr::ParseError& error) {
    EXPECT_NE(std::string(error.what()).find("index 301 is out of the range of q[1..300]"),
              std::string::npos)
        << error.what();
  }
  EXPECT_NO_THROW(Looped(kinetic + " - sum(i, 1, n, sum(j, i+1, n, (q[i] - q[j])^2))", n));
}

TEST(LoopedSystem, TheFirstTermWithoutAValueIsNamed) {
  const Looped looped(kinetic + " - sum(i, 1, n, sqrt(q[i]))", n);
  Numbers x(1 + 2 * n, 1.0);
  std::vector<std::string> names{"t"};
  for (const char* array : {"q", "v"})
    for (int i = 1; i <= n; ++i) names.push_back(array + ("[" + std::to_string(i) + "]"));
  EXPECT_EQ(looped.kernels().gradient.non_finite(x.data(), names), "");
  x[217] = -2.0;
  EXPECT_EQ(looped.kernels().value.non_finite(x.data(), names),
            "square root of -2 in sqrt(q[217])");
}

}  // namespace
}  // namespace varia::looped_system_test
