// SPDX-License-Identifier: BSD-3-Clause
// The nonlinear wave equation on a rectangular grid: Verlet on the chain of its nodes solves the
// discrete Euler-Lagrange equations of the cells, and keeps their multisymplectic law. [West04]
//
//   L_d = h dx [((q_{i+1,j} - q_{ij})/h)²/2 - c²((q_{i,j+1} - q_{ij})/dx)²/2 + F(q_{ij})],  F = cos
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "problems.hpp"
#include "varia/ad/derivative.hpp"
#include "varia/flow/baseline.hpp"

namespace varia::wave_scheme_test {
namespace {

using namespace problems;

constexpr int n = 24;
constexpr double c = 0.9;
constexpr double dx = 0.25;
constexpr double h = 0.2;

std::size_t at(int i) { return static_cast<std::size_t>(i); }
int around(int j) { return (j + n) % n; }

/// The chain: masses dx, springs c²/dx, potential -dx cos q; periodic.
std::shared_ptr<KernelSystem> chain() {
  Texts texts;
  for (int j = 0; j < n; ++j) texts.coordinates.push_back("q" + std::to_string(j));
  const std::string step = to_text(dx);
  for (int j = 0; j < n; ++j) {
    const std::string& q = texts.coordinates[at(j)].name;
    const std::string& next = texts.coordinates[at(around(j + 1))].name;
    texts.lagrangian += (j > 0 ? " + " : "") + step + "*(" + q + "_dot^2/2 - " + to_text(c * c) +
                        "*(" + next + " - " + q + ")^2/(2*" + step + "^2) + cos(" + q + "))";
  }
  return system_of(texts);
}

VectorState start(const KernelSystem& f) {
  Vn q(n);
  Vn v(n);
  for (int j = 0; j < n; ++j) {
    q[j] = 1.2 * std::exp(-0.1 * (j - 8) * (j - 8));
    v[j] = 0.3 * std::sin(0.5235987755982988 * j);
  }
  return initial(*std::make_shared<KernelSystem>(f), q, v, 0.0);
}

template <class F> std::vector<Vn> positions(const F& flow, VectorState s, int steps) {
  std::vector<Vn> q{s.q};
  auto memory = flow.memory(s);
  for (int i = 0; i < steps; ++i) {
    s = flow.step(s, h, memory);
    q.push_back(s.q);
  }
  return q;
}

/// L_d of a cell at (q_{ij}, q_{i+1,j}, q_{i,j+1}, q_{i+1,j+1}); the last one does not occur.
template <class S> S cell(const Vector<S, 4>& q) {
  const S rate = (q[1] - q[0]) * (1.0 / h);
  const S slope = (q[2] - q[0]) * (1.0 / dx);
  return (rate * rate * 0.5 - slope * slope * (0.5 * c * c) + cos(q[0])) * (h * dx);
}

Vector<double, 4> slots(const std::vector<Vn>& q, int i, int j) {
  const Vector<double, 4> x(q[at(i)][around(j)], q[at(i + 1)][around(j)], q[at(i)][around(j + 1)],
                            q[at(i + 1)][around(j + 1)]);
  return gradient([](const auto& y) { return cell(y); }, x);
}

/// The largest sum of the four slot derivatives that meet at a node.
double largest_residual(const std::vector<Vn>& q) {
  double most = 0.0;
  for (int i = 1; i + 1 < static_cast<int>(q.size()); ++i)
    for (int j = 0; j < n; ++j)
      most = std::max(most, std::abs(slots(q, i, j)[0] + slots(q, i - 1, j)[1] +
                                     slots(q, i, j - 1)[2] + slots(q, i - 1, j - 1)[3]));
  return most;
}

TEST(WaveScheme, VerletSolvesTheEquationsOfTheCells) {
  const auto f = chain();
  const VectorState s = start(*f);
  EXPECT_LT(largest_residual(positions(StageFlow(verlet(), f), s, 100)), 1e-14);
  // others do not, though they solve the same equation
  EXPECT_GT(largest_residual(positions(StageFlow(midpoint(), f), s, 100)), 1e-4);
  EXPECT_GT(largest_residual(positions(BaselineFlow(rk4(), f), s, 100)), 1e-4);
}

/// A solution of the linearised scheme along q, from its first two rows.
std::vector<Vn> linearised(const std::vector<Vn>& q, const Vn& first, const Vn& second) {
  std::vector<Vn> v{first, second};
  for (std::size_t i = 1; i + 1 < q.size(); ++i) {
    Vn next(n);
    for (int j = 0; j < n; ++j) {
      const double bend = v[i][around(j + 1)] - 2.0 * v[i][j] + v[i][around(j - 1)];
      next[j] = 2.0 * v[i][j] - v[i - 1][j] +
                h * h * (c * c * bend / (dx * dx) - std::cos(q[i][j]) * v[i][j]);
    }
    v.push_back(next);
  }
  return v;
}

TEST(WaveScheme, KeepsTheMultisymplecticLawAtEveryNode) {
  const auto f = chain();
  const auto q = positions(StageFlow(verlet(), f), start(*f), 300);
  Vn a(n), b(n), d(n), e(n);
  for (int j = 0; j < n; ++j) {
    a[j] = std::sin(1.3 * j);
    b[j] = std::cos(0.7 * j) + a[j];
    d[j] = std::cos(2.1 * j);
    e[j] = std::sin(0.4 * j * j);
  }
  const auto v = linearised(q, a, b);
  const auto w = linearised(q, d, e);
  const auto in_time = [&](std::size_t i, int j) {
    return v[i + 1][j] * w[i][j] - w[i + 1][j] * v[i][j];
  };
  const auto in_space = [&](std::size_t i, int j) {
    const int k = around(j + 1);
    return v[i][k] * w[i][around(j)] - w[i][k] * v[i][around(j)];
  };
  double total = 0.0;
  for (int j = 0; j < n; ++j) total += in_time(0, j);
  for (std::size_t i = 1; i < 300; ++i) {
    double sum = 0.0;
    const double size = v[i].cwiseAbs().maxCoeff() * w[i].cwiseAbs().maxCoeff();
    for (int j = 0; j < n; ++j) {
      const double left = (in_time(i, j) - in_time(i - 1, j)) / (h * h);
      const double right = c * c * (in_space(i, j) - in_space(i, j - 1)) / (dx * dx);
      EXPECT_NEAR(left, right, 2e-13 * size / (h * h)) << i << ", " << j;
      sum += in_time(i, j);
    }
    EXPECT_NEAR(sum, total, 1e-12 * size) << i;
  }
}

/// Neighbouring motions of the library differ by solutions of the linearised scheme.
TEST(WaveScheme, VariationsOfTheMotionSolveTheLinearisedScheme) {
  const auto f = chain();
  const StageFlow flow(verlet(), f);
  constexpr double eps = 1e-5;
  VectorState up = start(*f);
  VectorState down = up;
  for (int j = 0; j < n; ++j) {
    up.q[j] += eps * std::sin(1.3 * j);
    down.q[j] -= eps * std::sin(1.3 * j);
  }
  const auto above = positions(flow, up, 50);
  const auto below = positions(flow, down, 50);
  const auto q = positions(flow, start(*f), 50);
  std::vector<Vn> v;
  for (std::size_t i = 0; i < q.size(); ++i) v.push_back((above[i] - below[i]) / (2.0 * eps));
  const auto linear = linearised(q, v[0], v[1]);
  EXPECT_LT((linear.back() - v.back()).cwiseAbs().maxCoeff(), 1e-7);
}

/// With F = 0 and c h = dx the scheme is exact: a pulse moves by one node a step.
TEST(WaveScheme, IsExactOnTheDiagonal) {
  Texts texts;
  for (int j = 0; j < n; ++j) texts.coordinates.push_back("q" + std::to_string(j));
  for (int j = 0; j < n; ++j) {
    const std::string& q = texts.coordinates[at(j)].name;
    texts.lagrangian += (j > 0 ? " + " : "") + q + "_dot^2/2 - (" +
                        texts.coordinates[at(around(j + 1))].name + " - " + q + ")^2/2";
  }
  const auto f = system_of(texts);
  Vn q(n);
  for (int j = 0; j < n; ++j) q[j] = std::exp(-0.3 * (j - 6) * (j - 6));
  // second row: the pulse one node further; p₀ = -D₁L_d
  Vn p(n);
  for (int j = 0; j < n; ++j)
    p[j] = (q[around(j - 1)] - q[j]) - 0.5 * (q[around(j + 1)] - 2.0 * q[j] + q[around(j - 1)]);
  VectorState s = initial(*f, q, Vn(Vn::Zero(n)), 0.0);
  s.p = p;
  const VectorState end = walk(StageFlow(verlet(), f), s, 1.0, 2 * n);
  EXPECT_LT((end.q - q).cwiseAbs().maxCoeff(), 1e-13);
}

}  // namespace
}  // namespace varia::wave_scheme_test
