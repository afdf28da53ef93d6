// SPDX-License-Identifier: BSD-3-Clause
#include "equations.hpp"

#include <algorithm>

#include "varia/expr/tape.hpp"

namespace varia::report {

namespace {

using expr::Markup;
using expr::TypesetTerm;
using Terms = std::vector<TypesetTerm>;
using Kind = io::EquationTerm::Kind;

constexpr int most_coordinates = 64;   // a model of more is not made a second time for its formulas
constexpr int most_characters = 1200;  // of one side

struct Signs {
  const char *rate, *open, *close, *zero;
};

const Signs& signs_of(Markup markup) {
  static constexpr Signs mathml{
      "<mfrac><mi>d</mi><mrow><mi>d</mi><mi>t</mi></mrow></mfrac><mspace "
      "width=\"0.17em\"></mspace>",
      "<mrow><mo>(</mo>", "<mo>)</mo></mrow>", "<mn>0</mn>"};
  static constexpr Signs latex{"\\frac{d}{dt}\\,", "\\left(", "\\right)", "0"};
  return markup == Markup::mathml ? mathml : latex;
}

class EquationWriter {
 public:
  EquationWriter(const io::Model& model, Markup markup)
      : model_(model), markup_(markup), names_(model.variable_names), first_(names_.size()) {
    for (int a = 1; a <= model.system->d + model.system->e; ++a)
      names_.push_back(io::multiplier_name(a));
  }

  Terms terms(expr::Id f) const {
    return expr::typeset_terms(*model_.graph, f, names_, markup_, most_characters);
  }

  Formula formula(const io::Equation& e) const {
    Formula f{left(e), {}};
    for (const io::EquationTerm& term : e.right) {
      const Terms more = right(term);
      f.right.insert(f.right.end(), more.begin(), more.end());
    }
    if (f.right.empty()) f.right.push_back({false, signs_of(markup_).zero, 1});
    return f;
  }

  std::string name(const std::string& text) const { return expr::typeset_name(text, markup_); }

 private:
  std::string left(const io::Equation& e) const {
    const Signs& signs = signs_of(markup_);
    const std::string rate = e.rate ? signs.rate : "";
    if (!e.name.empty()) return rate + name(e.name);
    const std::string text = expr::joined(terms(e.left), markup_);
    const bool alone = (*model_.graph)[e.left].op == expr::Op::variable;
    return rate + (alone ? text : signs.open + text + signs.close);
  }

  Terms right(const io::EquationTerm& term) const {
    if (term.kind == Kind::words && !is_short(term.formula))
      return {
          {false, expr::typeset_words(term.words, markup_), static_cast<int>(term.words.size())}};
    if (term.kind != Kind::reaction) return terms(term.formula);
    expr::Graph& g = *model_.graph;
    const int multiplier = static_cast<int>(first_) + term.multiplier - 1;
    return terms(g.mul(g.variable(multiplier), term.formula));
  }

  bool is_short(expr::Id f) const {
    constexpr int most_operations = 40;
    return expr::Tape(*model_.graph, {f}, static_cast<int>(first_)).operations() <= most_operations;
  }

  const io::Model& model_;
  Markup markup_;
  expr::NameList names_;
  std::size_t first_;  ///< of the multipliers among the names
};

std::string sentence_of_cut(const io::Model& m) {
  const std::size_t coordinates = m.velocity_names.size(), constraints = m.constraints.size();
  std::string text = "The system has " + std::to_string(coordinates) + " degrees of freedom";
  if (constraints > 0) text += " and " + std::to_string(constraints) + " constraints";
  return text + "; the equations of the first " + std::to_string(most_equations) + " are shown.";
}

Json json_of(const Formula& f) {
  Json terms = Json::array();
  for (std::size_t k = 0; k < f.right.size(); ++k)
    terms.push_back(expr::joined({f.right[k]}, Markup::mathml, k > 0));
  Json row = {{"left", f.left}, {"terms", std::move(terms)}};
  if (!f.note.empty()) row["note"] = f.note;
  return row;
}

Json json_of(const std::vector<Formula>& list) {
  Json rows = Json::array();
  for (const Formula& f : list) rows.push_back(json_of(f));
  return rows;
}

}  // namespace

TypesetSystem typeset_system(const io::Model& named, Markup markup) {
  const EquationWriter writer(named, markup);
  TypesetSystem result;
  result.statement = named.scenario.system.hamiltonian
                         ? Formula{writer.name("H"), writer.terms(named.energy)}
                         : Formula{writer.name("L"), writer.terms(named.lagrangian)};
  const io::Equations equations = io::equations_of(named, most_equations);
  for (const io::Equation& e : equations.motion) result.motion.push_back(writer.formula(e));
  for (const io::ConstraintEquation& c : equations.constraints)
    result.constraints.push_back(
        {signs_of(markup).zero, writer.terms(c.formula), c.joint ? c.text : ""});
  if (!equations.all) result.cut = sentence_of_cut(named);
  return result;
}

Json equations_data(const io::Model& model) {
  if (model.system->n > most_coordinates)
    return {{"note", "The system has " + std::to_string(model.system->n) +
                         " degrees of freedom: varia show prints its first equations."}};
  const TypesetSystem system = typeset_system(io::with_names(model.scenario), Markup::mathml);
  Json parameters = Json::array(), definitions = Json::array();
  for (const auto& [name, value] : model.parameters)
    parameters.push_back({{"name", expr::typeset_name(name, Markup::mathml)}, {"value", value}});
  for (const expr::Definition& d : model.scenario.system.definitions)
    definitions.push_back(d.head() + " = " + d.text);
  return {{"heading", model.scenario.system.hamiltonian ? "Hamiltonian" : "Lagrangian"},
          {"statement", json_of(system.statement)},
          {"motion", json_of(system.motion)},
          {"constraints", json_of(system.constraints)},
          {"parameters", std::move(parameters)},
          {"definitions", std::move(definitions)},
          {"note", system.cut}};
}

}  // namespace varia::report
