// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A point of a chain with its multipliers, and how far it is from an optimum.
#include <algorithm>

#include "barrier.hpp"
#include "chain_values.hpp"
#include "varia/control/optimise.hpp"

namespace varia::detail {

struct KktError {
  double stationarity = 0.0, infeasibility = 0.0, complementarity = 0.0;  ///< scaled
  double largest() const { return std::max({stationarity, infeasibility, complementarity}); }
};

/// A point with its multipliers, slacks, and all functions there.
struct ChainIterate {
  explicit ChainIterate(const ChainProblem& problem) : values(problem), barrier(values) {}
  ChainPoint at;
  ChainMultipliers multipliers;
  ChainValues values;
  Barrier barrier;
  double violation() const { return values.violation() + barrier.gap(values) / values.count(); }
};

/// The unit of a cost whose slopes at the guess are these: 1 unless they are steep. Infinite where a slope is.
double cost_scale(const ChainValues& guess);
/// Of the barrier problem of μ; the problem itself: μ = 0.
KktError kkt_error(const ChainIterate& x, double scale, double mu);
/// Point, cost, multipliers and error.
Optimum optimum_of(const ChainIterate& x, double scale);

}  // namespace varia::detail
