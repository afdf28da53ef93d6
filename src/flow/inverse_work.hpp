// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What the adjoint of a step on a curved space needs from step to step.
#include <memory>
#include <vector>

#include "constrained_motion.hpp"
#include "varia/core/types.hpp"
#include "varia/flow/kernel_start.hpp"

namespace varia::detail {

/// The way back to constraints of both kinds: see approach_constraints().
struct ConstraintApproach {
  /// left_out: holonomic constraints that follow from others.
  ConstraintApproach(const KernelSystem& f, const std::vector<int>& left_out)
      : kkt(f),
        legendre(f),
        of_momenta(left_out),
        of_places(left_out),
        x(static_cast<std::size_t>(1 + f.entries + f.n)),
        second(static_cast<std::size_t>(2 * f.n + f.second.size())),
        v(Vn::Zero(f.n)),
        rates(Vn::Zero(f.d + f.e)),
        unknown(Vn::Zero(f.n + f.d + f.e)) {
    for (const int a : kkt.nonholonomic()) of_places.push_back(a);
  }

  ConstraintKkt kkt;
  LegendreTransform legendre;
  std::vector<int> of_momenta, of_places;  ///< constraints that do not hold them
  std::vector<double> x, second;
  Vn v, rates, unknown;
};

struct InverseWork {
  InverseWork(const KernelSystem& f, const std::vector<int>& left_out, bool recompute)
      : xi(f.n), impulse(f.n), none(Vn::Zero(f.n)), p(f.n), p_rest(f.n), lambda(f.e) {
    for (VectorState* s : {&target, &z, &image}) {
      s->q.setZero(f.entries);
      for (Vn* x : {&s->p, &s->q_rest, &s->p_rest}) x->setZero(f.n);
      s->lambda.setZero(f.d + f.e);
    }
    if (f.d + f.e > 0) approach = std::make_unique<ConstraintApproach>(f, left_out);
    if (f.e > 0 && recompute) multipliers = std::make_unique<MotionMultipliers>(f, left_out);
  }

  VectorState target, z, image;
  Vn xi, impulse;
  Vn none, p, p_rest;                              ///< zeros, and a momentum that is not looked at
  Vn lambda;                                       ///< of nonholonomic constraints, before a change
  std::unique_ptr<ConstraintApproach> approach;    ///< where there are constraints
  std::unique_ptr<MotionMultipliers> multipliers;  ///< where they are computed anew
};

}  // namespace varia::detail
