// SPDX-License-Identifier: BSD-3-Clause
#include "expressions.hpp"

#include <algorithm>
#include <cmath>

#include "../../expr/characters.hpp"
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

/// Where a position of a TOML string stands in the file; the string begins at `start`, with quotes.
Place place_inside(const std::string& file, Place start, int line, int column) {
  if (start.line == 0) return start;
  std::size_t at = 0;
  for (int k = 1; k < start.line && at != std::string::npos; ++k) {
    at = file.find('\n', at);
    if (at != std::string::npos) ++at;
  }
  if (at == std::string::npos) return start;
  for (int k = 1; k < start.column && at < file.size(); ++k)  // columns count characters
    at += std::max<std::size_t>(1, expr::character(file, at).bytes);
  const std::string quotes = file.substr(std::min(at, file.size()), 3);
  if (quotes.empty() || (quotes[0] != '"' && quotes[0] != '\'')) return start;
  const bool many = quotes == "\"\"\"" || quotes == "'''";
  const int width = many ? 3 : 1;
  const auto next = file.find_first_not_of('\r', at + 3);
  if (many && next != std::string::npos && file[next] == '\n')
    return {start.file, start.line + line, column};
  if (line > 1) return {start.file, start.line + line - 1, column};
  return {start.file, start.line, start.column + width + column - 1};
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

expr::Id parse_text(const std::string& file, expr::Graph& graph, const expr::Scope& scope,
                    const Text& text) {
  try {
    return expr::parse(graph, scope, text.value);
  } catch (const expr::ParseError& error) {
    throw located(file, text, error);
  } catch (const InvalidArgument& error) {
    throw ScenarioError(text, error.what());
  }
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

void require_finite(const expr::Kernel& formula, const double* x,
                    const std::vector<std::string>& names, const Text& text) {
  const std::string problem = formula.non_finite(x, names);
  if (!problem.empty())
    throw ScenarioError(text, "has no finite value or derivative at the start: " + problem);
}

std::map<std::string, double> add_parameters(const std::string& file,
                                             const std::vector<Parameter>& parameters,
                                             expr::Graph& graph, expr::Scope& scope,
                                             const std::vector<std::string>& free) {
  std::map<std::string, double> numbers;
  for (const Parameter& parameter : parameters) {
    const bool is_free = std::find(free.begin(), free.end(), parameter.name) != free.end();
    std::vector<expr::Id> values;
    for (const Text& text : parameter.values) {
      refuse_later_parameters(parameters, scope, parameter, text);
      const expr::Id formula = parse_text(file, graph, scope, text);
      const double value = constant_value(graph, formula, text);
      const std::string name =
          parameter.name +
          (parameter.array ? "[" + std::to_string(values.size() + 1) + "]" : std::string());
      if (is_free)
        values.push_back(graph.parameter(value, name));
      else
        values.push_back(free.empty() ? graph.constant(value) : formula);
      numbers[name] = value;
    }
    if (parameter.array)
      scope.add_array(parameter.name, 1, values);
    else
      scope.add(parameter.name, values[0]);
  }
  return numbers;
}

}  // namespace varia::io
