// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// From the texts of a solid to a problem: the steps of build_solid_model, each in its own file.
#include <memory>
#include <string>
#include <vector>

#include "varia/expr/graph.hpp"
#include "varia/io/solid_model.hpp"
#include "varia/io/solid_where.hpp"

namespace varia::io {

class SolidModelBuilder {
 public:
  explicit SolidModelBuilder(const Scenario& scenario);
  SolidModel build();

 private:
  using Id = expr::Id;

  // numbers and functions (solid_model_fields.cpp)
  void read_parameters();
  void name_coordinates();  ///< once the dimension is known
  Id parse(const expr::Scope& scope, const Text& text);
  double number(const Text& text);
  int whole(const Text& text);
  solids::Component component(Id value, const Text& text);
  /// Components not given are empty; a third one in the plane is an error.
  solids::Components components(const VectorText& texts, const expr::Scope& scope,
                                bool displacement = false);
  void check_finite(const solids::Component& component, const Text& text, const double* X) const;
  void check_finite(const solids::Components& components, const VectorText& texts,
                    const std::vector<int>& nodes) const;

  // the mesh (solid_model_mesh.cpp)
  void read_mesh();
  solids::Mesh mesh_of_file(const Text& file) const;

  // regions, supports, loads, probes (solid_model_parts.cpp)
  void read_plane();
  solids::Material material(const MaterialText& text);
  void read_regions();
  void read_fixes();
  void read_loads();
  void read_body_force();
  void read_probes();
  std::vector<int> nodes_where(const Text& where);
  std::vector<int> elements_of(const WhereText& of);
  std::vector<solids::Face> faces_where(const Text& where);
  std::vector<solids::Face> faces_of(const Text& name, const solids::Boundary& boundary) const;
  const solids::Boundary& boundary(const Text& name) const;
  Condition condition(const Text& where);
  bool holds(const Condition& condition, const Text& where, const double* X) const;
  void warn(const Text& text, const std::string& message);
  void warn_empty(const WhereText& of, const std::string& what,
                  const std::vector<std::string>& names);

  // start and run (solid_model_start.cpp)
  void read_start();
  void add_spin(std::array<Id, 3>& velocity, const std::array<Id, 3>& position);
  std::array<double, 3> centre_of_mass(const solids::Components& position) const;
  void compare_supports();
  void read_run();

  Scenario scenario_;
  const SolidText& solid_;
  expr::Graph graph_;
  expr::Scope parameters_;          ///< parameters only
  expr::Scope space_;               ///< and X, Y, Z
  expr::Scope space_time_;          ///< and t
  std::vector<std::string> names_;  ///< of the variables: X, Y(, Z), t
  SolidModel model_;
};

}  // namespace varia::io
