// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Room for D numbers at each node of any term.
#include <array>

#include "varia/terms/family.hpp"

namespace varia::terms {

template <int D>
using TermValues =
    std::array<double, static_cast<std::size_t>(max_nodes) * static_cast<std::size_t>(D)>;

}  // namespace varia::terms
