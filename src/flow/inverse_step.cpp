// SPDX-License-Identifier: BSD-3-Clause
// The adjoint of a step on a curved space: z₁ with F⁻ʰ(z₁) = z₀, on the constraints.
//
// Since Fʰ F⁻ʰ = id + O(h^{r+1}), the iteration z₁ ← z₁ ⊕ (Fʰ(z₀) ⊖ Fʰ(F⁻ʰ(z₁))) gains r+1 powers
// of h each time. F does not see how far its start is off the constraints: after each change one step
// of Newton's method leads back to them, so that both converge together.
#include <algorithm>
#include <cmath>
#include <limits>

#include "inverse_work.hpp"
#include "varia/core/norm.hpp"
#include "varia/core/round_off.hpp"
#include "varia/flow/failure.hpp"
#include "varia/flow/stage_flow.hpp"

namespace varia {

namespace {

using detail::InverseWork;
using detail::largest;

/// The momentum is not moved along: its components change by those of the impulse.
void displace(const KernelSystem& f, VectorState& s, const Vn& xi, const Vn& impulse,
              Retraction tau, InverseWork& work) {
  work.p.setZero();
  work.p_rest.setZero();
  f.space.update(s.q.data(), s.q_rest.data(), work.p.data(), work.p_rest.data(), xi.data(),
                 work.none.data(), tau);
  for (int a = 0; a < f.n; ++a) detail::exact_add(s.p[a], s.p_rest[a], impulse[a]);
}

/// The largest part of s that a displacement and an impulse change, each by its own size.
double change_of(const VectorState& s, const Vn& xi, const Vn& impulse) {
  return std::max(largest(xi), largest(impulse) / (1.0 + largest(s.p)));
}

/// One step of Newton's method to φ = 0, along reactions, and one to G v + ∂φ/∂t = 0 and Φ = 0, by an
/// impulse of reactions. The result is how far it led.
double approach_constraints(const KernelSystem& f, VectorState& s, Retraction tau,
                            InverseWork& work) {
  detail::ConstraintApproach& y = *work.approach;
  y.v.setZero();
  y.legendre.velocity(s, y.v.data());
  y.x[0] = s.t;
  std::copy_n(s.q.data(), f.entries, y.x.begin() + 1);
  std::copy_n(y.v.data(), f.n, y.x.begin() + 1 + f.entries);
  f.hessian(y.x.data(), y.second.data());
  const auto factor = [&](const std::vector<int>& left_out) {
    if (!y.kkt.factor(y.second.data() + 2 * f.n, 0.0, left_out))
      throw SingularMass("the mass matrix d2L/dv2 is singular at t = " + to_text(s.t));
  };
  work.xi.setZero();
  if (f.d > 0) {
    y.kkt.place(s.t, s.q);
    factor(y.of_places);
    y.unknown.setZero();
    y.kkt.along(s.q_rest, y.rates);
    y.unknown.segment(f.n, f.d) = -(y.kkt.residual() + y.rates.head(f.d));
    y.kkt.solve(y.unknown);
    work.xi = y.unknown.head(f.n);
    displace(f, s, work.xi, work.none, tau, work);
    y.legendre.velocity(s, y.v.data());
  }
  y.kkt.place(s.t, s.q, y.v);
  factor(y.of_momenta);
  y.kkt.rates(y.v, y.rates);
  y.unknown.setZero();
  y.unknown.tail(f.d + f.e) = -y.rates;
  y.kkt.solve(y.unknown);
  y.kkt.reaction(y.unknown.data() + f.n, work.impulse);
  displace(f, s, work.none, work.impulse, tau, work);
  return change_of(s, work.xi, work.impulse);
}

}  // namespace

/// What F⁻ʰ and Fʰ make of z, compared with the target, moves z; the result is by how much.
double StageFlow::improve_inverse(const Method& forward, double h, Memory& memory) const {
  const KernelSystem& f = *system_;
  InverseWork& work = *memory.inverse;
  VectorState& z = work.z;
  const VectorState& target = work.target;
  VectorState& image = work.image;
  image = z;
  advance_part(forward, image, -h, memory, 1);
  advance_part(forward, image, h, memory, 0);
  f.space.difference(image.q.data(), target.q.data(), options_.retraction, work.xi.data());
  work.xi += target.q_rest - image.q_rest;
  work.impulse = (target.p - image.p) + (target.p_rest - image.p_rest);
  displace(f, z, work.xi, work.impulse, options_.retraction, work);
  double change = change_of(z, work.xi, work.impulse);
  if (f.d + f.e == 0) return change;
  change = std::max(change, approach_constraints(f, z, options_.retraction, work));
  if (f.e == 0) return change;
  work.lambda = z.lambda.tail(f.e);
  if (work.multipliers)
    work.multipliers->recompute(z);
  else
    z.lambda += target.lambda - image.lambda;
  work.lambda -= z.lambda.tail(f.e);
  return std::max(change, std::abs(h) * largest(work.lambda) / (1.0 + largest(z.p)));
}

void StageFlow::inverse_step(const Method& forward, VectorState& s, double h,
                             Memory& memory) const {
  VectorState& z = memory.inverse->z;
  memory.inverse->target = s;
  advance_part(forward, memory.inverse->target, h, memory, 0);
  z = memory.inverse->target;
  double last = std::numeric_limits<double>::infinity();
  for (int i = 1; i <= options_.newton.max_iterations; ++i) {
    const double change = improve_inverse(forward, h, memory);
    if (change <= 4 * detail::eps || (change >= 0.5 * last && change < 1e-12)) {
      s = z;
      return;
    }
    if (!std::isfinite(change)) break;
    last = change;
  }
  throw NoConvergence(
      "adjoint(" + forward.name() + "): the inverse step did not converge; try a smaller step", s.t,
      h, options_.newton.max_iterations, last);
}

}  // namespace varia
