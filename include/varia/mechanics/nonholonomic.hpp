// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Nonholonomic constraints Φ(q, v) = 0 or Φ(t, q, v) = 0, Φ returning a number or a Vector<S, e>.
//
//   (chetaev)   d/dt ∂L/∂v - ∂L/∂q = f + (∂Φ/∂v)ᵀΛ                                         [Sato19]
//
// All derivatives are those of ⟨Λ, Φ⟩, which is differentiated as a Lagrangian is.
#include <type_traits>
#include <utility>

#include "varia/mechanics/constraint.hpp"
#include "varia/mechanics/lagrangian.hpp"

namespace varia {

template <class F> class Nonholonomic {
 public:
  explicit Nonholonomic(F phi) : phi_(std::move(phi)) {}

  template <class Q>
  static constexpr bool uses_time =
      std::is_invocable_v<const F&, double, const Q&, const Tangent<Q>&>;

  /// Number of constraints on points of type Q; Dynamic when Φ returns a vector of run-time size.
  template <class Q> static constexpr int count() {
    using R =
        std::decay_t<decltype(detail::call(std::declval<const F&>(), 0.0, std::declval<const Q&>(),
                                           std::declval<const Tangent<Q>&>()))>;
    if constexpr (requires { R::RowsAtCompileTime; })
      return R::RowsAtCompileTime;
    else
      return 1;
  }
  template <Point Q> int count_at(const Q& q) const {
    if constexpr (count<Q>() == Dynamic)
      return static_cast<int>(
          detail::call(phi_, 0.0, q, Tangent<Q>(Tangent<Q>::Zero(Space<Q>::dim(q)))).size());
    else
      return count<Q>();
  }

  /// The a-th one; numbers may be jets.
  template <class Q, class V> auto at(double t, const Q& q, const V& v, int a) const {
    const auto value = detail::call(phi_, t, q, v);
    if constexpr (requires { std::decay_t<decltype(value)>::RowsAtCompileTime; })
      return typename V::Scalar(value[a]);
    else
      return typename V::Scalar(value);
  }
  /// ⟨Λ, Φ⟩ as a Lagrangian; lambda must outlive it.
  auto paired(const Vn& lambda) const {
    return Lagrangian([this, &lambda](double t, const auto& q, const auto& v) {
      typename std::decay_t<decltype(v)>::Scalar sum(0.0);
      const auto value = detail::call(phi_, t, q, v);
      if constexpr (requires { std::decay_t<decltype(value)>::RowsAtCompileTime; }) {
        detail::require_count(value.size(), lambda.size());
        for (Eigen::Index a = 0; a < lambda.size(); ++a) sum += value[a] * lambda[a];
      } else {
        sum += value * lambda[0];
      }
      return sum;
    });
  }

 private:
  F phi_;
};

}  // namespace varia
