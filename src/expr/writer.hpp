// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// From a graph to a formula on paper: what is a sum, a product, a power, a choice is found here; how they look is left to
// a target. A stack of what is still to be written takes the place of recursion.
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "varia/expr/graph.hpp"
#include "varia/expr/name_list.hpp"

namespace varia::expr {

/// How tightly a formula holds together: what needs parentheses where.
enum Level { condition_level, sum_level, product_level, sign_level, power_level, atom_level };

class FormulaWriter {
 public:
  FormulaWriter(const Graph& graph, const NameList& names) : graph_(graph), names_(names) {}
  virtual ~FormulaWriter() = default;
  FormulaWriter(const FormulaWriter&) = delete;
  FormulaWriter& operator=(const FormulaWriter&) = delete;

 protected:
  struct Piece {
    bool is_text;
    std::string text;
    Id id;
    Level level;
  };
  /// What is between the operands of a condition, and what is around a part of one.
  struct Words {
    const char *less, *less_equal, *equal, *unequal, *both, *either, *open_not, *is_true;
  };

  // Pieces are put in the reverse of the order in which they are read.
  void put(Id id, Level level) { open_.push_back({false, "", id, level}); }
  void put(std::string text) { open_.push_back({true, std::move(text), 0, atom_level}); }
  /// Writes pieces until there are none, or the target has enough.
  void write_pieces();

  // The target.
  virtual bool is_full() const = 0;
  virtual Level level_of(Id id) const = 0;
  virtual const char* parenthesis(bool opens) const = 0;
  virtual const Words& words() const = 0;
  virtual void power(Power p) = 0;
  virtual void number(double value) = 0;
  virtual void name(const std::string& text) = 0;
  virtual void negative(Id id) = 0;
  virtual void sum(Id id) = 0;
  virtual void product(Id id) = 0;
  virtual void general_power(const Node& n) = 0;
  virtual void call(Id id) = 0;
  virtual void choice(Id condition, Id value, std::optional<Id> other) = 0;

  // What a node is.
  bool is_written_as_power(Id id) const;
  bool is_choice(Id id) const;
  std::string name_of(int index) const;
  /// The name of a table with its derivatives, table'("file.csv"; empty if it is not there.
  std::string table_name(const Node& n) const;

  const Graph& graph_;
  std::string out_;

 private:
  void expand(Id id, Level needed);
  void operation(Id id);
  void condition(Id id);
  void negated(Id inside);
  void enclosed(Id id);
  void joined(Id a, const char* word, Id b);
  void relation(const Node& n, const char* sign);
  bool is_negation(Id id) const;
  bool are_opposite(Id c, Id d) const;
  bool is_plain_comparison(Id id) const;
  const char* sign_of(Op comparison) const;

  const NameList& names_;
  std::vector<Piece> open_;
};

}  // namespace varia::expr
