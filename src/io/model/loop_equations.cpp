// SPDX-License-Identifier: BSD-3-Clause
#include "varia/io/loop_equations.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>

#include "layout.hpp"
#include "varia/core/index.hpp"
#include "varia/expr/derivative.hpp"
#include "varia/expr/print.hpp"

namespace varia::io {

namespace {

using detail::sz;
using expr::Id;
using expr::LoopPlace;
using SlotKind = expr::LoopSlot::Kind;

/// constant + step · letter, and the same with another letter behind it.
struct IndexText {
  long constant = 0, own = 0, other = 0;

  std::string text(const std::string& letter, const std::string& second) const {
    std::string result;
    const auto add = [&](long step, const std::string& name) {
      if (step == 0) return;
      result += step < 0 ? "-" : result.empty() ? "" : "+";
      if (std::abs(step) != 1) result += std::to_string(std::abs(step)) + "*";
      result += name;
    };
    add(own, letter);
    add(other, second);
    if (constant == 0 && !result.empty()) return result;
    return result + (constant >= 0 && !result.empty() ? "+" : "") + std::to_string(constant);
  }
};

/// The entries of an array, of q or of v, and an index.
struct Entries {
  long variable;     ///< of the graph, of the first entry
  long first, last;  ///< indices
};

/// A derivative of a body in one of its variables, as a part of the equation of the entry idx: the index of the
/// body that moves the variable is s idx + c, another one is summed over.
struct Part {
  const LoopedBody* body;
  Id formula;
  bool by_inner = false;
  long s = 1, c = 0;
  long first = 0, last = 0;  ///< idx
};

class LoopEquations {
 public:
  LoopEquations(const Model& model, std::size_t longest)
      : model_(model), g_(*model.graph), longest_(longest) {}

  std::vector<std::pair<std::string, std::string>> write() {
    const Layout layout = make_layout(model_.scenario.system, model_.options.retraction);
    for (const Layout::Block& block : layout.blocks) {
      const auto entries = [&](int variable) {
        return Entries{variable, block.first, block.first + block.count - 1L};
      };
      if (!write(entries(layout.entry_variable(block.entry)),
                 entries(layout.velocity_variable(block.degree)), block.array))
        return {};
    }
    return std::move(equations_);
  }

 private:
  /// False where a part cannot be written.
  bool write(const Entries& q, const Entries& v, bool array) {
    const auto forces = parts_of(q), momenta = parts_of(v);
    if (!forces || !momenta) return false;
    std::set<long> begins{q.first};
    for (const auto* parts : {&*forces, &*momenta})
      for (const Part& part : *parts) begins.insert({part.first, part.last + 1});
    for (auto at = begins.begin(); at != begins.end(); ++at) {
      const long last = std::next(at) == begins.end() ? q.last : *std::next(at) - 1;
      if (*at < q.first || *at > q.last) continue;
      const bool one = *at == last;
      const std::string right = sum_of(*forces, *at, last);
      const bool named = array && !one;
      equations_.emplace_back(
          "d/dt (" + sum_of(*momenta, *at, last) + ")",
          right + (named ? ",   i = " + std::to_string(*at) + ".." + std::to_string(last) : ""));
    }
    return true;
  }

  std::optional<std::vector<Part>> parts_of(const Entries& entries) const {
    std::vector<Part> parts;
    const long count = entries.last - entries.first + 1;
    for (const LoopedBody& body : model_.bodies_of_sums)
      for (std::size_t k = 0; k < body.motion.size(); ++k) {
        const LoopPlace& place = body.family.variables[sz(body.motion[k])].slot.place;
        const auto [least, greatest] = expr::range_of(body.family.set, place);
        if (greatest < entries.variable || least >= entries.variable + count) continue;
        if (g_.is_constant(body.gradient[k], 0.0)) continue;
        const auto part = part_of(body, body.gradient[k], place, entries);
        if (!part) return std::nullopt;
        parts.push_back(*part);
      }
    return parts;
  }

  /// None where the entry is not moved by one index, step by step.
  static std::optional<Part> part_of(const LoopedBody& body, Id formula, const LoopPlace& place,
                                     const Entries& entries) {
    const expr::IndexSet& set = body.family.set;
    const long shift = entries.variable - entries.first;  // variable = idx + shift
    Part part{&body, formula};
    if (place.by_outer == 0 && place.by_inner == 0) {
      if (set.turns() > 1) return std::nullopt;
      part.s = 0;
      part.c = set.first;
      part.first = part.last = place.start - shift;
      return part;
    }
    part.by_inner = place.by_inner != 0;
    part.s = part.by_inner ? place.by_inner : place.by_outer;
    if ((place.by_outer != 0 && place.by_inner != 0) || std::abs(part.s) != 1) return std::nullopt;
    part.c = part.s * (shift - place.start);
    const auto [least, greatest] = expr::range_of(set, place);
    part.first = set.inner ? entries.first : least - shift;  // sums may be empty
    part.last = set.inner ? entries.last : greatest - shift;
    const bool simple = part.s == 1 && (set.from_step == 0 || set.from_step == 1) &&
                        (set.to_step == 0 || set.to_step == 1);
    if (part.by_inner && !simple) return std::nullopt;
    return part;
  }

  /// idx for the letter, or as a number where there is one only.
  static IndexText index_at(const LoopPlace& place, const Part& part, long first, bool one) {
    IndexText text{place.start, 0, 0};
    const long own = part.by_inner ? place.by_inner : place.by_outer;
    text.other = part.by_inner ? place.by_outer : place.by_inner;
    text.constant += own * part.c;
    text.own = own * part.s;
    if (one) {
      text.constant += text.own * first;
      text.own = 0;
    }
    return text;
  }

  Id named(const std::string& name) {
    const auto [at, is_new] = numbers_.emplace(name, static_cast<int>(names_.size()));
    if (is_new) names_.push_back(name);
    return g_.variable(at->second);
  }

  /// What an index is in a formula.
  Id index_formula(const IndexText& text) {
    Id sum = g_.constant(static_cast<double>(text.constant));
    const auto add = [&](long step, const char* letter) {
      if (step != 0)
        sum = g_.add(sum, g_.mul(g_.constant(static_cast<double>(step)), named(letter)));
    };
    add(text.own, "i");
    add(text.other, "j");
    return sum;
  }

  Id formula_of(const Part& part, long first, bool one) {
    std::vector<std::pair<int, Id>> local;
    for (const expr::LoopVariable& v : part.body->family.variables) {
      const bool outer = v.slot.kind == SlotKind::outer;
      if (outer || v.slot.kind == SlotKind::inner) {
        const LoopPlace itself{0, outer ? 1 : 0, outer ? 0 : 1};
        local.emplace_back(v.variable, index_formula(index_at(itself, part, first, one)));
        continue;
      }
      std::string name = v.name;
      if (name.empty())
        name = model_.variable_names[sz(v.slot.place.start)];
      else
        name += "[" + index_at(v.index, part, first, one).text("i", "j") + "]";
      local.emplace_back(v.variable, named(name));
    }
    const Id formula = expr::substitute(g_, part.formula, local);
    return part.body->family.set.inner ? named(sum_text(part, formula, first, one)) : formula;
  }

  std::string sum_text(const Part& part, Id formula, long first, bool one) const {
    const expr::IndexSet& set = part.body->family.set;
    const auto bound = [&](const LoopPlace& place) {
      return index_at(place, part, first, one).text("i", "j");
    };
    std::string from, to;
    if (part.by_inner) {
      // from + from_step i <= idx <= to + to_step i
      from = set.to_step == 1 ? bound({-set.to, 0, 1}) : std::to_string(set.first);
      to = set.from_step == 1 ? bound({-set.from, 0, 1}) : std::to_string(set.last);
    } else {
      from = bound({set.from, set.from_step, 0});
      to = bound({set.to, set.to_step, 0});
    }
    return "sum(j, " + from + ", " + to + ", " + expr::to_text(g_, formula, names_, longest_) + ")";
  }

  std::string sum_of(const std::vector<Part>& parts, long first, long last) {
    Id sum = g_.constant(0.0);
    for (const Part& part : parts)
      if (part.first <= first && last <= part.last)
        sum = g_.add(sum, formula_of(part, first, first == last));
    return expr::to_text(g_, sum, names_, longest_);
  }

  const Model& model_;
  expr::Graph& g_;
  std::size_t longest_;
  std::vector<std::string> names_;
  std::map<std::string, int> numbers_;
  std::vector<std::pair<std::string, std::string>> equations_;
};

}  // namespace

std::vector<std::pair<std::string, std::string>> equations_of_sums(const Model& model,
                                                                   std::size_t longest) {
  return LoopEquations(model, longest).write();
}

}  // namespace varia::io
