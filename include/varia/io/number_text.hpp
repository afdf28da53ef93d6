// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Numbers and strings as text: the shortest decimal that reads back to the same double, and the
// JSON forms of both. They append, so that a long file is written without small allocations.
#include <string>
#include <string_view>

namespace varia::io {

/// 0.1, -0, 1e-300, nan, inf.
void append_number(std::string& text, double x);

/// The same, but null for what JSON has no number for.
void append_json_number(std::string& text, double x);

/// In quotes, with escapes; bytes from 128 on are taken for UTF-8 and left as they are.
void append_json_string(std::string& text, std::string_view content);

}  // namespace varia::io
