// SPDX-License-Identifier: BSD-3-Clause
#include "varia/verify/heat.hpp"

#include <Eigen/Eigenvalues>
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

std::vector<double> TimeAverage::save() const {
  return {static_cast<double>(count_), first_t_, last_t_, last_, sum_, rest_};
}

void TimeAverage::load(const std::vector<double>& data) {
  if (data.size() != 6)
    throw InvalidArgument("time average: 6 numbers make its state, got " +
                          std::to_string(data.size()));
  count_ = static_cast<long>(data[0]);
  first_t_ = data[1];
  last_t_ = data[2];
  last_ = data[3];
  sum_ = data[4];
  rest_ = data[5];
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

HarmonicHeat harmonic_heat(const Eigen::MatrixXd& mass, const Eigen::MatrixXd& stiffness,
                           const Vn& q, const Vn& p, double duration) {
  const Eigen::Index n = q.size();
  if (mass.rows() != n || mass.cols() != n || stiffness.rows() != n || stiffness.cols() != n ||
      p.size() != n)
    throw InvalidArgument("harmonic heat: mass and stiffness must be " + std::to_string(n) +
                          " by " + std::to_string(n) + ", with as many positions and momenta");
  if (!(duration > 0.0))
    throw InvalidArgument("harmonic heat: the duration must be positive, got " + to_text(duration));
  if (Eigen::LLT<Eigen::MatrixXd>(mass).info() != Eigen::Success)
    throw InvalidArgument("harmonic heat: the mass matrix is not positive definite");
  const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> modes(stiffness, mass);
  const Vn a = modes.eigenvectors().transpose() * mass * q;  // modal positions
  const Vn b = modes.eigenvectors().transpose() * p;         // modal momenta
  const double zero = 1e-12 * std::max(1e-300, modes.eigenvalues().cwiseAbs().maxCoeff());
  HarmonicHeat result;
  for (Eigen::Index k = 0; k < n; ++k) {
    const double square = modes.eigenvalues()[k];
    if (square < -zero)
      throw InvalidArgument("harmonic heat: the stiffness matrix has the negative eigenvalue " +
                            to_text(square) + ", and the motion grows");
    if (square <= zero) {
      result.mean += 0.5 * b[k] * b[k];
      result.limit += 0.5 * b[k] * b[k];
      continue;
    }
    const double omega = std::sqrt(square);
    const double level = 0.25 * (square * a[k] * a[k] + b[k] * b[k]);
    const double phase = std::atan2(-b[k], omega * a[k]);
    const double off = std::sin(2.0 * omega * duration + 2.0 * phase) - std::sin(2.0 * phase);
    result.mean += level * (1.0 - off / (2.0 * omega * duration));
    result.limit += level;
  }
  return result;
}

}  // namespace varia
