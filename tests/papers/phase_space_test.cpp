// SPDX-License-Identifier: BSD-3-Clause
// Flows on T*Q and what acts on it [MW01, 1.3], [West04, chapters 1 and 2]: volumes, eigenvalues, and
// symmetries that commute with the steps.
#include <Eigen/Eigenvalues>

#include "problems.hpp"
#include "varia/flow/baseline.hpp"
#include "varia/verify/differences.hpp"

namespace varia::phase_space_test {
namespace {

using namespace problems;

/// W1-T15: volumes are kept and the eigenvalues of the tangent of a step are reciprocal in pairs. Not
/// those of RK4 at this step.
TEST(PhaseSpace, VolumesAndReciprocalEigenvalues) {
  const auto f = system_of(texts::double_pendulum());
  const VectorState start = initial(*f, vector({0.7, -0.3}), vector({0.2, 0.9}));
  const auto tangent = [&](const auto& flow, double step) {
    Eigen::MatrixXd m(4, 4);
    for (int j = 0; j < 4; ++j)
      m.col(j) = derivative_at_zero(
          [&](double e) {
            VectorState s = start;
            (j < 2 ? s.q[j] : s.p[j - 2]) += e;
            const VectorState next = flow(s, step);
            Eigen::VectorXd out(4);
            out << next.q, next.p;
            return out;
          },
          0.05);
    return m;
  };
  const auto defect = [](const Eigen::MatrixXd& m) {
    const Eigen::VectorXcd e = m.eigenvalues();
    double worst = std::abs(m.determinant() - 1.0);
    for (Eigen::Index i = 0; i < 4; ++i) {
      double nearest = 1e300;
      for (Eigen::Index j = 0; j < 4; ++j) nearest = std::min(nearest, std::abs(e[i] * e[j] - 1.0));
      worst = std::max(worst, nearest);
    }
    return worst;
  };
  for (const char* name :
       {"midpoint(0.3)", "trapezoid(0.8)", "gauss(2)", "lobatto(3)", "triple_jump(midpoint)"})
    EXPECT_LT(defect(tangent(StageFlow(parse_method(name), f), 0.4)), 1e-9) << name;
  EXPECT_GT(defect(tangent(BaselineFlow(rk4(), f), 0.4)), 1e-4);
}

/// T12, theorem 1.3.2: F(Rq, Rp) = R F(q, p), J(Rq₀, Rq₁) = R J(q₀, q₁) for a central potential, with
/// J = q₁ × D₂L_d = -q₀ × D₁L_d; and none of it without the symmetry.
TEST(PhaseSpace, Equivariance) {
  const std::string square = "(x^2 + y^2 + z^2)";
  const std::string kinetic = "(x_dot^2 + y_dot^2 + z_dot^2)/2";
  const Matrix<double, 3> turn =
      Eigen::AngleAxisd(0.8, Eigen::Vector3d(0.6, -0.5, 0.4).normalized()).toRotationMatrix();
  const Vn q = vector({0.8, 0.1, -0.2});
  const Vn p = vector({0.2, 0.9, 0.4});
  const auto cross = [](const Vn& a, const Vn& b) {
    return Vn(Eigen::Vector3d(a).cross(Eigen::Vector3d(b)));
  };
  for (const bool symmetric : {true, false}) {
    const auto f = system_of({{"x", "y", "z"},
                              kinetic + " + 1/sqrt(" + square + ") - 0.2*" + square + "^2" +
                                  (symmetric ? "" : " - 0.1*z"),
                              {},
                              {}});
    for (const char* name : {"midpoint(0.3)", "verlet", "gauss(2)", "lobatto(3)",
                             "galerkin(2, gauss:3)", "triple_jump(verlet)", "euler_a"}) {
      const StageFlow flow(parse_method(name), f);
      const VectorState s = initial(*f, q, p);
      const VectorState a = flow(s, 0.1);
      const VectorState b = flow(initial(*f, Vn(turn * q), Vn(turn * p)), 0.1);
      const double distance = (b.q - turn * a.q).norm() + (b.p - turn * a.p).norm();
      const double change = (cross(a.q, a.p) - cross(q, p)).norm();
      if (symmetric) {
        EXPECT_LT(distance + change, 1e-14) << name;
        EXPECT_LT((cross(b.q, b.p) - turn * cross(a.q, a.p)).norm(), 1e-14) << name;
      } else {
        EXPECT_GT(distance, 1e-3) << name;
        EXPECT_GT(change, 1e-3) << name;
      }
    }
  }
}

}  // namespace
}  // namespace varia::phase_space_test
