// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A method is a value: coefficients that turn L into a discrete Lagrangian, or a composition.
//
// A stage method discretises the path by displacements Ξⁱ and velocities Hⁱ at m quadrature points,
// linear in r unknown velocities uⱼ:
//
//   (path)   Ξⁱ = h Σⱼ Aᵢⱼ uⱼ,   Hⁱ = Σⱼ Bᵢⱼ uⱼ,   ξ = q₁ ⊖ q₀ = h Σⱼ βⱼ uⱼ
//   (Ld)     L_d(q₀, q₁, h) = ext_u h Σᵢ bᵢ L(q₀ ⊕ Ξⁱ, dτ_Ξⁱ Hⁱ)                     [MW01]
//
// One form holds them all: generalised midpoint and trapezoid (r = 1), symplectic partitioned
// Runge-Kutta (m = r, B = I, β = b), Galerkin of any degree r with any quadrature.
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "varia/core/double_double.hpp"
#include "varia/methods/quadrature.hpp"

namespace varia {

/// Numbers beyond double precision as two doubles, so that long sums see x = hi + lo [HMR08].
struct SplitArray {
  SplitArray() = default;
  explicit SplitArray(const std::vector<DoubleDouble>& x);

  std::vector<double> hi, lo;
};

/// The coefficients of (path) and (Ld), and what the stage equations make of them. Matrices are
/// m × r, row by row: element (i, j) is at i r + j.
struct StageCoefficients {
  /// c, b: quadrature on [0, 1]; A, B, beta as in (path).
  StageCoefficients(const std::vector<DoubleDouble>& c, const std::vector<DoubleDouble>& b,
                    const std::vector<DoubleDouble>& A, const std::vector<DoubleDouble>& B,
                    const std::vector<DoubleDouble>& beta);

  int points;    ///< m
  int unknowns;  ///< r
  bool nodal;    ///< B = I: the unknowns are the velocities at the quadrature points
  bool ends;  ///< nodal, q₀ and q₁ are quadrature points: constraints can hold at every point
  bool centred;  ///< one point, the middle of the chart
  SplitArray c, b, A, B, beta;
  /// Row j of the stage equations, divided by bⱼ when nodal (then row_P = I, row_beta = 1):
  /// row_P = bᵢBᵢⱼ, row_W = bᵢAᵢⱼ, row_D = bᵢ(Aᵢⱼ - βⱼ), row_beta = βⱼ.
  SplitArray row_P, row_W, row_D, row_beta;
};

/// A method of general ODE theory, for comparison only: it integrates the equations of motion and
/// has no discrete Lagrangian.
struct Baseline {
  enum class Kind { explicit_euler, rk4, dopri5, rkmk } kind = Kind::rk4;
  double tolerance = 0.0;  ///< relative and absolute, of an adaptive method
  int stages = 0;          ///< of collocation

  /// It moves in the chart of a retraction, by RkmkFlow; others are for ℝⁿ, by BaselineFlow.
  bool on_groups() const { return kind == Kind::rkmk; }
};

/// The family of Newmark on L = ½vᵀMv - V(q) + force, a map of (q, v): (Newmark) [MW01]. It is no
/// stage method: for γ = ½ it keeps a two-form and momenta of its own, see flow/newmark_form.hpp.
struct Newmark {
  double beta = 0.25, gamma = 0.5;
};

/// A discrete Lagrangian by shooting: L along a one-step method from q₀ to q₁, and a quadrature,
/// (shooting) [Leok15]. It is no stage method and runs by ShootingFlow.
struct ShootingScheme {
  enum class Step { runge_kutta, taylor };
  Step step = Step::runge_kutta;  ///< the one-step method
  int step_order = 4;             ///< its order
  Quadrature rule;

  int order() const { return step_order < rule.order ? step_order : rule.order; }
};

/// The user's own discrete Lagrangian, of which a method knows the declared order only. It runs by
/// DiscreteFlow for callables, by DiscreteLagrangianFlow for formulas.
struct OwnLagrangian {};

/// Every term of the potential with a step of its own [LMOW03]: a method of terms/, not of one step.
struct Asynchronous {};

/// What the order of a composition rests on, besides the orders of its parts.
enum class RestsOn {
  parts,            ///< nothing else
  symmetric_parts,  ///< every part is symmetric: the even error terms are missing
  adjoint_pairs,    ///< euler_a and euler_b are adjoint to each other
  /// L = ½vᵀMv - V(t, q) with constant M on ℝⁿ, no force, no constraint: (nystrom) [BM02]
  kicks_and_drifts
};

inline constexpr int max_taylor_order = 20;

class Method {
 public:
  /// What has neither stages nor substeps.
  using Special =
      std::variant<std::monostate, Baseline, Newmark, ShootingScheme, OwnLagrangian, Asynchronous>;
  /// See newmark(), shooting(), rk4() and the others of methods.hpp, which check the parameters.
  Method(std::string name, int order, bool symmetric, Special special);
  /// A method of stages. explicit_alpha: the α of the trapezoid rule it equals on separable systems.
  Method(std::string name, int order, bool symmetric, bool symmetric_on_groups,
         StageCoefficients coefficients, std::optional<double> explicit_alpha = std::nullopt);

  const std::string& name() const { return data_->name; }
  /// Order of convergence on unconstrained systems.
  int order() const { return data_->order; }
  /// Self-adjoint on vector spaces.
  bool symmetric() const { return data_->symmetric; }
  /// Self-adjoint on Lie groups too, with the exponential retraction.
  bool symmetric_on_groups() const { return data_->symmetric_on_groups; }
  /// And with any other: a composition of parts with their adjoints.
  bool symmetric_with_any_retraction() const { return data_->mirrored; }
  /// The α with which L_d is the trapezoid rule's, explicit on separable systems.
  const std::optional<double>& explicit_alpha() const { return data_->explicit_alpha; }
  /// Order on a constraint manifold; 0 when the method cannot be used there.
  int constrained_order() const;

  /// Whether it can hold nonholonomic constraints: its points are nodes, with both ends, (rolling), or
  /// it has one in the middle, (dla).
  bool holds_nonholonomic() const;
  /// Whether steps with such constraints begin with the multipliers of the state: those of (rolling) do,
  /// those of (dla) find their own.
  bool begins_with_multipliers() const;
  /// The order of such multipliers where they are propagated from step to step, by a stage method.
  int propagated_order() const;

  /// What the method is if it is not variational; null if it is.
  const Baseline* baseline() const { return std::get_if<Baseline>(&data_->special); }

  /// The parameters of Newmark's method, which runs by NewmarkFlow; null for all others.
  const Newmark* newmark() const { return std::get_if<Newmark>(&data_->special); }
  /// The parameters of a method by shooting, which runs by ShootingFlow; null for all others.
  const ShootingScheme* shooting() const { return std::get_if<ShootingScheme>(&data_->special); }
  /// Not null where the discrete Lagrangian is the user's own.
  const OwnLagrangian* own_lagrangian() const {
    return std::get_if<OwnLagrangian>(&data_->special);
  }
  /// Not null for avi.
  const Asynchronous* asynchronous() const { return std::get_if<Asynchronous>(&data_->special); }
  /// Neither stages, nor a composition, nor a baseline: a flow of its own, named by flow_name().
  bool has_own_flow() const {
    return newmark() || shooting() || own_lagrangian() || asynchronous();
  }
  std::string flow_name() const;

  /// It comes from a discrete Lagrangian: all but baselines and Newmark's method with γ ≠ ½.
  bool variational() const;

  RestsOn rests_on() const { return data_->rests_on; }
  /// The order needs parts that are symmetric, or adjoint to each other, also on the space at hand.
  bool rests_on_symmetry() const { return data_->rests_on != RestsOn::parts; }
  /// Has its order, and is allowed, only on declared separable systems: see kicks_and_drifts.
  bool needs_separable() const;

  /// The coefficients of a stage method, or of the adjoint of one on vector spaces; null for all
  /// others.
  const StageCoefficients* stages() const { return data_->stages ? &*data_->stages : nullptr; }
  /// The substeps of a composition, first applied first: method and fraction of the step.
  const std::vector<std::pair<Method, double>>& substeps() const { return data_->substeps; }
  /// The method that this is the adjoint of, if it was made by adjoint(). On a curved space the
  /// adjoint of a stage method is not a stage method.
  const Method* adjoint_of() const { return data_->original ? data_->original.get() : nullptr; }

  friend Method adjoint(const Method& method);
  friend Method compose(std::vector<std::pair<Method, double>> substeps, int order,
                        std::string name, RestsOn rests_on);

 private:
  struct Data {
    std::string name;
    int order = 0;
    bool symmetric = false;
    bool symmetric_on_groups = false;
    bool mirrored = false;  ///< each substep has its adjoint on the other side
    RestsOn rests_on = RestsOn::parts;
    std::optional<StageCoefficients> stages = {};
    std::optional<double> explicit_alpha = {};
    std::vector<std::pair<Method, double>> substeps = {};
    std::shared_ptr<const Method> original = {};
    Special special = {};
  };
  explicit Method(Data data);

  std::shared_ptr<const Data> data_;
};

/// The adjoint (F*)ʰ = (F⁻ʰ)⁻¹ of a method with a discrete Lagrangian on T*Q; its discrete Lagrangian is -L_d(q₁, q₀, -h).
Method adjoint(const Method& method);

/// F_s^{γ_s h} ∘ … ∘ F_1^{γ_1 h}. The fractions γ must sum to 1 and may be negative. The order is
/// the caller's statement (0: that of the lowest part); check_order measures it. The name, if none
/// is given, is "compose(F_1: γ_1, …)", as parse_method reads it.
Method compose(std::vector<std::pair<Method, double>> substeps, int order = 0,
               std::string name = "", RestsOn rests_on = RestsOn::parts);

/// F^{γh} ∘ F^{(1-2γ)h} ∘ F^{γh} with γ = 1/(2 - 2^{1/(r+1)}): order r+2 from a symmetric F of order r.
Method triple_jump(const Method& method);

}  // namespace varia
