// SPDX-License-Identifier: BSD-3-Clause
#include "varia/mechanics/joint.hpp"

namespace varia {

const std::vector<JointKind>& joint_kinds() {
  static const std::vector<JointKind> list = {
      {Joint::ball, "ball", false, false, false},
      {Joint::hinge, "hinge", true, true, false},
      {Joint::slider, "slider", true, true, false},
      {Joint::fixed, "fixed", false, true, false},
      {Joint::distance, "distance", false, false, true},
  };
  return list;
}

const JointKind* find_joint(const std::string& name) {
  for (const JointKind& kind : joint_kinds())
    if (kind.name == name) return &kind;
  return nullptr;
}

}  // namespace varia
