// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// [[plot]]: a plot of the report, as a person asked for it.
#include <optional>
#include <string>
#include <vector>

#include "varia/io/scenario_text.hpp"

namespace varia::io {

struct PlotText {
  std::string title;  ///< empty: by what is drawn
  Text x;             ///< "t" unless given
  std::vector<Text> y;
  std::optional<Text> histogram;  ///< instead of x and y
  long bins = 0;                  ///< 0: by the number of records
};

}  // namespace varia::io
