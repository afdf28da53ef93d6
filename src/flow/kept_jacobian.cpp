// SPDX-License-Identifier: BSD-3-Clause
#include "kept_jacobian.hpp"

#include <algorithm>

namespace varia::detail {

void KeptJacobian::resize(int entries, int n, int unknowns, int price) {
  price_ = price;
  start_.q.setZero(entries);
  for (auto* v : {&start_.p, &start_.q_rest, &start_.p_rest}) v->setZero(n);
  x_.assign(static_cast<std::size_t>(unknowns), 0.0);
}

void KeptJacobian::set_start(const VectorState& start, double h) {
  start_.t = start.t;
  start_.t_rest = start.t_rest;
  start_.q = start.q;
  start_.p = start.p;
  start_.q_rest = start.q_rest;
  start_.p_rest = start.p_rest;
  h_ = h;
}

void KeptJacobian::count_new(const NewtonReport& report) {
  ready_ = report.converged && price_ > 0;
  base_ = report.iterations;
  uses_ = excess_ = 0;
  if (wait_ > 0) --wait_;
}

/// The factors are given up once they have cost what new ones cost; at once where they had to be
/// replaced within the step, and then the next attempts are put off.
void KeptJacobian::count_kept(const NewtonReport& report) {
  ++uses_;
  excess_ += report.iterations - base_;
  if (!report.converged || report.renewed) {
    ready_ = report.converged;
    pause();
  } else if (excess_ > price_) {
    ready_ = false;
    if (uses_ == 1)
      pause();
    else
      pause_ /= 2;
  } else {
    return;
  }
  uses_ = excess_ = 0;
}

void KeptJacobian::pause() {
  pause_ = std::clamp(2 * pause_, shortest_pause, longest_pause);
  wait_ = pause_;
}

}  // namespace varia::detail
