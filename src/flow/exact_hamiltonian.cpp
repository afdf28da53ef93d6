// SPDX-License-Identifier: BSD-3-Clause
#include "varia/flow/exact_hamiltonian.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "varia/core/round_off.hpp"
#include "varia/flow/failure.hpp"
#include "varia/methods/methods.hpp"

namespace varia {

namespace {

/// The known half at the start is `begin`, the known half at the end is `target`.
struct Shooting {
  const HamiltonianFlow& flow;
  bool two;  ///< type II: q₀ and p₁ are known; else p₀ and q₁
  double t;
  Vn begin, target;
  double h;
  long steps;

  VectorState start(const Vn& unknown) const {
    return detail::make_state<Vn, Dynamic>(t, two ? begin : unknown, two ? unknown : begin, 0);
  }
  VectorState end(const Vn& unknown) const {
    VectorState s = start(unknown);
    auto memory = flow.memory(s);
    return flow.steps(std::move(s), h / static_cast<double>(steps), steps, memory);
  }
  Vn hit(const Vn& unknown) const {
    const VectorState s = end(unknown);
    return two ? s.p : s.q;
  }

  /// One step of the explicit Euler method backwards from what is known.
  Vn guess() const {
    const HamiltonianSystem& f = *flow.hamiltonian();
    const Vn& q = two ? begin : target;
    const Vn& p = two ? target : begin;
    Vn gradient(2 * f.n);
    f.gradient(f.point(t, q.data(), p.data()).data(), gradient.data());
    return two ? Vn(p + h * gradient.head(f.n)) : Vn(q - h * gradient.tail(f.n));
  }

  /// ∂hit/∂unknown by central differences: the iteration corrects their error.
  Eigen::MatrixXd jacobian(const Vn& x) const {
    const Eigen::Index n = x.size();
    Eigen::MatrixXd j(n, n);
    for (Eigen::Index a = 0; a < n; ++a) {
      const double delta = 1e-5 * std::max(1e-3, x.cwiseAbs().maxCoeff());
      Vn more = x;
      Vn less = x;
      more[a] += delta;
      less[a] -= delta;
      j.col(a) = (hit(more) - hit(less)) / (more[a] - less[a]);
    }
    return j;
  }

  Vn solve() const;
  GeneratingValue value() const;
};

Vn Shooting::solve() const {
  constexpr int most = 40;
  using detail::eps;
  Vn x = guess();
  Eigen::PartialPivLU<Eigen::MatrixXd> lu;
  double last = std::numeric_limits<double>::infinity();
  bool fresh = true;
  for (int k = 0; k < most; ++k) {
    const Vn defect = hit(x) - target;
    if (fresh) lu.compute(jacobian(x));
    const Vn change = lu.solve(defect);
    if (!change.allFinite()) break;
    x -= change;
    const double size = change.cwiseAbs().maxCoeff();
    const double scale = std::max(x.cwiseAbs().maxCoeff(), target.cwiseAbs().maxCoeff());
    // at round-off, or as near to it as the flow is smooth
    if (size <= 0.5 * eps * scale || (size >= 0.5 * last && size <= 1e-12 * scale)) return x;
    fresh = size > 1e-4 * scale || size > 0.3 * last;
    last = size;
  }
  throw NoConvergence(std::string("no motion with the given ") + (two ? "q0 and p1" : "p0 and q1") +
                          " was found over h = " + to_text(h) + " from t = " + to_text(t) +
                          "; the ends may not determine it, try a shorter time",
                      t, h, most, last);
}

GeneratingValue Shooting::value() const {
  GeneratingValue result;
  const Vn x = solve();
  result.start = start(x);
  result.end = result.start;
  double action = 0.0;
  for (long k = 0; k < steps; ++k)
    action += flow.action(result.end, h / static_cast<double>(steps));
  result.value = (two ? target.dot(result.end.q) : -begin.dot(x)) - action;
  return result;
}

GeneratingValue shoot(const HamiltonianFlow& flow, bool two, double t, const Vn& begin,
                      const Vn& target, double h, long steps) {
  detail::require_step(h);
  const int n = flow.hamiltonian()->n;
  if (begin.size() != n || target.size() != n || !begin.allFinite() || !target.allFinite())
    throw InvalidArgument("a generating function of this system takes two lists of " +
                          std::to_string(n) + " finite numbers, got " +
                          std::to_string(begin.size()) + " and " + std::to_string(target.size()));
  if (steps < 1)
    throw InvalidArgument("number of steps must be at least 1, got " + std::to_string(steps));
  return Shooting{flow, two, t, begin, target, h, steps}.value();
}

GeneratingValue exact(const std::shared_ptr<const HamiltonianSystem>& system, bool two, double t,
                      const Vn& begin, const Vn& target, double h) {
  const HamiltonianFlow flow(gauss(8), system);
  const auto distance = [](const GeneratingValue& a, const GeneratingValue& b) {
    const double scale = 1.0 + std::abs(b.value) + b.start.p.norm() + b.end.q.norm();
    return ((a.start.p - b.start.p).norm() + (a.start.q - b.start.q).norm() +
            (a.end.q - b.end.q).norm() + (a.end.p - b.end.p).norm() + std::abs(a.value - b.value)) /
           scale;
  };
  GeneratingValue coarse = shoot(flow, two, t, begin, target, h, 1);
  double last = std::numeric_limits<double>::infinity();
  for (long steps = 2; steps <= 1024; steps *= 2) {
    GeneratingValue fine = shoot(flow, two, t, begin, target, h, steps);
    const double change = distance(fine, coarse);
    if (change < 1e-14 || (change < 1e-12 && change > 0.25 * last)) return fine;
    last = change;
    coarse = std::move(fine);
  }
  throw NoConvergence("exact discrete Hamiltonian: no agreement to round-off over h = " +
                          to_text(h) + "; take a shorter time",
                      t, h, 0, last);
}

}  // namespace

GeneratingValue type_two(const HamiltonianFlow& flow, double t, const Vn& q0, const Vn& p1,
                         double h, long steps) {
  return shoot(flow, true, t, q0, p1, h, steps);
}

GeneratingValue type_three(const HamiltonianFlow& flow, double t, const Vn& p0, const Vn& q1,
                           double h, long steps) {
  return shoot(flow, false, t, p0, q1, h, steps);
}

GeneratingValue exact_type_two(const std::shared_ptr<const HamiltonianSystem>& system, double t,
                               const Vn& q0, const Vn& p1, double h) {
  return exact(system, true, t, q0, p1, h);
}

GeneratingValue exact_type_three(const std::shared_ptr<const HamiltonianSystem>& system, double t,
                                 const Vn& p0, const Vn& q1, double h) {
  return exact(system, false, t, p0, q1, h);
}

}  // namespace varia
