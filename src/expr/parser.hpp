// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The parser: recursive descent over the words of the text, straight into the graph.
//
// Sums and products of any length are loops; only nesting recurses, up to max_nesting. The body of
// sum(i, a, b, ...) is read once per value of i; with no value it is read once without effect, so
// that its mistakes are found. A definition is read where it is used, once for the same arguments.
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "token.hpp"
#include "varia/expr/parse.hpp"

namespace varia::expr {

class Parser {
 public:
  Parser(Graph& graph, const Scope& scope, std::string_view text);

  Id parse();
  /// Reads the definition of this number without effect.
  void check(std::size_t definition);

 private:
  struct Loop {
    std::string_view name;
    long value;
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
    if (dry_) return zero_;
    try {
      return checked(graph_.make(op, operand...));
    } catch (const ParseError&) {
      throw;
    } catch (const InvalidArgument& error) {
      fail(error.what());
    }
  }

  // The grammar
  Id whole();
  Id expression();
  Id term();
  Id factor();
  Id power();
  Id atom();

  // Names
  Id named();
  const Id* argument(std::string_view name) const;
  const long* index(std::string_view name) const;
  bool is_known(std::string_view name) const;
  Id call(const Token& name);
  std::vector<Id> arguments(char bracket);
  void require_count(const Token& name, std::size_t found, std::size_t wanted,
                     const std::string& plural) const;
  std::vector<std::string> all_names() const;
  [[noreturn]] void unknown(const Token& name, const std::string& what,
                            const std::vector<std::string>& known) const;

  // Arrays and sums
  long integer(const std::string& what);
  std::string where() const;
  Id element(const Token& name);
  bool is_loop(std::string_view name) const;
  void separator();
  Id sum(const Token& name);
  Id sum_over(std::string_view index, long first, long count);

  // Definitions
  const std::size_t* definition(const Token& name) const;
  Id defined(const Token& name, std::size_t number);
  std::vector<Id> indices(const Definition& definition);
  Id expand(std::size_t number, std::vector<Id> given);
  Frame frame_of(std::size_t definition, const std::vector<Id>& given);

  Graph& graph_;
  const Scope& scope_;
  std::vector<Token> words_;
  Id zero_;
  std::size_t first_node_;
  Frame frame_;
  std::map<std::size_t, std::vector<Token>> words_of_;  ///< of definitions that were used
  std::map<std::pair<std::size_t, std::vector<Id>>, Id> expanded_;
  int depth_ = 0;
  long terms_ = 0;
  long atoms_ = 0;
  bool dry_ = false;  ///< read, but build nothing: the body of an empty sum
};

}  // namespace varia::expr
