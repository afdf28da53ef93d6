// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Products of spaces: Product<SO3<double>, Vector<double, 3>> is the configuration of a rigid body
// that also moves. Points are tuples, tangent vectors are stacked, every map is block diagonal.
#include <tuple>
#include <utility>

#include "varia/space/space.hpp"

namespace varia {

template <class... Q> struct Product {
  std::tuple<Q...> parts;

  Product() = default;
  explicit Product(const Q&... q) : parts(q...) {}
};

/// The I-th factor of a point of a product.
template <std::size_t I, class... Q> const auto& get(const Product<Q...>& q) {
  return std::get<I>(q.parts);
}

template <class First, class... Rest> struct Space<Product<First, Rest...>> {
  using Q = Product<First, Rest...>;
  using Scalar = typename Space<First>::Scalar;
  template <class T> using Rebind = Product<varia::Rebind<First, T>, varia::Rebind<Rest, T>...>;
  static_assert(Space<First>::dof != Dynamic && ((Space<Rest>::dof != Dynamic) && ...),
                "the factors of a Product have sizes known at compile time");
  static constexpr int dof = Space<First>::dof + (Space<Rest>::dof + ... + 0);
  static constexpr bool is_vector_space =
      Space<First>::is_vector_space && (Space<Rest>::is_vector_space && ...);
  using V = Vector<Scalar, dof>;
  using Map = Matrix<Scalar, dof>;

  static int dim(const Q&) { return dof; }

  static Q retract(const Q& q, const V& xi, Retraction tau = default_retraction) {
    Q out;
    each([&]<class S, int at, int n>(auto i) {
      std::get<i>(out.parts) = S::retract(get<i>(q), xi.template segment<n>(at), tau);
    });
    return out;
  }
  static V difference(const Q& q0, const Q& q1, Retraction tau = default_retraction) {
    V xi;
    each([&]<class S, int at, int n>(auto i) {
      xi.template segment<n>(at) = S::difference(get<i>(q0), get<i>(q1), tau);
    });
    return xi;
  }
  template <class T> static Rebind<T> cast(const Q& q) {
    Rebind<T> out;
    each([&]<class S, int, int>(auto i) {
      std::get<i>(out.parts) = S::template cast<T>(get<i>(q));
    });
    return out;
  }
  template <class T> static Rebind<T> displace(const Q& q, const Vector<T, dof>& delta) {
    Rebind<T> out;
    each([&]<class S, int at, int n>(auto i) {
      std::get<i>(out.parts) =
          S::template displace<T>(get<i>(q), Vector<T, n>(delta.template segment<n>(at)));
    });
    return out;
  }
  template <class J> static Rebind<J> seed(const Q& q, int k) {
    Rebind<J> out;
    each([&]<class S, int at, int>(auto i) {
      std::get<i>(out.parts) = S::template seed<J>(get<i>(q), k + at);
    });
    return out;
  }

  template <class T>
  static Vector<T, dof> velocity(const Vector<T, dof>& xi, const Vector<T, dof>& eta,
                                 Retraction tau) {
    Vector<T, dof> out;
    each([&]<class S, int at, int n>(auto) {
      out.template segment<n>(at) = S::template velocity<T>(
          Vector<T, n>(xi.template segment<n>(at)), Vector<T, n>(eta.template segment<n>(at)), tau);
    });
    return out;
  }
  static Map ad_star(const V& pi) {
    return blocks([&]<class S, int at, int n>() { return S::ad_star(pi.template segment<n>(at)); });
  }

 private:
  /// Calls f<Space of factor, first tangent index, dof of factor>(index) for every factor.
  template <class F> static void each(const F& f) { each_from<0, 0, First, Rest...>(f); }
  template <std::size_t I, int at, class Head, class... Tail, class F>
  static void each_from(const F& f) {
    f.template operator()<Space<Head>, at, Space<Head>::dof>(
        std::integral_constant<std::size_t, I>{});
    if constexpr (sizeof...(Tail) > 0) each_from<I + 1, at + Space<Head>::dof, Tail...>(f);
  }
  template <class F> static Map blocks(const F& f) {
    Map m = Map::Zero();
    each([&]<class S, int at, int n>(auto) {
      m.template block<n, n>(at, at) = f.template operator()<S, at, n>();
    });
    return m;
  }
};

}  // namespace varia
