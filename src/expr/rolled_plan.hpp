// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Where the values of a program of loops stand when it is C: in variables of their turn, in the scratch array w
// where another loop or a later turn needs them, or among the outputs.
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "rolled_program.hpp"

namespace varia::expr {

using Numbers = std::vector<std::uint32_t>;

/// to - from
std::ptrdiff_t distance(std::uint32_t from, std::uint32_t to);
/// Whether all are the same.
bool is_one(const Numbers& numbers);

/// A column is the number of a statement among those of all loops; slots are those of the tape.
class RolledPlan {
 public:
  /// Of the turns k of a statement: out[first + step k].
  struct Output {
    std::uint32_t first;
    std::ptrdiff_t step;
  };
  /// Outputs, and their slots.
  using Copies = std::pair<Numbers, Numbers>;
  enum class Source { this_turn, last_turn, elsewhere };

  RolledPlan(const Tape& tape, const RolledProgram& program);

  bool is_constant(std::uint32_t slot) const { return slot < constants_; }
  bool is_variable(std::uint32_t slot) const { return slot >= constants_ && slot < inputs_; }
  std::uint32_t constants() const { return constants_; }
  /// Constants and variables.
  std::uint32_t inputs() const { return inputs_; }
  std::uint32_t operand(std::uint32_t slot, int i) const {
    const Instruction& done = tape_.instructions()[slot];
    return i == 0 ? done.a : done.b;
  }
  /// Where operand i of statement l comes from.
  Source source_of(const TapeLoop& loop, std::uint32_t l, int i) const;
  /// The operand in all turns.
  Numbers slots_of(const TapeLoop& loop, std::uint32_t l, int i) const;

  std::uint32_t first_column(std::size_t loop) const { return first_column_[loop]; }
  bool stored(std::uint32_t column) const { return stored_[column]; }
  const std::vector<Output>& outputs(std::uint32_t column) const { return outputs_[column]; }
  /// Of outputs that no statement writes itself.
  const std::vector<Copies>& copies() const { return copies_; }

  /// Whether the scratch array begins with the constants, and goes on with the variables.
  bool keeps_constants() const { return keeps_constants_; }
  bool keeps_variables() const { return keeps_variables_; }
  /// In the scratch array: of the first turn of a statement, and of a slot.
  std::uint32_t place_of_column(std::uint32_t column) const { return place_[column]; }
  std::uint32_t place(std::uint32_t slot) const;
  /// Of the scratch array.
  std::uint32_t size() const { return size_; }

 private:
  using TurnAndOutput = std::pair<std::uint32_t, std::uint32_t>;

  bool is_computed(std::uint32_t slot) const { return slot >= inputs_; }
  std::pair<std::uint32_t, std::uint32_t> column_and_turn(std::uint32_t slot) const;
  void find_stored(std::size_t number);
  void note_read(const Numbers& slots);
  void find_outputs();
  static bool write_directly(std::uint32_t turns, const std::vector<TurnAndOutput>& all,
                             std::vector<Output>& outputs);
  void plan_copies(const Numbers& outs);
  void plan_places();

  const Tape& tape_;
  const RolledProgram& program_;
  std::uint32_t constants_, inputs_;
  Numbers first_column_;                      ///< of a loop
  std::vector<bool> stored_;                  ///< of a column
  std::vector<std::vector<Output>> outputs_;  ///< of a column
  Numbers place_;                             ///< of a column
  std::vector<Copies> copies_;
  std::uint32_t size_ = 0;
  bool keeps_constants_ = false, keeps_variables_ = false;
};

}  // namespace varia::expr
