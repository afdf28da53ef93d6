// SPDX-License-Identifier: BSD-3-Clause
// Which constraints keep the distance of two points, or of a point from the origin.
#include <cmath>
#include <map>
#include <set>
#include <unordered_map>

#include "scene.hpp"

namespace varia::io {

namespace {

constexpr const char* axis_letters = "xyz";

using Slopes = std::map<int, double>;  // by coordinate

/// The coordinates x, y and perhaps z of the points that are numbers, and vectors.
std::vector<std::vector<int>> points_of(const Model& model) {
  const expr::NameList& names = model.entry_names;
  std::unordered_map<std::string, int> at;
  for (std::size_t k = 0; k < names.size(); ++k) at.emplace(names[k], static_cast<int>(k));
  std::vector<std::vector<int>> points;
  for (const std::string& name : names) {
    if (name[0] != axis_letters[0]) continue;
    std::vector<int> point;
    for (std::string other = name; point.size() < 3; point.push_back(at[other])) {
      other[0] = axis_letters[point.size()];
      if (at.count(other) == 0) break;
    }
    if (point.size() > 1) points.push_back(point);
  }
  int entry = 0;
  for (const Coordinate& c : model.scenario.system.coordinates) {
    const int size = c.vector ? c.indices().back().count : 0;
    const bool drawn = c.vector && drawn_dimension(c) > 0;
    for (long k = 0; drawn && k < drawn_count(c); ++k) {
      std::vector<int>& point = points.emplace_back();
      for (int i = 0; i < size; ++i) point.push_back(entry + static_cast<int>(k) * size + i);
    }
    entry += static_cast<int>(c.points()) * factor_of(c)->entries();
  }
  return points;
}

/// Whether the slopes at the point are along the way from the other one, or from the origin, and those
/// there opposite to them.
bool keeps_distance(const Slopes& slopes, const std::vector<int>& point,
                    const std::vector<int>* other, const double* q) {
  double square = 0.0, along = 0.0, length = 0.0, opposite = 0.0;
  for (std::size_t k = 0; k < point.size(); ++k) {
    const auto slope = [&](int i) { return slopes.count(i) > 0 ? slopes.at(i) : 0.0; };
    const double g = slope(point[k]);
    const double way = q[point[k]] - (other != nullptr ? q[(*other)[k]] : 0.0);
    square += g * g;
    along += g * way;
    length += way * way;
    if (other != nullptr) opposite += std::abs(g + slope((*other)[k]));
  }
  constexpr double tolerance = 1e-9;
  return square > 0.0 && along * along >= (1.0 - tolerance) * square * length &&
         opposite <= tolerance * std::sqrt(square);
}

}  // namespace

/// The entry of each degree of freedom that is one; -1 of those of curved factors.
std::vector<int> entries_of_degrees(const Model& model) {
  std::vector<int> entries;
  int entry = 0;
  for (const Coordinate& c : model.scenario.system.coordinates) {
    const FactorPtr factor = factor_of(c);
    const bool curved = factor->curved() != nullptr;
    for (long k = 0; k < c.points(); ++k, entry += factor->entries())
      for (int i = 0; i < factor->dof(); ++i) entries.push_back(curved ? -1 : entry + i);
  }
  return entries;
}

Links distance_links(const Model& model) {
  const KernelSystem& f = *model.system;
  const std::size_t stated = static_cast<std::size_t>(f.d) - model.joint_constraints.size();
  if (stated == 0 || f.rheonomic() || !f.space.reduced().empty()) return {};
  const std::vector<std::vector<int>> points = points_of(model);
  std::vector<int> owner(model.entry_names.size(), -1);
  for (std::size_t k = 0; k < points.size(); ++k)
    for (const int i : points[k]) owner[static_cast<std::size_t>(i)] = static_cast<int>(k);
  std::vector<double> x{model.t0};  // off the start, where slopes may look alike by chance
  x.insert(x.end(), model.q0.begin(), model.q0.end());
  const std::vector<int> entry_of = entries_of_degrees(model);
  for (const int i : entry_of)
    if (i >= 0) x[static_cast<std::size_t>(i) + 1] += 0.1 * std::sin(2.0 + static_cast<double>(i));
  std::vector<double> values(static_cast<std::size_t>(f.d + f.constraint_pattern.size()));
  f.constraint(x.data(), values.data());
  std::vector<Slopes> slopes(static_cast<std::size_t>(f.d));
  const double* entry = values.data() + f.d;
  for (std::size_t e = 0; e < f.constraint_pattern.row.size(); ++e)
    slopes[static_cast<std::size_t>(f.constraint_pattern.row[e])]
          [entry_of[static_cast<std::size_t>(f.constraint_pattern.column[e])]] = *entry++;
  const auto names = [&](int point) {
    PointNames result;
    for (const int i : points[static_cast<std::size_t>(point)])
      result.push_back(model.entry_names[static_cast<std::size_t>(i)]);
    return result;
  };
  Links links;
  for (std::size_t a = 0; a < stated; ++a) {
    std::set<int> met;
    for (const auto& [i, slope] : slopes[a])
      met.insert(i < 0 ? -1 : owner[static_cast<std::size_t>(i)]);
    if (met.empty() || met.count(-1) > 0 || met.size() > 2) continue;
    const auto& first = points[static_cast<std::size_t>(*met.begin())];
    const auto* second =
        met.size() == 2 ? &points[static_cast<std::size_t>(*met.rbegin())] : nullptr;
    if (second != nullptr && second->size() != first.size()) continue;
    if (keeps_distance(slopes[a], first, second, x.data() + 1))
      links.emplace_back(names(*met.begin()),
                         second != nullptr ? names(*met.rbegin()) : PointNames{});
  }
  if (links.size() > static_cast<std::size_t>(most_drawn_of_an_array)) return {};
  return links;
}

}  // namespace varia::io
