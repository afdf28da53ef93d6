// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What a scenario of a solid means: a problem of varia/solids/solid.hpp and the numbers of its run.
#include <map>
#include <string>
#include <vector>

#include "varia/io/scenario.hpp"
#include "varia/solids/solid.hpp"

namespace varia::io {

/// Which updates have their local energy balance measured.
enum class LocalEnergy { none, sample, all };

struct SolidRun {
  bool newmark = false;   ///< one common step; else asynchronous
  double step = 0.0;      ///< newmark: the common step, if it was given; else 0: the smallest f h/c
  long steps = 0;         ///< newmark: that many, if given; else 0: to `until`
  double until = 0.0;     ///< the end; unless steps are given
  double courant = 0.1;   ///< the same as problem.courant
  long frames = 50;       ///< snapshots
  long records = 1000;    ///< of energy, momenta and so on
  bool queue = false;     ///< the schedule: one queue, or the clocks of the nodes
  int threads = 1;        ///< at least 1; "all cores" is counted already
  bool half_kick = true;  ///< order 2
  LocalEnergy local_energy = LocalEnergy::sample;
  bool energy_stationary = false;  ///< steps that also satisfy the balance of energy

  const char* method() const { return newmark ? "newmark" : "avi"; }
  /// 2; 1 without the half kick, and 1 where avi's steps change (docs/theory/asynchronous.md).
  int order() const { return newmark || (half_kick && !energy_stationary) ? 2 : 1; }
};

/// A number that is recorded: of the node nearest to a point.
struct Probe {
  std::string name;
  int node = 0;  ///< of problem.mesh
  enum class Kind { position, displacement, velocity } kind = Kind::position;
  int component = 0;
};

/// What a `where` or a name selected, for a person to read.
struct Selection {
  std::string key;   ///< solid.fix[1]
  std::string text;  ///< the condition or the name
  long count = 0;    ///< nodes of a fix, faces of a load, elements of a region
};

struct SolidModel {
  Scenario scenario;
  solids::Problem problem;
  std::vector<std::string> warnings;
  SolidRun run;
  std::vector<Probe> probes;
  std::vector<Selection> regions, fixes, loads;
  std::map<std::string, double> parameters;
  std::string mesh_text;  ///< "block", or the path of the file

  int dimension() const { return problem.mesh.dimension(); }
};

/// Throws ScenarioError for what is wrong in the scenario, MeshError for what is wrong in a mesh
/// file, IoError for a file that cannot be read. The fields of the problem may be called by several
/// threads; where one has no finite value it throws DomainError.
SolidModel build_solid_model(const Scenario& scenario);

/// The path of a mesh file: relative ones begin at the folder of the scenario, or at the working
/// directory if that was standard input.
std::string mesh_path(const Scenario& scenario, const std::string& file);

}  // namespace varia::io
