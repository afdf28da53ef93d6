// SPDX-License-Identifier: BSD-3-Clause
// Lagrangian, forces and constraints as kernels, with exact derivatives and their zeros.
#include <algorithm>
#include <cmath>
#include <utility>

#include "builder.hpp"
#include "varia/core/counted.hpp"
#include "varia/core/index.hpp"
#include "varia/core/norm.hpp"
#include "varia/core/round_off.hpp"
#include "varia/expr/tape.hpp"
#include "varia/mechanics/displacement.hpp"
#include "varia/mechanics/make_kernel_system.hpp"

namespace varia::io {

namespace {

constexpr std::size_t most_constraints = 1000000;

using detail::sz;

/// The constraint that is written last.
const Text& last_of(const System& s) {
  if (!s.nonholonomic.empty()) return s.nonholonomic.back().phi;
  return s.joints.empty() ? s.holonomic.back().phi : s.joints.back().where;
}

}  // namespace

expr::Kernel ModelBuilder::kernel(const std::vector<Id>& outputs, int inputs) const {
  return expr::Kernel(std::make_shared<const expr::Tape>(*graph_, outputs, inputs));
}

Displacement ModelBuilder::displacement() const {
  return {*graph_, model_.system->space, layout_.helper_variable(0)};
}

/// Whether ∂²L/∂v² contains no velocity.
void ModelBuilder::find_quadratic(const std::vector<Id>& second) {
  const KernelSystem& f = *model_.system;
  std::vector<Id> inertia;
  for (int e = 0; e < f.second.size(); ++e)
    if (f.second.column[sz(e)] >= f.n) inertia.push_back(second[sz(e)]);
  const std::vector<int> used = expr::variables_of(*graph_, inertia);
  model_.structure.quadratic = used.empty() || used.back() < layout_.velocity_variable(0);
}

ModelBuilder::ConstraintList ModelBuilder::read_constraint_list(
    const std::vector<ConstraintText>& list, const expr::Scope& names) {
  ConstraintList read;
  for (const ConstraintText& c : list) {
    const auto [first, last] = indices(c.range, c.phi, most_constraints, "constraints");
    expr::Scope scope = names;
    if (c.range) scope.add_index("i", first);
    for (long i = first; i <= last; ++i) {
      if (c.range) scope.set_index("i", i);
      const expr::Array phi = parse_array(scope, c.phi);
      for (std::size_t k = 0; k < phi.entries.size(); ++k) {
        read.formulas.push_back(phi.entries[k]);
        read.texts.push_back(&c);
        model_.constraint_texts.push_back(
            c.phi.value +
            (phi.shape.empty() ? "" : ", component " + expr::index_text(phi.shape, k)) +
            (c.range ? ", i = " + std::to_string(i) : ""));
        const std::vector<int> used = expr::variables_of(*graph_, read.formulas.back());
        if (used.empty() || used.back() == 0)
          throw ScenarioError(
              c.phi,
              (phi.shape.empty() ? std::string("does")
                                 : "the component " + expr::index_text(phi.shape, k) + " does") +
                  " not depend on any coordinate");
      }
    }
  }
  return read;
}

/// Joints are constraints behind those that are written out.
void ModelBuilder::read_joints() {
  for (const JointText& text : scenario_.system.joints) {
    const auto [first, last] = indices(text.range, text.where, most_constraints, "joints");
    expr::Scope scope = parameters_;
    scope.add("t", graph_->variable(0));
    if (text.range) scope.add_index("i", first);
    for (long i = first; i <= last; ++i) {
      if (text.range) scope.set_index("i", i);
      joints_.push_back(bodies_->joint(text, scope));
      const JointFormulas& joint = joints_.back();
      for (const Id phi : joint.constraints) {
        constraints_.push_back(phi);
        model_.joint_constraints.push_back(phi);
        model_.constraint_texts.push_back(joint.name);
      }
    }
  }
}

void ModelBuilder::read_constraints() {
  const System& s = scenario_.system;
  expr::Scope with_time = configuration_;
  with_time.add("t", graph_->variable(0));
  constraints_ = read_constraint_list(s.holonomic, with_time).formulas;
  read_joints();
  const ConstraintList rolling =
      read_constraint_list(s.nonholonomic, s.hamiltonian ? everything_ : motion_);
  rolling_texts_ = rolling.texts;
  // with a Hamiltonian they may be stated by momenta, which are functions of the velocities
  nonholonomic_ = expr::substitute(*graph_, rolling.formulas, momenta_);
  for (std::size_t a = 0; a < nonholonomic_.size(); ++a)
    if (expr::variables_of(*graph_, nonholonomic_[a]).back() < layout_.velocity_variable(0))
      throw ScenarioError(rolling_texts_[a]->phi,
                          "does not depend on any velocity: it is holonomic. Write it in "
                          "holonomic");
  if (is_vakonomic(scenario_)) {
    vakonomic_ = std::exchange(nonholonomic_, {});
    if (std::ssize(vakonomic_) != layout_.blocks.back().count)
      throw ScenarioError(s.nonholonomic.front().phi,
                          "vakonomic constraints are numbers; write the components of a vector one "
                          "by one");
    model_.constraint_texts.resize(constraints_.size());
  }
  const std::size_t degrees = sz(layout_.n) - model_.system->space.vertical().size();
  const std::size_t count = constraints_.size() + nonholonomic_.size();
  const bool may_leave_out = nonholonomic_.empty();
  if (count > degrees && !(may_leave_out && scenario_.run.leave_out_dependent))
    throw ScenarioError(
        last_of(s), "found " + counted(count, "constraint") + " on " +
                        counted(degrees, "degree of freedom", "degrees of freedom") +
                        (may_leave_out ? "; leave out those that follow from others, or let "
                                         "Varia do so: dependent_constraints = \"leave_out\" in "
                                         "[run]"
                                       : ""));
}

/// Whether t occurs, but for inputs that change with it.
bool ModelBuilder::stated_with_time() const {
  std::vector<Id> all = force_;
  all.push_back(model_.lagrangian);
  for (const auto* list : {&constraints_, &nonholonomic_})
    all.insert(all.end(), list->begin(), list->end());
  const std::vector<int> used = expr::variables_of(*graph_, all);
  return !used.empty() && used.front() == 0;
}

void ModelBuilder::measure_structure() {
  const KernelSystem& f = *model_.system;
  Structure& s = model_.structure;
  s.separable = f.separable;
  s.time_independent = scenario_.control ? !stated_with_time() : !f.uses_time;
  const std::vector<int> used = expr::variables_of(*graph_, model_.lagrangian);
  s.driven = f.rheonomic() && !f.forced && (used.empty() || used.front() > 0);
  s.operations = f.hessian.tape().operations();
  s.idle = linear_in_velocities(nonholonomic_);
  measure_pattern(f.second);
}

/// Whether the functions are linear in v and vanish with it.
bool ModelBuilder::linear_in_velocities(const std::vector<Id>& functions) {
  const int first = layout_.velocity_variable(0);
  const auto at_rest = expr::substitute(*graph_, functions, expr::zeros(*graph_, first, layout_.n));
  const bool vanish = std::all_of(at_rest.begin(), at_rest.end(),
                                  [&](Id id) { return graph_->is_constant(id, 0.0); });
  std::vector<Id> slopes;
  for (const auto& entry : expr::jacobian(*graph_, functions, detail::range(first, layout_.n)))
    slopes.push_back(entry.value);
  const auto used = expr::variables_of(*graph_, slopes);
  return vanish && (used.empty() || used.back() < first);
}

/// How many second derivatives there are and how far apart, and the coordinates that do not occur.
void ModelBuilder::measure_pattern(const Pattern& second) {
  Structure& s = model_.structure;
  const int n = layout_.n;
  s.coordinates = n;
  s.second_derivatives = second.size();
  for (int e = 0; e < second.size(); ++e)
    if (second.row[sz(e)] < n)
      s.bandwidth = std::max(s.bandwidth, second.row[sz(e)] - second.column[sz(e)]);
  std::vector<Id> both = constraints_;
  both.insert(both.end(), nonholonomic_.begin(), nonholonomic_.end());
  const auto constrained = expr::variables_of(*graph_, both);
  for (const auto& b : layout_.blocks)
    for (int i = 0; !b.curved() && i < b.dof(); ++i) {
      const int v = layout_.entry_variable(b.entry + i);
      const bool free = !std::binary_search(constrained.begin(), constrained.end(), v);
      if (graph_->is_constant(gradient_[sz(b.degree + i)], 0.0) && free)
        s.cyclic.push_back(model_.entry_names[sz(b.entry + i)]);
    }
}

void ModelBuilder::read_system() {
  model_.system = std::make_shared<KernelSystem>(space_of(layout_));
  if (read_looped_system()) return;
  if (const auto lagrangian = read_lagrangian()) {
    force_ = by_degree(acting_, scenario_.system.force);
    read_constraints();
    model_.lagrangian = with_vakonomic_terms(*lagrangian);
    const bool forced = !scenario_.system.force.empty();
    LagrangianDerivatives d;
    model_.system = make_kernel_system(
        *graph_,
        {model_.system->space, model_.lagrangian, forced ? along_pieces(force_) : std::vector<Id>{},
         constraints_, nonholonomic_},
        &d);
    gradient_ = d.gradient;
    model_.constraints = constraints_;
    model_.constraints.insert(model_.constraints.end(), nonholonomic_.begin(), nonholonomic_.end());
    model_.constraint_gradient = d.constraint;
    model_.nonholonomic_slopes = expr::jacobian(
        *graph_, nonholonomic_, detail::range(layout_.velocity_variable(0), layout_.n));
    find_quadratic(d.second);
    measure_structure();
    read_one_form();
  }
  read_discrete_lagrangian();
  model_.gradient = gradient_;
  model_.force = force_;
  find_kinks();
}

// Systems stated by a Hamiltonian: those with a Lagrangian become Lagrangian systems, the others keep
// H and run on (q, p).

namespace {

using detail::range;
using detail::sz;

/// Of each row of a matrix, the columns and values that are not zero.
using SparseRows = std::vector<std::vector<std::pair<int, double>>>;

/// The inverse of a diagonal matrix; none where it is singular to round-off.
std::optional<SparseRows> inverse_of_diagonal(const std::vector<double>& diagonal) {
  const double zero =
      detail::largest(diagonal) * detail::eps * static_cast<double>(diagonal.size());
  SparseRows rows;
  rows.reserve(diagonal.size());
  for (const double x : diagonal) {
    if (!(std::abs(x) > zero)) return std::nullopt;
    rows.push_back({{static_cast<int>(rows.size()), 1.0 / x}});
  }
  return rows;
}

/// The inverse of a symmetric matrix of constants, given by its lower triangle.
std::optional<SparseRows> inverse_of(const expr::Graph& g, const std::vector<expr::Entry>& entries,
                                     int n) {
  std::vector<double> diagonal(sz(n), 0.0);
  bool is_diagonal = true;
  for (const auto& entry : entries) {
    is_diagonal = is_diagonal && entry.row == entry.column;
    diagonal[sz(entry.row)] = g[entry.value].value;
  }
  if (is_diagonal) return inverse_of_diagonal(diagonal);
  Eigen::MatrixXd a = Eigen::MatrixXd::Zero(n, n);
  for (const auto& entry : entries)
    a(entry.row, entry.column) = a(entry.column, entry.row) = g[entry.value].value;
  const Eigen::FullPivLU<Eigen::MatrixXd> lu(a);
  if (!lu.isInvertible()) return std::nullopt;
  const Eigen::MatrixXd inverse = lu.inverse();
  SparseRows rows(sz(n));
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      if (inverse(i, j) != 0.0) rows[sz(i)].emplace_back(j, inverse(i, j));
  return rows;
}

}  // namespace

std::optional<expr::Id> ModelBuilder::read_lagrangian() {
  const System& s = scenario_.system;
  if (!s.hamiltonian) {
    const Id bodies = bodies_->lagrangian();
    return s.lagrangian ? graph_->add(parse(motion_, *s.lagrangian), bodies) : bodies;
  }
  expr::Scope phase = configuration_;
  phase.add("t", graph_->variable(0));
  add_rates(layout_, *graph_, phase, true);
  const Id h = parse(phase, *s.hamiltonian);
  model_.energy = h;
  const auto lagrangian = lagrangian_of_hamiltonian(h);
  if (!lagrangian) read_hamiltonian(h);
  return lagrangian;
}

/// L = ⟨p, v⟩ - H for H = ½ pᵀA p + b(q)·p + c(q) with constant regular A: p = A⁻¹(v - b).
std::optional<expr::Id> ModelBuilder::lagrangian_of_hamiltonian(Id h) {
  expr::Graph& g = *graph_;
  const int n = layout_.n;
  const std::vector<int> p = range(layout_.momentum_variable(0), n);
  const std::vector<Id> velocity = expr::gradient(g, h, p);
  const std::vector<expr::Entry> second = expr::hessian(g, velocity, p);
  for (const auto& entry : second)
    if (!g.is_constant(entry.value)) return std::nullopt;
  const auto inverse = inverse_of(g, second, n);
  if (!inverse) return std::nullopt;
  const std::vector<Id> b = expr::substitute(g, velocity, expr::zeros(g, p.front(), n));
  std::vector<std::pair<int, Id>> momentum;
  Id pairing = g.constant(0.0);
  for (int i = 0; i < n; ++i) {
    Id sum = g.constant(0.0);
    for (const auto& [j, value] : (*inverse)[sz(i)])
      sum = g.add(
          sum, g.mul(g.constant(value), g.sub(g.variable(layout_.velocity_variable(j)), b[sz(j)])));
    momentum.emplace_back(p[sz(i)], sum);
    pairing = g.add(pairing, g.mul(sum, g.variable(layout_.velocity_variable(i))));
  }
  momenta_ = momentum;
  return g.sub(pairing, expr::substitute(g, h, momentum));
}

/// The momenta in the places of the velocities: variables t, q, p one after the other.
std::vector<expr::Id> ModelBuilder::without_momenta(const std::vector<Id>& f) const {
  return expr::substitute(*graph_, f,
                          expr::renamed(*graph_, layout_.momentum_variable(0),
                                        layout_.velocity_variable(0), layout_.n));
}

/// H as it is. For symmetries and equations: d/dt p = -∂H/∂q, that is (∂L/∂q, ∂L/∂v) = (-∂H/∂q, p)
/// along the motion.
void ModelBuilder::read_hamiltonian(Id h) {
  const System& s = scenario_.system;
  const Text& text = *s.hamiltonian;
  const int n = layout_.n;
  const char* const no_lagrangian =
      "the Hamiltonian is not quadratic in the momenta with constant, regular coefficients, so "
      "that "
      "velocities and momenta are not exchanged: it is used as it is, ";
  if (!model_.system->on_vector_space())
    throw ScenarioError(text,
                        std::string(no_lagrangian) + "and that is for coordinates in R^n only");
  if (!s.force.empty())
    throw ScenarioError(s.force.front().text, std::string(no_lagrangian) + "without forces");
  if (s.constraint() != nullptr)
    throw ScenarioError(*s.constraint(), std::string(no_lagrangian) + "without constraints");
  if (!scenario_.start.momenta)
    throw ScenarioError(scenario_.start.place, "start",
                        std::string(no_lagrangian) + "and starts from momenta: give " +
                            model_.momentum_names.front() + " and so on");
  hamiltonian_ = h;
  model_.hamiltonian = std::make_shared<HamiltonianSystem>(
      hamiltonian_system(*graph_, without_momenta({h}).front(), n));
  for (const Id slope : expr::gradient(*graph_, h, displacement().variables()))
    gradient_.push_back(graph_->neg(slope));
  velocity_ = expr::gradient(*graph_, h, range(layout_.momentum_variable(0), n));
  for (int i = 0; i < n; ++i) gradient_.push_back(graph_->variable(layout_.momentum_variable(i)));
  force_.assign(sz(n), graph_->constant(0.0));
  model_.velocity = velocity_;
  const HamiltonianSystem& system = *model_.hamiltonian;
  model_.system->uses_time = system.uses_time;
  model_.system->free = system.free;
  model_.structure.separable = system.separable;
  model_.structure.time_independent = !system.uses_time;
  model_.structure.operations = system.hessian.tape().operations();
  measure_pattern(system.second);
}

// Lagrangians that are linear in the velocities, and discrete Lagrangians of the user's own.

/// L = ⟨θ(t, q), v⟩ - H(t, q): equations of first order, by OneFormFlow.
void ModelBuilder::read_one_form() {
  const System& s = scenario_.system;
  if (!s.lagrangian || !model_.system->degenerate) {
    if (scenario_.start.missing_rates)
      throw ScenarioError(scenario_.start.missing_rates->place, scenario_.start.missing_rates->key,
                          scenario_.start.missing_rates->value);
    check_projection();
    return;
  }
  const std::string linear = "the Lagrangian is linear in the velocities, theta(q).v - H(q): ";
  if (!s.force.empty()) throw ScenarioError(s.force.front().text, linear + "it takes no forces");
  if (s.constraint() != nullptr)
    throw ScenarioError(*s.constraint(), linear + "it takes no constraints");
  if (!scenario_.start.missing_rates)
    throw ScenarioError(
        scenario_.start.rates.front().text,
        linear +
            "the positions determine velocities and momenta, so that the start is the "
            "positions alone; leave out " +
            scenario_.start.rates.front().component + " and the like");
  if (layout_.n % 2 != 0)
    throw ScenarioError(*s.lagrangian, linear + "it needs an even number of coordinates, got " +
                                           std::to_string(layout_.n) +
                                           " (d theta is singular for an odd number)");
}

void ModelBuilder::check_projection() const {
  if (scenario_.run.projection)
    throw ScenarioError(*scenario_.run.projection,
                        "is for a Lagrangian that is linear in the velocities; this one is not");
}

/// h, and the coordinates at both ends of a step: x_0, x_1, q_0[i], q_1[i].
void ModelBuilder::add_ends(expr::Scope& scope, const Text& text) {
  try {
    scope.add("h", graph_->variable(0));
    for (const auto& b : layout_.blocks)
      for (const int end : {0, 1}) {
        const std::vector<Id> ids =
            expr::variables(*graph_, 1 + end * layout_.n + b.degree, b.dof());
        const std::string name = b.name + "_" + std::to_string(end);
        if (b.array)
          scope.add_array(name, {b.first, ids, {b.indices.begin() + 1, b.indices.end()}});
        else
          scope.add(name, ids.front());
      }
  } catch (const InvalidArgument& error) {
    throw ScenarioError(text, std::string(error.what()) +
                                  ": in a discrete Lagrangian h is the step, and x_0, x_1 are a "
                                  "coordinate x at its ends; rename the parameter");
  }
}

void ModelBuilder::read_discrete_lagrangian() {
  const System& s = scenario_.system;
  if (!s.discrete_lagrangian) return;
  const Text& text = *s.discrete_lagrangian;
  if (!model_.system->on_vector_space())
    throw ScenarioError(text, "a discrete Lagrangian is for coordinates in R^n, without rotations");
  if (model_.hamiltonian)
    throw ScenarioError(text, "a discrete Lagrangian needs the Lagrangian that it belongs to");
  if (!s.force.empty())
    throw ScenarioError(s.force.front().text, "a discrete Lagrangian takes no forces");
  if (s.constraint() != nullptr)
    throw ScenarioError(*s.constraint(), "a discrete Lagrangian takes no constraints");
  expr::Scope scope = parameters_;
  add_ends(scope, text);
  const Id ld = parse(scope, text);
  model_.discrete = std::make_shared<DiscreteLagrangianSystem>(
      told_at(text, [&] { return discrete_lagrangian_system(*graph_, ld, layout_.n); }));
}

}  // namespace varia::io
