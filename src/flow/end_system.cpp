// SPDX-License-Identifier: BSD-3-Clause
#include "end_system.hpp"

#include <algorithm>
#include <cmath>

#include "constraint_rows.hpp"
#include "varia/core/index.hpp"
#include "varia/core/round_off.hpp"
#include "varia/flow/failure.hpp"

namespace varia::detail {

void EndSystem::resize(const KernelSystem& f, const std::vector<char>& left_out) {
  const int count = f.d + f.e;
  left_out_ = left_out;
  left_out_.resize(sz(count), 0);
  pattern_ = reaction_pattern(f);
  Couplings c;
  for (int a = 0; a < f.n + count; ++a) c.groups.push_back({a});
  const auto mass = both_triangles(f.second, f.n, f.n, f.n);
  const auto reaction = columns_of(f.chetaev_pattern, f.n, f.n);
  meet(mass, c);
  meet(reaction, c);
  for (int e = 0; e < pattern_.size(); ++e)
    c.meeting.emplace_back(pattern_.column[sz(e)], f.n + pattern_.row[sz(e)]);
  kkt_.resize(c);
  for (const Scatter& s : mass) {
    mass_.value.push_back(s.value);
    mass_.slot.push_back(kkt_.slot(s.row, s.column));
  }
  const auto of_velocity = [&](const std::vector<Scatter>& places, PatternBlock& block) {
    for (const Scatter& s : places) {
      block.value.push_back(f.n + s.value);
      block.slot.push_back(kkt_.slot(s.row, s.column));
    }
  };
  of_velocity(reaction, reaction_of_velocity_);
  if (f.e > 0) of_velocity(columns_of(f.force_pattern, f.n, f.n), force_of_velocity_);
  for (int e = 0; e < pattern_.size(); ++e) {
    const int a = f.n + pattern_.row[sz(e)];
    const int b = pattern_.column[sz(e)];
    jacobian_.push_back(kkt_.slot(a, b));
    reaction_.push_back(kkt_.slot(b, a));
  }
  for (const Scatter& s : columns_of(f.nonholonomic_pattern, f.n, f.n))
    of_velocity_.push_back(f.e + s.value);
  for (int a = 0; a < count; ++a) multiplier_.push_back(kkt_.slot(f.n + a, f.n + a));
  x_.assign(sz(1 + f.entries + f.n + f.e), 0.0);
  second_.assign(sz(2 * f.n + f.second.size()), 0.0);
  phi_.assign(sz(f.d + f.constraint_pattern.size()), 0.0);
  rolling_.assign(sz(f.e + f.nonholonomic_pattern.size()), 0.0);
  acting_.assign(sz(f.n + std::max(f.chetaev_pattern.size(), f.force_pattern.size())), 0.0);
  slopes_.assign(sz(pattern_.size()), 0.0);
  rate_.assign(sz(f.d), 0.0);
  unknown_.assign(sz(f.n + count), 0.0);
  change_ = unknown_;
}

/// Φ, its slopes and ∂(Rᵀλ)/∂v at (v, λ) = unknown_.
void EndSystem::place_velocity(const KernelSystem& f, double weight) {
  std::copy_n(unknown_.begin(), f.n, x_.begin() + 1 + f.entries);
  if (f.e == 0) return;
  std::copy_n(unknown_.begin() + f.n + f.d, f.e, x_.begin() + 1 + f.entries + f.n);
  f.nonholonomic(x_.data(), rolling_.data());
  for (std::size_t i = 0; i < of_velocity_.size(); ++i)
    slopes_[sz(f.constraint_pattern.size()) + i] = rolling_[sz(of_velocity_[i])];
  add_curvature(f.chetaev_derivative, reaction_of_velocity_, -weight);
  if (f.forced) add_curvature(f.force_derivative, force_of_velocity_, weight);
}

void EndSystem::add_curvature(const expr::Kernel& acting, const PatternBlock& places,
                              double weight) {
  if (places.slot.empty()) return;
  acting(x_.data(), acting_.data());
  places.add(kkt_.data(), weight, acting_.data());
}

/// Matrix and right-hand side at (v, λ) = unknown_. True when the right-hand side is at its own
/// round-off: it is a difference of momenta and reactions, which may be large against it.
bool EndSystem::evaluate(const KernelSystem& f, const VectorState& s, double weight) {
  const int count = f.d + f.e;
  kkt_.set_zero();
  place_velocity(f, weight);
  f.hessian(x_.data(), second_.data());
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
  for (int a = 0; a < f.e; ++a) change_[sz(f.n + f.d + a)] = -rolling_[sz(a)];
  mass_.add(kkt_.data(), 1.0, second_.data() + sz(2 * f.n));
  for (int e = 0; e < pattern_.size(); ++e) {
    const int a = pattern_.row[sz(e)];
    const int b = pattern_.column[sz(e)];
    const double g = slopes_[sz(e)];
    if (left_out_[sz(a)]) continue;
    kkt_.data()[jacobian_[sz(e)]] += g;
    kkt_.data()[reaction_[sz(e)]] -= weight * g;
    const double reaction = weight * g * unknown_[sz(f.n + a)];
    const double rate = g * unknown_[sz(b)];
    change_[sz(b)] += reaction;
    if (a < f.d) change_[sz(f.n + a)] -= rate;
    impulse = std::max(impulse, std::abs(reaction));
    speed = std::max(speed, std::abs(rate));
  }
  for (int a = 0; a < count; ++a)
    if (left_out_[sz(a)]) {
      kkt_.data()[multiplier_[sz(a)]] = 1.0;
      change_[sz(f.n + a)] = -unknown_[sz(f.n + a)];
    }
  const auto below = [&](int first, int size, double bound) {
    return std::all_of(change_.begin() + first, change_.begin() + first + size,
                       [&](double x) { return std::abs(x) <= 16 * eps * bound; });
  };
  return below(0, f.n, impulse) && below(f.n, count, speed);
}

/// What was left out must still be satisfied: it followed from the others at the start, but that may
/// have been true there only.
void EndSystem::check_left_out(const VectorState& s, double h) const {
  constexpr double tolerance = 1e-8;
  for (std::size_t a = 0; a < rate_.size(); ++a)
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
  const int count = f.d + f.e;
  std::copy_n(s.lambda.data(), count, unknown_.begin() + f.n);
  if (f.d > 0) f.constraint(x_.data(), phi_.data());
  std::copy(phi_.begin() + f.d, phi_.end(), slopes_.begin());
  if (f.rheonomic()) f.constraint_rate(x_.data(), rate_.data());
  check_left_out(s, h);
  double last = 0.0;
  for (int i = 0; i < max_iterations; ++i) {
    const bool round_off = evaluate(f, s, weight);
    if (!kkt_.factor()) break;
    kkt_.solve(change_.data());
    last = 0.0;
    double scale = 0.0;
    for (int a = 0; a < f.n + count; ++a) unknown_[sz(a)] += change_[sz(a)];
    for (int a = 0; a < f.n; ++a) {
      last = std::max(last, std::abs(change_[sz(a)]));
      scale = std::max(scale, std::abs(unknown_[sz(a)]));
    }
    if (!std::isfinite(last)) break;
    if (last <= 4 * eps * scale || (i > 0 && (round_off || last < 1e-14 * (1.0 + scale)))) {
      std::copy_n(unknown_.begin() + f.n, count, s.lambda.data());
      for (int e = 0; e < pattern_.size(); ++e)
        s.p_rest[pattern_.column[sz(e)]] += weight * slopes_[sz(e)] * s.lambda[pattern_.row[sz(e)]];
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
