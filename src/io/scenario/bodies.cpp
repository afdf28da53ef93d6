// SPDX-License-Identifier: BSD-3-Clause
// Rigid bodies and joints: [[system.body]], [[system.joint]].
#include <algorithm>

#include "reading.hpp"
#include "varia/mechanics/joint.hpp"
#include "varia/mechanics/rigid_body.hpp"
#include "words.hpp"

namespace varia::io {

namespace {

/// As many numbers as the body has dimensions.
std::vector<Text> read_vector(const Value* list, const std::string& key, int dimension) {
  std::vector<Text> numbers;
  if (list != nullptr) read_numbers(*list, key, static_cast<std::size_t>(dimension), numbers);
  return numbers;
}

/// One number in the plane; in space 3, or 3 rows of 3.
std::vector<Text> read_inertia(const Value* value, const std::string& key, int dimension) {
  if (value == nullptr) return {};
  if (dimension == 2) {
    if (value->kind == Kind::list)
      throw ScenarioError(value->place(), key,
                          "must be one number, about the axis perpendicular to the plane; found " +
                              description(*value) + ".");
    return {make_text(*value, key)};
  }
  if (value->kind != Kind::list)
    throw ScenarioError(value->place(), key,
                        "must be a list of 3 principal moments, or of 3 rows of 3 numbers; found " +
                            description(*value) + ".");
  const bool rows = !value->items.empty() && value->items.front().kind == Kind::list;
  std::vector<Text> numbers;
  read_rows(*value, key, rows ? std::vector{3, 3} : std::vector{3}, numbers);
  return numbers;
}

/// The points of a body that have a name.
std::vector<std::string> point_names(const BodyText& body) {
  std::vector<std::string> names{centre_point};
  for (const auto& [name, numbers] : body.points) names.push_back(name);
  return names;
}

bool is_point(const std::vector<std::string>& points, const std::string& name) {
  return std::find(points.begin(), points.end(), name) != points.end();
}

void read_points(const Value* table, const std::string& key, BodyText& body) {
  if (table == nullptr) return;
  for (const Member& member : table->members) {
    const std::string at = key + "." + shown(member.key);
    require_identifier(member.key, member.mark.place(), at);
    if (member.key == centre_point)
      throw ScenarioError(member.mark.place(), at,
                          "is the centre of mass, which is stated by the key centre of the body; "
                          "choose another name.");
    body.points.emplace_back(member.key, read_vector(&member.value, at, body.dimension));
  }
}

/// The numbers a shape takes; none where bodies of this dimension have no such shape.
std::size_t shape_numbers(const std::string& kind, int dimension) {
  if (kind == "box") return static_cast<std::size_t>(dimension);
  if (kind == "disk") return dimension == 2 ? 1 : 0;
  if (kind == "sphere") return dimension == 3 ? 1 : 0;
  if (kind == "cylinder") return dimension == 3 ? 2 : 0;
  return 2;
}

std::optional<ShapeText> read_shape(const Value* table, const std::string& key,
                                    const BodyText& body) {
  if (table->members.empty()) return {};  // the schema puts it there
  if (table->members.size() > 1)
    throw ScenarioError(table->place(), key,
                        "takes one shape, as in { box = [1, 0.1, 0.1] }; found " +
                            std::to_string(table->members.size()) + ".");
  const Member& shape = table->members.front();
  const std::string at = key + "." + shape.key;
  const std::size_t count = shape_numbers(shape.key, body.dimension);
  if (count == 0)
    throw ScenarioError(shape.mark.place(), at,
                        std::string("is not a shape ") +
                            (body.dimension == 2 ? "in the plane; there are box, disk and rod."
                                                 : "in space; there are box, cylinder, sphere and "
                                                   "rod."));
  ShapeText text{shape.key, {}};
  if (shape.value.kind == Kind::list)
    read_numbers(shape.value, at, count, text.numbers);
  else
    text.numbers.push_back(make_text(shape.value, at));
  const std::vector<std::string> points = point_names(body);
  for (const Text& end : text.numbers)
    if (shape.key == "rod" && !is_point(points, end.value))
      throw ScenarioError(end, "is not a point of the body; there are: " + listed(points) + "." +
                                   did_you_mean(end.value, points));
  return text;
}

BodyText read_body(const Value& table, const std::string& key, System& system) {
  Coordinate pose;
  const Value& name = *table.find("name");
  pose.place = name.place();
  pose.key = key + ".name";
  pose.space = table.find("space")->text;
  pose.body = true;
  read_name(name.text, pose.key, pose);
  if (pose.indices().size() > 1)
    throw ScenarioError(pose.place, pose.key,
                        "bodies have one index, as in \"B[1..50]\"; found two.");
  if (pose.name == ground)
    throw ScenarioError(pose.place, pose.key,
                        "ground is what does not move, for joints; choose another name.");
  BodyText body;
  body.coordinate = system.coordinates.size();
  body.where = make_text(name, pose.key);
  body.dimension = find_body_space(pose.space)->dimension;
  if (!system.bodies.empty() && system.bodies.front().dimension != body.dimension)
    throw ScenarioError(table.find("space")->place(), key + ".space",
                        "all bodies move in the plane or all in space; " +
                            system.coordinates[system.bodies.front().coordinate].name +
                            " moves in " + (body.dimension == 3 ? "the plane." : "space."));
  body.mass = make_text(*table.find("mass"), key + ".mass");
  body.inertia = read_inertia(table.find("inertia"), key + ".inertia", body.dimension);
  body.centre = read_vector(table.find("centre"), key + ".centre", body.dimension);
  read_points(table.find("points"), key + ".points", body);
  body.shape = read_shape(table.find("shape"), key + ".shape", body);
  if (body.inertia.empty() && (!body.shape || body.shape->kind == "rod"))
    throw ScenarioError(table.place(), key + ".inertia",
                        "missing; give the inertia about the centre of mass, or a shape that it "
                        "follows from.");
  system.coordinates.push_back(pose);
  return body;
}

/// A.tip, A, B[i+1].base or ground.
JointEndText read_end_of_joint(const Text& text, const System& system) {
  const std::string& all = text.value;
  const auto open = all.find('['), close = all.rfind(']');
  const bool indexed = open != std::string::npos;
  if (indexed && (close == std::string::npos || close < open))
    throw ScenarioError(
        text, "a body of an array is written B[1] or B[i+1], found \"" + shown(all) + "\"");
  const auto dot = all.find('.', indexed ? close : 0);
  JointEndText end;
  end.text = text;
  if (dot != std::string::npos) end.point = trimmed(all.substr(dot + 1));
  if (indexed)  // with blanks before it, so that the columns of errors are right
    end.index = Text{std::string(open + 1, ' ') + all.substr(open + 1, close - open - 1),
                     text.place, text.key};
  const std::string name = trimmed(all.substr(0, indexed ? open : dot));
  if (name == ground && !indexed && dot == std::string::npos) return end;
  std::vector<std::string> known;
  for (const BodyText& body : system.bodies) {
    known.push_back(system.coordinates[body.coordinate].name);
    if (known.back() == name) end.body = known.size() - 1;
  }
  known.emplace_back(ground);
  if (!end.body)
    throw ScenarioError(text, name == ground
                                  ? "the ground has no named points; write \"ground\", and its "
                                    "point as at = [..]"
                                  : "there is no body \"" + shown(name) + "\"; there are: " +
                                        listed(known) + "." + did_you_mean(name, known));
  return end;
}

/// What is said of a body must be there.
void check_end_of_joint(const JointEndText& end, const System& system) {
  if (!end.body) return;
  const BodyText& body = system.bodies[*end.body];
  const Coordinate& pose = system.coordinates[body.coordinate];
  if (pose.array && !end.index)
    throw ScenarioError(end.text, pose.name + " is an array of bodies; name one of them, as in " +
                                      pose.name + "[" + std::to_string(pose.first) + "]");
  if (!pose.array && end.index)
    throw ScenarioError(end.text, pose.name + " is one body, not an array");
  const std::vector<std::string> points = point_names(body);
  const bool dotted =
      end.text.value.find('.', end.index ? end.text.value.rfind(']') : 0) != std::string::npos;
  if (dotted && !is_point(points, end.point))
    throw ScenarioError(end.text, pose.name + " has no point \"" + shown(end.point) +
                                      "\"; there are: " + listed(points) + "." +
                                      did_you_mean(end.point, points));
}

/// Keys of the joint that its kind does not have, or needs.
void check_joint_keys(const Value& table, const std::string& key, const JointKind& kind, bool plane,
                      bool grounded) {
  const std::string of = " " + kind.name + (plane ? " in the plane" : "");
  const bool in_plane_hinge = plane && kind.joint == Joint::hinge;
  const auto check = [&](const char* name, bool takes, bool needs, const char* example) {
    const Member* found = table.member(name);
    if (found != nullptr && !takes)
      throw ScenarioError(found->mark.place(), key + "." + name,
                          std::string("is not for a") + of + "; leave it out.");
    if (found == nullptr && needs)
      throw ScenarioError(table.place(), key + "." + name,
                          std::string("missing; a") + of + " needs it, as in " + example + ".");
  };
  const bool axis = kind.axis && !in_plane_hinge;
  check("axis", axis, axis, plane ? "axis = [1, 0]" : "axis = [0, 0, 1]");
  check("turn", kind.turn && !in_plane_hinge, false, "");
  check("length", kind.length, kind.length, "length = 1");
  if (const Member* at = table.member("at"); at != nullptr && !grounded)
    throw ScenarioError(at->mark.place(), key + ".at",
                        "is the point of the ground, which this joint does not have; a point of a "
                        "body is stated in its points.");
}

std::vector<Text> read_turn(const Value* value, const std::string& key, int dimension) {
  if (value == nullptr) return {};
  if (dimension == 3 && value->kind == Kind::list) return read_vector(value, key, 3);
  if (dimension == 2 && value->kind != Kind::list) return {make_text(*value, key)};
  throw ScenarioError(value->place(), key,
                      std::string("must be ") +
                          (dimension == 2 ? "an angle" : "a list of 3 numbers, axis times angle") +
                          ", found " + description(*value) + ".");
}

JointText read_joint(const Value& table, const std::string& key, const System& system) {
  const Value& between = *table.find("between");
  JointText joint;
  joint.kind = table.find("kind")->text;
  joint.where = {"", between.place(), key};
  if (between.items.size() != 2)
    throw ScenarioError(between.place(), key + ".between",
                        "takes two points, as in [\"A.tip\", \"B.base\"]; found " +
                            std::to_string(between.items.size()) + ".");
  for (const Text& text : read_texts(&between, key + ".between")) {
    joint.ends.push_back(read_end_of_joint(text, system));
    check_end_of_joint(joint.ends.back(), system);
    joint.where.value += (joint.where.value.empty() ? "" : " - ") + text.value;
  }
  const JointEndText &first = joint.ends[0], &second = joint.ends[1];
  if (first.body == second.body && !first.index)
    throw ScenarioError(second.text,
                        first.body ? "both points belong to the same body, which is rigid: a joint "
                                     "is between two bodies, or a body and the ground"
                                   : "both points belong to the ground; one must be of a body");
  const int dimension = system.bodies.front().dimension;
  check_joint_keys(table, key, *find_joint(joint.kind), dimension == 2,
                   !first.body || !second.body);
  joint.at = read_vector(table.find("at"), key + ".at", dimension);
  joint.axis = read_vector(table.find("axis"), key + ".axis", dimension);
  joint.turn = read_turn(table.find("turn"), key + ".turn", dimension);
  joint.length = text_of(table, "length", key);
  joint.range = read_range(table, key);
  return joint;
}

}  // namespace

void read_bodies(const Value& table, System& system) {
  const Value* list = table.find("body");
  if (list != nullptr && list->items.empty())
    throw ScenarioError(list->place(), "system.body", "the list is empty; leave it out.");
  if (list != nullptr)
    for (const Value& item : list->items)
      system.bodies.push_back(
          read_body(item, "system.body[" + std::to_string(system.bodies.size() + 1) + "]", system));
  if (const Value* gravity = table.find("gravity")) {
    const bool down = gravity->kind != Kind::list;
    system.gravity = down ? std::vector{make_text(*gravity, "system.gravity")}
                          : read_texts(gravity, "system.gravity");
  }
  if (const Value* hamiltonian = system.bodies.empty() ? nullptr : table.find("hamiltonian"))
    throw ScenarioError(hamiltonian->place(), "system.hamiltonian",
                        "bodies have a Lagrangian, to which nothing but another one can be added; "
                        "write lagrangian, or write the bodies as coordinates.");
}

void read_joints(const Value& table, System& system) {
  const Value* list = table.find("joint");
  if (list == nullptr || list->items.empty()) return;
  if (system.bodies.empty())
    throw ScenarioError(list->items.front().place(), "system.joint[1]",
                        "joints are between bodies, [[system.body]], and there are none; write "
                        "constraints between coordinates in holonomic.");
  system.joints = read_items(list, "system.joint", [&](const Value& item, const std::string& key) {
    return read_joint(item, key, system);
  });
}

void add_point_names(const System& system, NameTable& names) {
  for (const BodyText& body : system.bodies) {
    const Coordinate& pose = system.coordinates[body.coordinate];
    for (const std::string& point : point_names(body)) {
      std::vector<std::string> all = place_names(pose.name, point, body.dimension);
      all.push_back(place_name(pose.name, point));
      for (const std::string& name : all)
        names.add(name, "a point of " + pose.name, pose.place, pose.key);
    }
  }
}

std::string place_name(const std::string& body, const std::string& point) {
  return body + "_" + point;
}

std::vector<std::string> place_names(const std::string& body, const std::string& point,
                                     int dimension) {
  const std::string before = place_name(body, point);
  std::vector<std::string> names{before + "_x", before + "_y", before + "_z"};
  names.resize(static_cast<std::size_t>(dimension));
  return names;
}

}  // namespace varia::io
