// SPDX-License-Identifier: BSD-3-Clause
#include "varia/io/model.hpp"

#include <cmath>
#include <unordered_map>
#include <utility>

#include "../scenario/expressions.hpp"
#include "builder.hpp"
#include "tables.hpp"
#include "varia/mechanics/rigid_body.hpp"

namespace varia::io {

ModelBuilder::ModelBuilder(const Scenario& scenario, Sums sums,
                           std::shared_ptr<const ControlInputs> inputs)
    : scenario_(scenario),
      sums_(scenario.control ? Sums::term_by_term : sums),
      layout_(make_layout(scenario.system, retraction_of(scenario.run))),
      graph_(std::make_shared<expr::Graph>()),
      inputs_(std::move(inputs)) {}

Model ModelBuilder::build() {
  parameters_.set_tables(table_reader(scenario_));
  require_points_to_leave_out(scenario_);
  if (scenario_.control) refuse_uncontrolled();
  model_.entry_names = entry_names(scenario_.system);
  model_.velocity_names = velocity_names(scenario_.system);
  model_.momentum_names = momentum_names(scenario_.system);
  model_.variable_names = held_names(layout_);
  read_parameters();
  constexpr int large = 100'000;
  constexpr std::size_t room_for_formulas = 65536;
  if (const int count = layout_.helper_variable(0); count > large)
    graph_->reserve(static_cast<std::size_t>(count) + room_for_formulas);
  configuration_ = parameters_;
  add_entries(layout_, *graph_, configuration_);
  add_left_out(scenario_.system, configuration_);
  bodies_.emplace(scenario_, layout_, *graph_, parameters_);
  bodies_->add_places(configuration_);
  motion_ = configuration_;
  motion_.add("t", graph_->variable(0));
  add_rates(layout_, *graph_, motion_, false);
  everything_ = motion_;
  add_rates(layout_, *graph_, everything_, true);
  add_spatial(layout_, *graph_, everything_);
  acting_ = motion_;
  if (scenario_.control) add_inputs();
  check_definitions();
  set_seen();
  read_system();
  read_start();
  read_run();
  examine_integrability();
  read_terms();
  read_observables();
  read_events();
  model_.bodies = bodies_->numbers();
  model_.scenario = scenario_;
  model_.graph = graph_;
  set_method(model_, model_.method);
  read_scene();
  read_plots();
  return std::move(model_);
}

Model build_model(const Scenario& scenario, Sums sums) {
  if (scenario.solid)
    throw ScenarioError(scenario.solid->place, "solid",
                        "this takes a scenario with a [system]; solids can be run and shown.");
  Model model =
      ModelBuilder(is_vakonomic(scenario) ? with_impulses(scenario) : scenario, sums).build();
  if (model.scenario.run.open_step() && !scenario.control) choose_step(model);
  return model;
}

void set_method(Model& model, Method method) {
  model.method = std::move(method);
  if (model.method.shooting() && !model.acceleration && !model.hamiltonian &&
      model.system->on_vector_space())
    model.acceleration = make_acceleration_system(*model.graph, model.lagrangian, model.system->n);
}

/// Equal factors that follow each other as one: SO(3)^10, (S^2)^10.
std::string space_name(const Model& model) {
  const auto& factors = model.system->space.factors();
  std::string text;
  for (std::size_t i = 0; i < factors.size();) {
    const std::string name = factors[i].factor->name();
    std::size_t end = i + 1;
    while (end < factors.size() && factors[end].factor->name() == name) ++end;
    const bool power = name.find('^') != std::string::npos;
    text += (text.empty() ? "" : " x ");
    text += end - i == 1 ? name : (power ? "(" + name + ")" : name) + "^" + std::to_string(end - i);
    i = end;
  }
  return text;
}

// Numbers of a scenario: parameters in the order of the file, and constant expressions of them.

expr::Id ModelBuilder::parse(const expr::Scope& scope, const Text& text) {
  return parse_text(scenario_.text, *graph_, scope, text);
}

expr::Array ModelBuilder::parse_array(const expr::Scope& scope, const Text& text) {
  return io::parse_array(scenario_.text, *graph_, scope, text);
}

EntryScope::EntryScope(const expr::Scope& scope)
    : plain_(scope), indexed_(scope), taken_(scope.has("i")) {
  if (!taken_) indexed_.add_index("i", 0);
}

const expr::Scope& EntryScope::at(long index, bool indexed, const std::optional<long>& second) {
  if (!indexed || taken_) return plain_;
  if (!second) {
    indexed_.set_index("i", index);
    return indexed_;
  }
  if (!twice_) twice_.emplace(indexed_).add_index("j", 0);
  twice_->set_index("i", index);
  twice_->set_index("j", *second);
  return *twice_;
}

expr::Id ComponentFormulas::of(const Component& c) {
  const Text& text = c.text;
  const expr::Scope& scope = scope_.at(c.index, c.indexed, c.second);
  if (c.whole.empty()) return parse_text(file_, graph_, scope, text);
  const bool same = !entries_.empty() && text.value == last_.text.value &&
                    text.place.line == last_.text.place.line &&
                    text.place.column == last_.text.place.column &&
                    expr::same_counts(c.whole, last_.whole) && (c.alone || c.index == last_.index);
  if (same) return entries_[c.part];
  entries_.clear();
  if (c.alone) {
    const expr::Array array = parse_array(file_, graph_, scope, text);
    if (array.shape.empty()) return array.entries[0];
  }
  entries_ = parse_entries(file_, graph_, scope, text, c.whole);
  last_ = c;
  return entries_[c.part];
}

double ComponentNumbers::of(const Component& c) {
  constexpr std::size_t most_nodes = 100'000;
  if (graph_.size() > begin_.size() + most_nodes) {
    graph_ = begin_;
    formulas_.forget();
  }
  return constant_value(graph_, formulas_.of(c), c.text);
}

std::vector<expr::Id> ModelBuilder::by_degree(const expr::Scope& scope,
                                              const std::vector<Component>& components) {
  std::unordered_map<std::string, std::size_t> degree;
  for (const std::string& name : force_names(scenario_.system)) degree.emplace(name, degree.size());
  std::vector<Id> seen(degree.size(), graph_->constant(0.0));
  ComponentFormulas formulas(scenario_.text, *graph_, scope);
  for_entries(components,
              [&](const Component& c) { seen[degree.at(c.component)] = formulas.of(c); });
  std::vector<Id> held;
  auto from = seen.begin();
  for (const auto& b : layout_.blocks)
    for (int k = 0; k < b.count; ++k) {
      const auto end = from + static_cast<std::ptrdiff_t>(b.notation().forces.suffixes.size());
      const Formulas one =
          b.factor->held_vector(*graph_, layout_.point(*graph_, b, k), Formulas(from, end));
      held.insert(held.end(), one.begin(), one.end());
      from = end;
    }
  return held;
}

/// Where all that is seen is what is held there is no kernel.
void ModelBuilder::set_seen() {
  Formulas points, velocities, momenta;
  const auto append = [](const Formulas& part, Formulas& all) {
    all.insert(all.end(), part.begin(), part.end());
  };
  expr::Graph& g = *graph_;
  for (const auto& b : layout_.blocks)
    for (int k = 0; k < b.count; ++k) {
      const Formulas q = layout_.point(g, b, k);
      append(b.factor->seen_point(g, q), points);
      append(b.factor->seen_vector(g, q, layout_.velocity(g, b, k)), velocities);
      append(b.factor->seen_vector(g, q, layout_.momentum(g, b, k)), momenta);
    }
  append(velocities, points);
  append(momenta, points);
  const int count = layout_.entries + 2 * layout_.n;
  if (points != variables(g, 1, count)) model_.seen = kernel(points, 1 + count);
}

double ModelBuilder::number(const Text& text) {
  return constant_value(*graph_, parse(parameters_, text), text);
}

void ModelBuilder::read_parameters() {
  const auto contains = [](const std::vector<Text>& list, const std::string& name) {
    return std::any_of(list.begin(), list.end(), [&](const Text& t) { return t.value == name; });
  };
  std::vector<std::string> free;
  const auto optimised = [&](const std::string& name) {
    return scenario_.control &&
           std::any_of(scenario_.control->optimise.begin(), scenario_.control->optimise.end(),
                       [&](const BoundsText& b) { return b.name == name; });
  };
  for (const Parameter& parameter : scenario_.system.parameters)
    if (contains(scenario_.system.free, parameter.name) || optimised(parameter.name) ||
        contains(scenario_.diagnose.sensitivity, parameter.name)) {
      free.push_back(parameter.name);
      const std::vector<double> zero(static_cast<std::size_t>(layout_.n), 0.0);
      model_.free.push_back({parameter.name, 0.0, 0.0, zero, zero});
    }
  const System& s = scenario_.system;
  forbid_definitions(s.definitions, parameters_);
  model_.parameters = add_parameters(scenario_.text, s.parameters, *graph_, parameters_, free);
  for (const Text& name : s.free)
    if (!scenario_.diagnose.sensitivity.empty()) require_number(name);
  for (const Text& name : scenario_.diagnose.sensitivity) require_number(name);
  add_definitions(s.definitions, parameters_);
  numbers_ = *graph_;
}

/// Of a parameter that a text states: that it is no vector, in which nothing is differentiated.
void ModelBuilder::require_number(const Text& name) const {
  const auto& all = scenario_.system.parameters;
  const auto parameter = std::find_if(all.begin(), all.end(),
                                      [&](const Parameter& p) { return p.name == name.value; });
  if (parameter != all.end() && !parameter->array && parameters_.scalar(name.value) == nullptr)
    throw ScenarioError(name,
                        "is a vector or a matrix; its entries are no parameters by themselves");
}

/// In the widest scope there is.
void ModelBuilder::check_definitions() {
  expr::Scope scope = scenario_.control ? everything_with_inputs() : everything_;
  if (scenario_.system.discrete_lagrangian) add_ends(scope, *scenario_.system.discrete_lagrangian);
  io::check_definitions(scenario_.text, *graph_, scope);
  model_.scope = std::make_shared<const expr::Scope>(everything_);
}

std::vector<double> ModelBuilder::in_parameters(Id f) const {
  std::vector<int> variables;
  for (std::size_t k = 0; k < model_.free.size(); ++k)
    variables.push_back(expr::Graph::first_parameter + static_cast<int>(k));
  std::vector<double> rates(variables.size(), 0.0);
  if (!rates.empty())
    for (const expr::Entry& e : expr::jacobian(*graph_, {f}, variables))
      rates[static_cast<std::size_t>(e.column)] = expr::number_of(*graph_, e.value);
  return rates;
}

long ModelBuilder::range_end(const Text& text) {
  const double value = number(text);
  if (value != std::floor(value) || std::abs(value) > 1e9)
    throw ScenarioError(text, "must be a whole number, found " + varia::to_text(value));
  return static_cast<long>(value);
}

std::pair<long, long> ModelBuilder::indices(const std::optional<IndexRange>& range,
                                            const Text& text, std::size_t most, const char* what) {
  const long first = range ? range_end(range->first) : 1;
  const long last = range ? range_end(range->second) : 1;
  if (first > last)
    throw ScenarioError(range->second, "the last i must not be less than the first, found " +
                                           std::to_string(first) + " and " + std::to_string(last));
  if (static_cast<std::size_t>(last - first) >= most)
    throw ScenarioError(range ? range->second : text,
                        "there are too many " + std::string(what) +
                            " from i = " + std::to_string(first) + " to " + std::to_string(last) +
                            "; at most " + std::to_string(most) + " fit");
  if (range && motion_.has("i"))
    throw ScenarioError(range->first,
                        "i is a coordinate or a parameter here; give it another name, then i is "
                        "the index of " +
                            std::string(what));
  return {first, last};
}

// The names of a model and the variables of the graph that they stand for.

namespace {

/// An array of what is there of each point of a block, numbers or arrays of this shape.
void add_array(const Layout::Block& block, const std::string& name,
               const std::vector<Formulas>& points, const expr::Shape& of_each, bool motion,
               expr::Scope& scope) {
  expr::Shape shape = block.indices;
  shape.insert(shape.end(), of_each.begin(), of_each.end());
  Formulas all;
  for (const Formulas& point : points) all.insert(all.end(), point.begin(), point.end());
  if (shape.empty())
    scope.add(name, all[0]);
  else
    scope.add_array(name, {shape[0].first, all, {shape.begin() + 1, shape.end()}, motion});
}

/// Of what is seen of each point, these numbers.
std::vector<Formulas> parts(const std::vector<Formulas>& points, std::size_t first,
                            std::size_t count) {
  std::vector<Formulas> some;
  some.reserve(points.size());
  for (const Formulas& point : points) {
    const auto begin = point.begin() + static_cast<std::ptrdiff_t>(first);
    some.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(count));
  }
  return some;
}

void add_vector(const Layout::Block& block, const std::string& name, const VectorName& vector,
                const std::vector<Formulas>& points, expr::Scope& scope) {
  add_array(block, name, parts(points, vector.first, vector.count),
            {{1, static_cast<int>(vector.count)}}, false, scope);
}

/// The names of a block for what is seen of each of its points.
void add_names(const Layout::Block& block, const Names& names, const std::vector<Formulas>& points,
               expr::Scope& scope) {
  std::vector<std::string> all;
  for (const std::string& suffix : names.suffixes) all.push_back(block.name + suffix);
  add_vectors(block, all, {}, points, scope);
  for (const VectorName& vector : names.vectors)
    add_vector(block, block.name + vector.suffix, vector, points, scope);
}

/// A rotation as a matrix; of a motion with the position as its last column.
void add_motions(const Layout& layout, const Layout::Block& block, expr::Graph& graph,
                 expr::Scope& scope) {
  const BodySpace* space = find_body_space(block.notation().key);
  if (space == nullptr || block.factor->entries() == 0) return;
  const int turns = space->dimension * (space->dimension - 1) / 2;
  const bool moves = block.factor->dof() > turns;
  const int columns = space->dimension + (moves ? 1 : 0);
  std::vector<Formulas> points;
  points.reserve(static_cast<std::size_t>(block.count));
  for (int k = 0; k < block.count; ++k) {
    std::vector<expr::Formula> q, v(static_cast<std::size_t>(block.factor->dof()), 0.0);
    for (const expr::Id id : layout.point(graph, block, k)) q.emplace_back(graph, id);
    const auto motion = space->motion(q.data(), v.data());
    Formulas& rows = points.emplace_back();
    for (int i = 0; i < space->dimension; ++i) {
      for (int j = 0; j < space->dimension; ++j) rows.push_back(motion.R(i, j).in(graph));
      if (moves) rows.push_back(motion.x[i].in(graph));
    }
  }
  add_array(block, block.name, points, {{1, space->dimension}, {1, columns}}, moves, scope);
}

}  // namespace

void add_vectors(const Layout::Block& block, const std::vector<std::string>& names,
                 const std::vector<std::string>& vectors, const std::vector<Formulas>& points,
                 expr::Scope& scope) {
  for (std::size_t j = 0; j < names.size(); ++j)
    add_array(block, names[j], parts(points, j, 1), {}, false, scope);
  for (const std::string& name : vectors)
    add_vector(block, name, {"", 0, names.size()}, points, scope);
}

Formulas Layout::point(expr::Graph& graph, const Block& block, int k) const {
  const int size = block.factor->entries();
  return expr::variables(graph, entry_variable(block.entry + k * size), size);
}

Formulas Layout::velocity(expr::Graph& graph, const Block& block, int k) const {
  const int size = block.factor->dof();
  return expr::variables(graph, velocity_variable(block.degree + k * size), size);
}

Formulas Layout::momentum(expr::Graph& graph, const Block& block, int k) const {
  const int size = block.factor->dof();
  return expr::variables(graph, momentum_variable(block.degree + k * size), size);
}

expr::NameList held_names(const Layout& layout) {
  expr::NameList names{"t"};
  const auto add = [&](const std::vector<std::string> Notation::*held,
                       const Names Notation::*seen) {
    for (const auto& b : layout.blocks) {
      const Notation& n = b.notation();
      const auto& suffixes = (n.*held).empty() ? (n.*seen).suffixes : n.*held;
      std::vector<std::string> of_each;
      of_each.reserve(suffixes.size());
      for (const std::string& suffix : suffixes) of_each.push_back(b.name + suffix);
      names.append(of_each, b.indices);
    }
  };
  add(&Notation::held_entries, &Notation::entries);
  add(&Notation::held_velocities, &Notation::velocities);
  add(&Notation::held_momenta, &Notation::momenta);
  return names;
}

Retraction retraction_of(const Run& run) {
  return run.retraction == "cay" ? Retraction::cayley : Retraction::exponential;
}

Layout make_layout(const System& system, Retraction tau) {
  Layout layout;
  for (const Coordinate& c : system.coordinates) {
    const FactorPtr space = factor_of(c);
    const FactorPtr other = space->with(tau);
    layout.blocks.push_back({c.name, other ? other : space, c.array, c.first,
                             static_cast<int>(c.points()), layout.entries, layout.n, c.indices()});
    layout.entries += layout.blocks.back().entries();
    layout.n += layout.blocks.back().dof();
  }
  return layout;
}

/// Coordinates in ℝ that follow each other are one factor.
ProductSpace space_of(const Layout& layout) {
  std::vector<FactorPtr> factors;
  for (std::size_t i = 0; i < layout.blocks.size();) {
    const FactorPtr& factor = layout.blocks[i].factor;
    int count = 0;
    for (; i < layout.blocks.size() && layout.blocks[i].factor->name() == factor->name(); ++i)
      count += layout.blocks[i].count;
    if (FactorPtr power = factor->power(count))
      factors.push_back(std::move(power));
    else
      factors.insert(factors.end(), static_cast<std::size_t>(count), factor);
  }
  return ProductSpace(std::move(factors));
}

void add_entries(const Layout& layout, expr::Graph& graph, expr::Scope& scope) {
  for (const auto& b : layout.blocks) {
    std::vector<Formulas> points;
    points.reserve(static_cast<std::size_t>(b.count));
    for (int k = 0; k < b.count; ++k)
      points.push_back(b.factor->seen_point(graph, layout.point(graph, b, k)));
    add_names(b, b.notation().entries, points, scope);
    add_motions(layout, b, graph, scope);
  }
}

void add_rates(const Layout& layout, expr::Graph& graph, expr::Scope& scope, bool momenta) {
  for (const auto& b : layout.blocks) {
    std::vector<Formulas> vectors;
    vectors.reserve(static_cast<std::size_t>(b.count));
    for (int k = 0; k < b.count; ++k)
      vectors.push_back(b.factor->seen_vector(
          graph, layout.point(graph, b, k),
          momenta ? layout.momentum(graph, b, k) : layout.velocity(graph, b, k)));
    add_names(b, momenta ? b.notation().momenta : b.notation().velocities, vectors, scope);
  }
}

void add_spatial(const Layout& layout, expr::Graph& graph, expr::Scope& scope) {
  for (const auto& b : layout.blocks) {
    if (b.notation().spatial.suffixes.empty()) continue;
    std::vector<Formulas> points;
    points.reserve(static_cast<std::size_t>(b.count));
    for (int k = 0; k < b.count; ++k) {
      const Formulas p = layout.momentum(graph, b, k);
      points.emplace_back();
      for (const Formulas& row : b.factor->to_space(graph, layout.point(graph, b, k))) {
        expr::Id sum = graph.constant(0.0);
        for (std::size_t j = 0; j < row.size(); ++j) sum = graph.add(sum, graph.mul(p[j], row[j]));
        points.back().push_back(sum);
      }
    }
    add_names(b, b.notation().spatial, points, scope);
  }
}

}  // namespace varia::io
