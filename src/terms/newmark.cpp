// SPDX-License-Identifier: BSD-3-Clause
#include "varia/terms/newmark.hpp"

#include <cmath>

#include "varia/terms/gradient.hpp"

namespace varia::terms {

namespace {

template <int D>
NewmarkState<D> begin(const std::vector<double>& x, const std::vector<double>& v, double step,
                      const Supports<D>& supports, double t0) {
  NewmarkState<D> state;
  state.t0 = t0;
  state.step = step;
  state.x = x;
  state.v = v;
  state.supports = supports;
  return state;
}

}  // namespace

template <int D>
Newmark<D>::Newmark(const System<D>& system, const std::vector<double>& x,
                    const std::vector<double>& v, double step, const Supports<D>& supports,
                    double t0)
    : Newmark(system, begin<D>(x, v, step, supports, t0)) {}

template <int D>
Newmark<D>::Newmark(const System<D>& system, NewmarkState<D> state)
    : system_(system), state_(std::move(state)) {
  const auto n = static_cast<std::size_t>(system.node_count()) * D;
  if (state_.x.size() != n || state_.v.size() != n)
    throw InvalidArgument("Newmark: " + std::to_string(state_.x.size()) + " positions and " +
                          std::to_string(state_.v.size()) + " velocities were given, " +
                          std::to_string(n) + " are needed");
  if (!(state_.step > 0.0) || !std::isfinite(state_.step))
    throw InvalidArgument("Newmark: the step must be positive and finite, got " +
                          to_text(state_.step));
  if (!std::isfinite(state_.t0) || state_.t0 + state_.step == state_.t0)
    throw InvalidArgument("Newmark: the step " + to_text(state_.step) +
                          " vanishes beside the time " + to_text(state_.t0));
  check(system, state_.supports);
  check_finite_motion(synchronised());
  place_supports();
  accelerate();
}

template <int D> void Newmark<D>::place_supports() {
  for (const auto& support : state_.supports.list())
    for (int c = 0; c < D; ++c) {
      if (!support.fixed[c]) continue;
      const Motion m = motion(support, c, state_.t());
      state_.x[static_cast<std::size_t>(support.node) * D + c] = m.position;
      state_.v[static_cast<std::size_t>(support.node) * D + c] = m.velocity;
    }
}

template <int D> void Newmark<D>::accelerate() {
  force_.assign(state_.x.size(), 0.0);
  for_gradients(system_, state_.x, state_.t(), [&](int, int a, const double* g) {
    for (int c = 0; c < D; ++c) force_[static_cast<std::size_t>(a) * D + c] -= g[c];
  });
}

template <int D> void Newmark<D>::half_kick() {
  const double half = 0.5 * state_.step;
  for (int a = 0; a < system_.node_count(); ++a)
    for (int c = 0; c < D; ++c) {
      const std::size_t i = static_cast<std::size_t>(a) * D + c;
      state_.v[i] += half * force_[i] / system_.masses()[a];
    }
  for (auto& support : state_.supports.list())
    for (int c = 0; c < D; ++c)
      if (support.fixed[c])
        support.impulse[c] -= half * force_[static_cast<std::size_t>(support.node) * D + c];
}

template <int D> void Newmark<D>::advance(std::int64_t steps) {
  for (std::int64_t i = 0; i < steps; ++i) {
    half_kick();
    for (std::size_t j = 0; j < state_.x.size(); ++j) state_.x[j] += state_.step * state_.v[j];
    ++state_.count;
    place_supports();
    accelerate();
    half_kick();
    place_supports();
  }
  check_finite_motion(synchronised());
}

template class Newmark<1>;
template class Newmark<2>;
template class Newmark<3>;

}  // namespace varia::terms
