// SPDX-License-Identifier: BSD-3-Clause
// Explicit steps of StageFlow: kicks and drifts of a separable system, in C++ or in native code.
#include <algorithm>
#include <cstring>

#include "varia/core/index.hpp"
#include "varia/core/round_off.hpp"
#include "varia/flow/failure.hpp"
#include "varia/flow/stage_flow.hpp"

namespace varia {

namespace {

using detail::compensated_add;
using detail::sz;

/// Two numbers, for arithmetic on both at once.
using Two [[gnu::vector_size(16)]] = double;

template <class T> T load(const double* x) {
  T value;
  std::memcpy(&value, x, sizeof value);
  return value;
}
template <class T> void store(const T& value, double* x) { std::memcpy(x, &value, sizeof value); }

/// work<Two>(a) for pairs of indices, work<double>(a) for the last one of an odd number.
template <class F> void by_twos(int n, const F& work) {
  int a = 0;
  for (; a + 2 <= n; a += 2) work.template operator()<Two>(a);
  if (a < n) work.template operator()<double>(a);
}

/// Whether some number was not 0. A sum would wait for each addition.
class Test {
 public:
  void add(const Two& x) { twos_ |= x != Two{}; }
  void add(double x) { one_ |= x != 0.0 ? 1 : 0; }
  bool failed() const { return (twos_[0] | twos_[1] | one_) != 0; }

 private:
  decltype(Two{} != Two{}) twos_{};
  long one_ = 0;
};

/// Whether kicks before this one are in `kicks`.
enum class Kick { first, further };

/// kicks ← kicks - kick ∂V/∂q, and the drift of a diagonal mass, in one pass.
template <Kick order>
void kick_and_drift(int n, double kick, double h, const double* inverse_mass, const double* slope,
                    double* kicks, double* q, double* q_rest, const double* p) {
  by_twos(n, [=]<class T>(int a) {
    const T earlier = order == Kick::first ? T{} : load<T>(kicks + a);
    const T kicked = earlier - kick * load<T>(slope + a);
    const T by_mass = h * load<T>(inverse_mass + a);
    T rest = load<T>(q_rest + a) + by_mass * kicked;
    T place = load<T>(q + a);
    compensated_add(place, rest, by_mass * load<T>(p + a));
    store(kicked, kicks + a);
    store(place, q + a);
    store(rest, q_rest + a);
  });
}

/// p ← p + kicks - kick ∂V/∂q; whether all numbers are finite.
bool last_kick(int n, double kick, const double* slope, const double* kicks, const double* q,
               double* p, double* p_rest) {
  Test test;
  by_twos(n, [&]<class T>(int a) {
    T rest = load<T>(p_rest + a) + load<T>(kicks + a);
    T momentum = load<T>(p + a);
    compensated_add(momentum, rest, -kick * load<T>(slope + a));
    store(momentum, p + a);
    store(rest, p_rest + a);
    const T place = load<T>(q + a);
    test.add(T((place - place) + (momentum - momentum)));
  });
  return !test.failed();
}

}  // namespace

/// q + rest ← q + rest + h M⁻¹(p + kicks), M any matrix
void StageFlow::drift(double h, double* q, double* q_rest, const double* p,
                      const double* kicks) const {
  const int n = system_->n;
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
  const bool diagonal = !inverse_diagonal_.empty();
  const double* const inverse_mass = inverse_diagonal_.data();
  for (long done = 0; done < count; ++done) {
    const double begin = t;
    double elapsed = 0.0;
    for (std::size_t i = 0; i <= last; ++i) {
      const double kick = h * legs.kicks[i];
      const double fraction = h * legs.drifts[i];
      if (diagonal && i == 0) {
        kick_and_drift<Kick::first>(n, kick, fraction, inverse_mass, g, kicks, q, q_rest, p);
      } else if (diagonal) {
        kick_and_drift<Kick::further>(n, kick, fraction, inverse_mass, g, kicks, q, q_rest, p);
      } else {
        for (int a = 0; a < n; ++a) kicks[a] = (i == 0 ? 0.0 : kicks[a]) - kick * g[a];
        drift(fraction, q, q_rest, p, kicks);
      }
      elapsed += fraction;
      t = i < last ? begin + elapsed : begin;
      if (i == last) compensated_add(t, t_rest, h);
      if (i < last || legs.gradient_last()) system_->potential_gradient(&t, g);
    }
    if (!last_kick(n, h * legs.kicks.back(), g, kicks, q, p, p_rest)) return done;
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
  const long done = loop_
                        ? loop_(w, h, legs.drifts.data(), legs.kicks.data(), legs.count(), count,
                                inverse_diagonal_.data(), system_->potential_gradient.parameters())
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
