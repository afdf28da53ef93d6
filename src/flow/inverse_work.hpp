// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What the adjoint of a step on a curved space needs from step to step.
#include "varia/core/types.hpp"
#include "varia/flow/kernel_start.hpp"

namespace varia::detail {

struct InverseWork {
  explicit InverseWork(const KernelSystem& f)
      : xi(f.n), impulse(f.n), none(Vn::Zero(f.n)), p(f.n), p_rest(f.n) {
    for (VectorState* s : {&target, &z, &image}) {
      s->q.setZero(f.entries);
      for (Vn* x : {&s->p, &s->q_rest, &s->p_rest}) x->setZero(f.n);
      s->lambda.setZero(f.d + f.e);
    }
  }

  VectorState target, z, image;
  Vn xi, impulse;
  Vn none, p, p_rest;  ///< zeros, and a momentum that is not looked at
};

}  // namespace varia::detail
