// SPDX-License-Identifier: BSD-3-Clause
#include "words.hpp"

#include <algorithm>

#include "varia/core/nearest.hpp"

namespace varia::io {

std::string listed(const std::vector<std::string>& names, std::size_t most) {
  std::string text;
  for (std::size_t k = 0; k < std::min(names.size(), most); ++k)
    text += (k == 0 ? "" : ", ") + names[k];
  if (names.size() > most) text += ", ... (" + std::to_string(names.size()) + " in all)";
  return names.empty() ? "none" : text;
}

std::string did_you_mean(std::string_view name, const std::vector<std::string>& candidates) {
  const std::string best = nearest(name, candidates);
  return best.empty() ? "" : " Did you mean " + best + "?";
}

}  // namespace varia::io
