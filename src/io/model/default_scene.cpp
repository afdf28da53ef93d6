// SPDX-License-Identifier: BSD-3-Clause
// What is drawn of a mechanism where the scenario has no [draw].
#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <unordered_map>

#include "scene.hpp"

namespace varia::io {

namespace {

constexpr long most_traces = 12;
constexpr long most_of_an_array = 2000;  // more of them are not drawn without being asked for
constexpr const char* axes = "xyz";

/// Whether its points have a place, beside a direction.
bool is_placed(const Coordinate& coordinate) {
  const auto& entries = factor_of(coordinate)->notation().entries.suffixes;
  return std::find(entries.begin(), entries.end(), "_x") != entries.end();
}

/// Whether there are many of what is drawn.
bool is_array(const Coordinate& c) { return c.indices().size() > (c.vector ? 1U : 0U); }

long count(const Coordinate& c) {
  return is_array(c) ? static_cast<long>(c.last) - c.first + 1 : 1;
}

bool is_drawn(const Coordinate& c) {
  const bool one_index = c.vector || c.indices().size() < 2;
  return !c.reduced && one_index && count(c) <= most_of_an_array;
}

/// How many coordinates its picture has; 0: it has none.
std::size_t dimension_of(const Coordinate& c) {
  if (!is_drawn(c)) return 0;
  if (!c.vector) return factor_of(c)->notation().drawing.suffixes.size();
  const auto size = static_cast<std::size_t>(c.indices().back().count);
  return size == 2 || size == 3 ? size : 0;
}

/// Writes the tables that a person could have written.
class Defaults {
 public:
  Defaults(const System& system, const Links& links, const Ellipsoids& ellipsoids)
      : system_(system), links_(links), ellipsoids_(ellipsoids) {}
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
  void add_vector(const Coordinate& coordinate);
  bool is_of_vector(const PointNames& names) const;
  void add_links();

  const System& system_;
  const Links& links_;
  const Ellipsoids& ellipsoids_;
  SceneText scene_;
  Text here_;  ///< of the coordinate that is drawn
  std::string index_;
  std::optional<IndexRange> range_;
};

void Defaults::begin(const Coordinate& coordinate) {
  here_ = {coordinate.name, coordinate.place, coordinate.key};
  index_ = is_array(coordinate) ? "[i]" : "";
  range_.reset();
  if (is_array(coordinate))
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
  const bool few = count(pose) <= most_traces;
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
  names.reserve(3);
  for (int k = 0; k < scene_.dimension; ++k)
    names.push_back(is_placed(pose) ? pose.name + "_" + axes[k] + index : "0");
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

/// A vector in the plane or in space is the place of a body.
void Defaults::add_vector(const Coordinate& coordinate) {
  DrawnText body = drawn("point");
  body.name = coordinate.name;
  body.at = anchor({});
  body.at->vector = true;
  body.at->text = text(coordinate.name + index_);
  body.trace = count(coordinate) <= most_traces;
  add(body);
}

/// A rotation or pose as a frame, a unit vector as a point of the sphere. Points of an array that are
/// nowhere stand beside each other.
void Defaults::add_point(const Coordinate& coordinate) {
  const Notation& notation = factor_of(coordinate)->notation();
  const auto& shown = notation.drawing.suffixes;
  const BodySpace* space = find_body_space(notation.key);
  if (dimension_of(coordinate) != static_cast<std::size_t>(scene_.dimension)) return;
  begin(coordinate);
  if (coordinate.vector) return add_vector(coordinate);
  const bool placed = is_placed(coordinate);
  const std::string beside = coordinate.array && !placed ? "2.5*i" : "0";
  const auto entry = [&](std::size_t k) { return coordinate.name + shown[k] + index_; };
  const auto off = [&](std::size_t k) {
    return placed || k > 0 ? entry(k) : beside + " + " + entry(k);
  };
  DrawnText tip = drawn("point");
  tip.name = coordinate.name;
  tip.at = anchor(scene_.dimension == 2 ? std::vector{off(0), off(1)}
                                        : std::vector{off(0), off(1), off(2)});
  tip.trace = count(coordinate) <= most_traces;
  const AnchorText middle = anchor({beside, "0", "0"});
  if (space != nullptr) {
    DrawnText frame = drawn("frame");
    frame.on = text(coordinate.name + index_);
    if (!placed) {
      frame.at = middle;
      frame.length = text("1");
    }
    add(frame);
    if (const auto axes_of = ellipsoids_.find(coordinate.name); axes_of != ellipsoids_.end()) {
      DrawnText ellipsoid = drawn("ball");
      ellipsoid.on = frame.on;
      ellipsoid.at = frame.at;
      for (const double axis : axes_of->second)
        ellipsoid.size.push_back(text(varia::to_text(axis)));
      add(ellipsoid);
    }
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

bool Defaults::is_of_vector(const PointNames& names) const {
  return std::any_of(
      system_.coordinates.begin(), system_.coordinates.end(),
      [&](const Coordinate& c) { return c.vector && names.front().starts_with(c.name + "["); });
}

void Defaults::add_links() {
  here_ = *system_.constraint();
  range_.reset();
  const auto end = [&](const PointNames& names) {
    AnchorText at = anchor(names);
    if (names.empty()) at.point = origin_point;
    return at;
  };
  std::set<PointNames> points;
  for (const auto& [one, other] : links_) {
    if (one.size() != static_cast<std::size_t>(scene_.dimension)) continue;
    DrawnText link = drawn("link");
    link.between = {end(other), end(one)};
    add(link);
    for (const PointNames* names : {&one, &other})
      if (!names->empty() && !is_of_vector(*names)) points.insert(*names);
  }
  for (const PointNames& names : points) {
    DrawnText point = drawn("point");
    point.name = names.front().size() == 1 ? "body" : "body " + names.front().substr(1);
    point.at = anchor(names);
    point.trace = points.size() <= static_cast<std::size_t>(most_traces);
    add(point);
  }
}

SceneText Defaults::write() {
  std::size_t most = 0;
  for (const Coordinate& c : system_.coordinates) most = std::max(most, dimension_of(c));
  for (const auto& [one, other] : links_) most = std::max(most, one.size());
  if (most < 2) return {};
  scene_.dimension = static_cast<int>(most);
  if (!system_.bodies.empty()) scene_.dimension = system_.bodies.front().dimension;
  for (const BodyText& body : system_.bodies)
    if (is_drawn(system_.coordinates[body.coordinate])) add_body(body);
  for (const JointText& joint : system_.joints) add_joint(joint);
  for (const Coordinate& c : system_.coordinates)
    if (!c.body) add_point(c);
  if (!links_.empty()) add_links();
  return scene_;
}

}  // namespace

SceneText default_scene(const System& system, const Links& links, const Ellipsoids& ellipsoids) {
  return Defaults(system, links, ellipsoids).write();
}

namespace {

using Slopes = std::map<int, double>;  // by coordinate

/// The coordinates x, y and perhaps z of the points that are numbers, and vectors.
std::vector<std::vector<int>> points_of(const Model& model) {
  const expr::NameList& names = model.entry_names;
  std::unordered_map<std::string, int> at;
  for (std::size_t k = 0; k < names.size(); ++k) at.emplace(names[k], static_cast<int>(k));
  std::vector<std::vector<int>> points;
  for (const std::string& name : names) {
    if (name[0] != axes[0]) continue;
    std::vector<int> point;
    for (std::string other = name; point.size() < 3; point.push_back(at[other])) {
      other[0] = axes[point.size()];
      if (at.count(other) == 0) break;
    }
    if (point.size() > 1) points.push_back(point);
  }
  int entry = 0;
  for (const Coordinate& c : model.scenario.system.coordinates) {
    const int size = c.vector ? c.indices().back().count : 0;
    const bool drawn = c.vector && dimension_of(c) > 0;
    for (long k = 0; drawn && k < count(c); ++k) {
      std::vector<int>& point = points.emplace_back();
      for (int i = 0; i < size; ++i) point.push_back(entry + static_cast<int>(k) * size + i);
    }
    entry += static_cast<int>(c.points()) * factor_of(c)->entries();
  }
  return points;
}

/// Whether the slopes at the point are along the way from the other one, or from the origin, and those
/// there opposite to them.
bool keeps_distance(const Slopes& slopes, const std::vector<int>& point,
                    const std::vector<int>* other, const double* q) {
  double square = 0.0, along = 0.0, length = 0.0, opposite = 0.0;
  for (std::size_t k = 0; k < point.size(); ++k) {
    const auto slope = [&](int i) { return slopes.count(i) > 0 ? slopes.at(i) : 0.0; };
    const double g = slope(point[k]);
    const double way = q[point[k]] - (other != nullptr ? q[(*other)[k]] : 0.0);
    square += g * g;
    along += g * way;
    length += way * way;
    if (other != nullptr) opposite += std::abs(g + slope((*other)[k]));
  }
  constexpr double tolerance = 1e-9;
  return square > 0.0 && along * along >= (1.0 - tolerance) * square * length &&
         opposite <= tolerance * std::sqrt(square);
}

}  // namespace

Links distance_links(const Model& model) {
  const KernelSystem& f = *model.system;
  const std::size_t stated = static_cast<std::size_t>(f.d) - model.joint_constraints.size();
  if (stated == 0 || !f.on_vector_space() || f.rheonomic()) return {};
  const std::vector<std::vector<int>> points = points_of(model);
  std::vector<int> owner(model.entry_names.size(), -1);
  for (std::size_t k = 0; k < points.size(); ++k)
    for (const int i : points[k]) owner[static_cast<std::size_t>(i)] = static_cast<int>(k);
  std::vector<double> x{model.t0};  // off the start, where slopes may look alike by chance
  for (const double q : model.q0)
    x.push_back(q + 0.1 * std::sin(1.0 + static_cast<double>(x.size())));
  std::vector<double> values(static_cast<std::size_t>(f.d + f.constraint_pattern.size()));
  f.constraint(x.data(), values.data());
  std::vector<Slopes> slopes(static_cast<std::size_t>(f.d));
  const double* entry = values.data() + f.d;
  for (std::size_t e = 0; e < f.constraint_pattern.row.size(); ++e)
    slopes[static_cast<std::size_t>(f.constraint_pattern.row[e])][f.constraint_pattern.column[e]] =
        *entry++;
  const auto names = [&](int point) {
    PointNames result;
    for (const int i : points[static_cast<std::size_t>(point)])
      result.push_back(model.entry_names[static_cast<std::size_t>(i)]);
    return result;
  };
  Links links;
  for (std::size_t a = 0; a < stated; ++a) {
    std::set<int> met;
    for (const auto& [i, slope] : slopes[a]) met.insert(owner[static_cast<std::size_t>(i)]);
    if (met.empty() || met.count(-1) > 0 || met.size() > 2) continue;
    const auto& first = points[static_cast<std::size_t>(*met.begin())];
    const auto* second =
        met.size() == 2 ? &points[static_cast<std::size_t>(*met.rbegin())] : nullptr;
    if (second != nullptr && second->size() != first.size()) continue;
    if (keeps_distance(slopes[a], first, second, x.data() + 1))
      links.emplace_back(names(*met.begin()),
                         second != nullptr ? names(*met.rbegin()) : PointNames{});
  }
  if (links.size() > static_cast<std::size_t>(most_of_an_array)) return {};
  return links;
}

namespace {

/// √(5/2 (I₂ + I₃ - I₁)/m) and so on, of a homogeneous ellipsoid; none where no body has these moments. Of
/// an unknown mass: the longest is 0.7.
std::optional<std::array<double, 3>> semi_axes(const std::array<double, 3>& moments, double mass) {
  std::array<double, 3> squares{};
  const double sum = moments[0] + moments[1] + moments[2];
  for (std::size_t k = 0; k < 3; ++k) squares[k] = 2.5 * (sum - 2.0 * moments[k]);
  const double longest = *std::max_element(squares.begin(), squares.end());
  constexpr double flat = 1e-4;
  if (!(*std::min_element(squares.begin(), squares.end()) > flat * longest)) return std::nullopt;
  const double divisor = mass > 0.0 ? mass : longest / (0.7 * 0.7);
  for (double& x : squares) x = std::sqrt(x / divisor);
  return squares;
}

}  // namespace

Ellipsoids inertia_ellipsoids(const Model& model, const Layout& layout) {
  const KernelSystem& f = *model.system;
  if (model.hamiltonian || !f.hessian) return {};
  const auto of_body = [](const Layout::Block& block) {
    const BodySpace* space = find_body_space(block.notation().key);
    return !block.array && space != nullptr && space->dimension == 3 && block.entries() > 0;
  };
  if (std::none_of(layout.blocks.begin(), layout.blocks.end(), of_body)) return {};
  const std::vector<double> rest(static_cast<std::size_t>(f.n), 0.0);
  const std::vector<double> x = f.point(model.t0, model.q0.data(), rest.data());
  std::vector<double> second(static_cast<std::size_t>(2 * f.n + f.second.size()));
  f.hessian(x.data(), second.data());
  std::map<std::pair<int, int>, double> inertia;  // the lower triangle
  const double* inertia_entry = second.data() + 2 * f.n;
  for (std::size_t e = 0; e < f.second.row.size(); ++e, ++inertia_entry)
    if (f.second.column[e] >= f.n)
      inertia[{f.second.row[e] - f.n, f.second.column[e] - f.n}] = *inertia_entry;
  Ellipsoids found;
  for (const Layout::Block& block : layout.blocks) {
    if (!of_body(block)) continue;
    bool diagonal = true;
    std::array<double, 6> moments{};  // and masses
    for (int i = 0; i < block.dof(); ++i)
      for (int j = 0; j <= i; ++j) {
        const auto entry = inertia.find({block.degree + i, block.degree + j});
        const double value = entry == inertia.end() ? 0.0 : entry->second;
        if (i == j) moments[static_cast<std::size_t>(i)] = value;
        diagonal = diagonal && std::isfinite(value) && (i == j || value == 0.0);
      }
    if (!diagonal || moments[3] != moments[4] || moments[4] != moments[5]) continue;
    const auto axes_found = semi_axes({moments[0], moments[1], moments[2]}, moments[3]);
    if (axes_found) found.emplace(block.name, *axes_found);
  }
  return found;
}

}  // namespace varia::io
