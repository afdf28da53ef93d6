// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Inputs along the steps of a motion, and the motion of an optimum as a run shows it.
//
// In a step the inputs are the polynomials through their values at the points of the quadrature: an integrator
// with these points meets the values, any other one sees a smooth function.
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "varia/control/control_problem.hpp"
#include "varia/io/records.hpp"
#include "varia/io/summary.hpp"

namespace varia::io {

struct ControlInputs {
  std::vector<std::string> names;
  std::vector<double> c;               ///< points of a step in [0, 1]
  std::vector<double> t;               ///< where steps begin, and where the last one ends
  std::vector<std::vector<double>> u;  ///< by step, point by point
  ByName<double> parameters = {};      ///< that were found with them

  std::size_t steps() const { return u.size(); }
  double begin() const { return t.front(); }
  double end() const { return t.back(); }
  /// The step that contains the time; the first or the last one for times outside.
  std::size_t step_at(double time) const;
  /// At the part x of a step.
  std::vector<double> at(std::size_t step, double x) const;
  /// At a time; between two steps those of the second.
  std::vector<double> at(double time) const;
};

/// Weights of values at the points c in the polynomial through them, at x.
std::vector<double> interpolation_weights(const std::vector<double>& c, double x);

/// What was found, and how.
struct PlayedMotion {
  bool optimised() const { return optimum.has_value(); }

  ControlMotion motion;
  std::vector<std::string> states;  ///< names of auxiliary states
  std::optional<Summary::Optimum> optimum;
  std::string message;  ///< why it is none
};

/// The inputs of a motion.
ControlInputs inputs_of(const ControlMotion& motion, std::vector<std::string> names);

/// Inputs as a table, a record for each point of each step: t, where the step begins, how long it is and which part
/// of it has passed, parameters that were found, and the inputs.
class ControlTable {
 public:
  explicit ControlTable(const ControlInputs& inputs);
  const ColumnList& columns() const { return columns_; }
  long records() const;
  bool next(double* record);
  void rewind() { at_ = 0; }

 private:
  const ControlInputs& inputs_;
  ColumnList columns_;
  long at_ = 0;
};

/// The group of a trajectory.h5 that has it.
inline constexpr const char* control_group = "controls";

/// The inputs of a trajectory.h5. Throws IoError for a file that is none, InvalidArgument for one without inputs.
ControlInputs read_inputs(const std::string& path);

/// The nodes of a trajectory.h5: what is recorded of these kinds, by name.
struct RecordedMotion {
  std::vector<std::string> names;
  std::vector<std::vector<double>> records;  ///< a number for each name

  /// The numbers of these names, in their order; throws InvalidArgument that names what is missing.
  std::vector<std::vector<double>> of(const expr::NameList& wanted) const;
};
RecordedMotion read_motion(const std::string& path);

}  // namespace varia::io
