// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// [draw]: the picture of a mechanism, as a person wrote it.
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "varia/io/scenario_text.hpp"

namespace varia::io {

/// The point that every picture has.
inline constexpr const char* origin_point = "origin";

/// Where something is: its coordinates, a vector, or the name of a drawn point.
struct AnchorText {
  std::vector<Text> numbers;  ///< as many as the view has dimensions; none: a point
  std::string point;
  std::optional<Text> index;  ///< of one of many points: bob[i-1]
  Text text;                  ///< the name, or the expression, as it is written
  bool vector = false;        ///< the text is an expression
};

/// One table of [draw], or one drawing for each i of a range.
struct DrawnText {
  std::string kind;  ///< point, link, box, ball, cylinder, frame, arrow, ground
  std::string name;  ///< of a point
  std::optional<AnchorText> at;
  std::vector<AnchorText> between;  ///< two ends
  std::optional<AnchorText> from;   ///< of an arrow
  std::vector<Text> along;          ///< of an arrow; like turn and centre one text for a vector
  std::optional<Text> on;           ///< a rotation or pose, as R or R[i]
  std::vector<Text> turn;           ///< an angle; axis times angle; 3 rows of a rotation
  std::vector<Text> centre;         ///< in the frame that is turned
  std::vector<Text> size;           ///< of a box, or the semi-axes of a ball
  std::optional<Text> radius, length, scale, level;
  bool trace = false, spring = false;
  std::optional<std::pair<Text, Text>> range;
  Text where;  ///< the table
};

struct SceneText {
  int dimension = 2;  ///< of the view
  std::string up = "z";
  std::vector<DrawnText> drawn;  ///< in the order of the file
};

}  // namespace varia::io
