// SPDX-License-Identifier: BSD-3-Clause
// Sums that stay loops mean what the same sums mean term by term: L, its derivatives and their places, what is
// known about the system, and the motion.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "expr/native_sandbox.hpp"
#include "models.hpp"
#include "varia/expr/parse.hpp"
#include "varia/io/loop_equations.hpp"
#include "varia/io/stepper.hpp"

namespace varia::io::loops_test {
namespace {

struct Example {
  std::string name, system;
  bool loops = true;  ///< whether they are kept
};

/// Without lines on starts: all coordinates are q[1] to q[n], or x, y as well.
std::string scenario_of(const Example& example, const std::string& method = "verlet") {
  const bool plane = example.system.find("\"x[") != std::string::npos;
  return models::scenario(
      example.system,
      plane ? "x = \"1.5*i + 0.2*sin(i)\"\ny = \"cos(2*i)\"\nx_dot = \"0.1*sin(3*i)\"\n"
              "y_dot = \"0.1*cos(i)\""
            : "q = \"0.3*sin(i)\"\nq_dot = \"0.2*cos(2*i)\"",
      method, "0.02", "5");
}

std::string chain(int n, const std::string& lagrangian, const std::string& more = "") {
  return "coordinates = [\"q[1.." + std::to_string(n) +
         "]\"]\nparameters = { n = " + std::to_string(n) +
         ", a = 0.25, m = [2, 3, 5] }\nlagrangian = \"" + lagrangian + "\"\n" + more;
}

std::string plane(int n, const std::string& lagrangian) {
  const std::string last = std::to_string(n);
  return "coordinates = [\"x[1.." + last + "]\", \"y[1.." + last +
         "]\"]\nparameters = { n = " + last + ", a = 0.25 }\nlagrangian = \"" + lagrangian + "\"\n";
}

const std::string kinetic = "sum(i, 1, n, q_dot[i]^2)/2";

std::vector<Example> examples() {
  return {
      {"a chain with ends",
       chain(600, kinetic + " - sum(i, 1, n-1, (q[i+1] - q[i])^2/2 + a*(q[i+1] - "
                            "q[i])^4/4) - q[1]^2/2 - q[n]^4/4")},
      {"coefficients by index",
       chain(600,
             "sum(i, 1, n, (1 + i/n)*q_dot[i]^2)/2 - sum(i, 1, n, i^2/n^2*q[i]^2/(1 + q[i]^2))")},
      {"next but one, steps of two",
       chain(700, kinetic + " - sum(i, 1, n/2 - 1, (q[2*i+1] - q[2*i-1])^4) - sum(i, 3, n, "
                            "exp(q[i]*q[i-2]))")},
      {"coordinates that do not occur",
       chain(800, kinetic + " - sum(i, 5, 700, (q[i] - q[i-1])^2)/2")},
      {"definitions with an index",
       chain(600, kinetic + " - sum(i, 1, n-1, V(d[i]))",
             "let = { \"d[i]\" = \"q[i+1] - q[i]\", \"V(s)\" = \"s^2/2 + a*s^3/3\" }")},
      {"a factor that depends on a coordinate, and on time",
       chain(900,
             kinetic + " - cos(t)*q[1]^2*sum(i, 2, n, q[i]^2) - sum(i, 2, n, sin(t + i)*q[i])")},
      {"pairs", plane(50,
                      "sum(i, 1, n, x_dot[i]^2 + y_dot[i]^2)/2 + sum(i, 1, n-1, sum(j, i+1, n, "
                      "a/sqrt((x[i]-x[j])^2 + (y[i]-y[j])^2 + 0.1)))")},
      {"pairs with a sum around them, and the last of them",
       plane(50,
             "sum(i, 1, n, x_dot[i]^2 + y_dot[i]^2 + sum(j, i+1, n, i*j/n^2*((x[i]-x[j])^2 + "
             "y[i]*y[j])))/2 - x[n]^2")},
      {"two indices", chain(900, kinetic + " - sum(i, 1, 29, sum(j, 1, 30, (q[30*(i-1)+j] - "
                                           "q[30*i+j])^2)) - sum(i, 1, 30, sum(j, 1, 29, "
                                           "(q[30*(i-1)+j] - q[30*(i-1)+j+1])^4))")},
      {"short sums inside",
       chain(900, kinetic + " - sum(i, 1, n/3, sum(k, 1, 3, m[k]*q[3*(i-1)+k]^2 + "
                            "q[3*i]*k^2)^2*a)")},
      {"unequal masses", plane(50,
                               "sum(i, 1, n, x_dot[i]^2 + 2*y_dot[i]^2)/2 - sum(i, 1, n, sum(j, "
                               "i+1, n, exp(-(x[i]-x[j])^2)))")},
      {"few terms", chain(30, kinetic + " - sum(i, 1, n-1, (q[i+1] - q[i])^2/2)"), false},
      {"a function of a sum", chain(600, kinetic + " - sqrt(1 + sum(i, 1, n, q[i]^2))"), false},
      {"an index that is not linear",
       chain(600, kinetic + " - sum(i, 1, n, (q[mod(i, n) + 1] - q[i])^2)/2"), false},
      {"one entry with two names", chain(600, kinetic + " - sum(i, 1, n, q[i]*q[n+1-i])"), false},
      {"not separable", chain(600, "sum(i, 1, n, q_dot[i]^2*(1 + q[i]^2))/2"), false},
      {"a term that is not smooth", chain(600, kinetic + " - sum(i, 1, n, abs(q[i]))"), false},
      {"sines of differences",
       chain(60, kinetic + " + sum(i, 1, n, sum(j, i+1, n, cos(q[i] - q[j])))"), false},
  };
}

Model model_of(const Example& example, Sums sums, const std::string& method = "verlet") {
  return build_model(parse_scenario(scenario_of(example, method), "test.toml"), sums);
}

/// Numbers of the size of their terms.
void expect_close(const std::vector<double>& a, const std::vector<double>& b, const char* what) {
  ASSERT_EQ(a.size(), b.size()) << what;
  double largest = 1.0;
  for (const double x : a) largest = std::max(largest, std::abs(x));
  for (std::size_t k = 0; k < a.size(); ++k)
    ASSERT_NEAR(a[k], b[k], 1e-13 * largest) << what << " " << k;
}

std::vector<double> called(const expr::Kernel& kernel, const std::vector<double>& x,
                           std::size_t outputs) {
  std::vector<double> out(outputs, 17.0);
  kernel(x.data(), out.data());
  return out;
}

std::vector<double> point(const Model& model) {
  std::vector<double> x{0.4};
  for (int i = 0; i < 2 * model.system->n; ++i) x.push_back(0.6 * std::sin(1.7 * i + 0.3));
  return x;
}

/// Second derivatives by their places.
std::map<std::pair<int, int>, double> seconds(const Model& model) {
  const KernelSystem& f = *model.system;
  const auto offset = static_cast<std::size_t>(2 * f.n);
  const auto all =
      called(f.hessian, point(model), offset + static_cast<std::size_t>(f.second.size()));
  std::map<std::pair<int, int>, double> result;
  for (std::size_t e = 0; e < f.second.row.size(); ++e) {
    const bool is_new =
        result.emplace(std::pair(f.second.row[e], f.second.column[e]), all[offset + e]).second;
    EXPECT_TRUE(is_new) << "two places of " << f.second.row[e] << ", " << f.second.column[e];
    EXPECT_LE(f.second.column[e], f.second.row[e]);
  }
  return result;
}

TEST(Loops, AreKeptWhereTheyCanBe) {
  for (const Example& example : examples()) {
    EXPECT_EQ(!model_of(example, Sums::as_loops).bodies_of_sums.empty(), example.loops)
        << example.name;
    EXPECT_TRUE(model_of(example, Sums::term_by_term).bodies_of_sums.empty()) << example.name;
  }
}

TEST(Loops, HaveTheDerivativesOfTheirTerms) {
  for (const Example& example : examples()) {
    SCOPED_TRACE(example.name);
    const Model a = model_of(example, Sums::as_loops);
    const Model b = model_of(example, Sums::term_by_term);
    const auto x = point(a);
    const auto n = static_cast<std::size_t>(a.system->n);
    expect_close(called(a.system->value, x, 1), called(b.system->value, x, 1), "value");
    expect_close(called(a.system->gradient, x, 2 * n), called(b.system->gradient, x, 2 * n),
                 "gradient");
    if (b.system->separable)
      expect_close(called(a.system->potential_gradient, x, n),
                   called(b.system->potential_gradient, x, n), "slope of the potential");
    ASSERT_EQ(static_cast<bool>(a.system->rates), static_cast<bool>(b.system->rates));
    if (a.system->rates)
      expect_close(called(a.system->rates, x, 2 * n), called(b.system->rates, x, 2 * n), "rates");
    const auto second = seconds(a), other = seconds(b);
    ASSERT_EQ(second.size(), other.size());
    double largest = 1.0;
    for (const auto& [place, value] : other) largest = std::max(largest, std::abs(value));
    for (const auto& [place, value] : other) {
      ASSERT_TRUE(second.contains(place)) << place.first << ", " << place.second;
      ASSERT_NEAR(second.at(place), value, 1e-13 * largest) << place.first << ", " << place.second;
    }
  }
}

TEST(Loops, KnowTheSystemLikeTheirTerms) {
  for (const Example& example : examples()) {
    SCOPED_TRACE(example.name);
    const Model a = model_of(example, Sums::as_loops);
    const Model b = model_of(example, Sums::term_by_term);
    EXPECT_EQ(a.structure.separable, b.structure.separable);
    EXPECT_EQ(a.structure.time_independent, b.structure.time_independent);
    EXPECT_EQ(a.structure.quadratic, b.structure.quadratic);
    EXPECT_EQ(a.structure.cyclic, b.structure.cyclic);
    EXPECT_EQ(a.structure.second_derivatives, b.structure.second_derivatives);
    EXPECT_EQ(a.structure.bandwidth, b.structure.bandwidth);
    if (a.structure.separable)
      expect_close(a.system->mass_diagonal, b.system->mass_diagonal, "masses");
  }
}

std::vector<double> moved(Model model) {
  const auto stepper = make_stepper(model);
  stepper->advance(model.step, model.steps);
  Snapshot s;
  stepper->snapshot(s);
  s.q.insert(s.q.end(), s.p.begin(), s.p.end());
  s.q.push_back(stepper->energy(s));
  return s.q;
}

TEST(Loops, MoveLikeTheirTerms) {
  for (const Example& example : examples())
    for (const char* method : {"verlet", "midpoint"}) {
      if (!example.loops && std::string(method) == "midpoint") continue;  // dense systems
      SCOPED_TRACE(example.name + ", " + method);
      expect_close(moved(model_of(example, Sums::as_loops, method)),
                   moved(model_of(example, Sums::term_by_term, method)), "state");
    }
}

class LoopsInNativeCode : public expr::Sandbox {};

/// Both do the same operations in the same order; exp and sin are those of one library.
TEST_F(LoopsInNativeCode, HaveTheBitsOfTheInterpreter) {
  for (const Example& example : examples()) {
    if (!example.loops) continue;
    const std::string text = scenario_of(example);
    std::vector<std::vector<double>> ends;
    for (const char* evaluation : {"interpreter", "native"}) {
      Model model = models::model_of(text, {std::string("run.evaluation=") + evaluation});
      const Evaluation used = prepare_evaluation(model);
      ASSERT_EQ(used.native, std::string(evaluation) == "native") << used.text << used.note;
      EXPECT_EQ(model.system->potential_gradient.native(), used.native);
      ends.push_back(moved(model));
    }
    if (example.system.find("exp") == std::string::npos &&
        example.system.find("sin") == std::string::npos)
      EXPECT_EQ(ends[0], ends[1]) << example.name;
    else
      expect_close(ends[0], ends[1], "state");
  }
}

TEST(Loops, ObservedSumsAreLoopsToo) {
  Example example = examples()[0];
  example.system +=
      "observe = { energy_of_half = \"sum(i, 1, n/2, q_p[i]^2)/2 + t\", root = \"sqrt(sum(i, 1, n, "
      "q[i]^2) "
      "+ sum(i, 1, 40, sum(j, i, 40, q[i]*q[j]))^2)\", plain = \"q[3]\" }\n"
      "symmetry = { shift = { q = 1 } }\n";
  const Model a = model_of(example, Sums::as_loops), b = model_of(example, Sums::term_by_term);
  ASSERT_FALSE(a.bodies_of_sums.empty());
  auto x = point(a);
  x.resize(1 + 3 * static_cast<std::size_t>(a.system->n), 0.7);
  expect_close(called(a.observe, x, 4), called(b.observe, x, 4), "observed");
  ASSERT_EQ(a.momenta.size(), 1U);
  EXPECT_EQ(a.momenta[0].symmetry, b.momenta[0].symmetry);
  EXPECT_NEAR(a.momenta[0].defect, b.momenta[0].defect, 1e-12);
}

TEST(Loops, ASymmetryOfAllTermsIsSeen) {
  Example example{"free ends", chain(700, kinetic + " - sum(i, 1, n-1, (q[i+1] - q[i])^4)",
                                     "symmetry = { shift = { q = 1 } }\n")};
  const Model a = model_of(example, Sums::as_loops);
  ASSERT_FALSE(a.bodies_of_sums.empty());
  ASSERT_EQ(a.momenta.size(), 1U);
  EXPECT_TRUE(a.momenta[0].conserved) << a.momenta[0].message;
}

double value_of(const std::string& text, const Model& model, long i, const std::vector<double>& x) {
  expr::Graph g;
  expr::Scope scope;
  scope.add("t", g.variable(0));
  scope.add_index("i", i);
  int at = 1;
  for (const Coordinate& c : model.scenario.system.coordinates) {
    const int count = c.last - c.first + 1;
    scope.add_array(c.name, c.first, expr::variables(g, at, count));
    scope.add_array(c.name + "_dot", c.first, expr::variables(g, at + model.system->n, count));
    at += count;
  }
  const expr::Tape tape(g, {expr::parse(g, scope, text)}, static_cast<int>(x.size()));
  double value = 0.0;
  std::vector<double> work(tape.instructions().size());
  tape.evaluate(x.data(), &value, work.data());
  return value;
}

/// Read as text, both sides are the derivatives of L.
void expect_equations(const Model& model) {
  const auto equations = equations_of_sums(model, 1000);
  const auto x = point(model);
  const auto n = static_cast<std::size_t>(model.system->n);
  const auto slopes = called(model.system->gradient, x, 2 * n);
  std::vector<char> told(n, 0);
  for (const auto& [left, right] : equations) {
    const std::string momentum = left.substr(6, left.size() - 7);  // in d/dt (...)
    const std::string mark = ",   i = ";
    const auto range = right.find(mark);
    std::size_t at = 0;
    for (const Coordinate& c : model.scenario.system.coordinates) {
      const auto name = momentum.find(c.name + "_dot[");
      if (name == std::string::npos) {
        at += static_cast<std::size_t>(c.last - c.first + 1);
        continue;
      }
      long first = 0;
      long last = 0;
      if (range == std::string::npos) {
        first = last = std::stol(momentum.substr(name + c.name.size() + 5));
      } else {
        const auto dots = right.find("..", range);
        first = std::stol(right.substr(range + mark.size()));
        last = std::stol(right.substr(dots + 2));
      }
      for (long i = first; i <= last; ++i) told[at + static_cast<std::size_t>(i - c.first)] += 1;
      for (const long i : {first, (first + last) / 2, last}) {
        const std::size_t k = at + static_cast<std::size_t>(i - c.first);
        EXPECT_NEAR(value_of(momentum, model, i, x), slopes[n + k], 1e-12) << momentum << " " << i;
        EXPECT_NEAR(value_of(right.substr(0, range), model, i, x), slopes[k],
                    1e-11 * (1.0 + std::abs(slopes[k])))
            << right << " " << i;
      }
      break;
    }
  }
  EXPECT_EQ(std::count(told.begin(), told.end(), 1), static_cast<long>(n));
}

TEST(Loops, TheirEquationsAreThoseOfTheGeneralIndex) {
  for (const Example& example : examples()) {
    if (!example.loops) continue;
    SCOPED_TRACE(example.name);
    const Model model = model_of(example, Sums::as_loops);
    if (example.name == "two indices" || example.name == "next but one, steps of two" ||
        example.name == "short sums inside" ||
        example.name == "a factor that depends on a coordinate, and on time")
      EXPECT_TRUE(equations_of_sums(model, 1000).empty());
    else
      expect_equations(model);
  }
  const auto chain_equations = equations_of_sums(model_of(examples()[0], Sums::as_loops), 1000);
  ASSERT_EQ(chain_equations.size(), 3U);
  EXPECT_EQ(chain_equations[1].first, "d/dt (q_dot[i])");
  EXPECT_NE(chain_equations[1].second.find("q[i-1]"), std::string::npos);
}

std::string refusal(const std::string& system) {
  try {
    build_model(parse_scenario(scenario_of({"", system}), "test.toml"));
  } catch (const ScenarioError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Loops, MistakesAreToldWithTheirPlace) {
  EXPECT_NE(refusal(chain(2000, kinetic + " - sum(i, 1, n, (q[i+1] - q[i])^2)"))
                .find("index 2001 is out of the range of q[1..2000] (with i = 2000)"),
            std::string::npos);
  // of too many terms only the index is told
  EXPECT_NE(refusal(chain(30000, kinetic + " - sum(i, 1, n, (q[i+1] - q[i])^2)"))
                .find("index 30001 is out of the range of q[1..30000]"),
            std::string::npos);
  EXPECT_NE(refusal(chain(30000, kinetic + " - sum(i, 1, n, sqrt(q[i]))")).find("square root of"),
            std::string::npos);
}

}  // namespace
}  // namespace varia::io::loops_test
