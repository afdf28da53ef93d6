// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Optimal control of a mechanical system by its discrete variational equations.
//
//   minimise  ∫ C(t, q, v, a, u, θ) dt + e   along   d/dt ∂L/∂v - ∂L/∂q = f(t, q, v, a, u, θ),   ȧ = g(t, q, v, a, u, θ)
//
// with inputs u, auxiliary states a, parameters θ that are to be found, conditions at the ends, bounds and path
// inequalities. The method's own quadrature sums the cost, and the inputs have a value at each of its points:
// DMOCC with the order of the integrator [Sato19].
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "varia/control/chain_problem.hpp"
#include "varia/control/optimise.hpp"
#include "varia/core/types.hpp"
#include "varia/expr/graph.hpp"
#include "varia/flow/flow_options.hpp"
#include "varia/mechanics/make_kernel_system.hpp"
#include "varia/methods/method.hpp"
#include "varia/space/retraction.hpp"

namespace varia {

/// Where the variables of the formulas begin: t, entries of q, v, p, auxiliary states, inputs, parameters.
struct ControlVariables {
  ControlVariables(const ProductSpace& space, int states, int inputs, int parameters);
  int t = 0, q = 1, v, p, a, u, theta, end;
};

struct ControlInequality {
  expr::Id f = 0;  ///< of t, q, v, a, u, θ
  double lower, upper;
  std::string name;
};
struct ControlRow {
  expr::Id f = 0;  ///< of t, q, v, p, a, θ: it vanishes
  std::string name;
};
/// What is bounded by itself: an input, a parameter.
struct ControlRange {
  std::string name;
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
};

struct ControlFormulas {
  /// The force may contain all; constraints and L what they contain without control, and θ.
  KernelFormulas system;
  std::vector<expr::Id> rates;  ///< of the auxiliary states
  std::vector<ControlRange> inputs, parameters;
  expr::Id cost = 0;        ///< C
  expr::Id final_cost = 0;  ///< e, of t, q, v, p, a, θ at the end
  std::vector<ControlInequality> path;
  std::vector<ControlRow> start, end;
  Multipliers multipliers = Multipliers::propagate;  ///< of nonholonomic constraints
};

struct ControlTime {
  double start = 0.0, end = 1.0;  ///< a free end: the guess
  int steps = 1;
  std::optional<ControlRange> free_end;  ///< bounds of the end time, where it is free
};

/// The guess as functions of time; what is not given is 0, or follows from q.
struct ControlGuess {
  std::function<void(double t, double* q)> q;  ///< entries
  std::function<void(double t, double* a)> a;
  std::function<void(double t, double* u)> u;
  std::vector<double> parameters;
};

/// The motion of an optimum, node by node, inputs point by point.
struct ControlMotion {
  std::vector<double> t;
  std::vector<Vn> q, v, p, a;                       ///< q: entries
  std::vector<Vn> costate_q, costate_p, costate_a;  ///< the rate of the cost to go in δ, p, a
  std::vector<double> c;                            ///< points of a step in [0, 1]
  std::vector<std::vector<Vn>> u;                   ///< by step and point
  Vn parameters;
};

class ControlProblem final : public ChainProblem {
 public:
  /// Throws InvalidArgument for what cannot be: a method without stages, inputs that occur nowhere, more conditions at an
  /// end than degrees of freedom.
  ControlProblem(expr::Graph& graph, const ControlFormulas& formulas, const Method& method,
                 const ControlTime& time, Retraction tau = default_retraction);
  ~ControlProblem() override;

  ChainPoint guess(const ControlGuess& guess) const;
  ControlMotion motion(const Optimum& optimum) const;

  int steps() const override;
  ChainStepSizes sizes(int k) const override;
  int end_size() const override;
  int start_rows() const override;
  int end_rows() const override;
  ChainBounds input_bounds(int k) const override;
  ChainBounds inequality_bounds(int k) const override;
  void evaluate(int k, const ChainPoint& at, const Eigen::VectorXd& rho, const Eigen::VectorXd& z,
                ChainOrder order, ChainStep& out) const override;
  void evaluate_start(const ChainPoint& at, const Eigen::VectorXd& nu, ChainOrder order,
                      ChainEnd& out) const override;
  void evaluate_end(const ChainPoint& at, const Eigen::VectorXd& nu, ChainOrder order,
                    ChainEnd& out) const override;
  void move_start(const Eigen::VectorXd& x0, const Eigen::VectorXd& d, double alpha,
                  Eigen::VectorXd& out) const override;
  void move_step(int k, const Eigen::VectorXd& y, const Eigen::VectorXd& d, double alpha,
                 Eigen::VectorXd& out) const override;
  Eigen::VectorXd difference(int k, const Eigen::VectorXd& from,
                             const Eigen::VectorXd& to) const override;
  std::string name_of_input(int k, int i) const override;
  std::string name_of_inequality(int k, int i) const override;
  std::string name_of_start_row(int i) const override;
  std::string name_of_end_row(int i) const override;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace varia
