// SPDX-License-Identifier: BSD-3-Clause
// Errors inside a step of nh_lobatto(s) [Sato19, lemma 5.2.3]: of the places Qⁱ and the momenta pⁱ that satisfy the
// constraints O(h^{s+1}), of the momenta Pⁱ of (stage) O(h^{s-1}), of the multipliers O(hˢ), and O(h^{2s-1}) at the end.
// The particle of section 5.6.1 with unit mass: momenta are velocities.
#include <gtest/gtest.h>

#include <cmath>

#include "problems/rolling.hpp"
#include "src/flow/stages.hpp"
#include "varia/verify/check_order.hpp"

namespace varia::stage_errors_test {
namespace {

using namespace problems;

struct StageErrors {
  double place = 0.0, constrained = 0.0, momentum = 0.0, multiplier = 0.0, node = 0.0;

  void include(double& worst, double error) { worst = std::max(worst, error); }
};

/// The largest errors at the points of one step of h.
StageErrors one_step(int s, double h) {
  const auto system = system_of(rolling::particle().texts);
  const VectorState start = start_of(system, rolling::particle().xi, rolling::particle().v);
  const Method method = nh_lobatto(s);
  const StageCoefficients& k = *method.stages();
  const int n = system->n;
  detail::Stages stages(*system, k, default_retraction);
  stages.begin(start, h);
  stages.guess(start.p.data());
  EXPECT_TRUE(stages.solve({}).converged);
  const std::vector<double>& x = stages.newton.x;
  FlowOptions anew;
  anew.multipliers = Multipliers::recompute;
  const StageFlow reference(nh_lobatto(8), system, anew);
  StageErrors e;
  for (int i = 0; i < s; ++i) {
    const double c = k.c.hi[static_cast<std::size_t>(i)];
    const VectorState exact = c == 0.0 ? start : walk(reference, start, c * h / 4.0, 4);
    const auto vector_at = [&](int first, int count) {
      return Vn(Eigen::Map<const Vn>(x.data() + first, count));
    };
    const auto size = [](const Vn& v) { return v.cwiseAbs().maxCoeff(); };
    const double* const q = stages.at_point(i).x + 1;
    e.include(e.place, size(Eigen::Map<const Vn>(q, n) - exact.q));
    e.include(e.momentum, size(vector_at(i * n, n) - exact.p));
    if (i == 0) continue;  // p¹ and Λ¹ are given
    e.include(e.constrained, size(vector_at((s + i - 1) * n, n) - exact.p));
    e.include(e.multiplier, size(vector_at((2 * s - 1) * n + i - 1, 1) - exact.lambda));
    if (i == s - 1) e.include(e.node, size(vector_at((2 * s - 1) * n - n, n) - exact.p));
  }
  return e;
}

struct Row {
  int s;
  StageErrors coarse;  ///< slopes from h = 0.2 to 0.1, computed elsewhere with more digits
  StageErrors orders;  ///< those of the lemma
};

TEST(StageErrors, OrdersOfALemma) {
  for (const Row& row : {Row{3, {4.0, 4.2, 2.0, 2.6, 5.1}, {4, 4, 2, 3, 5}},
                         Row{4, {5.1, 5.0, 3.1, 4.4, 7.0}, {5, 5, 3, 4, 7}}}) {
    const auto slope = [&](double StageErrors::*what, double h) {
      return std::log2(one_step(row.s, h).*what / one_step(row.s, h / 2).*what);
    };
    for (double StageErrors::*what :
         {&StageErrors::place, &StageErrors::constrained, &StageErrors::momentum,
          &StageErrors::multiplier, &StageErrors::node}) {
      EXPECT_NEAR(slope(what, 0.2), row.coarse.*what, 0.06) << row.s;
      const double h = what == &StageErrors::multiplier ? 0.025 : 0.05;
      EXPECT_NEAR(slope(what, h), row.orders.*what, 0.1) << row.s;
    }
  }
}

}  // namespace
}  // namespace varia::stage_errors_test
