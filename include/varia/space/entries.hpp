// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Between points as types and points as the numbers that describe them, with the factors of their
// space. A space of one's own supplies entries, read and write, see factor_of.hpp.
#include <algorithm>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include "varia/space/product.hpp"
#include "varia/space/product_space.hpp"

namespace varia {

template <Point Q> class FactorOf;

/// The space of one type of points, by its entries.
template <class Q> struct Entries {
  static int count(const Q&) { return Space<Q>::entries; }
  static void write(const Q& q, double* x) { Space<Q>::write(q, x); }
  template <class T> static void read(const T* x, Rebind<Q, T>& q) {
    q = Space<Q>::template read<T>(x);
  }
  static void add_factors(const Q&, std::vector<FactorPtr>& list) {
    if constexpr (requires { Space<Q>::factor(); })
      list.push_back(Space<Q>::factor());
    else
      list.push_back(std::make_shared<const FactorOf<Q>>());
  }
};

template <class X, int N> struct Entries<Eigen::Matrix<X, N, 1>> {
  using Q = Vector<X, N>;
  static int count(const Q& q) { return static_cast<int>(q.size()); }
  static void write(const Q& q, X* x) { std::copy(q.data(), q.data() + q.size(), x); }
  template <class T> static void read(const T* x, Vector<T, N>& q) {
    std::copy(x, x + q.size(), q.data());
  }
  static void add_factors(const Q& q, std::vector<FactorPtr>& list) {
    if (q.size() > 0) list.push_back(euclidean(count(q)));
  }
};

template <class... F> struct Entries<Product<F...>> {
  using Q = Product<F...>;
  static int count(const Q& q) {
    return std::apply([](const F&... part) { return (Entries<F>::count(part) + ... + 0); },
                      q.parts);
  }
  static void write(const Q& q, double* x) {
    const auto one = [&x]<class P>(const P& part) {
      Entries<P>::write(part, x);
      x += Entries<P>::count(part);
    };
    std::apply([&](const F&... part) { (one(part), ...); }, q.parts);
  }
  template <class T> static void read(const T* x, Rebind<Q, T>& q) {
    const auto one = [&x]<class P>(P& part) {
      Entries<P>::read(x, part);
      x += Entries<P>::count(part);
    };
    std::apply([&](Rebind<F, T>&... part) { (one(part), ...); }, q.parts);
  }
  static void add_factors(const Q& q, std::vector<FactorPtr>& list) {
    std::apply([&](const F&... part) { (Entries<F>::add_factors(part, list), ...); }, q.parts);
  }
};

/// The space of the points like q.
template <Point Q> ProductSpace space_of(const Q& q) {
  std::vector<FactorPtr> list;
  Entries<Q>::add_factors(q, list);
  return ProductSpace(std::move(list));
}

}  // namespace varia
