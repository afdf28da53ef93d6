// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// How a target of typeset formulas writes fractions, powers, names. Texts stand around their operands.
#include <string>

#include "symbol.hpp"

namespace varia::expr {

struct Typography {
  const char *plus, *minus, *sign;  ///< between terms, and before the first one
  const char *thin, *times;         ///< between factors, between numbers
  const char *open, *close, *comma;
  const char *line_open, *line_close;  ///< parentheses between which lines may end
  const char *fraction_open, *fraction_middle, *fraction_close;
  const char *power_open, *power_middle, *power_close;
  const char *root_open, *root_close;
  const char *bracket_open, *bracket_close;
  const char *bars_open, *bars_close;
  const char *floor_open, *floor_close;
  const char *cases_open, *cases_if, *cases_next, *cases_otherwise, *cases_close;
  const char *less, *less_equal, *equal, *unequal, *both, *either, *negation, *is_true;
  const char* dots;
  std::string (*number)(const std::string& mantissa, const std::string& exponent);
  std::string (*symbol)(const Symbol& symbol);
  std::string (*function)(const std::string& name);
  std::string (*words)(const std::string& text);
};

extern const Typography mathml_typography, latex_typography;

}  // namespace varia::expr
