// SPDX-License-Identifier: BSD-3-Clause
// What is not smooth in the formulas that move the system: said before a run, and where a step fails.
#include <set>

#include "builder.hpp"
#include "varia/core/counted.hpp"
#include "varia/expr/kink.hpp"

namespace varia::io {

namespace {

constexpr std::size_t most_notes = 4;

}  // namespace

/// Notes for those of the formulas, under the key where they are stated.
void ModelBuilder::note_kinks(const std::string& key, const std::vector<Id>& formulas) {
  std::size_t count = 0;
  for (const expr::Kink& kink : expr::kinks(*graph_, formulas)) {
    if (!kinks_.emplace(kink.left, kink.right).second) continue;
    gaps_.push_back(kink.left);
    gaps_.push_back(kink.right);
    model_.kinks.push_back({key, expr::description(*graph_, kink, model_.variable_names),
                            expr::place(*graph_, kink, model_.variable_names), kink.periodic});
    if (++count <= most_notes)
      model_.notes.push_back(key + ": " + model_.kinks.back().text +
                             "; methods may lose their order in steps across it");
  }
  if (count > most_notes)
    model_.notes.push_back(
        key + ": " + counted(count - most_notes, "more expression is", "more expressions are") +
        " not smooth everywhere");
}

/// Of what moves the system; observed functions need not be smooth.
void ModelBuilder::find_kinks() {
  const System& s = scenario_.system;
  if (model_.hamiltonian)
    note_kinks(s.stated().key, {hamiltonian_});
  else
    note_kinks(s.stated().key, {model_.lagrangian});
  if (!s.force.empty()) note_kinks("system.force", force_);
  std::vector<Id> constraints = constraints_;
  constraints.insert(constraints.end(), nonholonomic_.begin(), nonholonomic_.end());
  if (const Text* first = s.constraint()) note_kinks(first->key, constraints);
  const int count = 1 + layout_.entries + 2 * layout_.n;
  if (!gaps_.empty()) model_.gaps = kernel(gaps_, count);
}

}  // namespace varia::io
