// SPDX-License-Identifier: BSD-3-Clause
// Numbers of a scenario: parameters in the order of the file, and constant expressions of them.
#include "model_builder.hpp"
#include "scenario_expressions.hpp"

namespace varia::io {

expr::Id ModelBuilder::parse(const expr::Scope& scope, const Text& text) {
  return parse_text(scenario_.text, *graph_, scope, text);
}

expr::Id ModelBuilder::parse(const expr::Scope& scope, const Component& component) {
  if (!component.indexed || scope.has("i")) return parse(scope, component.text);
  expr::Scope with_index = scope;
  with_index.add_index("i", component.index);
  return parse(with_index, component.text);
}

double ModelBuilder::number(const Text& text) {
  return constant_value(*graph_, parse(parameters_, text), text);
}

double ModelBuilder::number(const Component& component) {
  return constant_value(*graph_, parse(parameters_, component), component.text);
}

void ModelBuilder::read_parameters() {
  model_.parameters =
      add_parameters(scenario_.text, scenario_.system.parameters, *graph_, parameters_);
}

}  // namespace varia::io
