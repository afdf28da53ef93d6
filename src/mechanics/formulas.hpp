// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What every system makes of its expressions: kernels, and derivatives with their zeros left out.
#include <memory>
#include <vector>

#include "varia/expr/derivative.hpp"
#include "varia/expr/kernel.hpp"
#include "varia/mechanics/flat_system.hpp"

namespace varia::detail {

/// first, first + 1, …: so many numbers of variables.
inline std::vector<int> range(int first, int count) {
  std::vector<int> result;
  result.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) result.push_back(first + i);
  return result;
}

inline expr::Kernel kernel(const expr::Graph& graph, const std::vector<expr::Id>& outputs,
                           int inputs) {
  return expr::Kernel(std::make_shared<const expr::Tape>(graph, outputs, inputs));
}

/// Places of the entries that are not zero; their values are appended.
inline Pattern pattern(const expr::Graph& graph, const std::vector<expr::Entry>& entries,
                       std::vector<expr::Id>& values) {
  Pattern result;
  for (const auto& entry : entries) {
    if (graph.is_constant(entry.value, 0.0)) continue;
    result.row.push_back(entry.row);
    result.column.push_back(entry.column);
    values.push_back(entry.value);
  }
  return result;
}

}  // namespace varia::detail
