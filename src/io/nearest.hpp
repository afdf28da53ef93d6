// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The name somebody probably meant, and lists of names, for messages.
#include <string>
#include <string_view>
#include <vector>

namespace varia::io {

/// The candidate within a few typing errors of the name, or "" when none is near.
std::string nearest(std::string_view name, const std::vector<std::string>& candidates);

/// "a, b, c"; beyond `most` names the rest is counted only.
std::string listed(const std::vector<std::string>& names, std::size_t most = 16);

/// " Did you mean step?" or "".
std::string did_you_mean(std::string_view name, const std::vector<std::string>& candidates);

}  // namespace varia::io
