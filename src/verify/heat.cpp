// SPDX-License-Identifier: BSD-3-Clause
#include "varia/verify/heat.hpp"

#include <cmath>

#include "varia/core/round_off.hpp"
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
  const double mean = sampling_ == Sampling::end_of_step ? value : 0.5 * (last_ + value);
  detail::compensated_add(sum_, rest_, dt * mean);
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

template <class F>
Heat heat(const F& flow, const VectorState& start, double h, long steps, Sampling sampling) {
  if (steps < 1)
    throw InvalidArgument("heat: the number of steps must be at least 1, got " +
                          std::to_string(steps));
  const KernelSystem& f = flow.system();
  LegendreTransform legendre(f);
  Vn v = Vn::Zero(f.n);
  TimeAverage average(sampling);
  advance(flow, start, h, steps, [&](const VectorState& s) {
    legendre.velocity(s, v.data());
    average.add(s.t, 0.5 * s.p.dot(v));
  });
  const double mean = average.mean();
  const int free = f.n - static_cast<int>(f.space.vertical().size()) - f.d;
  return {mean, free > 0 ? mean / free : 0.0, average.duration()};
}

template Heat heat(const StageFlow&, const VectorState&, double, long, Sampling);
template Heat heat(const BaselineFlow&, const VectorState&, double, long, Sampling);
template Heat heat(const NewmarkFlow&, const VectorState&, double, long, Sampling);

}  // namespace varia
