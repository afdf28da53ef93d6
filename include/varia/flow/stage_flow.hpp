// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The discrete flow of a KernelSystem: the stage equations for spaces and sizes known at run time.
//
// Compiled once, for any space and any number of coordinates and constraints. The Jacobian of a step has the
// zeros of the Lagrangian's second derivatives: a chain costs O(n), see StructuredLU. On separable
// systems the explicit methods run without a solve, in native code where there is some.
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "varia/core/hidden.hpp"
#include "varia/flow/flow_memory.hpp"
#include "varia/flow/flow_options.hpp"
#include "varia/flow/kernel_calls.hpp"
#include "varia/flow/kernel_start.hpp"
#include "varia/flow/legendre_transform.hpp"
#include "varia/flow/method_on_system.hpp"
#include "varia/flow/predictor.hpp"
#include "varia/flow/step_derivative.hpp"
#include "varia/methods/legs.hpp"
#include "varia/solve/newton.hpp"
#include "varia/solve/structured.hpp"

namespace varia {

/// count explicit steps in native code on s = (t_rest, t, q, q_rest, p, p_rest, ∂V/∂q at q), each
/// of so many legs (a drift each, and one more kick), with the inverse masses and the free parameters.
/// The result is the number done; fewer than count when numbers stopped being finite.
using ExplicitLoop = long (*)(double* s, double h, const double* drifts, const double* kicks,
                              long legs, long count, const double* inverse_mass,
                              const double* parameters);

namespace detail {

/// A matrix entry of the Jacobian that a value of a pattern goes to.
struct Scatter {
  int value, row, column;
};

struct InverseWork;
struct Stages;
class StageSolver;
class TurnCheck;

}  // namespace detail

class StageFlow : public MethodOnSystem<StageFlow> {
 public:
  /// Lives from step to step of one trajectory.
  class Memory : public FlowMemory {
   public:
    void exchange(SavedNumbers& numbers) override;
    /// The unknown velocities of the last step, stage after stage; none for compositions.
    std::vector<double> velocities() const;

   private:
    friend class StageFlow;
    void exchange_solvers(SavedNumbers& numbers);

    detail::Hidden<detail::StageSolver> solver;   ///< of a method of stages
    detail::Hidden<detail::InverseWork> inverse;  ///< of an adjoint that is none of stages
    std::vector<std::unique_ptr<Memory>> parts;   ///< one for each substep of a composition
    std::optional<Legs> legs;                     ///< of an explicit method or composition
    std::vector<double> work;                     ///< of the explicit steps
    std::vector<int> left_out;                    ///< constraints that follow from others
  };

  StageFlow(Method method, std::shared_ptr<const KernelSystem> system, FlowOptions options = {});

  const FlowOptions& options() const { return options_; }
  StageFlow with_method(Method method) const {
    return StageFlow(std::move(method), system_, options_);
  }

  /// Native code for explicit steps, made for this system; null: the loop in C++.
  void use_loop(ExplicitLoop loop) { loop_ = loop; }
  /// The velocity that a first guess is made of; none: that of the Legendre transform.
  using Guess = std::function<void(const VectorState&, double* v)>;
  void use_guess(Guess guess) { guess_ = std::move(guess); }

  bool is_explicit() const { return is_explicit(method_); }
  /// Unknowns of one solve, and the diagonals of its matrix; 0 for explicit methods.
  int unknowns() const;
  bool banded() const;
  /// Diagonals on each side that may be nonzero; what a step costs is O(unknowns() bandwidth()²).
  int bandwidth() const;
  FlowLaws laws() const;
  KernelList kernels() const;

  /// Throws DependentConstraints where the constraints are not independent, unless
  /// options().leave_out_dependent allows to leave some of them out.
  Memory memory(const VectorState& s) const;
  /// The given number of steps: to the bit what so many calls of step() give.
  VectorState steps(VectorState s, double h, long count, Memory& memory) const {
    move(s, h, count, memory);
    return s;
  }
  /// The same in place, without any allocation once the memory has seen a step. When it throws, s is
  /// not a state.
  void move(VectorState& s, double h, long count, Memory& memory) const;
  /// Whether differentiate() can be called: not for adjoints that are found by iteration with constraints,
  /// and not where nonholonomic constraints stand in the middle of a step.
  bool differentiable() const;
  /// One step in place, and its derivative, which the memory keeps until the next call. Remainders of
  /// rounding count as parts of the numbers they belong to.
  const StepDerivative& differentiate(VectorState& s, double h, Memory& memory) const;
  /// One step by the stage equations: s becomes its end; the result is h Σ bᵢ L at the points, or
  /// (phase-action) of a system stated by its Hamiltonian, summed over the substeps of a composition.
  double action(VectorState& s, double h) const;
  /// The last step once more, of the same size, from a start nearby: its solution is the guess. For a
  /// method of stages; not counted as a step.
  void repeat(VectorState& s, double h, Memory& memory) const;
  const StepDerivative& repeat_differentiated(VectorState& s, double h, Memory& memory) const;

 private:
  bool is_explicit(const Method& method) const;
  Memory make_memory(const Method& method, const std::vector<int>& left_out) const;
  std::vector<int> dependent(const VectorState& s) const;
  [[noreturn]] void fail(const Method& method, const VectorState& s, double h,
                         const NewtonReport& report, const std::vector<int>& left_out) const;
  void require_solution(const Method& method, const VectorState& s, double h,
                        const std::vector<int>& left_out) const;
  void advance(const Method& method, VectorState& s, double h, Memory& memory,
               bool differentiated = false) const;
  void advance_part(const Method& part, VectorState& s, double h, Memory& memory,
                    std::size_t number, bool differentiated = false) const;
  void advance_parts(const Method& method, VectorState& s, double h, Memory& memory,
                     bool differentiated) const;
  const char* without_derivative() const;
  bool begins_at_points(const Method& method) const;
  void differentiate_stages(const VectorState& start, const VectorState& end, double h,
                            Memory& memory) const;
  void differentiate_legs(const VectorState& start, double h, Memory& memory) const;
  void differentiate_inverse(const Method& forward, const VectorState& end, double h,
                             Memory& memory) const;
  void require_separable() const;
  FlowLaws rolling_laws(FlowLaws laws) const;
  void require_symmetric_parts(const Method& method) const;
  bool reverses_stages(const Method& method) const;
  bool needs_inverse(const Method& method) const;
  bool reversible() const;
  bool has_inverse(const Method& method) const;
  double improve_inverse(const Method& forward, double h, Memory& memory) const;
  void inverse_step(const Method& forward, VectorState& s, double h, Memory& memory) const;
  const detail::Stages& first_stages(std::unique_ptr<detail::Stages>& made) const;
  void explicit_steps(const Legs& legs, VectorState& s, double h, long count, Memory& memory) const;
  void drift(double h, double* q, double* q_rest, const double* p, const double* kicks) const;
  long explicit_loop(const Legs& legs, double* s, double h, long count, double* kicks) const;
  double action(const Method& method, VectorState& s, double h, Memory& memory) const;
  void kick_drift(const Legs& legs, VectorState& s, double h, long count, Memory& memory) const;
  void require_turn(const Method& method, detail::TurnCheck& turn, const VectorState& end, double h,
                    const Memory& memory) const;
  void stage_step(const Method& method, VectorState& s, double h, Memory& memory,
                  bool repeated = false) const;

  FlowOptions options_;
  ExplicitLoop loop_ = nullptr;
  Guess guess_;
  std::vector<double> inverse_diagonal_;  ///< of the mass of a separable system
  Eigen::MatrixXd inverse_mass_;          ///< the same when it is not diagonal
};

}  // namespace varia
