// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The name that was meant: for messages about a name that is not known.
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace varia {

/// Insertions, deletions, replacements and swaps of neighbouring characters that turn one word into the
/// other.
std::size_t edit_distance(std::string_view one, std::string_view other);

/// The known name that a mistyped word most likely stands for; "" if none is near.
std::string nearest(std::string_view word, const std::vector<std::string>& known);

}  // namespace varia
