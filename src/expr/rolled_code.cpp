// SPDX-License-Identifier: BSD-3-Clause
#include "rolled_code.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <utility>
#include <vector>

#include "c_text.hpp"

namespace varia::expr {
namespace {

/// A shorter program has its numbers in registers where it is written out.
constexpr int shortest_program = 500;
/// Operations for one statement: loops of few turns gain nothing over straight code.
constexpr std::size_t least_gain = 4;
/// One function of so many statements; the compiler takes more than twice as long for twice as many.
constexpr std::size_t part_size = 250;
/// A larger scratch array is not put on the stack.
constexpr std::size_t largest_on_stack = 1024;
/// Outputs that are no loop are copied one by one up to here.
constexpr std::size_t few = 8;

constexpr const char* arguments =
    "(const double* restrict x, double* restrict out, const double* restrict theta";

using Numbers = std::vector<std::uint32_t>;

std::ptrdiff_t distance(std::uint32_t from, std::uint32_t to) {
  return static_cast<std::ptrdiff_t>(to) - static_cast<std::ptrdiff_t>(from);
}

bool at_constant_stride(const Numbers& numbers) {
  for (std::size_t k = 2; k < numbers.size(); ++k)
    if (numbers[k] - numbers[k - 1] != numbers[1] - numbers[0]) return false;
  return true;
}

/// A tape with its loops as one function, or as a chain of parts. A value that is needed in another loop,
/// or in a turn behind the next one, goes through the scratch array w, where the values of a statement
/// in all turns stand one behind the other.
class RolledWriter {
 public:
  RolledWriter(std::string& text, const RolledFunction& function, const Tape& tape,
               const RolledProgram& program)
      : text_(text),
        function_(function),
        number_(function.number),
        tape_(tape),
        program_(program),
        constants_(static_cast<std::uint32_t>(tape.constants())),
        inputs_(constants_ + static_cast<std::uint32_t>(tape.variables().size())) {}

  void write() {
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
    write_inputs();
    for (std::size_t i = 0; i < program_.loops().size(); ++i) write_loop(i);
    for (const auto& [outs, slots] : copies_) write_copies(outs, slots);
    close_part();
    write_chain();
  }

 private:
  struct Output {
    std::uint32_t first;
    std::ptrdiff_t step;
  };
  enum class Source { this_turn, last_turn, elsewhere };

  // The program

  const Instruction& at(std::uint32_t slot) const { return tape_.instructions()[slot]; }
  bool is_constant(std::uint32_t slot) const { return slot < constants_; }
  bool is_variable(std::uint32_t slot) const { return slot >= constants_ && slot < inputs_; }
  bool is_computed(std::uint32_t slot) const { return slot >= inputs_; }
  std::uint32_t operand(std::uint32_t slot, int i) const {
    return i == 0 ? at(slot).a : at(slot).b;
  }

  /// The number of a statement among those of all loops, and the turn.
  std::pair<std::uint32_t, std::uint32_t> column_and_turn(std::uint32_t slot) const {
    const std::uint32_t index = program_.index(slot);
    const std::size_t number = program_.loop_of(index);
    const TapeLoop& loop = program_.loops()[number];
    const std::uint32_t inside = index - loop.first;
    return {first_column_[number] + inside % loop.length, inside / loop.length};
  }

  Source source_of(const TapeLoop& loop, std::uint32_t l, int i) const {
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
  Numbers slots_of(const TapeLoop& loop, std::uint32_t l, int i) const {
    Numbers slots(loop.turns);
    for (std::uint32_t k = 0; k < loop.turns; ++k)
      slots[k] = operand(program_.order()[loop.first + l + k * loop.length], i);
    return slots;
  }

  // What is where

  void find_stored(std::size_t number) {
    const TapeLoop& loop = program_.loops()[number];
    for (std::uint32_t l = 0; l < loop.length; ++l)
      for (int i = 0; i < operands(at(program_.order()[loop.first + l]).op); ++i) {
        const Source source = source_of(loop, l, i);
        if (source == Source::elsewhere) note_read(slots_of(loop, l, i));
        if (source == Source::last_turn) note_read({operand(program_.order()[loop.first + l], i)});
      }
  }

  /// Results that are read must be stored; inputs too, where a loop reads both these and results.
  void note_read(const Numbers& slots) {
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

  static bool is_one(const Numbers& numbers) {
    return std::all_of(numbers.begin(), numbers.end(),
                       [&](std::uint32_t n) { return n == numbers[0]; });
  }

  /// Outputs that a statement gives at a constant stride it writes itself; the others are copied at the end.
  void find_outputs() {
    std::map<std::uint32_t, std::vector<std::pair<std::uint32_t, std::uint32_t>>> of_column;
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
  static bool write_directly(std::uint32_t turns,
                             const std::vector<std::pair<std::uint32_t, std::uint32_t>>& all,
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
  void plan_copies(const Numbers& outs) {
    const auto slot = [&](std::size_t k) { return tape_.output_slots()[outs[k]]; };
    const auto steps = [&](std::size_t k) {
      return std::pair(outs[k + 1] - outs[k], slot(k + 1) - slot(k));
    };
    const auto add = [&](std::size_t from, std::size_t to) {
      std::pair<Numbers, Numbers> copies;
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

  void plan_places() {
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

  std::uint32_t place(std::uint32_t slot) const {
    if (is_constant(slot)) return slot;
    if (is_variable(slot)) return slot - (keeps_constants_ ? 0 : constants_);
    const auto [column, turn] = column_and_turn(slot);
    return place_[column] + turn;
  }

  // Text

  template <class... Parts> void put(const Parts&... parts) { (put_one(parts), ...); }
  void put_one(const char* part) { body_ += part; }
  void put_one(const std::string& part) { body_ += part; }
  void put_one(std::size_t part) { append(body_, part); }
  void put_one(std::uint32_t part) { append(body_, part); }

  /// start + step k
  void put_index(std::size_t start, std::ptrdiff_t step) {
    put(start);
    if (step == 0) return;
    put(step > 0 ? " + " : " - ");
    if (std::abs(step) != 1) put(static_cast<std::size_t>(std::abs(step)), " * ");
    put("k");
  }

  /// Numbers at a constant stride are computed, others are read from a list; lists that differ by a constant
  /// are one.
  void put_index(Numbers numbers) {
    if (at_constant_stride(numbers))
      return put_index(numbers[0], numbers.size() > 1 ? distance(numbers[0], numbers[1]) : 0);
    const std::uint32_t least = *std::min_element(numbers.begin(), numbers.end());
    for (std::uint32_t& n : numbers) n -= least;
    const auto [found, is_new] = lists_.emplace(std::move(numbers), lists_.size());
    if (is_new) write_list(found->first);
    put("varia_list_", number_, "_", found->second, "[k]");
    if (least > 0) put(" + ", least);
  }

  void write_list(const Numbers& numbers) {
    const bool small = *std::max_element(numbers.begin(), numbers.end()) <= UINT16_MAX;
    text_ +=
        small ? "static const unsigned short varia_list_" : "static const unsigned varia_list_";
    append(text_, number_);
    text_ += '_';
    append(text_, lists_.size() - 1);
    text_ += "[] = {";
    for (std::size_t k = 0; k < numbers.size(); ++k) {
      append(text_, numbers[k]);
      text_ += k % 16 == 15 ? ",\n" : ",";
    }
    text_ += "};\n";
  }

  void put_constant(std::uint32_t slot) {
    if (at(slot).a > 0)
      put("theta[", at(slot).a - 1, "]");
    else
      append_exact(body_, at(slot).value);
  }

  /// What the slots hold, turn by turn.
  void put_value(const Numbers& slots) {
    if (is_constant(slots[0]) && is_one(slots)) return put_constant(slots[0]);
    const bool input =
        std::all_of(slots.begin(), slots.end(), [this](std::uint32_t s) { return is_variable(s); });
    Numbers numbers(slots.size());
    std::transform(slots.begin(), slots.end(), numbers.begin(), [&](std::uint32_t slot) {
      return input ? tape_.variables()[slot - constants_] : place(slot);
    });
    put(input ? "x[" : "w[");
    put_index(std::move(numbers));
    put("]");
  }

  // Functions

  void open_part() {
    if (!body_.empty()) return;
    put("static __attribute__((noinline)) void varia_part_", number_, "_", parts_++, arguments,
        ", double* restrict w) {\n");
  }
  void close_part() {
    if (!body_.empty()) put("}\n");
    text_ += body_;
    body_.clear();
    in_part_ = 0;
  }
  void count_statements(std::size_t count) {
    in_part_ += count;
    if (in_part_ >= part_size) close_part();
  }
  void open_turns(std::uint32_t turns) {
    if (turns > 1)
      put("for (int k = 0; k < ", turns, "; ++k) {\n");
    else
      put("{\n");
  }

  static Numbers range(std::uint32_t first, std::uint32_t end) {
    Numbers numbers;
    for (; first < end; ++first) numbers.push_back(first);
    return numbers;
  }

  void write_inputs() {
    if (keeps_constants_) {
      text_ += "static const double varia_constants_";
      append(text_, number_);
      text_ += "[] = {";
      for (std::uint32_t k = 0; k < constants_; ++k) {
        append_exact(text_, at(k).value);
        text_ += k % 8 == 7 ? ",\n" : ",";
      }
      text_ += "};\n";
      open_part();
      open_turns(constants_);
      const char* index = constants_ > 1 ? "k" : "0";
      put("w[", index, "] = varia_constants_", number_, "[", index, "];\n}\n");
      for (std::uint32_t k = 0; k < constants_; ++k) {
        if (at(k).a == 0) continue;
        open_part();
        put("w[", k, "] = ");
        put_constant(k);
        put(";\n");
        count_statements(1);
      }
    }
    if (!keeps_variables_) return;
    const Numbers variables = range(constants_, inputs_);
    Numbers places(variables.size());
    std::transform(variables.begin(), variables.end(), places.begin(),
                   [this](std::uint32_t slot) { return place(slot); });
    open_part();
    open_turns(inputs_ - constants_);
    put("w[");
    put_index(places);
    put("] = ");
    put_value(variables);
    put(";\n}\n");
    count_statements(1);
  }

  void write_loop(std::size_t number) {
    const TapeLoop& loop = program_.loops()[number];
    open_part();
    put("{\n");
    std::string carried;  // at the end of a turn
    std::string inside;
    std::swap(body_, inside);
    std::string before;
    for (std::uint32_t l = 0; l < loop.length; ++l) write_statement(number, l, before, carried);
    std::swap(body_, inside);
    put(before);
    open_turns(loop.turns);
    put(inside, carried, "}\n}\n");
    count_statements(loop.length + 1);
  }

  /// const double t7 = t5 + s6; s6: t6 of the last turn.
  void write_statement(std::size_t number, std::uint32_t l, std::string& before,
                       std::string& carried) {
    const TapeLoop& loop = program_.loops()[number];
    const std::uint32_t index = loop.first + l;
    const std::uint32_t slot = program_.order()[index];
    const auto column = first_column_[number] + l;
    put("const double t", index, " = ");
    append_operation(body_, function_.form(slot), [&](int i) {
      const Source source = source_of(loop, l, i);
      if (source == Source::elsewhere) return put_value(slots_of(loop, l, i));
      const std::uint32_t producer = program_.index(operand(slot, i));
      if (source == Source::this_turn) return put("t", producer);
      put(carry(producer + loop.length, operand(slot, i), before, carried));
    });
    put(";\n");
    if (stored_[column]) {
      put("w[");
      put_index(place_[column], loop.turns > 1 ? 1 : 0);
      put("] = t", index, ";\n");
    }
    for (const Output& output : outputs_[column]) {
      put("out[");
      put_index(output.first, output.step);
      put("] = t", index, ";\n");
    }
  }

  /// The variable that holds the value of statement `index` of the last turn; before the first one it is that
  /// of `slot`.
  std::string carry(std::uint32_t index, std::uint32_t slot, std::string& before,
                    std::string& carried) {
    std::string name = "s" + std::to_string(index);
    if (before.find("double " + name + " ") != std::string::npos) return name;
    std::swap(body_, before);
    put("double ", name, " = ");
    put_value({slot});
    put(";\n");
    std::swap(body_, before);
    carried += name + " = t" + std::to_string(index) + ";\n";
    return name;
  }

  void write_copies(const Numbers& outs, const Numbers& slots) {
    open_part();
    open_turns(static_cast<std::uint32_t>(outs.size()));
    put("out[");
    put_index(outs);
    put("] = ");
    put_value(slots);
    put(";\n}\n");
    count_statements(1);
  }

  void write_chain() {
    text_ += "void " + function_.name + arguments + ") {\n";
    text_ += size_ > largest_on_stack ? "static _Thread_local double w[" : "double w[";
    append(text_, std::max(1U, size_));
    text_ += "];\n";
    for (std::size_t part = 0; part < parts_; ++part) {
      text_ += "varia_part_";
      append(text_, number_);
      text_ += '_';
      append(text_, part);
      text_ += "(x, out, theta, w);\n";
    }
    text_ += "}\n";
  }

  std::string& text_;
  std::string body_;  ///< of the part that is being written; lists stand before it
  const RolledFunction& function_;
  std::size_t number_;
  const Tape& tape_;
  const RolledProgram& program_;
  std::uint32_t constants_, inputs_;          ///< slots
  Numbers first_column_;                      ///< of a loop: the number of its first statement
  std::vector<bool> stored_;                  ///< of a statement
  std::vector<std::vector<Output>> outputs_;  ///< of a statement
  Numbers place_;                             ///< of a statement: in the scratch array
  std::vector<std::pair<Numbers, Numbers>> copies_;  ///< outputs, and their slots
  std::map<Numbers, std::size_t> lists_;
  std::uint32_t size_ = 0;  ///< of the scratch array
  bool keeps_constants_ = false, keeps_variables_ = false;
  std::size_t parts_ = 0, in_part_ = 0;
};

}  // namespace

NativeSize native_size(const Tape& tape) {
  if (const auto loops = worth_rolling(tape)) return {loops->statements(), true};
  return {static_cast<std::size_t>(tape.operations()), false};
}

std::optional<RolledProgram> worth_rolling(const Tape& tape) {
  if (tape.operations() < shortest_program) return std::nullopt;
  RolledProgram program(tape);
  if (least_gain * program.statements() > static_cast<std::size_t>(tape.operations()))
    return std::nullopt;
  return program;
}

void write_rolled(std::string& text, const RolledFunction& function, const Tape& tape,
                  const RolledProgram& program) {
  RolledWriter(text, function, tape, program).write();
}

}  // namespace varia::expr
