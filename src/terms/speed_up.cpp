// SPDX-License-Identifier: BSD-3-Clause
#include "varia/terms/speed_up.hpp"

#include <algorithm>

#include "varia/core/error.hpp"

namespace varia::terms {

double speed_up(const std::vector<double>& steps) {
  if (steps.empty()) throw InvalidArgument("speed_up: there are no steps");
  const double smallest = *std::min_element(steps.begin(), steps.end());
  if (!(smallest > 0.0)) throw InvalidArgument("speed_up: steps must be positive");
  double rate = 0.0;
  for (const double step : steps) rate += 1.0 / step;
  const auto count = static_cast<double>(steps.size());
  return std::max(1.0, count / (smallest * rate));  // rounding must not give 1 - 1e-16
}

}  // namespace varia::terms
