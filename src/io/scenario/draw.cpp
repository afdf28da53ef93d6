// SPDX-License-Identifier: BSD-3-Clause
// [draw]: the picture of the mechanism.
#include <algorithm>
#include <map>

#include "reading.hpp"
#include "words.hpp"

namespace varia::io {

namespace {

/// The tables of one scene are read by this, in the order of the file.
class DrawnReader {
 public:
  explicit DrawnReader(SceneText& scene) : scene_(scene) {}

  void read(const std::string& kind, const Value& table, const std::string& key);
  /// Every name of a point is that of one.
  void check_names();

 private:
  std::size_t dimension() const { return static_cast<std::size_t>(scene_.dimension); }
  bool plane() const { return scene_.dimension == 2; }
  std::vector<Text> coordinates(const Value& list, const std::string& key) const;
  AnchorText anchor(const Value& value, const std::string& key) const;
  std::optional<AnchorText> anchor_of(const Value& table, const char* name,
                                      const std::string& key) const;
  std::vector<AnchorText> ends(const Value& table, const std::string& key) const;
  std::vector<Text> turn(const Value& table, const std::string& key) const;
  void require(const Value& table, const DrawnText& drawn, const char* name,
               const char* example) const;
  void check(const Value& table, const DrawnText& drawn) const;
  void check_cylinder(const Value& table, const DrawnText& drawn) const;
  void check_name(AnchorText& anchor) const;
  void add_name(const Value& table, const DrawnText& drawn);

  SceneText& scene_;
  std::map<std::string, bool> points_;  ///< and whether there are many of the name
};

/// Of a vector that is an expression one text.
std::vector<Text> DrawnReader::coordinates(const Value& list, const std::string& key) const {
  if (list.kind == Kind::text) return {make_text(list, key)};
  if (list.items.size() != dimension())
    throw ScenarioError(
        list.place(), key,
        "must have " + std::to_string(dimension()) + " coordinates in a view of " +
            (plane() ? "2-D" : "3-D") + ", found " + std::to_string(list.items.size()) +
            "; the view is stated by view = \"" + (plane() ? "3d" : "2d") + "\" in [draw].");
  return read_texts(&list, key);
}

AnchorText DrawnReader::anchor(const Value& value, const std::string& key) const {
  AnchorText anchor;
  anchor.text = {value.kind == Kind::list ? "" : value.text, value.place(), key};
  if (value.kind == Kind::list) {
    anchor.numbers = coordinates(value, key);
    return anchor;
  }
  const std::string& name = value.text;
  const auto open = name.find('[');
  anchor.point = trimmed(name.substr(0, open));
  if (open == std::string::npos || name.back() != ']') return anchor;
  anchor.index = Text{name.substr(open + 1, name.size() - open - 2), value.place(), key};
  return anchor;
}

std::optional<AnchorText> DrawnReader::anchor_of(const Value& table, const char* name,
                                                 const std::string& key) const {
  const Value* value = table.find(name);
  if (value == nullptr) return std::nullopt;
  return anchor(*value, key + "." + name);
}

std::vector<AnchorText> DrawnReader::ends(const Value& table, const std::string& key) const {
  const Value* between = table.find("between");
  if (between == nullptr) return {};
  const std::string here = key + ".between";
  if (between->items.size() != 2)
    throw ScenarioError(between->place(), here,
                        "takes two ends, as in [\"origin\", \"bob\"]; found " +
                            std::to_string(between->items.size()) + ".");
  return read_items(between, here,
                    [&](const Value& item, const std::string& at) { return anchor(item, at); });
}

std::vector<Text> DrawnReader::turn(const Value& table, const std::string& key) const {
  const Value* value = table.find("turn");
  if (value == nullptr) return {};
  const std::string here = key + ".turn";
  if (plane()) {
    if (value->kind == Kind::list)
      throw ScenarioError(value->place(), here,
                          "must be an angle in a view of 2-D, found " + description(*value) + ".");
    return {make_text(*value, here)};
  }
  if (value->kind == Kind::text) return {make_text(*value, here)};
  if (value->kind != Kind::list)
    throw ScenarioError(value->place(), here,
                        "must be a list of 3 numbers, axis times angle, or of 3 rows of 3 numbers; "
                        "found " +
                            description(*value) + ".");
  const bool rows = !value->items.empty() && value->items.front().kind == Kind::list;
  std::vector<Text> numbers;
  read_rows(*value, here, rows ? std::vector{3, 3} : std::vector{3}, numbers);
  return numbers;
}

void DrawnReader::require(const Value& table, const DrawnText& drawn, const char* name,
                          const char* example) const {
  if (table.find(name) == nullptr)
    throw ScenarioError(table.place(), drawn.where.key + "." + name,
                        std::string("missing; ") + (drawn.kind == "arrow" ? "an " : "a ") +
                            drawn.kind + " needs it, as in " + name + " = " + example + ".");
}

void DrawnReader::check_cylinder(const Value& table, const DrawnText& drawn) const {
  if (plane())
    throw ScenarioError(table.place(), drawn.where.key,
                        "a cylinder is drawn in a view of 3-D; write view = \"3d\" in [draw], or a "
                        "ball, which is a disk in a view of 2-D.");
  require(table, drawn, "radius", "0.5");
  if (drawn.between.empty()) {
    require(table, drawn, "length", "0.1");
    return;
  }
  for (const char* other : {"at", "on", "turn", "centre", "length"})
    if (const Member* given = table.member(other))
      throw ScenarioError(given->mark.place(), drawn.where.key + "." + other,
                          "given together with " + drawn.where.key +
                              ".between, the centres of the faces; give one of them.");
}

/// What each kind needs, and keys that exclude each other.
void DrawnReader::check(const Value& table, const DrawnText& drawn) const {
  const std::string& kind = drawn.kind;
  if (kind == "point")
    require(table, drawn, "at", plane() ? "[\"x\", \"y\"]" : "[\"x\", \"y\", \"z\"]");
  if (kind == "link") require(table, drawn, "between", "[\"origin\", \"bob\"]");
  if (kind == "box") require(table, drawn, "size", plane() ? "[1, 0.1]" : "[1, 0.1, 0.1]");
  if (kind == "ball" && drawn.size.empty()) require(table, drawn, "radius", "0.1");
  if (kind == "cylinder") check_cylinder(table, drawn);
  if (kind == "arrow") {
    require(table, drawn, "from", "\"bob\"");
    require(table, drawn, "along",
            plane() ? "[\"x_dot\", \"y_dot\"]" : "[\"x_dot\", \"y_dot\", \"z_dot\"]");
  }
  const auto together = [&](const char* one, const char* other) {
    const Member* second = table.member(other);
    if (table.member(one) != nullptr && second != nullptr)
      throw ScenarioError(
          second->mark.place(), drawn.where.key + "." + other,
          "given together with " + drawn.where.key + "." + one + "; give one of them.");
  };
  together("on", "turn");
  if (kind == "ball") {
    together("radius", "size");
    if (plane() && !drawn.size.empty())
      throw ScenarioError(table.member("size")->mark.place(), drawn.where.key + ".size",
                          "an ellipsoid is drawn in a view of 3-D; write radius, or view = \"3d\" "
                          "in [draw].");
  }
}

void DrawnReader::add_name(const Value& table, const DrawnText& drawn) {
  if (drawn.name.empty()) return;
  const Place place = table.find("name")->place();
  const std::string key = drawn.where.key + ".name";
  require_identifier(drawn.name, place, key);
  if (drawn.name == origin_point)
    throw ScenarioError(place, key,
                        "origin is the point with all coordinates 0; choose another name.");
  if (!points_.emplace(drawn.name, drawn.range.has_value()).second)
    throw ScenarioError(place, key, drawn.name + " is already a point; choose another name.");
}

void DrawnReader::read(const std::string& kind, const Value& table, const std::string& key) {
  DrawnText drawn;
  drawn.kind = kind;
  drawn.where = {"", table.place(), key};
  if (const Value* name = table.find("name")) drawn.name = name->text;
  drawn.at = anchor_of(table, "at", key);
  drawn.between = ends(table, key);
  drawn.from = anchor_of(table, "from", key);
  if (const Value* along = table.find("along")) drawn.along = coordinates(*along, key + ".along");
  drawn.on = text_of(table, "on", key);
  drawn.turn = turn(table, key);
  if (const Value* centre = table.find("centre"))
    drawn.centre = coordinates(*centre, key + ".centre");
  if (const Value* size = table.find("size")) drawn.size = coordinates(*size, key + ".size");
  drawn.radius = text_of(table, "radius", key);
  drawn.length = text_of(table, "length", key);
  drawn.scale = text_of(table, "scale", key);
  drawn.level = text_of(table, "level", key);
  const auto is = [&](const char* name) {
    const Value* value = table.find(name);
    return value != nullptr && value->truth;
  };
  drawn.trace = is("trace");
  drawn.spring = is("spring");
  drawn.range = read_range(table, key);
  check(table, drawn);
  add_name(table, drawn);
  scene_.drawn.push_back(std::move(drawn));
}

/// What is not the name of a point is an expression.
void DrawnReader::check_name(AnchorText& anchor) const {
  if (!anchor.numbers.empty() || anchor.point == origin_point) return;
  const auto point = points_.find(anchor.point);
  anchor.vector = point == points_.end();
  if (anchor.vector) return;
  if (point->second && !anchor.index)
    throw ScenarioError(anchor.text, anchor.point + " is drawn for each i; say which, as in " +
                                         anchor.point + "[i] or " + anchor.point + "[1]");
  if (!point->second && anchor.index)
    throw ScenarioError(anchor.text, anchor.point + " is a single point: it takes no index");
}

void DrawnReader::check_names() {
  for (DrawnText& drawn : scene_.drawn) {
    if (drawn.at && drawn.kind == "point")
      drawn.at->vector = drawn.at->numbers.empty();
    else if (drawn.at)
      check_name(*drawn.at);
    if (drawn.from) check_name(*drawn.from);
    for (AnchorText& end : drawn.between) check_name(end);
  }
}

}  // namespace

SceneText read_scene(const Value& table) {
  SceneText scene;
  scene.dimension = table.find("view")->text == "3d" ? 3 : 2;
  scene.up = table.find("up")->text;
  DrawnReader reader(scene);
  for (const Member& member : table.members)
    for (std::size_t k = 0; k < member.value.items.size(); ++k)
      reader.read(member.key, member.value.items[k],
                  "draw." + member.key + "[" + std::to_string(k + 1) + "]");
  reader.check_names();
  return scene;
}

}  // namespace varia::io
