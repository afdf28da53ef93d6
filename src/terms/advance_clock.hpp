// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// One update as every schedule does it: the term acts, its clock goes on.
#include <cmath>

#include "varia/terms/schedule.hpp"

namespace varia::terms {

/// A bound must be a time that comes.
inline void check_bound(double until) {
  if (!std::isfinite(until))
    throw InvalidArgument("advance: the time to reach must be finite, got " + to_text(until));
}

/// Positions of the nodes of a term.
template <int D> void gather(const Family<D>& family, int k, const Node<D>* nodes, double* x) {
  const int* term = family.nodes(k);
  for (int a = 0; a < family.nodes_per_term(); ++a)
    for (int c = 0; c < D; ++c) x[a * D + c] = nodes[term[a]].x[c];
}

/// The next time by a rule; a rule that fails to go forward is an error, never a silent one.
template <int D>
void follow_rule(StepRule& rule, const System<D>& system, State<D>& state, int term, Clock& clock) {
  const auto [family, k] = system.place(term);
  std::array<double, max_numbers<D>> x{};
  gather(*family, k, state.nodes.data(), x.data());
  clock.step = rule.step(term, clock.last, x.data(), clock);
  clock.next = clock.last + clock.step;
  if (!(clock.next > clock.last) || !std::isfinite(clock.next))
    throw NoConvergence("step rule: term " + std::to_string(term) + " asks for the step " +
                            to_text(clock.step) + " at t = " + to_text(clock.last) +
                            "; it must be positive and not vanish beside t",
                        clock.last, clock.step, 0, 0.0);
}

template <int D>
inline void update(const System<D>& system, const Family<D>& family, int term, int k,
                   State<D>& state, const ScheduleOptions<D>& options) {
  Clock& clock = state.clocks[term];
  const double t = clock.next, weight = t - clock.last;
  if (!options.observer) {
    family.act(k, t, weight, state.nodes.data(), state.supports);
  } else {
    family.drift(k, t, state.nodes.data(), state.supports);
    options.observer->before(term, t, weight, state);
    family.kick(k, t, weight, state.nodes.data(), state.supports);
    options.observer->after(term, t, weight, state);
  }
  clock.last = t;
  ++clock.count;
  if (options.rule)
    follow_rule(*options.rule, system, state, term, clock);
  else if (state.variable_steps)
    clock.next = t + clock.step;
  else
    clock.next = state.t0 + static_cast<double>(clock.count + 1) * clock.step;
}

}  // namespace varia::terms
