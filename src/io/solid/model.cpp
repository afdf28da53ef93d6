// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <thread>

#include "../scenario/expressions.hpp"
#include "builder.hpp"
#include "varia/expr/derivative.hpp"
#include "varia/expr/tape.hpp"
#include "varia/io/solid_model.hpp"
#include "varia/solids/lumping.hpp"

namespace varia::io {

namespace {

const SolidText& solid_of(const Scenario& scenario) {
  if (!scenario.solid)
    throw InvalidArgument(scenario.file + ": the scenario has no [solid], but a [system].");
  return *scenario.solid;
}

}  // namespace

SolidModelBuilder::SolidModelBuilder(const Scenario& scenario)
    : scenario_(scenario), solid_(solid_of(scenario_)) {}

SolidModel SolidModelBuilder::build() {
  read_parameters();
  model_.problem.t0 = number(solid_.start.t);
  read_run();  // before the mesh: it is quickly told
  read_mesh();
  name_coordinates();
  read_plane();
  read_regions();
  read_fixes();
  read_loads();
  read_body_force();
  read_start();
  compare_supports();
  read_probes();
  model_.scenario = scenario_;
  return std::move(model_);
}

SolidModel build_solid_model(const Scenario& scenario) {
  return SolidModelBuilder(scenario).build();
}

// Texts of a solid as numbers and as functions of X and t.

namespace {

/// An expression in X, Y(, Z), t that many threads evaluate.
struct Function {
  expr::Tape tape;
  std::vector<std::string> names;
  std::string key;

  double operator()(const double* X, double t) const {
    std::array<double, 4> x{};
    const std::size_t dimension = names.size() - 1;
    for (std::size_t i = 0; i < dimension; ++i) x[i] = X[i];
    x[dimension] = t;
    thread_local std::vector<double> work;
    work.resize(tape.instructions().size());
    double value = 0.0;
    tape.evaluate(x.data(), &value, work.data());
    if (!std::isfinite(value)) fail(x);
    return value;
  }

  [[noreturn]] void fail(const std::array<double, 4>& x) const {
    std::string at;
    for (std::size_t i = 0; i < names.size(); ++i)
      at += (at.empty() ? "" : ", ") + names[i] + " = " + varia::to_text(x[i]);
    throw DomainError(key + ": has no finite value at " + at + ": " +
                      tape.non_finite(x.data(), names));
  }
};

}  // namespace

void SolidModelBuilder::read_parameters() {
  model_.parameters = add_parameters(scenario_.text, solid_.parameters, graph_, parameters_);
}

void SolidModelBuilder::name_coordinates() {
  names_ = {"X", "Y"};
  if (model_.dimension() == 3) names_.emplace_back("Z");
  space_ = parameters_;
  for (std::size_t i = 0; i < names_.size(); ++i)
    space_.add(names_[i], graph_.variable(static_cast<int>(i)));
  space_time_ = space_;
  space_time_.add("t", graph_.variable(model_.dimension()));
  names_.emplace_back("t");
}

expr::Id SolidModelBuilder::parse(const expr::Scope& scope, const Text& text) {
  return parse_text(scenario_.text, graph_, scope, text);
}

double SolidModelBuilder::number(const Text& text) {
  return constant_value(graph_, parse(parameters_, text), text);
}

int SolidModelBuilder::whole(const Text& text) {
  const double value = number(text);
  if (std::abs(value) > std::numeric_limits<int>::max() || std::floor(value) != value)
    throw ScenarioError(text, "must be a whole number, found " + varia::to_text(value) + ".");
  return static_cast<int>(value);
}

solids::Component SolidModelBuilder::component(Id value, const Text& text) {
  if (graph_.is_constant(value)) return solids::constant(graph_[value].value);
  const auto function = [&](Id id, const std::string& key) {
    const auto inputs = static_cast<int>(names_.size());
    return std::make_shared<const Function>(
        Function{expr::Tape(graph_, {id}, inputs), names_, key});
  };
  const auto field = [](std::shared_ptr<const Function> f) {
    return [f = std::move(f)](const double* X, double t) { return (*f)(X, t); };
  };
  solids::Component result;
  result.value = field(function(value, text.key));
  const Id rate = expr::derivative(graph_, value, model_.dimension());
  if (!graph_.is_constant(rate, 0.0)) result.rate = field(function(rate, text.key));
  return result;
}

solids::Components SolidModelBuilder::components(const VectorText& texts, const expr::Scope& scope,
                                                 bool displacement) {
  solids::Components result;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (!texts[i]) continue;
    if (static_cast<int>(i) >= model_.dimension())
      throw ScenarioError(*texts[i], "the mesh is plane; there are the components x and y.");
    Id value = parse(scope, *texts[i]);
    if (displacement) value = graph_.add(value, graph_.variable(static_cast<int>(i)));
    result[i] = component(value, *texts[i]);
  }
  return result;
}

void SolidModelBuilder::check_finite(const solids::Component& component, const Text& text,
                                     const double* X) const {
  try {
    component.value(X, model_.problem.t0);
    if (component.rate) component.rate(X, model_.problem.t0);
  } catch (const DomainError& error) {
    throw ScenarioError(text, std::string(error.what()).substr(text.key.size() + 2));
  }
}

void SolidModelBuilder::check_finite(const solids::Components& components, const VectorText& texts,
                                     const std::vector<int>& nodes) const {
  for (std::size_t i = 0; i < texts.size(); ++i)
    if (texts[i])
      for (const int a : nodes) check_finite(components[i], *texts[i], model_.problem.mesh.node(a));
}

// The start of a solid and the numbers of its run.

namespace {

double value_at(const solids::Component& component, const double* X, int i) {
  return component ? component.value(X, 0.0) : X[i];
}

}  // namespace

std::array<double, 3> SolidModelBuilder::centre_of_mass(const solids::Components& position) const {
  const solids::Mesh& mesh = model_.problem.mesh;
  const int d = mesh.dimension();
  std::array<double, 3> moment{};
  double mass = 0.0;
  for (const solids::Region& region : model_.problem.regions)
    for (const int k : region.elements) {
      const auto masses = solids::lumped_masses(mesh, k, region.material.density);
      for (int a = 0; a < mesh.nodes_per_element(); ++a) {
        const double m = masses[static_cast<std::size_t>(a)];
        const double* X = mesh.node(mesh.element(k)[a]);
        mass += m;
        for (int i = 0; i < d; ++i)
          moment[static_cast<std::size_t>(i)] +=
              m * value_at(position[static_cast<std::size_t>(i)], X, i);
      }
    }
  for (double& x : moment) x /= mass;
  return moment;
}

/// v + ω × (x - c), as expressions.
void SolidModelBuilder::add_spin(std::array<Id, 3>& velocity, const std::array<Id, 3>& position) {
  const SolidStartText& text = solid_.start;
  const auto d = static_cast<std::size_t>(model_.dimension());
  const std::size_t spins = d == 2 ? 1 : 3;
  if (text.spin.size() != spins)
    throw ScenarioError(text.whole_spin,
                        d == 2 ? "must be one number: the mesh is plane."
                               : "must be three numbers, as in [0, 0, 10]: the mesh is in space.");
  std::array<Id, 3> w{graph_.constant(0.0), graph_.constant(0.0), graph_.constant(0.0)};
  for (std::size_t i = 0; i < spins; ++i) w[d == 2 ? 2 : i] = graph_.constant(number(text.spin[i]));
  std::array<double, 3> centre{};
  if (text.centre.empty()) {
    centre = centre_of_mass(model_.problem.position);
  } else {
    if (text.centre.size() != d)
      throw ScenarioError(text.whole_centre, "must have " + std::to_string(d) + " entries, found " +
                                                 std::to_string(text.centre.size()) + ".");
    for (std::size_t i = 0; i < d; ++i) centre[i] = number(text.centre[i]);
  }
  std::array<Id, 3> r{};
  for (std::size_t i = 0; i < 3; ++i)
    r[i] = i < d ? graph_.sub(position[i], graph_.constant(centre[i])) : graph_.constant(0.0);
  for (std::size_t i = 0; i < d; ++i) {
    const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
    const Id cross = graph_.sub(graph_.mul(w[j], r[k]), graph_.mul(w[k], r[j]));
    velocity[i] = graph_.add(velocity[i], cross);
  }
}

void SolidModelBuilder::read_start() {
  const SolidStartText& text = solid_.start;
  solids::Problem& problem = model_.problem;
  std::vector<int> all(static_cast<std::size_t>(problem.mesh.node_count()));
  std::iota(all.begin(), all.end(), 0);
  problem.position = components(text.position, space_);
  check_finite(problem.position, text.position, all);
  problem.velocity = components(text.velocity, space_);
  check_finite(problem.velocity, text.velocity, all);
  if (text.spin.empty()) return;
  std::array<Id, 3> position{}, velocity{};
  const auto d = static_cast<std::size_t>(model_.dimension());
  for (std::size_t i = 0; i < d; ++i) {
    position[i] =
        text.position[i] ? parse(space_, *text.position[i]) : graph_.variable(static_cast<int>(i));
    velocity[i] = text.velocity[i] ? parse(space_, *text.velocity[i]) : graph_.constant(0.0);
  }
  add_spin(velocity, position);
  for (std::size_t i = 0; i < d; ++i) problem.velocity[i] = component(velocity[i], text.whole_spin);
}

/// A start off the supports is moved there at once, which is seldom meant.
void SolidModelBuilder::compare_supports() {
  const solids::Problem& problem = model_.problem;
  const std::vector<double> box = solids::bounding_box(problem.mesh);
  double size = 0.0;
  for (std::size_t i = 0; i + 1 < box.size(); i += 2) size = std::max(size, box[i + 1] - box[i]);
  for (std::size_t i = 0; i < static_cast<std::size_t>(model_.dimension()); ++i) {
    std::vector<bool> told(static_cast<std::size_t>(problem.mesh.node_count()), false);
    for (std::size_t f = problem.fixes.size(); f-- > 0;) {  // the last one that has a node counts
      const solids::Component& support = problem.fixes[f].position[i];
      if (!support) continue;
      double off = 0.0;
      for (const int a : problem.fixes[f].nodes) {
        if (told[static_cast<std::size_t>(a)]) continue;
        told[static_cast<std::size_t>(a)] = true;
        const double* X = problem.mesh.node(a);
        const double start = value_at(problem.position[i], X, static_cast<int>(i));
        off = std::max(off, std::abs(support.value(X, problem.t0) - start));
      }
      if (off > 1e-9 * size)
        warn(*solid_.fixes[f].values[i],
             "the start is off this support by up to " + varia::to_text(off) +
                 "; these nodes begin at the support. solid.start.position can agree with it.");
    }
  }
}

void SolidModelBuilder::read_run() {
  const SolidRunText& text = solid_.run;
  SolidRun& run = model_.run;
  const auto positive = [&](const Text& t) {
    const double value = number(t);
    if (!(value > 0.0))
      throw ScenarioError(t, "must be greater than 0, found " + varia::to_text(value) + ".");
    return value;
  };
  const auto at_most = [&](const char* key, long value, long most) {
    if (value > most)
      throw ScenarioError(
          scenario_.run.place, std::string("run.") + key,
          "must be at most " + std::to_string(most) + ", found " + std::to_string(value) + ".");
  };
  run.newmark = text.newmark;
  if (text.courant) run.courant = positive(*text.courant);
  if (text.step) run.step = positive(*text.step);
  model_.problem.courant = run.courant;
  if (scenario_.run.steps) run.steps = *scenario_.run.steps;
  if (scenario_.run.until) {
    run.until = number(*scenario_.run.until);
    if (!(run.until > model_.problem.t0))
      throw ScenarioError(*scenario_.run.until,
                          "must be after the start, t = " + varia::to_text(model_.problem.t0) +
                              ", found " + varia::to_text(run.until) + ".");
  }
  at_most("frames", text.frames, 100'000);
  at_most("records", text.records, 100'000'000);
  at_most("threads", text.threads, 1024);
  run.frames = text.frames;
  run.records = text.records;
  run.threads = static_cast<int>(text.threads);
  if (run.threads == 0)
    run.threads = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  run.queue = text.schedule == "queue";
  run.half_kick = text.start == "second_order";
  run.energy_stationary = text.energy_stationary;
  if (text.local_energy == "all") run.local_energy = LocalEnergy::all;
  if (text.local_energy == "none") run.local_energy = LocalEnergy::none;
}

}  // namespace varia::io
