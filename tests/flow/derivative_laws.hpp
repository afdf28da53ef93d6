// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What the derivative of a step must be, for any flow on arrays.
#include <gtest/gtest.h>

#include "varia/flow/flat_start.hpp"
#include "varia/flow/step_derivative.hpp"
#include "varia/verify/differences.hpp"

namespace varia::derivative_laws {

inline double pairing(const PhaseVector& a, const PhaseVector& b) {
  return a.delta.dot(b.delta) + a.nu.dot(b.nu) + a.t * b.t + a.h * b.h;
}

/// Along z it is that of differences, and the transposed map pairs alike. near(e) is the start moved
/// along e z; on ℝⁿ.
template <class F, class Near>
void expect_derivative(const F& flow, const Near& near, const PhaseVector& z, double h,
                       const std::string& what) {
  const FlatState start = near(0.0);
  FlatState end = start;
  auto memory = flow.memory(start);
  const StepDerivative& derivative = flow.differentiate(end, h, memory);
  EXPECT_LT((end.q - flow(start, h).q).norm(), 1e-15) << what;
  const auto n = start.q.size();
  const auto moved = [&](double e) {
    const FlatState to = flow(near(e), h + e * z.h);
    Eigen::VectorXd both(2 * n);
    both << to.q, to.p;
    return both;
  };
  const Eigen::VectorXd expected = derivative_at_zero(moved, 0.1);
  PhaseVector image = z;
  derivative.forward(image);
  EXPECT_LT((image.delta - expected.head(n)).norm(), 1e-9) << what;
  EXPECT_LT((image.nu - expected.tail(n)).norm(), 1e-9) << what;
  EXPECT_NEAR(image.t, z.t + z.h, 1e-15) << what;
  const PhaseVector w{Eigen::VectorXd::LinSpaced(n, 0.3, 0.9),
                      Eigen::VectorXd::LinSpaced(n, 0.2, -0.5), 0.8, 0.4, Eigen::VectorXd()};
  PhaseVector back = w;
  derivative.transposed(back);
  EXPECT_NEAR(pairing(w, image), pairing(back, z), 1e-13) << what;
}

}  // namespace varia::derivative_laws
