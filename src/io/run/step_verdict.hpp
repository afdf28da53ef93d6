// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <optional>
#include <string>

#include "varia/io/summary.hpp"

namespace varia::io {

/// 12 % for large shares, else the number.
std::string share_text(double share);

/// A step that is too long for what it should follow; nothing otherwise.
std::optional<Verdict> step_verdict(const Summary& s);

}  // namespace varia::io
