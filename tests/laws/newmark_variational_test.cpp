// SPDX-License-Identifier: BSD-3-Clause
// Newmark's method with γ = ½ is variational: two-step form, discrete Lagrangian, Verlet's method in
// other variables.
#include <gtest/gtest.h>

#include "laws/newmark_lagrangian.hpp"
#include "problems.hpp"
#include "refusal.hpp"
#include "varia/flow/discrete_flow.hpp"
#include "varia/flow/integrate.hpp"
#include "varia/flow/newmark_flow.hpp"
#include "varia/methods/methods.hpp"
#include "varia/verify/check_symplectic.hpp"

namespace varia::newmark_variational_test {
namespace {

using namespace problems;

constexpr double h = 0.2;

std::vector<Vn> positions(const std::shared_ptr<KernelSystem>& f, double beta, double gamma,
                          int steps) {
  std::vector<Vn> q;
  advance(NewmarkFlow(newmark(beta, gamma), f), start_of(*f, texts::coupled()), h, steps,
          [&](const VectorState& s) { q.push_back(s.q); });
  return q;
}

Vn acceleration(const KernelSystem& f, const Vn& q) {
  Vn x(1 + f.n);
  x << 0.0, q;
  Vn g(f.n);
  f.potential_gradient(x.data(), g.data());
  return f.mass_diagonal.empty() ? Vn(-f.mass.inverse() * g) : Vn(-g);
}

TEST(NewmarkVariational, TwoStepForm) {
  for (const auto& f : {system_of(texts::coupled()), system_of(texts::ring())})
    for (const double beta : {0.0, 1.0 / 12, 0.25}) {
      const auto residual = [&](double gamma) {
        const auto q = positions(f, beta, gamma, 2);
        const Vn mean = beta * acceleration(*f, q[2]) +
                        (1.0 - 2.0 * beta) * acceleration(*f, q[1]) + beta * acceleration(*f, q[0]);
        return (q[2] - 2.0 * q[1] + q[0] - h * h * mean).cwiseAbs().maxCoeff();
      };
      EXPECT_LT(residual(0.5), 2e-15) << beta;
      EXPECT_GT(residual(0.6), 1e-4) << beta;
    }
}

double del_residual(const NewmarkLagrangian& ld, const std::vector<Vn>& q) {
  double residual = 0.0;
  for (std::size_t k = 1; k + 1 < q.size(); ++k)
    residual = std::max(residual, (slot_derivatives(ld, q[k - 1], q[k], h).d2 +
                                   slot_derivatives(ld, q[k], q[k + 1], h).d1)
                                      .cwiseAbs()
                                      .maxCoeff());
  return residual;
}

/// The sign of η as printed, q + βh²a, is that of -β here: it fails.
TEST(NewmarkVariational, SatisfiesTheEulerLagrangeEquationsOfItsLagrangian) {
  for (const auto& f : {system_of(texts::coupled()), system_of(texts::ring())})
    for (const double beta : {0.0, 1.0 / 12, 0.25}) {
      const auto q = positions(f, beta, 0.5, 5);
      EXPECT_LT(del_residual(NewmarkLagrangian(f, beta), q), 1e-13) << beta;
      if (beta > 0.0) {
        EXPECT_GT(del_residual(NewmarkLagrangian(f, -beta), q), 1e-3) << beta;
      }
      EXPECT_GT(del_residual(NewmarkLagrangian(f, beta), positions(f, beta, 0.6, 5)), 1e-4);
    }
}

TEST(NewmarkVariational, DiscreteFlowOfTheLagrangianGivesTheSamePositions) {
  for (const auto& f : {system_of(texts::coupled()), system_of(texts::ring())}) {
    const auto q = positions(f, 0.25, 0.5, 50);
    const NewmarkLagrangian ld(f, 0.25);
    const DiscreteFlow flow(ld);
    const Vn p = -slot_derivatives(ld, q[0], q[1], h).d1;
    auto s = make_state(q[0], p);
    for (std::size_t k = 1; k < q.size(); ++k) {
      s = flow(s, h);
      EXPECT_LT((s.q - q[k]).cwiseAbs().maxCoeff(), 1e-11) << k;
    }
  }
}

/// η̄ carries the one method into the other; (Skeel) is canonically symplectic.
TEST(NewmarkVariational, ShiftedVariablesObeyVerlet) {
  for (const auto& f : {system_of(texts::coupled()), system_of(texts::ring())})
    for (const double beta : {0.0, 1.0 / 12, 0.25}) {
      const NewmarkForm form(f, beta, h);
      const NewmarkFlow flow(newmark(beta, 0.5), f);
      VectorState s = start_of(*f, texts::coupled());
      VectorState x = form.canonical(s);
      for (int k = 0; k < 20; ++k) {
        s = flow(s, h);
        x = form.skeel_step(x);
      }
      const VectorState y = form.canonical(s);
      EXPECT_LT((x.q - y.q).cwiseAbs().maxCoeff(), 2e-13);
      EXPECT_LT((x.p - y.p).cwiseAbs().maxCoeff(), 2e-13);
      EXPECT_LT((form.physical(x).q - s.q).cwiseAbs().maxCoeff(), 2e-13);
      const auto map = [&](const VectorState& z, double) { return form.skeel_step(z); };
      EXPECT_LT(check_symplectic(map, x, h).defect, 1e-12);
    }
}

TEST(NewmarkVariational, DerivativeOfEtaIsThatOfEta) {
  const auto f = system_of(texts::coupled());
  const NewmarkForm form(f, 0.25, h);
  const Vn q = start_of(*f, texts::coupled()).q;
  const Vn delta = Vector<double, 2>(0.3, -0.7);
  const Eigen::VectorXd by_differences = derivative_at_zero(
      [&](double e) { return Eigen::VectorXd(form.eta(0.0, Vn(q + e * delta))); }, 1.0);
  EXPECT_LT((by_differences - form.eta_derivative(0.0, q, delta)).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(NewmarkVariational, RefusesWhatHasNoSuchForm) {
  const auto drag = system_of(texts::ring().with_force({"-x_dot", "-y_dot"}));
  expect_words(refusal([&] { NewmarkForm(drag, 0.25, h); }), {"force"});
  expect_words(refusal([&] { NewmarkLagrangian(drag, 0.25); }), {"force"});
  const auto f = system_of(texts::ring());
  expect_words(refusal([&] { NewmarkForm(f, 0.7, h); }), {"[0, 0.5]", "0.7"});
  refusal([&] { NewmarkForm(f, 0.25, 0.0); });
  const auto time = system_of({{"x"}, "x_dot^2/2 - t*x"});
  expect_words(refusal([&] { NewmarkLagrangian(time, 0.25); }), {"time"});
  // V″ = -1/(βh²) somewhere: η folds over
  const auto hill = system_of({{"x"}, "x_dot^2/2 + x^2"});
  const VectorState x = initial(*hill, Vn::Ones(1), Vn::Zero(1));
  EXPECT_THROW(NewmarkForm(hill, 0.5, 1.0).physical(x), NoConvergence);
}

}  // namespace
}  // namespace varia::newmark_variational_test
