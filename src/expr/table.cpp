// SPDX-License-Identifier: BSD-3-Clause
#include "varia/expr/table.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <deque>
#include <limits>
#include <mutex>
#include <utility>

#include "varia/core/error.hpp"

namespace varia::expr {
namespace {

constexpr std::size_t codes =
    8;  ///< for the derivatives of one table; those from the fourth on are 0

/// Second derivatives at the points of the spline through them that has one cubic polynomial on the first
/// two intervals and one on the last two.
std::vector<double> second_derivatives(const std::vector<double>& h,
                                       const std::vector<double>& slope) {
  const std::size_t n = slope.size();  // intervals
  // h[k-1] m[k-1] + 2 (h[k-1] + h[k]) m[k] + h[k] m[k+1] = 6 (slope[k] - slope[k-1]), 0 < k < n, with
  // the outermost m from equal third derivatives: m[0] = m[1] - (m[2] - m[1]) h[0]/h[1]
  std::vector<double> diagonal(n + 1), lower(n + 1), upper(n + 1), m(n + 1);
  for (std::size_t k = 1; k < n; ++k) {
    lower[k] = h[k - 1];
    diagonal[k] = 2.0 * (h[k - 1] + h[k]);
    upper[k] = h[k];
    m[k] = 6.0 * (slope[k] - slope[k - 1]);
  }
  const double first = h[0] / h[1];
  const double last = h[n - 1] / h[n - 2];
  diagonal[1] += h[0] * (1.0 + first);
  upper[1] -= h[0] * first;
  diagonal[n - 1] += h[n - 1] * (1.0 + last);
  lower[n - 1] -= h[n - 1] * last;
  for (std::size_t k = 2; k < n; ++k) {
    const double factor = lower[k] / diagonal[k - 1];
    diagonal[k] -= factor * upper[k - 1];
    m[k] -= factor * m[k - 1];
  }
  m[n] = 0.0;
  for (std::size_t k = n - 1; k >= 1; --k)
    m[k] = (m[k] - (k + 1 < n ? upper[k] * m[k + 1] : 0.0)) / diagonal[k];
  m[0] = m[1] - (m[2] - m[1]) * first;
  m[n] = m[n - 1] + (m[n - 1] - m[n - 2]) * last;
  return m;
}

/// The tables of the program, to be read without a lock. Places of a deque stay where they are.
struct Tables {
  static constexpr std::size_t most = 4096;
  std::mutex mutex;  ///< for those who add
  std::deque<Spline> list;
  std::array<std::atomic<const Spline*>, most> at{};
};

Tables& tables() {
  static Tables all;
  return all;
}

bool same(const Spline& a, const Spline& b) {
  return a.name() == b.name() && a.knots() == b.knots() && a.coefficients() == b.coefficients();
}

}  // namespace

Spline::Spline(std::string name, std::vector<double> x, const std::vector<double>& y)
    : name_(std::move(name)), x_(std::move(x)) {
  if (x_.size() != y.size() || x_.size() < fewest)
    throw InvalidArgument(name_ + ": a spline needs at least " + std::to_string(fewest) +
                          " points, found " + std::to_string(std::min(x_.size(), y.size())));
  std::vector<double> h(x_.size() - 1), slope(x_.size() - 1);
  for (std::size_t k = 0; k < h.size(); ++k) {
    h[k] = x_[k + 1] - x_[k];
    if (!(h[k] > 0.0) || !std::isfinite(h[k]))
      throw InvalidArgument(name_ + ": the points of a spline must increase, found " +
                            varia::to_text(x_[k]) + " before " + varia::to_text(x_[k + 1]));
    slope[k] = (y[k + 1] - y[k]) / h[k];
  }
  const std::vector<double> m = second_derivatives(h, slope);
  for (std::size_t k = 0; k < h.size(); ++k)
    for (const double c : {y[k], slope[k] - h[k] * (2.0 * m[k] + m[k + 1]) / 6.0, 0.5 * m[k],
                           (m[k + 1] - m[k]) / (6.0 * h[k])}) {
      if (!std::isfinite(c))
        throw InvalidArgument(name_ + ": the spline has no finite coefficients near " +
                              varia::to_text(x_[k]));
      c_.push_back(c);
    }
}

double Spline::operator()(double x, int order) const {
  if (!(first() <= x && x <= last())) return std::numeric_limits<double>::quiet_NaN();
  const auto next = std::upper_bound(x_.begin() + 1, x_.end() - 1, x);
  const auto k = static_cast<std::size_t>(next - x_.begin()) - 1;
  const double* const c = &c_[4 * k];
  const double s = x - x_[k];
  switch (order) {
    case 0:
      return c[0] + s * (c[1] + s * (c[2] + s * c[3]));
    case 1:
      return c[1] + s * (2.0 * c[2] + s * (3.0 * c[3]));
    case 2:
      return 2.0 * c[2] + s * (6.0 * c[3]);
    case 3:
      return 6.0 * c[3];
    default:
      return 0.0;
  }
}

double table_code(const Spline& spline) {
  Tables& all = tables();
  const std::lock_guard lock(all.mutex);
  const auto known = std::find_if(all.list.begin(), all.list.end(),
                                  [&](const Spline& other) { return same(other, spline); });
  const auto number = static_cast<std::size_t>(known - all.list.begin());
  if (known == all.list.end()) {
    if (number >= Tables::most)
      throw InvalidArgument("there are more than " + std::to_string(Tables::most) + " tables");
    all.list.push_back(spline);
    all.at[number].store(&all.list.back(), std::memory_order_release);
  }
  return static_cast<double>(codes * number);
}

const Spline* find_table(double code, int& order) {
  constexpr auto end = static_cast<double>(codes * Tables::most);
  if (!(0.0 <= code && code < end) || code != std::floor(code)) return nullptr;
  const auto whole = static_cast<std::size_t>(code);
  order = static_cast<int>(whole % codes);
  return tables().at[whole / codes].load(std::memory_order_acquire);
}

double table_value(double x, double code) {
  int order = 0;
  const Spline* const spline = find_table(code, order);
  return spline == nullptr ? std::numeric_limits<double>::quiet_NaN() : (*spline)(x, order);
}

}  // namespace varia::expr
