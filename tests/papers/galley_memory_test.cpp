// SPDX-License-Identifier: BSD-3-Clause
// Why variables are doubled [Sato19, section 4.2.1] (T4.11): of two coupled oscillators
//   L = ½m(v² - w²q²) + ½M(V² - W²Q²) + λqQ
// the second is integrated out, which leaves a force with memory on the first,
//   m q″ = -m w²q + λQ₀(t) + (λ²/M)∫₀ᵗ G(t - s) q(s) ds,   G(t) = sin(Wt)/W,
// Q₀ the free motion of the second. The action ½∫∫q(t)G(t - s)q(s) of q alone has the derivative
// ½(G + Gᵀ)q, half of it from the future; that of two copies, ½∫∫(Q - q)(t)G(t - s)(q + Q)(s), has
// Gq where q = Q.
#include "problems.hpp"

namespace varia::galley_memory_test {
namespace {

using namespace problems;

constexpr double m = 1.3;
constexpr double M = 0.7;
constexpr double w = 1.1;
constexpr double W = 2.3;
constexpr double coupling = 0.9;
constexpr double duration = 4.0;
const Vn start_q = vector({0.6, -0.4});
const Vn start_v = vector({0.3, 0.8});

/// The first oscillator of the complete system at n + 1 equidistant times.
Vn complete(int n) {
  const auto f = system_of(
      {{"x", "y"}, "1.3*(x_dot^2 - 1.1^2*x^2)/2 + 0.7*(y_dot^2 - 2.3^2*y^2)/2 + 0.9*x*y", {}, {}});
  const StageFlow flow(gauss(5), f);
  VectorState s = initial(*f, start_q, start_v);
  auto memory = flow.memory(s);
  Vn path = Vn::Zero(n + 1);
  for (int k = 0; k <= n; ++k) {
    path[k] = s.q[0];
    if (k < n) s = flow.step(s, duration / n, memory);
  }
  return path;
}

/// G at the times of the grid: rows t, columns s ≤ t, with the weights of the trapezoidal rule. The
/// weight ½ of s = t meets G(0) = 0; that of s = 0 is left to the caller.
Eigen::MatrixXd retarded(int n) {
  const double h = duration / n;
  Eigen::MatrixXd g = Eigen::MatrixXd::Zero(n + 1, n + 1);
  for (int k = 0; k <= n; ++k)
    for (int j = 0; j < k; ++j) g(k, j) = h * std::sin(W * h * (k - j)) / W;
  return g;
}

/// q on the grid from (q_{k+1} - 2q_k + q_{k-1})/h² = right-hand side at t_k, with the matrix G.
Vn with_memory(Eigen::MatrixXd g, int n) {
  const double h = duration / n;
  g.col(0) *= 0.5;  // ends of the trapezoidal rule
  g.col(n) *= 0.5;
  Eigen::MatrixXd a = Eigen::MatrixXd::Zero(n + 1, n + 1);
  Vn b = Vn::Zero(n + 1);
  // row k: m q″ at t_k times h²/m; q₁ has the Taylor series of the start
  const auto push = [&](int row, int k, double weight) {
    const double t = k * h;
    const double free = std::cos(W * t) * start_q[1] + std::sin(W * t) / W * start_v[1];
    a.row(row) -= weight * coupling * coupling / (m * M) * g.row(k);
    a(row, k) += weight * w * w;
    b[row] += weight * coupling / m * free;
  };
  a(0, 0) = 1.0;
  b[0] = start_q[0];
  a(1, 1) = 1.0;
  a(1, 0) = -1.0;
  b[1] = h * start_v[0];
  push(1, 0, 0.5 * h * h);
  for (int k = 1; k < n; ++k) {
    a(k + 1, k + 1) += 1.0;
    a(k + 1, k) -= 2.0;
    a(k + 1, k - 1) += 1.0;
    push(k + 1, k, h * h);
  }
  return a.partialPivLu().solve(b);
}

/// Largest distance from the complete system; with 2n points the extrapolated one.
double distance(const Eigen::MatrixXd& g, int n) {
  return (with_memory(g, n) - complete(n)).cwiseAbs().maxCoeff();
}
double extrapolated_distance(int n) {
  const Vn coarse = with_memory(retarded(n), n);
  const Vn fine = with_memory(retarded(2 * n), 2 * n);
  const Vn exact = complete(n);
  double most = 0.0;
  for (int k = 0; k <= n; ++k)
    most = std::max(most, std::abs((4.0 * fine[2 * k] - coarse[k]) / 3.0 - exact[k]));
  return most;
}
Eigen::MatrixXd symmetric(int n) {
  return 0.5 * (retarded(n) + Eigen::MatrixXd(retarded(n).transpose()));
}

TEST(GalleyMemory, RetardedKernelIsTheCompleteSystem) {
  EXPECT_NEAR(measured_order([](int n) { return distance(retarded(n), n); }, 100), 2.0, 0.05);
  EXPECT_LT(extrapolated_distance(200), 1e-7);
}

/// However fine the grid: what comes from the future is not there.
TEST(GalleyMemory, SymmetricKernelIsNot) {
  EXPECT_GT(distance(symmetric(200), 200), 1e-2);
  EXPECT_NEAR(distance(symmetric(200), 200) / distance(symmetric(400), 400), 1.0, 0.01);
  // nor without memory, nor with all of both
  EXPECT_GT(distance(0.0 * retarded(200), 200), 0.1);
  EXPECT_GT(distance(2.0 * symmetric(200), 200), 0.1);
}

/// The derivatives of the two actions: ½(G + Gᵀ)q for one copy, Gq for two.
TEST(GalleyMemory, ActionsOfOneAndOfTwoCopies) {
  const int n = 40;
  const Eigen::MatrixXd g = retarded(n);
  const Vn path = complete(n);
  const auto one = [&](const Vn& x) { return 0.5 * x.dot(g * x); };
  const auto two = [&](const Vn& x, const Vn& y) { return 0.5 * (y - x).dot(g * (x + y)); };
  EXPECT_NEAR(two(path, Vn(2.0 * path)), -two(Vn(2.0 * path), path), 1e-14);
  Vn slope_one = Vn::Zero(n + 1);
  Vn slope_two = slope_one;
  for (int k = 0; k <= n; ++k) {  // quadratic: a difference is the derivative
    const Vn e = Vn::Unit(n + 1, k);
    slope_one[k] = 0.5 * (one(path + e) - one(path - e));
    slope_two[k] = 0.5 * (two(path, path + e) - two(path, path - e));
  }
  EXPECT_LT((slope_one - 0.5 * (g + Eigen::MatrixXd(g.transpose())) * path).norm(), 1e-13);
  EXPECT_LT((slope_two - g * path).norm(), 1e-13);
  EXPECT_GT((slope_one - g * path).norm(), 0.1);
}

}  // namespace
}  // namespace varia::galley_memory_test
