// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The rigid bodies and joints of a scenario as formulas.
#include <string>
#include <utility>
#include <vector>

#include "layout.hpp"
#include "varia/io/model.hpp"
#include "varia/mechanics/joint.hpp"
#include "varia/mechanics/rigid_body.hpp"

namespace varia::io {

/// A joint, of one i: what vanishes, and what must be positive at the start.
struct JointFormulas {
  std::string name;  ///< hinge A.tip - B[3].base
  std::vector<expr::Id> constraints, alignment;
};

class Bodies {
 public:
  using Scalar = expr::Formula;
  using Vector3 = Vector<Scalar, 3>;
  using Matrix3 = Matrix<Scalar, 3>;

  /// `parameters` is the scope that the numbers of bodies may use.
  Bodies(const Scenario& scenario, const Layout& layout, expr::Graph& graph,
         const expr::Scope& parameters);

  /// Adds where the points of the bodies are: A_tip_x, B_tip_x[i].
  void add_places(expr::Scope& scope) const;
  /// The sum of T - V; 0 without bodies.
  expr::Id lagrangian() const;
  /// The joint in a scope that has i where there is a range.
  JointFormulas joint(const JointText& text, const expr::Scope& scope) const;
  /// What they are in numbers, in the order of the scenario.
  std::vector<Body> numbers() const;

 private:
  struct One {
    RigidBody<Scalar> body;
    BodyMotion<Scalar> motion;
    std::vector<std::pair<std::string, Vector3>> points;  ///< in its frame; the centre is the first
  };

  // numbers as formulas
  Scalar scalar(const expr::Scope& scope, const Text& text) const;
  Scalar positive(const expr::Scope& scope, const Text& text) const;
  Vector3 vector(const expr::Scope& scope, const std::vector<Text>& texts) const;
  double value(const Scalar& x) const;

  // bodies
  One read(const BodyText& text, const Layout::Block& block, int k, const expr::Scope& scope) const;
  BodyMotion<Scalar> motion(const Layout::Block& block, int k) const;
  Matrix3 inertia(const BodyText& text, const Scalar& mass, const expr::Scope& scope) const;
  Vector3 moments(const ShapeText& shape, const Scalar& mass, const expr::Scope& scope) const;
  std::vector<double> shape_numbers(const BodyText& text, const expr::Scope& scope) const;
  Vector3 read_gravity(const expr::Scope& scope) const;

  // joints
  struct End {
    std::string name;
    const One* body = nullptr;  ///< none: the ground
    Vector3 point = Vector3::Zero();
  };
  End end(const JointText& joint, const JointEndText& text, const expr::Scope& scope) const;
  long index(const JointEndText& text, const expr::Scope& scope) const;
  Matrix3 axes(const JointText& text, const expr::Scope& scope) const;
  Matrix3 turn(const JointText& text, const expr::Scope& scope) const;
  void add_constraint(const Scalar& phi, const JointText& text, JointFormulas& joint) const;

  const Scenario& scenario_;
  const Layout& layout_;
  expr::Graph& graph_;
  const expr::Scope& parameters_;
  Vector3 gravity_ = Vector3::Zero();
  std::vector<std::vector<One>> bodies_;  ///< of each body of the scenario: itself, or the array
};

}  // namespace varia::io
