// SPDX-License-Identifier: BSD-3-Clause
#include "expressions.hpp"

#include <algorithm>
#include <cmath>

#include "../../expr/characters.hpp"
#include "string_place.hpp"
#include "varia/expr/derivative.hpp"
#include "varia/expr/tape.hpp"

namespace varia::io {

namespace {

/// The names in a text, as far as they can be told without reading it.
std::vector<std::string> words(const std::string& text) {
  std::vector<std::string> result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = expr::end_of_name(text, at);
    if (end > at) result.push_back(text.substr(at, end - at));
    at = std::max(end, at + 1);
  }
  return result;
}

void refuse_later_parameters(const std::vector<Parameter>& parameters, const expr::Scope& scope,
                             const Parameter& parameter, const Text& text) {
  for (const std::string& word : words(text.value)) {
    if (scope.has(word)) continue;
    for (const Parameter& other : parameters)
      if (other.name == word)
        throw ScenarioError(
            text, "uses the parameter " + word +
                      (word == parameter.name ? " itself" : ", which comes later in the file") +
                      "; a parameter may use earlier ones only, a cycle has no value");
  }
}

}  // namespace

ScenarioError located(const std::string& file, const Text& text, const expr::ParseError& error) {
  Text at = text;
  std::string where;
  if (!error.definitions.empty()) {
    const expr::Origin& origin = error.definitions.front().origin;
    at = {"", {origin.file, origin.line, origin.column}, origin.key};
    where = error.where() + (text.key.empty() ? "" : ", used by " + text.key) + ": ";
  }
  at.place = place_inside(file, at.place, error.line, error.column);
  return {at, where + error.message + "\n" + error.caret};
}

void add_definitions(const std::vector<expr::Definition>& definitions, expr::Scope& scope) {
  for (const expr::Definition& d : definitions)
    told_at({"", {d.origin.file, d.origin.line, d.origin.column}, d.origin.key},
            [&] { scope.add(d); });
}

void forbid_definitions(const std::vector<expr::Definition>& definitions, expr::Scope& scope) {
  for (const expr::Definition& d : definitions)
    scope.add_absent(d.name, "'" + d.name +
                                 "' is a definition of [system.let]; parameters come before "
                                 "definitions and cannot use them");
}

void check_definitions(const std::string& file, expr::Graph& graph, const expr::Scope& scope) {
  try {
    expr::check_definitions(graph, scope);
  } catch (const expr::ParseError& error) {
    throw located(file, {}, error);
  }
}

namespace {

/// Does the reading; what is wrong is told at its place in the text.
template <class Read> auto read_at(const std::string& file, const Text& text, const Read& read) {
  try {
    return read();
  } catch (const expr::ParseError& error) {
    throw located(file, text, error);
  } catch (const InvalidArgument& error) {
    throw ScenarioError(text, error.what());
  }
}

}  // namespace

expr::Id parse_text(const std::string& file, expr::Graph& graph, const expr::Scope& scope,
                    const Text& text) {
  return read_at(file, text, [&] { return expr::parse(graph, scope, text.value); });
}

expr::Array parse_array(const std::string& file, expr::Graph& graph, const expr::Scope& scope,
                        const Text& text) {
  return read_at(file, text, [&] { return expr::parse_array(graph, scope, text.value); });
}

std::vector<expr::Id> parse_entries(const std::string& file, expr::Graph& graph,
                                    const expr::Scope& scope, const Text& text,
                                    const expr::Shape& shape) {
  return read_at(file, text, [&] { return expr::parse_entries(graph, scope, text.value, shape); });
}

double constant_value(const expr::Graph& graph, expr::Id id, const Text& text) {
  if (!expr::variables_of(graph, id).empty())
    throw ScenarioError(text, "must be a number: it may use parameters only");
  const double value = expr::number_of(graph, id);
  if (!std::isfinite(value))
    throw ScenarioError(
        text, "has no finite value: " + expr::Tape(graph, {id}, 0).non_finite(nullptr, {}));
  return value;
}

void require_finite(const expr::Kernel& formula, const double* x, const expr::NameList& names,
                    const Text& text) {
  const std::string problem = formula.non_finite(x, names);
  if (!problem.empty())
    throw ScenarioError(text, "has no finite value or derivative at the start: " + problem);
}

namespace {

/// What the text of a parameter stands for: of a list an entry, else a number or an array.
expr::Array value_of(const std::string& file, expr::Graph& graph, const expr::Scope& scope,
                     const Parameter& parameter, const Text& text) {
  if (parameter.array) return {{}, {parse_text(file, graph, scope, text)}};
  return parse_array(file, graph, scope, text);
}

}  // namespace

std::map<std::string, double> add_parameters(const std::string& file,
                                             const std::vector<Parameter>& parameters,
                                             expr::Graph& graph, expr::Scope& scope,
                                             const std::vector<std::string>& free) {
  std::map<std::string, double> numbers;
  for (const Parameter& parameter : parameters) {
    const bool is_free = std::find(free.begin(), free.end(), parameter.name) != free.end();
    const int count = static_cast<int>(parameter.values.size());
    expr::Shape shape;
    if (parameter.array) shape = {{1, count}};
    if (parameter.columns > 0) shape = {{1, count / parameter.columns}, {1, parameter.columns}};
    std::vector<expr::Id> values;
    for (const Text& text : parameter.values) {
      refuse_later_parameters(parameters, scope, parameter, text);
      const expr::Array given = value_of(file, graph, scope, parameter, text);
      if (!parameter.array) shape = given.shape;
      for (const expr::Id formula : given.entries) {
        const double value = constant_value(graph, formula, text);
        const std::string name = parameter.name + expr::index_text(shape, values.size());
        if (is_free)
          values.push_back(graph.parameter(value, name));
        else
          values.push_back(free.empty() ? graph.constant(value) : formula);
        numbers[name] = value;
      }
    }
    if (shape.empty())
      scope.add(parameter.name, values[0]);
    else
      scope.add_array(parameter.name, {shape[0].first, values, {shape.begin() + 1, shape.end()}});
  }
  return numbers;
}

}  // namespace varia::io
