// SPDX-License-Identifier: BSD-3-Clause
// Numbers of a scenario: parameters in the order of the file, and constant expressions of them.
#include <cmath>
#include <unordered_map>

#include "model_builder.hpp"
#include "scenario_expressions.hpp"

namespace varia::io {

expr::Id ModelBuilder::parse(const expr::Scope& scope, const Text& text) {
  return parse_text(scenario_.text, *graph_, scope, text);
}

EntryScope::EntryScope(const expr::Scope& scope)
    : plain_(scope), indexed_(scope), taken_(scope.has("i")) {
  if (!taken_) indexed_.add_index("i", 0);
}

const expr::Scope& EntryScope::at(const Component& component) {
  if (!component.indexed || taken_) return plain_;
  indexed_.set_index("i", component.index);
  return indexed_;
}

std::vector<expr::Id> ModelBuilder::by_degree(const expr::Scope& scope,
                                              const std::vector<Component>& components) {
  std::unordered_map<std::string, std::size_t> degree;
  for (const std::string& name : force_names(scenario_.system)) degree.emplace(name, degree.size());
  std::vector<Id> result(degree.size(), graph_->constant(0.0));
  EntryScope entries(scope);
  for (const Component& c : components)
    result[degree.at(c.component)] = parse(entries.at(c), c.text);
  return result;
}

double ModelBuilder::number(const Text& text) {
  return constant_value(*graph_, parse(parameters_, text), text);
}

void ModelBuilder::read_parameters() {
  model_.parameters =
      add_parameters(scenario_.text, scenario_.system.parameters, *graph_, parameters_);
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

}  // namespace varia::io
