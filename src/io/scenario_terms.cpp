// SPDX-License-Identifier: BSD-3-Clause
// What is stated once for each i: [[system.term]], parts of the potential, and constraints.
#include "scenario_reading.hpp"

namespace varia::io {

namespace {

std::optional<IndexRange> read_range(const Value& table, const std::string& key) {
  const Value* range = table.find("i");
  if (range == nullptr) return {};
  if (range->items.size() != 2)
    throw ScenarioError(range->place(), key + ".i",
                        "takes the first and the last value, as in i = [1, 30]; found a list of " +
                            std::to_string(range->items.size()) + ".");
  return IndexRange(make_text(range->items[0], key + ".i[1]"),
                    make_text(range->items[1], key + ".i[2]"));
}

TermText read_term(const Value& table, const std::string& key) {
  TermText term{
      make_text(*table.find("potential"), key + ".potential"), {}, read_range(table, key)};
  if (const Value* step = table.find("step")) term.step = make_text(*step, key + ".step");
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

std::vector<ConstraintText> read_constraints(const Value* list, const std::string& key) {
  std::vector<ConstraintText> constraints;
  if (list == nullptr) return constraints;
  for (const Value& item : list->items) {
    const std::string at = key + "[" + std::to_string(constraints.size() + 1) + "]";
    if (item.kind == Kind::table)
      constraints.push_back({make_text(*item.find("phi"), at + ".phi"), read_range(item, at)});
    else
      constraints.push_back({make_text(item, at), {}});
  }
  return constraints;
}

}  // namespace varia::io
