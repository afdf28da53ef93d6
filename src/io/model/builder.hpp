// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// From the texts of a scenario to functions: the steps of build_model.
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "bodies.hpp"
#include "layout.hpp"
#include "varia/expr/derivative.hpp"
#include "varia/expr/loops.hpp"
#include "varia/io/control_problem.hpp"
#include "varia/io/model.hpp"
#include "varia/io/scenario.hpp"
#include "varia/mechanics/displacement.hpp"

namespace varia::io {

/// Vakonomic constraints: see vakonomic.cpp.
bool is_vakonomic(const Scenario& scenario);
Scenario with_impulses(Scenario scenario);

/// Throws ScenarioError where reconstruct = false has no meaning.
void require_points_to_leave_out(const Scenario& scenario);

/// How far L may change along a symmetry, relative to the terms that cancel.
inline constexpr double invariance_tolerance = 1e-9;

class ModelBuilder {
 public:
  /// inputs: what they are along a motion, for a model of a control problem that runs.
  explicit ModelBuilder(const Scenario& scenario, Sums sums = Sums::as_loops,
                        std::shared_ptr<const ControlInputs> inputs = nullptr);
  Model build();
  /// The control problem of the scenario, see ../control/.
  ControlStatement build_problem();

 private:
  using Id = expr::Id;

  // parameters and numbers
  void read_parameters();
  void require_number(const Text& name) const;
  void check_definitions();
  std::vector<double> in_parameters(Id f) const;  ///< its derivatives in the free parameters
  Id parse(const expr::Scope& scope, const Text& text);
  /// A formula, or those of the components of a vector.
  expr::Array parse_array(const expr::Scope& scope, const Text& text);
  /// One expression for each degree of freedom, of components of what is seen; those that are not
  /// given are 0.
  std::vector<Id> by_degree(const expr::Scope& scope, const std::vector<Component>& components);
  double number(const Text& text);
  /// The first and the last i of a range, at most so many of them; 1 and 1 without a range.
  std::pair<long, long> indices(const std::optional<IndexRange>& range, const Text& text,
                                std::size_t most, const char* what);
  long range_end(const Text& text);

  // the system
  void read_system();
  /// None when the system is stated by a Hamiltonian without a Lagrangian; it is complete then.
  std::optional<Id> read_lagrangian();
  std::optional<Id> lagrangian_of_hamiltonian(Id h);
  void read_hamiltonian(Id h);
  std::vector<Id> without_momenta(const std::vector<Id>& f) const;
  void find_quadratic(const std::vector<Id>& second);
  void read_constraints();
  void read_joints();
  void check_alignment() const;
  void examine_integrability();
  Id with_vakonomic_terms(Id lagrangian);
  void require_vakonomic_start() const;
  bool linear_in_velocities(const std::vector<Id>& functions);
  /// The formulas of a list of constraints, one after another, with their texts.
  struct ConstraintList {
    std::vector<Id> formulas;
    std::vector<const ConstraintText*> texts;
  };
  ConstraintList read_constraint_list(const std::vector<ConstraintText>& list,
                                      const expr::Scope& names);
  Displacement displacement() const;
  expr::Kernel kernel(const std::vector<Id>& outputs, int inputs) const;
  void measure_structure();
  bool stated_with_time() const;

  // what is not smooth
  void find_kinks();
  void note_kinks(const std::string& key, const std::vector<Id>& formulas);

  // special Lagrangians
  void read_one_form();
  void check_projection() const;
  void read_discrete_lagrangian();
  void add_ends(expr::Scope& scope, const Text& text);
  void measure_pattern(const Pattern& second);

  // symmetries, observed functions
  void read_observables();
  void read_scene();
  void read_plots();
  void add_columns(expr::Scope& scope);
  void set_seen();
  void refuse_momenta_of_newmark();
  void check_invariance(const SymmetryText& symmetry, const std::vector<Id>& xi, Momentum& m);
  void add_bracket(const ProductSpace::Curved& c, const std::function<Id(int)>& v,
                   const std::vector<Id>& eta, std::vector<Id>& bracket);
  void refuse_names_of_driver() const;
  std::string changes_along(const std::vector<Id>& xi, const std::string& of);
  Id momentum_along(const std::vector<Id>& xi);
  bool is_free(int degree, int dof) const;
  void add_spatial_momenta(std::vector<Id>& generators, std::vector<Id>& outputs);
  void add_spatial_momenta(const Layout::Block& b, int k, std::vector<Id>& generators,
                           std::vector<Id>& outputs);
  void add_casimirs(const Layout::Block& b, int k, std::vector<Id>& outputs);
  void judge_casimir(Id casimir, const std::string& of, Momentum& m);
  std::vector<std::vector<Id>> casimir_rates(Id casimir,
                                             const std::vector<std::vector<Id>>& forces);
  double reaction_along(const std::vector<Id>& xi);
  double constraint_defect(const std::vector<Id>& xi) const;
  double invariance_defect(const std::vector<Id>& terms) const;
  std::vector<double> sample_point(int number) const;

  // start and run
  void read_start();
  /// A point as it is stated.
  struct GivenPoint {
    std::size_t form = 0;
    std::vector<Id> numbers;
  };
  std::function<std::vector<double>(double)> along_parameter(const std::vector<Id>& formulas,
                                                             std::size_t parameter);
  void differentiate_point(const GivenPoint& point, const Factor& factor, int degree,
                           const double* q);
  void differentiate_rates(const std::string& name, const Factor& factor, int degree,
                           const double* q, const std::vector<Id>& seen);
  void read_points();
  void read_rates();
  void read_run();
  void read_tolerance();
  void choose_method();
  std::pair<std::string, std::string> method_by_structure() const;
  void check_start_values() const;
  void read_variable_steps();

  // optimal control: ../control/
  void refuse_uncontrolled() const;
  void add_inputs();
  expr::Scope everything_with_inputs() const;
  void add_pieces();
  std::vector<Id> along_pieces(const std::vector<Id>& formulas);
  void set_control_time();
  std::vector<Id> in_unknowns(const std::vector<Id>& formulas);
  void require_acting_inputs(const ControlFormulas& f) const;
  ControlRange range_of(const BoundsText& text, const std::string& name);
  void add_bounds(ControlStatement& s);
  void add_costs(ControlFormulas& f);
  ControlTime control_time();
  /// What is fixed at an end: conditions, and the numbers where they are some.
  struct ControlEnd {
    std::string key;  ///< "start" or "end"
    std::vector<ControlRow> rows;
    std::vector<double> q;    ///< entries; the origin where nothing is fixed
    std::vector<double> v;    ///< as they are held; 0 where they are free
    std::vector<char> known;  ///< of the entries
    std::vector<std::optional<double>> states;
    std::vector<std::pair<Text, double>> values;  ///< of coordinates, velocities and states
  };
  ControlEnd read_end(const Start& fixed, std::optional<Text> StateText::*state,
                      const std::vector<Text>& conditions);
  void fix_positions(const Start& fixed, ControlEnd& end);
  void fix_points(const Start& fixed, ControlEnd& end);
  void fix_rates(const Start& fixed, ControlEnd& end);
  void fix_states(std::optional<Text> StateText::*state, ControlEnd& end);
  /// The number where the formula is one, up to parameters that are to be found.
  std::optional<double> end_number(Id formula) const;
  void check_against_bounds(const ControlEnd& end, const char* what) const;
  ControlSearch control_search(const ControlEnd& start, const ControlEnd& end,
                               const ControlTime& time);
  std::function<void(double, double*)> guess_of_motion(const ControlEnd& start,
                                                       const ControlEnd& end,
                                                       const ControlTime& time);
  std::function<void(double, double*)> guess_of_numbers(
      const std::vector<std::string>& names, const Named& given,
      const std::vector<std::pair<double, double>>& ends, const ControlTime& time);
  Id in_time(const Text& text);

  // events
  void read_events();
  void read_period(const EventText& text, Event& event);
  void read_function(const EventText& text, Event& event);
  void check_axes(const EventText& text) const;

  // terms of the potential, for avi
  void read_terms();
  void refuse_asynchronous() const;
  void add_terms(const TermText& text);
  Term make_term(Id potential, double step, const Text& text);
  double term_step(const TermText& text, const expr::Scope& numbers);
  void check_term_sum() const;

  // sums that stay loops
  bool may_keep_loops() const;
  bool read_looped_system();
  void measure_loops();
  expr::Array parse_with_loops(const expr::Scope& scope, const Text& text);
  expr::Array parse_observable(const Text& text);
  expr::Kernel observed(const std::vector<Id>& outputs);

  Scenario scenario_;
  Sums sums_;
  Layout layout_;
  std::shared_ptr<expr::Graph> graph_;
  expr::Graph numbers_;                      ///< the parameters, without variables
  expr::Scope parameters_;                   ///< parameters only
  expr::Scope configuration_;                ///< and q
  expr::Scope motion_;                       ///< and t, v
  expr::Scope everything_;                   ///< and p
  std::vector<Id> gradient_;                 ///< of L in (δ, v), at δ = 0
  std::vector<Id> velocity_;                 ///< ∂H/∂p of a system without a Lagrangian
  std::vector<std::pair<int, Id>> momenta_;  ///< of velocities, where L comes from a Hamiltonian
  std::vector<Id> force_;
  std::optional<Bodies> bodies_;
  std::unique_ptr<expr::Loops> loops_;  ///< where the sums of L are loops
  std::vector<Id> constraints_, nonholonomic_, vakonomic_;
  std::vector<const ConstraintText*> rolling_texts_;  ///< of the last two
  Id hamiltonian_ = 0;                                ///< of a system without a Lagrangian
  std::shared_ptr<const ControlInputs> inputs_;
  expr::Scope acting_;                 ///< motion_, inputs and states
  expr::Scope ends_;                   ///< everything_ and states
  int first_input_ = 0;                ///< among the parameters of the graph: inputs, then states
  std::set<std::pair<Id, Id>> kinks_;  ///< that are noted
  std::vector<Id> gaps_;               ///< left and right of each
  std::vector<JointFormulas> joints_;
  std::unordered_map<std::string, GivenPoint> points_;
  Model model_;
};

}  // namespace varia::io
