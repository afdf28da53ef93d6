// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A scenario of a solid for tests, and how one that is changed is refused.
#include <string>
#include <vector>

#include "refusal.hpp"
#include "varia/io/solid_model.hpp"

namespace varia::io {

inline const std::string plate = R"~([solid]
mesh     = { generate = "block", size = [1, 1], elements = [10, 10], grading = 10, order = 2 }
material = { model = "neo_hookean", lambda = 93e9, mu = 10e9, density = 7800 }
plane    = "strain"
parameters = { p = 1e6, w = ["10*p/p", 100] }
[[solid.fix]]
where = "X < 1e-9"
position = { x = "X*1.2" }
[[solid.load]]
where = "X > 1 - 1e-9"
traction = { y = "-p*sin(w[2]*t)" }
[solid.body_force]
y = -9.81
[solid.start]
position = { x = "1.2*X", y = "Y" }
velocity = { x = "0", y = "0" }
[run]
method = "avi"
courant = 0.1
until = 1e-3
frames = 100
)~";

inline std::string changed(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

inline Scenario read_plate(const std::string& text, const std::vector<std::string>& set = {}) {
  return parse_scenario(text, "f.toml", set);
}

inline SolidModel model_of(const std::string& text, const std::vector<std::string>& set = {}) {
  return build_solid_model(read_plate(text, set));
}

/// The plate with one part changed.
inline SolidModel model_with(const std::string& from, const std::string& to) {
  return model_of(changed(plate, from, to));
}

inline std::string refused_plate(const std::string& from, const std::string& to) {
  return refusal<ScenarioError>([&] { model_with(from, to); });
}

}  // namespace varia::io
