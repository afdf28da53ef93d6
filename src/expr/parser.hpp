// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The parser: recursive descent over the words of the text, straight into the graph.
//
// Sums and products of any length are loops; only nesting recurses, up to max_nesting. The body of
// sum(i, a, b, ...) is read once per value of i; with no value it is read once without effect, so
// that its mistakes are found. With `loops` a long sum is read once, its index being a variable. A
// definition is read where it is used, once for the same arguments. Vectors and matrices are values of
// the parser, of which the graph has the entries (parse_vectors.cpp).
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "token.hpp"
#include "varia/expr/loops.hpp"
#include "varia/expr/parse.hpp"

namespace varia::expr {

class Parser {
 public:
  Parser(Graph& graph, const Scope& scope, std::string_view text, Loops* loops = nullptr);

  Id parse();
  Array parse_array();
  /// Reads the definition of this number without effect.
  void check(std::size_t definition);

 private:
  struct Loop {
    std::string_view name;
    long value;
    const Id* symbol = nullptr;  ///< the index as a variable
  };

  /// What was read: a number; true or false, as 1 or 0; or an array of numbers.
  struct Value {
    bool is_number() const { return shape.empty() && truth == nullptr && !any; }

    Id id = 0;                     ///< of a number
    const Token* truth = nullptr;  ///< the word that makes it true or false
    Shape shape = {};              ///< of an array
    std::vector<Id> entries = {};  ///< of an array, row by row
    bool motion = false;           ///< a matrix of a rotation, with a position as its last column
    bool any = false;              ///< an argument of a definition that is only checked
    const Token* name = nullptr;   ///< of a whole array, as it is written
  };

  /// The text that is read: that of the caller, or of a definition he uses.
  struct Frame {
    std::string_view text;
    const std::vector<Token>* words;
    std::size_t definitions;                                ///< that may be used: so many
    std::vector<std::pair<std::string_view, Value>> given;  ///< the arguments of a definition
    bool of_definition = false;
    std::size_t next = 0;
    std::vector<Loop> loops = {};
  };

  // Words
  const Token& word() const { return (*frame_.words)[frame_.next]; }
  bool accept(char kind);
  [[noreturn]] void fail(const std::string& message) const;
  [[noreturn]] void fail(const Token& at, const std::string& message) const;
  [[noreturn]] void unexpected(const std::string& wanted) const;
  void close(char bracket, const Token& open);
  void enter();

  // Building
  Id checked(Id id) const;
  Id number(double value) const;
  template <class... Operands> Id make(Op op, Operands... operand) const {
    return build([&] { return graph_.make(op, operand...); });
  }
  template <class Build> Id build(const Build& node) const {
    if (dry_) return zero_;
    try {
      return checked(node());
    } catch (const ParseError&) {
      throw;
    } catch (const InvalidArgument& error) {
      fail(error.what());
    }
  }

  // The grammar
  Value whole();
  Id expression();
  Value value();
  Value condition();
  Value conjunction();
  Value inverse();
  Id negation(Id condition);
  Value comparison();
  Value sum_of_terms();
  Value term();
  Value factor();
  Value power();
  Value part();
  Value atom();
  bool accept_word(std::string_view text);
  const Value& no_truth(const Value& value) const;
  Id number_of(const Value& value, const Token& first) const;
  Id truth_of(const Value& value, const Token& first) const;
  Value choice();
  Id table();

  // Names
  Value named();
  const Value* argument(std::string_view name) const;
  const long* index(std::string_view name) const;
  bool is_known(std::string_view name) const;
  Value call(const Token& name);
  /// A value and the first word of its expression.
  struct Argument {
    Value value;
    const Token* first;
  };
  std::vector<Argument> arguments();
  void require_count(const Token& name, std::size_t found, std::size_t wanted,
                     const std::string& plural) const;
  std::vector<std::string> all_names() const;
  [[noreturn]] void unknown(const Token& name, const std::string& what,
                            const std::vector<std::string>& known) const;

  // Arrays and sums
  Id index_of(const std::string& what);
  long whole_number(const Token& first, Id id, const std::string& what) const;
  Value symbolic_element(const std::string& name, const Token& first, const Shape& shape,
                         const std::vector<Id>& entries, Id index) const;
  std::string where() const;
  Value element(const Token& name);
  Value whole_array(const Token& name, const Scope::Array& array);
  bool is_loop(std::string_view name) const;
  void separator();
  Value sum(const Token& name);
  Value sum_over(std::string_view index, long first, long count);
  Value loop_over(std::string_view index, Id first, Id last);

  // Vectors and matrices
  static Value any_value();
  Value array(Shape shape, std::vector<Id> entries) const;
  template <class Entry> Value each(const Value& of, const Entry& entry) const;
  Value list();
  Value indexed(const std::string& name, const Value& of);
  Value indexed(const std::string& name, const Shape& shape, const std::vector<Id>& entries,
                bool motion);
  std::size_t narrowed(const std::string& name, const Shape& shape, std::size_t depth,
                       const Token& first, Id place) const;
  Value component(const Value& of);
  Value part_of_motion(const Value& of, const Token& name) const;
  Value added(Op op, const Value& a, const Value& b, const Token& sign) const;
  Value multiplied(const Value& a, const Value& b, const Token& sign) const;
  Value matrix_product(const Value& a, const Value& b, const Token& sign) const;
  Value moved(const Value& motion, const Value& point, const Token& sign) const;
  Value divided(const Value& a, const Value& b, const Token& sign, const Token& second) const;
  Value negated(const Value& a) const;
  Value chosen(Id condition, const Value& a, const Value& b, const Token& name) const;
  Id dot(const std::vector<Id>& a, const std::vector<Id>& b) const;
  Value vector_call(const Token& name, const std::vector<Argument>& given) const;
  Value cross(const Token& name, const std::vector<Argument>& given) const;
  static std::string kind(const Value& value);
  [[noreturn]] void refuse_index(const std::string& name, const Shape& shape) const;
  [[noreturn]] void refuse_sum(const Value& a, const Value& b, const Token& sign) const;
  [[noreturn]] void refuse_array(const Value& value, const Token& first) const;

  // Definitions
  const std::size_t* definition(const Token& name) const;
  Value defined(const Token& name, std::size_t number);
  std::vector<Value> indices(const Definition& definition);
  Value expand(const Token& name, std::size_t number, const std::vector<Value>& given);
  std::vector<Id> key_of(std::size_t definition, const std::vector<Value>& given) const;
  Frame frame_of(std::size_t definition, const std::vector<Value>& given);

  Graph& graph_;
  const Scope& scope_;
  Loops* loops_;
  std::vector<Token> words_;
  Id zero_;
  std::size_t first_node_;
  Frame frame_;
  std::map<std::size_t, std::vector<Token>> words_of_;  ///< of definitions that were used
  std::map<std::vector<Id>, Value> expanded_;           ///< of definitions and their arguments
  int depth_ = 0;
  long terms_ = 0;
  long atoms_ = 0;
  bool dry_ = false;  ///< read, but build nothing: the body of an empty sum
};

}  // namespace varia::expr
