// SPDX-License-Identifier: BSD-3-Clause
#include "varia/space/list.hpp"

namespace varia {

const std::vector<FactorPtr>& space_list() {
  static const std::vector<FactorPtr> list = {
      euclidean(1), angles(), rotations(), plane_motions(), motions(), spheres(),
  };
  return list;
}

FactorPtr find_space(const std::string& key) {
  for (const FactorPtr& factor : space_list())
    if (factor->notation().key == key) return factor;
  return nullptr;
}

}  // namespace varia
