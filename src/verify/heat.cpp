// SPDX-License-Identifier: BSD-3-Clause
#include "varia/verify/heat.hpp"

#include <cmath>

#include "varia/flow/integrate.hpp"
#include "varia/flow/legendre_transform.hpp"

namespace varia {

void TimeAverage::add(double t, double value) {
  if (count_++ == 0) {
    first_t_ = last_t_ = t;
    last_ = value;
    return;
  }
  const double dt = t - last_t_;
  const double y =
      dt * (sampling_ == Sampling::end_of_step ? value : 0.5 * (last_ + value)) + rest_;
  const double sum = sum_ + y;
  rest_ = y - (sum - sum_);
  sum_ = sum;
  last_t_ = t;
  last_ = value;
}

double TimeAverage::mean() const {
  if (duration() == 0.0)
    throw InvalidArgument(
        "time average: no time has passed; at least two samples at different "
        "times are needed");
  return (sum_ + rest_) / duration();
}

namespace {

template <class F>
Heat heat_of(const F& flow, const KernelSystem& f, const VectorState& start, double h, long steps,
             Sampling sampling) {
  if (steps < 1)
    throw InvalidArgument("heat: the number of steps must be at least 1, got " +
                          std::to_string(steps));
  LegendreTransform legendre(f);
  Vn v = Vn::Zero(f.n);
  TimeAverage average(sampling);
  advance(flow, start, h, steps, [&](const VectorState& s) {
    legendre.velocity(s.t, s.q.data(), s.p.data(), v.data());
    average.add(s.t, 0.5 * s.p.dot(v));
  });
  const double mean = average.mean();
  const int free = f.n - f.d;
  return {mean, free > 0 ? mean / free : 0.0, average.duration()};
}

}  // namespace

Heat heat(const StageFlow& flow, const VectorState& start, double h, long steps,
          Sampling sampling) {
  return heat_of(flow, flow.system(), start, h, steps, sampling);
}
Heat heat(const BaselineFlow& flow, const KernelSystem& system, const VectorState& start, double h,
          long steps, Sampling sampling) {
  return heat_of(flow, system, start, h, steps, sampling);
}
Heat heat(const NewmarkFlow& flow, const VectorState& start, double h, long steps,
          Sampling sampling) {
  return heat_of(flow, flow.system(), start, h, steps, sampling);
}

}  // namespace varia
