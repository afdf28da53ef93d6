// SPDX-License-Identifier: BSD-3-Clause
#include "codegen.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string_view>

#include "c_text.hpp"
#include "characters.hpp"
#include "functions.hpp"
#include "loop_code.hpp"
#include "rolled_code.hpp"
#include "sine_pairs.hpp"
#include "varia/core/error.hpp"
#include "varia/expr/op.hpp"
#include "varia/expr/table.hpp"

namespace varia::expr {
namespace {

// Measured with gcc 12: the time for one function grows faster than its length, parts of 250 to 1000
// operations take the least. Below 500 operations a single function costs no more than its parts.
constexpr std::size_t largest_whole = 500;
constexpr std::size_t part_size = 250;
/// A larger scratch array is not put on the stack.
constexpr std::size_t largest_on_stack = 1024;

constexpr std::string_view declarations =
    "double fabs(double);\ndouble sqrt(double);\ndouble exp(double);\ndouble log(double);\n"
    "double sin(double);\ndouble cos(double);\ndouble tan(double);\n"
    "double asin(double);\ndouble acos(double);\ndouble atan(double);\n"
    "double sinh(double);\ndouble cosh(double);\ndouble tanh(double);\n"
    "double pow(double, double);\ndouble atan2(double, double);\ndouble hypot(double, double);\n"
    "double floor(double);\ndouble erf(double);\ndouble fmod(double, double);\n";

/// Words of C, functions declared above, and functions a compiler may call on its own.
constexpr std::string_view taken[] = {
    "asm",      "auto",   "break",    "case",   "char",     "const",    "continue", "default",
    "do",       "double", "else",     "enum",   "extern",   "float",    "for",      "goto",
    "if",       "inline", "int",      "long",   "register", "restrict", "return",   "short",
    "signed",   "sizeof", "static",   "struct", "switch",   "typedef",  "typeof",   "union",
    "unsigned", "void",   "volatile", "while",  "main",     "memcmp",   "memcpy",   "memmove",
    "memset",   "fabs",   "sqrt",     "exp",    "log",      "sin",      "cos",      "tan",
    "asin",     "acos",   "atan",     "sinh",   "cosh",     "tanh",     "pow",      "atan2",
    "hypot",    "sincos", "floor",    "erf",    "fmod"};

void check_name(const std::string& name) {
  const auto refuse = [&](const std::string& reason) {
    std::string shown = name.substr(0, 80);
    std::replace_if(
        shown.begin(), shown.end(), [](char c) { return 0 <= c && c < ' '; }, '?');
    throw InvalidArgument("native function '" + shown + "': " + reason);
  };
  if (name.empty() || name.size() > 200) refuse("a name has 1 to 200 characters");
  if (!is_letter(name[0])) refuse("a name begins with a letter a-z, A-Z");
  for (const char c : name)
    if (!is_letter(c) && !is_digit(c) && c != '_')
      refuse("a name consists of letters a-z, A-Z, digits and _");
  if (name.rfind("varia_", 0) == 0) refuse("names that begin with varia_ are reserved");
  if (std::find(std::begin(taken), std::end(taken), name) != std::end(taken))
    refuse("the name is taken by C; choose another");
}

void check_size(std::size_t statements) {
  if (statements > NativeModule::max_operations)
    throw NativeError("native code: " + std::to_string(statements) +
                      " operations would take too long to compile, at most " +
                      std::to_string(NativeModule::max_operations) + " are; use the interpreter");
}

void check(const std::vector<NativeFunction>& wanted) {
  std::set<std::string> names;
  for (const NativeFunction& function : wanted) {
    check_name(function.name);
    if (!names.insert(function.name).second)
      throw InvalidArgument("native function '" + function.name + "' is given twice");
    if (function.tape == nullptr && function.loops == nullptr)
      throw InvalidArgument("native function '" + function.name + "' has no tape");
  }
}

}  // namespace

void append(std::string& text, std::size_t n) {
  std::array<char, 24> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), n).ptr;
  text.append(digits.data(), end);
}

void append_exact(std::string& text, double x) {
  const bool negative = std::signbit(x);
  if (negative) text += "(-";
  if (std::isnan(x)) {
    text += "__builtin_nan(\"\")";
  } else if (std::isinf(x)) {
    text += "__builtin_inf()";
  } else {
    std::array<char, 32> digits;
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), std::fabs(x),
                                   std::chars_format::hex)
                         .ptr;
    text += "0x";
    text.append(digits.data(), end);
  }
  if (negative) text += ')';
}

// Comparisons are written out as the interpreter does them; fmin and fmax of C treat NaN in another way.
std::string form_of(Op op) {
  switch (op) {
    case Op::neg:
      return "-a";
    case Op::abs:
      return "fabs(a)";
    case Op::sign:
      return "(double)((0.0 < a) - (a < 0.0))";
    case Op::add:
      return "a + b";
    case Op::sub:
      return "a - b";
    case Op::mul:
      return "a * b";
    case Op::div:
      return "a / b";
    case Op::min:
      return "b < a ? b : a";
    case Op::max:
      return "a < b ? b : a";
    case Op::less:
      return "a < b ? 1.0 : b <= a ? 0.0 : a + b";
    case Op::less_equal:
      return "a <= b ? 1.0 : b < a ? 0.0 : a + b";
    case Op::equal:
      return "a == b ? 1.0 : a < b || b < a ? 0.0 : a + b";
    case Op::when:
      return "a == 1.0 ? b : a == 0.0 ? 0.0 : __builtin_nan(\"\")";
    case Op::smoothstep:
      return "a <= 0.0 ? 0.0 : 1.0 <= a ? 1.0 : a * a * a * (a * (a * 6.0 - 15.0) + 10.0)";
    case Op::mod:
      return "varia_mod(a, b)";
    case Op::constant:
    case Op::variable:
      throw InvalidArgument("native code: operation " + std::to_string(static_cast<int>(op)) +
                            " is not known");
    default:
      return std::string(function_name(op)) + (operands(op) == 1 ? "(a)" : "(a, b)");
  }
}

bool is_operand(std::string_view form, std::size_t i) {
  const bool named = form[i] == 'a' || form[i] == 'b';
  const bool inside = (i > 0 && is_letter(form[i - 1])) ||
                      (i + 1 < form.size() && (is_letter(form[i + 1]) || is_digit(form[i + 1])));
  return named && !inside;
}

namespace {

/// The interpreter's mod, where it is used.
constexpr std::string_view mod_source =
    "static double varia_mod(double a, double b) {\n  const double rest = fmod(a, b);\n"
    "  return rest != 0.0 && (rest < 0.0) != (b < 0.0) ? rest + b : rest;\n}\n";

/// A table as a function of C: the search and the polynomials of Spline.
class TableWriter {
 public:
  explicit TableWriter(std::string& text) : text_(text) {}

  /// The tables of a program that are not written yet.
  void write(const Tape& tape) {
    for (const Instruction& i : tape.instructions()) {
      if (i.op != Op::table) continue;
      int order = 0;
      const Instruction& code = tape.instructions()[i.b];
      const Spline* const spline =
          code.op == Op::constant ? find_table(code.value, order) : nullptr;
      if (spline == nullptr)
        throw InvalidArgument("native code: an operation asks for a table that is not known");
      if (numbers_.emplace(spline, numbers_.size()).second) write(*spline);
    }
  }

  /// How the operation of a slot looks; of a table "varia_table_0(a, 1)".
  std::string form_of(const Tape& tape, std::uint32_t slot) const {
    const Instruction& i = tape.instructions()[slot];
    if (i.op != Op::table) return expr::form_of(i.op);
    int order = 0;
    const Spline* const spline = find_table(tape.instructions()[i.b].value, order);
    return "varia_table_" + std::to_string(numbers_.at(spline)) + "(a, " + std::to_string(order) +
           ")";
  }

 private:
  void write_numbers(const char* name, const std::vector<double>& numbers) {
    text_ += std::string("static const double ") + name + "_" + number_ + "[] = {";
    for (const double x : numbers) {
      append_exact(text_, x);
      text_ += ",\n";
    }
    text_ += "};\n";
  }

  void write(const Spline& spline) {
    number_ = std::to_string(numbers_.size() - 1);
    write_numbers("varia_knots", spline.knots());
    write_numbers("varia_cubics", spline.coefficients());
    const std::string last = std::to_string(spline.knots().size() - 1);
    text_ += "static double varia_table_" + number_ +
             "(double x, int order) {\n"
             "const double* const at = varia_knots_" +
             number_ + ";\nif (!(at[0] <= x && x <= at[" + last +
             "])) return __builtin_nan(\"\");\nint k = 0, end = " + last +
             ";\n"
             "while (end - k > 1) {\n"
             "const int middle = (k + end) / 2;\n"
             "if (at[middle] <= x) k = middle; else end = middle;\n"
             "}\n"
             "const double* const c = varia_cubics_" +
             number_ +
             " + 4 * k;\n"
             "const double s = x - at[k];\n"
             "switch (order) {\n"
             "case 0: return c[0] + s * (c[1] + s * (c[2] + s * c[3]));\n"
             "case 1: return c[1] + s * (2.0 * c[2] + s * (3.0 * c[3]));\n"
             "case 2: return 2.0 * c[2] + s * (6.0 * c[3]);\n"
             "case 3: return 6.0 * c[3];\n"
             "default: return 0.0;\n"
             "}\n}\n";
  }

  std::string& text_;
  std::map<const Spline*, std::size_t> numbers_;
  std::string number_;
};

/// One tape as one function, or as a chain of parts. A value that a later part uses goes through
/// the scratch array w; its place is free again after the last part that uses it. Places freed by
/// a part are given away by later parts only, so no part reads and writes the same place.
class FunctionWriter {
 public:
  FunctionWriter(std::string& text, const NativeFunction& function, std::size_t number,
                 const TableWriter& tables)
      : text_(text),
        tables_(tables),
        name_(function.name),
        number_(number),
        tape_(*function.tape),
        partner_(sine_pairs(tape_.instructions())) {}

  void write() {
    plan();
    for (std::size_t part = 0; part < parts_; ++part) write_part(part);
    if (parts_ > 1) write_chain();
  }

 private:
  const Instruction& at(std::size_t k) const { return tape_.instructions()[k]; }
  bool is_operation(std::size_t k) const { return operands(at(k).op) > 0; }

  void plan() {
    const std::size_t size = tape_.instructions().size();
    for (std::size_t k = 0; k < size; ++k)
      if (is_operation(k) && k <= partner_[k]) operations_.push_back(k);
    const std::size_t length = operations_.size() <= largest_whole ? largest_whole : part_size;
    parts_ = std::max<std::size_t>(1, (operations_.size() + length - 1) / length);
    length_ = length;
    part_of_.resize(size);
    for (std::size_t i = 0; i < operations_.size(); ++i)
      part_of_[operations_[i]] = part_of_[partner_[operations_[i]]] = i / length;
    last_use_ = part_of_;
    for (const std::size_t k : operations_) {
      last_use_[at(k).a] = part_of_[k];
      if (operands(at(k).op) == 2) last_use_[at(k).b] = part_of_[k];
    }
    place_.resize(size);
    fetched_.resize(size);
    free_after_.resize(parts_);
    outputs_of_.resize(size);
    for (std::size_t j = 0; j < tape_.output_slots().size(); ++j)
      outputs_of_[tape_.output_slots()[j]].push_back(j);
  }

  void write_head() {
    text_ += "void " + name_ +
             "(const double* restrict x, double* restrict out, const double* restrict theta) {\n";
  }

  void write_part(std::size_t part) {
    if (parts_ == 1) {
      write_head();
    } else {
      text_ += "static __attribute__((noinline)) void ";
      append_part_name(part);
      text_ +=
          "(const double* restrict x, double* restrict out, const double* restrict theta, "
          "double* restrict w) {\n";
    }
    const std::size_t end = std::min(operations_.size(), (part + 1) * length_);
    for (std::size_t i = part * length_; i < end; ++i) write_operation(operations_[i], part);
    if (part == 0) write_plain_outputs();
    text_ += "}\n";
    free_.insert(free_.end(), free_after_[part].begin(), free_after_[part].end());
  }

  void write_operation(std::size_t k, std::size_t part) {
    const Instruction& instruction = at(k);
    fetch(instruction.a, part);
    if (operands(instruction.op) == 2) fetch(instruction.b, part);
    write_value(k, part);
    if (partner_[k] != k) write_value(partner_[k], part);
  }

  void write_value(std::size_t k, std::size_t part) {
    const Instruction& instruction = at(k);
    text_ += "const double t";
    append(text_, k);
    text_ += " = ";
    append_operation(
        text_, tables_.form_of(tape_, static_cast<std::uint32_t>(k)),
        [&](int operand) { append_operand(operand == 0 ? instruction.a : instruction.b); });
    text_ += ";\n";
    for (const std::size_t j : outputs_of_[k]) write_output(j, k);
    if (last_use_[k] > part) keep(k);
  }

  /// Makes the value of an earlier part known under its name.
  void fetch(std::size_t k, std::size_t part) {
    if (!is_operation(k) || part_of_[k] == part || fetched_[k] == part) return;
    fetched_[k] = part;
    text_ += "const double t";
    append(text_, k);
    text_ += " = ";
    append_place(place_[k]);
  }

  /// Puts a value where later parts find it.
  void keep(std::size_t k) {
    if (free_.empty()) {
      place_[k] = scratch_++;
    } else {
      place_[k] = free_.back();
      free_.pop_back();
    }
    free_after_[last_use_[k]].push_back(place_[k]);
    text_ += "w[";
    append(text_, place_[k]);
    text_ += "] = t";
    append(text_, k);
    text_ += ";\n";
  }

  void append_place(std::size_t place) {
    text_ += "w[";
    append(text_, place);
    text_ += "];\n";
  }

  void append_operand(std::size_t k) {
    const Instruction& i = at(k);
    const bool parameter = i.op == Op::constant && i.a > 0;
    if (i.op == Op::constant && !parameter) return append_exact(text_, i.value);
    const bool input = parameter || i.op == Op::variable;
    text_ += parameter ? "theta[" : input ? "x[" : "t";
    append(text_, parameter ? i.a - 1 : input ? i.a : k);
    if (input) text_ += ']';
  }

  void write_output(std::size_t j, std::size_t k) {
    text_ += "out[";
    append(text_, j);
    text_ += "] = ";
    append_operand(k);
    text_ += ";\n";
  }

  /// Outputs that are a constant or an input.
  void write_plain_outputs() {
    for (std::size_t j = 0; j < tape_.output_slots().size(); ++j)
      if (!is_operation(tape_.output_slots()[j])) write_output(j, tape_.output_slots()[j]);
  }

  void append_part_name(std::size_t part) {
    text_ += "varia_part_";
    append(text_, number_);
    text_ += '_';
    append(text_, part);
  }

  void write_chain() {
    write_head();
    text_ += scratch_ > largest_on_stack ? "static _Thread_local double w[" : "double w[";
    append(text_, std::max<std::size_t>(1, scratch_));
    text_ += "];\n";
    for (std::size_t part = 0; part < parts_; ++part) {
      append_part_name(part);
      text_ += "(x, out, theta, w);\n";
    }
    text_ += "}\n";
  }

  std::string& text_;
  const TableWriter& tables_;
  const std::string& name_;
  std::size_t number_;
  const Tape& tape_;
  std::size_t parts_ = 1, length_ = largest_whole, scratch_ = 0;
  std::vector<std::uint32_t> partner_;           ///< of sin and cos: see sine_pairs.hpp
  std::vector<std::size_t> operations_;          ///< the slots that are computed; one of a pair
  std::vector<std::size_t> part_of_, last_use_;  ///< of a slot: parts
  std::vector<std::size_t> place_;               ///< of a slot: index of w
  std::vector<std::size_t> fetched_;             ///< of a slot: the last part that read w
  std::vector<std::size_t> free_;                ///< indices of w
  std::vector<std::vector<std::size_t>> free_after_;  ///< of a part: indices of w
  std::vector<std::vector<std::size_t>> outputs_of_;  ///< of a slot: the outputs it is
};

/// All tapes of the functions, those of bodies of loops among them.
std::vector<const Tape*> tapes_of(const std::vector<NativeFunction>& functions) {
  std::vector<const Tape*> tapes;
  for (const NativeFunction& function : functions) {
    if (function.tape != nullptr) tapes.push_back(function.tape);
    if (function.loops == nullptr) continue;
    for (const ProgramLoop& loop : function.loops->loops()) tapes.push_back(loop.body.get());
  }
  return tapes;
}

bool uses(const std::vector<const Tape*>& tapes, Op op) {
  return std::any_of(tapes.begin(), tapes.end(), [op](const Tape* tape) {
    const auto& all = tape->instructions();
    return std::any_of(all.begin(), all.end(), [op](const auto& i) { return i.op == op; });
  });
}

}  // namespace

Source generate_source(const std::vector<NativeFunction>& wanted, const std::string& extra_source) {
  check(wanted);
  Source source;
  std::vector<std::optional<RolledProgram>> rolled;
  for (const NativeFunction& function : wanted) {
    rolled.emplace_back();
    if (function.loops != nullptr) {
      source.loops = true;
      source.operations += function.loops->statements();
      continue;
    }
    rolled.back() = worth_rolling(*function.tape);
    source.loops = source.loops || rolled.back().has_value();
    source.operations += rolled.back() ? rolled.back()->statements()
                                       : static_cast<std::size_t>(function.tape->operations());
  }
  check_size(source.operations);
  source.text = declarations;
  const std::vector<const Tape*> tapes = tapes_of(wanted);
  if (uses(tapes, Op::mod)) source.text += mod_source;
  TableWriter tables(source.text);
  for (const Tape* tape : tapes) tables.write(*tape);
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const auto form = [&](const Tape& tape, std::uint32_t slot) {
      return tables.form_of(tape, slot);
    };
    if (wanted[i].loops != nullptr) {
      write_loops(source.text, wanted[i].name, i, form, *wanted[i].loops);
      continue;
    }
    const Tape& tape = *wanted[i].tape;
    if (rolled[i])
      write_rolled(source.text,
                   {wanted[i].name, i, [&](std::uint32_t slot) { return form(tape, slot); }}, tape,
                   *rolled[i]);
    else
      FunctionWriter(source.text, wanted[i], i, tables).write();
  }
  source.text += extra_source;
  source.operations +=
      static_cast<std::size_t>(std::count(extra_source.begin(), extra_source.end(), ';'));
  if (!source.text.empty() && source.text.back() != '\n') source.text += '\n';
  return source;
}

}  // namespace varia::expr
