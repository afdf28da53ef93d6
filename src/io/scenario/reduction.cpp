// SPDX-License-Identifier: BSD-3-Clause
// reconstruct = false: groups without their points (space/reduced.hpp).
#include "document.hpp"
#include "reading.hpp"
#include "varia/space/list.hpp"
#include "words.hpp"

namespace varia::io {

namespace {

/// SO3, SE2, SE3
std::string reduced_keys() {
  std::vector<std::string> keys;
  for (const FactorPtr& factor : space_list())
    if (find_reduced_space(factor->notation().key)) keys.push_back(factor->notation().key);
  return listed(keys);
}

}  // namespace

void leave_out_points(const Value& run, System& system) {
  const Value& reconstruct = *run.find("reconstruct");
  if (reconstruct.truth) return;
  const auto refuse = [&](const std::string& message) {
    throw ScenarioError(reconstruct.place(), "run.reconstruct", message);
  };
  if (!system.bodies.empty())
    refuse(
        "false leaves out where the bodies are, but [[system.body]] is about their places: "
        "joints, gravity, points, the picture. Write true, or state the body as a coordinate, { "
        "name = \"" +
        system.coordinates[system.bodies.front().coordinate].name + "\", space = \"" +
        system.coordinates[system.bodies.front().coordinate].space + "\" }, with its Lagrangian.");
  bool any = false;
  for (Coordinate& coordinate : system.coordinates) {
    coordinate.reduced = find_reduced_space(coordinate.space) != nullptr;
    any = any || coordinate.reduced;
  }
  if (!any)
    refuse(
        "false leaves out the points of groups, " + reduced_keys() +
        ", and no coordinate is on one: there is nothing to reduce. Write true, or leave it out.");
}

}  // namespace varia::io
