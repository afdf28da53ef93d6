// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Where a function crosses zero along one step of a flow.
//
// The function is g(h') = when(F^{h'}(s)), s being the state before the step and F the flow itself, so
// that what is found is a state of the discrete motion and not one of an interpolant.
//
// Known are g at both ends of the step. Where their signs differ there is a crossing, which is
// bracketed until its ends are neighbours to round-off. Where they agree the graph may have dipped
// through zero and back: if g comes near zero, its slopes at the two ends are looked at, and where they
// say that it turns between them the turning point is located and its sign decides. A graph that
// touches zero without changing its sign has no crossing.
#include <functional>
#include <vector>

namespace varia::io {

struct Crossing {
  double h = 0.0;     ///< in (0, h]
  int direction = 1;  ///< 1: from negative to positive, else -1
};

/// Of one function.
struct StepValues {
  double before = 0.0;      ///< where the previous step began
  bool has_before = false;  ///< there is one
  double start = 0.0, end = 0.0;
};

using StepFunction = std::function<double(double)>;

/// In the order of the motion. h may be negative. A zero at the end is a crossing by the side that it
/// comes from, one at the start is none.
std::vector<Crossing> crossings(const StepFunction& g, double h, const StepValues& values);

/// Where f, of opposite signs at a and b, vanishes, to the given length: the best of the last values.
double bracketed_root(const StepFunction& f, double a, double fa, double b, double fb,
                      double tolerance);

}  // namespace varia::io
