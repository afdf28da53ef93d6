// SPDX-License-Identifier: BSD-3-Clause
#include "paths.hpp"

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

/// Those entries of a point that its space has for a drawing.
Path path_of(const std::string& name, const std::string& index, const Drawing& drawing) {
  const auto entry = [&](std::size_t k) {
    return k < drawing.suffixes.size() ? name + drawing.suffixes[k] + index : std::string();
  };
  return {drawing.what + " " + name + index, entry(0), entry(1), entry(2)};
}

}  // namespace

std::vector<Path> find_paths(const io::System& system) {
  const expr::NameList names = io::entry_names(system);
  const std::unordered_set<std::string> known(names.begin(), names.end());
  const auto has = [&](const std::string& name) { return known.count(name) > 0; };
  std::vector<Path> paths;
  for (const io::Coordinate& c : system.coordinates) {
    const Drawing& drawing = io::factor_of(c)->notation().drawing;
    for (int i = c.array ? c.first : 0; i <= (c.array ? c.last : 0); ++i) {
      if (paths.size() == most_bodies) return paths;
      const std::string index = c.array ? "[" + std::to_string(i) + "]" : "";
      const std::string name = c.name + index;
      if (!drawing.suffixes.empty()) {
        paths.push_back(path_of(c.name, index, drawing));
      } else if (name[0] == 'x' && has(sibling(name, 'y'))) {
        const std::string z = sibling(name, 'z');
        paths.push_back({name.size() == 1 ? "path" : "body " + name.substr(1), name,
                         sibling(name, 'y'), has(z) ? z : ""});
      }
    }
  }
  if (paths.empty() && names.size() == 2)
    paths.push_back({names[1] + " against " + names[0], names[0], names[1], "", false});
  return paths;
}

}  // namespace varia::report
