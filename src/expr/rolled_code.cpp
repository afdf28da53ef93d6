// SPDX-License-Identifier: BSD-3-Clause
#include "rolled_code.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <utility>
#include <vector>

#include "c_text.hpp"
#include "rolled_plan.hpp"

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

constexpr const char* arguments =
    "(const double* restrict x, double* restrict out, const double* restrict theta";

bool at_constant_stride(const Numbers& numbers) {
  for (std::size_t k = 2; k < numbers.size(); ++k)
    if (numbers[k] - numbers[k - 1] != numbers[1] - numbers[0]) return false;
  return true;
}

/// A tape with its loops as one function, or as a chain of parts. A value that is needed in another loop,
/// or in a turn behind the next one, goes through the scratch array w, where the values of a statement
/// in all turns stand one behind the other: see RolledPlan.
class RolledWriter {
 public:
  RolledWriter(std::string& text, const RolledFunction& function, const Tape& tape,
               const RolledProgram& program)
      : text_(text),
        function_(function),
        number_(function.number),
        tape_(tape),
        program_(program),
        plan_(tape, program) {}

  void write() {
    write_inputs();
    for (std::size_t i = 0; i < program_.loops().size(); ++i) write_loop(i);
    for (const auto& [outs, slots] : plan_.copies()) write_copies(outs, slots);
    close_part();
    write_chain();
  }

 private:
  const Instruction& at(std::uint32_t slot) const { return tape_.instructions()[slot]; }

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
    if (plan_.is_constant(slots[0]) && is_one(slots)) return put_constant(slots[0]);
    const bool input = std::all_of(slots.begin(), slots.end(),
                                   [this](std::uint32_t s) { return plan_.is_variable(s); });
    Numbers numbers(slots.size());
    std::transform(slots.begin(), slots.end(), numbers.begin(), [&](std::uint32_t slot) {
      return input ? tape_.variables()[slot - plan_.constants()] : plan_.place(slot);
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
    if (plan_.keeps_constants()) {
      text_ += "static const double varia_constants_";
      append(text_, number_);
      text_ += "[] = {";
      for (std::uint32_t k = 0; k < plan_.constants(); ++k) {
        append_exact(text_, at(k).value);
        text_ += k % 8 == 7 ? ",\n" : ",";
      }
      text_ += "};\n";
      open_part();
      open_turns(plan_.constants());
      const char* index = plan_.constants() > 1 ? "k" : "0";
      put("w[", index, "] = varia_constants_", number_, "[", index, "];\n}\n");
      for (std::uint32_t k = 0; k < plan_.constants(); ++k) {
        if (at(k).a == 0) continue;
        open_part();
        put("w[", k, "] = ");
        put_constant(k);
        put(";\n");
        count_statements(1);
      }
    }
    if (!plan_.keeps_variables()) return;
    const Numbers variables = range(plan_.constants(), plan_.inputs());
    Numbers places(variables.size());
    std::transform(variables.begin(), variables.end(), places.begin(),
                   [this](std::uint32_t slot) { return plan_.place(slot); });
    open_part();
    open_turns(plan_.inputs() - plan_.constants());
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
    const auto column = plan_.first_column(number) + l;
    put("const double t", index, " = ");
    append_operation(body_, function_.form(slot), [&](int i) {
      const RolledPlan::Source source = plan_.source_of(loop, l, i);
      if (source == RolledPlan::Source::elsewhere) return put_value(plan_.slots_of(loop, l, i));
      const std::uint32_t producer = program_.index(plan_.operand(slot, i));
      if (source == RolledPlan::Source::this_turn) return put("t", producer);
      put(carry(producer + loop.length, plan_.operand(slot, i), before, carried));
    });
    put(";\n");
    if (plan_.stored(column)) {
      put("w[");
      put_index(plan_.place_of_column(column), loop.turns > 1 ? 1 : 0);
      put("] = t", index, ";\n");
    }
    for (const RolledPlan::Output& output : plan_.outputs(column)) {
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
    text_ += plan_.size() > largest_on_stack ? "static _Thread_local double w[" : "double w[";
    append(text_, std::max(1U, plan_.size()));
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
  RolledPlan plan_;
  std::map<Numbers, std::size_t> lists_;
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
