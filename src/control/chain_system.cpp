// SPDX-License-Identifier: BSD-3-Clause
#include "chain_system.hpp"

#include <algorithm>
#include <cmath>

#include "varia/core/index.hpp"

namespace varia::detail {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

/// Below it a pivot counts as zero, in units of the largest one.
constexpr double singular_pivot = 1e-14;
/// Rows of the start that depend on others by as much as this are left out.
constexpr double dependent_row = 1e-10;
/// A combination of ties that is moved as little as this, with each of them scaled to 1, cannot be reached.
constexpr double unreachable = 1e-11;

/// An effect on a tie is zero below it, in units of the terms of its sum: a row of the end that each motion meets by
/// itself, as a velocity that a constraint forbids, does not look like one that is hard to reach.
constexpr double round_off = 1e-14;

/// The number of negative ones, or -1 where one is zero.
int count_negative(const VectorXd& pivots) {
  if (pivots.size() == 0) return 0;
  const double least = singular_pivot * pivots.cwiseAbs().maxCoeff();
  if (!(pivots.cwiseAbs().minCoeff() > least)) return -1;
  return static_cast<int>((pivots.array() < 0.0).count());
}

}  // namespace

ChainSystem::Link::Link(const ChainStepSizes& size, int next_size, int ties)
    : x(size.x), w(size.w), y(size.y), next(next_size), C(size.y), factor(size.w) {
  const int u = x + w;
  F.resize(y, u);
  T.resize(y, u);
  Hyy.resize(y, y);
  Huu.resize(u, u);
  Q.resize(u, u);
  K.resize(w, x);
  Knu.resize(w, ties);
  L.resize(u, ties);
  P.resize(x, x);
  S.resize(x, ties);
  for (VectorXd* v : {&f, &h, &left}) v->resize(y);
  kappa.resize(w);
  p.resize(x);
  t.resize(y);
  right.resize(u);
}

void ChainSystem::Link::solve_inputs(MatrixXd& b) const {
  if (definite)
    factor.solveInPlace(b);
  else
    b = (spectrum.eigenvectors() * (spectrum.eigenvalues().cwiseInverse().asDiagonal() *
                                    (spectrum.eigenvectors().transpose() * b)))
            .eval();
}
void ChainSystem::Link::solve_inputs(VectorXd& b) const {
  if (definite)
    factor.solveInPlace(b);
  else
    b = (spectrum.eigenvectors() * spectrum.eigenvalues().cwiseInverse().cwiseProduct(
                                       spectrum.eigenvectors().transpose() * b))
            .eval();
}

ChainSystem::ChainSystem(const ChainValues& values)
    : ties_(static_cast<int>(values.ties().size())), end_rows_(values.problem().end_rows()) {
  const ChainProblem& problem = values.problem();
  const int count = problem.steps();
  links_.reserve(sz(count));
  for (int k = 0; k < count; ++k)
    links_.emplace_back(problem.sizes(k),
                        k + 1 < count ? problem.sizes(k + 1).x : problem.end_size(), ties_);
}

bool ChainSystem::eliminate(const ChainStep& step, const MatrixXd& P, const MatrixXd& S,
                            double delta, const ChainJoint& joint, const VectorXd& weights,
                            Link& link) {
  const int u = link.x + link.w, y = link.y, w = link.w, x = link.x;
  link.C.compute(step.jacobian.rightCols(y));
  link.F = link.C.solve(step.jacobian.leftCols(u));
  link.F = -link.F;

  link.Hyy = step.hessian.bottomRightCorner(y, y);
  link.Hyy.bottomRightCorner(link.next, link.next) += P;
  link.Hyy.diagonal().tail(link.next).array() += delta;
  link.T = step.hessian.bottomLeftCorner(y, u);
  link.Q = step.hessian.topLeftCorner(u, u);
  link.Q.diagonal().tail(w).array() += delta;
  link.L.noalias() = link.F.bottomRows(link.next).transpose() * S;
  if (ties_ > 0)
    link.L = (link.L.array().abs() >
              round_off * (link.F.bottomRows(link.next).cwiseAbs().colwise().sum().transpose() *
                           tie_size_.transpose())
                              .array())
                 .select(link.L, 0.0);
  if (const Index rows = joint.slopes.rows(); rows > 0) {
    const auto Gu = joint.slopes.leftCols(u), Gy = joint.slopes.rightCols(y);
    const auto D = weights.segment(joint.first, rows).asDiagonal();
    link.Hyy += Gy.transpose() * D * Gy;
    link.T += Gy.transpose() * D * Gu;
    link.Q += Gu.transpose() * D * Gu;
    link.L.middleCols(joint.first, rows) += Gu.transpose() + link.F.transpose() * Gy.transpose();
  }
  link.Q.noalias() += link.T.transpose() * link.F;
  link.T.noalias() += link.Hyy * link.F;
  link.Q.noalias() += link.F.transpose() * link.T;
  if (!link.Q.allFinite()) return false;

  const auto Qww = link.Q.bottomRightCorner(w, w);
  link.definite = link.factor.compute(Qww).info() == Eigen::Success;
  if (link.definite && w > 0) {
    const auto pivots = link.factor.matrixLLT().diagonal().array().square();
    link.definite = pivots.minCoeff() > singular_pivot * Qww.diagonal().maxCoeff();
  }
  if (!link.definite) {
    const int negative = count_negative(link.spectrum.compute(Qww).eigenvalues());
    if (negative < 0) return false;
    negative_ += negative;
  }
  link.K = -link.Q.bottomLeftCorner(w, x);
  link.solve_inputs(link.K);
  link.P = link.Q.topLeftCorner(x, x);
  link.P.noalias() += link.Q.topRightCorner(x, w) * link.K;
  link.P = (0.5 * (link.P + link.P.transpose())).eval();
  if (ties_ > 0) {
    link.Knu = -link.L.bottomRows(w);
    link.solve_inputs(link.Knu);
    link.S = link.L.topRows(x);
    link.S.noalias() += link.K.transpose() * link.L.bottomRows(w);
    M_.noalias() += link.L.bottomRows(w).transpose() * link.Knu;
  }
  return true;
}

ChainSystem::Outcome ChainSystem::factorise(const ChainValues& values, double delta,
                                            const VectorXd& weights) {
  const ChainEnd& end = values.end;
  negative_ = dropped_ = 0;
  weights_ = weights;
  M_ = MatrixXd::Zero(ties_, ties_);
  end_S_ = MatrixXd::Zero(end.jacobian.cols(), ties_);
  end_S_.leftCols(end_rows_) = end.jacobian.transpose();
  tie_size_ = VectorXd::Zero(ties_);
  if (end_rows_ > 0) tie_size_.head(end_rows_) = end.jacobian.cwiseAbs().rowwise().maxCoeff();
  end_P_ = end.hessian;
  end_P_ += end.jacobian.transpose() * weights.head(end_rows_).asDiagonal() * end.jacobian;
  const MatrixXd *P = &end_P_, *S = &end_S_;
  for (std::size_t k = links_.size(); k-- > 0;) {
    if (!eliminate(values.steps[k], *P, *S, delta, values.joints()[k], weights, links_[k]))
      return Outcome::singular;
    P = &links_[k].P;
    S = &links_[k].S;
  }
  if (!factorise_start(values.start, delta) || !factorise_ties()) return Outcome::singular;
  return negative_ == ties_ - dropped_ ? Outcome::minimum : Outcome::saddle;
}

bool ChainSystem::factorise_start(const ChainEnd& start, double delta) {
  const Link& first = links_.front();
  P0_ = first.P;
  if (start.hessian.size() > 0) P0_ += start.hessian;
  P0_.diagonal().array() += delta;
  MatrixXd Q = MatrixXd::Identity(first.x, first.x);
  start_rank_ = 0;
  if (start.jacobian.rows() > 0) {
    start_rows_.setThreshold(dependent_row);
    start_rows_.compute(start.jacobian.transpose());
    start_rank_ = start_rows_.rank();
    Q = start_rows_.householderQ();
  }
  fixed_ = Q.leftCols(start_rank_);
  free_ = Q.rightCols(first.x - start_rank_);
  if (free_.cols() == 0) return true;
  const int negative =
      count_negative(start_spectrum_.compute(free_.transpose() * P0_ * free_).eigenvalues());
  if (negative < 0) return false;
  negative_ += negative;
  return true;
}

bool ChainSystem::factorise_ties() {
  tie_scale_ = tie_inverse_ = stiffness_ = VectorXd::Zero(ties_);
  if (ties_ == 0) return true;
  MatrixXd W = -M_;
  if (free_.cols() > 0) {
    const MatrixXd B =
        start_spectrum_.eigenvectors().transpose() * free_.transpose() * links_.front().S;
    W += B.transpose() * start_spectrum_.eigenvalues().cwiseInverse().asDiagonal() * B;
  }
  if (!W.allFinite()) return false;
  for (int i = 0; i < ties_; ++i) {
    const double w = std::abs(W(i, i));
    tie_scale_[i] = w > 0.0 ? 1.0 / std::sqrt(w) : 0.0;
    stiffness_[i] = w > 0.0 ? std::max(0.0, 1.0 / w - weights_[i]) : 0.0;
  }
  tie_spectrum_.compute(tie_scale_.asDiagonal() * W * tie_scale_.asDiagonal());
  for (int i = 0; i < ties_; ++i) {
    const double value = tie_spectrum_.eigenvalues()[i];
    if (std::abs(value) < unreachable) {
      ++dropped_;
    } else {
      tie_inverse_[i] = 1.0 / value;
      negative_ += value > 0.0 ? 1 : 0;
    }
  }
  return true;
}

void ChainSystem::sweep_back(const std::vector<ChainJoint>& joints, const ChainResidual& r) {
  const VectorXd pull = weights_.cwiseProduct(r.ties);
  end_p_ = r.end_gradient + end_S_.leftCols(end_rows_) * pull.head(end_rows_);
  m_ = r.ties;
  const VectorXd* p = &end_p_;
  const MatrixXd* S = &end_S_;
  for (std::size_t k = links_.size(); k-- > 0;) {
    Link& link = links_[k];
    const int u = link.x + link.w;
    link.f = link.C.solve(r.rows[k]);
    link.f = -link.f;
    link.t = r.gradient[k].tail(link.y);
    link.t.tail(link.next) += *p;
    link.right = r.gradient[k].head(u);
    const MatrixXd& G = joints[k].slopes;
    if (G.rows() > 0) {
      const auto here = pull.segment(joints[k].first, G.rows());
      link.t += G.rightCols(link.y).transpose() * here;
      link.right += G.leftCols(u).transpose() * here;
      m_.segment(joints[k].first, G.rows()) += G.rightCols(link.y) * link.f;
    }
    link.right.noalias() += link.F.transpose() * link.t;
    link.right.noalias() += link.T.transpose() * link.f;
    link.h.noalias() = link.Hyy * link.f;
    link.kappa = -link.right.tail(link.w);
    link.solve_inputs(link.kappa);
    link.p = link.right.head(link.x);
    link.p.noalias() += link.K.transpose() * link.right.tail(link.w);
    if (ties_ > 0) {
      m_.noalias() += S->transpose() * link.f.tail(link.next);
      m_.noalias() += link.L.bottomRows(link.w).transpose() * link.kappa;
    }
    p = &link.p;
    S = &link.S;
  }
}

/// The direction at the start, with the multipliers of the start and of the ties.
void ChainSystem::solve_ends(const ChainResidual& r, ChainSolution& out) const {
  const Link& first = links_.front();
  const VectorXd p0 = first.p + r.start_gradient;
  VectorXd dx = VectorXd::Zero(first.x);
  MatrixXd R;
  if (start_rank_ > 0) {
    R = start_rows_.matrixR().topLeftCorner(start_rank_, start_rank_);
    const VectorXd s = (start_rows_.colsPermutation().transpose() * r.start_rows).head(start_rank_);
    dx = -fixed_ * R.triangularView<Eigen::Upper>().transpose().solve(s);
  }
  const auto reduced = [&](const VectorXd& g) -> VectorXd {
    const MatrixXd& V = start_spectrum_.eigenvectors();
    return free_ * (V * start_spectrum_.eigenvalues().cwiseInverse().cwiseProduct(
                            V.transpose() * (free_.transpose() * g)));
  };
  const bool any = free_.cols() > 0;
  out.ties = VectorXd::Zero(ties_);
  if (ties_ > 0) {
    VectorXd b = m_ + first.S.transpose() * dx;
    if (any) b -= first.S.transpose() * reduced(p0 + P0_ * dx);
    const MatrixXd& V = tie_spectrum_.eigenvectors();
    out.ties = tie_scale_.cwiseProduct(
        V * tie_inverse_.cwiseProduct(V.transpose() * tie_scale_.cwiseProduct(b)));
  }
  VectorXd g = p0 + P0_ * dx;
  if (ties_ > 0) g += first.S * out.ties;
  if (any) {
    const VectorXd more = reduced(g);
    dx -= more;
    g -= P0_ * more;
  }
  out.start = VectorXd::Zero(r.start_rows.size());
  if (start_rank_ > 0) {
    out.start.head(start_rank_) = -R.triangularView<Eigen::Upper>().solve(fixed_.transpose() * g);
    out.start = (start_rows_.colsPermutation() * out.start).eval();
  }
  out.d.x0 = dx;
}

/// Along the chain, from the start.
void ChainSystem::sweep_forward(const std::vector<ChainJoint>& joints, ChainSolution& out) {
  VectorXd dx = out.d.x0;
  const std::size_t count = links_.size();
  out.d.w.resize(count);
  out.d.y.resize(count);
  out.rho.resize(count);
  for (std::size_t k = 0; k < count; ++k) {
    Link& link = links_[k];
    const MatrixXd& next_S = k + 1 < count ? links_[k + 1].S : end_S_;
    VectorXd& dw = out.d.w[k];
    dw = link.kappa;
    dw.noalias() += link.K * dx;
    if (ties_ > 0) dw.noalias() += link.Knu * out.ties;
    link.right << dx, dw;
    VectorXd& dy = out.d.y[k];
    dy = link.f;
    dy.noalias() += link.F * link.right;
    // t and h are those of the backward sweep
    link.left = link.t + link.h;
    link.left.noalias() += link.T * link.right;
    if (ties_ > 0) link.left.tail(link.next).noalias() += next_S * out.ties;
    const MatrixXd& G = joints[k].slopes;
    if (G.rows() > 0)
      link.left += G.rightCols(link.y).transpose() * out.ties.segment(joints[k].first, G.rows());
    out.rho[k] = link.C.transpose().solve(link.left);
    out.rho[k] = -out.rho[k];
    dx = dy.tail(link.next);
  }
}

void ChainSystem::solve(const ChainValues& values, const ChainResidual& r, ChainSolution& out) {
  sweep_back(values.joints(), r);
  solve_ends(r, out);
  sweep_forward(values.joints(), out);
}

}  // namespace varia::detail
