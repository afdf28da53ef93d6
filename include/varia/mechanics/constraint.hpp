// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Holonomic constraints φ(q) = 0 or φ(t, q) = 0, φ returning a number or a Vector<S, d>.
//
// φ(t, q) is differentiated in t as in q, so that t comes as a jet: [](const auto& t, const auto& q).
//
// d = Dynamic when their number is known only at run time. Then Holonomic{phi, d} declares it before
// any point is known: with d = 0 the system is an unconstrained one, to all methods.
//
//   (hol)     d/dt ∂L/∂v - ∂L/∂q = Gᵀλ,  φ(t, q) = 0,  G = ∂φ/∂q       [MW01] with λ → -λ
//   (hidden)  G v + ∂φ/∂t = 0
//   (driver)  dE/dt = -∂L/∂t + ⟨f, v⟩ - ⟨λ, ∂φ/∂t⟩: what moves the constraint has the power -⟨λ, ∂φ/∂t⟩
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "varia/core/error.hpp"
#include "varia/mechanics/lagrangian.hpp"

namespace varia {

/// Whether d constraints, d = Dynamic included, may be any at all.
template <int d> inline constexpr bool may_constrain = d != 0;

namespace detail {

/// φ may not change its length along a motion.
inline void require_count(Eigen::Index found, Eigen::Index expected) {
  if (found != expected)
    throw InvalidArgument("phi returned " + std::to_string(found) + " values where " +
                          std::to_string(expected) +
                          " are expected: the number of constraints must not change");
}

/// ∂φ/∂t, by a jet.
template <class Phi, Point Q> auto rate_in_time(const Phi& phi, double t, const Q& q) {
  using J = Jet<double, 1>;
  const auto value = phi(J::variable(t, 0), Space<Q>::template cast<J>(q));
  Vector<double, std::decay_t<decltype(value)>::RowsAtCompileTime> result(value.size());
  for (Eigen::Index a = 0; a < value.size(); ++a) result[a] = value[a].d[0];
  return result;
}

/// φ̈ where v does not change: φ along (t + s, q exp(s v)), twice differentiated.
template <class Phi, Point Q>
auto acceleration_along(const Phi& phi, double t, const Q& q, const Tangent<Q>& v) {
  using J = Jet2<1>;
  const J s = J::variable(0.0, 0);
  Vector<J, dof<Q>> along(v.size());
  for (Eigen::Index i = 0; i < v.size(); ++i) along[i] = s * v[i];
  const auto value = phi(s + t, Space<Q>::template displace<J>(q, along));
  Vector<double, std::decay_t<decltype(value)>::RowsAtCompileTime> result(value.size());
  for (Eigen::Index a = 0; a < value.size(); ++a) result[a] = value[a].hess(0, 0);
  return result;
}

}  // namespace detail

template <class F> class Holonomic {
 public:
  explicit Holonomic(F phi) : phi_(std::move(phi)) {}
  /// Declares the number of constraints; phi must return so many.
  Holonomic(F phi, int count) : phi_(std::move(phi)), declared_(count) {
    if (count < 0)
      throw InvalidArgument("the number of constraints must not be negative, got " +
                            std::to_string(count));
  }

  /// Whether φ is a function of (t, q), not of q alone.
  template <class Q>
  static constexpr bool uses_time = std::is_invocable_v<const F&, const Scalar<Q>&, const Q&>;

  /// Number of constraints on points of type Q; Dynamic when φ returns a vector of run-time size.
  template <class Q> static constexpr int count() {
    using R = std::decay_t<decltype(call(std::declval<const F&>(), std::declval<Scalar<Q>>(),
                                         std::declval<const Q&>()))>;
    if constexpr (requires { R::RowsAtCompileTime; }) {
      return R::RowsAtCompileTime;
    } else {
      return 1;
    }
  }

  /// Number of constraints as far as it was declared.
  const std::optional<int>& declared_count() const { return declared_; }

  /// Number of constraints at a point; throws when it is not what was declared.
  template <Point Q> int count_at(const Q& q) const {
    int found = count<Q>();
    if constexpr (count<Q>() == Dynamic) found = static_cast<int>((*this)(0.0, q).size());
    if (declared_ && *declared_ != found)
      throw InvalidArgument("phi returns " + std::to_string(found) + " values, but " +
                            std::to_string(*declared_) + " constraints were declared");
    return found;
  }

  /// φ at a point; S may be a jet, and so may t.
  template <class T, class Q> auto operator()(const T& t, const Q& q) const {
    using S = Scalar<Q>;
    constexpr int d = count<Q>();
    const S time(t);
    if constexpr (requires { typename std::decay_t<decltype(call(phi_, time, q))>::Scalar; })
      return Vector<S, d>(call(phi_, time, q));
    else
      return Vector<S, 1>(S(call(phi_, time, q)));
  }

  /// ∂φ/∂t
  template <Point Q> auto rate(double t, const Q& q) const {
    return detail::rate_in_time(*this, t, q);
  }

  /// φ and G.
  template <Point Q, int D>
  void jacobian(double t, const Q& q, Vector<double, D>& phi, Matrix<double, D, dof<Q>>& g) const {
    constexpr int n = dof<Q>;
    if constexpr (n == Dynamic) {
      phi = (*this)(t, q);
      g = chunked_jacobian(Space<Q>::dim(q), [&](const auto& delta) {
        using J = typename std::decay_t<decltype(delta)>::Scalar;
        return Vector<J, Dynamic>((*this)(t, Space<Q>::template displace<J>(q, delta)));
      });
    } else {
      const auto value = (*this)(t, Space<Q>::template seed<Jet<double, n>>(q, 0));
      phi.resize(value.size());
      g.resize(value.size(), n);
      for (Eigen::Index a = 0; a < value.size(); ++a) {
        phi[a] = value[a].v;
        for (int j = 0; j < n; ++j) g(a, j) = value[a].d[j];
      }
    }
  }

  /// φ, G and the Hessian of ⟨λ, φ⟩ in δ.
  template <Point Q, int D>
  void hessian(double t, const Q& q, const Vector<double, D>& lambda, Vector<double, D>& phi,
               Matrix<double, D, dof<Q>>& g, TangentMap<Q>& h) const {
    constexpr int n = dof<Q>;
    if constexpr (n == Dynamic) {
      jacobian(t, q, phi, g);
      detail::require_count(phi.size(), lambda.size());
      h = chunked_hessian(Space<Q>::dim(q), [&](const auto& delta) {
            using J = typename std::decay_t<decltype(delta)>::Scalar;
            const auto value = (*this)(t, Space<Q>::template displace<J>(q, delta));
            J sum(0.0);
            for (Eigen::Index a = 0; a < lambda.size(); ++a) sum += value[a] * lambda[a];
            return sum;
          }).hessian;
    } else {
      const auto value = (*this)(t, Space<Q>::template seed<Jet2<n>>(q, 0));
      if constexpr (D == Dynamic) detail::require_count(value.size(), lambda.size());
      phi.resize(value.size());
      g.resize(value.size(), n);
      h.setZero();
      for (Eigen::Index a = 0; a < value.size(); ++a) {
        phi[a] = value[a].v;
        for (int i = 0; i < n; ++i) {
          g(a, i) = value[a].g[i];
          for (int j = 0; j < n; ++j) h(i, j) += lambda[a] * value[a].hess(i, j);
        }
      }
    }
  }

 private:
  template <class S, class Q> static auto call(const F& phi, const S& t, const Q& q) {
    if constexpr (uses_time<Q>) {
      return phi(t, q);
    } else {
      static_assert(std::is_invocable_v<const F&, const Q&>,
                    "a constraint is phi(q) or phi(t, q), and is differentiated in t too: take t "
                    "as const auto&, not as double");
      return phi(q);
    }
  }

  F phi_;
  std::optional<int> declared_;
};

/// Number of constraints of a system at q.
template <class S, Point Q> int constraint_count([[maybe_unused]] const S& system, const Q& q) {
  constexpr int d = S::template constraints<Q>();
  if constexpr (d == 0)
    return 0;
  else if constexpr (requires { system.constraint().count_at(q); })
    return system.constraint().count_at(q);
  else if constexpr (d == Dynamic)
    return static_cast<int>(system.constraint()(0.0, q).size());
  else
    return d;
}

/// Number of constraints of a system before any point is known: nothing where only φ can tell.
template <class S> std::optional<int> declared_constraint_count(const S& system) {
  if constexpr (!S::constrained)
    return 0;
  else if constexpr (requires { system.constraint().declared_count(); })
    return system.constraint().declared_count();
  else
    return std::nullopt;
}

namespace detail {

/// φ and G at (t, q), which must be as many as expected.
template <class H, Point Q, int D>
void constraint_jacobian(const H& constraint, double t, const Q& q, [[maybe_unused]] int expected,
                         Vector<double, D>& phi, Matrix<double, D, dof<Q>>& g) {
  constraint.jacobian(t, q, phi, g);
  if constexpr (D == Dynamic) require_count(phi.size(), expected);
}

/// Whether the constraints depend on t, as far as the type of a system tells.
template <class H, class Q>
inline constexpr bool may_use_time = [] {
  if constexpr (requires { H::template uses_time<Q>; })
    return H::template uses_time<Q>;
  else
    return true;
}();

/// ∂φ/∂t of so many constraints; zeros where φ does not depend on t.
template <int D, class H, Point Q>
Vector<double, D> constraint_rate(const H& constraint, [[maybe_unused]] double t, const Q& q,
                                  Eigen::Index count) {
  if constexpr (may_use_time<H, Q>)
    return constraint.rate(t, q);
  else
    return Vector<double, D>::Zero(count);
}

/// G v + ∂φ/∂t, given G
template <class H, Point Q, int D>
Vector<double, D> hidden_defect(const H& constraint, double t, const Q& q,
                                const Matrix<double, D, dof<Q>>& g, const Tangent<Q>& v) {
  return g * v + constraint_rate<D>(constraint, t, q, g.rows());
}

}  // namespace detail

}  // namespace varia
