// SPDX-License-Identifier: BSD-3-Clause
#include "loop_code.hpp"

#include <map>

#include "c_text.hpp"

namespace varia::expr {
namespace {

using Kind = LoopSlot::Kind;

constexpr const char* loop_arguments =
    "(const double* restrict x, double* restrict out, const double* restrict theta)";

class LoopWriter {
 public:
  LoopWriter(std::string& text, std::size_t number, const FormOf& form)
      : text_(text), number_(std::to_string(number)), form_(form) {}

  std::string write(const ProgramLoop& loop) {
    loop_ = &loop;
    write_lists();
    std::string name = "varia_loop_" + number_ + "_" + std::to_string(loops_++);
    text_ +=
        "static __attribute__((noinline)) void " + name + loop_arguments + " {\n(void)theta;\n";
    if (loop.set.turns() == 1)
      write_one_turn();
    else
      write_turns();
    text_ += "}\n";
    return name;
  }

 private:
  static std::string number(long k) { return std::to_string(k) + "L"; }

  /// start + by_outer i + by_inner (j + m), the running index being the one with m.
  std::string place(const LoopPlace& at, bool in_block) const {
    const bool inner = loop_->set.inner;
    std::string text = number(at.start);
    const auto add = [&](long factor, const char* index, bool running) {
      if (factor == 0) return;
      text += " + " + number(factor) + " * ";
      text += running && in_block ? std::string("(") + index + " + m)" : index;
    };
    add(at.by_outer, "i", !inner);
    add(at.by_inner, "j", inner);
    return text;
  }

  void write_lists() {
    for (const LoopSlot& slot : loop_->slots) {
      if (slot.kind != Kind::number || !lists_.emplace(slot.numbers.get(), lists_.size()).second)
        continue;
      text_ += "static const double " + list(slot) + "[] = {";
      for (std::size_t k = 0; k < slot.numbers->size(); ++k) {
        append_exact(text_, (*slot.numbers)[k]);
        text_ += k % 8 == 7 ? ",\n" : ",";
      }
      text_ += "};\n";
    }
  }

  std::string list(const LoopSlot& slot) const {
    return "varia_numbers_" + number_ + "_" + std::to_string(lists_.at(slot.numbers.get()));
  }

  std::string read(const LoopSlot& slot) const {
    const bool inner = loop_->set.inner;
    switch (slot.kind) {
      case Kind::outer:
        return inner ? "(double)i" : "(double)(i + m)";
      case Kind::inner:
        return "(double)(j + m)";
      case Kind::number:
        return list(slot) + "[" + place(slot.place, true) + "]";
      case Kind::input:
        break;
    }
    return "x[" + place(slot.place, true) + "]";
  }

  void write_body() {
    const auto& program = loop_->body->instructions();
    for (std::uint32_t k = 0; k < program.size(); ++k) {
      const Instruction& instruction = program[k];
      text_ += "const double t" + std::to_string(k) + " = ";
      if (instruction.op == Op::constant && instruction.a == 0)
        append_exact(text_, instruction.value);
      else if (instruction.op == Op::constant)
        text_ += "theta[" + std::to_string(instruction.a - 1) + "]";
      else if (instruction.op == Op::variable)
        text_ += read(loop_->slots[instruction.a]);
      else
        append_operation(text_, form_(*loop_->body, k), [&](int operand) {
          text_ += "t" + std::to_string(operand == 0 ? instruction.a : instruction.b);
        });
      text_ += ";\n";
    }
  }

  void write_one_turn() {
    const IndexSet& set = loop_->set;
    text_ += "const long i = " + number(set.first) + ", m = 0;\n(void)i; (void)m;\n";
    if (set.inner)
      text_ += "const long j = " + number(set.inner_first(set.first)) + ";\n(void)j;\n";
    write_body();
    for (std::size_t o = 0; o < loop_->outputs.size(); ++o)
      text_ += "out[" + place(loop_->outputs[o].place, false) + "] += t" +
               std::to_string(loop_->body->output_slots()[o]) + ";\n";
  }

  void write_turns() {
    const IndexSet& set = loop_->set;
    const std::string block = number(LoopProgram::block);
    const char* const running = set.inner ? "j" : "i";
    if (set.inner)
      text_ += "for (long i = " + number(set.first) + "; i <= " + number(set.last) +
               "; ++i) {\nconst long end = " + number(set.to) + " + " + number(set.to_step) +
               " * i;\nfor (long j = " + number(set.from) + " + " + number(set.from_step) +
               " * i; j <= end; j += " + block + ") {\n";
    else
      text_ += "const long end = " + number(set.last) + ";\nfor (long i = " + number(set.first) +
               "; i <= end; i += " + block + ") {\n";
    text_ += std::string("const long count = end - ") + running + " + 1 < " + block + " ? end - " +
             running + " + 1 : " + block + ";\n";
    for (std::size_t o = 0; o < loop_->outputs.size(); ++o)
      text_ += "double r" + std::to_string(o) + "[" + std::to_string(LoopProgram::block) + "];\n";
    text_ += "for (long m = 0; m < count; ++m) {\n";
    write_body();
    for (std::size_t o = 0; o < loop_->outputs.size(); ++o)
      text_ += "r" + std::to_string(o) + "[m] = t" +
               std::to_string(loop_->body->output_slots()[o]) + ";\n";
    text_ += "}\n";
    for (std::size_t o = 0; o < loop_->outputs.size(); ++o) write_add(o);
    text_ += set.inner ? "}\n}\n" : "}\n";
  }

  void write_add(std::size_t o) {
    const LoopPlace& at = loop_->outputs[o].place;
    const std::string r = "r" + std::to_string(o);
    if ((loop_->set.inner ? at.by_inner : at.by_outer) != 0) {
      text_ += "for (long m = 0; m < count; ++m) out[" + place(at, true) + "] += " + r + "[m];\n";
      return;
    }
    text_ +=
        "{\ndouble s0 = 0.0, s1 = 0.0, s2 = 0.0, s3 = 0.0;\nlong m = 0;\n"
        "for (; m + 4 <= count; m += 4) {\n";
    for (int lane = 0; lane < 4; ++lane)
      text_ += "s" + std::to_string(lane) + " += " + r + "[m + " + std::to_string(lane) + "];\n";
    text_ += "}\n";
    for (int lane = 0; lane < 3; ++lane)
      text_ += "if (m < count) s" + std::to_string(lane) + " += " + r + "[m++];\n";
    text_ += "out[" + place(at, false) + "] += (s0 + s1) + (s2 + s3);\n}\n";
  }

  std::string& text_;
  std::string number_;
  const FormOf& form_;
  const ProgramLoop* loop_ = nullptr;
  std::size_t loops_ = 0;
  std::map<const std::vector<double>*, std::size_t> lists_;
};

}  // namespace

void write_loops(std::string& text, const std::string& name, std::size_t number, const FormOf& form,
                 const LoopProgram& program) {
  LoopWriter writer(text, number, form);
  std::vector<std::string> loops;
  loops.reserve(program.loops().size());
  for (const ProgramLoop& loop : program.loops()) loops.push_back(writer.write(loop));
  text += "void " + name + loop_arguments + " {\nfor (long k = 0; k < " +
          std::to_string(program.outputs()) + "L; ++k) out[k] = 0.0;\n";
  for (const std::string& loop : loops) text += loop + "(x, out, theta);\n";
  text += "}\n";
}

}  // namespace varia::expr
