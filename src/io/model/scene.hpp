// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The picture of a scenario as formulas.
#include <functional>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "layout.hpp"
#include "varia/expr/formula.hpp"
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
                      const std::vector<std::string>& variables) const;

 private:
  using Scalar = expr::Formula;
  using Motion = BodyMotion<Scalar>;
  using Vector3 = Vector<Scalar, 3>;

  struct Points {
    long first = 0;
    std::vector<Vector3> places;
  };

  int dimension() const { return scene_.dimension; }
  void add(const DrawnText& text, int entry, long index);
  Vector3 vector(const std::vector<Text>& texts);
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
SceneText default_scene(const System& system);

}  // namespace varia::io
