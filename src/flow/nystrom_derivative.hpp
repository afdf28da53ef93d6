// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The derivative of steps that go by accelerations: explicit Runge-Kutta methods and Newmark's.
//
// Both are Nyström methods of which a stage knows itself and those before it:
//
//   Qⁱ = q₀ + cᵢh v₀ + h² Σ āᵢⱼ aⱼ,   Vⁱ = v₀ + h Σ aᵢⱼ aⱼ,   r(t₀ + cᵢh, Qⁱ, Vⁱ, aᵢ) = 0
//   q₁ = q₀ + h v₀ + h² Σ b̄ᵢ aᵢ,      v₁ = v₀ + h Σ bᵢ aᵢ,    p = ∂L/∂v(t, q, v) at both ends
//
// with ā = a², b̄ = aᵀb for Runge-Kutta methods. The first stage is the start.
#include <vector>

#include "motion_derivative.hpp"

namespace varia::detail {

struct Nystrom {
  Vn c, b, b_bar;
  Eigen::MatrixXd a, a_bar;
};

class NystromDerivative final : public StepDerivative {
 public:
  NystromDerivative(const KernelSystem& system, Nystrom method)
      : f_(system), k_(std::move(method)), end_(system) {}

  void clear() { used_ = 0; }
  /// A step of size h from (t, q, v), of which the stages had these accelerations. The last one takes up
  /// the change of the whole step, others keep their length.
  void add(double t, double h, const Vn& q, const Vn& v, std::vector<Vn> accelerations);
  void forward(PhaseVector& z) const override;
  void transposed(PhaseVector& z) const override;

 private:
  struct Step {
    double h = 0.0;
    Vn v;
    std::vector<Vn> a;
    std::vector<MotionDerivative> stages;
  };

  const KernelSystem& f_;
  Nystrom k_;
  std::vector<Step> steps_;  ///< as many as were ever needed
  std::size_t used_ = 0;
  MotionDerivative end_;
};

}  // namespace varia::detail
