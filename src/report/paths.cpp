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

bool ends_with(const std::string& name, const std::string& end) {
  return name.size() > end.size() && name.compare(name.size() - end.size(), end.size(), end) == 0;
}

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
    } else if (ends_with(name, "_x")) {
      const std::string body = name.substr(0, name.size() - 2);
      if (has(body + "_y"))
        paths.push_back({"position of " + body, name, body + "_y",
                         has(body + "_z") ? body + "_z" : std::string()});
    } else if (ends_with(name, "13")) {
      const std::string body = name.substr(0, name.size() - 2);
      if (has(body + "23") && has(body + "33") && !has(body + "_x"))
        paths.push_back({"axis of " + body, name, body + "23", body + "33"});
    }
  }
  if (paths.empty() && names.size() == 2) paths.push_back({"path", names[0], names[1], ""});
  return paths;
}

}  // namespace varia::report
