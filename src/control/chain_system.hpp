// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The linear system of a Newton step on a chain, solved block by block.
//
//   (kkt)   the point where  Σₖ ½ dₖᵀHₖdₖ + tₖᵀdₖ  is stationary subject to  Jₖdₖ + Rₖ = 0,  Sₓδx₀ + S = 0,
//           Eₓδx_K + E = 0  and the joint rows of steps  Gₖdₖ + cₖ = 0,   dₖ = (δxₖ, δwₖ, δyₖ)
//
// The rows Rₖ eliminate δyₖ = F(δxₖ, δwₖ) + f. What is left is a recursion from the end: the cost to go is quadratic in
// δxₖ, with terms of the multipliers ν of ends and joints at its border,
//   V(δx, ν) = ½ δxᵀP δx + pᵀδx + νᵀ(Sᵀδx + m) + ½ νᵀMν,
// and δwₖ = K δxₖ + K_ν ν + κ. The signs of the pivots are those of the whole matrix (Sylvester), so that they tell
// whether the stationary point is a minimum.
#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>
#include <vector>

#include "chain_values.hpp"
#include "varia/control/chain_problem.hpp"

namespace varia::detail {

struct ChainSolution {
  ChainDirection d;
  std::vector<Eigen::VectorXd> rho;
  Eigen::VectorXd start, ties;  ///< multipliers of S, and of E and the joint rows
};

class ChainSystem {
 public:
  explicit ChainSystem(const ChainValues& values);

  enum class Outcome { minimum, saddle, singular };
  /// With δ added to the Hessian of inputs and states, and half of weightᵢ (tieᵢ)² to the cost, which changes no solution.
  Outcome factorise(const ChainValues& values, double delta, const Eigen::VectorXd& weights);
  /// With the slopes of the values that were factorised.
  void solve(const ChainValues& values, const ChainResidual& residual, ChainSolution& out);

  int ties() const { return ties_; }
  /// 1/W: how much the cost rises with the square of what is asked of each tie. Zero where it cannot be reached.
  const Eigen::VectorXd& stiffness() const { return stiffness_; }
  const Eigen::MatrixXd& gain(int k) const { return links_[static_cast<std::size_t>(k)].K; }

 private:
  struct Link {
    int x, w, y, next;
    Eigen::PartialPivLU<Eigen::MatrixXd> C;
    Eigen::MatrixXd F, T, Hyy, Huu, Q;  ///< T = H_yu + H_yy F
    Eigen::LLT<Eigen::MatrixXd> factor;
    Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>
        spectrum;  ///< in place of it, where a pivot is not positive
    bool definite = true;
    Eigen::MatrixXd K, Knu, L, P, S;  ///< P and S: of the cost to go from xₖ
    Eigen::VectorXd f, h, kappa, p, t;
    Eigen::VectorXd right, left;  ///< for solving
    explicit Link(const ChainStepSizes& size, int next, int ties);
    void solve_inputs(Eigen::MatrixXd& b) const;
    void solve_inputs(Eigen::VectorXd& b) const;
  };

  bool eliminate(const ChainStep& step, const Eigen::MatrixXd& P, const Eigen::MatrixXd& S,
                 double delta, const ChainJoint& joint, const Eigen::VectorXd& weights, Link& link);
  bool factorise_start(const ChainEnd& start, double delta);
  bool factorise_ties();
  void sweep_back(const std::vector<ChainJoint>& joints, const ChainResidual& r);
  void solve_ends(const ChainResidual& r, ChainSolution& out) const;
  void sweep_forward(const std::vector<ChainJoint>& joints, ChainSolution& out);

  int ties_ = 0, end_rows_ = 0, negative_ = 0, dropped_ = 0;
  std::vector<Link> links_;
  Eigen::MatrixXd end_P_, end_S_, M_;
  Eigen::VectorXd weights_, end_p_, m_;
  Eigen::VectorXd tie_size_;  ///< of the slopes of E
  // the start
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> start_rows_;
  Eigen::Index start_rank_ = 0;
  Eigen::MatrixXd P0_, free_,
      fixed_;  ///< directions of x₀ that the rows leave free, and those they fix
  Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> start_spectrum_, tie_spectrum_;
  Eigen::VectorXd tie_scale_, tie_inverse_, stiffness_;
};

}  // namespace varia::detail
