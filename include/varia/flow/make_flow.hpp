// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The one place where a method and the statement of a system become a flow.
#include <memory>
#include <optional>

#include "varia/flow/any_flow.hpp"
#include "varia/flow/one_form_flow.hpp"
#include "varia/flow/stage_flow.hpp"
#include "varia/mechanics/acceleration_system.hpp"
#include "varia/mechanics/discrete_lagrangian_system.hpp"
#include "varia/mechanics/hamiltonian_system.hpp"

namespace varia {

/// A system by its Lagrangian or by its Hamiltonian, and what some methods need beside it.
struct Statement {
  /// Its sizes only where there is a Hamiltonian.
  std::shared_ptr<const KernelSystem> lagrangian = nullptr;
  std::shared_ptr<const HamiltonianSystem> hamiltonian = nullptr;
  std::shared_ptr<const DiscreteLagrangianSystem> discrete = nullptr;  ///< the user's own
  std::shared_ptr<const AccelerationSystem> acceleration = nullptr;    ///< for methods by shooting
};

/// Steps of variable length: see flow/time_transformed.hpp and flow/energy_momentum.hpp.
struct VariableSteps {
  bool keep_energy = false;  ///< else by pace
  bool minimise = false;     ///< where no step keeps the energy
  expr::Kernel pace;         ///< none: the local period
};

/// What can be asked of a flow of some kind, beside FlowOptions.
struct FlowKinds {
  std::optional<VariableSteps> variable;
  OneFormProjection projection = OneFormProjection::symmetric;
  ExplicitLoop loop = nullptr;  ///< native code for explicit steps, made for the system
};

/// Throws InvalidArgument where the solver that is asked for is not one for these steps.
void require_solver(const Method& method, const Statement& system, const FlowOptions& options,
                    const FlowKinds& kinds = {});

/// Throws InvalidArgument when the method does not fit the system.
AnyFlow make_flow(const Method& method, const Statement& system, const FlowOptions& options = {},
                  const FlowKinds& kinds = {});

}  // namespace varia
