// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Orders on groups: systems as text, every method of the list that runs on them, both retractions.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "problems/states.hpp"
#include "problems/texts.hpp"
#include "varia/flow/make_flow.hpp"
#include "varia/verify/check_order.hpp"

namespace varia::group_orders {

using problems::Texts, problems::vector, problems::system_of, problems::start_of;
namespace texts = problems::texts;

struct OnGroup {
  std::string name;
  Texts texts;
  Vn xi, v;         ///< the start: displacement from the origin, velocity
  double duration;  ///< over which the leading term of the error is not small by chance
  /// Left translations and v to -v change nothing: then a method with one unknown velocity has a discrete Lagrangian
  /// that depends on |xi| only as xi to -xi leaves it, is symmetric, and has an even order, whatever its point.
  bool even = false;
};

inline OnGroup free_body() {
  return {"free body",
          {{{"R", "SO3"}}, "(R_w1^2 + 1.4*R_w2^2 + 1.9*R_w3^2)/2"},
          vector({0.3, -0.8, 0.5}),
          vector({0.9, -0.6, 0.7}),
          3.0,
          true};
}
inline OnGroup heavy_top() {
  return {"heavy top", texts::heavy_top(), vector({0.3, -0.8, 0.5}), vector({0.56, 0.63, 2.0}),
          3.0};
}
inline OnGroup kirchhoff_body() {
  return {
      "Kirchhoff's body",
      {{{"g", "SE3"}}, "(g_w1^2 + 1.4*g_w2^2 + 1.9*g_w3^2 + 2*g_v1^2 + 2.6*g_v2^2 + 3.1*g_v3^2)/2"},
      vector({0.3, -0.8, 0.5, 0.2, 0.4, -0.1}),
      vector({0.5, -0.3, 0.8, 0.7, 0.2, -0.4}),
      6.0,
      true};
}
/// It is heavy, and its centre of mass is not that of its buoyancy.
inline OnGroup heavy_kirchhoff_body() {
  OnGroup body = kirchhoff_body();
  body.name = "Kirchhoff's body with gravity";
  body.texts.lagrangian += " - 0.7*g_z - 0.4*g33";
  body.duration = 3.0;
  body.even = false;
  return body;
}
/// The motors act on the rotors alone, by internal torques.
inline OnGroup satellite() {
  return {"satellite",
          {{{"R", "SO3"}, "al[1..3]"},
           "(3*R_w1^2 + 2.5*R_w2^2 + 1.8*R_w3^2)/2 + 0.1*(R_w1 + al_dot[1])^2 "
           "+ 0.125*(R_w2 + al_dot[2])^2 + 0.15*(R_w3 + al_dot[3])^2",
           {"0", "0", "0", "0.1*sin(t)", "-0.05", "0.02*t"}},
          vector({0.0, 0.0, 0.0, 0.0, 0.0, 0.0}),
          vector({0.3, -0.2, 0.5, 1.0, 0.0, -2.0}),
          6.0};
}
/// In a field, driven and damped.
inline OnGroup plane_body() {
  return {"body in the plane",
          {{{"g", "SE2"}},
           "(g_v1^2 + 1.5*g_v2^2 + 0.7*g_w^2)/2 - (g_x^2 + g_y^2)/2 - 0.3*g_x*sin(g_theta)",
           {"0.2*cos(g_theta) - 0.1*g_v1", "-0.2*g_v2", "0.3*sin(t)"}},
          vector({0.4, -0.3, 0.9}),
          vector({0.7, 0.15, -0.7}),
          5.0};
}
/// A top and a body in the plane that are coupled, by their velocities too.
inline OnGroup two_bodies() {
  return {"two bodies",
          {{{"R", "SO3"}, {"g", "SE2"}},
           "(R_w1^2 + 1.4*R_w2^2 + 1.9*R_w3^2)/2 + (g_v1^2 + 1.5*g_v2^2 + 0.7*g_w^2)/2 "
           "+ 0.2*R_w1*g_v2 - 0.5*R33 - (g_x^2 + g_y^2)/2 - 0.3*g_x*R13"},
          vector({0.3, -0.8, 0.5, 0.4, -0.3, 0.9}),
          vector({0.56, 0.63, 1.0, 0.7, 0.15, -0.7}),
          3.0};
}
inline OnGroup spherical_pendulum() {
  return {"spherical pendulum",
          {{{"n", "S2"}}, "(n1_dot^2 + n2_dot^2 + n3_dot^2)/2 - 9.81*n3"},
          vector({0.0, 2.0, 0.0}),
          vector({0.7, 0.4, 0.0}),
          2.0};
}
/// The equation of Landau, Lifschitz and Gilbert in simple form, E4.2 of [Sato19]: M' = M x w + M x (M x w).
inline OnGroup damped_body() {
  const std::string m[] = {"(0.5*R_w1)", "(2*R_w2)", "R_w3"};
  const std::string w[] = {"R_w1", "R_w2", "R_w3"};
  const auto cross = [](const std::string* a, const std::string* b, int i) {
    const int j = (i + 1) % 3;
    const int k = (i + 2) % 3;
    return "(" + a[j] + "*" + b[k] + " - " + a[k] + "*" + b[j] + ")";
  };
  const std::string turn[] = {cross(m, w, 0), cross(m, w, 1), cross(m, w, 2)};
  return {"damped body",
          {{{"R", "SO3"}},
           "(0.5*R_w1^2 + 2*R_w2^2 + R_w3^2)/2",
           {cross(m, turn, 0), cross(m, turn, 1), cross(m, turn, 2)}},
          vector({0.0, 0.0, 0.0}),
          vector({0.45, 0.4, 0.63}),
          3.0};
}

inline std::vector<OnGroup> systems_on_groups() {
  return {free_body(), heavy_top(),  kirchhoff_body(),     heavy_kirchhoff_body(),
          satellite(), plane_body(), spherical_pendulum(), damped_body(),
          two_bodies()};
}

/// What a retraction leaves of the list: methods for groups, and compositions that need symmetric parts only where
/// there are some.
inline bool runs(const Method& method, Retraction tau) {
  return (!method.baseline() || method.baseline()->on_groups()) && !method.has_own_flow() &&
         !method.needs_separable() &&
         (tau == Retraction::exponential || !method.rests_on_symmetry());
}

/// A problem with one retraction: its state at the end, and flows of it.
class Measured {
 public:
  Measured(const OnGroup& problem, Retraction tau)
      : problem_(problem), system_(system_of(problem.texts, tau)) {
    options_.retraction = tau;
    start_ = start_of(system_, problem.xi, problem.v);
    exact_ = reference_state(flow(gauss(2)), start_, problem.duration);
  }

  AnyFlow flow(const Method& method) const {
    return make_flow(method, Statement{system_}, options_);
  }
  int expected(const Method& method) const {
    return problem_.even && method.order() == 1 ? 2 : method.order();
  }
  /// From 1e-2 of the state down to fifty times round-off, or until the order can be seen: at least three halvings.
  OrderReport order(const Method& method) const {
    constexpr double coarsest = 1e-2;
    constexpr double finest = 1e-13;
    const AnyFlow f = flow(method);
    OrderReport report;
    report.declared = expected(method);
    for (long n = 2; n <= 1 << 15 && report.errors.size() < 10; n *= 2) {
      const auto steps = static_cast<double>(n);
      try {
        const double error =
            detail::distance(advance(f, start_, problem_.duration / steps, n), exact_);
        if (error > coarsest) continue;
        if (error < finest * std::max(1.0, std::sqrt(steps) / 8.0)) break;
        report.steps.push_back(n);
        report.errors.push_back(error);
      } catch (const NoConvergence&) {
        continue;  // too few steps to be solvable at all
      }
    }
    const std::size_t k = report.errors.size();
    if (k >= 4) report.measured = std::log2(report.errors[k - 2] / report.errors[k - 1]);
    return report;
  }
  void expect_order(const Method& method) const {
    const OrderReport report = order(method);
    EXPECT_NEAR(report.measured, report.declared, 0.1)
        << problem_.name << ", " << method.name() << ", "
        << (options_.retraction == Retraction::cayley ? "cay" : "exp") << ", "
        << report.errors.size() << " errors, the last " << report.errors.back() << " with "
        << report.steps.back() << " steps";
  }

 private:
  OnGroup problem_;
  std::shared_ptr<KernelSystem> system_;
  FlowOptions options_;
  VectorState start_, exact_;
};

}  // namespace varia::group_orders
