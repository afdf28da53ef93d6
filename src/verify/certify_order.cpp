// SPDX-License-Identifier: BSD-3-Clause
#include "varia/verify/certify_order.hpp"

#include "varia/core/round_off.hpp"

namespace varia::detail {
namespace {

/// The standard deviation of the defects from their mean f, or from 0. (The largest deviation would
/// change from one motion to another as h decreases, with a kink in the slope.)
double spread(const OrderSample& sample, bool from_mean, double& f) {
  const auto count = static_cast<double>(sample.defects.size());
  f = 0.0;
  if (from_mean) {
    for (const double x : sample.defects) f += x / count;
  }
  double squares = 0.0;
  for (const double x : sample.defects) squares += (x - f) * (x - f);
  return std::sqrt(squares / count);
}

}  // namespace

bool at_round_off(const CertifiedOrder& report, const OrderSample& sample) {
  double f = 0.0;
  return spread(sample, !report.by_steps, f) < 100.0 * eps * sample.round_off;
}

void add_sample(CertifiedOrder& report, double h, const OrderSample& sample) {
  double f = 0.0;
  report.errors.push_back(spread(sample, !report.by_steps, f));
  report.steps.push_back(h);
  if (!report.by_steps) report.additive.push_back(f);
}

void finish_order(CertifiedOrder& report) {
  const std::size_t n = report.errors.size();
  if (n < 4)
    throw InvalidArgument(
        "certify_order: the errors meet round-off within four step sizes; take a larger h, or a "
        "start from which something moves");
  // over a factor near 3 in h: round-off in the last error then matters less than the next power of h
  report.measured = std::log(report.errors[n - 4] / report.errors[n - 1]) /
                        std::log(report.steps[n - 4] / report.steps[n - 1]) -
                    1.0;
}

}  // namespace varia::detail
