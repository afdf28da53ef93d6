// SPDX-License-Identifier: BSD-3-Clause
#include "check_laws.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace varia::io {

void try_to_measure(const std::string& law, CheckReport& report,
                    const std::function<void()>& measure) {
  try {
    measure();
  } catch (const InvalidArgument&) {
    throw;
  } catch (const Error& error) {
    report.unmeasured.push_back({law, error.what()});
  }
}

std::optional<std::string> try_durations(std::initializer_list<double> durations, CheckWork& work,
                                         const std::function<void(double)>& measure) {
  std::string last, stopped;
  double too_long = std::numeric_limits<double>::infinity();
  for (const double duration : durations) {
    if (std::abs(duration) >= too_long) continue;
    work.begin_trial();
    try {
      measure(duration);
      return std::nullopt;
    } catch (const WorkLimit& error) {
      stopped = error.what();
      too_long = std::abs(duration);
    } catch (const NoConvergence& error) {
      last = error.what();
      too_long = std::abs(duration);
    } catch (const Error& error) {
      last = error.what();  // the errors are too large or too small, or steps leave the domain of L
    }
  }
  return stopped.empty() ? last : stopped;
}

void measure_order(double step, CheckReport& report, CheckWork& work,
                   const std::function<OrderReport(double)>& measure) {
  work.begin("order", order_seconds);
  const auto why = try_durations(
      {10 * step, 40 * step, 2.5 * step, 160 * step, 640 * step, 0.6 * step, 0.15 * step}, work,
      [&](double duration) { report.order = measure(duration); });
  if (why) report.unmeasured.push_back({"order", *why});
}

void require_settled(double difference, const std::vector<double>& errors,
                     const std::vector<double>& sizes) {
  if (std::abs(difference) <= order_tolerance) return;
  const auto slope = [&](std::size_t i) {
    return std::log(errors[i] / errors[i + 1]) / std::log(sizes[i] / sizes[i + 1]);
  };
  const std::size_t k = errors.size();
  // a difference that is real is much larger than what the slopes leave open
  if (std::abs(slope(k - 3) - slope(k - 2)) > std::min(order_tolerance, std::abs(difference) / 3.0))
    throw InvalidArgument(
        "the errors do not follow a power of the step, which is too large, or meet round-off");
}

}  // namespace varia::io
