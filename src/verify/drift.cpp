// SPDX-License-Identifier: BSD-3-Clause
#include "varia/verify/drift.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "varia/core/error.hpp"

namespace varia {

namespace {

struct Line {
  double t_mean = 0.0, y_mean = 0.0, slope = 0.0, tt = 0.0;
  double at(double t) const { return y_mean + slope * (t - t_mean); }
};

/// Two passes: means first, so that nothing cancels.
Line least_squares(const std::vector<double>& t, const std::vector<double>& y) {
  Line line;
  const auto count = static_cast<double>(t.size());
  for (std::size_t i = 0; i < t.size(); ++i) {
    line.t_mean += (t[i] - t.front()) / count;
    line.y_mean += (y[i] - y.front()) / count;
  }
  line.t_mean += t.front();
  line.y_mean += y.front();
  double ty = 0.0;
  for (std::size_t i = 0; i < t.size(); ++i) {
    line.tt += (t[i] - line.t_mean) * (t[i] - line.t_mean);
    ty += (t[i] - line.t_mean) * (y[i] - line.y_mean);
  }
  line.slope = ty / line.tt;
  return line;
}

/// Means of consecutive blocks.
std::vector<double> block_means(const std::vector<double>& x, std::size_t blocks) {
  std::vector<double> means;
  for (std::size_t b = 0; b < blocks; ++b) {
    const std::size_t first = b * x.size() / blocks;
    const std::size_t end = (b + 1) * x.size() / blocks;
    double sum = 0.0;
    for (std::size_t i = first; i < end; ++i) sum += x[i] - x.front();
    means.push_back(x.front() + sum / static_cast<double>(end - first));
  }
  return means;
}

/// σ_s and the agreement of the blocks, Kendall's τ.
void judge_by_blocks(const std::vector<double>& t, const std::vector<double>& y, std::size_t blocks,
                     DriftFit& fit) {
  const auto bt = block_means(t, blocks);
  const auto by = block_means(y, blocks);
  const Line line = least_squares(bt, by);
  double squares = 0.0;
  double rising = 0.0;
  for (std::size_t b = 0; b < blocks; ++b) {
    const double off = by[b] - line.at(bt[b]);
    squares += off * off;
    for (std::size_t a = 0; a < b; ++a) rising += by[b] > by[a] ? 1.0 : by[b] < by[a] ? -1.0 : 0.0;
  }
  const auto count = static_cast<double>(blocks);
  fit.slope_error = std::sqrt(squares / ((count - 2.0) * line.tt));
  fit.agreement = rising / (0.5 * count * (count - 1.0));
}

void require_series(const std::vector<double>& t, const std::vector<double>& y,
                    std::size_t blocks) {
  if (t.size() != y.size())
    throw InvalidArgument("drift: there are " + std::to_string(t.size()) + " times and " +
                          std::to_string(y.size()) + " values");
  if (blocks < 4)
    throw InvalidArgument("drift: there must be at least 4 blocks, got " + std::to_string(blocks));
  if (t.size() < 2 * blocks)
    throw InvalidArgument("drift: a fit with " + std::to_string(blocks) +
                          " blocks needs at least " + std::to_string(2 * blocks) + " values, got " +
                          std::to_string(t.size()));
  const double direction = t.back() - t.front();
  for (std::size_t i = 0; i < t.size(); ++i) {
    if (!std::isfinite(t[i]) || !std::isfinite(y[i]))
      throw InvalidArgument("drift: number " + std::to_string(i + 1) +
                            " of the values or times is not finite");
    if (i > 0 && !((t[i] - t[i - 1]) * direction > 0.0))
      throw InvalidArgument("drift: the times must increase, or decrease, all the way");
  }
}

std::string short_text(double x) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.3g", x);
  return text.data();
}

}  // namespace

DriftFit fit_drift(const std::vector<double>& t, const std::vector<double>& y, std::size_t blocks) {
  require_series(t, y, blocks);
  const Line line = least_squares(t, y);
  DriftFit fit;
  fit.slope = line.slope;
  judge_by_blocks(t, y, blocks, fit);
  fit.span = t.back() - t.front();
  fit.level = line.at(0.5 * (t.front() + t.back()));
  const auto [least, most] = std::minmax_element(y.begin(), y.end());
  fit.range = *most - *least;
  double low = 0.0;
  double high = 0.0;
  for (std::size_t i = 0; i < t.size(); ++i) {
    low = std::min(low, y[i] - line.at(t[i]));
    high = std::max(high, y[i] - line.at(t[i]));
  }
  fit.swing = high - low;
  const double size = std::max(std::abs(*least), std::abs(*most));
  if (fit.range <= 1e-13 * size)
    fit.verdict = DriftFit::Verdict::round_off;
  else if (std::abs(fit.slope) > 3.0 * fit.slope_error &&
           (std::abs(fit.change()) > fit.swing ||
            (std::abs(fit.agreement) >= 0.8 && std::abs(fit.change()) > 0.1 * fit.swing)))
    fit.verdict = DriftFit::Verdict::drifting;
  return fit;
}

std::string DriftFit::text() const {
  const std::string trend =
      short_text(slope) + " +- " + short_text(slope_error) + " per unit of time";
  switch (verdict) {
    case Verdict::round_off:
      return "constant to round-off: a range of " + short_text(range);
    case Verdict::drifting:
      return "drifts by " + short_text(change()) + " over the run: " + trend;
    case Verdict::level:
      break;
  }
  return "no trend: a swing of " + short_text(swing) + " about the level, " + trend;
}

}  // namespace varia
