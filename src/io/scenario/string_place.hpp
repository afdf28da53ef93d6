// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Where a character of a TOML string stands in the file. Lines and columns are counted from 1, columns
// in characters.
#include <string>

#include "varia/io/scenario_text.hpp"

namespace varia::io {

/// The string begins at `start`, with its quotes; `line` and `column` are those in its text. What an
/// escape such as \" stands for is one character of the text, where the escape begins in the file.
Place place_inside(const std::string& file, const Place& start, int line, int column);

}  // namespace varia::io
