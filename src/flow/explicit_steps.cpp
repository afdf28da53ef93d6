// SPDX-License-Identifier: BSD-3-Clause
// Explicit steps of StageFlow: kicks and drifts of a separable system, in C++ or in native code.
#include <algorithm>

#include "varia/core/index.hpp"
#include "varia/core/round_off.hpp"
#include "varia/flow/failure.hpp"
#include "varia/flow/stage_flow.hpp"

namespace varia {

namespace {

using detail::compensated_add;
using detail::sz;

}  // namespace

/// q + rest ← q + rest + h M⁻¹(p + kicks)
void StageFlow::drift(double h, double* q, double* q_rest, const double* p,
                      const double* kicks) const {
  const int n = system_->n;
  if (!inverse_diagonal_.empty()) {
    for (int a = 0; a < n; ++a) {
      const double by_mass = h * inverse_diagonal_[sz(a)];
      q_rest[a] += by_mass * kicks[a];
      compensated_add(q[a], q_rest[a], by_mass * p[a]);
    }
    return;
  }
  for (int a = 0; a < n; ++a) {
    double by_p = 0.0;
    double by_kicks = 0.0;
    for (int b = 0; b < n; ++b) {
      by_p += inverse_mass_(a, b) * p[b];
      by_kicks += inverse_mass_(a, b) * kicks[b];
    }
    q_rest[a] += h * by_kicks;
    compensated_add(q[a], q_rest[a], h * by_p);
  }
}

/// Flow::many_legs in flat arrays; kicks: room for n numbers.
long StageFlow::explicit_loop(const Legs& legs, double* s, double h, long count,
                              double* kicks) const {
  const int n = system_->n;
  double& t = s[1];  // t stands before q: (t, q) is the point of the potential
  double& t_rest = s[0];
  double* const q = s + 2;
  double* const q_rest = q + n;
  double* const p = q_rest + n;
  double* const p_rest = p + n;
  double* const g = p_rest + n;
  const std::size_t last = legs.drifts.size() - 1;
  const double last_kick = h * legs.kicks.back();
  for (long done = 0; done < count; ++done) {
    std::fill(kicks, kicks + n, 0.0);
    const double begin = t;
    double elapsed = 0.0;
    for (std::size_t i = 0; i <= last; ++i) {
      const double kick = h * legs.kicks[i];
      const double fraction = h * legs.drifts[i];
      for (int a = 0; a < n; ++a) kicks[a] -= kick * g[a];
      drift(fraction, q, q_rest, p, kicks);
      elapsed += fraction;
      t = i < last ? begin + elapsed : begin;
      if (i == last) compensated_add(t, t_rest, h);
      if (i < last || legs.gradient_last()) system_->potential_gradient(&t, g);
    }
    double test = 0.0;
    for (int a = 0; a < n; ++a) {
      p_rest[a] += kicks[a];
      compensated_add(p[a], p_rest[a], -last_kick * g[a]);
      test += (q[a] - q[a]) + (p[a] - p[a]);
    }
    if (!(test == 0.0)) return done;
  }
  return count;
}

/// (kick-drift) with any T(p): p ← p - h b ∂V/∂q, q ← q + h a ∂T/∂p.
void StageFlow::kick_drift(const Legs& legs, VectorState& s, double h, long count,
                           Memory& memory) const {
  const int n = system_->n;
  double* const tq = memory.work.data();  // (t, q), the point of the potential
  double* const slope = tq + 1 + n;
  double* const velocity = slope + n;
  bool known = false;  // slope belongs to (t, q)
  const auto kick = [&](double t, double fraction) {
    if (fraction == 0.0) return;
    if (!known) {
      tq[0] = t;
      std::copy(s.q.data(), s.q.data() + n, tq + 1);
      system_->potential_gradient(tq, slope);
      known = true;
    }
    for (int a = 0; a < n; ++a) compensated_add(s.p[a], s.p_rest[a], -(h * fraction) * slope[a]);
  };
  for (long done = 0; done < count; ++done) {
    const double begin = s.t;
    double elapsed = 0.0;
    kick(begin, legs.kicks.front());
    for (std::size_t i = 0; i < legs.drifts.size(); ++i) {
      const double by = h * legs.drifts[i];
      system_->velocity(s.p.data(), velocity);
      for (int a = 0; a < n; ++a) compensated_add(s.q[a], s.q_rest[a], by * velocity[a]);
      elapsed += by;
      known = false;
      const bool last = i + 1 == legs.drifts.size();
      if (last) compensated_add(s.t, s.t_rest, h);
      kick(last ? s.t : begin + elapsed, legs.kicks[i + 1]);
    }
    if (!s.q.allFinite() || !s.p.allFinite()) detail::overflow(begin, h);
  }
}

void StageFlow::explicit_steps(const Legs& legs, VectorState& s, double h, long count,
                               Memory& memory) const {
  if (system_->hamiltonian) return kick_drift(legs, s, h, count, memory);
  const auto n = static_cast<std::ptrdiff_t>(system_->n);
  double* const w = memory.work.data();
  double* const q = w + 2;
  double* const p = q + 2 * n;
  double* const g = p + 2 * n;
  w[0] = s.t_rest;
  w[1] = s.t;
  std::copy(s.q.data(), s.q.data() + n, q);
  std::copy(s.q_rest.data(), s.q_rest.data() + n, q + n);
  std::copy(s.p.data(), s.p.data() + n, p);
  std::copy(s.p_rest.data(), s.p_rest.data() + n, p + n);
  if (legs.kicks_first())
    system_->potential_gradient(w + 1, g);
  else
    std::fill(g, g + n, 0.0);
  const long done = loop_ ? loop_(w, h, legs.drifts.data(), legs.kicks.data(), legs.count(), count,
                                  inverse_diagonal_.data(),
                                  system_->potential_gradient.tape().parameters().data())
                          : explicit_loop(legs, w, h, count, g + n);
  if (done < count) detail::overflow(w[1] - h, h);
  s.t_rest = w[0];
  s.t = w[1];
  std::copy(q, q + n, s.q.data());
  std::copy(q + n, q + 2 * n, s.q_rest.data());
  std::copy(p, p + n, s.p.data());
  std::copy(p + n, p + 2 * n, s.p_rest.data());
}

}  // namespace varia
