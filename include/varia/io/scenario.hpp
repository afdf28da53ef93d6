// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A scenario: a mechanical system and its start, or a solid; a run and its outputs; as a person wrote them in a TOML file.
//
// Reading checks every key and every name, resolves arrays such as q[1..64] into their entries, and
// remembers where each text stands in the file; expressions are not evaluated here. What a key means
// is stated once, in the schema (varia/io/schema.hpp).
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "varia/expr/definition.hpp"
#include "varia/expr/name_list.hpp"
#include "varia/expr/shape.hpp"
#include "varia/io/plot_text.hpp"
#include "varia/io/scenario_text.hpp"
#include "varia/io/scene_text.hpp"
#include "varia/io/settings.hpp"
#include "varia/io/solid_scenario.hpp"
#include "varia/io/sweep_text.hpp"
#include "varia/space/factor.hpp"

namespace varia::io {

struct Coordinate {
  std::string name;
  std::string space = "R";  ///< a key of space_list()
  int first = 1, last = 0;  ///< of an array: name[first..last]
  bool array = false;
  Place place;
  std::string key;       ///< where it is stated: system.coordinates[1], system.body[1].name
  bool body = false;     ///< the pose of a body
  bool reduced = false;  ///< its points are left out: reconstruct = false
  int first_column = 1, last_column = 0;  ///< of a second index: name[first..last, ...]
  bool vector = false;  ///< stated by its size: the last index counts the components

  expr::Shape indices() const;
  /// How many scalars, or points of the space.
  long points() const { return static_cast<long>(expr::entries_of(indices())); }
};

/// The expression of one scalar component: x, x_dot, q[3], q_p[3], R_w1, r[2][1]; or of several entries of an array.
struct Component {
  std::string component;
  Text text;
  long index = 0;                   ///< the value of i in the text
  bool indexed = false;             ///< a component of an array: i may be used
  std::optional<long> second = {};  ///< the value of j, of an array with two indices
  expr::Shape whole = {};           ///< of an array that the text may be of; none: of a number
  std::size_t part = 0;             ///< which number of that array
  bool alone = true;                ///< whether the text may be a number, of this component
  long count = 1;  ///< of the entries that have this text, this one and those that follow

  /// One of them: q[5] for k = 2 of q[3].
  Component entry(long k) const;
};

/// work(c) for every entry of a list of components.
template <class Work> void for_entries(const std::vector<Component>& list, const Work& work) {
  for (const Component& c : list)
    for (long k = 0; k < c.count; ++k) work(k == 0 ? c : c.entry(k));
}

/// The generator of a one-parameter group; components that are not given are 0.
struct SymmetryText {
  std::string name;
  std::vector<Component> components;
  Place place;
};

/// The first and the last i of what is stated once for each of them.
using IndexRange = std::pair<Text, Text>;

/// A part of the potential with a step of its own, or one part for each i of a range.
struct TermText {
  Text potential;
  std::optional<Text> step;  ///< that of the run unless given
  std::optional<IndexRange> range;
};

/// φ(t, q) = 0 or Φ(t, q, v) = 0, or one constraint for each i of a range.
struct ConstraintText {
  Text phi;
  std::optional<IndexRange> range;
  bool integrable = false;  ///< Φ may be the rate of a function
};

/// The centre of mass of a body, among its points.
inline constexpr const char* centre_point = "centre";
/// What is not a body but may be joined with one.
inline constexpr const char* ground = "ground";

/// For the picture, and for the inertia where that is not given.
struct ShapeText {
  std::string kind;           ///< box, cylinder, sphere, disk, rod
  std::vector<Text> numbers;  ///< of a rod: the names of two points
};

/// A rigid body, or an array of them; lists have 2 entries in the plane, 3 in space.
struct BodyText {
  std::size_t coordinate = 0;  ///< its pose, among those of the system
  int dimension = 3;           ///< of what it moves in
  Text mass;
  std::vector<Text>
      inertia;               ///< 1 in the plane; 3 principal moments, or 9; none: that of the shape
  std::vector<Text> centre;  ///< none: the origin of its frame
  std::vector<std::pair<std::string, std::vector<Text>>> points;
  std::optional<ShapeText> shape;
  Text where;  ///< its name as it is written
};

/// A point of a body, or of the ground.
struct JointEndText {
  std::optional<std::size_t> body;  ///< among those of the system; none: the ground
  std::optional<Text> index;        ///< of a body of an array; it may use i
  std::string point;                ///< empty: the origin of its frame
  Text text;
};

/// Two bodies joined, or two for each i of a range.
struct JointText {
  std::string kind;  ///< a name of joint_kinds()
  std::vector<JointEndText> ends;
  std::vector<Text> at, axis, turn;  ///< those that are not given are empty
  std::optional<Text> length;
  std::optional<IndexRange> range;
  Text where;  ///< its points as they are written
};

struct System {
  std::vector<Coordinate> coordinates;  ///< then the poses of the bodies
  std::vector<Parameter> parameters;
  std::vector<expr::Definition> definitions;  ///< in the order of the file
  std::vector<Text> free;  ///< names of parameters that stay inputs of the formulas
  std::optional<Text> lagrangian, hamiltonian;  ///< exactly one, or bodies and no Hamiltonian
  std::vector<BodyText> bodies;
  std::vector<JointText> joints;
  std::vector<Text> gravity;  ///< that acts on the bodies; a number points down
  const Text& stated() const {
    if (lagrangian) return *lagrangian;
    return hamiltonian ? *hamiltonian : bodies.front().where;
  }
  std::optional<Text> discrete_lagrangian;  ///< L_d(q₀, q₁, h), beside the Lagrangian
  std::vector<Component> force;             ///< in the order of the file
  std::vector<ConstraintText> holonomic;
  std::vector<ConstraintText> nonholonomic;
  /// The first constraint, holonomic ones before joints before nonholonomic ones; null if there is none.
  const Text* constraint() const {
    if (!holonomic.empty()) return &holonomic.front().phi;
    if (!joints.empty()) return &joints.front().where;
    return nonholonomic.empty() ? nullptr : &nonholonomic.front().phi;
  }
  std::vector<TermText> terms;  ///< for the method avi
  std::vector<SymmetryText> symmetry;
  Named observe;
  Place place;
};

/// The start of one point of a space that has forms for its points, such as quaternion = [w, x, y, z].
struct PointStart {
  std::string name;      ///< R, or R[3] of an array
  std::size_t form = 0;  ///< of the notation of its space
  std::vector<Text> numbers;
  Place place;
  long index = 0;                   ///< the value of i in the numbers
  bool indexed = false;             ///< a point of an array: i may be used
  std::optional<long> second = {};  ///< the value of j, of an array with two indices
};

/// Every coordinate has a value, and all have velocities, or all have momenta, or none has a rate.
struct Start {
  Text t;                            ///< "0" unless given
  std::vector<Component> positions;  ///< in the order of the file
  std::vector<Component> rates;      ///< velocities, or momenta; in the order of the file
  bool momenta = false;              ///< what the rates are
  /// What to say where the rates are needed and there are none: L linear in v takes none.
  std::optional<Text> missing_rates;
  std::vector<PointStart> points;  ///< in the order of the file
  bool project = false;            ///< the start may be moved onto the constraint
  Place place;
};

struct Run {
  /// Instead of a method or a step: it is left open, for Varia to choose.
  static constexpr const char* open = "auto";
  bool open_method() const { return method.value == open; }
  bool open_step() const { return step.value == open; }

  Text method;  ///< a name such as gauss(3), not an expression
  Text step;
  std::optional<Text> tolerance;  ///< of a step that is left open
  std::optional<Text> until;      ///< exactly one of until and steps
  std::optional<long> steps;
  long every = 1;
  std::string retraction, evaluation;
  Text solver;
  Text multiplier;
  Text constraints;  ///< "nonholonomic" or "vakonomic": what constraints on velocities mean
  std::vector<Text> start_multipliers;  ///< of vakonomic constraints; zeros unless given
  bool leave_out_dependent = false;     ///< constraints that follow from others
  Text reconstruct;          ///< "true" or "false": the points of groups, beside their momenta
  std::optional<Text> pace;  ///< g(q), or "auto": steps in τ with dt = g dτ
  std::optional<Text> keep_energy;  ///< "refuse" or "minimise"
  std::optional<Text> projection;   ///< of a Lagrangian linear in the velocities
  Place place;
};

/// Bounds of something with a name; at least one.
struct BoundsText {
  std::string name;
  std::optional<Text> lower, upper;
  Text where;
};

/// A state of first order beside those of the motion.
struct StateText {
  std::string name;
  Text rate;
  std::optional<Text> start, end;
};

/// Where the search for an optimum begins.
struct GuessText {
  Start motion;              ///< positions and points as functions of t
  Named states, inputs;      ///< the same
  std::optional<Text> file;  ///< a trajectory
  bool rollout = false;
  Place place;
};

/// A problem that is solved before: overrides of the scenario.
using EasierText = std::vector<std::string>;

/// [control] and [end], with what [start] says about states and conditions. See the schema.
struct ControlText {
  std::vector<Text> inputs;
  std::optional<Text> cost, final_cost;
  std::vector<StateText> states;
  std::vector<BoundsText> bounds, path, optimise;  ///< a path condition has its function as name
  std::optional<BoundsText> free_end;
  std::optional<Text> end_guess;
  Start end;
  std::vector<Text> start_conditions, end_conditions;
  GuessText guess;
  std::vector<EasierText> easier;
  Text solver;
  double tolerance = 0.0;
  long iterations = 0;
  Place place, end_place;
};

/// What is computed along the run beside the trajectory; see varia/io/diagnostics.hpp.
struct Diagnose {
  std::optional<Text> modified_energy;  ///< "formula" or "shadow"
  std::optional<Text> heat;             ///< "trapezoid" or "end_of_step"
  std::optional<Text> balance;          ///< of the momenta
  std::optional<Text> lyapunov;         ///< the largest exponent
  std::vector<Text> sensitivity;        ///< names of parameters
};

/// [[event]]: see varia/io/event.hpp.
struct EventText {
  const Text& stated() const { return when ? *when : *every; }

  std::optional<Text> when, every;  ///< exactly one
  std::string direction;            ///< up, down, both
  std::string action;               ///< stop, record, count
  long after = 1;
  std::optional<Text> name;
  std::vector<Text> axes;  ///< two names of what is recorded, or none
};

struct Output {
  std::vector<std::string> formats;
  bool report = true;
  std::vector<std::pair<std::string, std::string>> units;  ///< name, unit
};

/// Of two runs of a solid: the root mean square, over the body, of the distance of their final places.
inline constexpr const char* shape_difference_entry = "shape.difference";

/// A number that the run must give: the entry `what` of its summary, or of the refinement study,
/// compared with `value`.
struct Expectation {
  std::string what;
  double value = 0, tolerance = 0;
  std::string kind;  ///< relative, absolute, at_most, at_least, order, extrapolated, fails
  std::vector<std::string> set;  ///< overrides of this run, as for read_scenario
  /// Overrides of another run: for shape.difference and for kinds order and extrapolated.
  std::vector<std::string> against;
  std::string note;
  Place place;
};

/// Meshes for a study of a solid's errors; see varia/io/refinement.hpp.
struct RefinementText {
  std::string key;  ///< whose values are the levels
  std::vector<long> levels;
  long reference = 0;
  double courant = 0;  ///< of the reference
};

struct Reproduce {
  std::string source, figure;
  RefinementText refinement;
  std::vector<Expectation> expect;
};

struct Scenario {
  std::string name;   ///< the file without folder and ending
  std::string title;  ///< the name unless given
  std::string text;   ///< the file as it was read, without the overrides
  std::string file;   ///< as it is named in messages
  std::vector<std::string> overrides;
  Settings settings;  ///< every key, with defaults and overrides
  System system;      ///< empty for a solid
  Start start;        ///< empty for a solid
  std::optional<ControlText> control;
  std::optional<SolidText> solid;
  Run run;  ///< of a solid: method and until or steps; the rest is in solid->run
  Diagnose diagnose;
  std::vector<EventText> events;
  Output output;
  Reproduce reproduce;
  std::vector<PlotText> plots;
  SceneText scene;  ///< nothing drawn: there is no [draw]
  SweepText sweep;
};

/// Reads a file, `-` (standard input) or `gallery:NAME`. An override is "run.step=0.1", or "mu=2"
/// where mu is a parameter or a key of [run]. Throws ScenarioError, or IoError for the file itself.
Scenario read_scenario(const std::string& file, const std::vector<std::string>& overrides = {});

/// The same for a text; `file` is its name in messages.
Scenario parse_scenario(const std::string& text, const std::string& file,
                        const std::vector<std::string>& overrides = {});

struct Value;

/// A text that is read once and given many sets of overrides. Any thread may ask.
class ScenarioSource {
 public:
  /// `file` is the name of the text in messages. Tables of the file may be left out.
  ScenarioSource(std::string text, std::string file, const std::vector<std::string>& left_out = {});
  Scenario with(const std::vector<std::string>& overrides) const;

 private:
  std::string text_, file_;
  std::shared_ptr<const Value> document_;
};

/// Gives a parameter that is one number another value: what reading gives with this override, "mu=2".
void change_parameter(Scenario& scenario, const std::string& name, const std::string& override);

/// The text of the file and, as comments below it, the overrides: what was run.
std::string full_text(const Scenario& scenario);

/// The space of a coordinate; without its points where they are left out (space/reduced.hpp).
FactorPtr factor_of(const Coordinate& coordinate);

/// Names in the order of the coordinates, point by point of an array.
expr::NameList entry_names(const System& system);     ///< x, q[1], R11, ...
expr::NameList velocity_names(const System& system);  ///< x_dot, q_dot[1], R_w1, ...
expr::NameList momentum_names(const System& system);  ///< x_p, q_p[1], R_m1, ...
expr::NameList force_names(const System& system);     ///< x, q[1], R_1 (body torque), ...

/// Of the place of a point of a body in formulas: A_tip, a vector, and A_tip_x, A_tip_y, A_tip_z.
std::string place_name(const std::string& body, const std::string& point);
std::vector<std::string> place_names(const std::string& body, const std::string& point,
                                     int dimension);

/// Where gallery:NAME is looked for: VARIA_GALLERY, or the folder known when Varia was built.
std::string gallery_directory();

/// A file that a scenario names: its path begins at the folder of the scenario, that of the gallery, or the
/// working directory where the scenario is standard input.
std::string path_beside(const Scenario& scenario, const std::string& file);

/// The bytes of a regular file of at most so many of them. Throws IoError.
std::string read_regular_file(const std::string& path, std::size_t most_bytes);

/// The names of the gallery, sorted. Throws IoError when there is no gallery.
std::vector<std::string> gallery_names();

}  // namespace varia::io
