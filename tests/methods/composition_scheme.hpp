// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Tables of coefficients by name.
#include <algorithm>
#include <string>

#include "varia/methods/composition.hpp"

namespace varia {

inline const CompositionScheme& composition_scheme(const std::string& name) {
  const auto& all = composition_schemes();
  const auto found = std::ranges::find(all, name, &CompositionScheme::name);
  if (found == all.end()) throw InvalidArgument("there is no table of coefficients '" + name + "'");
  return *found;
}

}  // namespace varia
