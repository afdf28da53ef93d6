// SPDX-License-Identifier: BSD-3-Clause
#include "barrier.hpp"

#include <algorithm>
#include <cmath>

#include "varia/core/index.hpp"

namespace varia::detail {

using Eigen::Index;
using Eigen::VectorXd;

namespace {

/// ζ stays within this factor of μ over the distance [WB06, (16)].
constexpr double largest_ratio = 1e10;

double inside(double x, double lower, double upper, double push) {
  const double width = upper - lower;  // infinite where one of them is
  if (std::isfinite(lower))
    x = std::max(x, lower + std::min(push * std::max(1.0, std::abs(lower)), push * width));
  if (std::isfinite(upper))
    x = std::min(x, upper - std::min(push * std::max(1.0, std::abs(upper)), push * width));
  return x;
}

/// f(lower bound?, distance, place) for each bound there is.
template <class F> void for_each_bound(const Bounded& b, const F& f) {
  for (Index i = 0; i < b.value.size(); ++i) {
    if (std::isfinite(b.lower[i])) f(true, b.value[i] - b.lower[i], i);
    if (std::isfinite(b.upper[i])) f(false, b.upper[i] - b.value[i], i);
  }
}

/// Σ = ζ_l/(b - l) + ζ_u/(u - b)
VectorXd stiffness(const Bounded& b) {
  VectorXd sigma = VectorXd::Zero(b.value.size());
  for_each_bound(b, [&](bool low, double distance, Index i) {
    sigma[i] += (low ? b.zeta_lower[i] : b.zeta_upper[i]) / distance;
  });
  return sigma;
}

/// d/db of the barrier.
VectorXd slope(const Bounded& b, double mu) {
  VectorXd g = VectorXd::Zero(b.value.size());
  for_each_bound(b,
                 [&](bool low, double distance, Index i) { g[i] += (low ? -mu : mu) / distance; });
  return g;
}

}  // namespace

Barrier::Barrier(const ChainValues& values) {
  const ChainProblem& problem = values.problem();
  for (int k = 0; k < values.count(); ++k) {
    const ChainBounds inputs = problem.input_bounds(k);
    const ChainLimits& limits = values.limits()[sz(k)];
    const Index w = inputs.lower.size(), s = limits.lower.size();
    Bounded b;
    b.lower.resize(w + s);
    b.upper.resize(w + s);
    b.lower << inputs.lower, limits.lower;
    b.upper << inputs.upper, limits.upper;
    b.value = b.zeta_lower = b.zeta_upper = VectorXd::Zero(w + s);
    for_each_bound(b, [&](bool, double, Index) { any_ = true; });
    bounded_.push_back(std::move(b));
    inputs_.push_back(static_cast<int>(w));
  }
}

void Barrier::enter(ChainPoint& at, double push) {
  for (std::size_t k = 0; k < bounded_.size(); ++k) {
    for (Index i = 0; i < inputs_[k]; ++i)
      at.w[k][i] = inside(at.w[k][i], bounded_[k].lower[i], bounded_[k].upper[i], push);
    bounded_[k].value.head(inputs_[k]) = at.w[k];
  }
}

void Barrier::begin(const ChainValues& values, double mu, double push) {
  for (std::size_t k = 0; k < bounded_.size(); ++k) {
    Bounded& b = bounded_[k];
    const VectorXd& g = values.open(static_cast<int>(k));
    for (Index i = 0; i < g.size(); ++i)
      b.value[inputs_[k] + i] =
          inside(g[i], b.lower[inputs_[k] + i], b.upper[inputs_[k] + i], push);
  }
  for (Bounded& b : bounded_)
    for_each_bound(b, [&](bool low, double distance, Index i) {
      (low ? b.zeta_lower : b.zeta_upper)[i] = mu / distance;
    });
}

void Barrier::adopt(const ChainPoint& at, const ChainValues& values,
                    const std::vector<VectorXd>& force) {
  for (std::size_t k = 0; k < bounded_.size(); ++k) {
    Bounded& b = bounded_[k];
    const VectorXd& g = values.open(static_cast<int>(k));
    b.value << at.w[k], g.cwiseMax(b.lower.tail(g.size())).cwiseMin(b.upper.tail(g.size()));
    for_each_bound(b, [&](bool low, double, Index i) {
      (low ? b.zeta_lower : b.zeta_upper)[i] = std::max(0.0, low ? -force[k][i] : force[k][i]);
    });
  }
}

double Barrier::penalty(double mu) const {
  double sum = 0.0;
  for (const Bounded& b : bounded_)
    for_each_bound(b, [&](bool, double distance, Index) { sum -= std::log(distance); });
  return mu * sum;
}

double Barrier::penalty_slope(const std::vector<BoundedStep>& d, double mu) const {
  double sum = 0.0;
  for (std::size_t k = 0; k < bounded_.size(); ++k) sum += slope(bounded_[k], mu).dot(d[k].value);
  return sum;
}

double Barrier::gap(const ChainValues& values) const {
  double sum = 0.0;
  for (std::size_t k = 0; k < bounded_.size(); ++k) {
    const VectorXd& g = values.open(static_cast<int>(k));
    sum += (g - bounded_[k].value.tail(g.size())).lpNorm<1>();
  }
  return sum;
}

double Barrier::largest_gap(const ChainValues& values) const {
  double most = 0.0;
  for (std::size_t k = 0; k < bounded_.size(); ++k) {
    const VectorXd& g = values.open(static_cast<int>(k));
    if (g.size() > 0)
      most = std::max(most, (g - bounded_[k].value.tail(g.size())).cwiseAbs().maxCoeff());
  }
  return most;
}

double Barrier::complementarity(double mu) const {
  double most = 0.0;
  for (const Bounded& b : bounded_)
    for_each_bound(b, [&](bool low, double distance, Index i) {
      most = std::max(most, std::abs((low ? b.zeta_lower[i] : b.zeta_upper[i]) * distance - mu));
    });
  return most;
}

double Barrier::multiplier_sum() const {
  double sum = 0.0;
  for (const Bounded& b : bounded_) sum += b.zeta_lower.sum() + b.zeta_upper.sum();
  return sum;
}

int Barrier::multiplier_count() const {
  int count = 0;
  for (const Bounded& b : bounded_) for_each_bound(b, [&](bool, double, Index) { ++count; });
  return count;
}

void Barrier::add_curvature(ChainValues& values) const {
  for (std::size_t k = 0; k < bounded_.size(); ++k) {
    const Bounded& b = bounded_[k];
    if (b.value.size() == 0) continue;
    const VectorXd sigma = stiffness(b);
    ChainStep& step = values.steps[k];
    const int w = inputs_[k];
    const Index x = step.hessian.cols() - w - step.rows.size();
    step.hessian.diagonal().segment(x, w) += sigma.head(w);
    const Eigen::MatrixXd& G = values.open_slopes(static_cast<int>(k));
    if (G.rows() > 0)
      step.hessian.noalias() += G.transpose() * sigma.tail(G.rows()).asDiagonal() * G;
  }
}

void Barrier::add_gradient(const ChainValues& values, double mu, ChainResidual& residual) const {
  for (std::size_t k = 0; k < bounded_.size(); ++k) {
    const Bounded& b = bounded_[k];
    if (b.value.size() == 0) continue;
    const VectorXd rise = slope(b, mu);
    VectorXd& t = residual.gradient[k];
    const int w = inputs_[k];
    t.segment(t.size() - w - values.steps[k].rows.size(), w) += rise.head(w);
    const Eigen::MatrixXd& G = values.open_slopes(static_cast<int>(k));
    if (const Index s = G.rows(); s > 0) {
      // Gᵀ(y + Δy) with Δy = Σ(G d + g - s) - y + barrier slope
      const VectorXd& g = values.open(static_cast<int>(k));
      t.noalias() +=
          G.transpose() * (stiffness(b).tail(s).cwiseProduct(g - b.value.tail(s)) + rise.tail(s));
    }
  }
}

void Barrier::complete(const ChainValues& values, const ChainMultipliers& multipliers, double mu,
                       const ChainDirection& d, std::vector<BoundedStep>& step,
                       std::vector<VectorXd>& limits) const {
  step.resize(bounded_.size());
  limits.resize(bounded_.size());
  for (std::size_t k = 0; k < bounded_.size(); ++k) {
    const Bounded& b = bounded_[k];
    const int w = inputs_[k];
    const Eigen::MatrixXd& G = values.open_slopes(static_cast<int>(k));
    const Index s = b.value.size() - w;
    BoundedStep& out = step[k];
    out.value.resize(b.value.size());
    out.value.head(w) = d.w[k];
    if (s > 0) {
      const Index x = G.cols() - w - d.y[k].size();
      const VectorXd& dx = k == 0 ? d.x0 : d.y[k - 1];
      out.value.tail(s) = values.open(static_cast<int>(k)) - b.value.tail(s);
      out.value.tail(s) += G.leftCols(x) * dx.tail(x);
      out.value.tail(s) += G.middleCols(x, w) * d.w[k];
      out.value.tail(s) += G.rightCols(d.y[k].size()) * d.y[k];
    }
    limits[k] = stiffness(b).tail(s).cwiseProduct(out.value.tail(s)) + slope(b, mu).tail(s) -
                multipliers.limits[k];
    out.zeta_lower = out.zeta_upper = VectorXd::Zero(b.value.size());
    for_each_bound(b, [&](bool low, double distance, Index i) {
      const double zeta = low ? b.zeta_lower[i] : b.zeta_upper[i];
      const double change = low ? out.value[i] : -out.value[i];
      (low ? out.zeta_lower : out.zeta_upper)[i] = mu / distance - zeta - zeta / distance * change;
    });
  }
}

double Barrier::longest(const std::vector<BoundedStep>& d, double tau) const {
  double alpha = 1.0;
  for (std::size_t k = 0; k < bounded_.size(); ++k)
    for_each_bound(bounded_[k], [&](bool low, double distance, Index i) {
      const double change = low ? d[k].value[i] : -d[k].value[i];
      if (change < 0.0) alpha = std::min(alpha, -tau * distance / change);
    });
  return alpha;
}

double Barrier::longest_dual(const std::vector<BoundedStep>& d, double tau) const {
  double alpha = 1.0;
  for (std::size_t k = 0; k < bounded_.size(); ++k)
    for_each_bound(bounded_[k], [&](bool low, double, Index i) {
      const double zeta = low ? bounded_[k].zeta_lower[i] : bounded_[k].zeta_upper[i];
      const double change = low ? d[k].zeta_lower[i] : d[k].zeta_upper[i];
      if (change < 0.0) alpha = std::min(alpha, -tau * zeta / change);
    });
  return alpha;
}

void Barrier::move(const std::vector<BoundedStep>& d, double alpha, const ChainPoint& at) {
  for (std::size_t k = 0; k < bounded_.size(); ++k) {
    bounded_[k].value += alpha * d[k].value;
    bounded_[k].value.head(inputs_[k]) = at.w[k];
  }
}

void Barrier::move_dual(const std::vector<BoundedStep>& d, double alpha, double mu) {
  for (std::size_t k = 0; k < bounded_.size(); ++k) {
    Bounded& b = bounded_[k];
    for_each_bound(b, [&](bool low, double distance, Index i) {
      double& zeta = (low ? b.zeta_lower : b.zeta_upper)[i];
      zeta += alpha * (low ? d[k].zeta_lower : d[k].zeta_upper)[i];
      zeta = std::clamp(zeta, mu / (largest_ratio * distance), largest_ratio * mu / distance);
    });
  }
}

VectorXd Barrier::input_force(int k) const {
  const Bounded& b = of(k);
  return (b.zeta_upper - b.zeta_lower).head(inputs(k));
}
VectorXd Barrier::slack_force(int k) const {
  const Bounded& b = of(k);
  return (b.zeta_upper - b.zeta_lower).tail(b.value.size() - inputs(k));
}

}  // namespace varia::detail
