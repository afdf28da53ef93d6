// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A solid as a person wrote it under [solid] and [run] of a scenario: texts with their places.
//
// Nothing is evaluated here; what the texts mean is in varia/io/solid_model.hpp.
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "varia/io/scenario_text.hpp"

namespace varia::io {

/// solid.mesh: a file, or the name of a generator and what it is told.
struct MeshText {
  std::optional<Text> file, generate;  ///< exactly one
  std::vector<std::pair<std::string, std::vector<Text>>>
      values;  ///< order, size, ...: one or a list
  Text whole;  ///< the place of solid.mesh
};

struct MaterialText {
  Text model, density;
  Named constants;  ///< lambda, mu, ...
  Text whole;       ///< the place and key of the table
};

/// Where something holds: a condition on X, Y, Z, or the name of a part of the mesh.
struct WhereText {
  std::optional<Text> where, name;  ///< exactly one
};

using VectorText = std::array<std::optional<Text>, 3>;  ///< x, y, z

struct RegionText {
  WhereText of;  ///< the name is that of a region of the mesh
  MaterialText material;
};

/// [[solid.fix]]: prescribed components, as positions or as displacements from X.
struct FixText {
  WhereText of;  ///< the name is that of a boundary
  VectorText values;
  bool displacement = false;
};

/// [[solid.load]]: a traction.
struct LoadText {
  WhereText of;
  VectorText traction;
};

struct SolidStartText {
  Text t;
  VectorText position, velocity;
  std::vector<Text> spin;    ///< none, one (in the plane) or three
  std::vector<Text> centre;  ///< none: the centre of mass
  Text whole_spin, whole_centre;
};

/// [solid.observe]: a number of the node that is nearest to a point.
struct ProbeText {
  std::string name;
  std::vector<Text> at;  ///< X, Y(, Z)
  Text what;             ///< x, y, z, ux, uy, uz, vx, vy, vz
};

/// What [run] states for solids beside method, until and steps.
struct SolidRunText {
  bool newmark = false;               ///< the method; else avi
  std::optional<Text> courant, step;  ///< at most one
  long frames = 50, records = 1000, threads = 1;
  std::string schedule, start, local_energy;
  bool energy_stationary = false;
};

struct SolidText {
  MeshText mesh;
  std::optional<MaterialText> material;
  std::vector<RegionText> regions;
  std::optional<Text> plane;
  std::vector<Parameter> parameters;
  std::vector<FixText> fixes;
  std::vector<LoadText> loads;
  VectorText body_force;
  SolidStartText start;
  std::vector<ProbeText> probes;
  SolidRunText run;
  Place place;
};

/// What units may be stated for under [output.units]: t, length, energy, ..., and the probes.
std::vector<std::string> solid_quantities(const SolidText& solid);

}  // namespace varia::io
