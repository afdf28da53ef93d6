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

void KeptJacobian::set_point(const VectorState& start, double h, const std::vector<double>& x) {
  start_ = start;
  h_ = h;
  x_ = x;
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

void KeptJacobian::save(std::vector<double>& out) const {
  for (const int number : {ready_ ? 1 : 0, base_, uses_, excess_, pause_, wait_})
    out.push_back(number);
  out.insert(out.end(), {h_, start_.t, start_.t_rest});
  for (const auto* v : {&start_.q, &start_.p, &start_.q_rest, &start_.p_rest})
    out.insert(out.end(), v->begin(), v->end());
  out.insert(out.end(), x_.begin(), x_.end());
}

const double* KeptJacobian::load(const double* data, const double* end) {
  std::vector<double> present;
  save(present);
  if (end - data < static_cast<std::ptrdiff_t>(present.size())) return nullptr;
  ready_ = *data++ != 0.0;
  for (int* number : {&base_, &uses_, &excess_, &pause_, &wait_})
    *number = static_cast<int>(*data++);
  for (double* number : {&h_, &start_.t, &start_.t_rest}) *number = *data++;
  for (auto* v : {&start_.q, &start_.p, &start_.q_rest, &start_.p_rest})
    for (double& number : *v) number = *data++;
  for (double& number : x_) number = *data++;
  return data;
}

}  // namespace varia::detail
