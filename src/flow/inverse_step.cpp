// SPDX-License-Identifier: BSD-3-Clause
// The adjoint of a step on a curved space: z₁ with F⁻ʰ(z₁) = z₀, on the constraints.
//
// Since Fʰ F⁻ʰ = id + O(h^{r+1}), the iteration z₁ ← z₁ ⊕ (Fʰ(z₀) ⊖ Fʰ(F⁻ʰ(z₁))) gains r+1 powers
// of h each time. F does not see how far its start is off the constraints: after each change one step
// of Newton's method leads back to them, so that both converge together.
#include <algorithm>
#include <cmath>
#include <limits>

#include "constraint_kkt.hpp"
#include "inverse_work.hpp"
#include "varia/core/index.hpp"
#include "varia/core/norm.hpp"
#include "varia/core/round_off.hpp"
#include "varia/flow/failure.hpp"
#include "varia/flow/stage_flow.hpp"

namespace varia {

namespace {

using detail::ConstraintKkt;
using detail::InverseWork;
using detail::largest;
using detail::sz;

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
  Vn v = Vn::Zero(f.n);
  LegendreTransform legendre(f);
  legendre.velocity(s, v.data());
  std::vector<double> out(sz(2 * f.n + f.second.size()), 0.0);
  f.hessian(f.point(s.t, s.q.data(), v.data()).data(), out.data());
  const double* const second = out.data() + 2 * f.n;
  ConstraintKkt kkt(f, s.t);
  const auto factor = [&](const std::vector<int>& left_out) {
    if (!kkt.factor(second, 0.0, left_out))
      throw SingularMass("the mass matrix d2L/dv2 is singular at t = " + to_text(s.t));
  };
  Vn xi = Vn::Zero(f.n);
  if (f.d > 0) {
    kkt.place(s.q);
    std::vector<int> left_out = kkt.holonomic_rank().left_out();
    for (const int a : kkt.nonholonomic()) left_out.push_back(a);
    factor(left_out);
    xi = kkt.move(-(kkt.residual() + kkt.along(s.q_rest).head(f.d)));
    displace(f, s, xi, work.none, tau, work);
    legendre.velocity(s, v.data());
  }
  kkt.place(s.q, v);
  factor(kkt.rank().left_out());
  const Vn impulse = kkt.reaction(kkt.solve(Vn::Zero(f.n), -kkt.rates(v)).tail(kkt.count()));
  displace(f, s, work.none, impulse, tau, work);
  return change_of(s, xi, impulse);
}

}  // namespace

/// What F⁻ʰ and Fʰ make of z, compared with the target, moves z; the result is by how much.
double StageFlow::improve_inverse(const Method& forward, double h, Memory& memory) const {
  const KernelSystem& f = *system_;
  InverseWork& work = *memory.inverse;
  auto& [target, z, image, xi, impulse, none, p, p_rest] = work;
  image = z;
  advance_part(forward, image, -h, memory, 1);
  advance_part(forward, image, h, memory, 0);
  f.space.difference(image.q.data(), target.q.data(), options_.retraction, xi.data());
  xi += target.q_rest - image.q_rest;
  impulse = (target.p - image.p) + (target.p_rest - image.p_rest);
  displace(f, z, xi, impulse, options_.retraction, work);
  double change = change_of(z, xi, impulse);
  if (f.d + f.e == 0) return change;
  change = std::max(change, approach_constraints(f, z, options_.retraction, work));
  if (f.e == 0) return change;
  const Vn before = z.lambda.tail(f.e);
  if (options_.multipliers == Multipliers::recompute)
    z.lambda.tail(f.e) = multipliers_of_motion(z).tail(f.e);
  else
    z.lambda += target.lambda - image.lambda;
  return std::max(change,
                  std::abs(h) * largest(Vn(z.lambda.tail(f.e) - before)) / (1.0 + largest(z.p)));
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
