// SPDX-License-Identifier: BSD-3-Clause
#include "rolled_plan.hpp"

#include <algorithm>
#include <map>

namespace varia::expr {

namespace {

/// Outputs that are no loop are copied one by one up to here.
constexpr std::size_t few = 8;

}  // namespace

std::ptrdiff_t distance(std::uint32_t from, std::uint32_t to) {
  return static_cast<std::ptrdiff_t>(to) - static_cast<std::ptrdiff_t>(from);
}

bool is_one(const Numbers& numbers) {
  return std::all_of(numbers.begin(), numbers.end(),
                     [&](std::uint32_t n) { return n == numbers[0]; });
}

RolledPlan::RolledPlan(const Tape& tape, const RolledProgram& program)
    : tape_(tape),
      program_(program),
      constants_(static_cast<std::uint32_t>(tape.constants())),
      inputs_(constants_ + static_cast<std::uint32_t>(tape.variables().size())) {
  std::uint32_t count = 0;
  for (const TapeLoop& loop : program_.loops()) {
    first_column_.push_back(count);
    count += loop.length;
  }
  stored_.assign(count, false);
  outputs_.resize(count);
  find_outputs();
  for (std::size_t i = 0; i < program_.loops().size(); ++i) find_stored(i);
  for (const auto& [outs, slots] : copies_) note_read(slots);
  plan_places();
}

/// The number of a statement among those of all loops, and the turn.
std::pair<std::uint32_t, std::uint32_t> RolledPlan::column_and_turn(std::uint32_t slot) const {
  const std::uint32_t index = program_.index(slot);
  const std::size_t number = program_.loop_of(index);
  const TapeLoop& loop = program_.loops()[number];
  const std::uint32_t inside = index - loop.first;
  return {first_column_[number] + inside % loop.length, inside / loop.length};
}

RolledPlan::Source RolledPlan::source_of(const TapeLoop& loop, std::uint32_t l, int i) const {
  const std::uint32_t index = loop.first + l;
  const std::uint32_t slot = operand(program_.order()[index], i);
  if (!is_computed(slot)) return Source::elsewhere;
  const std::uint32_t back = index - program_.index(slot);
  const auto same_in = [&](std::uint32_t turn) {
    const std::uint32_t there = index + turn * loop.length;
    const std::uint32_t other = operand(program_.order()[there], i);
    return is_computed(other) && there - program_.index(other) == back;
  };
  if (back > l + loop.length || !same_in(loop.turns - 1) || !same_in(loop.turns / 2))
    return Source::elsewhere;
  for (std::uint32_t turn = 1; turn < loop.turns; ++turn)
    if (!same_in(turn)) return Source::elsewhere;
  if (back <= l) return Source::this_turn;
  return loop.turns > 1 ? Source::last_turn : Source::elsewhere;
}

/// The operand in all turns.
Numbers RolledPlan::slots_of(const TapeLoop& loop, std::uint32_t l, int i) const {
  Numbers slots(loop.turns);
  for (std::uint32_t k = 0; k < loop.turns; ++k)
    slots[k] = operand(program_.order()[loop.first + l + k * loop.length], i);
  return slots;
}

void RolledPlan::find_stored(std::size_t number) {
  const TapeLoop& loop = program_.loops()[number];
  for (std::uint32_t l = 0; l < loop.length; ++l)
    for (int i = 0; i < operands(tape_.instructions()[program_.order()[loop.first + l]].op); ++i) {
      const Source source = source_of(loop, l, i);
      if (source == Source::elsewhere) note_read(slots_of(loop, l, i));
      if (source == Source::last_turn) note_read({operand(program_.order()[loop.first + l], i)});
    }
}

/// Results that are read must be stored; inputs too, where a loop reads both these and results.
void RolledPlan::note_read(const Numbers& slots) {
  std::uint32_t last = UINT32_MAX;  // the column of the last result
  for (const std::uint32_t slot : slots) {
    if (!is_computed(slot)) continue;
    const std::uint32_t column = column_and_turn(slot).first;
    if (column != last) stored_[column] = true;
    last = column;
  }
  if (is_one(slots)) return;
  const auto some = [&](auto kind) { return std::any_of(slots.begin(), slots.end(), kind); };
  const bool constants = some([this](std::uint32_t s) { return is_constant(s); });
  const bool variables = some([this](std::uint32_t s) { return is_variable(s); });
  const bool computed = some([this](std::uint32_t s) { return is_computed(s); });
  keeps_constants_ = keeps_constants_ || constants;
  keeps_variables_ = keeps_variables_ || (variables && (constants || computed));
}

/// Outputs that a statement gives at a constant stride it writes itself; the others are copied at the end.
void RolledPlan::find_outputs() {
  std::map<std::uint32_t, std::vector<TurnAndOutput>> of_column;
  Numbers outs;
  for (std::uint32_t j = 0; j < tape_.output_slots().size(); ++j) {
    const std::uint32_t slot = tape_.output_slots()[j];
    if (!is_computed(slot)) {
      outs.push_back(j);
      continue;
    }
    const auto [column, turn] = column_and_turn(slot);
    of_column[column].emplace_back(turn, j);
  }
  for (std::size_t i = 0; i < program_.loops().size(); ++i)
    for (std::uint32_t l = 0; l < program_.loops()[i].length; ++l) {
      auto& turns = of_column[first_column_[i] + l];
      std::sort(turns.begin(), turns.end());
      if (!write_directly(program_.loops()[i].turns, turns, outputs_[first_column_[i] + l]))
        for (const auto& [turn, j] : turns) outs.push_back(j);
    }
  std::sort(outs.begin(), outs.end());
  plan_copies(outs);
}

/// Whether each turn gives the same number of outputs, each of them at a constant stride.
bool RolledPlan::write_directly(std::uint32_t turns, const std::vector<TurnAndOutput>& all,
                                std::vector<Output>& outputs) {
  if (all.size() % turns != 0) return false;
  const std::size_t each = all.size() / turns;
  for (std::size_t r = 0; r < each; ++r) {
    const std::uint32_t first = all[r].second;
    const std::ptrdiff_t step = turns > 1 ? distance(first, all[each + r].second) : 0;
    for (std::uint32_t k = 0; k < turns; ++k) {
      const auto& [turn, j] = all[k * each + r];
      if (turn != k || distance(first, j) != k * step) {
        outputs.clear();
        return false;
      }
    }
    outputs.push_back({first, step});
  }
  return true;
}

/// Stretches at constant strides, and what is between them.
void RolledPlan::plan_copies(const Numbers& outs) {
  const auto slot = [&](std::size_t k) { return tape_.output_slots()[outs[k]]; };
  const auto steps = [&](std::size_t k) {
    return std::pair(outs[k + 1] - outs[k], slot(k + 1) - slot(k));
  };
  const auto add = [&](std::size_t from, std::size_t to) {
    Copies copies;
    for (std::size_t k = from; k < to; ++k) {
      copies.first.push_back(outs[k]);
      copies.second.push_back(slot(k));
    }
    copies_.push_back(std::move(copies));
  };
  std::size_t done = 0;
  const auto add_rest = [&](std::size_t to) {
    if (to - done >= few) add(done, to);
    for (; to - done < few && done < to; ++done) add(done, done + 1);
    done = to;
  };
  for (std::size_t k = 0; k < outs.size();) {
    std::size_t last = k;
    while (last + 1 < outs.size() && steps(last) == steps(k)) ++last;
    if (last + 1 - k < few) {
      k = std::max(k + 1, last);
      continue;
    }
    add_rest(k);
    add(k, last + 1);
    done = k = last + 1;
  }
  add_rest(outs.size());
}

void RolledPlan::plan_places() {
  size_ = (keeps_constants_ ? constants_ : 0) + (keeps_variables_ ? inputs_ - constants_ : 0);
  place_.reserve(stored_.size());
  for (const TapeLoop& loop : program_.loops())
    for (std::uint32_t l = 0; l < loop.length; ++l) {
      if (stored_[place_.size()]) {
        place_.push_back(size_);
        size_ += loop.turns;
      } else {
        place_.push_back(0);
      }
    }
}

std::uint32_t RolledPlan::place(std::uint32_t slot) const {
  if (is_constant(slot)) return slot;
  if (is_variable(slot)) return slot - (keeps_constants_ ? 0 : constants_);
  const auto [column, turn] = column_and_turn(slot);
  return place_[column] + turn;
}

}  // namespace varia::expr
