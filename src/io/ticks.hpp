// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Times at which something is written: t0 + i·spacing by multiplication, and the end.
#include <algorithm>
#include <cmath>

namespace varia::io {

class Ticks {
 public:
  Ticks() = default;
  /// Ticks 0 to count(), the last at the end.
  static Ticks divided(double t0, double end, long intervals) {
    return spaced(t0, end, (end - t0) / static_cast<double>(std::max(1L, intervals)));
  }
  /// The spacing of an earlier run.
  static Ticks spaced(double t0, double end, double spacing) {
    Ticks ticks;
    ticks.t0_ = t0;
    ticks.end_ = end;
    ticks.spacing_ = spacing;
    ticks.count_ =
        spacing > 0.0 ? static_cast<long>(std::ceil((end - t0) / spacing * (1 - 1e-12))) : 0;
    return ticks;
  }

  double time(long i) const { return i >= count_ ? end_ : t0_ + static_cast<double>(i) * spacing_; }
  long count() const { return count_; }
  double spacing() const { return spacing_; }

 private:
  double t0_ = 0.0, end_ = 0.0, spacing_ = 0.0;
  long count_ = -1;  ///< -1: no ticks
};

}  // namespace varia::io
