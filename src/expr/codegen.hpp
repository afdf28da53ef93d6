// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Tapes as one C translation unit.
//
// Nothing but checked names, numbers and our own text gets into the source. A tape of many
// operations becomes several functions over a shared scratch array: the compiler's time is then
// proportional to the number of operations.
#include <cstddef>
#include <string>
#include <vector>

#include "varia/expr/native.hpp"

namespace varia::expr {

struct Source {
  std::string text;
  std::size_t operations = 0;  ///< of all functions, loops once, and statements of the extra source
  bool loops = false;          ///< whether a function has some
};

/// Throws InvalidArgument for a name that is not an identifier, is taken, or is given twice.
Source generate_source(const std::vector<NativeFunction>& wanted, const std::string& extra_source);

}  // namespace varia::expr
