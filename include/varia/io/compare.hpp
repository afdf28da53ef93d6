// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Several methods and steps on one scenario: work, precision, energy.
#include <functional>
#include <string>
#include <vector>

#include "varia/io/model.hpp"

namespace varia::io {

/// One run of a comparison.
struct ComparisonRow {
  std::string method;
  bool variational = true;
  double step = 0.0;
  long steps = 0;
  double seconds = 0.0;
  double error = 0.0;         ///< of the end state against the reference, relative; NaN if failed
  double energy_error = 0.0;  ///< largest, relative
  double energy_drift = 0.0;  ///< per unit of time
  std::string message;        ///< why it failed
  std::vector<double> t, energy;  ///< relative energy error along the run
};

struct Comparison {
  std::string reference;  ///< what the errors are measured against
  std::vector<ComparisonRow> rows;
};

/// The methods by name; the steps are numbers. Throws InvalidArgument for a method that does not
/// fit the system. `watch` is told of each run before it starts and may end the comparison by
/// returning false.
Comparison compare(const Model& model, const std::vector<std::string>& methods,
                   const std::vector<double>& steps,
                   const std::function<bool(const std::string&)>& watch);

/// "verlet, gauss(2), galerkin(2, lobatto:3)" at the commas outside parentheses.
std::vector<std::string> split_list(const std::string& list);

}  // namespace varia::io
