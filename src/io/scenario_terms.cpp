// SPDX-License-Identifier: BSD-3-Clause
// [[system.term]]: parts of the potential, as a person wrote them.
#include "scenario_reading.hpp"

namespace varia::io {

namespace {

TermText read_term(const Value& table, const std::string& key) {
  TermText term{make_text(*table.find("potential"), key + ".potential"), {}, {}};
  if (const Value* step = table.find("step")) term.step = make_text(*step, key + ".step");
  const Value* range = table.find("i");
  if (range == nullptr) return term;
  if (range->items.size() != 2)
    throw ScenarioError(range->place(), key + ".i",
                        "takes the first and the last value, as in i = [1, 30]; found a list of " +
                            std::to_string(range->items.size()) + ".");
  term.range.emplace(make_text(range->items[0], key + ".i[1]"),
                     make_text(range->items[1], key + ".i[2]"));
  return term;
}

}  // namespace

std::vector<TermText> read_terms(const Value* list) {
  std::vector<TermText> terms;
  if (list == nullptr) return terms;
  for (const Value& item : list->items)
    terms.push_back(read_term(item, "system.term[" + std::to_string(terms.size() + 1) + "]"));
  return terms;
}

}  // namespace varia::io
