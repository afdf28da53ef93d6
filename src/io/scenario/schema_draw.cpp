// SPDX-License-Identifier: BSD-3-Clause
// The keys of the picture: [draw].
#include "schema_tree.hpp"

namespace varia::io::rows {

namespace {

constexpr KeyOf<Type::text, Type::list> anchor;

/// Keys that several things have, below the table of each of them.
struct DrawnKeys {
  std::string table;  ///< draw.box[]
  Rows rows = {};

  DrawnKeys& add(SchemaEntry entry) {
    rows.push_back(std::move(entry));
    return *this;
  }
  DrawnKeys& place(const char* key, const char* meaning, const char* example) {
    add(anchor(table + "." + key, meaning, example));
    return add(scalar(table + "." + key + "[]"));
  }
  DrawnKeys& numbers(const char* key, const char* meaning, const char* example) {
    add(list(table + "." + key, meaning, example));
    return add(scalar(table + "." + key + "[]"));
  }
  DrawnKeys& length(const char* key, const char* meaning, const char* example) {
    return add(scalar(table + "." + key, meaning, example).within(Range::positive));
  }
  DrawnKeys& ends(const char* meaning, const char* example) {
    add(list(table + ".between", meaning, example));
    add(anchor(table + ".between[]"));
    return add(scalar(table + ".between[][]"));
  }
  /// What is turned: on, turn, centre.
  DrawnKeys& turned() {
    add(text(table + ".on",
             "The rotation or pose it moves with: a coordinate of SO3 or SE3, in a 2-D view of "
             "SE2; \"R[i]\" of an array.",
             R"~("R")~"));
    add(scalars(table + ".turn",
                "How it is turned, instead of `on`: axis times angle, or 3 rows of 3 numbers, or a "
                "vector or matrix; in a 2-D view an angle.",
                R"~("th")~"));
    add(scalars(table + ".turn[]"));
    add(scalar(table + ".turn[][]"));
    return place("centre",
                 "Its centre in the frame that is turned, a vector or its components; the origin "
                 "unless given.",
                 "[0, 0, 0.5]");
  }
  Rows range() {
    add(list(table + ".i", "The first and the last i: one for each of them.", R"~([1, "n"])~"));
    add(scalar(table + ".i[]"));
    return rows;
  }
};

DrawnKeys drawn(const std::string& kind, const char* meaning) {
  const std::string key = "draw." + kind;
  return {key + "[]", {list(key, meaning), table(key + "[]")}};
}

const char* const at_meaning =
    "Where it is: coordinates, a vector, or the name of a drawn point; the origin, or the place of "
    "the pose, unless given.";

/// Points and what is drawn at places.
std::vector<Rows> place_rows() {
  return {
      {one_of("draw.view", {"2d", "3d"},
              "How many coordinates a place has: two, x to the right and y up; or three, in a view "
              "that can be turned.",
              "3d"),
       one_of("draw.up", {"z", "y"}, "What is up in a 3-D view.", "y")},
      drawn("point", "Points, each a table `[[draw.point]]`.")
          .add(text("draw.point[].name", "Its name, for links, arrows and places.", R"~("bob")~"))
          .place("at", "Its coordinates, functions of t, q, v, p, or a vector, as in \"r[i]\".",
                 R"~(["l*sin(th)", "-l*cos(th)"])~")
          .length("radius", "A ball, in a 2-D view a disk, of this radius; a dot unless given.",
                  "0.05")
          .add(
              truth("draw.point[].trace", "Whether its path is drawn.", "true").by_default("false"))
          .range(),
      drawn("link", "Lines, each a table `[[draw.link]]`.")
          .ends("The two ends: names of points, \"origin\", coordinates, or vectors.",
                R"~(["origin", "bob"])~")
          .add(truth("draw.link[].spring", "Whether it is drawn as a spring.", "true")
                   .by_default("false"))
          .range(),
      drawn("box", "Boxes, each a table `[[draw.box]]`.")
          .place("at", at_meaning, R"~(["x", "y"])~")
          .turned()
          .numbers("size", "The lengths of its sides.", "[1, 0.1, 0.1]")
          .range(),
      drawn("ball", "Balls, in a 2-D view disks, each a table `[[draw.ball]]`.")
          .place("at", at_meaning, R"~(["x", "y"])~")
          .turned()
          .length("radius", "The radius; this or `size`.", "0.5")
          .numbers("size", "The semi-axes of an ellipsoid, in a 3-D view.", "[0.3, 0.2, 0.1]")
          .range(),
      drawn("cylinder", "Cylinders and disks in space, each a table `[[draw.cylinder]]`.")
          .place("at", at_meaning, R"~(["x", "y", "z"])~")
          .turned()
          .ends("The centres of its two faces, instead of `at`, `on` and `length`.",
                R"~(["origin", "tip"])~")
          .length("radius", "The radius.", "0.5")
          .length("length", "The length, along the third axis of the frame that is turned.", "0.1")
          .range(),
  };
}

/// Directions, and the ground.
std::vector<Rows> direction_rows() {
  return {
      drawn("frame", "The axes of a rotation or pose, each a table `[[draw.frame]]`.")
          .place("at", at_meaning, R"~(["x", "y"])~")
          .turned()
          .length("length", "The length of the axes; a tenth of the picture unless given.", "0.5")
          .range(),
      drawn("arrow", "Forces, velocities and the like, each a table `[[draw.arrow]]`.")
          .place("from", "Where it begins: a name of a point, coordinates, or a vector.",
                 R"~("bob")~")
          .place("along",
                 "Its components, functions of t, q, v, p, or a vector, as in "
                 "\"r_dot[i]\".",
                 R"~(["x_dot", "y_dot"])~")
          .length("scale", "The length of the arrow of a vector of length 1.", "0.2")
          .range(),
      drawn("ground", "The ground, a table `[[draw.ground]]`.")
          .add(scalar("draw.ground[].level", "Its height.", "-1").by_default("0"))
          .rows,
  };
}

}  // namespace

Rows draw_rows() {
  Rows all;
  for (const auto& parts : {place_rows(), direction_rows()})
    for (const Rows& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

}  // namespace varia::io::rows
