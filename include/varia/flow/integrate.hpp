// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Many steps: integrate() records a trajectory, advance() only gives the last state.
//
// An observer is any callable on states; observers see the start and every step, in order, before
// a later step can fail.
#include <string>
#include <utility>

#include "varia/core/error.hpp"
#include "varia/flow/trajectory.hpp"

namespace varia {

struct Run {
  double h = 0.0;  ///< step size, of either sign
  long steps = 0;  ///< number of steps
  long every = 1;  ///< record every so many steps (the start always, the end always)
};

namespace detail {

inline void check_run(const Run& run) {
  if (!std::isfinite(run.h) || run.h == 0.0)
    throw InvalidArgument("step size must be a finite number other than 0, got " + to_text(run.h));
  if (run.steps < 0)
    throw InvalidArgument("number of steps must not be negative, got " + std::to_string(run.steps));
  if (run.every < 1)
    throw InvalidArgument("every must be at least 1, got " + std::to_string(run.every));
}

}  // namespace detail

/// The observer that passes on every n-th state it sees, beginning with the first.
template <class Observer> auto every(long n, Observer observer) {
  if (n < 1) throw InvalidArgument("every: n must be at least 1, got " + std::to_string(n));
  return [n, observer = std::move(observer), k = 0L](const auto& s) mutable {
    if (k++ % n == 0) observer(s);
  };
}

/// The state after the given number of steps; nothing is recorded.
template <class F, class StateT, class... Observers>
StateT advance(const F& flow, StateT s, double h, long steps, Observers&&... observers) {
  detail::check_run({h, steps, 1});
  auto memory = flow.memory(s);
  if constexpr (sizeof...(observers) == 0 && requires { flow.steps(s, h, steps, memory); })
    return flow.steps(s, h, steps, memory);
  (observers(s), ...);
  for (long k = 0; k < steps; ++k) {
    s = flow.step(s, h, memory);
    (observers(s), ...);
  }
  return s;
}

/// The recorded states of a run.
template <class F, class StateT, class... Observers>
Trajectory<StateT> integrate(const F& flow, const StateT& start, const Run& run,
                             Observers&&... observers) {
  detail::check_run(run);
  Trajectory<StateT> trajectory;
  trajectory.reserve(static_cast<std::size_t>(run.steps / run.every + 2));
  long k = 0;
  advance(
      flow, start, run.h, run.steps,
      [&](const StateT& s) {
        if (k % run.every == 0 || k == run.steps) trajectory.push(s);
        ++k;
      },
      observers...);
  return trajectory;
}

}  // namespace varia
