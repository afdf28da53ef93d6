// SPDX-License-Identifier: BSD-3-Clause
#include "varia/mechanics/looped_system.hpp"

#include <algorithm>

#include "formulas.hpp"
#include "varia/core/index.hpp"
#include "varia/expr/kink.hpp"

namespace varia {
namespace {

using detail::sz;
using expr::Id;
using expr::IndexSet;
using expr::LoopOutput;
using expr::LoopPlace;
using expr::LoopSlot;
using expr::UnrolledOnly;

/// work(i, j) for all turns.
template <class Work> void for_turns(const IndexSet& set, const Work& work) {
  for (long i = set.first; i <= set.last; ++i)
    for (long j = set.inner_first(i); j <= set.inner_last(i); ++j) work(i, j);
}

LoopPlace difference(const LoopPlace& a, const LoopPlace& b) {
  return {a.start - b.start, a.by_outer - b.by_outer, a.by_inner - b.by_inner};
}

/// The same place, but for a constant.
LoopPlace shifted(LoopPlace place, long by) {
  place.start += by;
  return place;
}

class LoopedSystemBuilder {
 public:
  LoopedSystemBuilder(expr::Graph& graph, const ProductSpace& space) : g_(graph) {
    result_.system = std::make_shared<KernelSystem>(space);
  }

  LoopedSystem build(const expr::FamilySum& lagrangian) {
    add_rest(lagrangian.rest);
    for (const expr::Family& family : lagrangian.families) add(family);
    KernelSystem& f = *result_.system;
    f.value = kernel(1 + 2 * f.n, 1,
                     [](const LoopedBody& body, Results& r) { r.add(body.family.body, {}); });
    f.gradient = kernel(1 + 2 * f.n, 2 * f.n,
                        [&](const LoopedBody& body, Results& r) { add_gradient(body, r); });
    f.potential_gradient = kernel(1 + f.n, f.n, [&](const LoopedBody& body, Results& r) {
      for (std::size_t k = 0; k < body.motion.size(); ++k)
        if (!is_velocity(body, k)) r.add(g_.neg(body.gradient[k]), row(body, k));
    });
    set_second();
    set_mass();
    f.free = static_cast<int>(g_.parameters().size());
    if (f.uses_time || f.free > 0) set_rates();
    f.separable = true;
    return std::move(result_);
  }

 private:
  /// What the turns of a body add to the outputs of a kernel.
  struct Results {
    const expr::Graph& graph;
    std::vector<Id> formulas;
    std::vector<LoopOutput> places;

    void add_output(Id formula, LoopOutput place) {
      if (graph.is_constant(formula, 0.0)) return;
      formulas.push_back(formula);
      places.push_back(std::move(place));
    }
    void add(Id formula, const LoopPlace& place) { add_output(formula, {place, nullptr}); }
  };

  int n() const { return result_.system->n; }

  // Bodies

  /// What is in no sum is a loop of one turn.
  void add_rest(Id rest) {
    if (g_.is_constant(rest, 0.0)) return;
    expr::Family family{IndexSet{0, 0}, rest, {}, {}};
    for (const int v : expr::variables_of(g_, rest))
      family.variables.push_back({v, {LoopSlot::Kind::input, {v}}, {}, {}});
    add(family);
  }

  void add(const expr::Family& family) {
    if (!expr::kinks(g_, {family.body}).empty()) throw UnrolledOnly("a term is not smooth");
    LoopedBody body{family, {}, {}, {}};
    std::vector<int> variables;
    for (std::size_t k = 0; k < family.variables.size(); ++k) {
      const LoopSlot& slot = family.variables[k].slot;
      if (slot.kind != LoopSlot::Kind::input) continue;
      const auto [least, greatest] = expr::range_of(family.set, slot.place);
      if (least == 0 && greatest == 0) {
        result_.system->uses_time = true;
        continue;
      }
      if (least < 1 || greatest > 2 * n() || (least <= n() && greatest > n()))
        throw UnrolledOnly("an entry is neither of q nor of v");
      body.motion.push_back(static_cast<int>(k));
      variables.push_back(family.variables[k].variable);
    }
    require_distinct(body);
    body.gradient = expr::gradient(g_, family.body, variables);
    body.second = expr::hessian(g_, body.gradient, variables);
    require_separable(body);
    result_.bodies.push_back(std::move(body));
  }

  const LoopPlace& place(const LoopedBody& body, std::size_t k) const {
    return body.family.variables[sz(body.motion[k])].slot.place;
  }
  /// The row of the gradient.
  LoopPlace row(const LoopedBody& body, std::size_t k) const { return shifted(place(body, k), -1); }
  bool is_velocity(const LoopedBody& body, std::size_t k) const {
    return expr::range_of(body.family.set, place(body, k)).first > n();
  }

  /// Two variables of a body that are one entry in some turn would have second derivatives of their own.
  void require_distinct(const LoopedBody& body) const {
    for (std::size_t k = 0; k < body.motion.size(); ++k)
      for (std::size_t l = 0; l < k; ++l) {
        const auto [least, greatest] =
            expr::range_of(body.family.set, difference(place(body, k), place(body, l)));
        if (least <= 0 && greatest >= 0)
          throw UnrolledOnly("two entries of a term may be the same");
      }
  }

  /// Whether entries of q, v or t stand in the formula.
  bool moves(const LoopedBody& body, Id formula) const {
    const std::vector<int> used = expr::variables_of(g_, formula);
    return std::any_of(body.family.variables.begin(), body.family.variables.end(),
                       [&](const auto& v) {
                         return v.slot.kind == LoopSlot::Kind::input &&
                                std::binary_search(used.begin(), used.end(), v.variable);
                       });
  }

  /// ∂L/∂v vanishes with v, and ∂²L/∂v² is constant.
  void require_separable(const LoopedBody& body) const {
    const auto refuse = [] { throw UnrolledOnly("L is not separable with a diagonal mass"); };
    for (const expr::Entry& e : body.second) {
      if (!is_velocity(body, sz(e.row)) && !is_velocity(body, sz(e.column))) continue;
      if (e.row != e.column || moves(body, e.value)) refuse();
    }
    std::vector<std::pair<int, Id>> rest;
    for (std::size_t k = 0; k < body.motion.size(); ++k)
      if (is_velocity(body, k))
        rest.emplace_back(body.family.variables[sz(body.motion[k])].variable, g_.constant(0.0));
    const std::vector<Id> at_rest = expr::substitute(g_, body.gradient, rest);
    for (std::size_t k = 0; k < body.motion.size(); ++k) {
      if (is_velocity(body, k) && !g_.is_constant(at_rest[k], 0.0)) refuse();
      if (!is_velocity(body, k) && at_rest[k] != body.gradient[k]) refuse();
    }
  }

  // Kernels

  template <class Add> expr::Kernel kernel(int inputs, int outputs, const Add& add_results) {
    std::vector<expr::ProgramLoop> loops;
    for (const LoopedBody& body : result_.bodies) {
      Results results{g_, {}, {}};
      add_results(body, results);
      if (!results.formulas.empty())
        loops.emplace_back(g_, used_by(body.family, results.formulas), results.formulas,
                           std::move(results.places));
    }
    return expr::Kernel(
        std::make_shared<const expr::LoopProgram>(g_, inputs, outputs, std::move(loops)));
  }

  /// The family with the variables of these formulas alone.
  expr::Family used_by(expr::Family family, const std::vector<Id>& formulas) const {
    const std::vector<int> used = expr::variables_of(g_, formulas);
    std::erase_if(family.variables, [&](const expr::LoopVariable& v) {
      return !std::binary_search(used.begin(), used.end(), v.variable);
    });
    return family;
  }

  void add_gradient(const LoopedBody& body, Results& results) const {
    for (std::size_t k = 0; k < body.motion.size(); ++k)
      results.add(body.gradient[k], row(body, k));
  }

  /// How ∂L/∂q and ∂L/∂v change with t and the free parameters.
  void set_rates() {
    KernelSystem& f = *result_.system;
    const std::vector<int> variables = detail::rate_variables(g_);
    const int outputs = 2 * f.n * static_cast<int>(variables.size());
    f.rates = kernel(1 + 2 * f.n, outputs, [&](const LoopedBody& body, Results& r) {
      for (std::size_t k = 0; k < body.motion.size(); ++k)
        for (std::size_t c = 0; c < variables.size(); ++c)
          r.add(expr::derivative(g_, body.gradient[k], variables[c]),
                shifted(row(body, k), 2L * f.n * static_cast<long>(c)));
    });
  }

  // Second derivatives

  /// Row and column of an entry in a turn, the row not above the column.
  std::pair<int, int> entry_at(const LoopedBody& body, const expr::Entry& e, long i, long j) const {
    const auto a = static_cast<int>(row(body, sz(e.row)).at(i, j));
    const auto b = static_cast<int>(row(body, sz(e.column)).at(i, j));
    return {std::max(a, b), std::min(a, b)};
  }

  /// work(row, column) for all entries of all turns; those that no inner index moves once for an outer one.
  template <class Work> void for_entries(const Work& work) const {
    for (const LoopedBody& body : result_.bodies)
      for (const expr::Entry& e : body.second) {
        IndexSet set = body.family.set;
        const bool inner =
            row(body, sz(e.row)).by_inner != 0 || row(body, sz(e.column)).by_inner != 0;
        if (!inner) {
          for (long i = set.first; i <= set.last; ++i) {
            const auto at = entry_at(body, e, i, 0);
            work(at.first, at.second);
          }
          continue;
        }
        for_turns(set, [&](long i, long j) {
          const auto at = entry_at(body, e, i, j);
          work(at.first, at.second);
        });
      }
  }

  /// The pattern, row by row; first_[r]: where row r begins.
  void set_pattern() {
    Pattern& pattern = result_.system->second;
    const std::size_t rows = 2 * sz(n());
    std::vector<std::size_t> begin(rows + 1, 0);
    for_entries([&](int r, int) { ++begin[sz(r) + 1]; });
    for (std::size_t r = 0; r < rows; ++r) begin[r + 1] += begin[r];
    std::vector<int> columns(begin.back());
    std::vector<std::size_t> next(begin.begin(), begin.end() - 1);
    for_entries([&](int r, int c) { columns[next[sz(r)]++] = c; });
    const auto at = [&](std::size_t k) { return columns.begin() + static_cast<std::ptrdiff_t>(k); };
    first_.assign(rows + 1, 0);
    for (std::size_t r = 0; r < rows; ++r) {
      std::sort(at(begin[r]), at(begin[r + 1]));
      const auto end = std::unique(at(begin[r]), at(begin[r + 1]));
      for (auto c = at(begin[r]); c != end; ++c) {
        pattern.row.push_back(static_cast<int>(r));
        pattern.column.push_back(*c);
      }
      first_[r + 1] = pattern.row.size();
    }
  }

  std::size_t place_in_pattern(int r, int c) const {
    const std::vector<int>& columns = result_.system->second.column;
    const auto at = [&](std::size_t k) { return columns.begin() + static_cast<std::ptrdiff_t>(k); };
    return static_cast<std::size_t>(std::lower_bound(at(first_[sz(r)]), at(first_[sz(r) + 1]), c) -
                                    columns.begin());
  }

  /// Affine in the indices, or a list.
  LoopOutput output_of(const LoopedBody& body, const expr::Entry& e) const {
    auto list = std::make_shared<std::vector<std::uint32_t>>();
    list->reserve(sz(body.family.set.turns()));
    for_turns(body.family.set, [&](long i, long j) {
      const auto at = entry_at(body, e, i, j);
      list->push_back(
          static_cast<std::uint32_t>(2 * sz(n()) + place_in_pattern(at.first, at.second)));
    });
    const IndexSet& set = body.family.set;
    if (set.inner) return {{}, std::move(list)};
    const long first = list->front();
    const long step = list->size() > 1 ? static_cast<long>((*list)[1]) - first : 0;
    for (std::size_t k = 0; k < list->size(); ++k)
      if ((*list)[k] != first + static_cast<long>(k) * step) return {{}, std::move(list)};
    return {{first - step * set.first, step}, nullptr};
  }

  void set_second() {
    set_pattern();
    KernelSystem& f = *result_.system;
    f.hessian =
        kernel(1 + 2 * f.n, 2 * f.n + f.second.size(), [&](const LoopedBody& body, Results& r) {
          add_gradient(body, r);
          for (const expr::Entry& e : body.second) r.add_output(e.value, output_of(body, e));
        });
  }

  /// The constants ∂²L/∂vᵢ².
  void set_mass() {
    KernelSystem& f = *result_.system;
    const expr::Kernel masses = kernel(0, f.n, [&](const LoopedBody& body, Results& r) {
      for (const expr::Entry& e : body.second)
        if (is_velocity(body, sz(e.row))) r.add(e.value, shifted(row(body, sz(e.row)), -f.n));
    });
    f.mass_diagonal.resize(sz(f.n));
    masses(nullptr, f.mass_diagonal.data());
    if (std::find(f.mass_diagonal.begin(), f.mass_diagonal.end(), 0.0) != f.mass_diagonal.end())
      throw UnrolledOnly("a coordinate has no mass");
  }

  expr::Graph& g_;
  LoopedSystem result_;
  std::vector<std::size_t> first_;
};

}  // namespace

LoopedSystem make_looped_system(expr::Graph& graph, const ProductSpace& space,
                                const expr::FamilySum& lagrangian) {
  return LoopedSystemBuilder(graph, space).build(lagrangian);
}

double turns_of(const expr::FamilySum& sum) {
  double turns = 0.0;
  for (const expr::Family& family : sum.families) turns += static_cast<double>(family.set.turns());
  return turns;
}

}  // namespace varia
