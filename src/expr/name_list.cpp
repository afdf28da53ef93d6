// SPDX-License-Identifier: BSD-3-Clause
#include "varia/expr/name_list.hpp"

#include <algorithm>
#include <utility>

namespace varia::expr {

NameList::NameList(const std::vector<std::string>& names) { append(names, {}); }

void NameList::push_back(std::string name) {
  if (parts_.empty() || !parts_.back().indices.empty()) parts_.push_back({size_, {}, {}});
  parts_.back().names.push_back(std::move(name));
  parts_.back().end = ++size_;
}

void NameList::append(const std::vector<std::string>& names, const Shape& indices) {
  if (indices.empty()) {
    for (const std::string& name : names) push_back(name);
    return;
  }
  const std::size_t count = names.size() * entries_of(indices);
  if (count == 0) return;
  size_ += count;
  parts_.push_back({size_, names, indices});
}

void NameList::append(const NameList& names) {
  for (const Part& part : std::vector<Part>(names.parts_)) append(part.names, part.indices);
}

std::string NameList::operator[](std::size_t place) const {
  const auto part =
      std::upper_bound(parts_.begin(), parts_.end(), place,
                       [](std::size_t wanted, const Part& p) { return wanted < p.end; });
  const std::size_t begin = part == parts_.begin() ? 0 : std::prev(part)->end;
  const std::size_t each = part->names.size();
  const std::size_t number = place - begin;
  return part->indices.empty()
             ? part->names[number]
             : part->names[number % each] + index_text(part->indices, number / each);
}

std::string NameList::text() const {
  std::string text;
  for (const Part& part : parts_) {
    std::string range;
    for (const Extent& extent : part.indices)
      range += "[" + std::to_string(extent.first) + ".." + std::to_string(extent.last()) + "]";
    for (std::size_t k = 0; k < part.names.size(); ++k)
      text += part.names[k] + range + (range.empty() || k + 1 == part.names.size() ? "\n" : " ");
  }
  return text;
}

bool operator==(const NameList& a, const NameList& b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin());
}

}  // namespace varia::expr
