// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The plots that a scenario asks for, as functions of what is recorded.
#include <string>
#include <vector>

#include "varia/expr/kernel.hpp"

namespace varia::io {

/// What is not recorded but follows from it: the energy less that of the first record.
inline constexpr const char* energy_error_name = "energy_error";

/// One plot; x and y are numbers of outputs of the kernel.
struct Plot {
  std::string title;
  int x = 0;           ///< also of a histogram
  std::string x_text;  ///< as it is written
  std::vector<int> y;  ///< none: a histogram of x
  std::vector<std::string> y_texts;
  bool against_time = false;
  long bins = 0;  ///< 0: by the number of records
};

struct Plots {
  std::vector<Plot> list;
  std::vector<std::string> columns;  ///< recorded ones, behind (t, entries, v, p) in the input
  expr::Kernel outputs;
  int count = 0;  ///< of the outputs
};

}  // namespace varia::io
