// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Cost and accuracy of a solid's scenario on finer and finer meshes, asynchronous against Newmark:
// errors of the final deformation against a reference on a much finer mesh [West04, section 6.1.6].
#include <functional>
#include <string>
#include <vector>

#include "varia/io/solid_model.hpp"

namespace varia::io {

/// Which meshes; the levels are values of one key of the scenario, each level halving the elements.
struct RefinementPlan {
  std::string key = "solid.mesh.level";
  std::vector<int> levels;
  int reference = 0;               ///< the level of the reference, finer than all others
  double reference_courant = 0.3;  ///< its steps
};

struct RefinementRow {
  std::string method;
  int level = 0;
  long elements = 0, updates = 0;
  double displacement = 0.0, gradient = 0.0;  ///< errors, (field-error)
};

struct Refinement {
  std::vector<RefinementRow> rows;
  std::vector<RefinementRow> of(const std::string& method) const;
  /// Exponent of the step in an error, by least squares over the levels.
  double slope(const std::string& method, double RefinementRow::*error) const;
  /// The most, over the levels, of the updates that avi needs for newmark's displacement error,
  /// relative to newmark's own.
  double cost_ratio() const;
};

/// The root mean square, over the body, of the distance of the places at the end of two runs.
double shape_difference(const SolidModel& one, const SolidModel& other);

/// A model of the scenario with overrides, as for read_scenario.
using ReadModel = std::function<SolidModel(const std::vector<std::string>& overrides)>;

/// Runs avi and newmark on every level and newmark on the reference; asks `interrupted` between runs.
Refinement study_refinement(const RefinementPlan& plan, const ReadModel& read,
                            const std::function<bool()>& interrupted = {});

}  // namespace varia::io
