// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The names of a model and the variables of the graph that they stand for.
#include <optional>
#include <string>
#include <vector>

#include "varia/expr/parse.hpp"
#include "varia/io/scenario.hpp"
#include "varia/space/product_space.hpp"

namespace varia::io {

/// The numbering of a model: variables of the graph are t, entries of q, v, p, then helpers.
struct Layout {
  /// A coordinate of a scenario: one point of a space, or an array of them.
  struct Block {
    bool curved() const { return factor->curved() != nullptr; }
    int entries() const { return count * factor->entries(); }
    int dof() const { return count * factor->dof(); }
    const Notation& notation() const { return factor->notation(); }
    /// What is appended to the names of the k-th point: nothing, [3], or [2][5].
    std::string index(int k) const {
      return expr::index_text(indices, static_cast<std::size_t>(k));
    }
    std::string point(int k) const { return name + index(k); }  ///< its name: R, or R[3]

    std::string name;
    FactorPtr factor;
    bool array;
    int first, count;     ///< index of the first point, number of points
    int entry;            ///< where its entries begin
    int degree;           ///< where its degrees of freedom begin
    expr::Shape indices;  ///< of an array
  };

  /// The variables of the k-th point of a block, or of its velocity or momentum: what is held.
  Formulas point(expr::Graph& graph, const Block& block, int k) const;
  Formulas velocity(expr::Graph& graph, const Block& block, int k) const;
  Formulas momentum(expr::Graph& graph, const Block& block, int k) const;

  int entry_variable(int i) const { return 1 + i; }
  int velocity_variable(int i) const { return 1 + entries + i; }
  int momentum_variable(int i) const { return 1 + entries + n + i; }
  /// Behind all that formulas of a scenario may contain.
  int helper_variable(int i) const { return 1 + entries + 2 * n + i; }

  std::vector<Block> blocks;
  int n = 0, entries = 0;
};

Retraction retraction_of(const Run& run);
Layout make_layout(const System& system, Retraction tau);
ProductSpace space_of(const Layout& layout);
/// Of the variables: t, entries, velocities, momenta.
expr::NameList held_names(const Layout& layout);
void add_entries(const Layout& layout, expr::Graph& graph, expr::Scope& scope);
/// The names of entries and spatial momenta of points that are left out: what is told about them.
void add_left_out(const System& system, expr::Scope& scope);
void add_rates(const Layout& layout, expr::Graph& graph, expr::Scope& scope, bool momenta);
/// For each point of a block numbers with these names, and vectors of all of them.
void add_vectors(const Layout::Block& block, const std::vector<std::string>& names,
                 const std::vector<std::string>& vectors, const std::vector<Formulas>& points,
                 expr::Scope& scope);
/// Momenta in the frame of space.
void add_spatial(const Layout& layout, expr::Graph& graph, expr::Scope& scope);

/// A scope in which i, and j, are the indices of the entry that is read; without them for what has none.
class EntryScope {
 public:
  explicit EntryScope(const expr::Scope& scope);
  const expr::Scope& at(long index, bool indexed, const std::optional<long>& second = {});

 private:
  const expr::Scope& plain_;
  expr::Scope indexed_;
  std::optional<expr::Scope> twice_;
  bool taken_;  ///< i is something else
};

/// The formulas of components, some of which share a text that is an array.
class ComponentFormulas {
 public:
  ComponentFormulas(const std::string& file, expr::Graph& graph, const expr::Scope& scope)
      : file_(file), graph_(graph), scope_(scope) {}
  expr::Id of(const Component& component);
  /// The graph is another one.
  void forget() { entries_.clear(); }

 private:
  const std::string& file_;  ///< its text
  expr::Graph& graph_;
  EntryScope scope_;
  Component last_;  ///< whose text was an array
  std::vector<expr::Id> entries_;
};

/// The numbers of components, computed beside the formulas of a model, so that these stay few.
class ComponentNumbers {
 public:
  /// `begin`: the graph of the names.
  ComponentNumbers(const std::string& file, const expr::Graph& begin, const expr::Scope& scope)
      : begin_(begin), graph_(begin), formulas_(file, graph_, scope) {}
  double of(const Component& component);

 private:
  const expr::Graph& begin_;
  expr::Graph graph_;
  ComponentFormulas formulas_;
};

}  // namespace varia::io
