// SPDX-License-Identifier: BSD-3-Clause
#include "constraint_rows.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "scatter.hpp"
#include "varia/core/index.hpp"

namespace varia::detail {

Pattern reaction_pattern(const KernelSystem& f) {
  Pattern pattern = f.constraint_pattern;
  for (const Scatter& s : columns_of(f.nonholonomic_pattern, f.n, f.n)) {
    pattern.row.push_back(f.d + s.row);
    pattern.column.push_back(s.column);
  }
  return pattern;
}

void ConstraintRows::resize(const ProductSpace& space, const Pattern& given) {
  const Groups groups(space);
  std::map<std::pair<int, int>, int> first;  // of (constraint, group) in the pattern
  for (int e = 0; e < given.size(); ++e) {
    const int row = given.row[sz(e)];
    const int degree = given.column[sz(e)];
    const Groups::Group& group = groups.list()[sz(groups.of(degree))];
    const auto [at, added] = first.try_emplace({row, group.degree}, pattern.size());
    if (added) {
      if (group.curved >= 0) runs_.push_back({group.curved, pattern.size()});
      for (int i = 0; i < group.dof; ++i) {
        pattern.row.push_back(row);
        pattern.column.push_back(group.degree + i);
      }
    }
    source_.push_back(at->second + degree - group.degree);
  }
}

void ConstraintRows::expand(const double* g, double* out) const {
  std::fill(out, out + pattern.size(), 0.0);
  for (std::size_t e = 0; e < source_.size(); ++e) out[source_[e]] = g[e];
}

}  // namespace varia::detail
