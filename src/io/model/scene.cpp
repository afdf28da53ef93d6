// SPDX-License-Identifier: BSD-3-Clause
#include "scene.hpp"

#include <algorithm>
#include <cmath>

#include "../scenario/document.hpp"
#include "../scenario/expressions.hpp"
#include "../scenario/words.hpp"
#include "builder.hpp"
#include "varia/core/index.hpp"
#include "varia/expr/derivative.hpp"
#include "varia/expr/tape.hpp"

namespace varia::io {

namespace {

using detail::sz;

/// exp of a rotation vector; where it is 0, and near it, by the series.
Matrix<expr::Formula, 3> turned_by(const Vector<expr::Formula, 3>& x) {
  using S = expr::Formula;
  constexpr double tiny = 1e-24;  // what is added moves no digit of an angle that is not 0
  const S angle = sqrt(S(x.squaredNorm()) + S(tiny));
  Matrix<S, 3> hat;
  hat << 0.0, -x[2], x[1], x[2], 0.0, -x[0], -x[1], x[0], 0.0;
  const Matrix<S, 3> square = hat * hat;
  return Matrix<S, 3>::Identity() + hat * S(sin(angle) / angle) +
         square * S((1.0 - cos(angle)) / (angle * angle));
}

Matrix<expr::Formula, 3> turned_in_plane(const expr::Formula& angle) {
  Matrix<expr::Formula, 3> turn = Matrix<expr::Formula, 3>::Identity();
  turn(0, 0) = turn(1, 1) = cos(angle);
  turn(1, 0) = sin(angle);
  turn(0, 1) = -sin(angle);
  return turn;
}

}  // namespace

SceneBuilder::SceneBuilder(const Scenario& scenario, const Layout& layout, expr::Graph& graph,
                           const expr::Scope& names, const expr::Scope& parameters, Range range)
    : scenario_(scenario),
      layout_(layout),
      graph_(graph),
      all_names_(names),
      all_parameters_(parameters),
      range_(std::move(range)) {}

/// The entries of an expression that is a vector, or another array.
std::vector<SceneBuilder::Scalar> SceneBuilder::entries(const Text& text,
                                                        const expr::Shape& shape) {
  std::vector<Scalar> scalars;
  for (const expr::Id id : parse_entries(scenario_.text, graph_, *names_, text, shape))
    scalars.emplace_back(graph_, id);
  return scalars;
}

/// Its components, or one text for all of them.
SceneBuilder::Vector3 SceneBuilder::vector(const std::vector<Text>& texts) {
  Vector3 x = Vector3::Zero();
  if (texts.size() == 1) {
    const std::vector<Scalar> all = entries(texts[0], {{1, dimension()}});
    for (std::size_t k = 0; k < all.size(); ++k) x[static_cast<Eigen::Index>(k)] = all[k];
    return x;
  }
  for (std::size_t k = 0; k < texts.size(); ++k)
    x[static_cast<Eigen::Index>(k)] =
        Scalar(graph_, parse_text(scenario_.text, graph_, *names_, texts[k]));
  return x;
}

SceneBuilder::Vector3 SceneBuilder::place(const AnchorText& anchor) {
  if (!anchor.numbers.empty()) return vector(anchor.numbers);
  if (anchor.vector) {
    require_known(anchor);
    return vector({anchor.text});
  }
  if (anchor.point == origin_point) return Vector3::Zero();
  const Points& points = points_.at(anchor.point);
  if (!anchor.index) return points.places.front();
  const expr::Id id = parse_text(scenario_.text, graph_, *parameters_, *anchor.index);
  const double number = constant_value(graph_, id, *anchor.index);
  const double last =
      static_cast<double>(points.first) + static_cast<double>(points.places.size()) - 1;
  if (number != std::floor(number) || number < static_cast<double>(points.first) || number > last)
    throw ScenarioError(anchor.text, "there is no " + anchor.point + "[" + varia::to_text(number) +
                                         "]; the points are " + anchor.point + "[" +
                                         std::to_string(points.first) + "] to " + anchor.point +
                                         "[" + varia::to_text(last) + "]");
  return points.places[sz(static_cast<long>(number) - points.first)];
}

/// A single name that is neither that of a point nor of anything in formulas.
void SceneBuilder::require_known(const AnchorText& anchor) const {
  if (!expr::is_name(anchor.point) || names_->has(anchor.point)) return;
  std::vector<std::string> known{origin_point};
  for (const DrawnText& drawn : scenario_.scene.drawn)
    if (!drawn.name.empty()) known.push_back(drawn.name);
  throw ScenarioError(anchor.text, "there is no point " + shown(anchor.point) + "; there are: " +
                                       listed(known) + "." + did_you_mean(anchor.point, known));
}

/// The pose or rotation of the name, as R, R[3] or R[i].
SceneBuilder::Motion SceneBuilder::pose(const Text& on) {
  const auto open = on.value.find('[');
  const std::string name = trimmed(on.value.substr(0, open));
  std::vector<std::string> known;
  const Layout::Block* found = nullptr;
  for (const Layout::Block& block : layout_.blocks) {
    const BodySpace* space = find_body_space(block.notation().key);
    const bool fits =
        space != nullptr && space->dimension == dimension() && block.factor->entries() > 0;
    if (fits) known.push_back(block.name);
    if (block.name != name) continue;
    if (!fits)
      throw ScenarioError(
          on,
          name + " is " + block.notation().what +
              (dimension() == 2
                   ? ", and a picture in 2-D turns with a pose of SE2; for an angle write turn = "
                     "\"" +
                         name + "\""
                   : ", and a picture in 3-D turns with a rotation, SO3, or a pose, SE3; for other "
                     "coordinates write turn = [..]"));
    found = &block;
  }
  if (found == nullptr)
    throw ScenarioError(
        on, "there is no rotation or pose " + shown(name) + "; there " +
                (known.empty() ? "is none: write turn instead" : "are: " + listed(known)) + "." +
                did_you_mean(name, known));
  if (found->indices.size() > 1)
    throw ScenarioError(on, name + " has two indices; instead of on write turn, as in turn = \"" +
                                name + "[1,2]\"");
  long k = found->first;
  if ((open != std::string::npos) != found->array)
    throw ScenarioError(on, name + (found->array ? " is an array; say which, as in " + name + "[i]"
                                                 : " is not an array: it takes no index"));
  if (found->array) {
    const auto close = on.value.rfind(']');
    const Text index{
        on.value.substr(open + 1, close == std::string::npos ? close : close - open - 1), on.place,
        on.key};
    const double number =
        constant_value(graph_, parse_text(scenario_.text, graph_, *parameters_, index), index);
    if (number != std::floor(number) || number < found->first ||
        number >= static_cast<double>(found->first) + found->count)
      throw ScenarioError(on, "there is no " + name + "[" + varia::to_text(number) +
                                  "]; there are " + found->point(0) + " to " +
                                  found->point(found->count - 1));
    k = static_cast<long>(number);
  }
  const int at = static_cast<int>(k - found->first);
  std::vector<Scalar> q, v;
  for (const expr::Id id : layout_.point(graph_, *found, at)) q.emplace_back(graph_, id);
  for (const expr::Id id : layout_.velocity(graph_, *found, at)) v.emplace_back(graph_, id);
  return find_body_space(found->notation().key)->motion(q.data(), v.data());
}

/// An angle in the plane; axis times angle, or a matrix, which may be one expression.
SceneBuilder::Matrix3 SceneBuilder::turn(const std::vector<Text>& texts) {
  const auto parse = [&](const Text& text) {
    return Scalar(graph_, parse_text(scenario_.text, graph_, *names_, text));
  };
  if (dimension() == 2) return turned_in_plane(parse(texts[0]));
  const bool one = texts.size() == 1;
  const bool matrix = one ? parse_array(scenario_.text, graph_, *names_, texts[0]).shape.size() == 2
                          : texts.size() == 9;
  if (!matrix) return turned_by(vector(texts));
  std::vector<Scalar> all;
  if (one)
    all = entries(texts[0], {{1, 3}, {1, 3}});
  else
    for (const Text& text : texts) all.push_back(parse(text));
  Matrix3 R;
  for (int k = 0; k < 9; ++k) R(k / 3, k % 3) = all[sz(k)];
  return R;
}

/// The frame a thing is drawn in: turned, and at the place of its centre.
SceneBuilder::Motion SceneBuilder::motion(const DrawnText& text) {
  Motion frame;
  if (text.on) frame = pose(*text.on);
  if (!text.turn.empty()) frame.R = turn(text.turn);
  if (text.at) frame.x = place(*text.at);
  frame.x = frame.place(vector(text.centre));
  return frame;
}

double SceneBuilder::length(const std::optional<Text>& text, double otherwise) {
  if (!text) return otherwise;
  const double value =
      constant_value(graph_, parse_text(scenario_.text, graph_, *parameters_, *text), *text);
  if (!(value > 0.0))
    throw ScenarioError(*text, "must be greater than 0, found " + varia::to_text(value));
  return value;
}

std::vector<double> SceneBuilder::sizes(const DrawnText& text) {
  std::vector<double> sizes;
  for (const Text& size : text.size) sizes.push_back(length(size, 0.0));
  if (text.radius) sizes.push_back(length(text.radius, 0.0));
  if (text.length) sizes.push_back(length(text.length, 0.0));
  if (text.level)
    sizes.push_back(constant_value(
        graph_, parse_text(scenario_.text, graph_, *parameters_, *text.level), *text.level));
  return sizes;
}

int SceneBuilder::output(const Scalar& value, const Text& where) {
  const expr::Id id = value.in(graph_);
  const auto [at, is_new] = numbers_.emplace(id, static_cast<int>(formulas_.size()));
  if (is_new) {
    formulas_.push_back(id);
    wheres_.push_back(where);
  }
  return at->second;
}

std::vector<int> SceneBuilder::outputs(const Vector3& place, const Text& where) {
  std::vector<int> numbers;
  numbers.reserve(3);
  for (int k = 0; k < dimension(); ++k) numbers.push_back(output(place[k], where));
  return numbers;
}

std::vector<int> SceneBuilder::turn_outputs(const Motion& motion, const Text& where) {
  if (dimension() == 2) return {output(motion.R(0, 0), where), output(motion.R(1, 0), where)};
  std::vector<int> numbers;
  numbers.reserve(9);
  for (int k = 0; k < 9; ++k) numbers.push_back(output(motion.R(k / 3, k % 3), where));
  return numbers;
}

void SceneBuilder::add(const DrawnText& text, int entry, long index) {
  Drawn drawn;
  drawn.kind = text.kind;
  drawn.entry = entry;
  drawn.name =
      text.name.empty() || !text.range ? text.name : text.name + "[" + std::to_string(index) + "]";
  drawn.trace = text.trace;
  drawn.spring = text.spring;
  drawn.size = sizes(text);
  if (text.kind == "point") {
    const Vector3 at = place(*text.at);
    if (!text.name.empty()) {
      Points& points = points_[text.name];
      if (points.places.empty()) points.first = index;
      points.places.push_back(at);
    }
    drawn.places.push_back(outputs(at, text.where));
  } else if (!text.between.empty()) {
    for (const AnchorText& end : text.between)
      drawn.places.push_back(outputs(place(end), end.text));
  } else if (text.kind == "arrow") {
    const Vector3 from = place(*text.from);
    const Vector3 along = vector(text.along) * Scalar(length(text.scale, 1.0));
    drawn.places = {outputs(from, text.where), outputs(from + along, text.where)};
  } else if (text.kind != "ground") {
    const Motion frame = motion(text);
    drawn.places.push_back(outputs(frame.x, text.where));
    if (text.on || !text.turn.empty() || text.kind != "ball")
      drawn.turn = turn_outputs(frame, text.where);
  }
  scene_.drawn.push_back(std::move(drawn));
}

Scene SceneBuilder::build(const SceneText& text) {
  scene_.dimension = text.dimension;
  scene_.up = text.up;
  // points come first: they are named by what may stand above them
  for (const bool points : {true, false})
    for (std::size_t k = 0; k < text.drawn.size(); ++k) {
      const DrawnText& drawn = text.drawn[k];
      if ((drawn.kind == "point") != points) continue;
      const auto [first, last] = range_(drawn.range, drawn.where);
      for (long i = first; i <= last; ++i) {
        names_ = &all_names_.at(i, drawn.range.has_value());
        parameters_ = &all_parameters_.at(i, drawn.range.has_value());
        add(drawn, static_cast<int>(k), i);
      }
    }
  if (scene_.drawn.empty()) return scene_;
  scene_.count = static_cast<int>(formulas_.size());
  scene_.outputs = expr::Kernel(
      std::make_shared<const expr::Tape>(graph_, formulas_, 1 + layout_.entries + 2 * layout_.n));
  return scene_;
}

void SceneBuilder::require_values(double t, const std::vector<double>& q,
                                  const expr::NameList& variables) const {
  std::vector<double> x(sz(1 + layout_.entries + 2 * layout_.n), 0.0), values(formulas_.size());
  x[0] = t;
  std::copy(q.begin(), q.end(), x.begin() + 1);
  if (formulas_.empty()) return;
  scene_.outputs(x.data(), values.data());
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (std::isfinite(values[k])) continue;
    const std::vector<int> used = expr::variables_of(graph_, formulas_[k]);
    if (!used.empty() && used.back() >= layout_.velocity_variable(0)) continue;  // v is not known
    throw ScenarioError(wheres_[k],
                        "has no finite place at the start: " +
                            expr::Tape(graph_, {formulas_[k]}, static_cast<int>(x.size()))
                                .non_finite(x.data(), variables));
  }
}

void ModelBuilder::read_scene() {
  constexpr std::size_t most_drawn = 100000;
  const bool none = scenario_.scene.drawn.empty();
  SceneBuilder builder(scenario_, layout_, *graph_, everything_, parameters_,
                       [&](const std::optional<IndexRange>& range, const Text& text) {
                         return indices(range, text, most_drawn, "things to draw");
                       });
  model_.scene = builder.build(none ? default_scene(scenario_.system, distance_links(model_),
                                                    inertia_ellipsoids(model_, layout_))
                                    : scenario_.scene);
  model_.scene.by_default = none;
  if (!none) builder.require_values(model_.t0, model_.q0, model_.variable_names);
}

}  // namespace varia::io
