// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What a scenario means: its system as functions of numbers, what is known about it, its start.
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "varia/expr/derivative.hpp"
#include "varia/expr/graph.hpp"
#include "varia/expr/name_list.hpp"
#include "varia/expr/native.hpp"
#include "varia/expr/parse.hpp"
#include "varia/flow/make_flow.hpp"
#include "varia/io/body.hpp"
#include "varia/io/choice.hpp"
#include "varia/io/event.hpp"
#include "varia/io/plots.hpp"
#include "varia/io/scenario.hpp"
#include "varia/io/scene.hpp"
#include "varia/mechanics/acceleration_system.hpp"
#include "varia/mechanics/discrete_lagrangian_system.hpp"
#include "varia/mechanics/hamiltonian_system.hpp"
#include "varia/mechanics/looped_system.hpp"
#include "varia/methods/methods.hpp"

namespace varia::io {

/// A momentum map that is watched: declared under [system.symmetry], of a cyclic coordinate, or in the
/// frame of space where the entries of a group do not occur, then with the Casimir functions.
struct Momentum {
  std::string name;
  bool has_generator = false;  ///< among those of the model
  bool quadratic = false;      ///< a Casimir function
  bool symmetry = true;        ///< L is invariant
  bool conserved = true;       ///< and no force breaks it
  /// Steps keep it to round-off; else to their order, as with a force along the level of a Casimir function.
  bool exact = true;
  double defect = 0.0;  ///< of the invariance, relative, at the worst sample point
  std::string message;  ///< in plain words when it is not conserved
};

/// Columns of systems with constraints that depend on t: the work of what drives them, and the
/// energy less that work, which only the error of the method changes.
inline constexpr const char* driver_work = "driver_work";
inline constexpr const char* energy_balance = "energy_balance";

/// What was found in the Lagrangian.
struct Structure {
  bool separable = false;         ///< L = ½vᵀMv - V with constant M
  bool time_independent = false;  ///< L, the forces and the constraints do not contain t
  bool driven = false;     ///< the energy changes by constraints that contain t, by them alone
  bool quadratic = false;  ///< ∂²L/∂v² does not depend on v
  bool idle = false;       ///< nonholonomic constraints are linear in v: their reactions do no work
  std::vector<std::string> cyclic;
  int coordinates = 0;
  int second_derivatives = 0;  ///< nonzero entries of the Hessian, one triangle
  int bandwidth = 0;           ///< of the q part, in the order of the coordinates
  int operations = 0;          ///< of one Hessian
};

/// A part of the potential with a step of its own, for the method avi.
struct Term {
  std::vector<int> coordinates;  ///< that it depends on, in order
  double step = 0.0;
  expr::Kernel energy;    ///< (t, its coordinates) ↦ (V_K, ∂V_K/∂t)
  expr::Kernel gradient;  ///< (t, its coordinates) ↦ the derivatives of V_K in them
};

/// Where a formula that moves the system is not smooth: where left = right, or left is a whole number.
struct KinkNote {
  std::string key;    ///< of the formula
  std::string text;   ///< "abs(x) is not smooth where x = 0"
  std::string place;  ///< "x = 0"
  bool periodic;
};

struct ControlInputs;
struct PlayedMotion;

/// Everything a verb needs to know. Built once; kernels are for one thread.
struct Model {
  Scenario scenario;
  expr::NameList entry_names;     ///< of what is seen: x, q[1], R11, ...
  expr::NameList velocity_names;  ///< x_dot, R_w1, ...
  expr::NameList momentum_names;  ///< x_p, R_m1, ...
  std::shared_ptr<KernelSystem> system;
  /// Of a system that has no Lagrangian; `system` then knows its size only.
  std::shared_ptr<HamiltonianSystem> hamiltonian;
  /// The user's own discrete Lagrangian.
  std::shared_ptr<DiscreteLagrangianSystem> discrete;
  /// The equations of motion solved for the accelerations; only with a method that needs them.
  std::shared_ptr<AccelerationSystem> acceleration;
  Structure structure;
  std::vector<Momentum> momenta;
  std::vector<Body> bodies;
  std::vector<std::string> constraint_texts;  ///< φ of each constraint with its i, or its joint
  std::vector<std::string> observe_names;     ///< of each number: f, L[1], L[2]
  std::vector<std::pair<std::string, expr::Shape>> observe_shapes;  ///< of each function
  /// (t, entries, v, p) ↦ (observed functions, momentum maps); no kernel when there are none.
  expr::Kernel observe;
  /// (t, entries, v, p) ↦ what is seen of the entries, v and p; no kernel where they are seen as held.
  expr::Kernel seen;
  Scene scene;  ///< the picture
  Plots plots;
  expr::Kernel
      generators;  ///< (t, entries, v, p) ↦ ξ of each momentum that has one, one after the other
  std::vector<KinkNote> kinks;
  expr::Kernel
      gaps;  ///< (t, entries, v, p) ↦ left and right of each; no kernel when there are none
  std::map<std::string, double> parameters;
  std::vector<Event> events;

  double t0 = 0.0;
  std::vector<double> q0;      ///< entries, as they are held
  std::vector<double> rates0;  ///< velocities or momenta, as scenario.start.momenta says

  /// How the start and the step change with a free parameter.
  struct FreeParameter {
    std::string name;
    double t = 0.0, h = 0.0;
    std::vector<double> delta, rates;
  };
  std::vector<FreeParameter> free;

  Method method = verlet();
  std::vector<Term> terms;  ///< of the potential; for avi only
  std::optional<VariableSteps> variable;
  std::optional<double> end;  ///< of a run with variable steps: a time, else their number
  FlowOptions options;
  ExplicitLoop explicit_loop = nullptr;  ///< native code for explicit steps, if there is some
  std::shared_ptr<const expr::NativeModule> native;
  double step = 0.0;
  long steps = 0;
  double span = 0.0;               ///< asked for: until - t, or that of the steps
  RunChoice choice;                ///< of what the scenario leaves open
  std::vector<std::string> notes;  ///< for the user: what was adjusted or is not as declared

  /// Of a control problem: its inputs along a motion, which step they change the parameters from, and the motion
  /// where it is known already.
  std::shared_ptr<const ControlInputs> inputs;
  std::size_t first_piece = 0;  ///< among the parameters of kernels: see piece_values
  std::shared_ptr<const PlayedMotion> played;

  std::shared_ptr<expr::Graph> graph;
  expr::Id lagrangian = 0;
  expr::Id energy = 0;             ///< H, where it is stated
  std::vector<expr::Id> gradient;  ///< of L in (q, v); (-∂H/∂q, p) without L
  /// The sums of L where they are loops; there is no gradient then, and L has variables for its sums.
  std::vector<LoopedBody> bodies_of_sums;
  std::vector<expr::Id> velocity;                ///< ∂H/∂p; without L only
  std::vector<expr::Id> force;                   ///< by degree of freedom
  std::vector<expr::Id> constraint_gradient;     ///< the values of system->constraint_pattern
  std::vector<expr::Entry> nonholonomic_slopes;  ///< ∂Φ/∂v, by constraint and degree of freedom
  std::vector<expr::Id> constraints;             ///< φ, then Φ of nonholonomic ones
  std::vector<expr::Id> joint_constraints;       ///< the last of the holonomic ones
  expr::NameList variable_names;             ///< of the graph: t, entries, v, p, as they are held
  std::shared_ptr<const expr::Scope> scope;  ///< of formulas that may use all of them
};

/// How long sums over an index are kept: as loops where that is possible, or term by term, as one formula of
/// which everything is known, such as its derivatives of any order.
enum class Sums { as_loops, term_by_term };

/// Throws ScenarioError for what is wrong in the scenario. Inputs of a control problem are numbers of no meaning.
Model build_model(const Scenario& scenario, Sums sums = Sums::as_loops);

/// The step, and how many of them the run takes. Throws ScenarioError where none fits.
void set_step(Model& model, const Run& run, double step);

/// The same system by another method, and what that needs of it.
void set_method(Model& model, Method method);

/// The same steps on the whole groups, as with reconstruct = true. Points that are not stated start at the
/// identity.
Model with_points(const Model& model);

/// Name of the configuration space: R^2, SO(3) x R^3.
std::string space_name(const Model& model);

}  // namespace varia::io
