// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The equations of motion of a system whose sums are loops: those of the general i.
#include <string>
#include <utility>
#include <vector>

#include "varia/io/model.hpp"

namespace varia::io {

/// Both sides and, behind the right one, the i they hold for, where there are several:
/// d/dt (q_dot[i]) = q[i+1] - 2*q[i] + q[i-1], i = 2..99. None where they cannot be written so. `longest`: of a
/// formula, in characters.
std::vector<std::pair<std::string, std::string>> equations_of_sums(const Model& model,
                                                                   std::size_t longest);

}  // namespace varia::io
