// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Small bodies made without a scenario, and how they are run.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "varia/io/solid_runner.hpp"
#include "varia/solids/generate.hpp"

namespace varia::io {

/// A block that spins, free unless something is fixed.
inline SolidModel spinning(int dimension, double courant = 0.3) {
  SolidModel m;
  m.scenario.name = m.scenario.title = "block";
  m.scenario.output.formats = {"csv"};
  m.problem.mesh =
      dimension == 2 ? solids::block({1, 1}, {3, 3}, 4) : solids::block({1, 1, 1}, {2, 2, 2}, 3);
  solids::Region all{"body", {}, {"neo_hookean", {{"lambda", 3.0}, {"mu", 1.0}}, 1.0}};
  for (long k = 0; k < m.problem.mesh.element_count(); ++k)
    all.elements.push_back(static_cast<int>(k));
  m.problem.regions = {all};
  m.problem.courant = m.run.courant = courant;
  m.problem.velocity[0].value = [](const double* X, double) { return -0.5 * (X[1] - 0.5) + 0.3; };
  m.problem.velocity[1].value = [](const double* X, double) { return 0.5 * (X[0] - 0.5); };
  m.run.until = 4.0;
  m.run.records = 64;
  m.run.frames = 5;
  return m;
}

inline SolidModel hanging(int dimension) {
  SolidModel m = spinning(dimension);
  m.problem.velocity = {};
  solids::Fix fix;
  for (long a = 0; a < m.problem.mesh.node_count(); ++a)
    if (m.problem.mesh.node(a)[1] == 0.0) fix.nodes.push_back(static_cast<int>(a));
  fix.position[0].value = [](const double* X, double) { return X[0]; };
  fix.position[1] = solids::constant(0.0);
  m.problem.fixes = {fix};
  m.problem.body_force[1] = solids::constant(-0.1);
  return m;
}

inline void shake(SolidModel& m) {
  auto& x = m.problem.fixes.at(0).position[0];
  x.value = [](const double* X, double t) { return X[0] + 0.05 * std::sin(3 * t); };
  x.rate = [](const double*, double t) { return 0.15 * std::cos(3 * t); };
}

inline Summary run_in(const SolidModel& m, const std::string& directory,
                      const std::string& restart = "", long interrupt_after = -1,
                      const SolidFinish& finish = {}) {
  RunOptions options;
  options.directory = directory;
  options.restart = restart;
  long asked = 0;
  if (interrupt_after >= 0) options.checkpoint_seconds = 0.0;
  if (interrupt_after >= 0) options.interrupted = [&] { return asked++ >= interrupt_after; };
  return run_solid(m, options, finish);
}

inline std::string status_of(const Summary& s, const std::string& verdict) {
  for (const Verdict& v : s.verdicts)
    if (v.name == verdict) return v.status;
  return "none";
}

inline double observed(const Summary& s, const std::string& name) {
  for (const auto& [which, o] : s.observe)
    if (which == name) return o.final;
  ADD_FAILURE() << name << " was not observed";
  return 0.0;
}

}  // namespace varia::io
