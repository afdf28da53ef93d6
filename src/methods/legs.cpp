// SPDX-License-Identifier: BSD-3-Clause
#include "varia/methods/legs.hpp"

namespace varia {

namespace {

/// Adds a step of the trapezoid rule (verlet) over a fraction: kick, drift, kick.
void add_leg(double alpha, double fraction, Legs& legs) {
  const double first = fraction * (1.0 - alpha);
  const double second = fraction * alpha;
  if (legs.drifts.empty()) {
    legs = {{fraction}, {first, second}};
    return;
  }
  const double between = legs.kicks.back() + first;
  if (between == 0.0) {  // nothing happens between two drifts
    legs.drifts.back() += fraction;
    legs.kicks.back() = second;
    return;
  }
  legs.drifts.push_back(fraction);
  legs.kicks.back() = between;
  legs.kicks.push_back(second);
}

/// False when a part is not explicit.
bool add_method(const Method& method, double fraction, Legs& legs) {
  if (method.substeps().empty()) {
    if (!method.explicit_alpha()) return false;
    add_leg(*method.explicit_alpha(), fraction, legs);
    return true;
  }
  for (const auto& [part, inner] : method.substeps())
    if (!add_method(part, fraction * inner, legs)) return false;
  return true;
}

}  // namespace

std::optional<Legs> explicit_legs(const Method& method) {
  Legs legs;
  if (!add_method(method, 1.0, legs)) return std::nullopt;
  return legs;
}

}  // namespace varia
