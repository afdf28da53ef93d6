// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The discrete Lagrangian of a stage method, written out and differentiated as a whole.
//
//   (Ld)   L_d(q₀, q₁, h) = ext h Σᵢ bᵢ L(q₀ ⊕ Ξⁱ, dτ_Ξⁱ Hⁱ),   Ξ, H as in (path)          [MW01]
//   (fd)   virtual work h Σᵢ bᵢ ⟨fⁱ, δqⁱ⟩ with fⁱ held fixed: its slot derivatives are f_d∓   [MW01]
//
// The certificate tier: it knows nothing of stage equations, only the action sum, automatic
// differentiation and p₀ = -D₁, p₁ = D₂. It is the slow, plain reference for the stage tier.
// Inner multipliers enter as h bᵢ λⁱ φ(tⁱ, qⁱ), those of the ends as w λ φ(t₀, q₀).
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "varia/flow/flow.hpp"
#include "varia/space/chart.hpp"

namespace varia {

namespace detail {

/// Where entry (i, j) of a matrix with the given number of columns stands, row by row.
inline std::size_t row_major(int i, int columns, int j) {
  return static_cast<std::size_t>(i) * static_cast<std::size_t>(columns) +
         static_cast<std::size_t>(j);
}

}  // namespace detail

/// L_d and its slot derivatives (forces and inner multipliers included) for given end points.
template <Point Q> struct DiscreteAction {
  double value = 0.0;  ///< L_d
  Tangent<Q> d1, d2;   ///< D₁L_d + f_d⁻ in the frame of q₀, D₂L_d + f_d⁺ in that of q₁
};

template <class S> class Certificate {
  static_assert(!S::rolls, "with nonholonomic constraints there is no action");

 public:
  Certificate(Method method, S system, Retraction tau = default_retraction)
      : method_(std::move(method)), system_(std::move(system)), tau_(tau) {
    if (method_.stages() == nullptr)
      throw InvalidArgument(
          "Certificate: " + method_.name() +
          (method_.baseline()       ? " is not variational and has no discrete Lagrangian"
           : method_.newmark()      ? " has none on (q, p)"
           : method_.has_own_flow() ? " has one of its own: see " + method_.flow_name()
                                    : " is a composition; take the discrete Lagrangians of its "
                                      "substeps"));
  }

  /// L_d(q₀, q₁, h) by extremising over the inner unknowns, with D₁ and D₂.
  template <Point Q> DiscreteAction<Q> at(const Q& q0, const Q& q1, double t, double h) const {
    Unknown<Q> x = guess(q0, q1, h);
    const int n = x.n;
    const int inner = static_cast<int>(x.z.size());
    iterate(
        x, t, h,
        [&](const auto& f, Vn& y, Eigen::MatrixXd& k) {
          y = f.gradient.segment(n, inner);
          k = f.hessian.block(n, n, inner, inner);
        },
        [&](const Vn& step) {
          x.z += step;
          return largest(step.head(inner - inner_points() * x.d));
        });
    const auto f = differentiate(x, t, h);
    // multiplier terms vanish on the manifold, and the frozen work at its own points
    return {f.value, f.gradient.head(n), f.gradient.tail(n)};
  }

  /// One step of the flow by p₀ = -D₁, D_z = 0, p₁ = D₂ and, with constraints, φ(q₁) = 0, (hidden).
  template <Point Q, int M> State<Q, M> operator()(const State<Q, M>& s, double h) const {
    const Tangent<Q> v = velocity(system_, s);
    Unknown<Q> x = guess(s.q, Space<Q>::retract(s.q, Tangent<Q>(h * v), tau_), h);
    const int n = x.n;
    const int inner = static_cast<int>(x.z.size());
    const double w0 = h * (ends() ? method_.stages()->b.hi.front() : 0.5);
    const double w1 = h * (ends() ? method_.stages()->b.hi.back() : 0.5);
    const int d = x.d;
    Vector<double, M> lambda = Vector<double, M>::Zero(d);
    Vector<double, M> phi;
    Matrix<double, M, dof<Q>> g0;
    Matrix<double, M, dof<Q>> g1;
    if constexpr (may_constrain<M>) system_.constraint().jacobian(s.t, s.q, phi, g0);
    iterate(
        x, s.t, h,
        [&](const auto& f, Vn& y, Eigen::MatrixXd& k) {
          y.setZero(n + inner + d);
          k.setZero(n + inner + d, n + inner + d);
          y.head(n) = s.p + f.gradient.head(n);
          y.segment(n, inner) = f.gradient.segment(n, inner);
          k.topLeftCorner(n + inner, n + inner) = f.hessian.block(0, n, n + inner, inner + n);
          if constexpr (may_constrain<M>) {
            detail::constraint_jacobian(system_.constraint(), s.t + h, x.q1, d, phi, g1);
            y.head(n) += w0 * (g0.transpose() * lambda);
            y.tail(d) = phi;
            k.topRightCorner(n, d) = w0 * g0.transpose();
            k.bottomLeftCorner(d, n + inner).rightCols(n) = g1;
          }
        },
        [&](const Vn& step) {
          x.z += step.head(inner);
          x.q1 = Space<Q>::retract(x.q1, Tangent<Q>(step.segment(inner, n)), tau_);
          if constexpr (may_constrain<M>) lambda += step.tail(d);
          return std::max(largest(step.head(inner - inner_points() * d)),
                          largest(step.segment(inner, n)));
        });
    State<Q, M> next = detail::make_state<Q, M>(
        s.t + h, x.q1, Tangent<Q>(differentiate(x, s.t, h).gradient.tail(n)), d);
    next.branch = s.branch;
    if constexpr (may_constrain<M>)
      if (d > 0) make_tangent(next, w1);
    return next;
  }

  /// h Σ bᵢ L at given unknown velocities: the action of a solved step, over doubles.
  template <Point Q>
  double action(const Q& q0, const std::vector<Tangent<Q>>& u, double t, double h) const {
    double sum = 0.0;
    for_each_point<double>(q0, u, h, [&](int i, const Q& q, const Tangent<Q>& v) {
      sum += weight(i, h) * system_.lagrangian()(time(i, t, h), q, v);
    });
    return sum;
  }

 private:
  /// q₁ and the inner unknowns z: u₁ … u_{r-1}, then the inner multipliers.
  template <Point Q> struct Unknown {
    int n;
    int d;  ///< number of constraints
    Q q0, q1;
    Vn z;
  };

  bool ends() const { return method_.stages()->ends; }
  int inner_points() const { return S::constrained && ends() ? method_.stages()->points - 2 : 0; }
  double weight(int i, double h) const {
    return h * method_.stages()->b.hi[static_cast<std::size_t>(i)];
  }
  double time(int i, double t, double h) const {
    return t + h * method_.stages()->c.hi[static_cast<std::size_t>(i)];
  }

  template <Point Q> Unknown<Q> guess(const Q& q0, const Q& q1, double h) const {
    const StageCoefficients& k = *method_.stages();
    const int n = Space<Q>::dim(q0);
    const int d = constraint_count(system_, q0);
    Unknown<Q> x{n, d, q0, q1, Vn::Zero((k.unknowns - 1) * n + inner_points() * d)};
    const Tangent<Q> mean = Space<Q>::difference(q0, q1, tau_) / h;
    for (int j = 0; j + 1 < k.unknowns; ++j) x.z.segment(j * n, n) = mean;
    return x;
  }

  /// Calls f(i, qⁱ, vⁱ) for every quadrature point of (path).
  template <class J, class P, class U, class F>
  void for_each_point(const P& q0, const std::vector<U>& u, double h, const F& f) const {
    const StageCoefficients& k = *method_.stages();
    for (int i = 0; i < k.points; ++i) {
      U displacement = u[0] * J(0.0);
      U chart_velocity = u[0] * J(0.0);
      for (int j = 0; j < k.unknowns; ++j) {
        const auto at = detail::row_major(i, k.unknowns, j);
        displacement += u[static_cast<std::size_t>(j)] * J(h * k.A.hi[at]);
        chart_velocity += u[static_cast<std::size_t>(j)] * J(k.B.hi[at]);
      }
      f(i, Space<P>::retract(q0, displacement, tau_),
        U(AtPoint<P>::velocity(q0, displacement, chart_velocity, tau_)));
    }
  }

  /// The unknown velocities from inner ones and the end points: u_r closes q₁ ⊖ q₀ = h Σ βⱼuⱼ.
  template <class J, class P, class Z>
  auto velocities(const P& q0, const P& q1, const Z& z, double h) const {
    const StageCoefficients& k = *method_.stages();
    using U = Vector<J, Space<P>::dof>;
    const int n = Space<P>::dim(q0);
    std::vector<U> u;
    U last = Space<P>::difference(q0, q1, tau_) * J(1.0 / h);
    for (int j = 0; j + 1 < k.unknowns; ++j) {
      U inner(n);
      for (int i = 0; i < n; ++i) inner[i] = z[j * n + i];
      last -= inner * J(k.beta.hi[static_cast<std::size_t>(j)]);
      u.push_back(inner);
    }
    u.push_back(last * J(1.0 / k.beta.hi.back()));
    return u;
  }

  /// Value, gradient and Hessian in (δ₀, z, δ₁) of action + frozen work + multiplier terms.
  template <Point Q>
  ValueGradientHessian<Dynamic> differentiate(const Unknown<Q>& x, double t, double h) const {
    const int n = x.n;
    const int inner = static_cast<int>(x.z.size());
    const Frozen<Q> frozen = frozen_forces(x, t, h);
    return chunked_hessian(2 * n + inner, [&](const auto& delta) {
      using J = typename std::decay_t<decltype(delta)>::Scalar;
      using P = Rebind<Q, J>;
      const P q0 = Space<Q>::template displace<J>(x.q0, Vector<J, dof<Q>>(delta.head(n)));
      const P q1 = Space<Q>::template displace<J>(x.q1, Vector<J, dof<Q>>(delta.tail(n)));
      const Vector<J, Dynamic> z = delta.segment(n, inner) + x.z.template cast<J>();
      J sum(0.0);
      for_each_point<J>(q0, velocities<J>(q0, q1, z, h), h, [&](int i, const P& q, const auto& v) {
        J term = system_.lagrangian()(time(i, t, h), q, v);
        if constexpr (S::forced) {
          const auto moved = Space<P>::difference(
              Space<Q>::template cast<J>(frozen.points[static_cast<std::size_t>(i)]), q, tau_);
          for (int a = 0; a < n; ++a)
            term += moved[a] * frozen.forces[static_cast<std::size_t>(i)][a];
        }
        if constexpr (S::constrained) {
          if (i > 0 && i <= inner_points()) {
            const auto phi = system_.constraint()(time(i, t, h), q);
            const int first = (method_.stages()->unknowns - 1) * n + (i - 1) * x.d;
            for (int a = 0; a < x.d; ++a) term += z[first + a] * phi[a];
          }
        }
        sum += term * weight(i, h);
      });
      return sum;
    });
  }

  template <Point Q> struct Frozen {
    std::vector<Q> points;
    std::vector<Tangent<Q>> forces;
  };
  /// The quadrature points and the forces there, over doubles.
  template <Point Q> Frozen<Q> frozen_forces(const Unknown<Q>& x, double t, double h) const {
    Frozen<Q> frozen;
    if constexpr (S::forced) {
      for_each_point<double>(x.q0, velocities<double>(x.q0, x.q1, x.z, h), h,
                             [&](int i, const Q& q, const Tangent<Q>& v) {
                               Tangent<Q> f;
                               system_.force().value(time(i, t, h), q, v, f);
                               frozen.points.push_back(q);
                               frozen.forces.push_back(f);
                             });
    }
    return frozen;
  }

  template <class V> static double largest(const V& x) {
    return x.size() > 0 ? x.cwiseAbs().maxCoeff() : 0.0;
  }

  /// Newton on what assemble makes of the derivatives; forces are updated between iterations. The
  /// update gives the size of the step without its multipliers, whose round-off grows like 1/h.
  template <Point Q, class Assemble, class Update>
  void iterate(Unknown<Q>& x, double t, double h, const Assemble& assemble,
               const Update& update) const {
    constexpr int max_iterations = 200;
    double last = std::numeric_limits<double>::infinity();
    Vn y;
    Eigen::MatrixXd k;
    for (int i = 0; i < max_iterations; ++i) {
      assemble(differentiate(x, t, h), y, k);
      if (y.size() == 0) return;
      const Vn step = LinearSolver<Dynamic>(k).solve(-y);
      const double size = update(step);
      if (!step.allFinite()) break;
      if (size < 1e-15 || (size >= 0.5 * last && size < 1e-12)) return;
      last = size;
    }
    throw NoConvergence("certificate of " + method_.name() +
                            ": the discrete action has no stationary "
                            "point near the guess; try a smaller step",
                        t, h, max_iterations, last);
  }

  /// (hidden) by Newton in λ.
  template <Point Q, int M> void make_tangent(State<Q, M>& s, double w1) const {
    Vector<double, M> phi;
    Matrix<double, M, dof<Q>> g;
    system_.constraint().jacobian(s.t, s.q, phi, g);
    const Tangent<Q> p = s.p;
    for (int i = 0; i < 30; ++i) {
      const Tangent<Q> v = velocity(system_, s);
      const LinearSolver<dof<Q>> mass(mass_matrix(system_, s.q, v, s.t));
      const Matrix<double, M> schur = w1 * (g * mass.solve(g.transpose()));
      s.lambda -=
          LinearSolver<M>(schur).solve(detail::hidden_defect(system_.constraint(), s.t, s.q, g, v));
      s.p = p + w1 * (g.transpose() * s.lambda);
    }
  }

  Method method_;
  S system_;
  Retraction tau_;
};

}  // namespace varia
