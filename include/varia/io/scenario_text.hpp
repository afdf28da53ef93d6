// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The texts of a scenario with their places in the file, and errors that name them.
#include <string>
#include <utility>
#include <vector>

#include "varia/core/error.hpp"

namespace varia::io {

/// A position in a file; line 0 when there is none (a `--set` on the command line).
struct Place {
  std::string file;
  int line = 0, column = 0;
};

std::string place_text(const Place& place);  ///< "file:line:column", or "file" alone

/// An expression as it was written; a TOML number becomes its shortest exact text.
struct Text {
  std::string value;
  Place place;
  std::string key;  ///< dotted, such as system.force.x
};

/// What is wrong in a scenario: what() is "file:line:column: key: message".
struct ScenarioError : InvalidArgument {
  ScenarioError(Place where, std::string which, const std::string& message);
  ScenarioError(const Text& text, const std::string& message);

  Place place;
  std::string key;  ///< empty when the file is not TOML at all
};

/// Does the work; what it finds wrong is told at the text.
template <class Work> auto told_at(const Text& text, const Work& work) {
  try {
    return work();
  } catch (const ScenarioError&) {
    throw;  // it has a place
  } catch (const InvalidArgument& error) {
    throw ScenarioError(text, error.what());
  }
}

using Named = std::vector<std::pair<std::string, Text>>;  ///< in the order of the file

struct Parameter {
  std::string name;
  std::vector<Text> values;  ///< one, or the entries name[1], name[2], ... of an array, row by row
  bool array = false;
  Place place;
  int columns = 0;  ///< of each row of a matrix; 0: numbers
};

}  // namespace varia::io
