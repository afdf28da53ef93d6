// SPDX-License-Identifier: BSD-3-Clause
// Numbers of a scenario: parameters in the order of the file, and constant expressions of them.
#include <cctype>
#include <cmath>

#include "model_builder.hpp"
#include "varia/expr/tape.hpp"

namespace varia::io {

namespace {

/// The names in a text, as far as they can be told without reading it.
std::vector<std::string> words(const std::string& text) {
  std::vector<std::string> result;
  std::string word;
  for (const char c : text + " ") {
    const bool letter = std::isalpha(static_cast<unsigned char>(c)) || c == '_';
    if (letter || (!word.empty() && std::isdigit(static_cast<unsigned char>(c)))) {
      word += c;
    } else if (!word.empty()) {
      result.push_back(word);
      word.clear();
    }
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
  at += static_cast<std::size_t>(start.column - 1);
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

}  // namespace

expr::Id ModelBuilder::parse(const expr::Scope& scope, const Text& text) {
  try {
    return expr::parse(*graph_, scope, text.value);
  } catch (const expr::ParseError& error) {
    Text at = text;
    at.place = place_inside(scenario_.text, text.place, error.line, error.column);
    throw ScenarioError(at, error.what());
  } catch (const ScenarioError&) {
    throw;
  } catch (const InvalidArgument& error) {
    throw ScenarioError(text, error.what());
  }
}

expr::Id ModelBuilder::parse(const expr::Scope& scope, const Component& component) {
  if (!component.indexed || scope.has("i")) return parse(scope, component.text);
  expr::Scope with_index = scope;
  with_index.add_index("i", component.index);
  return parse(with_index, component.text);
}

double ModelBuilder::constant_value(Id id, const Text& text) {
  if (graph_->is_constant(id)) return (*graph_)[id].value;
  if (!expr::variables_of(*graph_, id).empty())
    throw ScenarioError(text, "must be a number: it may use parameters only");
  const expr::Tape tape(*graph_, {id}, 0);
  std::vector<double> work(tape.instructions().size());
  double value = 0.0;
  tape.evaluate(nullptr, &value, work.data());
  if (!std::isfinite(value))
    throw ScenarioError(text, "has no finite value: " + tape.non_finite(nullptr, {}));
  return value;
}

double ModelBuilder::number(const Text& text) {
  return constant_value(parse(parameters_, text), text);
}

double ModelBuilder::number(const Component& component) {
  return constant_value(parse(parameters_, component), component.text);
}

void ModelBuilder::refuse_later_parameters(const Parameter& parameter, const Text& text) const {
  for (const std::string& word : words(text.value)) {
    if (parameters_.has(word)) continue;
    for (const Parameter& other : scenario_.system.parameters)
      if (other.name == word)
        throw ScenarioError(
            text, "uses the parameter " + word +
                      (word == parameter.name ? " itself" : ", which comes later in the file") +
                      "; a parameter may use earlier ones only, a cycle has no value");
  }
}

void ModelBuilder::read_parameters() {
  for (const Parameter& parameter : scenario_.system.parameters) {
    std::vector<Id> values;
    for (const Text& text : parameter.values) {
      refuse_later_parameters(parameter, text);
      const double value = number(text);
      values.push_back(graph_->constant(value));
      const std::string index =
          parameter.array ? "[" + std::to_string(values.size()) + "]" : std::string();
      model_.parameters[parameter.name + index] = value;
    }
    if (parameter.array)
      parameters_.add_array(parameter.name, 1, values);
    else
      parameters_.add(parameter.name, values[0]);
  }
}

}  // namespace varia::io
