// SPDX-License-Identifier: BSD-3-Clause
// gauss(3) on the Kepler problem, e = 0.6, against a Newton / Gauss-Legendre loop written by hand
// with fixed-size Eigen matrices and the analytic force and force gradient.
#include <Eigen/Dense>
#include <cmath>
#include <limits>

#include "timing.hpp"
#include "varia/varia.hpp"

using varia::Flow, varia::Separable, varia::System, varia::Vector;

namespace {

using Vector2 = Eigen::Vector2d;
using Vector6 = Eigen::Matrix<double, 6, 1>;
using Matrix6 = Eigen::Matrix<double, 6, 6>;

/// Gauss collocation of order 6 for q'' = f(q): the unknowns are the three stage velocities
/// V_i = v + h Σ_j a_ij f(q + h Σ_k a_jk V_k), solved by Newton with a 6 × 6 matrix.
class GaussByHand {
 public:
  GaussByHand() {
    const double r = std::sqrt(15.0);
    a_ << 5.0 / 36, 2.0 / 9 - r / 15, 5.0 / 36 - r / 30,  //
        5.0 / 36 + r / 24, 2.0 / 9, 5.0 / 36 - r / 24,    //
        5.0 / 36 + r / 30, 2.0 / 9 + r / 15, 5.0 / 36;
    b_ << 5.0 / 18, 4.0 / 9, 5.0 / 18;
  }

  double run(Vector2 q, Vector2 v, double h, long steps) {
    iterations_ = 0;
    Vector6 stages = v.replicate<3, 1>();
    Vector6 last = stages;
    Vector6 before = stages;
    for (long k = 0; k < steps; ++k) {
      if (k > 2) stages = 3.0 * last - 3.0 * before + older_;  // quadratic extrapolation
      solve(q, v, h, stages);
      older_ = before;
      before = last;
      last = stages;
      for (int i = 0; i < 3; ++i) {
        q += (h * b_[i]) * stages.segment<2>(2 * i);
        v += (h * b_[i]) * force_.segment<2>(2 * i);
      }
    }
    return q[0] + v[1];
  }

  long iterations() const { return iterations_; }

 private:
  void solve(const Vector2& q, const Vector2& v, double h, Vector6& stages) {
    constexpr int max_iterations = 20;
    constexpr double eps = std::numeric_limits<double>::epsilon();
    double last = 0.0;
    for (int k = 0; k < max_iterations; ++k) {
      ++iterations_;
      Eigen::Matrix<double, 6, 2> gradient;
      for (int i = 0; i < 3; ++i) {
        Vector2 x = q;
        for (int j = 0; j < 3; ++j) x += (h * a_(i, j)) * stages.segment<2>(2 * j);
        const double r2 = x.squaredNorm();
        const double s = 1.0 / (r2 * std::sqrt(r2));
        force_.segment<2>(2 * i) = -s * x;
        gradient.block<2, 2>(2 * i, 0) =
            (3.0 * s / r2) * x * x.transpose() - s * Eigen::Matrix2d::Identity();
      }
      Vector6 residual;
      Matrix6 newton = Matrix6::Identity();
      for (int i = 0; i < 3; ++i) {
        residual.segment<2>(2 * i) = stages.segment<2>(2 * i) - v;
        for (int j = 0; j < 3; ++j) {
          residual.segment<2>(2 * i) -= (h * a_(i, j)) * force_.segment<2>(2 * j);
          for (int l = 0; l < 3; ++l)
            newton.block<2, 2>(2 * i, 2 * l) -=
                (h * h * a_(i, j) * a_(j, l)) * gradient.block<2, 2>(2 * j, 0);
        }
      }
      const Vector6 step = newton.partialPivLu().solve(residual);
      stages -= step;
      const double size = step.lpNorm<Eigen::Infinity>();
      // quadratic convergence: stop when the next step is below round-off, as Varia does
      const double rate = k > 0 ? size / last : 1.0;
      if (size * rate * rate <= 0.125 * eps * stages.lpNorm<Eigen::Infinity>())
        return refresh(q, h, stages);
      last = size;
    }
  }

  /// The forces at the final stages.
  void refresh(const Vector2& q, double h, const Vector6& stages) {
    for (int i = 0; i < 3; ++i) {
      Vector2 x = q;
      for (int j = 0; j < 3; ++j) x += (h * a_(i, j)) * stages.segment<2>(2 * j);
      const double r2 = x.squaredNorm();
      force_.segment<2>(2 * i) = -x / (r2 * std::sqrt(r2));
    }
  }

  Eigen::Matrix3d a_;
  Eigen::Vector3d b_;
  Vector6 force_ = Vector6::Zero();
  Vector6 older_ = Vector6::Zero();
  long iterations_ = 0;
};

template <class S> bench::Pair compare(const S& system, double h, long steps) {
  const Vector2 q0(0.4, 0.0);
  const Vector2 v0(0.0, 2.0);
  const Flow flow(varia::gauss(3), system);
  const auto start = initial(system, q0, v0);
  GaussByHand reference;
  return bench::fastest([&] { bench::keep(advance(flow, start, h, steps)); },
                        [&] { bench::keep(reference.run(q0, v0, h, steps)); }, 21);
}

/// Newton iterations per step, ours and by hand.
template <class S> void iterations(const S& system, double h, long steps) {
  const Flow flow(varia::gauss(3), system);
  auto s = initial(system, Vector2(0.4, 0.0), Vector2(0.0, 2.0));
  auto memory = flow.memory(s);
  for (long k = 0; k < steps; ++k) s = flow.step(s, h, memory);
  GaussByHand reference;
  bench::keep(reference.run(Vector2(0.4, 0.0), Vector2(0.0, 2.0), h, steps));
  const auto mean = [&](long n) { return static_cast<double>(n) / static_cast<double>(steps); };
  std::printf("Newton iterations per step, h = %.3f: ours %.2f, by hand %.2f\n", h,
              mean(memory.statistics.iterations), mean(reference.iterations()));
}

}  // namespace

int main() {
  const System plain{[](const auto& q, const auto& v) { return 0.5 * v.dot(v) + 1.0 / q.norm(); }};
  const System declared{Separable{1.0, [](const auto& q) { return -1.0 / q.norm(); }}};
  const double period = 2.0 * std::acos(-1.0);
  bench::Table table("gauss(3), Kepler e = 0.6, per step");
  for (const long per_period : {100L, 1000L}) {
    const double h = period / static_cast<double>(per_period);
    const long steps = 3000;
    char name[80];
    std::snprintf(name, sizeof name, "L(q, v), %ld steps per period", per_period);
    table.row(name, compare(plain, h, steps), steps, 1.0);
    std::snprintf(name, sizeof name, "Separable, %ld steps per period", per_period);
    table.row(name, compare(declared, h, steps), steps, 1.0);
    iterations(plain, h, steps);
  }
  return table.missed();
}
