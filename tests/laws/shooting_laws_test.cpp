// SPDX-License-Identifier: BSD-3-Clause
// Shooting and Taylor methods at run time: symplectic, Noether's theorem, energy without trend; the
// one-step method inside them has none of these.
#include <gtest/gtest.h>

#include <cmath>

#include "problems.hpp"
#include "varia/flow/legendre_transform.hpp"
#include "varia/methods/explicit_tableau.hpp"
#include "varia/varia.hpp"
#include "varia/verify/check_symplectic.hpp"
#include "varia/verify/drift.hpp"

namespace varia::shooting_laws_test {
namespace {

using namespace problems;

/// Ψ alone, carried to momenta by the Legendre transforms: an explicit Runge-Kutta method for (EL).
struct Inner {
  const Shooting& sample;
  ExplicitTableau tableau;

  VectorState operator()(const VectorState& s, double h) const {
    LegendreTransform legendre(*sample.system);
    Vn v = Vn::Zero(s.q.size());
    legendre.velocity(s.t, s.q.data(), s.p.data(), v.data());
    std::vector<Vn> dq;
    std::vector<Vn> dv;
    const double* a = tableau.a.data();
    VectorState end = s;
    Vn u = v;
    for (std::size_t i = 0; i < tableau.b.size(); ++i) {
      Vn x = s.q;
      Vn w = v;
      double c = 0.0;
      for (std::size_t j = 0; j < i; ++j) {
        x += h * *a * dq[j];
        w += h * *a * dv[j];
        c += *a++;
      }
      Vn acceleration = Vn::Zero(x.size());
      EXPECT_TRUE(legendre.acceleration(s.t + c * h, x.data(), w.data(), acceleration.data()));
      dq.push_back(w);
      dv.push_back(acceleration);
      end.q += h * tableau.b[i] * w;
      u += h * tableau.b[i] * acceleration;
    }
    end.t = s.t + h;
    legendre.momentum(end.t, end.q.data(), u.data(), end.p.data());
    return end;
  }
};

TEST(ShootingLaws, SymplecticWhateverThePath) {
  const Shooting f(texts::driven());
  const VectorState s = start_of(texts::driven());
  const double h = 0.2;
  for (const ShootingFlow& flow :
       {f.shooting(1, "trapezoid"), f.shooting(2, "gauss:2"), f.shooting(3, "radau:2"),
        f.shooting(4, "lobatto:3"), f.taylor(1, "gauss:1"), f.taylor(3, "lobatto:3"),
        f.taylor(6, "gauss:3")})
    EXPECT_LT(check_symplectic(flow, s, h).defect, 1e-11) << flow.method().name();
  EXPECT_GT(check_symplectic(Inner{f, explicit_tableau(3)}, s, h).defect, 1e-5);
  const Shooting d(texts::double_pendulum());
  EXPECT_LT(
      check_symplectic(d.shooting(4, "lobatto:3"), start_of(texts::double_pendulum()), h).defect,
      1e-11);
}

/// Two bodies in space, in a common potential: momentum of translations and of rotations.
TEST(ShootingLaws, MomentaOfLinearSymmetries) {
  const Shooting f({{"x", "y", "z", "a", "b", "c"},
                    "(x_dot^2 + y_dot^2 + z_dot^2)/2 + 0.7*(a_dot^2 + b_dot^2 + c_dot^2)"
                    " + 0.2*(x_dot*a_dot + y_dot*b_dot + z_dot*c_dot)"
                    " + 1/sqrt((x - a)^2 + (y - b)^2 + (z - c)^2)"});
  const VectorState s =
      f.start(vector({1.0, 0.1, 0.2, -0.5, 0.0, 0.1}), vector({0.1, 0.7, 0.1, 0.0, -0.5, 0.2}));
  const auto linear = [](const VectorState& z) { return Vn(z.p.head(3) + z.p.tail(3)); };
  const auto angular = [](const VectorState& z) {
    const auto cross = [&](int at) {
      const Eigen::Vector3d q = z.q.segment<3>(at);
      const Eigen::Vector3d p = z.p.segment<3>(at);
      return Eigen::Vector3d(q.cross(p));
    };
    return Vn(cross(0) + cross(3));
  };
  for (const ShootingFlow& flow :
       {f.shooting(1, "gauss:1"), f.shooting(4, "lobatto:3"), f.taylor(5, "gauss:2")}) {
    const VectorState end = walk(flow, s, 0.1, 1000);
    EXPECT_LT((linear(end) - linear(s)).cwiseAbs().maxCoeff(), 2e-14) << flow.method().name();
    EXPECT_LT((angular(end) - angular(s)).cwiseAbs().maxCoeff(), 1e-13) << flow.method().name();
    EXPECT_GT(distance(end, s), 0.1);
  }
  VectorState z = s;
  const Inner inner{f, explicit_tableau(4)};
  for (int k = 0; k < 1000; ++k) z = inner(z, 0.1);
  EXPECT_GT((angular(z) - angular(s)).cwiseAbs().maxCoeff(), 1e-6);
}

/// The energy of the pendulum over 20,000 steps, by a line through its values.
template <class Step> DriftFit energy_fit(const Shooting& f, VectorState s, double h, Step&& step) {
  LegendreTransform legendre(*f.system);
  std::vector<double> t;
  std::vector<double> e;
  Vn v = Vn::Zero(s.q.size());
  for (int k = 0; k < 20000; ++k) {
    legendre.velocity(s.t, s.q.data(), s.p.data(), v.data());
    t.push_back(s.t);
    e.push_back(legendre.energy(s.t, s.q.data(), v.data()));
    s = step(s, h);
  }
  return fit_drift(t, e);
}

TEST(ShootingLaws, EnergyHasNoTrend) {
  const Shooting f(texts::pendulum());
  const VectorState s = f.start(vector({1.0}), vector({0.4}));
  for (const ShootingFlow& flow : {f.shooting(3, "lobatto:3"), f.taylor(2, "gauss:2")}) {
    auto memory = flow.memory(s);
    const auto step = [&](const VectorState& z, double h) { return flow.step(z, h, memory); };
    const DriftFit fit = energy_fit(f, s, 0.2, step);
    EXPECT_LT(std::abs(fit.change()), 0.01 * fit.swing)
        << flow.method().name() << ": " << fit.text();
    EXPECT_LT(fit.range, 2e-3) << flow.method().name();
  }
  const DriftFit inner = energy_fit(f, s, 0.2, Inner{f, explicit_tableau(3)});
  EXPECT_TRUE(inner.drifts()) << inner.text();
  EXPECT_GT(inner.range, 0.1);
}

/// Many coordinates, one formula: a chain of masses with a mass that depends on the configuration.
TEST(ShootingLaws, ManyCoordinates) {
  Texts texts;
  constexpr int n = 12;
  texts.lagrangian = "0";
  for (int i = 0; i < n; ++i) {
    const std::string q = "q" + std::to_string(i);
    texts.coordinates.push_back(q);
    texts.lagrangian += " + (1 + 0.2*cos(" + q + "))*" + q + "_dot^2/2";
    if (i > 0) {
      const std::string last = "q" + std::to_string(i - 1);
      texts.lagrangian += " + cos(" + q + " - " + last + ") + 0.1*" + q + "_dot*" + last + "_dot";
    }
  }
  const Shooting f(texts);
  Vn q(n);
  Vn v(n);
  for (int i = 0; i < n; ++i) {
    q[i] = 0.5 * std::sin(i);
    v[i] = std::cos(2.0 * i);
  }
  const VectorState s = f.start(q, v);
  const VectorState exact = walk(StageFlow(gauss(6), f.system), s, 0.02, 50);
  const auto error = [&](int k) {
    return distance(walk(f.shooting(4, "lobatto:3"), s, 1.0 / k, k), exact);
  };
  EXPECT_NEAR(measured_order(error, 20), 4.0, 0.1);
  EXPECT_LT(check_symplectic(f.taylor(4, "gauss:2"), s, 0.1).defect, 1e-11);
}

}  // namespace
}  // namespace varia::shooting_laws_test
