// SPDX-License-Identifier: BSD-3-Clause
// [[plot]]: functions of what is recorded.
#include <map>
#include <utility>

#include "../scenario/expressions.hpp"
#include "builder.hpp"

namespace varia::io {

/// Names of columns that a formula cannot compute, as inputs behind the state.
void ModelBuilder::add_columns(expr::Scope& scope) {
  const Diagnose& asked = scenario_.diagnose;
  std::vector<std::string>& columns = model_.plots.columns;
  const auto variable = [&](const std::string& name) {
    columns.push_back(name);
    return graph_->variable(layout_.helper_variable(static_cast<int>(columns.size()) - 1));
  };
  struct Array {
    int first;
    std::vector<Id> entries;
  };
  std::map<std::string, Array> arrays;  // R_casimir[1], R_casimir[2], ...
  const auto add = [&](const std::string& name) {
    const auto open = name.find('[');
    if (scope.has(name.substr(0, open))) return;
    if (open == std::string::npos) {
      scope.add(name, variable(name));
      return;
    }
    if (name.find_first_of(",[", open + 1) != std::string::npos) return;  // several indices
    const int index = std::stoi(name.substr(open + 1));
    Array& array = arrays.try_emplace(name.substr(0, open), Array{index, {}}).first->second;
    if (index == array.first + static_cast<int>(array.entries.size()))
      array.entries.push_back(variable(name));
  };
  for (const auto& [name, shape] : model_.observe_shapes) {
    std::vector<Id> entries;
    for (std::size_t k = 0; k < expr::entries_of(shape) && !scope.has(name); ++k)
      entries.push_back(variable(name + expr::index_text(shape, k)));
    if (entries.empty()) continue;
    if (shape.empty())
      scope.add(name, entries[0]);
    else
      scope.add_array(name, {1, entries, {shape.begin() + 1, shape.end()}});
  }
  for (const Momentum& momentum : model_.momenta) add(momentum.name);
  for (auto& [name, array] : arrays) scope.add_array(name, array.first, std::move(array.entries));
  add("energy");
  add(energy_error_name);
  if (asked.modified_energy) add("modified_energy");
  if (asked.heat) {
    add("kinetic_energy");
    add("heat");
  }
  if (asked.lyapunov) add("lyapunov");
  if (model_.system->rheonomic()) add(driver_work);
  if (model_.structure.driven) add(energy_balance);
  std::vector<Id> lambda;
  for (int a = 1; a <= model_.system->d + model_.system->e; ++a)
    lambda.push_back(variable("lambda[" + std::to_string(a) + "]"));
  if (!lambda.empty() && !scope.has("lambda")) scope.add_array("lambda", 1, lambda);
}

void ModelBuilder::read_plots() {
  if (scenario_.plots.empty()) return;
  expr::Scope scope = everything_;
  add_columns(scope);
  std::vector<Id> outputs;
  const auto output = [&](const Text& text) {
    outputs.push_back(parse(scope, text));
    return static_cast<int>(outputs.size()) - 1;
  };
  for (const PlotText& text : scenario_.plots) {
    Plot plot;
    const Text& x = text.histogram ? *text.histogram : text.x;
    plot.x = output(x);
    plot.x_text = x.value;
    plot.against_time = !text.histogram && outputs.back() == graph_->variable(0);
    plot.bins = text.bins;
    for (const Text& y : text.y) {
      plot.y.push_back(output(y));
      plot.y_texts.push_back(y.value);
    }
    plot.title = text.title;
    model_.plots.list.push_back(std::move(plot));
  }
  model_.plots.count = static_cast<int>(outputs.size());
  model_.plots.outputs =
      kernel(outputs, layout_.helper_variable(static_cast<int>(model_.plots.columns.size())));
}

}  // namespace varia::io
