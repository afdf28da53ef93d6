// SPDX-License-Identifier: BSD-3-Clause
#include "paths.hpp"

#include <algorithm>
#include <unordered_set>

namespace varia::report {

namespace {

constexpr std::size_t most_bodies = 12;

/// The name with its first letter replaced: x[3] to y[3].
std::string sibling(const std::string& name, char letter) {
  std::string other = name;
  other[0] = letter;
  return other;
}

/// An entry of a point, whose name has two characters behind that of the point: g_x[3] of g[3].
struct Entry {
  explicit Entry(const std::string& name) {
    const std::size_t end = std::min(name.find('['), name.size());
    const std::size_t begin = end - std::min<std::size_t>(end, 2);
    body = name.substr(0, begin);
    suffix = name.substr(begin, end - begin);
    index = name.substr(end);
  }
  std::string sibling(const char* other) const { return body + other + index; }

  std::string body, suffix, index;
};

}  // namespace

std::vector<Path> find_paths(const std::vector<std::string>& names) {
  const std::unordered_set<std::string> known(names.begin(), names.end());
  const auto has = [&](const std::string& name) { return known.count(name) > 0; };
  std::vector<Path> paths;
  for (const std::string& name : names) {
    if (paths.size() == most_bodies) break;
    if (name[0] == 'x' && has(sibling(name, 'y'))) {
      const std::string z = sibling(name, 'z');
      paths.push_back({name.size() == 1 ? "path" : "body " + name.substr(1), name,
                       sibling(name, 'y'), has(z) ? z : ""});
      continue;
    }
    const Entry entry(name);
    if (entry.body.empty()) continue;
    const auto with = [&](const char* suffix) { return entry.sibling(suffix); };
    const std::string label = with("");
    if (entry.suffix == "_x" && has(with("_y")))
      paths.push_back(
          {"position of " + label, name, with("_y"), has(with("_z")) ? with("_z") : ""});
    else if (entry.suffix == "13" && has(with("23")) && has(with("33")) && !has(with("_x")))
      paths.push_back({"axis of " + label, name, with("23"), with("33")});
  }
  if (paths.empty() && names.size() == 2) paths.push_back({"path", names[0], names[1], ""});
  return paths;
}

}  // namespace varia::report
