// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The picture of a scenario as formulas.
#include <array>
#include <functional>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "layout.hpp"
#include "varia/expr/formula.hpp"
#include "varia/io/model.hpp"
#include "varia/io/scenario.hpp"
#include "varia/io/scene.hpp"
#include "varia/mechanics/rigid_body.hpp"

namespace varia::io {

class SceneBuilder {
 public:
  using Range = std::function<std::pair<long, long>(const std::optional<IndexRange>&, const Text&)>;

  /// `names` is what expressions may use, `parameters` what lengths may; `range` reads the first and
  /// the last i.
  SceneBuilder(const Scenario& scenario, const Layout& layout, expr::Graph& graph,
               const expr::Scope& names, const expr::Scope& parameters, Range range);

  Scene build(const SceneText& text);
  /// Throws ScenarioError for a place that has no value at (t, q), where it depends on nothing else.
  void require_values(double t, const std::vector<double>& q,
                      const expr::NameList& variables) const;

 private:
  using Scalar = expr::Formula;
  using Motion = BodyMotion<Scalar>;
  using Vector3 = Vector<Scalar, 3>;
  using Matrix3 = Matrix<Scalar, 3>;

  struct Points {
    long first = 0;
    std::vector<Vector3> places;
  };

  int dimension() const { return scene_.dimension; }
  void add(const DrawnText& text, int entry, long index);
  Vector3 vector(const std::vector<Text>& texts);
  std::vector<Scalar> entries(const Text& text, const expr::Shape& shape);
  void require_known(const AnchorText& anchor) const;
  Matrix3 turn(const std::vector<Text>& texts);
  Vector3 place(const AnchorText& anchor);
  Motion motion(const DrawnText& text);
  Motion pose(const Text& on);
  double length(const std::optional<Text>& text, double otherwise);
  std::vector<double> sizes(const DrawnText& text);
  std::vector<int> outputs(const Vector3& place, const Text& where);
  std::vector<int> turn_outputs(const Motion& motion, const Text& where);
  int output(const Scalar& value, const Text& where);

  const Scenario& scenario_;
  const Layout& layout_;
  expr::Graph& graph_;
  EntryScope all_names_, all_parameters_;
  const expr::Scope *names_ = nullptr, *parameters_ = nullptr;  ///< with i, of what has a range
  Range range_;
  Scene scene_;
  std::map<std::string, Points> points_;
  std::vector<expr::Id> formulas_;
  std::vector<Text> wheres_;  ///< of the formulas
  std::unordered_map<expr::Id, int> numbers_;
};

/// What can be known without [draw]: bodies with their shapes, rotations, poses, points on the sphere.
/// Links are pairs of points, by the names of their coordinates; no name: the origin.
using PointNames = std::vector<std::string>;
using Links = std::vector<std::pair<PointNames, PointNames>>;
/// The semi-axes of the ellipsoid with the inertia of a body, by the name of its rotation or pose.
using Ellipsoids = std::map<std::string, std::array<double, 3>>;
SceneText default_scene(const System& system, const Links& links, const Ellipsoids& ellipsoids);

/// Of an array more are not drawn without being asked for.
constexpr long most_drawn_of_an_array = 2000;
/// How many points or vectors there are, and how many coordinates their picture has; 0: it has none.
long drawn_count(const Coordinate& c);
std::size_t drawn_dimension(const Coordinate& c);

/// Constraints that keep the distance of two points, or of a point from the origin, found by their slopes.
Links distance_links(const Model& model);

/// Of single rotations and poses in space whose kinetic energy at the start is that of a body with these axes.
Ellipsoids inertia_ellipsoids(const Model& model, const Layout& layout);

}  // namespace varia::io
