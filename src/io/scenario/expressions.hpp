// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Texts of a scenario as expressions and numbers; what is wrong with one is told at its place.
//
// `file` is the text of the scenario file, in which an error inside an expression is located.
#include <map>
#include <string>
#include <vector>

#include "varia/expr/kernel.hpp"
#include "varia/expr/parse.hpp"
#include "varia/io/scenario_text.hpp"

namespace varia::io {

/// An error inside the text, with the line and column of the file.
ScenarioError located(const std::string& file, const Text& text, const expr::ParseError& error);

expr::Id parse_text(const std::string& file, expr::Graph& graph, const expr::Scope& scope,
                    const Text& text);

/// A number or an array; an array of this shape.
expr::Array parse_array(const std::string& file, expr::Graph& graph, const expr::Scope& scope,
                        const Text& text);
std::vector<expr::Id> parse_entries(const std::string& file, expr::Graph& graph,
                                    const expr::Scope& scope, const Text& text,
                                    const expr::Shape& shape);

/// The value of an expression without variables; ScenarioError if it has some, or is not finite.
double constant_value(const expr::Graph& graph, expr::Id id, const Text& text);

/// ScenarioError at the text unless all numbers of the formula are finite at x; `names` are those of x.
void require_finite(const expr::Kernel& formula, const double* x, const expr::NameList& names,
                    const Text& text);

/// Definitions for the expressions behind the parameters; those that parameters may not use yet.
void add_definitions(const std::vector<expr::Definition>& definitions, expr::Scope& scope);
void forbid_definitions(const std::vector<expr::Definition>& definitions, expr::Scope& scope);
/// ScenarioError for a mistake in a definition, used or not.
void check_definitions(const std::string& file, expr::Graph& graph, const expr::Scope& scope);

/// Adds the parameters, in their order, to the scope; returns the values of a, m[1], K[1][2], ... Those
/// named as free become parameters of the graph, in the order of the file; what others make of them
/// stays a formula.
std::map<std::string, double> add_parameters(const std::string& file,
                                             const std::vector<Parameter>& parameters,
                                             expr::Graph& graph, expr::Scope& scope,
                                             const std::vector<std::string>& free = {});

}  // namespace varia::io
