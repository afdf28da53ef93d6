// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The filter of a line search [WB06]: pairs (θ, φ) of violation and barrier function that no later point may be worse
// than in both.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace varia::detail {

struct Merit {
  double theta = 0.0, phi = 0.0;
  bool finite() const { return std::isfinite(theta) && std::isfinite(phi); }
};

class Filter {
 public:
  /// Nothing above the violation `most` is taken.
  void reset(double most) {
    most_ = most;
    entries_.clear();
  }
  bool takes(const Merit& m) const {
    if (!m.finite() || m.theta > most_) return false;
    return std::none_of(entries_.begin(), entries_.end(),
                        [&](const Merit& e) { return m.theta >= e.theta && m.phi >= e.phi; });
  }
  void add(const Merit& from) {
    const Merit corner{(1.0 - margin) * from.theta, from.phi - margin * from.theta};
    std::erase_if(entries_,
                  [&](const Merit& e) { return e.theta >= corner.theta && e.phi >= corner.phi; });
    entries_.push_back(corner);
  }
  /// Better than `from` in one of them by more than a small share of the violation.
  static bool improves(const Merit& m, const Merit& from) {
    return m.theta <= (1.0 - margin) * from.theta ||
           m.phi <= from.phi - margin * from.theta + round_off(from.phi);
  }
  /// What φ may rise by round-off of its sums.
  static double round_off(double phi) {
    return 10.0 * std::numeric_limits<double>::epsilon() * std::abs(phi);
  }

 private:
  static constexpr double margin = 1e-5;  ///< γ_θ and γ_φ
  double most_ = std::numeric_limits<double>::infinity();
  std::vector<Merit> entries_;
};

}  // namespace varia::detail
