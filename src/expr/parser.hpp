// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The parser: recursive descent over the words of the text, straight into the graph.
//
// Sums and products of any length are loops; only nesting recurses, up to max_nesting. The body of
// sum(i, a, b, ...) is read once per value of i; with no value it is read once without effect, so
// that its mistakes are found. With `loops` a long sum is read once, its index being a variable. A definition is read where it is used, once for the same arguments.
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
  /// Reads the definition of this number without effect.
  void check(std::size_t definition);

 private:
  struct Loop {
    std::string_view name;
    long value;
    const Id* symbol = nullptr;  ///< the index as a variable
  };

  /// The text that is read: that of the caller, or of a definition he uses.
  struct Frame {
    std::string_view text;
    const std::vector<Token>* words;
    std::size_t definitions;                             ///< that may be used: so many
    std::vector<std::pair<std::string_view, Id>> given;  ///< the arguments of a definition
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

  /// What was read: a number, or true or false as 1 or 0.
  struct Value {
    Id id;
    const Token* truth = nullptr;  ///< the word that makes it true or false
  };

  // The grammar
  Value whole();
  Id expression();
  Value condition();
  Value conjunction();
  Value inverse();
  Id negation(Id condition);
  Value comparison();
  Value sum_of_terms();
  Value term();
  Value factor();
  Value power();
  Value atom();
  bool accept_word(std::string_view text);
  Id number_of(const Value& value) const;
  Id truth_of(const Value& value, const Token& first) const;
  Id choice();
  Id table();

  // Names
  Value named();
  const Id* argument(std::string_view name) const;
  const long* index(std::string_view name) const;
  bool is_known(std::string_view name) const;
  Value call(const Token& name);
  std::vector<Id> arguments(char bracket);
  void require_count(const Token& name, std::size_t found, std::size_t wanted,
                     const std::string& plural) const;
  std::vector<std::string> all_names() const;
  [[noreturn]] void unknown(const Token& name, const std::string& what,
                            const std::vector<std::string>& known) const;

  // Arrays and sums
  Id index_of(const std::string& what);
  long whole_number(const Token& first, Id id, const std::string& what) const;
  Value symbolic_element(const Token& name, const Token& first, const Scope::Array& array,
                         Id index);
  std::string where() const;
  Value element(const Token& name);
  bool is_loop(std::string_view name) const;
  void separator();
  Id sum(const Token& name);
  Id sum_over(std::string_view index, long first, long count);
  Id loop_over(std::string_view index, Id first, Id last);

  // Definitions
  const std::size_t* definition(const Token& name) const;
  Value defined(const Token& name, std::size_t number);
  std::vector<Id> indices(const Definition& definition);
  Value expand(const Token& name, std::size_t number, std::vector<Id> given);
  bool is_condition(std::size_t definition);
  Frame frame_of(std::size_t definition, const std::vector<Id>& given);

  Graph& graph_;
  const Scope& scope_;
  Loops* loops_;
  std::vector<Token> words_;
  Id zero_;
  std::size_t first_node_;
  Frame frame_;
  std::map<std::size_t, std::vector<Token>> words_of_;  ///< of definitions that were used
  /// Of definitions; whether they are true or false.
  std::map<std::pair<std::size_t, std::vector<Id>>, std::pair<Id, bool>> expanded_;
  std::map<std::size_t, bool> conditions_;  ///< definitions that were checked
  int depth_ = 0;
  long terms_ = 0;
  long atoms_ = 0;
  bool dry_ = false;  ///< read, but build nothing: the body of an empty sum
};

}  // namespace varia::expr
