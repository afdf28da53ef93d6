// SPDX-License-Identifier: BSD-3-Clause
#include "paths.hpp"

#include <algorithm>

namespace varia::report {

namespace {

constexpr std::size_t most_bodies = 12;

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

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
  std::vector<Path> paths;
  for (const std::string& name : names) {
    if (paths.size() == most_bodies) break;
    if (name[0] == 'x' && has(names, sibling(name, 'y'))) {
      const std::string z = sibling(name, 'z');
      paths.push_back({name.size() == 1 ? "path" : "body " + name.substr(1), name,
                       sibling(name, 'y'), has(names, z) ? z : ""});
    } else if (ends_with(name, "13")) {
      const std::string body = name.substr(0, name.size() - 2);
      if (has(names, body + "23") && has(names, body + "33"))
        paths.push_back({"axis of " + body, name, body + "23", body + "33"});
    }
  }
  if (paths.empty() && names.size() == 2) paths.push_back({"path", names[0], names[1], ""});
  return paths;
}

}  // namespace varia::report
