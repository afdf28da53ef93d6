// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Resonance of two steps on the linear test: one particle, a fast spring k1 every h/r, a slow one k2
// every h. The motion grows where |trace/2| > 1 of the map over h [West04, 6.1.6].
//
//   (AVI-resonance)  A = K(k2, h) [K(k1, h/r) D(h/r)]^r,   D(s): x ← x + s v,   K(k, w): v ← v - w k x / m
//
// Each step may be below its own limit 2 √(m/k) and the motion still grow: a limit on every step is
// necessary, not sufficient.
#include <vector>

namespace varia::terms {

struct Interval {
  double begin, end;
};

/// ½ trace A of (AVI-resonance).
double half_trace(double k1, double k2, double m, int ratio, double h);

/// The steps h of the slow spring in (0, h_max] with |trace/2| > 1, in order. Intervals narrower
/// than the resolution may stay unseen; the ends of those found are exact to 1e-12 h_max.
std::vector<Interval> unstable_steps(double k1, double k2, double m, int ratio, double h_max,
                                     double resolution);

}  // namespace varia::terms
