// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Every key of a scenario with its value, defaults and overrides included, on one line each: by this
// a checkpoint knows the scenario that it can be continued with.
#include <string>
#include <utility>
#include <vector>

namespace varia::io {

/// Key, such as system.observe.radius or solid.fix[2].where, and value as TOML; sorted by key.
class Settings {
 public:
  /// A value that replaces what was given: a number where a formula stands for it.
  void set(const std::string& key, std::string value);
  /// Without the key and all that is below it.
  void remove(const std::string& key);

  const std::vector<std::pair<std::string, std::string>>& entries() const { return entries_; }

  /// One line for each key.
  std::string text() const;

 private:
  std::vector<std::pair<std::string, std::string>> entries_;
};

/// The settings that must be the same when a run is continued: all but the end of the run, what the
/// files are, how formulas are evaluated, by how many threads, and the start but for its time.
Settings kept_by_a_restart(Settings settings);

/// The first difference between two texts of settings in words, such as "is of another step: 0.1,
/// the scenario has 0.05"; empty if there is none.
std::string difference(const std::string& checkpoint, const std::string& scenario);

}  // namespace varia::io
