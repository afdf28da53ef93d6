// SPDX-License-Identifier: BSD-3-Clause
#include "moved_start.hpp"

#include <algorithm>
#include <cmath>

#include "flow_of_model.hpp"

namespace varia::io {

namespace {

constexpr double moved_by_rounding = 1e-14;
constexpr std::size_t most_named = 8;

using Changes = ByName<std::pair<double, double>>;

/// The start as it is stated, as it is seen: (entries, velocities).
std::vector<double> stated(const Model& model) {
  const Vn v = stated_velocity(model);
  std::vector<double> x{model.t0};
  x.insert(x.end(), model.q0.begin(), model.q0.end());
  x.insert(x.end(), v.data(), v.data() + v.size());
  if (!model.seen) return {x.begin() + 1, x.end()};
  x.insert(x.end(), static_cast<std::size_t>(v.size()), 0.0);  // momenta
  std::vector<double> seen(static_cast<std::size_t>(model.seen.tape().outputs()));
  model.seen(x.data(), seen.data());
  return seen;
}

Changes changes(const expr::NameList& names, const double* before,
                const std::vector<double>& after) {
  Changes list;
  for (std::size_t i = 0; i < names.size(); ++i)
    if (std::abs(after[i] - before[i]) > moved_by_rounding * std::max(1.0, std::abs(before[i])))
      list.emplace_back(names[i], std::pair(before[i], after[i]));
  return list;
}

}  // namespace

std::optional<Summary::Moved> moved_start(const Model& model, const Snapshot& seen) {
  const std::vector<double> before = stated(model);
  const Summary::Moved moved{
      changes(model.entry_names, before.data(), seen.q),
      changes(model.velocity_names, before.data() + model.entry_names.size(), seen.v)};
  if (moved.q.empty() && moved.v.empty()) return std::nullopt;
  return moved;
}

std::string to_text(const Summary::Moved& moved) {
  Changes all = moved.q;
  all.insert(all.end(), moved.v.begin(), moved.v.end());
  const auto size = [](const auto& change) {
    return std::abs(change.second.second - change.second.first);
  };
  std::stable_sort(all.begin(), all.end(),
                   [&](const auto& a, const auto& b) { return size(a) > size(b); });
  std::string text = "the start was moved onto the constraints (project = true): ";
  for (std::size_t i = 0; i < std::min(all.size(), most_named); ++i)
    text += (i == 0 ? "" : ", ") + all[i].first + " from " + varia::to_text(all[i].second.first) +
            " to " + varia::to_text(all[i].second.second);
  if (all.size() > most_named)
    text += ", and " + std::to_string(all.size() - most_named) + " more by less";
  return text;
}

}  // namespace varia::io
