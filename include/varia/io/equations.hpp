// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The equations of motion of a model as formulas, for a person to read.
//
//     d/dt ∂L/∂v = ∂L/∂q + f + Gᵀλ + (∂Φ/∂v)ᵀΛ,   φ = 0,   Φ = 0
//
// coordinate by coordinate; on a group with the torque of the frame. Without a Lagrangian they are Hamilton's equations;
// for groups without their points (EP) d/dt μ = ad*_v μ + f, and what μ is.
#include <cstddef>
#include <string>
#include <vector>

#include "varia/io/model.hpp"

namespace varia::io {

/// A term of a right-hand side.
struct EquationTerm {
  enum class Kind { formula, force, reaction, words };
  Kind kind;
  expr::Id formula = 0;    ///< of a reaction: what stands beside its multiplier
  int multiplier = 0;      ///< of a reaction: holonomic ones are counted first, from 1
  std::string words = {};  ///< where the formula is long
};

struct Equation {
  bool rate = true;  ///< the left side is d/dt of its formula
  std::string name;  ///< of the left side where it is a name, else empty
  expr::Id left = 0;
  std::vector<EquationTerm> right;  ///< none: 0
};

/// 0 = formula.
struct ConstraintEquation {
  expr::Id formula;
  std::string text;  ///< as it is written, or the name of a joint
  bool joint = false;
};

struct Equations {
  std::vector<Equation> motion;
  std::vector<ConstraintEquation> constraints;
  bool all = true;  ///< else there are more of them
};

/// Of at most so many coordinates and constraints.
Equations equations_of(const Model& model, std::size_t most);

/// The name of a multiplier in texts: lambda[1].
std::string multiplier_name(int multiplier);

/// The model with its parameters by name; one in which a number is needed (of a sum, of an array) has numbers.
Model with_names(const Scenario& scenario, Sums sums = Sums::term_by_term);

/// Whether the factor of a degree of freedom is without its points.
bool is_reduced(const Model& model, int degree);

}  // namespace varia::io
