// SPDX-License-Identifier: BSD-3-Clause
#include "varia/report/latex.hpp"

#include "equations.hpp"

namespace varia::report {

namespace {

using expr::Markup;

constexpr int line_width = 90;  // characters, about

/// left &= right, with line ends between terms.
std::string rows_of(const Formula& f) {
  std::string text = f.left + " &= ";
  int width = static_cast<int>(f.left.size()) / 4;
  for (std::size_t k = 0; k < f.right.size(); ++k) {
    if (k > 0 && width + f.right[k].width > line_width) {
      text += " \\\\\n  &\\quad ";
      width = 0;
    }
    width += f.right[k].width + 3;
    text += expr::joined({f.right[k]}, Markup::latex, k > 0);
  }
  if (!f.note.empty()) text += " \\quad " + expr::typeset_words("(" + f.note + ")", Markup::latex);
  return text;
}

std::string aligned(const std::vector<Formula>& list) {
  std::string text;
  for (const Formula& f : list) text += (text.empty() ? "  " : " \\\\\n  ") + rows_of(f);
  return "\\begin{align*}\n" + text + "\n\\end{align*}\n";
}

std::string subsection(const std::string& title, const std::string& content) {
  return "\n\\subsection*{" + title + "}\n" + content;
}

std::string words(const std::string& text) { return expr::typeset_words(text, Markup::latex); }

std::string parameters_of(const io::Model& model) {
  std::string text;
  for (const auto& [name, value] : model.parameters)
    text += (text.empty() ? "" : ", ") + std::string("$") +
            expr::typeset_name(name, Markup::latex) + " = " +
            expr::typeset_number(rounded(value, 6), Markup::latex) + "$";
  return text + "\n";
}

std::string definitions_of(const io::Model& model) {
  std::string text;
  for (const expr::Definition& d : model.scenario.system.definitions)
    text += (text.empty() ? "" : "\\\\\n") + std::string("\\texttt{") +
            words(d.head() + " = " + d.text) + "}";
  return "\\noindent\n" + text + "\n";
}

}  // namespace

std::string latex_document(const io::Model& model, const io::Model& named) {
  const TypesetSystem system = typeset_system(named, Markup::latex);
  std::string text =
      "\\documentclass{article}\n"
      "\\usepackage[a4paper, margin=2cm]{geometry}\n"
      "\\usepackage{amsmath}\n"
      "\\allowdisplaybreaks\n"
      "\\begin{document}\n"
      "\\section*{" +
      words(model.scenario.title) + "}\n";
  if (!model.parameters.empty()) text += subsection("Parameters", parameters_of(model));
  if (!model.scenario.system.definitions.empty())
    text += subsection("Definitions", definitions_of(model));
  text += subsection(model.scenario.system.hamiltonian ? "Hamiltonian" : "Lagrangian",
                     aligned({system.statement}));
  text += subsection("Equations of motion", aligned(system.motion));
  if (!system.constraints.empty()) text += subsection("Constraints", aligned(system.constraints));
  if (!system.cut.empty()) text += "\n" + system.cut + "\n";
  return text + "\\end{document}\n";
}

}  // namespace varia::report
