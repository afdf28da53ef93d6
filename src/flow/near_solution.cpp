// SPDX-License-Identifier: BSD-3-Clause
#include "near_solution.hpp"

#include <algorithm>
#include <cmath>

#include "stages.hpp"
#include "varia/core/error.hpp"

namespace varia::detail {

TurnCheck::TurnCheck(const KernelSystem& f, Retraction tau)
    : f_(f), tau_(tau), legendre_(f), v0_(Vn::Zero(f.n)), v1_(Vn::Zero(f.n)), turn_(Vn::Zero(f.n)) {
  start_.q.setZero(f.entries);
  for (Vn* x : {&start_.p, &start_.q_rest, &start_.p_rest}) x->setZero(f.n);
  start_.lambda.setZero(f.d + f.e);
}

std::optional<OtherTurn> TurnCheck::other(const VectorState& end, double h, const double* shift) {
  constexpr double far = 0.75;
  v0_.setZero();
  v1_.setZero();
  legendre_.velocity(start_, v0_.data());
  legendre_.velocity(end, v1_.data());
  turn_ = Eigen::Map<const Vn>(shift, f_.n);
  if (tau_ == Retraction::cayley)
    f_.space.difference(start_.q.data(), end.q.data(), Retraction::exponential, turn_.data());
  v0_ = 0.5 * h * (v0_ + v1_);  // the turn that is expected
  for (const auto& c : f_.space.curved()) {
    const auto found = turn_.segment(c.degree, c.dof);
    const auto expected = v0_.segment(c.degree, c.dof);
    const double difference = (found - expected).norm();
    if (c.factor->turn(&turn_[c.degree]) > 1.0 &&
        !(difference <= far * std::max(found.norm(), expected.norm())))
      return OtherTurn{found.norm(), expected.norm(), difference};
  }
  return std::nullopt;
}

namespace {

/// The solutions of steps from one start, each found from the last.
class FollowedSolutions {
 public:
  FollowedSolutions(const KernelSystem& f, const StageCoefficients& k, const FlowOptions& options,
                    const std::vector<int>& left_out, const VectorState& s)
      : f_(f),
        options_(options),
        stages_(f, k, options.retraction, left_out),
        turn_(f, options.retraction),
        start_(s),
        velocity_(Vn::Zero(f.n)) {
    LegendreTransform(f).velocity(s, velocity_.data());
    turn_.begin(s);
  }

  /// Whether the step of size h has one.
  bool follow(double h) {
    stages_.begin(start_, h);
    if (last_.empty())
      stages_.guess(velocity_.data());
    else
      stages_.set_unknowns(last_);
    try {
      const NewtonReport report = stages_.solve(options_.newton);
      if (!report.converged) return false;
      const std::vector<double> found = stages_.unknowns();
      stages_.finish(report.last_update);
      VectorState end = start_;
      stages_.end_step(end);
      if (stages_.turns_far() && turn_.other(end, h, stages_.shift())) return false;
      last_ = found;
      return true;
    } catch (const NoConvergence&) {
      return false;
    } catch (const DomainError&) {
      return false;
    }
  }

  /// The velocities of the last one.
  Vn velocities() const { return Eigen::Map<const Vn>(last_.data(), stages_.r * f_.n); }

 private:
  const KernelSystem& f_;
  const FlowOptions& options_;
  Stages stages_;
  TurnCheck turn_;
  const VectorState& start_;
  Vn velocity_;
  std::vector<double> last_;
};

/// Where two solutions meet they move like the square root of the distance in h, elsewhere like the
/// distance itself.
bool meets_another(FollowedSolutions& solutions, double end) {
  Vn found[3];
  for (int i = 0; i < 3; ++i) {
    if (!solutions.follow(end * (1.0 - 1e-4 * std::pow(4.0, i)))) return false;
    found[i] = solutions.velocities();
  }
  const double ratio = (found[2] - found[1]).norm() / (found[1] - found[0]).norm();
  return ratio > 1.5 && ratio < 2.7;
}

}  // namespace

std::optional<double> end_of_solutions(const KernelSystem& f, const StageCoefficients& k,
                                       const FlowOptions& options, const std::vector<int>& left_out,
                                       const VectorState& s, double h) {
  if (f.on_vector_space() || f.hamiltonian) return std::nullopt;
  FollowedSolutions solutions(f, k, options, left_out, s);
  double solved = 0.5 * h;
  while (!solutions.follow(solved)) {
    solved *= 0.5;
    if (std::abs(solved) < 1e-3 * std::abs(h)) return std::nullopt;
  }
  double failed = h;
  if (solutions.follow(h)) return std::nullopt;
  while (std::abs(failed - solved) > 1e-6 * std::abs(solved)) {
    const double middle = 0.5 * (solved + failed);
    (solutions.follow(middle) ? solved : failed) = middle;
  }
  if (!meets_another(solutions, solved)) return std::nullopt;
  return solved;
}

}  // namespace varia::detail
