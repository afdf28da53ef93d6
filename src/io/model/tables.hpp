// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Data of formulas: columns of csv files as splines.
#include <map>
#include <string>
#include <vector>

#include "varia/expr/parse.hpp"
#include "varia/io/scenario.hpp"

namespace varia::io {

/// A csv file of numbers: a line of names, if there is one, then at least four lines of numbers.
struct NumberTable {
  std::vector<std::string> names;            ///< empty without a line of names
  std::vector<std::vector<double>> columns;  ///< the first one increases
};

/// Throws InvalidArgument for what is wrong in the text, with the line; `file` is its name in messages.
NumberTable parse_number_table(const std::string& text, const std::string& file);

/// What table(...) means in the expressions of a scenario. Paths begin at its folder. Every file is read
/// once; its digest becomes a setting of the scenario, so that a restart sees another file.
expr::TableReader table_reader(Scenario& scenario);

}  // namespace varia::io
