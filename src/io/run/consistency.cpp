// SPDX-License-Identifier: BSD-3-Clause
#include "varia/io/consistency.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "varia/core/index.hpp"

namespace varia::io {

namespace {

using detail::sz;

constexpr int defect_points = 12;
constexpr double agreed = 1e-6;      // of the largest derivative
constexpr double distrust = 100.0;   // times the estimated error of a limit
constexpr std::size_t halvings = 6;  // of the step, for one limit

/// A limit for h → 0 and how well it is known.
struct Limit {
  double value = 0.0;
  double error = std::numeric_limits<double>::infinity();
};

/// Of f(h), f(h/2), f(h/4), ...: Neville's scheme for a polynomial in h, at 0. Each value is rounded by
/// so much.
Limit extrapolated(std::array<double, halvings> f, double rounding) {
  double last = f.back();
  for (std::size_t k = 1; k < halvings; ++k) {
    last = f.back();
    for (std::size_t i = halvings - 1; i >= k; --i)
      f[i] += (f[i] - f[i - 1]) / (std::exp2(static_cast<double>(k)) - 1.0);
  }
  const double error = std::abs(f.back() - last) + rounding;
  return std::isfinite(error) ? Limit{f.back(), error} : Limit{};
}

/// Whether f(h), f(h/2), f(h/4), ... has no limit, by more than rounding does: as where a factor h is
/// missing.
bool diverges(const std::array<double, halvings>& f, double rounding) {
  double before = distrust * rounding;
  for (std::size_t k = 1; k < halvings; ++k) {
    const double change = std::abs(f[k] - f[k - 1]);
    if (!(change > 1.5 * before)) return false;
    before = change;
  }
  return true;
}

/// The limits of (D₁ + D₂)L_d/h, then of D₂L_d, from steps that begin with h. Of the last steps that are
/// tried, what has no limit is known by its last value.
std::vector<Limit> limits_from(const DiscreteLagrangianSystem& d, const std::vector<double>& q,
                               const std::vector<double>& v, double h, bool last) {
  const auto n = sz(d.n);
  std::vector<std::array<double, halvings>> values(2 * n);
  std::vector<double> size(n, 0.0);
  std::vector<double> out(2 * n);
  for (std::size_t k = 0; k < halvings; ++k, h *= 0.5) {
    std::vector<double> x{h};
    x.insert(x.end(), q.begin(), q.end());
    for (const double speed : v) x.push_back(h * speed);
    d.first(x.data(), out.data());
    for (std::size_t i = 0; i < n; ++i) {
      values[i][k] = (out[i] + out[n + i]) / h;
      values[n + i][k] = out[n + i];
      size[i] = std::max(size[i], std::abs(out[n + i]));
    }
  }
  const double rounding = 16.0 * std::numeric_limits<double>::epsilon();
  std::vector<Limit> limits;
  for (std::size_t i = 0; i < 2 * n; ++i) {
    const double part = rounding * size[i % n] / (i < n ? std::abs(h) : 1.0);
    limits.push_back(last && diverges(values[i], part) ? Limit{values[i].back(), 0.0}
                                                       : extrapolated(values[i], part));
  }
  return limits;
}

/// The best of several first steps, from that of the run on.
std::vector<Limit> limits(const DiscreteLagrangianSystem& d, const std::vector<double>& q,
                          const std::vector<double>& v, double h) {
  std::vector<Limit> best(sz(2 * d.n));
  constexpr double shortest = 1.0 / 4096.0;
  for (const double fraction : {1.0, 1.0 / 16.0, 1.0 / 256.0, shortest}) {
    const std::vector<Limit> found = limits_from(d, q, v, fraction * h, fraction == shortest);
    for (std::size_t i = 0; i < best.size(); ++i)
      if (found[i].error < best[i].error) best[i] = found[i];
  }
  return best;
}

/// Numbers in [-1, 1] that look random and are always the same.
double scattered(int i, int j) {
  const double x = std::sin(12.9898 * (i + 1) + 78.233 * (j + 1)) * 43758.5453;
  return 2.0 * (x - std::floor(x)) - 1.0;
}

/// A point between the start (number 0) and the end (number 1), or about them.
std::vector<double> between(const std::vector<double>& start, const std::vector<double>& end,
                            int number, int kind) {
  if (number < 2) return number == 0 ? start : end;
  std::vector<double> x(start.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double spread = std::max({std::abs(end[i] - start[i]), 0.3 * std::abs(end[i]), 0.1});
    x[i] = 0.5 * (start[i] + end[i]) + spread * scattered(number, kind + static_cast<int>(i));
  }
  return x;
}

}  // namespace

std::optional<DiscreteDefect> discrete_defect(const Model& model, const std::vector<double>& q_end,
                                              const std::vector<double>& v_end) {
  const KernelSystem& f = *model.system;
  const auto n = sz(f.n);
  const auto& v0 = model.scenario.start.momenta ? v_end : model.rates0;
  std::vector<DiscreteDefect> worst(2 * n);
  std::vector<double> size(2 * n, 0.0);
  std::vector<double> stated(2 * n);
  for (int k = 0; k < defect_points; ++k) {
    const std::vector<double> q = between(model.q0, q_end, k, 0);
    const std::vector<double> v = between(v0, v_end, k, 1000);
    f.gradient(f.point(model.t0, q.data(), v.data()).data(), stated.data());
    const std::vector<Limit> found = limits(*model.discrete, q, v, model.step);
    for (std::size_t i = 0; i < 2 * n; ++i) {
      const double off = std::abs(found[i].value - stated[i]);
      if (!std::isfinite(stated[i]) || !std::isfinite(found[i].error)) continue;
      size[i] = std::max(size[i], std::abs(stated[i]));
      if (off > distrust * found[i].error && off > worst[i].share)
        worst[i] = {"", stated[i], found[i].value, off};
    }
  }
  std::optional<DiscreteDefect> largest;
  for (std::size_t i = 0; i < 2 * n; ++i) {
    if (size[i] > 0.0) worst[i].share /= size[i];
    if (worst[i].share <= std::max(agreed, largest ? largest->share : 0.0)) continue;
    worst[i].of = "dL/d" + (i < n ? model.entry_names[i] : model.velocity_names[i - n]);
    largest = worst[i];
  }
  return largest;
}

}  // namespace varia::io
