// SPDX-License-Identifier: BSD-3-Clause
#include "varia/expr/loops.hpp"

#include <algorithm>
#include <climits>
#include <cmath>
#include <set>

#include "varia/expr/derivative.hpp"

namespace varia::expr {
namespace {

constexpr double largest_index = 1e9;

[[noreturn]] void refuse_loop(const std::string& why) { throw UnrolledOnly("no loop: " + why); }

long whole_index(double value) {
  const double rounded = std::round(value);
  if (!(std::abs(value) <= largest_index) || std::abs(value - rounded) > 1e-9)
    refuse_loop("an index is no whole number");
  return static_cast<long>(rounded);
}

/// a + factor b
Affine combined(const Affine& a, long factor, const Affine& b) {
  Affine sum = a;
  sum.constant += factor * b.constant;
  for (const auto& [loop, step] : b.factors) {
    auto at = std::lower_bound(sum.factors.begin(), sum.factors.end(), std::pair(loop, LONG_MIN));
    if (at == sum.factors.end() || at->first != loop) at = sum.factors.insert(at, {loop, 0});
    if ((at->second += factor * step) == 0) sum.factors.erase(at);
  }
  return sum;
}

long factor_of_loop(const Affine& place, int loop) {
  for (const auto& [other, step] : place.factors)
    if (other == loop) return step;
  return 0;
}

long floor_of(long a, long b) { return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0); }

}  // namespace

// Reading

Id Loops::add(Symbol symbol) {
  symbols_.push_back(std::move(symbol));
  return graph_.variable(first_variable + static_cast<int>(symbols_.size()) - 1);
}

const Loops::Symbol* Loops::symbol(int variable) const {
  const int k = variable - first_variable;
  return k < 0 || k >= static_cast<int>(symbols_.size()) ? nullptr
                                                         : &symbols_[static_cast<std::size_t>(k)];
}

Id Loops::open(const std::string& name, Id first, Id last) {
  const int number = static_cast<int>(loops_.size());
  loops_.push_back({name, affine(first), affine(last)});
  open_.push_back(number);
  return add({Kind::index, number, {}, nullptr, 0, name});
}

Id Loops::close(Id body) {
  const int number = open_.back();
  open_.pop_back();
  if (graph_.is_constant(body, 0.0)) return body;
  return add({Kind::sum, number, {}, nullptr, body});
}

/// Of sums, differences and multiples of indices.
Affine Loops::affine(Id index) const {
  const Node& n = graph_[index];
  switch (n.op) {
    case Op::constant:
      return {whole_index(n.value)};
    case Op::variable: {
      const Symbol* const s = symbol(n.index);
      if (s == nullptr || s->kind != Kind::index) refuse_loop("an index depends on a variable");
      return {0, {{s->loop, 1}}};
    }
    case Op::neg:
      return combined({}, -1, affine(n.a));
    case Op::add:
      return combined(affine(n.a), 1, affine(n.b));
    case Op::sub:
      return combined(affine(n.a), -1, affine(n.b));
    case Op::mul:
      if (graph_.is_constant(n.a)) return combined({}, whole_index(graph_[n.a].value), affine(n.b));
      [[fallthrough]];
    default:
      refuse_loop("an index is not of the form a + b*i");
  }
}

std::pair<long, long> Loops::range(Id index) const { return range(affine(index), open_); }

/// Variables at a constant distance, or numbers.
Loops::Layout Loops::layout(const std::vector<Id>& values) const {
  const auto variable = [&](std::size_t k) { return static_cast<long>(graph_[values[k]].index); };
  const bool variables = std::all_of(values.begin(), values.end(), [&](Id id) {
    return graph_[id].op == Op::variable && graph_[id].index < first_variable;
  });
  if (variables) {
    Layout found{variable(0), values.size() > 1 ? variable(1) - variable(0) : 0, nullptr};
    for (std::size_t k = 0; k < values.size(); ++k)
      if (variable(k) != found.start + static_cast<long>(k) * found.step)
        refuse_loop("the entries of an array are not one behind the other");
    return found;
  }
  auto numbers = std::make_shared<std::vector<double>>();
  for (const Id id : values) {
    if (!graph_.is_constant(id)) refuse_loop("the entries of an array are formulas");
    numbers->push_back(graph_[id].value);
  }
  return {0, 1, std::move(numbers)};
}

Id Loops::entry(const std::string& name, int first, const std::vector<Id>& values, Id index) {
  const Affine place = affine(index);
  const Layout found = layout(values);
  const Affine at = combined({found.start - found.step * first}, found.step, place);
  const Kind kind = found.numbers ? Kind::number : Kind::entry;
  for (std::size_t k = 0; k < symbols_.size(); ++k) {  // equal entries are one variable
    const Symbol& s = symbols_[k];
    if (s.kind == kind && s.place == at && s.name == name &&
        (kind == Kind::entry || *s.numbers == *found.numbers))
      return graph_.variable(first_variable + static_cast<int>(k));
  }
  return add({kind, -1, at, found.numbers, 0, name, place});
}

// Index sets

IndexSet Loops::set_of(const std::vector<int>& nest) const {
  const Loop& outer = loops_[static_cast<std::size_t>(nest[0])];
  if (!outer.first.factors.empty() || !outer.last.factors.empty())
    refuse_loop("the limits of an outer sum depend on an index");
  IndexSet set{outer.first.constant, outer.last.constant};
  if (nest.size() == 1) return set;
  if (nest.size() > 2) refuse_loop("sums are nested three times");
  const Loop& inner = loops_[static_cast<std::size_t>(nest[1])];
  set.inner = true;
  for (const Affine* limit : {&inner.first, &inner.last})
    for (const auto& [loop, step] : limit->factors)
      if (loop != nest[0] || step == 0) refuse_loop("the limits of a sum depend on another index");
  set.from = inner.first.constant;
  set.from_step = factor_of_loop(inner.first, nest[0]);
  set.to = inner.last.constant;
  set.to_step = factor_of_loop(inner.last, nest[0]);
  // those i for which there is a j: to - from + (to_step - from_step) i >= 0
  const long room = set.to - set.from;
  const long step = set.to_step - set.from_step;
  if (step > 0) set.first = std::max(set.first, -floor_of(room, step));
  if (step < 0) set.last = std::min(set.last, floor_of(room, -step));
  if (step == 0 && room < 0) set.last = set.first - 1;
  return set;
}

LoopPlace Loops::place_of(const Affine& place, const std::vector<int>& nest) const {
  for (const auto& [loop, step] : place.factors)
    if (std::find(nest.begin(), nest.end(), loop) == nest.end())
      refuse_loop("an index of another sum is used");
  return {place.constant, factor_of_loop(place, nest[0]),
          nest.size() > 1 ? factor_of_loop(place, nest[1]) : 0};
}

std::pair<long, long> Loops::range(const Affine& place, const std::vector<int>& nest) const {
  if (nest.empty()) return {place.constant, place.constant};
  const IndexSet set = set_of(nest);
  if (set.first > set.last) refuse_loop("a sum has no terms");
  return range_of(set, place_of(place, nest));
}

// Taking apart

std::vector<int> Loops::sum_variables(Id f) const {
  std::vector<int> sums;
  for (const int v : variables_of(graph_, f))
    if (const Symbol* const s = symbol(v); s != nullptr && s->kind == Kind::sum) sums.push_back(v);
  return sums;
}

bool Loops::has_sums(Id f) const { return !sum_variables(f).empty(); }

LoopVariable Loops::variable_of(int variable, const std::vector<int>& nest) const {
  using SlotKind = LoopSlot::Kind;
  const Symbol* const s = symbol(variable);
  if (s == nullptr) return {variable, {SlotKind::input, {variable}}, {}, {}};
  if (s->kind == Kind::index) {
    const auto at = std::find(nest.begin(), nest.end(), s->loop);
    if (at == nest.end()) refuse_loop("an index of another sum is used");
    return {variable, {at == nest.begin() ? SlotKind::outer : SlotKind::inner}, s->name, {}};
  }
  const SlotKind kind = s->kind == Kind::number ? SlotKind::number : SlotKind::input;
  return {
      variable, {kind, place_of(s->place, nest), s->numbers}, s->name, place_of(s->index, nest)};
}

Family Loops::family(Id body, const std::vector<int>& nest) const {
  Family result{set_of(nest), body, {}, {}};
  for (const int v : variables_of(graph_, body)) result.variables.push_back(variable_of(v, nest));
  for (const int loop : nest) result.names.push_back(loops_[static_cast<std::size_t>(loop)].name);
  return result;
}

/// Whether the terms of a sum, or its limits, contain the index of an outer loop.
bool Loops::depends(const Symbol& sum, int loop) const {
  const Loop& own = loops_[static_cast<std::size_t>(sum.loop)];
  if (factor_of_loop(own.first, loop) != 0 || factor_of_loop(own.last, loop) != 0) return true;
  const std::vector<int> used = variables_of(graph_, sum.body);
  return std::any_of(used.begin(), used.end(), [&](int v) {
    const Symbol* const s = symbol(v);
    if (s == nullptr) return false;
    if (s->kind == Kind::sum) return depends(*s, loop);
    return s->kind == Kind::index ? s->loop == loop : factor_of_loop(s->place, loop) != 0;
  });
}

void Loops::split(Id f, const std::vector<int>& nest, FamilySum& result) const {
  const std::vector<int> sums = sum_variables(f);
  std::vector<std::pair<int, Id>> none;
  none.reserve(sums.size());
  for (const int sum : sums) none.emplace_back(sum, graph_.constant(0.0));
  const std::vector<Id> slopes = gradient(graph_, f, sums);
  for (const Id slope : slopes)
    if (has_sums(slope)) refuse_loop("it is not linear in a sum");
  const Id rest = substitute(graph_, f, none);
  if (nest.empty())
    result.rest = rest;
  else if (!graph_.is_constant(rest, 0.0) && set_of(nest).turns() > 0)
    result.families.push_back(family(rest, nest));
  for (std::size_t k = 0; k < sums.size(); ++k) {
    const Symbol& sum = *symbol(sums[k]);
    // the same inner sum in every turn is better computed once
    if (!nest.empty() && !depends(sum, nest.back()))
      refuse_loop("an inner sum does not depend on the outer index");
    std::vector<int> inside = nest;
    inside.push_back(sum.loop);
    split(graph_.mul(slopes[k], sum.body), inside, result);
  }
}

FamilySum Loops::families(Id f) const {
  FamilySum result{f, {}};
  split(f, {}, result);
  return result;
}

std::vector<std::pair<int, std::vector<Family>>> Loops::sums(const std::vector<Id>& f) const {
  std::set<int> variables;
  for (const Id id : f)
    for (const int v : sum_variables(id)) variables.insert(v);
  std::vector<std::pair<int, std::vector<Family>>> result;
  for (const int v : variables) {
    const Symbol& sum = *symbol(v);
    FamilySum parts{sum.body, {}};
    split(sum.body, {sum.loop}, parts);
    result.emplace_back(v, std::move(parts.families));
  }
  return result;
}

}  // namespace varia::expr
