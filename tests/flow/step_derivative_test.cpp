// SPDX-License-Identifier: BSD-3-Clause
// The derivative of a step: against differences, against its own transposed, symplectic to round-off,
// for every kind of step (stages, explicit legs, compositions, adjoints) on every kind of space.
#include "varia/flow/step_derivative.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "problems.hpp"
#include "varia/flow/flow.hpp"
#include "varia/flow/stage_flow.hpp"
#include "varia/methods/composition.hpp"
#include "varia/methods/methods.hpp"
#include "varia/varia.hpp"
#include "varia/verify/differences.hpp"

namespace varia::step_derivative_test {
namespace {

using namespace problems;

struct Case {
  std::string name;
  std::shared_ptr<KernelSystem> system;
  Vn xi, v;  ///< the start: displacement from the origin, velocity
  std::vector<Method> methods;
  bool symplectic = true;
  Retraction tau = Retraction::exponential;
};

const std::string top = texts::heavy_top().lagrangian;

std::vector<Case> cases() {
  const std::vector<Method> any = {gauss(1),      gauss(3),       lobatto(3),
                                   midpoint(0.3), trapezoid(0.3), galerkin(3, gauss_quadrature(4))};
  const std::vector<Method> rattles = {lobatto(2), lobatto(3), lobatto(4), midpoint()};
  std::vector<Case> list;
  list.push_back(
      {"Kepler", system_of(texts::kepler()), vector({0.8, 0.3}), vector({-0.2, 1.1}), any});
  list.back().methods.insert(list.back().methods.end(),
                             {verlet(), euler_a(), euler_b(), yoshida(4), adjoint(euler_a())});
  list.push_back(
      {"coupled masses",
       system_of({{"x", "y"},
                  "x_dot^2 + x_dot*y_dot*0.4 + y_dot^2/2 - x^4/4 - y^2*x - y^4*(1 + sin(t))"}),
       vector({0.5, -0.4}),
       vector({0.3, 0.2}),
       {gauss(2), verlet(), yoshida(6)}});
  list.push_back({"forced, with time, not separable",
                  system_of({{"x", "y"},
                             "(1 + x^2)*x_dot^2/2 + y_dot^2*(1 + 0.3*cos(t))/2 - x*y^2*t",
                             {"-0.3*x_dot*y + sin(2*t)", "-0.1*y_dot^3 + x*y"}}),
                  vector({0.5, -0.4}), vector({0.3, 0.2}), any, false});
  // of implicit steps, in an order that matters
  list.back().methods.push_back(compose({{midpoint(0.3), 0.3}, {gauss(2), 0.7}}, 1));
  list.push_back({"heavy top", system_of(texts::heavy_top()), vector({0.4, -0.3, 0.2}),
                  vector({0.6, 0.9, 2.0}), any});
  list.back().methods.push_back(adjoint(midpoint(0.3)));
  list.back().methods.push_back(triple_jump(gauss(1)));
  list.push_back({"heavy top with time",
                  system_of({{{"R", "SO3"}}, top + " - 0.7*R12*sin(3*t)*t^2"}),
                  vector({0.4, -0.3, 0.2}),
                  vector({0.6, 0.9, 2.0}),
                  {adjoint(midpoint(0.3)), adjoint(trapezoid(0.2))}});
  list.push_back({"heavy top, Cayley map",
                  system_of(texts::heavy_top()),
                  vector({0.4, -0.3, 0.2}),
                  vector({0.6, 0.9, 2.0}),
                  {gauss(2), lobatto(3)},
                  true,
                  Retraction::cayley});
  list.push_back({"top and spring, forced",
                  system_of({{{"R", "SO3"}, {"x"}},
                             top + " + x_dot^2/2*(1 + R11^2) - x^2*R22 + x*R_w1",
                             {"-0.1*R_w1", "-0.2*R_w2 + 0.1*x*t", "0.3*R11", "-0.1*x_dot*R33"}}),
                  vector({0.4, -0.3, 0.2, 0.7}),
                  vector({0.6, 0.9, 2.0, 0.3}),
                  {gauss(2)},
                  false});
  list.push_back(
      {"body on SE(3)",
       system_of({{{"g", "SE3"}},
                  "(g_w1^2 + 1.4*g_w2^2 + 0.6*g_w3^2 + g_v1^2 + 2*g_v2^2 + 1.5*g_v3^2)/2 "
                  "+ 0.2*g_w1*g_v2 - g_z*g_x - 0.5*g_y^2 - g11*g_x"}),
       vector({0.4, -0.3, 0.2, 0.5, 0.1, -0.3}),
       vector({0.6, 0.9, 1.0, 0.2, -0.3, 0.5}),
       {gauss(2), lobatto(3)}});
  list.push_back({"body on SE(2)",
                  system_of({{{"g", "SE2"}},
                             "(g_v1^2 + 2*g_v2^2 + 0.7*g_w^2)/2 - g_x^2/2 - g_y*cos(g_theta)"}),
                  vector({0.4, -0.3, 0.2}),
                  vector({0.6, 0.9, 1.0}),
                  {gauss(2), lobatto(3)}});
  list.push_back({"spherical pendulum",
                  system_of({{"x", "y", "z"},
                             "(x_dot^2 + y_dot^2 + z_dot^2)/2 - z",
                             {},
                             {"(x^2 + y^2 + z^2 - 1)/2"}}),
                  vector({0.6, 0.0, -0.8}), vector({0.2, 1.1, 0.15}), rattles});
  list.push_back({"constraint twice",
                  system_of({{"x", "y", "z"},
                             "(x_dot^2 + y_dot^2 + 2*z_dot^2)/2 - z",
                             {},
                             {"x^2 + y^2 + z^2 - 1", "2*(x^2 + y^2 + z^2) - 2"}}),
                  vector({0.6, 0.0, -0.8}),
                  vector({0.2, 1.1, 0.15}),
                  {lobatto(3)}});
  list.push_back(
      {"guided top",
       system_of(
           {{{"R", "SO3"}, {"x"}}, top + " + x_dot^2/2 - 0.4*x*R12", {}, {"R33 - 0.3*x - 0.6"}}),
       vector({0.4, -0.3, 0.2, 0.5}), vector({0.6, 0.9, 2.0, 0.3}), rattles});
  list.push_back(
      {"driven pivot",
       system_of(
           {{"x", "y"}, "(x_dot^2 + y_dot^2)/2 - y", {}, {"((x - 0.3*sin(2*t))^2 + y^2 - 1)/2"}}),
       vector({0.6, -0.8}), vector({0.5, 0.3}), rattles});
  list.push_back({"driven top",
                  system_of({{{"R", "SO3"}, {"x"}},
                             top + " + x_dot^2/2 - 0.4*x*R12",
                             {},
                             {"R33 - 0.3*x - 0.6 - 0.1*sin(t)"}}),
                  vector({0.4, -0.3, 0.2, 0.5}), vector({0.6, 0.9, 2.0, 0.3}), rattles});
  list.push_back({"sphere and spring",
                  system_of({{{"n", "S2"}, {"x"}},
                             "(n1_dot^2 + n2_dot^2 + n3_dot^2 + x_dot^2)/2 - n3 - x^2*n1"}),
                  vector({0.4, -0.3, 0.0, 0.5}),
                  vector({0.6, 0.9, 0.0, 0.3}),
                  {gauss(2), lobatto(3)}});
  for (const Curved& p : {curved::plane(), curved::space(), curved::sphere()}) {
    const Method pair = compose({{lobatto(2), 0.4}, {midpoint(), 0.6}}, 2);
    list.push_back({p.name + ", held", system_of(p.held()), p.xi, p.v, {lobatto(3), pair}});
    list.push_back({p.name + ", driven", system_of(p.driven()), p.xi, p.v, {lobatto(2)}});
    list.push_back({p.name + ", driven, Cayley map",
                    system_of(p.driven()),
                    p.xi,
                    p.v,
                    {lobatto(3)},
                    true,
                    Retraction::cayley});
  }
  return list;
}

VectorState case_start(const Case& c) { return start_of(c.system, c.xi, c.v, 0.2); }

StageFlow flow_of(const Case& c, const Method& method) {
  FlowOptions options;
  options.leave_out_dependent = true;
  options.retraction = c.tau;
  return StageFlow(method, c.system, options);
}

/// The end of the step from a start displaced along z.
VectorState displaced_step(const StageFlow& flow, VectorState s, const PhaseVector& z, double h,
                           double size) {
  const Vn delta = size * z.delta;
  flow.system().space.retract(s.q.data(), delta.data(), Retraction::exponential, s.q.data());
  s.p += size * z.nu;
  s.t += size * z.t;
  return flow(s, h + size * z.h);
}

constexpr double h = 0.15;

PhaseVector unit(int n, int k) {
  PhaseVector z = PhaseVector::zero(n);
  if (k < n)
    z.delta[k] = 1.0;
  else if (k < 2 * n)
    z.nu[k - n] = 1.0;
  else
    (k == 2 * n ? z.t : z.h) = 1.0;
  return z;
}

Vn all_of(const PhaseVector& z) {
  Vn x(2 * z.nu.size() + 2);
  x << z.delta, z.nu, z.t, z.h;
  return x;
}

template <class F> void for_each(const F& f) {
  for (const Case& c : cases())
    for (const Method& method : c.methods) {
      SCOPED_TRACE(c.name + ", " + method.name());
      const StageFlow flow = flow_of(c, method);
      VectorState s = case_start(c);
      const VectorState start = s;
      auto memory = flow.memory(s);
      const StepDerivative& derivative = flow.differentiate(s, h, memory);
      f(c, flow, start, s, derivative);
    }
}

TEST(StepDerivativeSlow, EqualsDifferences) {
  for_each([](const Case& c, const StageFlow& flow, const VectorState& start,
              const VectorState& end, const StepDerivative& derivative) {
    const int n = c.system->n;
    for (int k = 0; k < 2 * n + 2; ++k) {
      PhaseVector z = unit(n, k);
      const Vn measured = derivative_at_zero(
          [&](double size) {
            return Eigen::VectorXd(
                difference(*c.system, end, displaced_step(flow, start, unit(n, k), h, size)));
          },
          0.02);
      derivative.forward(z);
      EXPECT_LT((all_of(z).head(2 * n) - measured).cwiseAbs().maxCoeff(), 1e-9)
          << "direction " << k;
      EXPECT_EQ(z.t, k >= 2 * n ? 1.0 : 0.0);
    }
  });
}

TEST(StepDerivative, TransposedIsTheTransposed) {
  for_each([](const Case& c, const StageFlow&, const VectorState&, const VectorState&,
              const StepDerivative& derivative) {
    const int size = 2 * c.system->n + 2;
    Eigen::MatrixXd forward(size, size);
    Eigen::MatrixXd transposed(size, size);
    for (int k = 0; k < size; ++k) {
      PhaseVector z = unit(c.system->n, k);
      derivative.forward(z);
      forward.col(k) = all_of(z);
      z = unit(c.system->n, k);
      derivative.transposed(z);
      transposed.col(k) = all_of(z);
    }
    EXPECT_LT((forward - transposed.transpose()).cwiseAbs().maxCoeff(),
              1e-13 * std::max(1.0, forward.cwiseAbs().maxCoeff()));
  });
}

/// ⟨ν′, δ⟩ - ⟨ν, δ′⟩ + ⟨p, [δ, δ′]⟩
double form(const KernelSystem& f, const VectorState& s, const Vn& a, const Vn& b) {
  const int n = f.n;
  double omega = b.tail(n).dot(a.head(n)) - a.tail(n).dot(b.head(n));
  Vn bracket = Vn::Zero(n);
  f.space.add_coadjoint(s.p.data(), a.data(), bracket.data());
  return omega + bracket.dot(b.head(n));
}

/// With constraints on tangent vectors of the manifold: to those the derivative of a first step leads.
TEST(StepDerivative, IsSymplecticToRoundOff) {
  for_each([](const Case& c, const StageFlow& flow, const VectorState& start, const VectorState&,
              const StepDerivative&) {
    const int n = c.system->n;
    std::vector<Vn> after;
    for (int k = 0; k < 2 * n; ++k) after.push_back(Vn::Unit(2 * n, k));
    VectorState s = start;
    auto memory = flow.memory(s);
    for (int step = 0; step < 4; ++step) {
      const std::vector<Vn> before = after;
      const VectorState from = s;
      const StepDerivative& derivative = flow.differentiate(s, h, memory);
      for (Vn& x : after) {
        PhaseVector z = PhaseVector::zero(n);
        z.delta = x.head(n);
        z.nu = x.tail(n);
        derivative.forward(z);
        x = all_of(z).head(2 * n);
      }
      double defect = 0.0;
      for (std::size_t i = 0; i < before.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
          defect = std::max(defect, std::abs(form(*c.system, s, after[i], after[j]) -
                                             form(*c.system, from, before[i], before[j])));
      if (!c.symplectic || (c.system->d > 0 && step == 0)) {
        EXPECT_GT(defect, 1e-4) << step;
      } else {
        EXPECT_LT(defect, 1e-13) << step;
      }
    }
  });
}

TEST(StepDerivative, StepIsThatWithoutIt) {
  for_each([](const Case&, const StageFlow& flow, const VectorState& start, const VectorState& end,
              const StepDerivative&) {
    const VectorState plain = flow(start, h);
    EXPECT_EQ(plain.q, end.q);
    EXPECT_EQ(plain.p, end.p);
  });
}

}  // namespace
}  // namespace varia::step_derivative_test
