// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Problems of optimal control whose optimum is known: in closed form, from a source, or by indirect shooting.
#include <cmath>
#include <functional>
#include <numbers>
#include <string>
#include <vector>

#include "problems/control.hpp"
#include "varia/control/conditions.hpp"

namespace varia::problems::optima {

/// With a guess between points, and the least cost of the continuous problem. Where no conditions are stated, the ends
/// are these points, and the velocities those of the start, and none; or the end is free.
struct Known {
  ControlTexts texts;
  Vn from, to;
  double cost;
  bool free_end = false;
  /// A guess of the auxiliary states and of the inputs, where none is not good enough.
  std::function<void(double t, double* a)> states = {};
  std::function<void(double t, double* u)> inputs = {};
};

inline ControlProblem problem_of(const Known& k, const Method& method,
                                 Retraction tau = default_retraction) {
  ControlStatement s = statement_of(k.texts);
  const ProductSpace& space = s.formulas.system.space;
  const std::vector<std::string> names(static_cast<std::size_t>(space.dof()), "end");
  const auto fix = [&](std::vector<ControlRow>& rows, const Vn& q, const Vn& v) {
    if (!rows.empty()) return;
    rows = fixed_point(*s.graph, space, q.data(), names);
    for (const ControlRow& row : fixed_velocity(*s.graph, space, v.data(), names))
      rows.push_back(row);
  };
  fix(s.formulas.start, k.from, k.texts.system.v);
  if (!k.free_end) fix(s.formulas.end, k.to, Vn::Zero(space.dof()));
  return ControlProblem(*s.graph, s.formulas, method, k.texts.time, tau);
}

inline ControlGuess line_of(const Known& k) {
  expr::Graph graph;
  expr::Scope scope;
  ControlGuess guess =
      straight_line(declare(graph, scope, k.texts.system.coordinates), k.from, k.to, k.texts.time);
  guess.a = k.states;
  guess.u = k.inputs;
  return guess;
}

inline Known known(std::string name, Texts system, std::vector<ControlRange> inputs,
                   std::string cost, std::vector<std::string> start, std::vector<std::string> end,
                   Vn to, double duration, double optimum) {
  Known k;
  k.texts.name = std::move(name);
  k.from = system.q;
  k.to = std::move(to);
  k.texts.system = std::move(system);
  k.texts.inputs = std::move(inputs);
  k.texts.cost = std::move(cost);
  k.texts.start = std::move(start);
  k.texts.end = std::move(end);
  k.texts.time = {0.0, duration, 25, {}};
  k.cost = optimum;
  return k;
}

/// [Sato19], section 5.7; the optimum by indirect shooting.
inline Known sato() {
  Texts s = {{"x", "y", "z"},   "(x_dot^2 + y_dot^2 + z_dot^2)/2",
             {"u", "w", "y*u"}, {},
             vector({1, 1, 0}), vector({1, -0.5, 1})};
  s.nonholonomic = {"z_dot - y*x_dot"};
  return known("nonholonomic particle", s, {{"u"}, {"w"}}, "(u^2 + w^2)/2",
               {"x - 1", "y - 1", "z", "x_dot - 1", "y_dot + 1/2", "z_dot - 1"},
               {"x - 4", "y - 3", "z - 1", "x_dot + 1/3", "y_dot", "z_dot + 1"}, vector({4, 3, 1}),
               5.0, 1.511193171978);
}

/// Kelly, SIAM Rev. 59 (2017), example 6.
inline Known cart_pole() {
  return known("cart-pole",
               {{"x", "a"},
                "1.3*x_dot^2/2 + 0.15*x_dot*a_dot*cos(a) + 0.075*a_dot^2/2 + 0.3*9.81*0.5*cos(a)",
                {"u", "0"},
                {},
                vector({0, 0}),
                vector({0, 0})},
               {{"u"}}, "u^2", {"x", "a", "x_dot", "a_dot"}, {"x - 1", "a - pi", "x_dot", "a_dot"},
               vector({1, std::numbers::pi}), 2.0, 58.8076674582);
}

/// Along the arc, with the direction as input; closed form.
inline Known brachistochrone() {
  Known k = known("brachistochrone",
                  {{"s"}, "s_dot^2/2", {"9.80665*cos(b)"}, {}, vector({0}), vector({0})},
                  {{"b", 0.0, std::numbers::pi}}, "0", {"s", "s_dot", "x", "y"},
                  {"x - 10", "y + 5"}, vector({11.2}), 2.0, 1.801603122453);
  k.texts.states = {{"x", "s_dot*sin(b)"}, {"y", "-s_dot*cos(b)"}};
  k.texts.final_cost = "t";
  k.texts.time.free_end = ControlRange{"T", 0.1, 10.0};
  k.states = [](double t, double* a) {
    a[0] = 5.0 * t;
    a[1] = -2.5 * t;
  };
  k.inputs = [](double, double* u) { u[0] = 1.0; };
  return k;
}

/// Bryson and Ho, section 3.11, with x at most 1/9: 4/(9 l).
inline Known bryson_denham() {
  Known k = known("Bryson-Denham", {{"x"}, "x_dot^2/2", {"u"}, {}, vector({0}), vector({1})},
                  {{"u"}}, "u^2/2", {"x", "x_dot - 1"}, {"x", "x_dot + 1"}, vector({0}), 1.0, 4.0);
  k.texts.path = {{"x", -unbounded, 1.0 / 9.0}};
  return k;
}

/// The largest circular orbit that a small thrust reaches, Bryson and Ho, section 2.5.
inline Known orbit_raising() {
  const std::string thrust = "0.1405/(1 - 0.0749*t)";
  Known k = known("orbit raising",
                  {{"r", "phi"},
                   "(r_dot^2 + r^2*phi_dot^2)/2 + 1/r",
                   {thrust + "*sin(b)", thrust + "*r*cos(b)"},
                   {},
                   vector({1, 0}),
                   vector({0, 1})},
                  {{"b"}}, "0", {"r - 1", "phi", "r_dot", "phi_dot - 1"},
                  {"r_dot", "r*phi_dot - 1/sqrt(r)"}, vector({1.5, 2.5}), 3.32, -1.525277700649);
  k.texts.final_cost = "-r";
  k.inputs = [](double, double* u) { u[0] = 1.0; };
  return k;
}

/// COPS 3: Dolan, Moré, Munson, 2004.
inline Known goddard() {
  Known k = known("Goddard rocket",
                  {{"h"},
                   "h_dot^2/2 + 1/h",
                   {"(u - 310*h_dot^2*exp(-500*(h - 1)))/m"},
                   {},
                   vector({1}),
                   vector({0})},
                  {{"u", 0.0, 3.5}}, "0", {"h - 1", "h_dot", "m - 1"}, {"m - 0.6"}, vector({1.01}),
                  0.2, -1.01283);
  k.texts.states = {{"m", "-2*u"}};
  k.texts.final_cost = "-h";
  k.texts.time.free_end = ControlRange{"T", 0.01, 1.0};
  k.states = [](double t, double* a) { a[0] = 1.0 - 2.0 * t; };
  k.inputs = [](double, double* u) { u[0] = 1.0; };
  return k;
}

inline Vn rotation_vector(double x, double y, double z) {
  const ProductSpace space({find_space("SO3")});
  const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, xi[3] = {x, y, z};
  Vn q(9);
  space.retract(identity, xi, Retraction::exponential, q.data());
  return q;
}

/// Rest to rest on SO(3), with I = diag(a, b, c): the end is held by entries that determine it near itself.
inline Known turn(std::string name, const std::string& a, const std::string& b,
                  const std::string& c, const Vn& axis, double duration, double optimum) {
  const Vn end = rotation_vector(axis[0], axis[1], axis[2]);
  Known k = known(std::move(name),
                  {{{"R", "SO3"}},
                   "(" + a + "*R_w1^2 + " + b + "*R_w2^2 + " + c + "*R_w3^2)/2",
                   {"u", "v", "w"},
                   {},
                   rotation_vector(0, 0, 0),
                   vector({0, 0, 0})},
                  {{"u"}, {"v"}, {"w"}}, "(u^2 + v^2 + w^2)/2", {}, {}, end, duration, optimum);
  return k;
}

inline Known turn_of_a_ball() {
  return turn("ball turned", "1", "1", "1", vector({0.6, 0.0, 0.8}) * 2.0, 2.0, 6.0 * 4.0 / 8.0);
}
/// Indirect shooting.
inline Known turn_of_a_body() {
  const double part = 2.0 / std::sqrt(3.0);
  return turn("body turned", "1", "2", "3", vector({part, part, part}), 5.0, 0.728528295061);
}
/// Betts, Practical methods for optimal control, 2nd ed., example 6.12: 150 degrees in the least time.
inline Known reorientation() {
  Known k = turn("reorientation", "5621", "4547", "2364",
                 vector({150.0 * std::numbers::pi / 180.0, 0, 0}), 30.0, 28.6304077);
  for (ControlRange& input : k.texts.inputs) input = {input.name, -50.0, 50.0};
  k.texts.cost = "0";
  k.texts.final_cost = "t";
  k.texts.time.free_end = ControlRange{"T", 10.0, 60.0};
  return k;
}

/// A unicycle moves to its side, rest to rest; indirect shooting.
inline Known parking() {
  Texts s = {{{"g", "SE2"}},    "(g_v1^2 + g_v2^2 + 0.5*g_w^2)/2",
             {"u", "0", "w"},   {},
             vector({0, 0, 0}), vector({0, 0, 0})};
  s.nonholonomic = {"g_v2"};
  return known("parking", s, {{"u"}, {"w"}}, "(u^2 + w^2)/2", {}, {}, vector({0, 1, 0}), 5.0,
               0.8345462514);
}

}  // namespace varia::problems::optima
