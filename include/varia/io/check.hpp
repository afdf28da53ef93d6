// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The laws of the method on the system or the solid of a scenario, measured: `varia check`.
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "varia/io/model.hpp"
#include "varia/io/solid_model.hpp"
#include "varia/verify/check_action.hpp"
#include "varia/verify/check_order.hpp"

namespace varia::io {

struct CheckReport {
  std::string method;
  OrderReport order;
  /// The order against the exact discrete Lagrangian; with forces, against exact steps.
  struct Certified {
    int declared = 0;
    double measured = 0.0;
    bool by_steps = false;
  };
  std::optional<Certified> certified;
  std::optional<double> symplecticity;  ///< absent where no law is promised or it was not measured
  std::optional<double> reversibility;
  std::optional<ActionReport> action;
  std::vector<std::pair<std::string, double>> momenta;   ///< drift of the conserved ones
  std::optional<std::pair<double, double>> constraints;  ///< largest |phi|, |G v|
  std::vector<std::string> failures;
  std::vector<std::string> notes;  ///< what was not measured, and why
  bool passed() const { return failures.empty(); }
};

CheckReport check(Model& model);

/// Adds to the failures what is not as it must be: orders within 0.3, defects and drifts below 1e-10.
void judge(CheckReport& report);

/// Order on the mesh as it is (steps halved, against much smaller ones), momenta and their balance,
/// energy. Over a short time: a few million updates.
CheckReport check_solid(const SolidModel& model);

}  // namespace varia::io
