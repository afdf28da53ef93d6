// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Sums that stay loops: their body is read once, with the index as a variable.
//
// While a text is read, the index i of a long sum is a variable of the graph, an entry q[2*i+1] of an array
// is one, and so is the sum. What a text means is then an expression of few nodes, however many terms its
// sums have. families() takes it apart into sums of bodies over sets of indices. What does not fit, such as
// an index that is not a + b i, or a function of a sum, is an UnrolledOnly: the text is read term by term then.
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "varia/core/error.hpp"
#include "varia/expr/graph.hpp"
#include "varia/expr/index_set.hpp"
#include "varia/expr/parse.hpp"

namespace varia::expr {

/// This cannot be kept as loops.
struct UnrolledOnly : Error {
  using Error::Error;
};

/// constant + Σ factor · index, for the loops with these numbers, in order.
struct Affine {
  long constant = 0;
  std::vector<std::pair<int, long>> factors = {};

  bool operator==(const Affine&) const = default;
};

/// A variable of a body, and what it stands for.
struct LoopVariable {
  int variable;  ///< of the graph
  LoopSlot slot;
  std::string
      name;  ///< of the array, or of the index; empty for variables that are not of the loop
  LoopPlace index = {};  ///< of an entry of an array
};

/// The sum of a body over an index set.
struct Family {
  IndexSet set;
  Id body;
  std::vector<LoopVariable> variables;  ///< that the body depends on
  std::vector<std::string> names;       ///< of its indices, the outer one first
};

/// What a sum of families is: they, and the rest.
struct FamilySum {
  Id rest;
  std::vector<Family> families;
};

class Loops {
 public:
  /// Variables from here on belong to loops.
  static constexpr int first_variable = 1 << 23;
  /// Shorter sums with constant limits are read term by term.
  static constexpr long fewest_turns = 16;

  explicit Loops(Graph& graph) : graph_(graph) {}

  // For the parser

  /// A loop inside of those that are open; the index.
  Id open(const std::string& name, Id first, Id last);
  /// Ends the loop that was opened last. The sum over the body.
  Id close(Id body);
  /// The least and the greatest value over all turns of the open loops; UnrolledOnly if it is not affine.
  std::pair<long, long> range(Id index) const;
  /// The entry with this index of an array of numbers, which begins with `first`.
  Id entry(const std::string& name, int first, const std::vector<Id>& values, Id index);

  // For those who ask

  /// Whether the expression has sums that are loops.
  bool has_sums(Id f) const;
  /// The sums an expression consists of, if it is linear in them.
  FamilySum families(Id f) const;
  /// The sums that are variables of the expressions; they are to be replaced by these values.
  std::vector<std::pair<int, std::vector<Family>>> sums(const std::vector<Id>& f) const;

 private:
  enum class Kind { index, entry, number, sum };
  struct Symbol {
    Kind kind;
    int loop;      ///< of an index or a sum
    Affine place;  ///< of an entry: the variable; of a number: its place in the list
    std::shared_ptr<const std::vector<double>> numbers = nullptr;
    Id body = 0;  ///< of a sum
    std::string name = {};
    Affine index = {};  ///< of an entry
  };
  struct Loop {
    std::string name;
    Affine first, last;
  };
  /// Where the entries of an array are: variables at a constant distance, or numbers.
  struct Layout {
    long start = 0, step = 0;
    std::shared_ptr<const std::vector<double>> numbers;
  };

  Id add(Symbol symbol);
  const Symbol* symbol(int variable) const;
  Affine affine(Id index) const;
  Layout layout(const std::vector<Id>& values) const;
  std::pair<long, long> range(const Affine& place, const std::vector<int>& nest) const;
  IndexSet set_of(const std::vector<int>& nest) const;
  LoopPlace place_of(const Affine& place, const std::vector<int>& nest) const;
  LoopVariable variable_of(int variable, const std::vector<int>& nest) const;
  Family family(Id body, const std::vector<int>& nest) const;
  bool depends(const Symbol& sum, int loop) const;
  void split(Id f, const std::vector<int>& nest, FamilySum& result) const;
  std::vector<int> sum_variables(Id f) const;

  Graph& graph_;
  std::vector<Symbol> symbols_;
  std::vector<Loop> loops_;
  std::vector<int> open_;
};

/// The text, with its long sums as variables of `loops`. Throws UnrolledOnly beside the errors of parse.
Array parse_array(Graph& graph, const Scope& scope, std::string_view text, Loops& loops);

}  // namespace varia::expr
