// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The program of a tape as loops.
//
// A sum over an index is read index by index, and a tape knows the operations of each term one behind the
// other. Where the same operations, related to each other in the same way, come again and again, they are
// a loop; its turns are done in the order of the tape. What is left are blocks, loops of one turn.
#include <cstddef>
#include <cstdint>
#include <vector>

#include "varia/expr/tape.hpp"

namespace varia::expr {

/// Operations first + l + k length for l < length are done in turn k.
struct TapeLoop {
  std::uint32_t first, length, turns;

  std::uint32_t end() const { return first + length * turns; }
};

class RolledProgram {
 public:
  explicit RolledProgram(const Tape& tape);

  /// The slots that are computed, in order: those of the tape, but sine and cosine of one operand together.
  const std::vector<std::uint32_t>& order() const { return order_; }
  /// The place in the order of a slot that is computed.
  std::uint32_t index(std::uint32_t slot) const { return index_[slot]; }
  const std::vector<TapeLoop>& loops() const { return loops_; }
  /// The number of the loop that does the operation with this place in the order.
  std::size_t loop_of(std::uint32_t index) const;
  /// Operations, those of a loop once.
  std::size_t statements() const { return statements_; }

 private:
  void find_order(const Tape& tape);
  std::vector<std::uint64_t> symbols(const Tape& tape) const;
  void find_loops(const Tape& tape, const std::vector<std::uint64_t>& symbols);
  TapeLoop without_ends(const Tape& tape, TapeLoop loop) const;
  std::uint32_t place_in_turns(std::uint32_t index, const TapeLoop& loop) const;
  void add_block(std::uint32_t first, std::uint32_t end);

  std::vector<std::uint32_t> order_, index_;
  std::vector<TapeLoop> loops_;
  std::size_t statements_ = 0;
};

}  // namespace varia::expr
