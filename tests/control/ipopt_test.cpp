// SPDX-License-Identifier: BSD-3-Clause
// Ipopt finds the optima that the solver of Varia finds. Where it is not installed these tests are skipped.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "problems/optima.hpp"
#include "refusal.hpp"
#include "src/control/ipopt_library.hpp"
#include "src/control/sparse_chain.hpp"
#include "varia/control/optimise.hpp"

namespace varia::ipopt_test {
namespace {

using namespace problems;
using optima::Known;

class Ipopt : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(ipopt_is_installed()) << "install coinor-libipopt-dev, as tools/setup.sh test does";
  }
};

struct Both {
  Optimum ours, ipopts;
};

Both both(const ChainProblem& problem, const ChainPoint& guess) {
  return {optimise(problem, guess), optimise_by_ipopt(problem, guess)};
}

void expect_same_optimum(const Known& k, const std::string& method) {
  const ControlProblem problem = optima::problem_of(k, parse_method(method));
  ControlGuess line = optima::line_of(k);
  if (!k.texts.states.empty()) line.a = [](double, double* a) { *a = 1.0; };  // a mass is not 0
  const Both found = both(problem, problem.guess(line));
  const std::string name = k.texts.name + ", " + method;
  EXPECT_EQ(found.ours.status, OptimumStatus::solved) << name << ": " << found.ours.message;
  EXPECT_EQ(found.ipopts.status, OptimumStatus::solved) << name << ": " << found.ipopts.message;
  EXPECT_NEAR(found.ipopts.cost, found.ours.cost, 1e-7 * std::abs(found.ours.cost)) << name;
  EXPECT_LE(found.ipopts.kkt_error, 1e-8) << name;
  EXPECT_GT(found.ipopts.iterations, 1) << name;
  EXPECT_EQ(found.ipopts.history.size(), static_cast<std::size_t>(found.ipopts.iterations)) << name;
}

TEST_F(Ipopt, SameOptimumOnVectorSpaces) {
  for (const Known& k : {optima::cart_pole(), optima::brachistochrone(), optima::bryson_denham(),
                         optima::orbit_raising(), optima::goddard()})
    for (const char* method : {"midpoint", "gauss(2)", "lobatto(3)"})
      expect_same_optimum(k, method);
  for (const char* method : {"nh_lobatto(2)", "nh_lobatto(3)"})
    expect_same_optimum(optima::sato(), method);
}

double largest_difference(const std::vector<Eigen::VectorXd>& a,
                          const std::vector<Eigen::VectorXd>& b) {
  double most = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k)
    if (a[k].size() > 0) most = std::max(most, (a[k] - b[k]).cwiseAbs().maxCoeff());
  return most;
}
double largest_of(const std::vector<Eigen::VectorXd>& a) {
  std::vector<Eigen::VectorXd> zero = a;
  for (Eigen::VectorXd& x : zero) x.setZero();
  return largest_difference(a, zero);
}

/// Of rows that are independent: there is one set of multipliers only.
TEST_F(Ipopt, SameMultipliersOfEqualities) {
  for (const Known& k : {optima::orbit_raising(), optima::cart_pole()}) {
    const ControlProblem problem = optima::problem_of(k, gauss(2));
    const Both found = both(problem, problem.guess(optima::line_of(k)));
    const double size = largest_of(found.ours.rho);
    EXPECT_GT(size, 0.1) << k.texts.name;
    EXPECT_LT(largest_difference(found.ours.rho, found.ipopts.rho), 1e-6 * size) << k.texts.name;
    EXPECT_LT((found.ours.start - found.ipopts.start).cwiseAbs().maxCoeff(), 1e-6 * size);
    EXPECT_LT((found.ours.end - found.ipopts.end).cwiseAbs().maxCoeff(), 1e-6 * size);
  }
}

/// Signs: positive at an upper bound, negative at a lower one.
TEST_F(Ipopt, SameMultipliersOfInequalities) {
  const auto found_for = [](const Known& k) {
    const ControlProblem problem = optima::problem_of(k, gauss(2));
    return both(problem, problem.guess(optima::line_of(k)));
  };
  const Both path = found_for(optima::bryson_denham());
  const double size = largest_of(path.ours.inequality);
  EXPECT_GT(size, 1e-2);
  EXPECT_LT(largest_difference(path.ours.inequality, path.ipopts.inequality), 1e-4 * size);

  Known k = optima::cart_pole();
  k.texts.inputs = {{"u", -8.0, 9.0}};
  const Both bounds = found_for(k);
  const auto extremes = [](const Optimum& o) {
    std::pair<double, double> found{0.0, 0.0};
    for (const Eigen::VectorXd& bound : o.bound)
      for (const double z : bound) found = {std::min(found.first, z), std::max(found.second, z)};
    return found;
  };
  const auto [lowest, highest] = extremes(bounds.ours);
  EXPECT_LT(lowest, -1e-3);
  EXPECT_GT(highest, 1e-3);
  EXPECT_NEAR(extremes(bounds.ipopts).first, lowest, -1e-4 * lowest);
  EXPECT_NEAR(extremes(bounds.ipopts).second, highest, 1e-4 * highest);
}

TEST_F(Ipopt, SaysWhyItFails) {
  const Known k = optima::cart_pole();
  const ControlProblem problem = optima::problem_of(k, midpoint());
  const ChainPoint guess = problem.guess(optima::line_of(k));
  OptimiserOptions few;
  few.max_iterations = 2;
  const Optimum short_of_it = optimise_by_ipopt(problem, guess, few);
  EXPECT_EQ(short_of_it.status, OptimumStatus::iterations);
  EXPECT_GT(short_of_it.kkt_error, 1e-6);
  EXPECT_FALSE(short_of_it.message.empty());

  OptimiserOptions watched;
  int calls = 0;
  watched.progress = [&](const OptimiserProgress& p) {
    EXPECT_EQ(p.iteration, ++calls);
    return calls < 3;
  };
  EXPECT_EQ(optimise_by_ipopt(problem, guess, watched).status, OptimumStatus::interrupted);
  EXPECT_EQ(calls, 3);
  watched.progress = [](const OptimiserProgress&) -> bool { throw DomainError("of the user"); };
  expect_words(refusal<DomainError>([&] { optimise_by_ipopt(problem, guess, watched); }),
               {"of the user"});

  ChainPoint nowhere = guess;
  nowhere.w[1][0] = std::nan("");
  EXPECT_EQ(optimise_by_ipopt(problem, nowhere).status, OptimumStatus::no_value);

  Known weak = k;  // it cannot be swung up with so little
  weak.texts.inputs = {{"u", -0.1, 0.1}};
  const ControlProblem impossible = optima::problem_of(weak, midpoint());
  EXPECT_EQ(optimise_by_ipopt(impossible, impossible.guess(optima::line_of(weak))).status,
            OptimumStatus::infeasible);
}

/// One step y = w + x max(0, w - 1)³ from 1 to 3 at the cost w²/2: w = 2. Derivatives in x vanish where w < 1.
class Bend final : public ChainProblem {
 public:
  int steps() const override { return 1; }
  ChainStepSizes sizes(int /*k*/) const override {
    return {.x = 1, .w = 1, .y = 1, .g = 0, .x_entries = 1, .y_entries = 1};
  }
  int end_size() const override { return 1; }
  int start_rows() const override { return 1; }
  int end_rows() const override { return 1; }
  ChainBounds input_bounds(int /*k*/) const override {
    return {Eigen::VectorXd::Constant(1, -unbounded), Eigen::VectorXd::Constant(1, unbounded)};
  }
  ChainBounds inequality_bounds(int /*k*/) const override { return {}; }
  void evaluate(int /*k*/, const ChainPoint& at, const Eigen::VectorXd& rho,
                const Eigen::VectorXd& /*z*/, ChainOrder order, ChainStep& out) const override {
    const double x = at.x0[0], w = at.w[0][0], b = std::max(0.0, w - 1.0);
    out.cost = w * w / 2.0;
    out.rows = vector_of({at.y[0][0] - w - x * b * b * b});
    out.inequalities.resize(0);
    out.gradient = vector_of({0.0, w, 0.0});
    out.jacobian = vector_of({-b * b * b, -1.0 - 3.0 * x * b * b, 1.0}).transpose();
    out.inequality_slopes.resize(0, 3);
    if (order != ChainOrder::all) return;
    out.hessian.setZero(3, 3);
    out.hessian(0, 1) = out.hessian(1, 0) = -3.0 * rho[0] * b * b;
    out.hessian(1, 1) = 1.0 - 6.0 * rho[0] * x * b;
  }
  void evaluate_start(const ChainPoint& at, const Eigen::VectorXd& /*nu*/, ChainOrder /*order*/,
                      ChainEnd& out) const override {
    fixed(at.x0[0] - 1.0, out);
  }
  void evaluate_end(const ChainPoint& at, const Eigen::VectorXd& /*nu*/, ChainOrder /*order*/,
                    ChainEnd& out) const override {
    fixed(at.y[0][0] - 3.0, out);
  }
  std::string name_of_input(int /*k*/, int /*i*/) const override { return "w"; }
  std::string name_of_inequality(int /*k*/, int /*i*/) const override { return ""; }
  std::string name_of_start_row(int /*i*/) const override { return "x"; }
  std::string name_of_end_row(int /*i*/) const override { return "y"; }

 private:
  static Eigen::VectorXd vector_of(std::initializer_list<double> numbers) {
    Eigen::VectorXd x(static_cast<Eigen::Index>(numbers.size()));
    std::copy(numbers.begin(), numbers.end(), x.begin());
    return x;
  }
  static void fixed(double miss, ChainEnd& out) {
    out.rows = vector_of({miss});
    out.gradient = vector_of({0.0});
    out.jacobian.setOnes(1, 1);
    out.hessian.setZero(1, 1);
  }
};

TEST_F(Ipopt, PatternsGrow) {
  const Bend problem;
  const ChainPoint guess{
      Eigen::VectorXd::Ones(1), {Eigen::VectorXd::Zero(1)}, {Eigen::VectorXd::Zero(1)}};
  EXPECT_EQ(detail::SparseChain(problem, guess).jacobian_count(), 4);
  const Optimum found = optimise_by_ipopt(problem, guess);
  EXPECT_EQ(found.status, OptimumStatus::solved) << found.message;
  EXPECT_NEAR(found.cost, 2.0, 1e-9);
  EXPECT_LT(found.kkt_error, 1e-9);
}

TEST_F(Ipopt, ManifoldsAreRefused) {
  // entries of a rotation are more than its degrees of freedom; those of a pose in the plane are not, and yet do not add
  for (const auto& [k, method] : {std::pair(optima::turn_of_a_ball(), "gauss(2)"),
                                  std::pair(optima::parking(), "nh_lobatto(2)")}) {
    const ControlProblem problem = optima::problem_of(k, parse_method(method));
    const ChainPoint guess = problem.guess(optima::line_of(k));
    expect_words(refusal([&] { optimise_by_ipopt(problem, guess); }),
                 {"manifold", "solver of Varia"});
  }
}

TEST(IpoptLibrary, IsNamedWhereItIsMissing) {
  expect_words(refusal([] { detail::load_ipopt({"libno_such_library.so"}); }),
               {"not installed", "coinor-libipopt-dev"});
  const Known k = optima::cart_pole();
  const ControlProblem problem = optima::problem_of(k, midpoint());
  if (!ipopt_is_installed())
    expect_words(refusal([&] { optimise_by_ipopt(problem, problem.guess(optima::line_of(k))); }),
                 {"coinor-libipopt-dev"});
}

/// f, its gradient, c and its slopes at a point, and the second derivatives of σ f + ⟨λ, c⟩, dense.
struct Functions {
  double cost = 0.0;
  Eigen::VectorXd gradient, values;
  Eigen::MatrixXd jacobian, hessian;

  Functions(detail::SparseChain& chain, const Eigen::VectorXd& x, double sigma,
            const Eigen::VectorXd& lambda)
      : gradient(chain.variables()),
        values(chain.rows()),
        jacobian(Eigen::MatrixXd::Zero(chain.rows(), chain.variables())),
        hessian(Eigen::MatrixXd::Zero(chain.variables(), chain.variables())) {
    EXPECT_TRUE(chain.cost(x.data(), cost));
    EXPECT_TRUE(chain.gradient(x.data(), gradient.data()));
    EXPECT_TRUE(chain.values(x.data(), values.data()));
    const auto fill = [](int count, auto&& places, auto&& entries, Eigen::MatrixXd& out) {
      std::vector<int> row(static_cast<std::size_t>(count)), column(row);
      std::vector<double> value(row.size());
      places(row.data(), column.data());
      EXPECT_TRUE(entries(value.data()));
      for (std::size_t i = 0; i < row.size(); ++i) {
        EXPECT_TRUE(row[i] < out.rows() && column[i] < out.cols());
        out(row[i], column[i]) += value[i];
      }
    };
    fill(
        chain.jacobian_count(), [&](int* i, int* j) { chain.jacobian_places(i, j); },
        [&](double* v) { return chain.jacobian(x.data(), v); }, jacobian);
    fill(
        chain.hessian_count(), [&](int* i, int* j) { chain.hessian_places(i, j); },
        [&](double* v) { return chain.hessian(x.data(), sigma, lambda.data(), v); }, hessian);
    EXPECT_EQ(hessian.triangularView<Eigen::StrictlyUpper>().toDenseMatrix().norm(), 0.0);
    hessian = Eigen::MatrixXd(hessian.selfadjointView<Eigen::Lower>());
  }
};

/// With inequalities, auxiliary states, and a part of x for the whole chain; σ = 0 is what restoration asks for.
TEST(SparseChain, DerivativesAreDifferences) {
  Known k = optima::goddard();
  k.texts.path = {{"h_dot*u", -9.0, 9.0}};
  k.texts.time.steps = 3;
  const ControlProblem problem = optima::problem_of(k, gauss(2));
  const ChainPoint guess = problem.guess(optima::line_of(k));
  detail::SparseChain chain(problem, guess);
  const Eigen::VectorXd from = chain.flat(guess);
  Eigen::VectorXd x = from, d(from.size()), lambda(chain.rows());
  for (Eigen::Index i = 0; i < x.size(); ++i) {
    x[i] += 0.02 * std::sin(3.0 * static_cast<double>(i));
    d[i] = std::cos(5.0 * static_cast<double>(i));
  }
  for (Eigen::Index i = 0; i < lambda.size(); ++i) lambda[i] = std::sin(static_cast<double>(i));
  EXPECT_EQ((chain.flat(chain.point(x)) - x).norm(), 0.0);
  for (const double sigma : {1.0, 0.3, 0.0}) {
    constexpr double h = 1e-6;
    const Functions at(chain, x, sigma, lambda), plus(chain, x + h * d, sigma, lambda),
        minus(chain, x - h * d, sigma, lambda);
    const auto slope = [&](const Functions& f) {
      return Eigen::VectorXd(sigma * f.gradient + f.jacobian.transpose() * lambda);
    };
    EXPECT_NEAR(at.gradient.dot(d), (plus.cost - minus.cost) / (2.0 * h), 1e-6);
    const auto error = [](const Eigen::VectorXd& is, const Eigen::VectorXd& should) {
      EXPECT_GT(should.norm(), 0.1);
      return (is - should).norm() / should.norm();
    };
    EXPECT_LT(error(at.jacobian * d, (plus.values - minus.values) / (2.0 * h)), 1e-6);
    EXPECT_LT(error(at.hessian * d, (slope(plus) - slope(minus)) / (2.0 * h)), 1e-5);
  }
  const double dense = static_cast<double>(chain.variables()) * chain.rows();
  EXPECT_LT(chain.jacobian_count(), 0.3 * dense);
}

}  // namespace
}  // namespace varia::ipopt_test
