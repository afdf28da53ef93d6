// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <numbers>

#include "functions.hpp"
#include "parser.hpp"
#include "varia/core/error.hpp"
#include "varia/core/nearest.hpp"

namespace varia::expr {
namespace {

bool is_pi(std::string_view name) { return name == "pi" || name == "π"; }

bool is_word(std::string_view name) {
  return std::find(other_words.begin(), other_words.end(), name) != other_words.end();
}

std::string quoted(std::string_view name) { return "'" + std::string(name) + "'"; }

}  // namespace

// Names

Parser::Value Parser::named() {
  const Token& name = word();
  ++frame_.next;
  if (word().kind == '(') return call(name);
  if (word().kind == '[') return element(name);
  for (const Loop& loop : frame_.loops)
    if (loop.name == name.text)
      return {loop.symbol != nullptr ? *loop.symbol : number(static_cast<double>(loop.value))};
  if (const Value* value = argument(name.text)) return *value;
  if (const Id* value = scope_.scalar(name.text)) return {*value};
  if (const long* value = index(name.text)) return {number(static_cast<double>(*value))};
  if (is_pi(name.text)) return {number(std::numbers::pi)};
  if (const std::size_t* number = definition(name)) return defined(name, *number);
  if (const Scope::Array* array = scope_.array(name.text)) return whole_array(name, *array);
  if (find_function(name.text) != nullptr)
    fail(name, quoted(name.text) + " is a function: its arguments in parentheses are missing");
  if (is_word(name.text))
    fail(name, quoted(name.text) + " joins conditions, as in x < 0 and y < 0");
  unknown(name, "name", all_names());
}

/// The index of the caller is not seen by the definitions he uses.
const long* Parser::index(std::string_view name) const {
  return frame_.of_definition ? nullptr : scope_.index(name);
}

bool Parser::is_known(std::string_view name) const {
  return scope_.scalar(name) != nullptr || scope_.array(name) != nullptr ||
         index(name) != nullptr || scope_.definition(name) != nullptr ||
         argument(name) != nullptr || is_loop(name) || is_word(name);
}

std::vector<std::string> Parser::all_names() const {
  std::vector<std::string> names;
  for (std::string& name : scope_.names()) {
    const std::size_t* const number = scope_.definition(name);
    const bool hidden = number != nullptr ? *number >= frame_.definitions
                                          : scope_.index(name) != nullptr && frame_.of_definition;
    if (!hidden) names.push_back(std::move(name));
  }
  for (const auto& given : frame_.given) names.emplace_back(given.first);
  for (const Loop& loop : frame_.loops) names.emplace_back(loop.name);
  names.emplace_back("pi");
  return names;
}

void Parser::unknown(const Token& name, const std::string& what,
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

// Functions

/// What stands between ( and ).
std::vector<Parser::Argument> Parser::arguments() {
  const Token& open = word();
  ++frame_.next;
  std::vector<Argument> given;
  if (word().kind != ')') {
    do {
      const Token& first = word();
      given.push_back({value(), &first});
    } while (accept(','));
  }
  close(')', open);
  return given;
}

void Parser::require_count(const Token& name, std::size_t found, std::size_t wanted,
                           const std::string& plural) const {
  if (found == wanted) return;
  const std::string singular = plural == "indices" ? "index" : "argument";
  fail(name, std::string(name.text) + " takes " + std::to_string(wanted) + " " +
                 (wanted == 1 ? singular : plural) + ", found " + std::to_string(found));
}

Parser::Value Parser::choice() {
  const Token& name = (*frame_.words)[frame_.next - 1];
  const Token& open = word();
  ++frame_.next;
  const char* const use = "if takes 3 arguments: if(condition, value, other value)";
  const auto separator = [&] {
    if (word().kind == ')') fail(use);
    if (!accept(',')) unexpected("',' of if(condition, value, other value)");
  };
  const Token& first = word();
  const Id holds = truth_of(condition(), first);
  separator();
  const Value one = value();
  separator();
  const Value other = value();
  if (word().kind == ',') fail(use);
  close(')', open);
  return chosen(holds, one, other, name);
}

Id Parser::table() {
  const Token& open = word();
  ++frame_.next;
  const Token& file = word();
  if (!accept('"')) fail("the first argument of table is the name of a file in quotes");
  if (word().kind == ')')
    fail(
        "table takes 2 or 3 arguments: table(\"file.csv\", x), or table(\"file.csv\", \"column\", "
        "x)");
  if (!accept(',')) unexpected("',' of table(\"file.csv\", x)");
  std::string column;
  if (word().kind == '"') {
    column = word().text;
    ++frame_.next;
    if (!accept(',')) unexpected("',' of table(\"file.csv\", \"column\", x)");
  }
  const Id x = expression();
  close(')', open);
  if (!scope_.tables()) fail(file, "there are no tables here");
  try {
    const double code = scope_.tables()(std::string(file.text), column);
    return make(Op::table, x, number(code));
  } catch (const ParseError&) {
    throw;
  } catch (const InvalidArgument& error) {
    fail(file, error.what());
  }
}

Parser::Value Parser::call(const Token& name) {
  if (argument(name.text) == nullptr)
    if (const std::size_t* number = definition(name)) return defined(name, *number);
  const Function* function = find_function(name.text);
  if (function == nullptr) {
    if (is_known(name.text)) {
      fail(name, quoted(name.text) + " is not a function; products are written with *, as in " +
                     std::string(name.text) + "*(...)");
    }
    std::vector<std::string> names;
    names.reserve(functions.size() + frame_.definitions);
    for (const Function& f : functions) names.emplace_back(f.name);
    for (std::size_t k = 0; k < frame_.definitions; ++k)
      if (scope_.definitions()[k].bracket == '(') names.push_back(scope_.definitions()[k].name);
    unknown(name, "function", names);
  }
  if (name.text == "sum") return sum(name);
  if (name.text == "if") return choice();
  if (name.text == "table") return {table()};
  const std::vector<Argument> given = arguments();
  require_count(name, given.size(), static_cast<std::size_t>(function->count), "arguments");
  if (function->make == nullptr) return vector_call(name, given);
  std::vector<Id> values;
  values.reserve(given.size());
  for (const Argument& one : given) values.push_back(number_of(one.value, *one.first));
  return {build([&] { return function->make(graph_, values.data()); })};
}

// Arrays and sums

/// An integer-valued constant expression, or one of the indices of loops.
Id Parser::index_of(const std::string& what) {
  const Token first = word();
  const Id id = expression();
  if (dry_) return zero_;
  if (loops_ != nullptr && !graph_.is_constant(id)) {
    loops_->range(id);
    return id;
  }
  return number(static_cast<double>(whole_number(first, id, what)));
}

long Parser::whole_number(const Token& first, Id id, const std::string& what) const {
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

std::string Parser::where() const {  // "with i = 3, j = 4"
  std::string text;
  for (const auto& given : frame_.given)
    if (given.second.is_number() && graph_.is_constant(given.second.id))
      text += (text.empty() ? " (with " : ", ") + std::string(given.first) + " = " +
              to_text(graph_[given.second.id].value);
  for (const Loop& loop : frame_.loops) {
    if (loop.symbol != nullptr) continue;
    text += (text.empty() ? " (with " : ", ") + std::string(loop.name) + " = " +
            std::to_string(loop.value);
  }
  return text.empty() ? text : text + ")";
}

Parser::Value Parser::element(const Token& name) {
  if (const Value* value = argument(name.text)) {
    if (value->is_number()) fail(name, quoted(name.text) + " is a number: write it without [...]");
    return *value;  // its index is read as a part of it
  }
  if (const std::size_t* number = definition(name)) return defined(name, *number);
  const Scope::Array* array = scope_.array(name.text);
  if (array == nullptr) {
    if (is_known(name.text))
      fail(name, quoted(name.text) + " is not an array: write it without [...]");
    unknown(name, "array", all_names());
  }
  return indexed(std::string(name.text), array->shape(), array->values, array->motion);
}

/// An array without an index: a vector, a matrix.
Parser::Value Parser::whole_array(const Token& name, const Scope::Array& array) {
  constexpr std::size_t most_indices = 2;
  Value whole = this->array(array.shape(), array.values);
  whole.motion = array.motion;
  whole.name = &name;
  if (whole.shape.size() > most_indices) refuse_array(whole, name);
  atoms_ += static_cast<long>(array.values.size());
  return whole;
}

bool Parser::is_loop(std::string_view name) const {
  for (const Loop& loop : frame_.loops)
    if (loop.name == name) return true;
  return false;
}

void Parser::separator() {
  if (accept(',')) return;
  if (word().kind == ')') fail("sum takes 4 arguments: sum(i, first, last, expression)");
  unexpected("',' of sum(i, first, last, expression)");
}

Parser::Value Parser::sum(const Token& name) {
  const Token& open = word();
  ++frame_.next;
  const Token& index = word();
  if (!accept('a')) fail("the first argument of sum must be a new name, as in sum(i, 1, 3, i^2)");
  if (is_known(index.text) || find_function(index.text) != nullptr) {
    fail(index, "the index '" + std::string(index.text) +
                    "' of sum has a meaning already; choose another name");
  }
  separator();
  const Id from = index_of("the first index of sum");
  separator();
  const Id to = index_of("the last index of sum");
  separator();
  const auto limit = [&](Id id) { return static_cast<long>(graph_[id].value); };
  const bool constant = graph_.is_constant(from) && graph_.is_constant(to);
  const long first = constant ? limit(from) : 0;
  const long last = constant ? limit(to) : 0;
  const long count = last < first ? 0 : last - first + 1;
  if (loops_ != nullptr && !dry_ && (!constant || count >= Loops::fewest_turns)) {
    Value total = loop_over(index.text, from, to);
    close(')', open);
    return total;
  }
  if (!dry_ && (terms_ += count) > max_sum_terms) {
    fail(name,
         "the sums of the expression have more than " + std::to_string(max_sum_terms) + " terms");
  }
  Value total = sum_over(index.text, first, dry_ ? 0 : count);
  if (word().kind == ',') fail("sum takes 4 arguments: sum(i, first, last, expression)");
  close(')', open);
  return total;
}

Parser::Value Parser::sum_over(std::string_view index, long first, long count) {
  const std::size_t body = frame_.next;
  const bool dry_before = dry_;
  dry_ = dry_ || count == 0;
  frame_.loops.push_back({index, first});
  const Token& sign = word();
  Value total = value();
  for (long k = 1; k < count; ++k) {
    frame_.next = body;
    frame_.loops.back().value = first + k;
    total = added(Op::add, total, value(), sign);
  }
  frame_.loops.pop_back();
  dry_ = dry_before;
  if (count > 0) return total;
  total.id = zero_;  // no terms: an array of zeros, if they were arrays
  std::fill(total.entries.begin(), total.entries.end(), zero_);
  return total;
}

Parser::Value Parser::loop_over(std::string_view index, Id first, Id last) {
  const Id symbol = loops_->open(std::string(index), first, last);
  frame_.loops.push_back({index, 0, &symbol});
  const Value body = value();
  frame_.loops.pop_back();
  if (!body.is_number()) throw UnrolledOnly("no loop: a sum of vectors");
  return {loops_->close(body.id)};
}

}  // namespace varia::expr
