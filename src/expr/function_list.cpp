// SPDX-License-Identifier: BSD-3-Clause
#include "varia/expr/function_list.hpp"

#include "functions.hpp"

namespace varia::expr {

std::vector<FunctionText> function_list() {
  std::vector<FunctionText> list;
  for (const Function& f : functions) {
    const std::string name(f.name);
    list.push_back({name, name + "(" + std::string(f.arguments) + ")", std::string(f.meaning),
                    f.smoothness.empty() ? "smooth" : std::string(f.smoothness)});
  }
  return list;
}

}  // namespace varia::expr
