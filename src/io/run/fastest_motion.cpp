// SPDX-License-Identifier: BSD-3-Clause
#include "fastest_motion.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "check_work.hpp"
#include "flow_of_model.hpp"
#include "trial_step.hpp"

namespace varia::io {

namespace {

constexpr int largest_dense = 20;  // degrees of freedom
constexpr int most_vectors = 40;   // for more of them
constexpr int vector_numbers = 400000;
constexpr double most_seconds = 0.05;  // of a step, in the sense of CheckWork
constexpr int most_tries = 60;
constexpr double first_part = 1e-4;  // of the longest step
// |μ - 1| below the first is too close to round-off, above the second too far from |ω| h
constexpr double least_change = 1e-4, most_change = 0.5;
constexpr double gone = 1e-3;  // |μ| of what constraints do not let a step keep

Method short_step_method(const KernelSystem& f) {
  if (f.e > 0) return nh_lobatto(2);
  return f.d > 0 ? verlet() : midpoint();
}

AnyFlow short_step_flow(const Model& model) {
  Model probe = model;
  probe.options.solver = Solver::automatic;
  set_method(probe, short_step_method(*model.system));
  return flow_of(probe, true);
}

double largest_spread(const Eigen::MatrixXd& map) {
  if (!map.allFinite()) return std::nan("");
  double spread = 0.0;
  for (const auto& mu : map.eigenvalues())
    if (std::abs(mu) > gone) spread = std::max(spread, std::abs(mu - 1.0));
  return spread;
}

/// A step as a linear map of vectors (δ, ν / unit) in which both parts are about as large.
class ScaledStep {
 public:
  ScaledStep(const StepDerivative& derivative, int n) : derivative_(derivative), n_(n) {
    Vn x = Vn::Zero(2 * n);
    for (int i = 0; i < n; ++i) x[i] = x[n + i] = std::cos(1.0 + 7.0 * i);
    const Vn from_delta = (*this)(Vn(part(x, 0))), from_nu = (*this)(Vn(part(x, 1)));
    const double ratio = from_delta.tail(n).norm() / from_nu.head(n).norm();
    if (std::isfinite(ratio) && ratio > 0.0) unit_ = std::sqrt(ratio);
  }

  Vn operator()(const Vn& x) const {
    PhaseVector z = PhaseVector::zero(n_);
    z.delta = x.head(n_);
    z.nu = unit_ * x.tail(n_);
    derivative_.forward(z);
    Vn image(2 * n_);
    image << z.delta, z.nu / unit_;
    return image;
  }

 private:
  Vn part(const Vn& x, int which) const {
    Vn only = Vn::Zero(2 * n_);
    only.segment(which * n_, n_) = x.segment(which * n_, n_);
    return only;
  }

  const StepDerivative& derivative_;
  int n_;
  double unit_ = 1.0;
};

/// The map on the space of a start vector and its images (Arnoldi): its outer eigenvalues are nearly
/// those of the whole.
Eigen::MatrixXd on_krylov_space(const ScaledStep& step, int n) {
  const int krylov_vectors = std::clamp(vector_numbers / n, 8, most_vectors);
  Eigen::MatrixXd basis = Eigen::MatrixXd::Zero(2 * n, krylov_vectors + 1);
  Eigen::MatrixXd small = Eigen::MatrixXd::Zero(krylov_vectors + 1, krylov_vectors);
  Vn x(2 * n);
  for (int i = 0; i < 2 * n; ++i) x[i] = std::cos(1.0 + 3.0 * i * i);
  basis.col(0) = step(x).normalized();  // what constraints admit
  int size = 0;
  for (; size < krylov_vectors; ++size) {
    Vn next = step(basis.col(size)) - basis.col(size);  // μ - 1 are the outer ones
    const auto known = basis.leftCols(size + 1);
    for (int again = 0; again < 2; ++again) {
      const Vn along = known.transpose() * next;
      small.col(size).head(size + 1) += along;
      next -= known * along;
    }
    const double rest = next.norm();
    if (!(rest > 1e-12 * small.col(size).norm())) {
      ++size;
      break;
    }
    small(size + 1, size) = rest;
    basis.col(size + 1) = next / rest;
  }
  return small.topLeftCorner(size, size) + Eigen::MatrixXd::Identity(size, size);
}

}  // namespace

FastestMotion::FastestMotion(const Model& model, double longest)
    : flow_(short_step_flow(model)),
      longest_(longest),
      h_(first_part * longest),
      too_large_(StepCost(flow_).seconds(1, 1) > most_seconds) {}

std::optional<double> FastestMotion::spread(const VectorState& s, double h) const {
  const int n = flow_.system().n;
  double found = std::nan("");
  steps_are_made([&] {
    VectorState end = s;
    AnyFlow::Memory memory = flow_.memory(s);
    const StepDerivative& derivative = flow_.differentiate(end, h, memory);
    found = largest_spread(n <= largest_dense ? derivative.matrix(n)
                                              : on_krylov_space(ScaledStep(derivative, n), n));
  });
  return std::isfinite(found) ? std::optional<double>(found) : std::nullopt;
}

double FastestMotion::operator()(const VectorState& s) {
  double h = h_;
  if (too_large_) return 0.0;
  for (int tries = 0; tries < most_tries; ++tries) {
    const std::optional<double> found = spread(s, h);
    if (!found || *found > most_change) {
      h *= found ? std::max(0.01, 0.25 * most_change / *found) : 0.1;
    } else if (*found < least_change && std::abs(h) < std::abs(longest_)) {
      h *= *found > 1e-6 ? 0.1 / *found : 1e3;
      if (std::abs(h) > std::abs(longest_)) h = longest_;
    } else if (*found < least_change) {
      return 0.0;
    } else {
      h_ = h;
      return *found / std::abs(h);
    }
  }
  return 0.0;
}

}  // namespace varia::io
