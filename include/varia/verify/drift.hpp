// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Does a quantity drift or swing about a level? A line through its values, with an error that knows
// that neighbouring values are not independent.
//
//   (drift)   least squares of y ≈ y₀ + s (t - t̄);   σ_s from the means of blocks of the run
//
// The values of an energy swing with the motion, and the error formula for independent values would
// take the remainder of a swing for a trend. Means over blocks that are longer than a swing are
// nearly independent: their scatter about the line gives σ_s. A trend counts when it is more than
// three times σ_s and either takes y further over the run than the swing about the line does, or the
// blocks agree on it: of their pairs nine in ten are in order (a decay that levels off), and the
// trend makes more than a tenth of the swing.
#include <cstddef>
#include <string>
#include <vector>

#include "varia/flow/integrate.hpp"
#include "varia/verify/typed_view.hpp"

namespace varia {

struct DriftFit {
  enum class Verdict { round_off, level, drifting };

  double slope = 0.0;        ///< s, per unit of time
  double slope_error = 0.0;  ///< σ_s
  double level = 0.0;        ///< the fitted value at the middle of the run
  double span = 0.0;         ///< duration of the run
  double swing = 0.0;        ///< largest minus smallest distance from the line
  double range = 0.0;        ///< largest minus smallest value
  double agreement = 0.0;    ///< of the pairs of blocks: those that rise minus those that fall
  Verdict verdict = Verdict::level;

  /// What the trend makes over the run.
  double change() const { return slope * span; }
  bool drifts() const { return verdict == Verdict::drifting; }
  /// One sentence: "no trend: ...", "drifts by ...".
  std::string text() const;
};

/// The fit to values y at times t, as many of each, at least twice as many as blocks; times increase
/// or decrease strictly. A range below 1e-13 of the largest value is round-off.
DriftFit fit_drift(const std::vector<double>& t, const std::vector<double>& y,
                   std::size_t blocks = 20);

/// (drift) of the energy along a run, recorded at every so many steps.
template <class F, class StateT>
DriftFit energy_drift(const F& flow, const StateT& start, double h, long steps, long every = 1) {
  std::vector<double> t;
  std::vector<double> e;
  advance(flow, start, h, steps, varia::every(every, [&](const StateT& s) {
            t.push_back(s.t);
            e.push_back(energy(detail::typed_system(flow), s));
          }));
  return fit_drift(t, e);
}

}  // namespace varia
