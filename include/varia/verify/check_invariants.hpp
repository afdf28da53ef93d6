// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Laws along a trajectory: Noether momenta, reversibility, constraints.
//
//   (Noether)     ⟨p, ξ_Q(q)⟩ constant        (reverse)   F⁻ʰ Fʰ = id                     [MW01]
//   (hol), (hidden)   φ(q) = 0,  G(q) v = 0
//
// A flow is any type with memory(state) and step(state, h, memory); what is asked of its system()
// stands at each check.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "varia/flow/integrate.hpp"
#include "varia/flow/start.hpp"
#include "varia/verify/check_order.hpp"

namespace varia {

struct MomentumDrift {
  std::string name;
  double initial = 0.0;
  double drift = 0.0;  ///< largest change along the run
};

struct NoetherReport {
  std::vector<MomentumDrift> momenta;
  bool passes(double tolerance = 1e-12) const {
    return std::all_of(momenta.begin(), momenta.end(), [&](const MomentumDrift& m) {
      return m.drift <= tolerance * std::max(1.0, std::abs(m.initial));
    });
  }
};

/// (Noether) for the symmetries of the system, over a run. The system offers for_each_symmetry(f),
/// which calls f with objects that have name() and momentum(q, p).
template <class F, Point Q, int M>
NoetherReport check_noether(const F& flow, const State<Q, M>& start, double h, long steps) {
  NoetherReport report;
  detail::typed_system(flow).for_each_symmetry([&](const auto& s) {
    report.momenta.push_back({s.name(), s.momentum(start.q, start.p), 0.0});
  });
  if (report.momenta.empty())
    throw InvalidArgument(
        "check_noether: the system states no symmetry; add Symmetry{\"name\", generator}");
  advance(flow, start, h, steps, [&](const State<Q, M>& z) {
    std::size_t i = 0;
    detail::typed_system(flow).for_each_symmetry([&](const auto& s) {
      MomentumDrift& m = report.momenta[i++];
      m.drift = std::max(m.drift, std::abs(s.momentum(z.q, z.p) - m.initial));
    });
  });
  return report;
}

struct ReversibleReport {
  double defect = 0.0;  ///< relative distance of F⁻ʰ Fʰ z from z
  bool passes(double tolerance = 1e-12) const { return defect <= tolerance; }
};

/// (reverse) over the given number of steps forth and back; holds for symmetric methods only.
template <class F, Point Q, int M>
ReversibleReport check_reversible(const F& flow, const State<Q, M>& start, double h,
                                  long steps = 1) {
  return {detail::distance(advance(flow, advance(flow, start, h, steps), -h, steps), start)};
}

struct ConstraintReport {
  double position = 0.0;  ///< largest |φ(q)|
  double velocity = 0.0;  ///< largest |G(q) v|
  bool passes(double tolerance = 1e-12) const {
    return position <= tolerance && velocity <= tolerance;
  }
};

/// (hol) and (hidden) over a run, by constraint_defect(system, state).
template <class F, Point Q, int M>
ConstraintReport check_constraints(const F& flow, const State<Q, M>& start, double h, long steps) {
  static_assert(may_constrain<M>, "check_constraints: the system has no constraints");
  if (start.lambda.size() == 0)
    throw InvalidArgument("check_constraints: the system has no constraints");
  ConstraintReport report;
  advance(flow, start, h, steps, [&](const State<Q, M>& z) {
    const ConstraintDefect defect = constraint_defect(detail::typed_system(flow), z);
    report.position = std::max(report.position, defect.position);
    report.velocity = std::max(report.velocity, defect.velocity);
  });
  return report;
}

}  // namespace varia
