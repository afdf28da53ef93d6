// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What all jets have in common: the concept, the value under the derivatives, the domain errors.
//
// A jet is a number that carries derivatives with respect to N directions: Jet<S, N> the first,
// Jet2<N> the first and second. Every function of the library and of its user is written once,
// generic in the scalar, and evaluated with double or with a jet.
#include <cmath>
#include <concepts>
#include <type_traits>

#include "varia/core/error.hpp"

namespace varia {

template <class S, int N> struct Jet;
template <int N> struct Jet2;

namespace detail {

/// How many derivatives a scalar carries by itself: 0 for double, 1 for Jet, 2 for Jet2.
template <class T> inline constexpr int jet_order = 0;
template <class S, int N> inline constexpr int jet_order<Jet<S, N>> = 1;
template <int N> inline constexpr int jet_order<Jet2<N>> = 2;

/// T is a constant for the jet J: a plain number, or the scalar inside J (at any depth).
template <class T, class J> inline constexpr bool is_constant_for = std::is_arithmetic_v<T>;
template <class T, class S, int N>
inline constexpr bool is_constant_for<T, Jet<S, N>> =
    std::is_arithmetic_v<T> || std::same_as<T, S> || is_constant_for<T, S>;

template <class A, class B> struct Common {};
template <class A, class B>
requires(jet_order<A> > 0 && (std::same_as<A, B> || is_constant_for<B, A>)) struct Common<A, B> {
  using Type = A;
};
template <class A, class B>
requires(jet_order<B> > 0 && is_constant_for<A, B>) struct Common<A, B> {
  using Type = B;
};

}  // namespace detail

template <class T>
concept AnyJet = detail::jet_order<T> >
0;

template <class T, class J>
concept ConstantFor = AnyJet<J> && detail::is_constant_for<T, J>;

/// The jet that holds both A and B: two equal jets, or a jet and one of its constants.
template <class A, class B> using CommonJet = typename detail::Common<A, B>::Type;

template <class A, class B>
concept JetPair = requires {
  typename CommonJet<A, B>;
};

/// The number under all derivatives.
template <class T>
requires std::is_arithmetic_v<T>
constexpr double value_of(T x) { return static_cast<double>(x); }
template <AnyJet J> constexpr double value_of(const J& x) { return value_of(x.v); }

namespace detail {

/// Jets are built in two steps, so that no zero is written that is overwritten at once.
struct NoInit {};

/// out[k] = f(k). Short arrays are unrolled, so that they live in registers.
template <class S, int M, class F>
[[gnu::always_inline]] inline void fill(S (&out)[M], const F& f) {
  if constexpr (M <= 36) {
#pragma GCC unroll 36
    for (int k = 0; k < M; ++k) out[k] = f(k);
  } else {
    for (int k = 0; k < M; ++k) out[k] = f(k);
  }
}

/// 0 with zero derivatives of every order.
inline bool is_zero(double x) { return x == 0.0; }
template <AnyJet J> bool is_zero(const J& x) {
  return is_zero(x.v) && x.all_derivatives([](const auto& d) { return is_zero(d); });
}

/// No direction moves it; inner directions may.
template <AnyJet J> bool is_constant(const J& x) {
  return x.all_derivatives([](const auto& d) { return is_zero(d); });
}

/// No direction of any level moves it: it is a number.
inline bool is_number(double) { return true; }
template <AnyJet J> bool is_number(const J& x) { return is_number(x.v) && is_constant(x); }

// The errors are out of line and cold: a check costs one comparison that is never true.
// The text says why there is no derivative and what to do.

[[noreturn, gnu::cold]] void no_derivative(const char* call, double x, const char* text);
[[noreturn, gnu::cold]] void no_derivative(const char* call, double x, double y, const char* text);

}  // namespace detail
}  // namespace varia
