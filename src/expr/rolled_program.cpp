// SPDX-License-Identifier: BSD-3-Clause
#include "rolled_program.hpp"

#include <algorithm>
#include <array>

#include "sine_pairs.hpp"

namespace varia::expr {
namespace {

constexpr std::uint32_t fewest_turns = 6;
/// Operations of one turn: what is repeated only after more of them is not looked for.
constexpr std::uint32_t longest_body = 96;
/// So many operations at each end may be taken out of a loop.
constexpr std::uint32_t longest_end = 64;
/// A longer block takes the compiler longer than its parts.
constexpr std::uint32_t longest_block = 250;

}  // namespace

RolledProgram::RolledProgram(const Tape& tape) {
  find_order(tape);
  find_loops(tape, symbols(tape));
}

void RolledProgram::find_order(const Tape& tape) {
  const auto& program = tape.instructions();
  const std::vector<std::uint32_t> partner = sine_pairs(program);
  index_.resize(program.size());
  const auto put = [&](std::uint32_t slot) {
    index_[slot] = static_cast<std::uint32_t>(order_.size());
    order_.push_back(slot);
  };
  for (std::uint32_t slot = 0; slot < program.size(); ++slot) {
    if (operands(program[slot].op) == 0 || partner[slot] < slot) continue;
    put(slot);
    if (partner[slot] != slot) put(partner[slot]);
  }
}

/// What two turns of a loop have in common: the operation, and where those of its operands stand that were
/// computed a little earlier.
std::vector<std::uint64_t> RolledProgram::symbols(const Tape& tape) const {
  std::vector<std::uint64_t> result(order_.size());
  for (std::uint32_t i = 0; i < order_.size(); ++i) {
    const Instruction& instruction = tape.instructions()[order_[i]];
    const auto distance = [&](std::uint32_t slot) -> std::uint64_t {
      if (operands(tape.instructions()[slot].op) == 0) return longest_body + 1;
      return std::min(i - index_[slot], longest_body + 2);
    };
    const bool table = instruction.op == Op::table;  // b says which: no two are one code
    result[i] = static_cast<std::uint64_t>(instruction.op) << 56 | distance(instruction.a) << 32 |
                (table ? instruction.b : distance(instruction.b));
  }
  return result;
}

/// A number that grows by one from turn to turn; of the loops so far and the next one.
std::uint32_t RolledProgram::place_in_turns(std::uint32_t index, const TapeLoop& next) const {
  const TapeLoop& loop =
      !loops_.empty() && index < loops_.back().end() ? loops_[loop_of(index)] : next;
  if (index < loop.first) return index;
  const std::uint32_t inside = index - loop.first;
  return loop.first + inside % loop.length * loop.turns + inside / loop.length;
}

/// At the ends of a chain some operands come from elsewhere. Turns there are none of the loop, if they are few:
/// in all others operands are at constant strides.
TapeLoop RolledProgram::without_ends(const Tape& tape, TapeLoop loop) const {
  const std::uint32_t most = longest_end / loop.length;
  std::uint32_t low = 0;
  std::uint32_t high = loop.turns - 1;
  for (std::uint32_t l = 0; l < loop.length; ++l)
    for (int i = 0; i < 2; ++i) {
      const auto step = [&](std::uint32_t turn) {
        const auto place = [&](std::uint32_t k) {
          const Instruction& it = tape.instructions()[order_[loop.first + l + k * loop.length]];
          const std::uint32_t slot = i == 0 ? it.a : it.b;
          const bool computed = operands(tape.instructions()[slot].op) > 0;
          return computed ? place_in_turns(index_[slot], loop) : slot;
        };
        return place(turn + 1) - place(turn);
      };
      const std::uint32_t middle = loop.turns / 2;
      std::uint32_t from = middle;
      std::uint32_t to = middle;
      while (from > 0 && step(from - 1) == step(middle)) --from;
      while (to + 2 < loop.turns && step(to + 1) == step(middle)) ++to;
      if (from > most || loop.turns - 2 - to > most) continue;
      low = std::max(low, from);
      high = std::min(high, to + 1);
    }
  if (high - low + 1 < fewest_turns) return loop;
  return {loop.first + low * loop.length, loop.length, high - low + 1};
}

/// From the beginning on, the body that repeats itself longest.
void RolledProgram::find_loops(const Tape& tape, const std::vector<std::uint64_t>& symbols) {
  const auto size = static_cast<std::uint32_t>(symbols.size());
  // same_until[L - 1]: the first place from which on the symbol L places further is another one
  std::array<std::uint32_t, longest_body> same_until{};
  const auto longest_repeat = [&](std::uint32_t at) {
    TapeLoop best{at, 1, 1};
    for (std::uint32_t length = 1; length <= longest_body; ++length) {
      std::uint32_t& until = same_until[length - 1];
      until = std::max(until, at);
      while (until + length < size && symbols[until] == symbols[until + length]) ++until;
      const std::uint32_t turns = (until - at) / length + 1;
      if (turns >= fewest_turns && turns * length > best.turns * best.length + length)
        best = {at, length, turns};
    }
    return best;
  };
  std::uint32_t done = 0;
  for (std::uint32_t at = 0; at < size;) {
    TapeLoop found = longest_repeat(at);
    if (found.turns == 1) {
      ++at;
      continue;
    }
    found = without_ends(tape, found);
    add_block(done, found.first);
    loops_.push_back(found);
    statements_ += found.length;
    done = at = found.end();
  }
  add_block(done, size);
}

void RolledProgram::add_block(std::uint32_t first, std::uint32_t end) {
  statements_ += end - first;
  for (; first < end; first += longest_block)
    loops_.push_back({first, std::min(longest_block, end - first), 1});
}

std::size_t RolledProgram::loop_of(std::uint32_t index) const {
  const auto behind =
      std::upper_bound(loops_.begin(), loops_.end(), index,
                       [](std::uint32_t i, const TapeLoop& loop) { return i < loop.first; });
  return static_cast<std::size_t>(behind - loops_.begin()) - 1;
}

}  // namespace varia::expr
