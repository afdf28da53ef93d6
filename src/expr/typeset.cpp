// SPDX-License-Identifier: BSD-3-Clause
#include "varia/expr/typeset.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "functions.hpp"
#include "ratio.hpp"
#include "typography.hpp"
#include "varia/core/error.hpp"
#include "writer.hpp"

namespace varia::expr {

namespace {

constexpr std::size_t most_factors = 200;

/// A product with its sign, the number in front of it, and what stands above and below the bar.
struct Factors {
  bool negative = false;
  double over = 1.0, under = 1.0;
  std::vector<Power> above, below;
};

struct Summand {
  bool negative;
  Id id;
};

/// Of a number that is not negative: 6.02e23 with a power of ten.
std::string digits_of(double x, const Typography& type) {
  const std::string text = varia::to_text(x);
  const std::size_t e = text.find('e');
  if (e == std::string::npos) return type.number(text, "");
  const std::string mantissa = text.substr(0, e);
  const std::string exponent = std::to_string(std::stoi(text.substr(e + 1)));
  return type.number(mantissa == "1" ? "" : mantissa, exponent);
}

bool has_power_above(Op op) { return Op::sin <= op && op <= Op::tanh; }

class Typesetter final : public FormulaWriter {
 public:
  Typesetter(const Graph& graph, const NameList& names, const Typography& type, int most)
      : FormulaWriter(graph, names), type_(type), most_(most) {}

  std::vector<TypesetTerm> terms(Id f) {
    std::vector<TypesetTerm> result;
    add_terms(f, result);
    return result;
  }

 private:
  // The pieces of a formula from left to right.
  struct Row {
    std::vector<std::pair<std::string, std::optional<std::pair<Id, Level>>>> pieces;
    void add(std::string text) { pieces.emplace_back(std::move(text), std::nullopt); }
    void add(Id id, Level level) { pieces.emplace_back("", std::pair{id, level}); }
  };
  void put_row(const Row& row) {
    for (std::size_t k = row.pieces.size(); k-- > 0;) {
      const auto& [text, operand] = row.pieces[k];
      if (operand)
        put(operand->first, operand->second);
      else
        put(text);
    }
  }

  void add_terms(Id f, std::vector<TypesetTerm>& result) {
    for (const Summand& s : summands(f)) {
      const bool negative = s.negative != is_negative(s.id);
      const std::size_t first = result.size();
      if (std::optional<Factors> with_sum = long_sum(s.id))
        add_long_sum(*with_sum, result);
      else
        add_term(s.id, result);
      result[first].negative = negative && result[first].text != type_.dots;
      if (is_full()) return;
    }
  }

  void add_term(Id id, std::vector<TypesetTerm>& result) {
    const int before = width_;
    put_absolute(id);
    const std::string text = written();
    if (is_full())
      result.push_back({false, type_.dots, 1});
    else
      result.push_back({false, text, width_ - before});
  }

  std::string written() {
    out_.clear();
    write_pieces();
    return std::exchange(out_, {});
  }

  /// A product whose last factor is a sum of many terms, that one factor last.
  std::optional<Factors> long_sum(Id id) const {
    constexpr std::size_t many = 4;
    const auto is_long = [this](const Power& p) {
      return p.halves == 2 && level_of(p.base) == sum_level && summands(p.base).size() >= many;
    };
    Factors f;
    if (level_of(id) == sum_level)
      f.above.push_back({id, 2});
    else if (is_product(id))
      f = factors(id);
    const bool over_one = f.below.empty() && f.under == 1.0;
    if (!over_one || std::count_if(f.above.begin(), f.above.end(), is_long) != 1) return {};
    std::stable_partition(f.above.begin(), f.above.end(),
                          [&](const Power& p) { return !is_long(p); });
    return f;
  }

  /// 2 m (a + b + c + d): lines may end inside.
  void add_long_sum(Factors f, std::vector<TypesetTerm>& result) {
    const Id sum = f.above.back().base;
    f.above.pop_back();
    std::string before;
    if (f.over != 1.0 || !f.above.empty()) {
      put_product(f, false);
      before = written() + type_.thin;
    }
    const std::size_t first = result.size();
    add_terms(sum, result);
    TypesetTerm& opening = result[first];
    opening.text = before + type_.line_open + (opening.negative ? type_.sign : "") + opening.text;
    result.back().text += type_.line_close;
  }

  bool is_full() const override { return width_ > most_; }
  const char* parenthesis(bool opens) const override { return opens ? type_.open : type_.close; }
  const Words& words() const override { return words_; }

  Level level_of(Id id) const override {
    const Op op = graph_[id].op;
    if (op == Op::constant) {
      const double x = graph_[id].value;
      return x < 0.0 ? sign_level : is_plain(x) ? atom_level : product_level;
    }
    if (op == Op::sub || (op == Op::add && !is_choice(id))) return sum_level;
    if (is_product(id)) return product_level_of(factors(id));
    return op == Op::pow || op == Op::exp ? power_level : atom_level;
  }

  static Level product_level_of(const Factors& f) {
    if (f.negative) return sign_level;
    if (!f.below.empty() || f.under != 1.0) return power_level;
    if (f.over != 1.0 || f.above.size() != 1) return product_level;
    return f.above.front().halves == 1 ? atom_level : power_level;
  }

  static bool is_plain(double x) {
    return ratio(x).under == 1 && varia::to_text(x).find('e') == std::string::npos;
  }

  bool is_product(Id id) const {
    const Op op = graph_[id].op;
    return op == Op::mul || op == Op::div || op == Op::neg || is_written_as_power(id);
  }

  bool is_negative(Id id) const {
    if (graph_.is_constant(id)) return graph_[id].value < 0.0;
    return is_product(id) && factors(id).negative;
  }

  // Products

  Factors factors(Id id) const {
    Factors f;
    std::vector<std::pair<Id, bool>> open{{id, false}};
    while (!open.empty()) {
      const auto [at, below] = open.back();
      open.pop_back();
      if (f.above.size() + f.below.size() > most_factors)
        (below ? f.below : f.above).push_back({at, 2});
      else
        add_factor(f, at, below, open);
    }
    sort(f.above);
    sort(f.below);
    return f;
  }

  void add_factor(Factors& f, Id at, bool below, std::vector<std::pair<Id, bool>>& open) const {
    const Node& n = graph_[at];
    double& number = below ? f.under : f.over;
    if (is_written_as_power(at)) {
      const Power p = graph_.power_of(at);
      const bool under = below != (p.halves < 0);
      (under ? f.below : f.above).push_back({p.base, std::abs(p.halves)});
    } else if (n.op == Op::neg) {
      f.negative = !f.negative;
      open.emplace_back(n.a, below);
    } else if (n.op == Op::mul || n.op == Op::div) {
      open.emplace_back(n.b, below != (n.op == Op::div));
      open.emplace_back(n.a, below);
    } else if (n.op == Op::constant && number == 1.0) {
      number = std::abs(n.value);
      if (n.value < 0.0) f.negative = !f.negative;
    } else {
      (below ? f.below : f.above).push_back({at, 2});
    }
  }

  /// Parameters, then variables, then all else: m g l sin θ.
  void sort(std::vector<Power>& powers) const {
    std::stable_sort(powers.begin(), powers.end(), [this](const Power& a, const Power& b) {
      return rank(a.base) < rank(b.base);
    });
  }
  int rank(Id id) const {
    const Node& n = graph_[id];
    if (n.op != Op::variable) return n.op == Op::constant ? 0 : 3;
    return n.index >= Graph::first_parameter ? 1 : 2;
  }

  void add_powers(Row& row, double number, const std::vector<Power>& powers) {
    const bool alone = number == 1.0 && powers.size() == 1;
    if (number != 1.0 || powers.empty()) row.add(number_text(number));
    for (std::size_t k = 0; k < powers.size(); ++k) {
      const bool first = k == 0 && number == 1.0;
      if (!first) row.add(rank(powers[k].base) == 0 ? type_.times : type_.thin);
      add_power(row, powers[k], alone);
    }
  }

  void add_power(Row& row, Power p, bool alone) {
    if (p.halves == 2) return row.add(p.base, alone ? sum_level : power_level);
    if (p.halves == 1) {
      row.add(type_.root_open);
      row.add(p.base, sum_level);
      return row.add(type_.root_close);
    }
    const std::string exponent = p.halves % 2 == 0
                                     ? type_.number(std::to_string(p.halves / 2), "")
                                     : type_.number(std::to_string(p.halves) + "/2", "");
    const Node& base = graph_[p.base];
    row.add(type_.power_open);
    if (has_power_above(base.op)) {
      row.add(function_text(base.op));
      row.add(type_.power_middle + exponent + type_.power_close + type_.open);
      row.add(base.a, sum_level);
      return row.add(type_.close);
    }
    row.add(p.base, atom_level);
    row.add(type_.power_middle + exponent + type_.power_close);
  }

  /// Without the sign.
  void put_product(const Factors& f, bool alone) {
    Row row;
    const Ratio r = f.under == std::round(f.under) ? ratio(f.over) : Ratio{f.over, 1};
    if (f.below.empty() && f.under == 1.0) {
      if (r.under == 1 && f.over == 1.0 && f.above.size() == 1) {
        add_power(row, f.above.front(), alone);
      } else if (r.under == 1 || f.above.empty()) {
        add_powers(row, f.over, f.above);
      } else {
        row.add(fraction(r));
        row.add(type_.thin);
        for (std::size_t k = 0; k < f.above.size(); ++k) {
          if (k > 0) row.add(type_.thin);
          add_power(row, f.above[k], false);
        }
      }
    } else {
      row.add(type_.fraction_open);
      add_powers(row, r.over, f.above);
      row.add(type_.fraction_middle);
      add_powers(row, f.under * r.under, f.below);
      row.add(type_.fraction_close);
    }
    put_row(row);
  }

  void put_absolute(Id id) {
    if (graph_.is_constant(id))
      put(number_text(std::abs(graph_[id].value)));
    else if (is_product(id))
      put_product(factors(id), false);
    else
      put(id, product_level);
  }

  void signed_product(Id id) {
    const Factors f = factors(id);
    put_product(f, false);
    if (f.negative) put(type_.sign);
  }
  void power(Power p) override {
    Factors f;
    (p.halves < 0 ? f.below : f.above).push_back({p.base, std::abs(p.halves)});
    put_product(f, false);
  }
  void negative(Id id) override { signed_product(id); }
  void product(Id id) override { signed_product(id); }

  // Sums

  std::vector<Summand> summands(Id id) const {
    std::vector<Summand> list;  // from the last one to the first
    while (level_of(id) == sum_level) {
      const Node& n = graph_[id];
      list.push_back({n.op == Op::sub, n.b});
      id = n.a;
    }
    list.push_back({false, id});
    std::reverse(list.begin(), list.end());
    return list;
  }

  void sum(Id id) override {
    const std::vector<Summand> list = summands(id);
    for (auto s = list.rbegin(); s != list.rend(); ++s) {
      const bool first = s + 1 == list.rend();
      const bool negative = s->negative != is_negative(s->id);
      put_absolute(s->id);
      if (first && negative) put(type_.sign);
      if (!first) put(negative ? type_.minus : type_.plus);
    }
  }

  // The rest

  std::string fraction(const Ratio& r) {
    return type_.fraction_open + digits(r.over) + type_.fraction_middle + digits(r.under) +
           type_.fraction_close;
  }
  std::string digits(double x) {
    width_ += static_cast<int>(varia::to_text(x).size());
    return digits_of(x, type_);
  }
  /// Of a number that is not negative.
  std::string number_text(double x) {
    if (x == std::numbers::pi) return symbol("pi");
    if (x == 2.0 * std::numbers::pi) return type_.number("2", "") + type_.thin + symbol("pi");
    const Ratio r = ratio(x);
    return r.under == 1 ? digits(x) : fraction(r);
  }
  void number(double value) override {
    put(number_text(std::abs(value)));
    if (value < 0.0) put(type_.sign);
  }

  std::string symbol(const std::string& text) {
    const Symbol s = symbol_of(text);
    width_ += static_cast<int>(letters_of(s.base).size());
    for (const std::string& index : s.indices) width_ += static_cast<int>(index.size());
    return type_.symbol(s);
  }
  void name(const std::string& text) override { put(symbol(text)); }

  void general_power(const Node& n) override {
    Row row;
    row.add(type_.power_open);
    row.add(n.a, atom_level);
    row.add(type_.power_middle);
    row.add(n.b, sum_level);
    row.add(type_.power_close);
    put_row(row);
  }

  std::string function_text(Op op) {
    struct Inverse {
      Op op;
      const char* name;
    };
    static constexpr std::array<Inverse, 4> inverse{
        {{Op::asin, "arcsin"}, {Op::acos, "arccos"}, {Op::atan, "arctan"}, {Op::log, "ln"}}};
    std::string name(function_name(op));
    for (const Inverse& f : inverse)
      if (f.op == op) name = f.name;
    width_ += static_cast<int>(name.size());
    return type_.function(name);
  }

  void between(const char* opens, Id id, const char* closes, Level level = sum_level) {
    Row row;
    row.add(opens);
    row.add(id, level);
    row.add(closes);
    put_row(row);
  }

  /// sqrt(x^2 + y^2)
  void length(const Node& n) {
    Row row;
    row.add(type_.root_open);
    add_power(row, {n.a, 4}, false);
    row.add(type_.plus);
    add_power(row, {n.b, 4}, false);
    row.add(type_.root_close);
    put_row(row);
  }

  void call(Id id) override {
    const Node& n = graph_[id];
    // a condition as a number, 1 or 0
    if (is_comparison(n.op))
      return between(type_.bracket_open, id, type_.bracket_close, condition_level);
    if (n.op == Op::hypot) return length(n);
    if (n.op == Op::abs) return between(type_.bars_open, n.a, type_.bars_close);
    if (n.op == Op::floor) return between(type_.floor_open, n.a, type_.floor_close);
    if (n.op == Op::sqrt) return between(type_.root_open, n.a, type_.root_close);
    Row row;
    if (n.op == Op::exp) {
      row.add(type_.power_open + symbol("e") + type_.power_middle);
      row.add(n.a, sum_level);
      row.add(type_.power_close);
      return put_row(row);
    }
    const std::string data = n.op == Op::table ? table_name(n) : "";  // table'("file.csv"
    const std::size_t data_begin = std::min(data.find('('), data.size());
    row.add(data.empty() ? function_text(n.op) : type_.function(data.substr(0, data_begin)));
    row.add(type_.open);
    if (!data.empty()) row.add(type_.words(data.substr(data_begin + 1)) + type_.comma);
    if (n.op == Op::smoothstep)
      row.add(type_.number("0", "") + type_.comma + type_.number("1", "") + type_.comma);
    row.add(n.a, sum_level);
    if (operands(n.op) == 2 && n.op != Op::table) {
      row.add(type_.comma);
      row.add(n.b, sum_level);
    }
    row.add(type_.close);
    put_row(row);
  }

  void choice(Id condition, Id value, std::optional<Id> other) override {
    Row row;
    row.add(type_.cases_open);
    row.add(value, sum_level);
    row.add(type_.cases_if);
    row.add(condition, condition_level);
    row.add(type_.cases_next);
    if (other)
      row.add(*other, sum_level);
    else
      row.add(type_.number("0", ""));
    row.add(type_.cases_otherwise);
    row.add(type_.cases_close);
    put_row(row);
  }

  const Typography& type_;
  const Words words_{type_.less, type_.less_equal, type_.equal,    type_.unequal,
                     type_.both, type_.either,     type_.negation, type_.is_true};
  int most_, width_ = 0;
};

const Typography& typography(Markup markup) {
  return markup == Markup::mathml ? mathml_typography : latex_typography;
}

}  // namespace

std::vector<TypesetTerm> typeset_terms(const Graph& graph, Id f, const NameList& variable_names,
                                       Markup markup, int most) {
  return Typesetter(graph, variable_names, typography(markup), most).terms(f);
}

std::string joined(const std::vector<TypesetTerm>& terms, Markup markup, bool continued) {
  const Typography& type = typography(markup);
  std::string text;
  for (const TypesetTerm& term : terms) {
    const bool first = text.empty() && !continued;
    text += !first ? (term.negative ? type.minus : type.plus) : term.negative ? type.sign : "";
    text += term.text;
  }
  return text;
}

std::string typeset(const Graph& graph, Id f, const NameList& variable_names, Markup markup,
                    int most) {
  return joined(typeset_terms(graph, f, variable_names, markup, most), markup);
}

std::string typeset_name(const std::string& name, Markup markup) {
  return typography(markup).symbol(symbol_of(name));
}

std::string typeset_number(double value, Markup markup) {
  const Typography& type = typography(markup);
  return (value < 0.0 ? type.sign : "") + digits_of(std::abs(value), type);
}

std::string typeset_words(const std::string& text, Markup markup) {
  return typography(markup).words(text);
}

}  // namespace varia::expr
