// SPDX-License-Identifier: BSD-3-Clause
// What a control problem fixes at the start and at the end.
#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "../model/builder.hpp"
#include "../scenario/expressions.hpp"
#include "varia/control/conditions.hpp"
#include "varia/core/index.hpp"
#include "varia/expr/derivative.hpp"

namespace varia::io {

using detail::sz;

/// Formulas of parameters; those that are to be found may be among them.
std::optional<double> ModelBuilder::end_number(Id formula) const {
  if (!expr::variables_of(*graph_, formula).empty()) return std::nullopt;
  return expr::number_of(*graph_, formula);
}

namespace {

/// x is fixed at something that is no number.
[[noreturn]] void refuse_value(const Text& text) {
  throw ScenarioError(text,
                      "must be a number: it may use parameters only. A condition that contains "
                      "the motion is one of the list conditions");
}

}  // namespace

/// Coordinates in ℝ: x - value = 0.
void ModelBuilder::fix_positions(const Start& fixed, ControlEnd& end) {
  std::unordered_map<std::string, int> entries;
  for (const auto& b : layout_.blocks)
    for (int k = 0; k < b.count && b.notation().forms.empty(); ++k)
      entries[b.point(k)] = b.entry + k;
  ComponentFormulas formulas(scenario_.text, *graph_, parameters_);
  for_entries(fixed.positions, [&](const Component& c) {
    const int entry = entries.at(c.component);
    const Id value = formulas.of(c);
    const auto known = end_number(value);
    if (!known) refuse_value(c.text);
    if (!std::isfinite(*known)) constant_value(*graph_, value, c.text);
    end.q[sz(entry)] = *known;
    end.known[sz(entry)] = 1;
    Text named = c.text;
    named.value = c.component;
    end.values.emplace_back(named, *known);
    end.rows.push_back(
        {in_unknowns({graph_->sub(graph_->variable(layout_.entry_variable(entry)), value)}).front(),
         end.key + "." + c.component});
  });
}

/// Points of curved spaces, in the forms of their space.
void ModelBuilder::fix_points(const Start& fixed, ControlEnd& end) {
  struct Target {
    const Factor* factor;
    int entry, degree;
  };
  std::unordered_map<std::string, Target> targets;
  for (const auto& b : layout_.blocks)
    for (int k = 0; k < b.count; ++k)
      targets[b.point(k)] = {b.factor.get(), b.entry + k * b.factor->entries(),
                             b.degree + k * b.factor->dof()};
  EntryScope scope(parameters_);
  std::vector<std::pair<int, std::string>> degrees;  // that are fixed, with the name of the point
  for (const PointStart& point : fixed.points) {
    const Target& target = targets.at(point.name);
    std::vector<double> x;
    for (const Text& text : point.numbers) {
      const Id id = parse(scope.at(point.index, point.indexed, point.second), text);
      x.push_back(constant_value(*graph_, id, text));
      for (const double slope : in_parameters(id))
        if (slope != 0.0)
          throw ScenarioError(text,
                              "contains a parameter that is to be found; a point of this space is "
                              "fixed by numbers. State a condition instead");
    }
    try {
      target.factor->read_point(point.form, x.data(), end.q.data() + target.entry);
    } catch (const InvalidArgument& error) {
      throw ScenarioError(point.place, end.key + "." + point.name, error.what());
    }
    std::fill_n(end.known.begin() + target.entry, target.factor->entries(), 1);
    for (int i = 0; i < target.factor->dof(); ++i)
      degrees.emplace_back(target.degree + i, point.name);
  }
  if (degrees.empty()) return;
  std::vector<std::string> numbers;
  numbers.reserve(sz(layout_.n));
  for (int i = 0; i < layout_.n; ++i) numbers.push_back(std::to_string(i));
  for (const ControlRow& row : fixed_point(*graph_, model_.system->space, end.q.data(), numbers))
    for (const auto& [degree, name] : degrees)
      if (row.name == std::to_string(degree)) {
        end.rows.push_back({row.f, end.key + "." + name});
        break;
      }
}

/// Velocities or momenta: v - value = 0, of what is seen in the frame of the point.
void ModelBuilder::fix_rates(const Start& fixed, ControlEnd& end) {
  std::unordered_map<std::string, Id> given;
  ComponentFormulas formulas(scenario_.text, *graph_, parameters_);
  for_entries(fixed.rates, [&](const Component& c) {
    const Id value = formulas.of(c);
    const auto known = end_number(value);
    if (!known) refuse_value(c.text);
    if (!std::isfinite(*known)) constant_value(*graph_, value, c.text);
    Text named = c.text;
    named.value = c.component;
    if (!fixed.momenta) end.values.emplace_back(named, *known);
    given[c.component] = value;
  });
  expr::Graph& g = *graph_;
  for (const auto& b : layout_.blocks) {
    const Names& names = fixed.momenta ? b.notation().momenta : b.notation().velocities;
    for (int k = 0; k < b.count; ++k) {
      Formulas seen;
      std::vector<std::string> stated;
      for (const std::string& suffix : names.suffixes) {
        const std::string name = b.name + suffix + b.index(k);
        const auto found = given.find(name);
        stated.push_back(found == given.end() ? "" : name);
        seen.push_back(found == given.end() ? g.constant(0.0) : found->second);
      }
      const bool any = std::any_of(stated.begin(), stated.end(),
                                   [](const std::string& name) { return !name.empty(); });
      if (!any) continue;
      std::vector<double> numbers;
      for (const Id id : seen) numbers.push_back(end_number(id).value_or(0.0));
      const int degree = b.degree + k * b.factor->dof();
      const double* const q = end.q.data() + b.entry + k * b.factor->entries();
      if (!fixed.momenta)
        told_at({"", fixed.place, end.key + "." + b.point(k)},
                [&] { b.factor->read_vector(q, numbers.data(), end.v.data() + degree); });
      const Formulas here = layout_.point(g, b, k);
      const Formulas held = b.factor->held_vector(g, here, seen);
      const Formulas rate = fixed.momenta ? layout_.momentum(g, b, k) : layout_.velocity(g, b, k);
      const bool by_component = b.factor->vertical() == 0;  // else all of a vector
      for (int i = 0; i < b.factor->dof() - b.factor->vertical(); ++i) {
        if (by_component && stated[sz(i)].empty()) continue;
        end.rows.push_back({in_unknowns({g.sub(rate[sz(i)], held[sz(i)])}).front(),
                            end.key + "." + (by_component ? stated[sz(i)] : b.point(k))});
      }
    }
  }
}

void ModelBuilder::fix_states(std::optional<Text> StateText::*state, ControlEnd& end) {
  const auto& states = scenario_.control->states;
  const auto first = static_cast<int>(scenario_.control->inputs.size()) + first_input_;
  for (std::size_t k = 0; k < states.size(); ++k) {
    end.states.emplace_back();
    const std::optional<Text>& text = states[k].*state;
    if (!text) continue;
    const Id value = parse(parameters_, *text);
    const auto known = end_number(value);
    if (!known) refuse_value(*text);
    end.states.back() = constant_value(*graph_, value, *text);
    Text named = *text;
    named.value = states[k].name;
    end.values.emplace_back(named, *known);
    const Id here = graph_->variable(expr::Graph::first_parameter + first + static_cast<int>(k));
    end.rows.push_back(
        {in_unknowns({graph_->sub(here, value)}).front(), end.key + "." + states[k].name});
  }
}

ModelBuilder::ControlEnd ModelBuilder::read_end(const Start& fixed,
                                                std::optional<Text> StateText::*state,
                                                const std::vector<Text>& conditions) {
  ControlEnd end;
  end.key = state == &StateText::start ? "start" : "end";
  end.q.assign(sz(layout_.entries), 0.0);
  end.v.assign(sz(layout_.n), 0.0);
  end.known.assign(sz(layout_.entries), 0);
  for (const auto& at : model_.system->space.factors()) at.factor->origin(end.q.data() + at.entry);
  fix_positions(fixed, end);
  fix_points(fixed, end);
  fix_rates(fixed, end);
  fix_states(state, end);
  for (const Text& text : conditions) {
    const expr::Array array = parse_array(ends_, text);
    for (const Id id : array.entries) {
      const Id f = in_unknowns({id}).front();
      if (expr::variables_of(*graph_, f).empty())
        throw ScenarioError(text, "contains nothing of the motion: it says nothing");
      end.rows.push_back({f, text.value});
    }
  }
  return end;
}

/// What is fixed must lie within its bounds.
void ModelBuilder::check_against_bounds(const ControlEnd& end, const char* what) const {
  for (const BoundsText& bounds : scenario_.control->bounds)
    for (const auto& stated : end.values) {
      const auto& name = stated.first;
      const double value = stated.second;
      if (name.value != bounds.name) continue;
      const auto limit = [&](const std::optional<Text>& text, double sign) {
        if (!text) return;
        expr::Graph& g = *graph_;
        const double bound =
            constant_value(g, parse_text(scenario_.text, g, parameters_, *text), *text);
        if (sign * (value - bound) > 0.0)
          throw ScenarioError(Text{name.value, name.place, name.key},
                              name.value + " " + what + " at " + varia::to_text(value) +
                                  ", beyond its " + (sign > 0.0 ? "upper" : "lower") + " bound " +
                                  varia::to_text(bound));
      };
      limit(bounds.upper, 1.0);
      limit(bounds.lower, -1.0);
    }
}

}  // namespace varia::io
