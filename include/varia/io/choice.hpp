// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Method and step of a scenario that leaves them open.
//
// The method follows from the structure of the system. The step follows from measurements before the
// run: the fastest frequency ω of small motions at the start and along a trial, and the difference of
// two trials with steps h and h/2. Work is bounded by a count of operations, never by a clock, so that
// the same scenario has the same choice on every machine.
#include <string>
#include <vector>

namespace varia::io {

struct Model;
struct Scenario;

struct RunChoice {
  bool made() const { return !method.empty() || step != 0.0; }
  /// "gauss(2), because ...", "step 0.05, because ..."
  std::vector<std::string> lines() const;

  std::string method;  ///< empty: the scenario names one
  std::string method_why;
  double step = 0.0;  ///< 0: the scenario states it
  std::string step_why;
  double frequency = 0.0;  ///< the fastest that was seen; 0: none
  double tolerance = 0.0;  ///< that was asked for; 0: none
  /// Over a trial of this length the positions are off by so much, relative to the largest distance
  /// that one of them moves.
  double stretch = 0.0, error = 0.0;
};

/// The step of a model whose scenario leaves it open. Throws ScenarioError where none can be found, or
/// none that meets the tolerance.
void choose_step(Model& model);

/// The model of a run that goes on from a checkpoint: what the scenario leaves open is as it was there.
Model continued_model(const Scenario& scenario, const std::string& checkpoint);

}  // namespace varia::io
