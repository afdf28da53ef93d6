// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The laws of the method on the system or the solid of a scenario, measured: `varia check`.
#include <functional>
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
  std::optional<Certified> multipliers;  ///< the order of those of nonholonomic constraints
  std::optional<double> symplecticity;   ///< absent where no law is promised or it was not measured
  std::optional<double> reversibility;
  std::optional<ActionReport> action;
  /// Drift of the conserved ones, in shares of their parts.
  std::vector<std::pair<std::string, double>> momenta;
  /// With nonholonomic constraints: of those that forces and reactions change, what these do not account
  /// for, in shares of their parts.
  std::vector<std::pair<std::string, double>> balances;
  /// Distance from the constraints and speed away from them, relative: see outputs.md.
  std::optional<std::pair<double, double>> constraints;
  std::pair<double, double> largest_defects;  ///< |φ| and |G v + ∂φ/∂t| or |Φ|, as they are
  std::vector<std::string> failures;
  /// A law that is promised and was to be measured, and why it was not.
  struct Unmeasured {
    std::string law, why;
  };
  std::vector<Unmeasured> unmeasured;
  std::vector<std::string> notes;  ///< what is not promised or not measured, and why
  bool passed() const { return failures.empty() && unmeasured.empty(); }
  /// "pass", "fail", or "incomplete": nothing failed, but not all was measured.
  std::string verdict() const {
    if (!failures.empty()) return "fail";
    return unmeasured.empty() ? "pass" : "incomplete";
  }
};

/// Told which law is measured, and the part that is done of the work it may take.
using CheckProgress = std::function<void(const std::string& law, double part)>;

struct CheckOptions {
  CheckProgress progress;
  double work = 1.0;  ///< that a check may take, in units of the usual
};

/// The work is bounded, and counted in operations: the same scenario has the same verdict each time.
CheckReport check(Model& model, const CheckOptions& options = {});

/// Adds to the failures what is not as it must be: the order within 0.3, the certified one not more
/// than that below the declared one, defects and drifts below 1e-10.
void judge(CheckReport& report);

/// Order on the mesh as it is (steps halved, against much smaller ones), momenta and their balance,
/// energy. Over a short time: a few million updates, times options.work.
CheckReport check_solid(const SolidModel& model, const CheckOptions& options = {});

}  // namespace varia::io
