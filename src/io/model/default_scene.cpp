// SPDX-License-Identifier: BSD-3-Clause
// What is drawn of a mechanism where the scenario has no [draw].
#include <algorithm>

#include "scene.hpp"

namespace varia::io {

namespace {

constexpr long most_traces = 12;
constexpr const char* axes = "xyz";

/// Writes the tables that a person could have written.
class Defaults {
 public:
  explicit Defaults(const System& system) : system_(system) {}
  SceneText write();

 private:
  Text text(std::string value) const { return {std::move(value), here_.place, here_.key}; }
  DrawnText drawn(const std::string& kind) const;
  AnchorText anchor(const std::vector<std::string>& numbers) const;
  AnchorText place_of(const std::string& body, const std::string& point,
                      const std::string& index) const;
  AnchorText end(const JointText& joint, const JointEndText& end) const;
  void begin(const Coordinate& coordinate);
  void add(DrawnText drawn) { scene_.drawn.push_back(std::move(drawn)); }
  void add_body(const BodyText& body);
  void add_joint(const JointText& joint);
  void add_point(const Coordinate& coordinate);

  const System& system_;
  SceneText scene_;
  Text here_;  ///< of the coordinate that is drawn
  std::string index_;
  std::optional<IndexRange> range_;
};

void Defaults::begin(const Coordinate& coordinate) {
  here_ = {coordinate.name, coordinate.place, coordinate.key};
  index_ = coordinate.array ? "[i]" : "";
  range_.reset();
  if (coordinate.array)
    range_.emplace(text(std::to_string(coordinate.first)), text(std::to_string(coordinate.last)));
}

DrawnText Defaults::drawn(const std::string& kind) const {
  DrawnText result;
  result.kind = kind;
  result.where = here_;
  result.range = range_;
  return result;
}

AnchorText Defaults::anchor(const std::vector<std::string>& numbers) const {
  AnchorText anchor;
  anchor.text = here_;
  for (const std::string& number : numbers) anchor.numbers.push_back(text(number));
  return anchor;
}

AnchorText Defaults::place_of(const std::string& body, const std::string& point,
                              const std::string& index) const {
  std::vector<std::string> names = place_names(body, point, scene_.dimension);
  for (std::string& name : names) name += index;
  return anchor(names);
}

void Defaults::add_body(const BodyText& body) {
  const Coordinate& pose = system_.coordinates[body.coordinate];
  begin(pose);
  const bool few = !pose.array || pose.last - pose.first < most_traces;
  if (body.shape && body.shape->kind == "rod") {
    DrawnText rod = drawn("link");
    for (const Text& end : body.shape->numbers)
      rod.between.push_back(place_of(pose.name, end.value, index_));
    add(rod);
  } else {
    const bool round = body.shape && (body.shape->kind == "sphere" || body.shape->kind == "disk");
    DrawnText shape = drawn(!body.shape ? "frame" : round ? "ball" : body.shape->kind);
    shape.on = text(pose.name + index_);
    shape.centre = body.centre;
    if (round) {
      shape.radius = body.shape->numbers.front();
    } else if (shape.kind == "cylinder") {
      shape.radius = body.shape->numbers[0];
      shape.length = body.shape->numbers[1];
    } else if (body.shape) {
      shape.size = body.shape->numbers;
    }
    add(shape);
  }
  DrawnText centre = drawn("point");
  centre.name = pose.name;
  centre.at = place_of(pose.name, centre_point, index_);
  centre.trace = few && system_.bodies.size() < most_traces;
  add(centre);
}

AnchorText Defaults::end(const JointText& joint, const JointEndText& end) const {
  if (!end.body) {
    AnchorText ground = anchor({});
    ground.numbers = joint.at;
    if (ground.numbers.empty()) ground.point = origin_point;
    return ground;
  }
  const Coordinate& pose = system_.coordinates[system_.bodies[*end.body].coordinate];
  const std::string index = end.index ? "[" + end.index->value + "]" : "";
  if (!end.point.empty()) return place_of(pose.name, end.point, index);
  std::vector<std::string> names;
  for (int k = 0; k < scene_.dimension; ++k) names.push_back(pose.name + "_" + axes[k] + index);
  return anchor(names);
}

void Defaults::add_joint(const JointText& joint) {
  if (!joint.length) return;
  here_ = joint.where;
  range_ = joint.range;
  DrawnText link = drawn("link");
  for (const JointEndText& one : joint.ends) link.between.push_back(end(joint, one));
  add(link);
}

/// A rotation or pose as a frame, a unit vector as a point of the sphere. Points of an array that are
/// nowhere stand beside each other.
void Defaults::add_point(const Coordinate& coordinate) {
  const Notation& notation = factor_of(coordinate)->notation();
  const auto& shown = notation.drawing.suffixes;
  const BodySpace* space = find_body_space(notation.key);
  if (coordinate.reduced || shown.size() != static_cast<std::size_t>(scene_.dimension)) return;
  begin(coordinate);
  const auto& entries = notation.entries.suffixes;
  const bool placed = std::find(entries.begin(), entries.end(), "_x") != entries.end();
  const std::string beside = coordinate.array && !placed ? "2.5*i" : "0";
  const auto entry = [&](std::size_t k) { return coordinate.name + shown[k] + index_; };
  const auto off = [&](std::size_t k) {
    return placed || k > 0 ? entry(k) : beside + " + " + entry(k);
  };
  DrawnText tip = drawn("point");
  tip.name = coordinate.name;
  tip.at = anchor(scene_.dimension == 2 ? std::vector{off(0), off(1)}
                                        : std::vector{off(0), off(1), off(2)});
  tip.trace = !coordinate.array || coordinate.last - coordinate.first < most_traces;
  const AnchorText middle = anchor({beside, "0", "0"});
  if (space != nullptr) {
    DrawnText frame = drawn("frame");
    frame.on = text(coordinate.name + index_);
    if (!placed) {
      frame.at = middle;
      frame.length = text("1");
    }
    add(frame);
  } else {
    DrawnText sphere = drawn("ball"), link = drawn("link");
    sphere.at = middle;
    sphere.radius = text("1");
    link.between = {middle, *tip.at};
    add(sphere);
    add(link);
  }
  add(tip);
}

SceneText Defaults::write() {
  const auto dimension = [](const Coordinate& c) {
    return c.reduced ? 0U : factor_of(c)->notation().drawing.suffixes.size();
  };
  std::size_t most = 0;
  for (const Coordinate& c : system_.coordinates) most = std::max(most, dimension(c));
  if (most < 2) return {};
  scene_.dimension = static_cast<int>(most);
  if (!system_.bodies.empty()) scene_.dimension = system_.bodies.front().dimension;
  for (const BodyText& body : system_.bodies)
    if (!system_.coordinates[body.coordinate].reduced) add_body(body);
  for (const JointText& joint : system_.joints) add_joint(joint);
  for (const Coordinate& c : system_.coordinates)
    if (!c.body) add_point(c);
  return scene_;
}

}  // namespace

SceneText default_scene(const System& system) { return Defaults(system).write(); }

}  // namespace varia::io
