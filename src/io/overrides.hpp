// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Changes of a scenario from the command line: --set run.step=0.1, --set mu=2.
#include <string>
#include <vector>

#include "document.hpp"

namespace varia::io {

/// Applies "key=value" texts to a document that is not checked yet; errors name --set as their place.
/// The value is TOML, or plain text where it is not: method=gauss(3). Of two keys that exclude each
/// other, such as run.until and run.steps, the one that is set replaces the one of the file.
void apply_overrides(Value& root, const std::vector<std::string>& overrides);

/// Throws ScenarioError at this place and key unless the override names something of the document.
void require_override(const Value& root, const std::string& text, const Place& place,
                      const std::string& key);

}  // namespace varia::io
