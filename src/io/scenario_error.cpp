// SPDX-License-Identifier: BSD-3-Clause
#include <utility>

#include "varia/io/scenario.hpp"

namespace varia::io {

std::string place_text(const Place& place) {
  if (place.line == 0) return place.file;
  return place.file + ":" + std::to_string(place.line) + ":" + std::to_string(place.column);
}

ScenarioError::ScenarioError(Place where, std::string which, const std::string& message)
    : InvalidArgument(place_text(where) + ": " + (which.empty() ? "" : which + ": ") + message),
      place(std::move(where)),
      key(std::move(which)) {}

ScenarioError::ScenarioError(const Text& text, const std::string& message)
    : ScenarioError(text.place, text.key, message) {}

}  // namespace varia::io
