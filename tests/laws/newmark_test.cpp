// SPDX-License-Identifier: BSD-3-Clause
// The laws of Newmark's method: order, reversibility, what it conserves for γ = ½ and what not.
#include <gtest/gtest.h>

#include "problems.hpp"
#include "varia/flow/newmark_flow.hpp"
#include "varia/flow/newmark_form.hpp"
#include "varia/verify/check_invariants.hpp"
#include "varia/verify/check_order.hpp"
#include "varia/verify/check_symplectic.hpp"

namespace varia::newmark_test {
namespace {

using namespace problems;

const auto rotation = [](const Vn& q) { return Vn(Vector<double, 2>(-q[1], q[0])); };

TEST(Newmark, OrderIsTwoExactlyForGammaHalf) {
  const std::vector<std::string> force{"-0.3*x_dot + 0.2*sin(t)", "-0.1*y_dot^3"};
  for (const auto& f : {system_of(texts::coupled()), system_of(texts::coupled().with_force(force))})
    for (const auto& [beta, gamma] :
         {std::pair(0.0, 0.5), std::pair(0.25, 0.5), std::pair(1.0 / 12, 0.5), std::pair(0.5, 0.5),
          std::pair(0.25, 0.6), std::pair(0.0, 0.4), std::pair(0.5, 1.0)}) {
      const NewmarkFlow flow(newmark(beta, gamma), f);
      const auto report = check_order(flow, start_of(*f, texts::coupled()), 3.0);
      EXPECT_EQ(report.declared, gamma == 0.5 ? 2 : 1);
      EXPECT_NEAR(report.measured, report.declared, 0.1) << flow.method().name();
    }
}

TEST(Newmark, ReversesExactlyForGammaHalf) {
  const auto f = system_of(texts::coupled());
  for (const double beta : {0.0, 0.25, 0.5}) {
    const auto defect = [&](double gamma) {
      return check_reversible(NewmarkFlow(newmark(beta, gamma), f), start_of(*f, texts::coupled()),
                              0.1, 10)
          .defect;
    };
    EXPECT_LT(defect(0.5), 1e-13);
    EXPECT_GT(defect(0.6), 1e-4);
    EXPECT_EQ(newmark(beta, 0.5).symmetric(), true);
    EXPECT_EQ(newmark(beta, 0.6).symmetric(), false);
  }
}

/// Largest change of (η̄)*Ω over a step, on all pairs of directions.
double form_defect(const NewmarkFlow& flow, const NewmarkForm& form, const VectorState& s,
                   double h) {
  const int n = static_cast<int>(s.q.size());
  const VectorState end = flow(s, h);
  std::vector<Eigen::VectorXd> after;
  for (int k = 0; k < 2 * n; ++k)
    after.push_back(derivative_at_zero(
        [&](double e) {
          VectorState z = s;
          (k < n ? z.q[k] : z.p[k - n]) += e;
          const VectorState y = flow(z, h);
          Eigen::VectorXd d(2 * n);
          d << y.q - end.q, y.p - end.p;
          return d;
        },
        0.5));
  double defect = 0.0;
  for (int i = 0; i < 2 * n; ++i)
    for (int j = 0; j < i; ++j)
      defect = std::max(
          defect,
          std::abs(form.form(end, after[std::size_t(i)], after[std::size_t(j)]) -
                   form.form(s, Eigen::VectorXd::Unit(2 * n, i), Eigen::VectorXd::Unit(2 * n, j))));
  return defect;
}

TEST(Newmark, ConservesItsOwnFormAndNotTheCanonicalOne) {
  const double h = 0.2;
  for (const auto& f : {system_of(texts::coupled()), system_of(texts::ring())}) {
    const VectorState s = start_of(*f, texts::coupled());
    for (const double beta : {0.0, 1.0 / 12, 0.25}) {
      const NewmarkFlow flow(newmark(beta, 0.5), f);
      EXPECT_LT(form_defect(flow, NewmarkForm(f, beta, h), s, h), 1e-12) << beta;
      const double canonical = check_symplectic(flow, s, h).defect;
      if (beta == 0.0)
        EXPECT_LT(canonical, 1e-12);
      else
        EXPECT_GT(canonical, 1e-4) << beta;
      // the form of another β is not kept
      EXPECT_GT(form_defect(flow, NewmarkForm(f, 0.5, h), s, h), 1e-4);
    }
    const NewmarkFlow damped(newmark(0.25, 0.6), f);
    EXPECT_GT(form_defect(damped, NewmarkForm(f, 0.25, h), s, h), 1e-3);
    EXPECT_GT(check_symplectic(damped, s, h).defect, 1e-3);
  }
}

/// With linear forces η′ is constant and the canonical form survives, for γ = ½ alone.
TEST(Newmark, LinearForcesKeepTheCanonicalForm) {
  const auto f = system_of({{"x"}, "x_dot^2/2 - 0.7*x^2"});
  const VectorState s = initial(*f, Vn::Constant(1, 0.4), Vn::Ones(1));
  EXPECT_LT(check_symplectic(NewmarkFlow(newmark(0.25, 0.5), f), s, 0.5).defect, 1e-12);
  EXPECT_GT(check_symplectic(NewmarkFlow(newmark(0.25, 0.6), f), s, 0.5).defect, 1e-3);
}

/// The peak-to-peak changes of a momentum over a run.
struct Swing {
  double least = 1e300, most = -1e300;
  void add(double x) {
    least = std::min(least, x);
    most = std::max(most, x);
  }
  double largest_change(double from) const { return std::max(most - from, from - least); }
};

/// (q - βh²a) × Mv is conserved, q × Mv is not: by how much is known from the specification.
TEST(Newmark, ModifiedAngularMomentumIsConserved) {
  const auto f = system_of(texts::ring());
  const VectorState s = start_of(*f, texts::ring());
  const double h = 0.1;
  const auto run = [&](double beta) {
    const NewmarkForm form(f, beta, h);
    Swing own;
    Swing naive;
    advance(NewmarkFlow(newmark(beta, 0.5), f), s, h, 16000, [&](const VectorState& z) {
      own.add(form.momentum(z, rotation));
      naive.add(z.p.dot(rotation(z.q)));
    });
    EXPECT_LT(own.most - own.least, 4e-15) << beta;
    return naive.largest_change(0.7);
  };
  std::printf("%.3g %.3g %.3g\n", run(0.0), run(1.0 / 12), run(0.25));
  EXPECT_LT(run(0.0), 4e-15);
  EXPECT_NEAR(run(1.0 / 12), 9e-4, 0.5e-4);
  EXPECT_NEAR(run(0.25), 2.7e-3, 0.05e-3);
}

/// γ > ½ takes energy, γ < ½ gives it, γ = ½ keeps it near.
TEST(Newmark, GammaDecidesAboutDissipation) {
  const auto f = system_of({{"x"}, "x_dot^2/2 - (1 - cos(x))"});
  const VectorState s = initial(*f, Vn::Constant(1, 1.5), Vn::Zero(1));
  const auto energy = [&](double gamma) {
    const VectorState z = advance(NewmarkFlow(newmark(0.25, gamma), f), s, 0.1, 1000);
    return 0.5 * z.p[0] * z.p[0] + 1.0 - std::cos(z.q[0]);
  };
  const double before = 1.0 - std::cos(1.5);
  EXPECT_NEAR(energy(0.5), before, 2e-3);
  EXPECT_LT(energy(0.55), 0.7 * before);
  EXPECT_GT(energy(0.45), 1.3 * before);
}

}  // namespace
}  // namespace varia::newmark_test
