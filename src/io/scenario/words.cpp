// SPDX-License-Identifier: BSD-3-Clause
#include "words.hpp"

#include <algorithm>

#include "varia/core/nearest.hpp"

namespace varia::io {

namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = lower(c);
  return result;
}

}  // namespace

std::string nearest(std::string_view name, const std::vector<std::string>& candidates) {
  constexpr std::size_t longest = 64;
  if (name.empty() || name.size() > longest) return "";
  const std::string wanted = lower(name);
  std::string best;
  std::size_t best_distance = longest;
  for (const std::string& candidate : candidates) {
    // One error in three letters is a typing error; more is another word.
    const std::size_t most = (std::max(name.size(), candidate.size()) + 1) / 3;
    if (candidate.size() > name.size() + most || name.size() > candidate.size() + most) continue;
    const std::size_t distance = edit_distance(wanted, lower(candidate));
    if (distance <= most && distance < best_distance) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

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
