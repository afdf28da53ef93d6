// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A discrete Lagrangian, forces and constraints given as callables, as kernels: what
// DiscreteLagrangianFlow sees of them.
#include <algorithm>
#include <memory>
#include <type_traits>
#include <utility>

#include "varia/flow/slot_derivatives.hpp"
#include "varia/mechanics/constraint.hpp"
#include "varia/mechanics/discrete_lagrangian_system.hpp"
#include "varia/space/chart.hpp"
#include "varia/space/entries.hpp"

namespace varia {

/// Discrete forces f_d⁻(q₀, q₁, h) at q₀ and f_d⁺(q₀, q₁, h) at q₁, generic in the scalar.
template <class Minus, class Plus> struct DiscreteForce {
  Minus minus;
  Plus plus;
};
template <class Minus, class Plus> DiscreteForce(Minus, Plus) -> DiscreteForce<Minus, Plus>;

namespace detail {

struct NoPart {};

/// The callables on points like one, with M constraints.
template <class Ld, class Force, class Constraint, Point Q, int M> class DiscreteCallables {
  using V = Tangent<Q>;
  static constexpr bool forced = !std::is_same_v<Force, NoPart>;

 public:
  DiscreteCallables(const Ld& ld, const Force& force, const Constraint& constraint, const Q& like,
                    int d)
      : ld_(ld), force_(force), constraint_(constraint), like_(like), d_(d) {}

  static DiscreteLagrangianSystem kernels(const std::shared_ptr<const DiscreteCallables>& self) {
    DiscreteLagrangianSystem f(space_of(self->like_));
    const auto kernel = [&](expr::Kernel::Function function) {
      return expr::Kernel(self, function);
    };
    f.value = kernel(value);
    f.first = kernel(first);
    f.second = kernel(second);
    for (int i = 0; i < f.n; ++i)
      for (int j = 0; j < f.n; ++j) {
        f.mixed.row.push_back(i);
        f.mixed.column.push_back(j);
      }
    f.d = self->d_;
    if constexpr (may_constrain<M>) f.constraint = kernel(constraint);
    return f;
  }

 private:
  /// (h, q₀, ξ, t) and q₁ = q₀ ⊕ ξ.
  struct At {
    double h, t;
    Q q0, q1;
    V xi;
  };
  static const DiscreteCallables& of(const void* self) {
    return *static_cast<const DiscreteCallables*>(self);
  }
  At at(const double* x) const {
    const int n = Space<Q>::dim(like_);
    const double* const xi = x + 1 + Entries<Q>::count(like_);
    At at{x[0], xi[n], like_, like_, Eigen::Map<const V>(xi, n)};
    Entries<Q>::read(x + 1, at.q0);
    at.q1 = Space<Q>::retract(at.q0, at.xi);
    return at;
  }

  /// A derivative in q₁ as one in ξ.
  template <class Slope> static Slope along_xi(const At& at, const Slope& in_q1) {
    if constexpr (Space<Q>::is_vector_space)
      return in_q1;
    else
      return in_q1 * Chart<Q>(at.xi, default_retraction).dtau();
  }

  static void value(const void* self, const double* x, double* out) {
    const At at = of(self).at(x);
    *out = of(self).ld_(at.q0, at.q1, at.h);
  }
  static void first(const void* self, const double* x, double* out) {
    const At at = of(self).at(x);
    of(self).put_slopes(at, slot_derivatives(of(self).ld_, at.q0, at.q1, at.h), out);
  }
  static void second(const void* self, const double* x, double* out) {
    const DiscreteCallables& s = of(self);
    const At at = s.at(x);
    const int n = Space<Q>::dim(at.q0);
    DiscreteDerivatives<Q> d = slot_derivatives(s.ld_, at.q0, at.q1, at.h);
    out = s.put_slopes(at, d, out);
    if constexpr (forced)
      d.d1d2 += chunked_jacobian(n, [&](const auto& delta) {
        using J = typename std::decay_t<decltype(delta)>::Scalar;
        const Vector<J, dof<Q>> step = delta;
        return Vector<J, Dynamic>(s.force_.minus(
            Space<Q>::template cast<J>(at.q0), Space<Q>::template displace<J>(at.q1, step), at.h));
      });
    const TangentMap<Q> by_xi = along_xi(at, d.d1d2);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) *out++ = by_xi(i, j);
  }
  static void constraint(const void* self, const double* x, double* out) {
    const DiscreteCallables& s = of(self);
    const At at = s.at(x);
    Vector<double, M> phi;
    Matrix<double, M, dof<Q>> g0;
    Matrix<double, M, dof<Q>> g1;
    constraint_jacobian(s.constraint_, at.t, at.q0, s.d_, phi, g0);
    constraint_jacobian(s.constraint_, at.t + at.h, at.q1, s.d_, phi, g1);
    g1 = along_xi(at, g1);
    for (int a = 0; a < s.d_; ++a) *out++ = phi[a];
    for (const auto* g : {&g0, &g1})
      for (int a = 0; a < s.d_; ++a)
        for (int i = 0; i < g->cols(); ++i) *out++ = (*g)(a, i);
  }
  /// D₁L_d + f_d⁻, D₂L_d + f_d⁺
  double* put_slopes(const At& at, DiscreteDerivatives<Q> d, double* out) const {
    if constexpr (forced) {
      d.d1 += V(force_.minus(at.q0, at.q1, at.h));
      d.d2 += V(force_.plus(at.q0, at.q1, at.h));
    }
    out = std::copy(d.d1.data(), d.d1.data() + d.d1.size(), out);
    return std::copy(d.d2.data(), d.d2.data() + d.d2.size(), out);
  }

  Ld ld_;
  Force force_;
  Constraint constraint_;
  Q like_;
  int d_;
};

}  // namespace detail

}  // namespace varia
