// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The flow of a shooting-based or Taylor discrete Lagrangian, sizes known at run time.
//
//   (shooting)       L_d(q₀, q₁, h) = h Σᵢ bᵢ L(t₀+cᵢh, qⁱ, vⁱ),  (qⁱ⁺¹, vⁱ⁺¹) = Ψ_{(cᵢ₊₁-cᵢ)h}(qⁱ, vⁱ)    [Leok15]
//   (shooting-step)  G(q₀, v₀) = h Σᵢ bᵢ L,  Q(q₀, v₀) = q₁:
//                    p₁ = Q_v⁻ᵀ G_v,   p₀ = -G_q + Q_qᵀ p₁
//
// A step solves the last equation for v₀; no boundary-value problem, and no second derivative of
// the path. L_d is close to the exact one, for which p₀ = ∂L/∂v(t₀, q₀, v₀): iterations with the
// matrix ∂²L/∂v² contract by O(h^r). A step costs O(n³), as Q_v is full.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "varia/core/hidden.hpp"
#include "varia/flow/stage_flow.hpp"
#include "varia/mechanics/acceleration_system.hpp"

namespace varia {

namespace detail {
class ShootingPath;
}  // namespace detail

/// L_d and its slot derivatives; p₀ = -d1, p₁ = d2.
struct ShootingAction {
  double value = 0.0;
  Vn d1, d2;
  Vn v0;  ///< the velocity that leads from q₀ to q₁
};

class ShootingFlow : public MethodOnSystem<ShootingFlow> {
 public:
  /// Lives from step to step of one trajectory.
  class Memory : public FlowMemory {
   public:
    void exchange(SavedNumbers& numbers) override { numbers(statistics, v1, predictor); }

   private:
    friend class ShootingFlow;
    detail::Hidden<detail::ShootingPath> path;
    std::vector<double> v0;  ///< the unknown
    std::vector<double> v1;  ///< the velocity at the end of the last path, close to the next v₀
    std::vector<double> change;  ///< v₀ less v₁ of the path before
    Predictor predictor;         ///< of the change
    Vn defect;                   ///< p₀ of (shooting-step) less the one of the state
    Eigen::MatrixXd slope;  ///< ∂p₀/∂v₀ by differences, where ∂²L/∂v² does not contract
    double magnitude = 0.0;  ///< largest term of the defect
  };

  /// Throws InvalidArgument when the method is not one by shooting, its nodes do not increase within
  /// [0, 1], the system has constraints or forces, is not on ℝⁿ, or the
  /// accelerations are of another number of coordinates.
  ShootingFlow(Method method, const std::shared_ptr<const KernelSystem>& system,
               const std::shared_ptr<const AccelerationSystem>& acceleration,
               FlowOptions options = {});

  /// The flow of a method of stages on the same system, for references.
  StageFlow with_method(Method method) const {
    return StageFlow(std::move(method), system_, options_);
  }
  int unknowns() const { return system_->n; }
  FlowLaws laws() const;
  KernelList kernels() const;

  /// Throws InvalidArgument for a state that does not fit.
  Memory memory(const VectorState& s) const;
  /// The given number of steps: to the bit what so many calls of step() give. Throws NoConvergence,
  /// and SingularMass where ∂²L/∂v² is singular at the start.
  VectorState steps(VectorState s, double h, long count, Memory& memory) const;
  /// Whether differentiate() can be called: L must be known as a formula.
  bool differentiable() const { return system_->value.has_tape(); }
  /// One step, in place, and its derivative, for which the formula of L is differentiated further at the
  /// first call. Throws InvalidArgument where it is not known, for a system stated in C++.
  const StepDerivative& differentiate(VectorState& s, double h, Memory& memory) const;

  /// L_d, D₁L_d and D₂L_d for end points: (shooting) itself, with a boundary-value problem.
  ShootingAction discrete_lagrangian(double t, const Vn& q0, const Vn& q1, double h) const;

 private:
  Memory make_memory() const;
  bool evaluate(const VectorState& s, double h, Memory& memory) const;
  bool difference_slope(const VectorState& s, double h, Memory& memory) const;
  NewtonReport solve_velocity(const VectorState& s, double h, Memory& memory) const;
  void finish(VectorState& s, double h, Memory& memory) const;

  std::shared_ptr<const AccelerationSystem> acceleration_;
  FlowOptions options_;
};

}  // namespace varia
