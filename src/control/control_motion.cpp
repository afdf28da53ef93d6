// SPDX-License-Identifier: BSD-3-Clause
// The motion of an optimum, with its co-states.
#include <Eigen/LU>
#include <cmath>

#include "step_evaluation.hpp"
#include "varia/core/error.hpp"
#include "varia/core/index.hpp"

namespace varia {

namespace detail {

namespace {

constexpr int most_corrections = 50;

/// v with p = ∂L/∂v, by Newton's method from a guess.
Vn velocity_of(const ControlParts& parts, int k, Eigen::VectorXd node,
               const Eigen::VectorXd& target, const Vn& guess) {
  const StepKind& kind = parts.kinds.front();
  const int n = parts.sizes.n;
  const int place = kind.start.rate + kind.start.more_entries;
  node.segment(place, n) = guess;
  ChainStep out;
  double last = HUGE_VAL;
  for (int i = 0; i < most_corrections; ++i) {
    StepEvaluation(parts, kind, k)
        .at(node.data(), nullptr, target.data())
        .run({}, {}, ChainOrder::slopes, out);
    const Vn step = out.jacobian.block(n, kind.start.rate, n, n)
                        .partialPivLu()
                        .solve(Vn(out.rows.segment(n, n)));
    node.segment(place, n) -= step;
    const double size = step.norm() / (1.0 + node.segment(place, n).norm());
    if (!(size < HUGE_VAL)) break;
    if (size < 1e-15 || (size < 1e-12 && size >= last)) return node.segment(place, n);
    last = size;
  }
  throw NoConvergence("the velocity at node " + std::to_string(k) +
                          " of an optimum was not found from its momentum",
                      parts.time.start, 0.0, most_corrections, last);
}

}  // namespace

}  // namespace detail

ControlMotion ControlProblem::motion(const Optimum& optimum) const {
  using detail::sz;
  const detail::ControlParts& parts = *parts_;
  const detail::ControlSizes& z = parts.sizes;
  const ChainPoint& at = optimum.point;
  ControlMotion m;
  for (int i = 0; i < parts.layouts.points(); ++i) m.c.push_back(parts.layouts.node(i));
  const detail::NodeLayout node(z, false);
  const Eigen::VectorXd global = at.x0.segment(node.global + node.more_entries, z.global());
  m.parameters = global.head(z.theta);
  const double end = z.free_end ? global[z.theta] : parts.time.end;
  ChainStep out;
  Vn v = at.x0.segment(node.rate + node.more_entries, z.n);
  for (int k = 0; k <= parts.time.steps; ++k) {
    const int number = k + 1;  // of the step that begins there
    const double* const x = parts.node(at, number);
    const Eigen::VectorXd here = Eigen::Map<const Eigen::VectorXd>(x, node.entries());
    m.t.push_back(parts.time.start + (end - parts.time.start) * k / parts.time.steps);
    m.q.emplace_back(here.head(z.entries));
    m.p.emplace_back(here.segment(node.rate + node.more_entries, z.n));
    m.a.emplace_back(here.segment(node.a + node.more_entries, z.a));
    v = detail::velocity_of(parts, k, here, here, v);
    m.v.push_back(v);
    evaluate(number, at, {}, {}, ChainOrder::slopes, out);
    Eigen::VectorXd slope = out.gradient + out.jacobian.transpose() * optimum.rho[sz(number)];
    if (out.inequality_slopes.rows() > 0)
      slope += out.inequality_slopes.transpose() * optimum.inequality[sz(number)];
    m.costate_q.emplace_back(slope.head(z.n));
    m.costate_p.emplace_back(slope.segment(node.rate, z.n));
    m.costate_a.emplace_back(slope.segment(node.a, z.a));
    if (k == parts.time.steps) break;
    m.u.emplace_back();
    for (int i = 0; i < parts.layouts.points(); ++i)
      m.u.back().emplace_back(at.w[sz(number)].segment(i * z.u, z.u));
  }
  return m;
}

}  // namespace varia
