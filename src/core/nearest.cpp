// SPDX-License-Identifier: BSD-3-Clause
#include "varia/core/nearest.hpp"

#include <algorithm>

namespace varia {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = lower(c);
  return result;
}

/// The characters of UTF-8, each as a number of its own.
std::u32string characters(std::string_view text) {
  constexpr unsigned mark = 0xC0, continued = 0x80, payload = 0x3F, bits = 6;
  std::u32string result;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte & mark) == continued && !result.empty())
      result.back() = result.back() << bits | (byte & payload);
    else
      result += byte;
  }
  return result;
}

}  // namespace

std::size_t edit_distance(std::string_view one, std::string_view other) {
  const std::u32string a = characters(one), b = characters(other);
  // Three rows of the table: distances between the beginnings of the words.
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before.swap(last);
    last.swap(row);
  }
  return last[b.size()];
}

std::string nearest(std::string_view word, const std::vector<std::string>& known) {
  constexpr std::size_t longest = 64;  // nobody mistypes a longer name
  if (word.empty() || word.size() > longest) return "";
  const std::string wanted = lower(word);
  const std::size_t length = characters(word).size();
  std::string best;
  std::size_t best_distance = longest;
  for (const std::string& name : known) {
    // One error in three letters is a typing error; more is another word.
    const std::size_t other = characters(name).size();
    const std::size_t most = (std::max(length, other) + 1) / 3;
    if (other > length + most || length > other + most) continue;
    const std::size_t distance = edit_distance(wanted, lower(name));
    if (distance <= most && distance < best_distance) {
      best = name;
      best_distance = distance;
    }
  }
  return best;
}

}  // namespace varia
