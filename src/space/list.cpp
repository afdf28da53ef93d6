// SPDX-License-Identifier: BSD-3-Clause
#include "varia/space/list.hpp"

#include "varia/space/reduced.hpp"

namespace varia {

const std::vector<FactorPtr>& space_list() {
  static const std::vector<FactorPtr> list = {
      euclidean(1), angles(), rotations(), plane_motions(), motions(), spheres(),
  };
  return list;
}

namespace {

FactorPtr find_in(const std::vector<FactorPtr>& list, const std::string& key) {
  for (const FactorPtr& factor : list)
    if (factor->notation().key == key) return factor;
  return nullptr;
}

std::vector<FactorPtr> reduced_list() {
  std::vector<FactorPtr> list;
  for (const FactorPtr& factor : space_list())
    if (reducible(*factor)) list.push_back(reduced(factor));
  return list;
}

}  // namespace

FactorPtr find_space(const std::string& key) { return find_in(space_list(), key); }

FactorPtr find_reduced_space(const std::string& key) {
  static const std::vector<FactorPtr> list = reduced_list();
  return find_in(list, key);
}

}  // namespace varia
