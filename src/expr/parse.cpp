// SPDX-License-Identifier: BSD-3-Clause
// The parser: recursive descent over the words of the text, straight into the graph.
//
// Sums and products of any length are loops; only nesting recurses, up to max_nesting. The body of
// sum(i, a, b, ...) is read once per value of i; with no value it is read once without effect, so
// that its mistakes are found.
#include "varia/expr/parse.hpp"

#include <cmath>
#include <numbers>

#include "functions.hpp"
#include "token.hpp"
#include "varia/core/nearest.hpp"

namespace varia::expr {
namespace {

constexpr long max_atoms = 5'000'000;  // names and numbers read, with the repetitions of sums

class Parser {
 public:
  Parser(Graph& graph, const Scope& scope, std::string_view text)
      : graph_(graph),
        scope_(scope),
        text_(text),
        words_(tokens(text)),
        zero_(graph.constant(0.0)),
        first_node_(graph.size()) {}

  Id parse() {
    if (word().kind == '$') fail("the expression is empty");
    const Id result = expression();
    if (word().kind != '$') unexpected("the end of the expression");
    return result;
  }

 private:
  struct Loop {
    std::string_view name;
    long value;
  };

  // Words ----------------------------------------------------------------------------------------

  const Token& word() const { return words_[next_]; }
  bool accept(char kind) {
    if (word().kind != kind) return false;
    ++next_;
    return true;
  }
  [[noreturn]] void fail(const std::string& message) const { fail_at(text_, word().at, message); }
  [[noreturn]] void fail(const Token& at, const std::string& message) const {
    fail_at(text_, at.at, message);
  }

  [[noreturn]] void unexpected(const std::string& wanted) const {
    const Token& found = word();
    if (found.kind == '$') fail("the expression ends too early: " + wanted + " is missing");
    if (found.kind == '1' || found.kind == 'a' || found.kind == '(') {
      fail("an operator is missing before '" + std::string(found.text) +
           "'; products are written with *");
    }
    if (found.kind == ')') fail("this ')' closes nothing: " + wanted + " is expected");
    fail("unexpected '" + std::string(found.text) + "': " + wanted + " is expected");
  }

  void close(char bracket, const Token& open) {
    if (accept(bracket)) return;
    unexpected(std::string("the '") + bracket + "' that closes the '" + std::string(open.text) +
               "' at " + place_of(text_, open.at));
  }

  void enter() {
    if (++depth_ > max_nesting)
      fail("the expression is nested deeper than " + std::to_string(max_nesting) + " levels");
  }

  // Building -------------------------------------------------------------------------------------

  Id checked(Id id) const {
    if (graph_.size() - first_node_ > max_parse_nodes)
      fail("the expression takes more than " + std::to_string(max_parse_nodes) + " operations");
    return id;
  }

  template <class... Operands> Id make(Op op, Operands... operand) const {
    if (dry_) return zero_;
    try {
      return checked(graph_.make(op, operand...));
    } catch (const ParseError&) {
      throw;
    } catch (const InvalidArgument& error) {
      fail(error.what());
    }
  }

  // The grammar ----------------------------------------------------------------------------------

  Id expression() {
    enter();
    Id left = term();
    while (word().kind == '+' || word().kind == '-') {
      const Op op = accept('+') ? Op::add : (++next_, Op::sub);
      const Id right = term();
      left = make(op, left, right);
    }
    --depth_;
    return left;
  }

  Id term() {
    Id left = factor();
    while (word().kind == '*' || word().kind == '/') {
      const Op op = accept('*') ? Op::mul : (++next_, Op::div);
      if (op == Op::mul && word().kind == '*') fail("powers are written with ^, not with **");
      const Id right = factor();
      left = make(op, left, right);
    }
    return left;
  }

  Id factor() {
    bool negative = false;
    while (word().kind == '+' || word().kind == '-') {
      if (word().kind == '-') negative = !negative;
      ++next_;
    }
    const Id value = power();
    return negative ? make(Op::neg, value) : value;
  }

  Id power() {
    const Id base = atom();
    if (!accept('^')) return base;
    enter();
    const Id exponent = factor();
    --depth_;
    return make(Op::pow, base, exponent);
  }

  Id atom() {
    if (++atoms_ > max_atoms)
      fail("the sums of the expression have more than " + std::to_string(max_atoms) + " parts");
    const Token& first = word();
    switch (first.kind) {
      case '1':
        ++next_;
        return dry_ ? zero_ : checked(graph_.constant(first.number));
      case 'a':
        return named();
      case '(': {
        ++next_;
        const Id inside = expression();
        close(')', first);
        return inside;
      }
      case '$':
        fail("the expression ends too early: a number, a name or '(' is missing");
      default:
        fail("unexpected '" + std::string(first.text) + "': a number, a name or '(' is expected");
    }
  }

  // Names ----------------------------------------------------------------------------------------

  Id named() {
    const Token& name = word();
    ++next_;
    if (word().kind == '(') return name.text == "sum" ? sum(name) : call(name);
    if (word().kind == '[') return element(name);
    for (const Loop& loop : loops_)
      if (loop.name == name.text) return number(static_cast<double>(loop.value));
    if (const Id* value = scope_.scalar(name.text)) return *value;
    if (const long* value = scope_.index(name.text)) return number(static_cast<double>(*value));
    if (name.text == "pi") return number(std::numbers::pi);
    if (const Scope::Array* array = scope_.array(name.text)) {
      fail(name, "'" + std::string(name.text) + "' is the array " + range(name, *array) +
                     ": it needs an index, as in " + std::string(name.text) + "[" +
                     std::to_string(array->first) + "]");
    }
    if (find_function(name.text) != nullptr || name.text == "sum") {
      fail(name, "'" + std::string(name.text) + "' is a function: its arguments in parentheses " +
                     "are missing");
    }
    unknown(name, "name", all_names());
  }

  Id number(double value) const { return dry_ ? zero_ : checked(graph_.constant(value)); }

  static std::string range(const Token& name, const Scope::Array& array) {
    return std::string(name.text) + "[" + std::to_string(array.first) + ".." +
           std::to_string(array.last()) + "]";
  }

  std::vector<std::string> all_names() const {
    std::vector<std::string> names = scope_.names();
    for (const Loop& loop : loops_) names.emplace_back(loop.name);
    names.emplace_back("pi");
    return names;
  }

  [[noreturn]] void unknown(const Token& name, const std::string& what,
                            const std::vector<std::string>& known) const {
    if (const std::string* why = scope_.absent(name.text)) fail(name, *why);
    constexpr std::size_t long_list = 40;
    constexpr std::size_t long_name = 60;
    std::string message = "unknown " + what + " '" + std::string(name.text.substr(0, long_name)) +
                          (name.text.size() > long_name ? "..." : "") + "'";
    std::vector<std::string> candidates = known;
    for (const std::string& reserved : reserved_names()) candidates.push_back(reserved);
    const std::string meant = nearest(name.text, candidates);
    if (!meant.empty()) message += "; did you mean '" + meant + "'?";
    if (known.size() <= long_list) {
      message += (meant.empty() ? "; known: " : " Known: ");
      for (std::size_t k = 0; k < known.size(); ++k) message += (k > 0 ? ", " : "") + known[k];
    }
    fail(name, message);
  }

  Id call(const Token& name) {
    const Function* function = find_function(name.text);
    if (function == nullptr) {
      if (scope_.has(name.text) || name.text == "pi") {
        fail(name, "'" + std::string(name.text) +
                       "' is not a function; products are written with " + "*, as in " +
                       std::string(name.text) + "*(...)");
      }
      std::vector<std::string> names{"sum"};
      for (const Function& f : functions) names.emplace_back(f.name);
      unknown(name, "function", names);
    }
    const Token& open = word();
    ++next_;
    std::size_t count = 0;
    Id arguments[2] = {zero_, zero_};
    if (word().kind != ')') {
      do {
        const Id value = expression();
        if (count < 2) arguments[count] = value;
        ++count;
      } while (accept(','));
    }
    close(')', open);
    const auto wanted = static_cast<std::size_t>(operands(function->op));
    if (count != wanted) {
      fail(name, std::string(name.text) + " takes " + std::to_string(wanted) +
                     (wanted == 1 ? " argument" : " arguments") + ", found " +
                     std::to_string(count));
    }
    if (wanted == 1) return make(function->op, arguments[0]);
    return make(function->op, arguments[0], arguments[1]);
  }

  // Arrays and sums ------------------------------------------------------------------------------

  /// An integer-valued constant expression.
  long integer(const std::string& what) {
    const Token first = word();
    const Id id = expression();
    if (dry_) return 0;
    if (!graph_.is_constant(id))
      fail(first, what + " must be a number that does not depend on the motion");
    const double value = graph_[id].value;
    const double rounded = std::round(value);
    constexpr double largest = 1e9;
    constexpr double tolerance = 1e-9;
    if (std::abs(value) > largest || std::abs(value - rounded) > tolerance)
      fail(first, what + " must be an integer, found " + to_text(value));
    return static_cast<long>(rounded);
  }

  std::string where() const {  // "with i = 3, j = 4"
    std::string text;
    for (const Loop& loop : loops_) {
      text += (text.empty() ? " (with " : ", ") + std::string(loop.name) + " = " +
              std::to_string(loop.value);
    }
    return text.empty() ? text : text + ")";
  }

  Id element(const Token& name) {
    const Scope::Array* array = scope_.array(name.text);
    if (array == nullptr) {
      if (scope_.has(name.text) || name.text == "pi" || is_loop(name.text))
        fail(name, "'" + std::string(name.text) + "' is not an array: write it without [...]");
      unknown(name, "array", all_names());
    }
    const Token& open = word();
    ++next_;
    const Token first = word();
    const long index = integer("the index of " + std::string(name.text));
    close(']', open);
    if (dry_) return zero_;
    if (index < array->first || index > array->last()) {
      fail(first, "index " + std::to_string(index) + " is out of the range of " +
                      range(name, *array) + where());
    }
    return array->values[static_cast<std::size_t>(index - array->first)];
  }

  bool is_loop(std::string_view name) const {
    for (const Loop& loop : loops_)
      if (loop.name == name) return true;
    return false;
  }

  void separator() {
    if (accept(',')) return;
    if (word().kind == ')') fail("sum takes 4 arguments: sum(i, first, last, expression)");
    unexpected("',' of sum(i, first, last, expression)");
  }

  Id sum(const Token& name) {
    const Token& open = word();
    ++next_;
    const Token& index = word();
    if (!accept('a')) fail("the first argument of sum must be a new name, as in sum(i, 1, 3, i^2)");
    if (scope_.has(index.text) || is_loop(index.text) || index.text == "pi" ||
        index.text == "sum" || find_function(index.text) != nullptr) {
      fail(index, "the index '" + std::string(index.text) +
                      "' of sum has a meaning already; choose another name");
    }
    separator();
    const long first = integer("the first index of sum");
    separator();
    const long last = integer("the last index of sum");
    separator();
    const long count = last < first ? 0 : last - first + 1;
    if (!dry_ && (terms_ += count) > max_sum_terms) {
      fail(name,
           "the sums of the expression have more than " + std::to_string(max_sum_terms) + " terms");
    }
    const Id total = sum_over(index.text, first, dry_ ? 0 : count);
    if (word().kind == ',') fail("sum takes 4 arguments: sum(i, first, last, expression)");
    close(')', open);
    return total;
  }

  Id sum_over(std::string_view index, long first, long count) {
    const std::size_t body = next_;
    const bool dry_before = dry_;
    dry_ = dry_ || count == 0;
    loops_.push_back({index, first});
    Id total = expression();
    for (long k = 1; k < count; ++k) {
      next_ = body;
      loops_.back().value = first + k;
      const Id value = expression();
      total = make(Op::add, total, value);
    }
    loops_.pop_back();
    dry_ = dry_before;
    return count == 0 ? zero_ : total;
  }

  Graph& graph_;
  const Scope& scope_;
  std::string_view text_;
  std::vector<Token> words_;
  Id zero_;
  std::size_t first_node_;
  std::size_t next_ = 0;
  std::vector<Loop> loops_;
  int depth_ = 0;
  long terms_ = 0;
  long atoms_ = 0;
  bool dry_ = false;  // read, but build nothing: the body of an empty sum
};

}  // namespace

Id parse(Graph& graph, const Scope& scope, std::string_view text) {
  return Parser(graph, scope, text).parse();
}

}  // namespace varia::expr
