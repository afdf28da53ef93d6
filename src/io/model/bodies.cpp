// SPDX-License-Identifier: BSD-3-Clause
#include "bodies.hpp"

#include <algorithm>
#include <cmath>

#include "../scenario/expressions.hpp"
#include "varia/core/index.hpp"
#include "varia/expr/derivative.hpp"
#include "varia/expr/tape.hpp"

namespace varia::io {

namespace {

using detail::sz;

Matrix<expr::Formula, 3> diagonal(const Vector<expr::Formula, 3>& moments) {
  Matrix<expr::Formula, 3> matrix = Matrix<expr::Formula, 3>::Zero();
  for (int i = 0; i < 3; ++i) matrix(i, i) = moments[i];
  return matrix;
}

/// exp of a rotation vector that is not zero.
Matrix<expr::Formula, 3> rotation_by(const Vector<expr::Formula, 3>& x) {
  using S = expr::Formula;
  const S angle = sqrt(S(x.squaredNorm()));
  const Vector<S, 3> axis = x / angle;
  Matrix<S, 3> hat;
  hat << 0.0, -axis[2], axis[1], axis[2], 0.0, -axis[0], -axis[1], axis[0], 0.0;
  const Matrix<S, 3> square = hat * hat;
  return Matrix<S, 3>::Identity() + hat * sin(angle) + square * (1.0 - cos(angle));
}

}  // namespace

Bodies::Bodies(const Scenario& scenario, const Layout& layout, expr::Graph& graph,
               const expr::Scope& parameters)
    : scenario_(scenario), layout_(layout), graph_(graph), parameters_(parameters) {
  const System& s = scenario.system;
  if (s.bodies.empty() && !s.gravity.empty())
    throw ScenarioError(s.gravity.front(),
                        "acts on bodies, [[system.body]], and there are none; write the potential "
                        "of the weight in lagrangian");
  if (!s.gravity.empty()) gravity_ = read_gravity(parameters);
  for (const BodyText& text : s.bodies) {
    const Layout::Block& block = layout.blocks[text.coordinate];
    EntryScope scope(parameters);
    std::vector<One>& list = bodies_.emplace_back();
    for (int k = 0; k < block.count; ++k)
      list.push_back(read(text, block, k, scope.at(block.first + k, block.array)));
  }
}

// Numbers as formulas: what free parameters do to them is known.

Bodies::Scalar Bodies::scalar(const expr::Scope& scope, const Text& text) const {
  const expr::Id id = parse_text(scenario_.text, graph_, scope, text);
  constant_value(graph_, id, text);
  return {graph_, id};
}

Bodies::Scalar Bodies::positive(const expr::Scope& scope, const Text& text) const {
  const Scalar x = scalar(scope, text);
  if (!(value(x) > 0.0))
    throw ScenarioError(text, "must be greater than 0, found " + varia::to_text(value(x)));
  return x;
}

/// Numbers that are not given are 0: the third in the plane, and all of an empty list.
Bodies::Vector3 Bodies::vector(const expr::Scope& scope, const std::vector<Text>& texts) const {
  Vector3 x = Vector3::Zero();
  for (std::size_t k = 0; k < texts.size(); ++k)
    x[static_cast<Eigen::Index>(k)] = scalar(scope, texts[k]);
  return x;
}

double Bodies::value(const Scalar& x) const { return expr::number_of(graph_, x.in(graph_)); }

// Bodies.

BodyMotion<Bodies::Scalar> Bodies::motion(const Layout::Block& block, int k) const {
  const auto formulas = [&](const Formulas& ids) {
    std::vector<Scalar> list;
    for (const expr::Id id : ids) list.emplace_back(graph_, id);
    return list;
  };
  const std::vector<Scalar> q = formulas(layout_.point(graph_, block, k));
  const std::vector<Scalar> v = formulas(layout_.velocity(graph_, block, k));
  return find_body_space(block.notation().key)->motion(q.data(), v.data());
}

/// The principal moments of a homogeneous body of the shape.
Bodies::Vector3 Bodies::moments(const ShapeText& shape, const Scalar& mass,
                                const expr::Scope& scope) const {
  std::vector<Scalar> x;
  for (const Text& text : shape.numbers) x.push_back(positive(scope, text));
  const auto square = [](const Scalar& a) { return a * a; };
  if (shape.kind == "sphere") {
    const Scalar all = 0.4 * mass * square(x[0]);
    return {all, all, all};
  }
  if (shape.kind == "disk") return {0.0, 0.0, mass * square(x[0]) / 2.0};
  if (shape.kind == "cylinder") {
    const Scalar side = mass * (3.0 * square(x[0]) + square(x[1])) / 12.0;
    return {side, side, mass * square(x[0]) / 2.0};
  }
  const Scalar upright = mass * (square(x[0]) + square(x[1])) / 12.0;
  if (x.size() == 2) return {0.0, 0.0, upright};
  return {mass * (square(x[1]) + square(x[2])) / 12.0, mass * (square(x[0]) + square(x[2])) / 12.0,
          upright};
}

Bodies::Matrix3 Bodies::inertia(const BodyText& text, const Scalar& mass,
                                const expr::Scope& scope) const {
  if (text.inertia.empty()) return diagonal(moments(*text.shape, mass, scope));
  if (text.inertia.size() == 1) return diagonal({0.0, 0.0, positive(scope, text.inertia[0])});
  Matrix3 matrix = Matrix3::Zero();
  if (text.inertia.size() == 3)
    matrix = diagonal(vector(scope, text.inertia));
  else
    for (int i = 0; i < 9; ++i) matrix(i / 3, i % 3) = scalar(scope, text.inertia[sz(i)]);
  Matrix<double, 3> numbers;
  for (int i = 0; i < 9; ++i) numbers(i / 3, i % 3) = value(matrix(i / 3, i % 3));
  const std::string problem = wrong_inertia(numbers);
  const Text& first = text.inertia.front();
  if (!problem.empty())
    throw ScenarioError(first.place, first.key.substr(0, first.key.rfind("inertia[")) + "inertia",
                        "no body has this inertia: " + problem);
  return matrix;
}

Bodies::One Bodies::read(const BodyText& text, const Layout::Block& block, int k,
                         const expr::Scope& scope) const {
  One one;
  one.motion = motion(block, k);
  one.body.mass = positive(scope, text.mass);
  one.body.centre = vector(scope, text.centre);
  one.body.inertia = inertia(text, one.body.mass, scope);
  one.points.emplace_back(centre_point, one.body.centre);
  for (const auto& [name, numbers] : text.points)
    one.points.emplace_back(name, vector(scope, numbers));
  return one;
}

/// A number points down: along the last axis of the space that the bodies move in.
Bodies::Vector3 Bodies::read_gravity(const expr::Scope& scope) const {
  const std::vector<Text>& texts = scenario_.system.gravity;
  const int dimension = scenario_.system.bodies.front().dimension;
  Vector3 down = Vector3::Zero();
  if (texts.size() == 1) {
    down[dimension - 1] = -scalar(scope, texts.front());
    return down;
  }
  if (static_cast<int>(texts.size()) != dimension)
    throw ScenarioError(texts.front().place, "system.gravity",
                        "must be a number, or a list of " + std::to_string(dimension) +
                            " numbers, found a list of " + std::to_string(texts.size()));
  return vector(scope, texts);
}

void Bodies::add_places(expr::Scope& scope) const {
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const BodyText& text = scenario_.system.bodies[b];
    const Layout::Block& block = layout_.blocks[text.coordinate];
    for (std::size_t p = 0; p < bodies_[b].front().points.size(); ++p) {
      const std::string& point = bodies_[b].front().points[p].first;
      const auto names = place_names(block.name, point, text.dimension);
      std::vector<Formulas> places;
      for (const One& one : bodies_[b]) {
        const Vector3 place = one.motion.place(one.points[p].second);
        Formulas& entries = places.emplace_back();
        for (int i = 0; i < text.dimension; ++i) entries.push_back(place[i].in(graph_));
      }
      add_vectors(block, names, {place_name(block.name, point)}, places, scope);
    }
  }
}

expr::Id Bodies::lagrangian() const {
  std::vector<expr::Id> terms;
  for (const std::vector<One>& list : bodies_)
    for (const One& one : list) {
      const Scalar l =
          one.body.kinetic_energy(one.motion) - one.body.potential(one.motion, gravity_);
      terms.push_back(l.in(graph_));
    }
  return graph_.sum(terms);
}

std::vector<double> Bodies::shape_numbers(const BodyText& text, const expr::Scope& scope) const {
  std::vector<double> numbers;
  if (text.shape && text.shape->kind != "rod")
    for (const Text& number : text.shape->numbers)
      numbers.push_back(value(positive(scope, number)));
  return numbers;
}

std::vector<Body> Bodies::numbers() const {
  const auto values = [&](const Vector3& x) {
    return std::vector{value(x[0]), value(x[1]), value(x[2])};
  };
  std::vector<Body> result;
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const BodyText& text = scenario_.system.bodies[b];
    const Layout::Block& block = layout_.blocks[text.coordinate];
    EntryScope scope(parameters_);
    for (int k = 0; k < block.count; ++k) {
      const One& one = bodies_[b][sz(k)];
      Body body{block.point(k), value(one.body.mass), values(one.body.centre), {}, {}, {}, {}};
      for (int i = 0; i < 9; ++i) body.inertia.push_back(value(one.body.inertia(i / 3, i % 3)));
      for (const auto& [name, place] : one.points) body.points.emplace_back(name, values(place));
      if (text.shape) body.shape = text.shape->kind;
      body.size = shape_numbers(text, scope.at(block.first + k, block.array));
      if (body.shape == "rod")
        for (const Text& end : text.shape->numbers)
          for (const auto& [name, place] : body.points)
            if (name == end.value) body.size.insert(body.size.end(), place.begin(), place.end());
      result.push_back(std::move(body));
    }
  }
  return result;
}

// Joints.

long Bodies::index(const JointEndText& text, const expr::Scope& scope) const {
  const Layout::Block& block = layout_.blocks[scenario_.system.bodies[*text.body].coordinate];
  if (!text.index) return block.first;
  const double number =
      constant_value(graph_, parse_text(scenario_.text, graph_, scope, *text.index), *text.index);
  if (number != std::floor(number) || number < block.first ||
      number >= static_cast<double>(block.first) + block.count)
    throw ScenarioError(text.text, "there is no " + block.name + "[" + varia::to_text(number) +
                                       "]; the bodies are " + block.point(0) + " to " +
                                       block.point(block.count - 1));
  return static_cast<long>(number);
}

Bodies::End Bodies::end(const JointText& joint, const JointEndText& text,
                        const expr::Scope& scope) const {
  End end;
  if (!text.body) {
    end.name = ground;
    for (std::size_t k = 0; k < joint.at.size(); ++k)
      end.point[static_cast<Eigen::Index>(k)] =
          Scalar(graph_, parse_text(scenario_.text, graph_, scope, joint.at[k]));
    return end;
  }
  const Layout::Block& block = layout_.blocks[scenario_.system.bodies[*text.body].coordinate];
  const auto k = static_cast<int>(index(text, scope) - block.first);
  end.body = &bodies_[*text.body][sz(k)];
  end.name = block.point(k) + (text.point.empty() ? "" : "." + text.point);
  for (const auto& [name, place] : end.body->points)
    if (name == text.point) end.point = place;
  return end;
}

/// The frame of the joint in that of the first body, along its axis.
Bodies::Matrix3 Bodies::axes(const JointText& text, const expr::Scope& scope) const {
  if (text.axis.empty()) return Matrix3::Identity();
  const Vector3 axis = vector(scope, text.axis);
  int least = 2;
  double longest = 0.0;
  for (const int k : {2, 1, 0}) {
    if (std::abs(value(axis[k])) < std::abs(value(axis[least]))) least = k;
    longest = std::max(longest, std::abs(value(axis[k])));
  }
  if (longest == 0.0)
    throw ScenarioError(text.axis.front().place, text.where.key + ".axis",
                        "has no direction: all its entries are 0");
  return frame_along(axis, least);
}

Bodies::Matrix3 Bodies::turn(const JointText& text, const expr::Scope& scope) const {
  Vector3 by = Vector3::Zero();
  if (text.turn.size() == 1)
    by[2] = scalar(scope, text.turn.front());
  else
    by = vector(scope, text.turn);
  const bool none = value(by[0]) == 0.0 && value(by[1]) == 0.0 && value(by[2]) == 0.0;
  return none ? Matrix3(Matrix3::Identity()) : rotation_by(by);
}

/// What holds by itself falls away, as the third coordinates in the plane do.
void Bodies::add_constraint(const Scalar& phi, const JointText& text, JointFormulas& joint) const {
  const expr::Id id = phi.in(graph_);
  const std::vector<int> used = expr::variables_of(graph_, id);
  if (!used.empty() && used.back() > 0)
    joint.constraints.push_back(id);
  else if (!used.empty() || expr::number_of(graph_, id) != 0.0)
    throw ScenarioError(text.where,
                        joint.name + " cannot hold: neither end moves where they have to meet");
}

JointFormulas Bodies::joint(const JointText& text, const expr::Scope& scope) const {
  const End a = end(text, text.ends[0], scope), b = end(text, text.ends[1], scope);
  JointFormulas joint{text.kind + " " + a.name + " - " + b.name, {}, {}};
  if (a.body == b.body)
    throw ScenarioError(text.where, joint.name +
                                        ": both points belong to the same body, which is rigid; a "
                                        "joint is between two bodies, or a body and the ground");
  const Joint kind = find_joint(text.kind)->joint;
  const Scalar length = text.length ? positive(scope, *text.length) : Scalar(0.0);
  const Matrix3 frame = axes(text, scope);
  const Matrix3 back = turn(text, scope).transpose();
  const auto placed = [&](const End& e, const Matrix3& axes) {
    if (e.body == nullptr) return JointEnd<Scalar>{e.point, axes};
    return JointEnd<Scalar>{e.body->motion.place(e.point), e.body->motion.R * axes};
  };
  const JointEnd<Scalar> first = placed(a, frame), second = placed(b, back * frame);
  for (const Scalar& phi : joint_constraints(kind, first, second, length))
    add_constraint(phi, text, joint);
  for (const Scalar& cosine : joint_alignment(kind, first, second))
    joint.alignment.push_back(cosine.in(graph_));
  if (joint.constraints.empty())
    throw ScenarioError(text.where, joint.name + " holds by itself; leave it out");
  return joint;
}

}  // namespace varia::io
