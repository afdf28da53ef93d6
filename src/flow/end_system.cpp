// SPDX-License-Identifier: BSD-3-Clause
#include "end_system.hpp"

#include <algorithm>
#include <cmath>

#include "varia/core/index.hpp"
#include "varia/core/round_off.hpp"
#include "varia/flow/failure.hpp"

namespace varia::detail {

void EndSystem::resize(const KernelSystem& f, const std::vector<char>& left_out) {
  left_out_ = left_out;
  Couplings c;
  for (int a = 0; a < f.n + f.d; ++a) c.groups.push_back({a});
  const auto mass = both_triangles(f.second, f.n, f.n, f.n);
  meet(mass, c);
  meet_constraints(f, c);
  kkt_.resize(c);
  for (const Scatter& s : mass) {
    mass_.value.push_back(s.value);
    mass_.slot.push_back(kkt_.slot(s.row, s.column));
  }
  for (int e = 0; e < f.constraint_pattern.size(); ++e) {
    const int a = f.n + f.constraint_pattern.row[sz(e)];
    const int b = f.constraint_pattern.column[sz(e)];
    jacobian_.push_back(kkt_.slot(a, b));
    reaction_.push_back(kkt_.slot(b, a));
  }
  for (int a = 0; a < f.d; ++a) multiplier_.push_back(kkt_.slot(f.n + a, f.n + a));
  x_.assign(sz(1 + f.entries + f.n), 0.0);
  second_.assign(sz(2 * f.n + f.second.size()), 0.0);
  phi_.assign(sz(f.d + f.constraint_pattern.size()), 0.0);
  rate_.assign(sz(f.d), 0.0);
  unknown_.assign(sz(f.n + f.d), 0.0);
  change_ = unknown_;
}

/// Matrix and right-hand side at (v, λ) = unknown_. True when the right-hand side is at its own
/// round-off: it is a difference of momenta and reactions, which may be large against it.
bool EndSystem::evaluate(const KernelSystem& f, const VectorState& s, double weight) {
  std::copy(unknown_.begin(), unknown_.begin() + f.n, x_.begin() + 1 + f.entries);
  f.hessian(x_.data(), second_.data());
  const double* const g = phi_.data() + f.d;
  double impulse = 0.0;
  double speed = 0.0;
  for (int a = 0; a < f.n; ++a) {
    change_[sz(a)] = (s.p[a] - second_[sz(f.n + a)]) + s.p_rest[a];
    impulse = std::max(impulse, std::abs(s.p[a]));
  }
  for (int a = 0; a < f.d; ++a) {
    change_[sz(f.n + a)] = -rate_[sz(a)];
    speed = std::max(speed, std::abs(rate_[sz(a)]));
  }
  kkt_.set_zero();
  mass_.add(kkt_.data(), 1.0, second_.data() + sz(2 * f.n));
  for (int e = 0; e < f.constraint_pattern.size(); ++e) {
    const int a = f.constraint_pattern.row[sz(e)];
    const int b = f.constraint_pattern.column[sz(e)];
    if (left_out_[sz(a)]) continue;
    kkt_.data()[jacobian_[sz(e)]] += g[e];
    kkt_.data()[reaction_[sz(e)]] -= weight * g[e];
    const double reaction = weight * g[e] * unknown_[sz(f.n + a)];
    const double rate = g[e] * unknown_[sz(b)];
    change_[sz(b)] += reaction;
    change_[sz(f.n + a)] -= rate;
    impulse = std::max(impulse, std::abs(reaction));
    speed = std::max(speed, std::abs(rate));
  }
  for (int a = 0; a < f.d; ++a)
    if (left_out_[sz(a)]) {
      kkt_.data()[multiplier_[sz(a)]] = 1.0;
      change_[sz(f.n + a)] = -unknown_[sz(f.n + a)];
    }
  const auto below = [&](int first, int count, double bound) {
    return std::all_of(change_.begin() + first, change_.begin() + first + count,
                       [&](double x) { return std::abs(x) <= 16 * eps * bound; });
  };
  return below(0, f.n, impulse) && below(f.n, f.d, speed);
}

/// What was left out must still be satisfied: it followed from the others at the start, but that may
/// have been true there only.
void EndSystem::check_left_out(const VectorState& s, double h) const {
  constexpr double tolerance = 1e-8;
  for (std::size_t a = 0; a < left_out_.size(); ++a)
    if (left_out_[a] && !(std::abs(phi_[a]) <= tolerance))
      throw SingularConstraints("constraint " + std::to_string(a + 1) +
                                    " followed from the others at the start and was left out, but "
                                    "does not follow from them at t = " +
                                    to_text(s.t) + ": it is " + to_text(phi_[a]) +
                                    " there. Start from another point of the constraints",
                                s.t - h, h, 0, 0.0);
}

const StructuredLU& EndSystem::linearise(const KernelSystem& f, const VectorState& s,
                                         double weight) {
  evaluate(f, s, weight);
  if (!kkt_.factor()) not_tangent(s.t, 0.0, 0, 0.0);
  return kkt_;
}

void EndSystem::make_tangent(const KernelSystem& f, VectorState& s, double h, const double* v,
                             double weight) {
  constexpr int max_iterations = 20;
  x_[0] = s.t;
  std::copy(s.q.data(), s.q.data() + f.entries, x_.begin() + 1);
  std::copy(v, v + f.n, unknown_.begin());
  std::copy(s.lambda.data(), s.lambda.data() + f.d, unknown_.begin() + f.n);
  f.constraint(x_.data(), phi_.data());
  if (f.rheonomic()) f.constraint_rate(x_.data(), rate_.data());
  check_left_out(s, h);
  double last = 0.0;
  for (int i = 0; i < max_iterations; ++i) {
    const bool round_off = evaluate(f, s, weight);
    if (!kkt_.factor()) break;
    kkt_.solve(change_.data());
    last = 0.0;
    double scale = 0.0;
    for (int a = 0; a < f.n + f.d; ++a) unknown_[sz(a)] += change_[sz(a)];
    for (int a = 0; a < f.n; ++a) {
      last = std::max(last, std::abs(change_[sz(a)]));
      scale = std::max(scale, std::abs(unknown_[sz(a)]));
    }
    if (!std::isfinite(last)) break;
    if (last <= 4 * eps * scale || (i > 0 && (round_off || last < 1e-14 * (1.0 + scale)))) {
      for (int a = 0; a < f.d; ++a) s.lambda[a] = unknown_[sz(f.n + a)];
      for (int e = 0; e < f.constraint_pattern.size(); ++e)
        s.p_rest[f.constraint_pattern.column[sz(e)]] +=
            weight * phi_[sz(f.d + e)] * s.lambda[f.constraint_pattern.row[sz(e)]];
      for (int a = 0; a < f.n; ++a) {
        const double sum = s.p[a] + s.p_rest[a];
        s.p_rest[a] -= sum - s.p[a];
        s.p[a] = sum;
      }
      return;
    }
  }
  not_tangent(s.t - h, h, max_iterations, last);
}

}  // namespace varia::detail
