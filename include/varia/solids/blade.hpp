// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The rotor of [West04] section 6.1.5: two blades and a straight joint between them.
//
// The source gives span, chord, largest thickness and the number of elements (2089 Tet10, 4420
// nodes), and its update counts imply inradii from 1.01 mm to 19 mm with harmonic mean 6.5 mm, so
// lambda = 6.4. Profile and joint are in a figure only. Our choice, with one cell through the
// thickness as those inradii suggest:
//   the joint is a bar of rectangular section; over root_length the section changes linearly into
//   that of the blade, a lens of thickness t(eta) = edge + (1 - edge)(1 - eta^2), -1 <= eta <= 1
//   across the chord, times 1 - (1 - tip) s^3, 0 <= s <= 1 from the joint to the tip.
// The defaults give 2100 Tet10 with 4653 nodes, inradii from 1.0 to 13.7 mm with harmonic mean
// 6.6 mm, and lambda = 6.4. The mesh is its own image under (X, Y, Z) -> (-X, -Y, -Z): the centre
// of mass is the origin.
#include "varia/solids/mesh.hpp"

namespace varia::solids {

/// Span along X, chord along Y, thickness along Z, the middle of the joint at the origin.
struct BladeShape {
  double span = 7.2;               ///< of the whole rotor
  double chord = 0.533;            ///< of the blades
  double thickness = 0.040;        ///< largest
  double edge = 0.175;             ///< thickness at leading and trailing edge, fraction
  double tip = 0.3;                ///< thickness at the tips, fraction
  double joint_length = 0.8;       ///< of the bar in the middle
  double joint_chord = 0.25;       ///< width of the bar
  double joint_thickness = 0.040;  ///< of the bar
  double root_length = 0.2;        ///< of the change from bar to blade, part of the blade
  int elements_span = 30;          ///< cells along each blade, root included
  int elements_joint = 10;         ///< cells along the joint
  int elements_chord = 5;          ///< cells across the chord
  int elements_thickness = 1;      ///< cells through the thickness
};

/// Regions "blade" and "joint"; boundaries tip_left (X smallest) and tip_right.
Mesh blade(const BladeShape& shape = {}, int order = 2);

}  // namespace varia::solids
