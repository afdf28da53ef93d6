// SPDX-License-Identifier: BSD-3-Clause
#include <iostream>
#include <varia/core/version.hpp>
#include <varia/varia.hpp>

int main() {
  std::cout << "varia " << varia::version << ", " << varia::method_list().size() << " methods\n";
  return varia::method_list().empty() ? 1 : 0;
}
