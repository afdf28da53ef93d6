// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The spaces that a scenario can name.
#include <string>
#include <vector>

#include "varia/space/factor.hpp"

namespace varia {

const std::vector<FactorPtr>& space_list();
/// By the key of its notation; null when there is none.
FactorPtr find_space(const std::string& key);
/// The space without its points (reduced.hpp); null when it has to have them.
FactorPtr find_reduced_space(const std::string& key);

}  // namespace varia
