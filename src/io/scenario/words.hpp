// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Words for messages: the name somebody probably meant, lists of names.
#include <string>
#include <string_view>
#include <vector>

namespace varia::io {

/// "a, b, c"; beyond `most` names the rest is counted only.
std::string listed(const std::vector<std::string>& names, std::size_t most = 16);

/// " Did you mean step?" or "".
std::string did_you_mean(std::string_view name, const std::vector<std::string>& candidates);

/// Without blanks at both ends.
inline std::string trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return "";
  return std::string(text.substr(begin, text.find_last_not_of(" \t") - begin + 1));
}

}  // namespace varia::io
