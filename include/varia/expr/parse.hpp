// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Text to expression.
//
//   expression = term { (+|-) term }          term   = factor { (*|/) factor }
//   factor     = { +|- } power                power  = part [ ^ factor ]
//   part       = atom { [expression, ...] | .name }
//   atom       = number | name | function(...) | (expression) | [expression, ...]
//              | sum(name, first, last, expression) | if(condition, expression, expression)
//              | table("file" [, "column"], expression)
//   condition  = conjunction { or conjunction }    conjunction = negation { and negation }
//   negation   = not negation | expression (< | <= | > | >= | == | !=) expression | (condition)
//
// A condition is true or false and no number: it may stand in if, in conditions, and as a definition.
// Names of definitions are written like those of other things: r, d[i], r[i, j], V(x).
// An expression is a number, or an array of numbers: a vector, a matrix (shape.hpp). Arrays are the parser's
// alone: what it makes of them are formulas of their entries.
// Products are written with *; ^ is right associative and binds tighter than a sign in front of it.
// An index is an integer-valued constant. A sum with last < first is 0. Blanks and newlines
// separate. Names may have letters of Unicode in UTF-8; they are compared byte by byte. Whatever the bytes,
// the answer is an expression or a ParseError.
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "varia/core/error.hpp"
#include "varia/expr/definition.hpp"
#include "varia/expr/graph.hpp"
#include "varia/expr/shape.hpp"

namespace varia::expr {

/// What is wrong with a text, and where. what() is the message, the line, and a caret below it.
struct ParseError : InvalidArgument {
  ParseError(const std::string& message_text, int line_number, int column_number,
             const std::string& marked)
      : InvalidArgument(message_text + "\n" + marked),
        message(message_text),
        line(line_number),
        column(column_number),
        caret(marked) {}
  /// The same error, met where the definition is used.
  ParseError(const ParseError& error, const Definition& definition);

  std::string message;  ///< without the line
  int line,
      column;  ///< from 1, in characters, inside the text of the expression, or of the definition
  std::string caret;  ///< the line (its neighbourhood, if long), and below it a caret
  /// The definition whose text is wrong, then that which uses it, and so on; empty: the text itself.
  std::vector<Definition> definitions;

  std::string where() const;  ///< "in the definition of r, used by V", or nothing
};

/// The limits of one expression; beyond them a ParseError.
inline constexpr std::size_t max_text = 1'000'000;         // bytes
inline constexpr std::size_t max_parse_nodes = 2'000'000;  // new nodes
inline constexpr int max_nesting = 400;
inline constexpr long max_sum_terms = 1'000'000;  // of all sums of the text together

/// The operand of Op::table for a column of a file, the second one where none is named; throws
/// InvalidArgument.
using TableReader = std::function<double(const std::string& file, const std::string& column)>;

/// The names an expression may use. Names are case-sensitive and given once.
class Scope {
 public:
  /// name[first], name[first + 1], ...: numbers, or arrays themselves.
  struct Array {
    Array(int first_index, std::vector<Id> numbers, Shape of_each = {}, bool moves = false)
        : first(first_index),
          values(std::move(numbers)),
          inner(std::move(of_each)),
          motion(moves) {}
    int last() const { return first + static_cast<int>(values.size() / entries_of(inner)) - 1; }
    Shape shape() const;

    int first;
    std::vector<Id> values;  ///< row by row
    Shape inner;             ///< of what one index gives; empty: a number
    bool motion;             ///< rows of a rotation, each with an entry of a position behind it
  };

  /// A coordinate, a velocity, a parameter. All three throw InvalidArgument for a name that is not
  /// a name (letter or _, then letters, digits, _), is given already, or belongs to the language.
  void add(const std::string& name, Id value);
  /// name[first], name[first + 1], ...; without an index the name is the vector of them.
  void add_array(const std::string& name, int first, std::vector<Id> values);
  /// An array with several indices, a matrix, a motion.
  void add_array(const std::string& name, Array array);
  /// An integer, also usable as a number.
  void add_index(const std::string& name, long value);
  /// Another value for an index that there is.
  void set_index(const std::string& name, long value);

  /// A definition; those before it may be used in it, and it in those behind. Its arguments may not
  /// have the name of another thing.
  void add(const Definition& definition);

  /// A name that means nothing here, and what is told to those who use it.
  void add_absent(const std::string& name, std::string why);

  /// How table(...) finds its numbers; without a reader there are no tables.
  void set_tables(TableReader reader);
  const TableReader& tables() const { return tables_; }

  const Id* scalar(std::string_view name) const;           ///< null if there is none
  const Array* array(std::string_view name) const;         ///< null if there is none
  const long* index(std::string_view name) const;          ///< null if there is none
  const std::string* absent(std::string_view name) const;  ///< why; null if there is none
  const std::vector<Definition>& definitions() const { return definitions_; }
  /// Its number among the definitions; null if there is none.
  const std::size_t* definition(std::string_view name) const;
  bool has(std::string_view name) const {
    return scalar(name) || array(name) || index(name) || definition(name);
  }
  /// All names in order; of an array or a definition just the name.
  std::vector<std::string> names() const;

 private:
  void check(const std::string& name) const;

  std::map<std::string, Id, std::less<>> scalars_;
  std::map<std::string, Array, std::less<>> arrays_;
  std::map<std::string, long, std::less<>> indices_;
  std::map<std::string, std::string, std::less<>> absent_;
  std::vector<Definition> definitions_;
  std::map<std::string, std::size_t, std::less<>> definition_numbers_;
  TableReader tables_;
};

/// The functions and words of the language: names that nothing else can have.
const std::vector<std::string>& reserved_names();
/// A letter or _, then letters, digits and _; letters of any alphabet.
bool is_name(std::string_view text);

/// A number.
Id parse(Graph& graph, const Scope& scope, std::string_view text);

/// A number or an array of numbers.
Array parse_array(Graph& graph, const Scope& scope, std::string_view text);
/// An array of this shape, whatever its indices begin with; the number 0 stands for one of zeros.
std::vector<Id> parse_entries(Graph& graph, const Scope& scope, std::string_view text,
                              const Shape& shape);

/// Throws ParseError for a mistake in a definition, whether it is used or not. Mistakes that depend on
/// indices and arguments, such as an index out of range, are found where it is used.
void check_definitions(Graph& graph, const Scope& scope);

}  // namespace varia::expr
