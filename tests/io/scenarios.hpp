// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Scenarios for the tests of reading, and how one that is changed is refused.
#include <string>
#include <vector>

#include "refusal.hpp"
#include "varia/io/scenario.hpp"

namespace varia::io {

inline const std::string kepler = R"~(title = "Kepler ellipse"
[system]
coordinates  = ["x", "y"]                       # velocities are x_dot, y_dot; momenta x_p, y_p; time is t
parameters   = { mu = 1.0, e = 0.6 }            # numbers, or text using earlier parameters
lagrangian   = "(x_dot^2 + y_dot^2)/2 + mu/sqrt(x^2 + y^2)"
force        = { x = "-0.01*x_dot" }            # optional: generalised force components
holonomic    = ["x^2 + y^2 - 1"]                # optional: phi(q) = 0, each entry
nonholonomic = ["y_dot - tan(x)*x_dot"]         # optional: Phi(q, v) = 0, each entry
[system.symmetry]
rotation = { x = "-y", y = "x" }
[system.observe]                                # optional: functions of t, q, v, p recorded with the trajectory
radius = "sqrt(x^2 + y^2)"
[start]
x = "1 - e"
y = 0
x_dot = 0
y_dot = "sqrt((1 + e)/(1 - e))"                 # or x_p, y_p instead of velocities; t = 0 unless given
[run]
method = "gauss(3)"
step   = 0.05
until  = 1000
every  = 10                                     # record every 10th step
[output]
formats = ["h5"]                                # h5, csv, vtu (solids), json
report  = true
)~";

inline const std::string block = R"~([solid]
mesh     = { generate = "block", size = [1, 1], elements = [10, 10], grading = 10, order = 2 }
[run]
method = "avi"
courant = 0.1
until = 1e-3
)~";

/// A scenario of these coordinates; the lines of [system] and [start] are given, [run] follows.
inline std::string scenario(const std::string& coordinates, const std::string& system,
                            const std::string& start) {
  return "[system]\ncoordinates = " + coordinates + "\nlagrangian = \"0\"\n" + system +
         "\n[start]\n" + start + "\n[run]\nmethod = \"verlet\"\nstep = 0.1\nuntil = 1\n";
}

inline const std::string at_rest = "x = 0\nx_dot = 0";
inline const std::string rotation_at_rest = "R_w1 = 0\nR_w2 = 0\nR_w3 = 0";

inline Scenario read(const std::string& text) { return parse_scenario(text, "f.toml"); }

inline std::string refused(const std::string& text) {
  return refusal<ScenarioError>([&] { read(text); });
}

inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

/// The refusal of the Kepler scenario with one part changed.
inline std::string refused_with(const std::string& from, const std::string& to) {
  return refused(replaced(kepler, from, to));
}

inline std::vector<std::string> names(const std::vector<Component>& components) {
  std::vector<std::string> list;
  for_entries(components, [&](const Component& c) { list.push_back(c.component); });
  return list;
}

using Names = std::vector<std::string>;

}  // namespace varia::io
