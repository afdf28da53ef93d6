// SPDX-License-Identifier: BSD-3-Clause
#include "words.hpp"

#include <algorithm>
#include <numeric>

namespace varia::io {

namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = lower(c);
  return result;
}

/// Insertions, deletions, changes and swaps of neighbours that turn a into b.
std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), now(b.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    now[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = a[i - 1] == b[j - 1] ? 0 : 1;
      now[j] = std::min({now[j - 1] + 1, last[j] + 1, last[j - 1] + change});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        now[j] = std::min(now[j], before[j - 2] + 1);
    }
    before.swap(last);
    last.swap(now);
  }
  return last[b.size()];
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
