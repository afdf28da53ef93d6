// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The counts of a flow as the first numbers of a saved memory, and back.
#include <vector>

#include "varia/core/error.hpp"
#include "varia/flow/flow_options.hpp"

namespace varia::detail {

inline constexpr std::size_t saved_statistics_size = 3;

inline std::vector<double> saved(const FlowStatistics& s) {
  return {static_cast<double>(s.steps), static_cast<double>(s.iterations),
          static_cast<double>(s.max_iterations)};
}

[[noreturn]] inline void refuse_memory() {
  throw InvalidArgument("the memory in the checkpoint belongs to another method or system");
}

inline FlowStatistics loaded_statistics(const std::vector<double>& data) {
  if (data.size() < saved_statistics_size) refuse_memory();
  return {static_cast<long>(data[0]), static_cast<long>(data[1]), static_cast<int>(data[2]), 0,
          0.0};
}

}  // namespace varia::detail
