// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// check_symplectic and check_action for systems known at run time, on any space, compiled once.
#include "varia/flow/any_flow.hpp"
#include "varia/flow/stage_flow.hpp"

namespace varia {

struct SymplecticReport {
  double defect = 0.0;  ///< largest entry of DFᵀ Ω₁ DF - Ω₀
  bool passes(double tolerance = 1e-12) const { return defect <= tolerance; }
};

struct ActionReport;

/// By the exact derivative where the flow has one, else by differences.
SymplecticReport check_symplectic(const AnyFlow& flow, const VectorState& z, double h,
                                  const Vn& units = {});
SymplecticReport check_symplectic(const StageFlow& flow, const VectorState& z, double h,
                                  const Vn& units = {});
ActionReport check_action(const StageFlow& flow, const VectorState& start, double h);

}  // namespace varia
