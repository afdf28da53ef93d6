// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The functions of the language, for a person to read.
#include <string>
#include <vector>

namespace varia::expr {

struct FunctionText {
  std::string name;
  std::string use;  ///< "atan2(y, x)"
  std::string meaning;
  std::string smoothness;  ///< "smooth", or where it is not
};

/// All of them, in the order of the documentation.
std::vector<FunctionText> function_list();

}  // namespace varia::expr
