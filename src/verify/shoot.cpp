// SPDX-License-Identifier: BSD-3-Clause
#include "varia/verify/shoot.hpp"

#include <Eigen/QR>
#include <cmath>
#include <optional>

#include "varia/core/linear.hpp"
#include "varia/core/norm.hpp"
#include "varia/core/round_off.hpp"

namespace varia {

Eigen::MatrixXd null_space(const Eigen::MatrixXd& g) {
  const Eigen::Index n = g.cols();
  const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(g.transpose());
  if (qr.rank() < g.rows())
    throw InvalidArgument("the " + std::to_string(g.rows()) + " constraints have only " +
                          std::to_string(qr.rank()) +
                          " independent gradients at an end point; remove the redundant ones");
  const Eigen::MatrixXd q = qr.householderQ();
  return q.rightCols(n - g.rows());
}

namespace detail {
namespace {

using detail::eps;
constexpr int max_iterations = 60;
constexpr int max_halvings = 12;

using detail::largest;

/// Where the motion from c does not reach the time t + h there is no value.
std::optional<Vn> miss_at(const Shooting& s, const Vn& c) {
  try {
    Vn miss = s.miss(c);
    if (miss.allFinite()) return miss;
  } catch (const NoConvergence&) {
  } catch (const DomainError&) {
  }
  return std::nullopt;
}

/// ∂miss/∂c by central differences: good to ten digits, which is what a Newton step gains with it.
Eigen::MatrixXd difference_jacobian(const Shooting& s, const Vn& c) {
  const Eigen::Index m = c.size();
  const double speed = std::max({largest(c), s.size / std::abs(s.h), 1e-3});
  Eigen::MatrixXd jacobian(m, m);
  for (Eigen::Index k = 0; k < m; ++k) {
    const Vn step = Vn::Unit(m, k) * (std::cbrt(eps) * speed);
    jacobian.col(k) = (s.miss(c + step) - s.miss(c - step)) / (2.0 * step[k]);
  }
  return jacobian;
}

[[noreturn]] void fail(const Shooting& s, const std::string& why, double miss) {
  throw NoConvergence("exact discrete Lagrangian: no motion found from q0 at t = " + to_text(s.t) +
                          " to q1 within h = " + to_text(s.h) + ": " + why +
                          "; take a shorter time or closer end points",
                      s.t, s.h, s.iterations, miss);
}

}  // namespace

void Shooting::solve() {
  iterations = 0;
  if (c.size() == 0) return;
  std::optional<Vn> off = miss_at(*this, c);
  for (int k = 0; !off && k < max_halvings; ++k) off = miss_at(*this, c *= 0.5);
  if (!off) fail(*this, "the motion from the straight guess does not exist", 0.0);
  bool fresh = false;
  while (iterations < max_iterations) {
    const double round_off = eps * (size + std::abs(h) * largest(c));
    const double before = largest(*off);
    if (before <= 2.0 * round_off) return;
    if (jacobian.rows() != c.size()) {
      jacobian = difference_jacobian(*this, c);
      fresh = true;
    }
    Vn step = LinearSolver<Dynamic>(jacobian).solve(-*off);
    const bool singular = !step.allFinite() || largest(step) > 1e8 * before / std::abs(h);
    if (singular && fresh) fail(*this, "q0 and q1 are conjugate points or nearly so", before);
    ++iterations;
    double after = before;
    for (int k = 0; !singular && k < max_halvings; ++k, step *= 0.5) {
      const Vn trial = c + step;
      const auto next = miss_at(*this, trial);
      if (!next || largest(*next) >= before) continue;
      after = largest(*next);
      c = trial;
      off = next;
      break;
    }
    // no progress with a derivative from here: round-off, or no solution
    if (after >= before && fresh) {
      if (before <= 1e3 * round_off) return;
      fail(*this, "Newton's method makes no progress", before);
    }
    fresh = false;
    if (after <= 0.05 * before) continue;
    if (after <= 20.0 * round_off) return;
    jacobian.resize(0, 0);
  }
  fail(*this, "no solution after " + std::to_string(max_iterations) + " iterations", largest(*off));
}

}  // namespace detail
}  // namespace varia
