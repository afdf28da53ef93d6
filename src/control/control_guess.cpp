// SPDX-License-Identifier: BSD-3-Clause
// The first guess of an optimum from functions of time.
#include <cmath>

#include "step_evaluation.hpp"
#include "varia/core/error.hpp"
#include "varia/core/index.hpp"

namespace varia {

namespace detail {

namespace {

class GuessOfMotion {
 public:
  GuessOfMotion(const ControlParts& parts, const ControlGuess& guess)
      : parts_(parts), guess_(guess), h_((parts.time.end - parts.time.start) / parts.time.steps) {
    const ControlSizes& z = parts.sizes;
    if (!guess.parameters.empty() && static_cast<int>(guess.parameters.size()) != z.theta)
      throw InvalidArgument("the guess has " + std::to_string(guess.parameters.size()) +
                            " parameters, and the problem " + std::to_string(z.theta));
    for (int k = 0; k <= parts.time.steps; ++k) {
      nodes_.emplace_back(sz(z.entries));
      guess.q(time(k), nodes_.back().data());
      parts.space.require_point(nodes_.back().data());
    }
  }

  double time(double k) const { return parts_.time.start + k * h_; }

  Eigen::VectorXd global() const {
    const ControlSizes& z = parts_.sizes;
    Eigen::VectorXd g = Eigen::VectorXd::Zero(z.global());
    for (int i = 0; i < z.theta && !guess_.parameters.empty(); ++i) g[i] = guess_.parameters[sz(i)];
    if (z.free_end) g[z.theta] = parts_.time.end;
    return g;
  }
  /// The mean velocity of a step.
  Eigen::VectorXd velocity(int k) const {
    const int n = parts_.sizes.n;
    Eigen::VectorXd xi(n);
    parts_.space.difference(nodes_[sz(k)].data(), nodes_[sz(k + 1)].data(), Retraction::exponential,
                            xi.data());
    return xi / h_;
  }
  /// That of the steps around a node.
  Eigen::VectorXd velocity_at(int k) const {
    const int last = parts_.time.steps;
    if (k == 0) return velocity(0);
    if (k == last) return velocity(last - 1);
    return 0.5 * (velocity(k - 1) + velocity(k));
  }
  Eigen::VectorXd states(double t) const {
    Eigen::VectorXd a = Eigen::VectorXd::Zero(parts_.sizes.a);
    if (guess_.a && a.size() > 0) guess_.a(t, a.data());
    return a;
  }
  Eigen::VectorXd inputs(double t) const {
    Eigen::VectorXd u = Eigen::VectorXd::Zero(parts_.sizes.u);
    if (guess_.u) guess_.u(t, u.data());
    return u;
  }

  /// (q, v or p, …) of node k.
  Eigen::VectorXd node(int k, const Eigen::VectorXd& rate, const NodeLayout& layout) const {
    Eigen::VectorXd x = Eigen::VectorXd::Zero(layout.entries());
    const ControlSizes& z = parts_.sizes;
    std::copy(nodes_[sz(k)].begin(), nodes_[sz(k)].end(), x.data());
    x.segment(layout.rate + layout.more_entries, z.n) = rate;
    x.segment(layout.a + layout.more_entries, z.a) = states(time(k));
    x.segment(layout.global + layout.more_entries, z.global()) = global();
    return x;
  }
  /// ∂L/∂v: what the rows of a departure say at p = 0.
  Eigen::VectorXd momentum(int k) const {
    const StepKind& kind = parts_.kinds.front();
    const Eigen::VectorXd x = node(k, velocity_at(k), kind.start);
    const Eigen::VectorXd y = node(k, Eigen::VectorXd::Zero(parts_.sizes.n), kind.end);
    ChainStep out;
    StepEvaluation(parts_, kind, k)
        .at(x.data(), nullptr, y.data())
        .run({}, {}, ChainOrder::values, out);
    return -out.rows.segment(parts_.sizes.n, parts_.sizes.n);
  }
  /// What step k solves for, and its end.
  Eigen::VectorXd unknowns(int k, const StepKind& kind) const {
    const ControlSizes& z = parts_.sizes;
    Eigen::VectorXd y = Eigen::VectorXd::Zero(kind.sizes().y_entries);
    for (const int place : kind.velocities) y.segment(place - kind.y(), z.n) = velocity(k);
    const Eigen::VectorXd rate = (states(time(k + 1)) - states(time(k))) / h_;
    for (int i = 0; i < parts_.layouts.points() && z.a > 0; ++i)
      y.segment(kind.rates - kind.y() + i * z.a, z.a) = rate;
    y.tail(kind.end.entries()) = node(k + 1, momentum(k + 1), kind.end);
    return y;
  }

 private:
  const ControlParts& parts_;
  const ControlGuess& guess_;
  double h_;
  std::vector<std::vector<double>> nodes_;
};

}  // namespace

}  // namespace detail

ChainPoint ControlProblem::guess(const ControlGuess& guess) const {
  using detail::sz;
  if (!guess.q) throw InvalidArgument("the guess of an optimum needs a motion q(t)");
  const detail::GuessOfMotion motion(*parts_, guess);
  const int last = parts_->time.steps;
  ChainPoint at;
  at.x0 = motion.node(0, motion.velocity_at(0), parts_->kinds.front().start);
  at.w.emplace_back(0);
  at.y.push_back(motion.node(0, motion.momentum(0), parts_->kinds.front().end));
  for (int k = 0; k < last; ++k) {
    const detail::StepKind& kind = parts_->kind(k + 1);
    Eigen::VectorXd w(kind.inputs);
    for (int i = 0; i < parts_->layouts.points(); ++i)
      w.segment(i * parts_->sizes.u, parts_->sizes.u) =
          motion.inputs(motion.time(k + parts_->layouts.node(i)));
    at.w.push_back(w);
    at.y.push_back(motion.unknowns(k, kind));
  }
  at.w.emplace_back(0);
  at.y.push_back(motion.node(last, motion.velocity_at(last), parts_->kinds.back().end));
  return at;
}

}  // namespace varia
