// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The types behind the curved factors of src/space/list.cpp, for what must be generic in the scalar.
#include "varia/space/factor.hpp"
#include "varia/space/se2.hpp"
#include "varia/space/se3.hpp"
#include "varia/space/so2.hpp"
#include "varia/space/so3.hpp"

namespace varia::detail {

/// Calls f<SO3>(), f<SE2>(), … for the one whose factor it is; false when there is none.
template <class F> bool visit_curved(const FactorPtr& factor, const F& f) {
  if (factor == curved_angles()) return f.template operator()<SO2>(), true;
  if (factor == rotations()) return f.template operator()<SO3>(), true;
  if (factor == plane_motions()) return f.template operator()<SE2>(), true;
  if (factor == motions()) return f.template operator()<SE3>(), true;
  if (factor == spheres()) return f.template operator()<SO3>(), true;
  return false;
}

}  // namespace varia::detail
