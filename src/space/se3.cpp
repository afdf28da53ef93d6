// SPDX-License-Identifier: BSD-3-Clause
#include "varia/space/se3.hpp"

#include "varia/space/factor_of.hpp"

namespace varia {

namespace {

Notation motion_notation() {
  const Notation& rotation = rotations()->notation();
  Notation n;
  n.key = "SE3";
  n.example = "g";
  n.what = "a motion";
  n.summary = "motions of space, with body velocity and momentum";
  n.entries = {rotation.entries.suffixes, "an entry of the motion"};
  n.velocities = {{}, "a velocity of", {{"_w"}, {"_v", 3}}};
  n.momenta = {{}, "a momentum of", {{"_m"}, {"_n", 3}}};
  n.forces = {{}, "a force on", {{"", 0, 6}}};
  for (const char* x : {"_x", "_y", "_z"}) n.entries.suffixes.emplace_back(x);
  for (const char* kind : {"_w", "_v"})
    for (const char* i : {"1", "2", "3"}) n.velocities.suffixes.push_back(std::string(kind) + i);
  for (const char* kind : {"_m", "_n"})
    for (const char* i : {"1", "2", "3"}) n.momenta.suffixes.push_back(std::string(kind) + i);
  for (const char* i : {"_1", "_2", "_3", "_4", "_5", "_6"}) n.forces.suffixes.emplace_back(i);
  n.spatial = {{"_s1", "_s2", "_s3", "_s4", "_s5", "_s6"}, "a momentum in the frame of space of"};
  n.casimirs = {"_casimir1", "_casimir2"};
  for (PointForm form : rotation.forms) {
    form.insert(form.begin(), {"position",
                               {3},
                               "[x, y, z]",
                               "The position of a motion, beside its rotation; 3 entries.",
                               "[0, 0, 1]"});
    n.forms.push_back(form);
  }
  n.frame_term = "(ad* of dL/dv)";
  n.drawing = {"position of", {"_x", "_y", "_z"}};
  return n;
}

/// The position, then a rotation in one of its forms.
SE3<double> read_motion(std::size_t form, const double* x) {
  return {read_rotation(form, x + 3), Vector<double, 3>(x[0], x[1], x[2])};
}

}  // namespace

const FactorPtr& motions() {
  static const FactorPtr factor =
      std::make_shared<const FactorOf<SE3<double>>>(motion_notation(), read_motion);
  return factor;
}

}  // namespace varia
