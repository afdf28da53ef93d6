// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Room for D numbers at each node of any term.
#include <array>

#include "varia/terms/family.hpp"

namespace varia::terms {

template <int D> using TermValues = std::array<double, max_numbers<D>>;

}  // namespace varia::terms
