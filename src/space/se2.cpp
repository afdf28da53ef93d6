// SPDX-License-Identifier: BSD-3-Clause
#include "varia/space/se2.hpp"

#include "varia/space/factor_of.hpp"

namespace varia {

namespace {

Notation plane_notation() {
  Notation n;
  n.key = "SE2";
  n.example = "g";
  n.what = "a motion of the plane";
  n.summary = "motions of the plane, with body velocity and momentum";
  n.entries = {{"_x", "_y", "_theta"}, "an entry of the motion"};
  n.velocities = {{"_v1", "_v2", "_w"}, "a velocity of", {{"_v", 0, 2}}};
  n.momenta = {{"_n1", "_n2", "_m"}, "a momentum of", {{"_n", 0, 2}}};
  n.forces = {{"_1", "_2", "_3"}, "a force on", {{""}}};
  n.spatial = {{"_s1", "_s2", "_s3"}, "a momentum in the frame of space of"};
  n.casimirs = {"_casimir"};
  n.forms = {{{"x", {}, "0", "The position of a motion of the plane.", "0"},
              {"y", {}, "0", "Likewise.", "0"},
              {"theta", {}, "0", "The angle of a motion of the plane.", R"("pi/6")"}}};
  n.frame_term = "(ad* of dL/dv)";
  n.drawing = {"position of", {"_x", "_y"}};
  return n;
}

SE2<double> read_plane_motion(std::size_t, const double* x) { return Space<SE2<double>>::read(x); }

}  // namespace

const FactorPtr& plane_motions() {
  static const FactorPtr factor =
      std::make_shared<const FactorOf<SE2<double>>>(plane_notation(), read_plane_motion);
  return factor;
}

}  // namespace varia
