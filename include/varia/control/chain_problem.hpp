// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A problem of least cost on a chain of steps, as an optimiser sees it.
//
//   (chain)   minimise  Σₖ fₖ(xₖ, wₖ, yₖ) + e(x_K)   subject to   Rₖ(xₖ, wₖ, yₖ) = 0,   l ≤ gₖ(xₖ, wₖ, yₖ) ≤ u,
//             l ≤ wₖ ≤ u,   S(x₀) = 0,   E(x_K) = 0
//
// The state xₖ of node k may lie on a manifold; wₖ are inputs; yₖ is what the step solves for, as many unknowns
// as it has rows Rₖ, and its last ones are xₖ₊₁. ∂Rₖ/∂yₖ is regular, so that the inputs determine the motion.
// What is one for the whole chain, such as a free end time, is a part of x that a step copies.
//
// Multipliers: the Lagrangian is Σ fₖ + ⟨ρₖ, Rₖ⟩ + ⟨zₖ, gₖ⟩ + … . Derivatives are with respect to displacements of
// the variables, in the order x, w, y; on a manifold along the retraction of `move`.
#include <Eigen/Core>
#include <string>
#include <vector>

namespace varia {

/// Numbers of unknowns and rows of one step. Entries of a state are at least as many as its degrees of freedom.
struct ChainStepSizes {
  int x = 0;  ///< degrees of freedom of xₖ
  int w = 0;  ///< inputs
  int y = 0;  ///< unknowns of the step, and rows Rₖ; the last are the degrees of freedom of xₖ₊₁
  int g = 0;          ///< inequalities
  int x_entries = 0;  ///< numbers that describe xₖ
  int y_entries = 0;  ///< numbers that describe yₖ; the last describe xₖ₊₁
  int variables() const { return x + w + y; }
};

/// Bounds; infinite where there is none.
struct ChainBounds {
  Eigen::VectorXd lower, upper;
};

/// Where the functions are evaluated: x₀, and for each step wₖ and the entries of yₖ. xₖ₊₁ is the end of yₖ.
struct ChainPoint {
  Eigen::VectorXd x0;
  std::vector<Eigen::VectorXd> w, y;
};

/// A change of a point, in degrees of freedom.
using ChainDirection = ChainPoint;

/// What a step gives. Matrices have the variables of the step as columns.
struct ChainStep {
  double cost = 0.0;
  Eigen::VectorXd rows, inequalities;
  Eigen::VectorXd gradient;           ///< of f
  Eigen::MatrixXd jacobian;           ///< of R
  Eigen::MatrixXd inequality_slopes;  ///< of g
  Eigen::MatrixXd hessian;            ///< of f + ⟨ρ, R⟩ + ⟨z, g⟩, symmetric to the bit
};

/// What one end of the chain gives: S at x₀, or e and E at x_K. Inequalities belong to steps.
struct ChainEnd {
  double cost = 0.0;
  Eigen::VectorXd rows, gradient;
  Eigen::MatrixXd jacobian;
  Eigen::MatrixXd hessian;  ///< of e + ⟨ν, rows⟩
};

enum class ChainOrder { values, slopes, all };  ///< of derivatives; all: second ones too

class ChainProblem {
 public:
  virtual ~ChainProblem() = default;

  virtual int steps() const = 0;
  virtual ChainStepSizes sizes(int k) const = 0;
  /// Degrees of freedom of x_K.
  virtual int end_size() const = 0;
  virtual int start_rows() const = 0;
  virtual int end_rows() const = 0;
  virtual ChainBounds input_bounds(int k) const = 0;
  virtual ChainBounds inequality_bounds(int k) const = 0;

  /// Step k at its part of the point. ρ and z may be empty where order is not `all`. A value that does not exist is
  /// NaN in the result; nothing is thrown for it.
  virtual void evaluate(int k, const ChainPoint& at, const Eigen::VectorXd& rho,
                        const Eigen::VectorXd& z, ChainOrder order, ChainStep& out) const = 0;
  virtual void evaluate_start(const ChainPoint& at, const Eigen::VectorXd& nu, ChainOrder order,
                              ChainEnd& out) const = 0;
  virtual void evaluate_end(const ChainPoint& at, const Eigen::VectorXd& nu, ChainOrder order,
                            ChainEnd& out) const = 0;

  /// at, moved by α d.
  virtual void move(const ChainPoint& at, const ChainDirection& d, double alpha,
                    ChainPoint& out) const;
  /// The same of x₀ and of yₖ alone. On ℝⁿ they are sums, as here; `out` may be what is moved.
  virtual void move_start(const Eigen::VectorXd& x0, const Eigen::VectorXd& d, double alpha,
                          Eigen::VectorXd& out) const;
  virtual void move_step(int k, const Eigen::VectorXd& y, const Eigen::VectorXd& d, double alpha,
                         Eigen::VectorXd& out) const;
  /// The displacement that moves the state `from` at the start of step k to `to`. On ℝⁿ it is their difference, as here.
  virtual Eigen::VectorXd difference(int k, const Eigen::VectorXd& from,
                                     const Eigen::VectorXd& to) const;
  /// Names for messages: what a row of a step, an input or a row of an end is.
  virtual std::string name_of_input(int k, int i) const = 0;
  virtual std::string name_of_inequality(int k, int i) const = 0;
  virtual std::string name_of_start_row(int i) const = 0;
  virtual std::string name_of_end_row(int i) const = 0;
};

}  // namespace varia
