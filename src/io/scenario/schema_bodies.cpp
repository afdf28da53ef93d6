// SPDX-License-Identifier: BSD-3-Clause
// The keys of rigid bodies and joints.
#include "schema_tree.hpp"
#include "varia/mechanics/joint.hpp"
#include "varia/mechanics/rigid_body.hpp"

namespace varia::io::rows {

namespace {

std::vector<Choice> body_space_keys() {
  std::vector<Choice> keys;
  for (const BodySpace& space : body_spaces()) keys.emplace_back(space.factor->notation().key);
  return keys;
}

std::vector<Choice> joint_names() {
  std::vector<Choice> names;
  for (const JointKind& kind : joint_kinds()) names.emplace_back(kind.name);
  return names;
}

Rows shape_rows() {
  return {
      table("system.body[].shape",
            "What the body looks like, around its centre of mass; one of the following. It is "
            "drawn in the report, and gives the inertia where that is not given.",
            "{ box = [1, 0.1, 0.1] }"),
      list("system.body[].shape.box", "The lengths along the axes of the body.", "[1, 0.1, 0.1]"),
      scalar("system.body[].shape.box[]"),
      list("system.body[].shape.cylinder",
           "Radius and length; its axis is the third of the body. In space.", "[0.05, 1]"),
      scalar("system.body[].shape.cylinder[]"),
      scalar("system.body[].shape.sphere", "The radius. In space.", "0.1").within(Range::positive),
      scalar("system.body[].shape.disk", "The radius. In the plane.", "0.1")
          .within(Range::positive),
      list("system.body[].shape.rod",
           "A line between two points of the body; the inertia has to be given.",
           R"~(["base", "tip"])~"),
      text("system.body[].shape.rod[]"),
  };
}

}  // namespace

Rows body_rows() {
  Rows rows{
      list("system.body",
           "Rigid bodies, each a table `[[system.body]]`; they add to the Lagrangian. See [Bodies "
           "and joints](#bodies-and-joints)."),
      table("system.body[]"),
      text("system.body[].name",
           "The name of the body and of its pose, a coordinate; \"B[1..50]\" is an array of "
           "bodies, whose numbers may use i.",
           R"~("A")~")
          .needed(),
      text("system.body[].space",
           "Where it moves: in space, in the plane, or in space about the origin, which is then "
           "the origin of its frame.",
           R"~("SE2")~")
          .by_default(R"~("SE3")~")
          .among(body_space_keys()),
      scalar("system.body[].mass", "The mass.", "1.0").needed().within(Range::positive),
      scalars("system.body[].inertia",
              "About the centre of mass, along the axes of the body: 3 principal moments, or 3 "
              "rows of 3 numbers; in the plane one number. That of the homogeneous shape unless "
              "given.",
              "[0.1, 0.1, 0.04]"),
      scalars("system.body[].inertia[]"),
      scalar("system.body[].inertia[][]"),
      list("system.body[].centre",
           "The centre of mass in the frame of the body; its origin unless given.", "[0, 0, 0.5]"),
      scalar("system.body[].centre[]"),
      table(
          "system.body[].points",
          "Points in the frame of the body, for joints and formulas: a point tip of the body A is "
          "at A_tip_x, A_tip_y, A_tip_z. The point centre is there by itself.",
          "{ base = [0, 0, 0], tip = [0, 0, 1] }"),
      list("system.body[].points.NAME", "One point.", "[0, 0, 1]"),
      scalar("system.body[].points.NAME[]"),
  };
  const Rows shape = shape_rows();
  rows.insert(rows.end(), shape.begin(), shape.end());
  rows.push_back(scalars("system.gravity",
                         "The acceleration that acts on all bodies; a number points down, along "
                         "-z, in the plane along -y.",
                         "9.81"));
  rows.push_back(scalar("system.gravity[]"));
  return rows;
}

Rows joint_rows() {
  return {
      list(
          "system.joint",
          "Joints between bodies, each a table `[[system.joint]]`; they are holonomic constraints, "
          "behind those of `holonomic`."),
      table("system.joint[]"),
      text("system.joint[].kind",
           "What the joint keeps: the place of a point; and the direction of an axis; all but the "
           "way along an axis; everything; the distance of two points.",
           R"~("hinge")~")
          .needed()
          .among(joint_names()),
      list(
          "system.joint[].between",
          "The two points: \"A.tip\"; \"A\", the origin of its frame; \"B[i+1].base\" of an array; "
          "\"ground\".",
          R"~(["A.tip", "B.base"])~")
          .needed(),
      text("system.joint[].between[]"),
      list("system.joint[].at",
           "The point of the ground, the origin unless given; it may use t: the joint is then "
           "driven.",
           "[0, 0, 2]"),
      scalar("system.joint[].at[]"),
      list("system.joint[].axis",
           "The axis of a hinge or slider in the frame of the first body, of any length but 0. A "
           "hinge in the plane has none.",
           "[0, 0, 1]"),
      scalar("system.joint[].axis[]"),
      scalars("system.joint[].turn",
              "The rotation, axis times angle, of the second body against the first where a slider "
              "or fixed joint holds it, and where a hinge is at the angle 0; in the plane an "
              "angle. None unless given: the frames are parallel.",
              R"~([0, 0, "pi/2"])~"),
      scalar("system.joint[].turn[]"),
      scalar("system.joint[].length", "The length of a distance.", "1.0").within(Range::positive),
      list("system.joint[].i",
           "The first and the last i: one joint for each of them; all its numbers may use i.",
           R"~([1, "n - 1"])~"),
      scalar("system.joint[].i[]"),
  };
}

}  // namespace varia::io::rows
