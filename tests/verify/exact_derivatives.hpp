// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The exact discrete forces, and how the exact motion changes with its end points.
//
//   (fE)   f^{E-} = ∫ f·∂q/∂q₀ dt,  f^{E+} = ∫ f·∂q/∂q₁ dt,  q(t; q₀, q₁) the forced motion   [West04]
//
// The variations ∂q/∂q₀ and ∂q/∂q₁ come from motions with displaced starts, differenced over many
// increments (differences.hpp), and combined so that the ends move as they should. With constraints
// starts and ends move along the manifold; covectors are then given by their tangential part.
#include <vector>

#include "varia/verify/check_symplectic.hpp"
#include "varia/verify/exact_lagrangian.hpp"

namespace varia {

template <Point Q> struct ExactDerivatives {
  double value = 0.0;
  Tangent<Q> d1, d2;               ///< D₁L_d^E, D₂L_d^E
  Tangent<Q> f_minus, f_plus;      ///< f^{E-}, f^{E+}
  Eigen::MatrixXd dp_start;        ///< ∂p(0)/∂(q₀, q₁), in the bases of the tangent spaces
  Eigen::MatrixXd dp_end;          ///< ∂p(h)/∂(q₀, q₁)
  Eigen::MatrixXd basis0, basis1;  ///< of the tangent spaces at q₀ and q₁
};

namespace detail {

/// All of a motion that is differentiated: q at the nodes, then p at both ends, as differences from
/// the motion of the given nodes.
template <class E, Point Q, int M>
Vn motion_difference(const E& exact, const std::vector<State<Q, M>>& nodes,
                     const State<Q, M>& start, double h, long panels) {
  const Eigen::Index n = start.p.size();
  const auto count = static_cast<Eigen::Index>(nodes.size());
  Vn out((count + 2) * n);
  Eigen::Index i = 0;
  const auto end = exact.walk(start, h, panels, [&](double, const State<Q, M>& z) {
    out.segment(i * n, n) = Space<Q>::difference(nodes[static_cast<std::size_t>(i)].q, z.q);
    ++i;
  });
  out.segment(count * n, n) = start.p - nodes.front().p;
  out.segment((count + 1) * n, n) = end.p - nodes.back().p;
  return out;
}

/// Columns: the variation of the motion when its start moves along the columns of directions.
template <class E, Point Q, int M>
Eigen::MatrixXd variations(const E& exact, const std::vector<State<Q, M>>& nodes,
                           const Eigen::MatrixXd& directions, double h, long panels) {
  const Eigen::Index n = nodes.front().p.size();
  Eigen::MatrixXd z((static_cast<Eigen::Index>(nodes.size()) + 2) * n, directions.cols());
  for (Eigen::Index k = 0; k < directions.cols(); ++k) {
    const auto curve = [&](double e) {
      const Vn moved = e * directions.col(k);
      return motion_difference(exact, nodes, displaced(exact.system(), nodes.front(), moved), h,
                               panels);
    };
    double scale = 0.5;
    constexpr double smallest = 1e-4;
    for (bool done = false; !done;
         scale *= 0.1) {  // near a singularity displacements must be small
      try {
        z.col(k) = derivative_at_zero(curve, scale);
        done = true;
      } catch (const NoConvergence&) {
        if (scale < smallest) throw;
      } catch (const DomainError&) {
        if (scale < smallest) throw;
      }
    }
  }
  return z;
}

}  // namespace detail

/// (LdE±) and (fE) at (q₀, q₁, h) and the time t.
template <class F, Point Q>
ExactDerivatives<Q> exact_derivatives(const ExactLagrangian<F>& exact, const Q& q0, const Q& q1,
                                      double h, double t = 0.0) {
  const auto a = exact.at(q0, q1, h, t);
  using StateT = std::decay_t<decltype(a.start)>;
  using S = std::decay_t<decltype(exact.system())>;
  const auto& system = exact.system();
  std::vector<StateT> nodes;
  std::vector<Vn> impulses;  // weight × force
  exact.walk(a.start, h, a.panels, [&](double weight, const StateT& z) {
    Tangent<Q> f = Tangent<Q>::Zero(z.p.size());
    if constexpr (S::forced) system.force().value(z.t, z.q, velocity(system, z.q, z.p, z.t), f);
    nodes.push_back(z);
    impulses.emplace_back(weight * f);
  });
  ExactDerivatives<Q> d;
  d.value = a.value;
  d.basis0 = tangent_basis(system, q0, t);
  d.basis1 = tangent_basis(system, q1, t + h);
  const Eigen::Index n = a.start.p.size();
  const Eigen::Index m = d.basis0.cols();
  Eigen::MatrixXd directions = Eigen::MatrixXd::Zero(2 * n, 2 * m);
  directions.topLeftCorner(n, m) = d.basis0;
  directions.bottomRightCorner(n, m) = d.basis0;
  const Eigen::MatrixXd z = detail::variations(exact, nodes, directions, h, a.panels);
  const auto count = static_cast<Eigen::Index>(nodes.size());
  Eigen::MatrixXd ends(2 * m, 2 * m);
  ends.topRows(m) = d.basis0.transpose() * z.topRows(n);
  ends.bottomRows(m) = d.basis1.transpose() * z.middleRows((count - 1) * n, n);
  // the combinations of starts that move one end by a basis vector and leave the other where it is
  const Eigen::MatrixXd inverse =
      LinearSolver<Dynamic>(ends).solve(Eigen::MatrixXd(Eigen::MatrixXd::Identity(2 * m, 2 * m)));
  Eigen::RowVectorXd work = Eigen::RowVectorXd::Zero(2 * m);
  for (Eigen::Index i = 0; i < count; ++i)
    work += impulses[static_cast<std::size_t>(i)].transpose() * z.middleRows(i * n, n);
  const Vn forces = (work * inverse).transpose();
  d.f_minus = d.basis0 * forces.head(m);
  d.f_plus = d.basis1 * forces.tail(m);
  d.d1 = -(d.basis0 * (d.basis0.transpose() * a.start.p)) - d.f_minus;
  d.d2 = d.basis1 * (d.basis1.transpose() * a.end.p) - d.f_plus;
  d.dp_start = d.basis0.transpose() * z.middleRows(count * n, n) * inverse;
  d.dp_end = d.basis1.transpose() * z.middleRows((count + 1) * n, n) * inverse;
  return d;
}

/// L_d^E as a callable for DiscreteFlow: on ℝⁿ, without force, constraint and time. Over jets it is
/// its Taylor polynomial of second order, which is all that a jet knows of it.
template <class F> class ExactCallable {
 public:
  explicit ExactCallable(ExactLagrangian<F> exact) : exact_(std::move(exact)) {}

  template <class T, int N>
  T operator()(const Vector<T, N>& q0, const Vector<T, N>& q1, double h) const {
    using S = std::decay_t<decltype(exact_.system())>;
    static_assert(!S::forced && !S::constrained,
                  "with forces or constraints L_d^E alone does not give the flow");
    const Eigen::Index n = q0.size();
    Vector<double, N> a(n);
    Vector<double, N> b(n);
    for (Eigen::Index i = 0; i < n; ++i) {
      a[i] = value_of(q0[i]);
      b[i] = value_of(q1[i]);
    }
    if constexpr (std::is_same_v<T, double>) {
      return exact_(a, b, h);
    } else {
      const auto d = exact_derivatives(exact_, a, b, h);
      T sum(d.value);
      for (Eigen::Index i = 0; i < n; ++i) {
        const T x = q0[i] - a[i];
        const T y = q1[i] - b[i];
        sum += x * d.d1[i] + y * d.d2[i];
        for (Eigen::Index j = 0; j < n; ++j) {
          sum -= x * (q0[j] - a[j]) * (0.5 * d.dp_start(i, j));
          sum -= x * (q1[j] - b[j]) * d.dp_start(i, n + j);
          sum += y * (q1[j] - b[j]) * (0.5 * d.dp_end(i, n + j));
        }
      }
      return sum;
    }
  }

 private:
  ExactLagrangian<F> exact_;
};
template <class F> ExactCallable(ExactLagrangian<F>) -> ExactCallable<F>;

}  // namespace varia
