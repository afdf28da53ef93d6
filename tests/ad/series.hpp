// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Truncated power series in one variable as a scalar: automatic Taylor arithmetic.
//
//   (series)   x = x₀ + x₁t + … + x_K t^K,   (f∘x)_K = 1/K Σⱼ j xⱼ (f′∘x)_{K-j},  j = 1, …, K   [Griewank00]
//
// x.v is the series without its last coefficient, again a series, or the scalar S for K = 1. So f and
// f′ at x.v are all that the last coefficient needs, and the table of elementary functions of jets
// serves series as it stands. S may be a jet: the coefficients then carry derivatives.
#include <compare>
#include <type_traits>
#include <utility>

#include "varia/ad/eigen.hpp"

namespace varia {

template <class S, int K> struct Series;

namespace detail {

template <class S, int K> inline constexpr int jet_order<Series<S, K>> = 1;
template <class T, class S, int K>
inline constexpr bool is_constant_for<T, Series<S, K>> =
    std::is_arithmetic_v<T> || std::same_as<T, S> || is_constant_for<T, S>;

template <class S, int K> struct Shorter { using Type = Series<S, K - 1>; };
template <class S> struct Shorter<S, 1> { using Type = S; };

}  // namespace detail

template <class S, int K> struct Series {
  static_assert(K > 0, "a series of order 0 is its scalar");
  using Inner = typename detail::Shorter<S, K>::Type;

  Inner v;  ///< x₀ + … + x_{K-1} t^{K-1}
  S last;   ///< x_K

  constexpr Series() : v(), last() {}
  template <ConstantFor<Series> T> constexpr Series(const T& constant) : v(constant), last() {}

  const S& coefficient(int j) const {
    if constexpr (K == 1)
      return j == 1 ? last : v;
    else
      return j == K ? last : v.coefficient(j);
  }
  S& coefficient(int j) { return const_cast<S&>(std::as_const(*this).coefficient(j)); }

  template <class P> bool all_derivatives(const P& p) const { return p(last); }

  template <class T> Series scaled(const T& c) const {
    Series r;
    r.v = v * c;
    r.last = last * c;
    return r;
  }

  /// (series)  f(x), given f and f′ at v. Not inline: inside nested jets the code would grow too fast.
  [[gnu::noinline]] Series chain(const Inner& f, const Inner& f1) const {
    Series r;
    r.v = f;
    r.last = derivative_of_composite(f1) * (1.0 / K);
    return r;
  }
  [[gnu::noinline]] static Series chain(const Series& a, const Series& b, const Inner& f,
                                        const Inner& fa, const Inner& fb) {
    Series r;
    r.v = f;
    r.last = (a.derivative_of_composite(fa) + b.derivative_of_composite(fb)) * (1.0 / K);
    return r;
  }

  Series& operator+=(const Series& b) {
    v += b.v;
    last += b.last;
    return *this;
  }
  Series& operator-=(const Series& b) {
    v -= b.v;
    last -= b.last;
    return *this;
  }
  friend Series operator+(const Series& a) { return a; }
  friend Series operator-(const Series& a) { return a.scaled(-1.0); }
  friend Series operator+(const Series& a, const Series& b) { return Series(a) += b; }
  friend Series operator-(const Series& a, const Series& b) { return Series(a) -= b; }

  [[gnu::noinline]] friend Series operator*(const Series& a, const Series& b) {
    Series r;
    r.v = a.v * b.v;
    r.last = a.coefficient(0) * b.last;
    for (int j = 1; j <= K; ++j) r.last += a.coefficient(j) * b.coefficient(K - j);
    return r;
  }
  [[gnu::noinline]] friend Series operator/(const Series& a, const Series& b) {
    detail::check_quotient(a, b);
    Series r;
    r.v = a.v / b.v;
    S sum = a.last;
    for (int j = 0; j < K; ++j) sum -= r.coefficient(j) * b.coefficient(K - j);
    r.last = sum / b.coefficient(0);
    return r;
  }

  friend bool operator==(const Series& a, const Series& b) { return value_of(a) == value_of(b); }
  friend bool operator==(const Series& a, double b) { return value_of(a) == b; }
  friend auto operator<=>(const Series& a, const Series& b) { return value_of(a) <=> value_of(b); }
  friend auto operator<=>(const Series& a, double b) { return value_of(a) <=> b; }

 private:
  /// Σⱼ j xⱼ f1_{K-j}
  S derivative_of_composite(const Inner& f1) const {
    if constexpr (K == 1) {
      return last * f1;
    } else {
      S sum = coefficient(1) * f1.coefficient(K - 1);
      for (int j = 2; j <= K; ++j)
        sum += coefficient(j) * f1.coefficient(K - j) * static_cast<double>(j);
      return sum;
    }
  }
};

}  // namespace varia

namespace Eigen {

template <class S, int K>
struct NumTraits<varia::Series<S, K>>
    : varia::detail::JetTraits<varia::Series<S, K>, (K + 1) * int(NumTraits<S>::ReadCost)> {};
template <class S, int K, class Op> struct ScalarBinaryOpTraits<varia::Series<S, K>, double, Op> {
  using ReturnType = varia::Series<S, K>;
};
template <class S, int K, class Op> struct ScalarBinaryOpTraits<double, varia::Series<S, K>, Op> {
  using ReturnType = varia::Series<S, K>;
};

}  // namespace Eigen
