// SPDX-License-Identifier: BSD-3-Clause
#include "varia/terms/resonance.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "varia/core/error.hpp"

namespace varia::terms {

namespace {

void require(bool good, const char* what, double found) {
  if (!good || !std::isfinite(found))
    throw InvalidArgument(std::string("resonance: ") + what + ", got " + to_text(found));
}

void check(double k1, double k2, double m, int ratio) {
  require(k1 >= 0.0, "the stiffness of the fast spring must not be negative", k1);
  require(k2 >= 0.0, "the stiffness of the slow spring must not be negative", k2);
  require(m > 0.0, "the mass must be positive", m);
  require(ratio >= 1, "the ratio of the steps must be at least 1", ratio);
}

/// |trace/2| that is 1 but for round-off is stable.
bool grows(double half) { return std::abs(half) > 1.0 + 1e-12; }

}  // namespace

double half_trace(double k1, double k2, double m, int ratio, double h) {
  check(k1, k2, m, ratio);
  const double s = h / ratio;
  std::array<std::array<double, 2>, 2> columns{{{1.0, 0.0}, {0.0, 1.0}}};
  for (auto& [x, v] : columns) {
    for (int i = 0; i < ratio; ++i) {
      x += s * v;
      v -= s * k1 / m * x;
    }
    v -= h * k2 / m * x;
  }
  return 0.5 * (columns[0][0] + columns[1][1]);
}

std::vector<Interval> unstable_steps(double k1, double k2, double m, int ratio, double h_max,
                                     double resolution) {
  check(k1, k2, m, ratio);
  require(h_max > 0.0, "the largest step must be positive", h_max);
  require(resolution > 0.0, "the resolution must be positive", resolution);
  const auto bad = [&](double h) { return grows(half_trace(k1, k2, m, ratio, h)); };
  /// The step between a and b at which the verdict changes.
  const auto border = [&](double a, double b) {
    const bool at_a = bad(a);
    while (b - a > 1e-12 * h_max) {
      const double middle = 0.5 * (a + b);
      (bad(middle) == at_a ? a : b) = middle;
    }
    return 0.5 * (a + b);
  };
  std::vector<Interval> intervals;
  bool inside = false;
  double previous = 0.0;
  const auto count = static_cast<long>(std::ceil(h_max / resolution));
  for (long i = 1; i <= count; ++i) {
    const double h = std::min(static_cast<double>(i) * resolution, h_max);
    const bool now = bad(h);
    if (now && !inside) intervals.push_back({border(previous, h), h_max});
    if (!now && inside) intervals.back().end = border(previous, h);
    inside = now;
    previous = h;
  }
  return intervals;
}

}  // namespace varia::terms
