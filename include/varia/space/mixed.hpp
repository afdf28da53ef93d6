// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Points of a product whose factors are listed at run time, over any scalar.
//
//   const MixedPoint<double> q({rotations(), euclidean(3)});   // a body that moves
//
// A point is the list of its entries. Flows take the entries alone; this type is for what displaces
// and differentiates points: the certificate tier and the checks. Tangent vectors are stacked.
#include <algorithm>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "varia/core/error.hpp"
#include "varia/space/curved_spaces.hpp"
#include "varia/space/entries.hpp"
#include "varia/space/euclidean.hpp"
#include "varia/space/product_space.hpp"

namespace varia {

template <class S> class MixedPoint {
 public:
  /// A point of no space.
  MixedPoint() : MixedPoint(std::vector<FactorPtr>{}) {}

  /// Zeros and identities.
  explicit MixedPoint(const std::vector<FactorPtr>& factors)
      : space_(std::make_shared<const ProductSpace>(factors)) {
    Vn origin(space_->entries());
    for (const auto& at : space_->factors()) at.factor->origin(origin.data() + at.entry);
    values_ = origin.cast<S>();
  }

  /// From entries, which must be those of a point. They are kept to the bit.
  MixedPoint(const std::vector<FactorPtr>& factors, Vector<S, Dynamic> entries)
      : MixedPoint(std::make_shared<const ProductSpace>(factors), std::move(entries)) {
    if constexpr (std::is_same_v<S, double>) space_->require_point(values_.data());
  }

  /// Of the same space with other entries, which are not checked.
  MixedPoint(std::shared_ptr<const ProductSpace> space, Vector<S, Dynamic> entries)
      : space_(std::move(space)), values_(std::move(entries)) {
    if (values_.size() != space_->entries())
      throw InvalidArgument("a point of this space has " + std::to_string(space_->entries()) +
                            " entries, got " + std::to_string(values_.size()));
  }

  const std::shared_ptr<const ProductSpace>& space() const { return space_; }
  const Vector<S, Dynamic>& values() const { return values_; }

 private:
  std::shared_ptr<const ProductSpace> space_;
  Vector<S, Dynamic> values_;
};

template <class S> struct Space<MixedPoint<S>> {
  using Q = MixedPoint<S>;
  using Scalar = S;
  using V = Vector<S, Dynamic>;
  using Map = Matrix<S, Dynamic>;
  template <class T> using Rebind = MixedPoint<T>;
  static constexpr int dof = Dynamic;
  static constexpr bool is_vector_space = false;

  static int dim(const Q& q) { return q.space()->dof(); }

  static Q retract(const Q& q, const V& xi, Retraction tau = default_retraction) {
    V out = q.values();
    each(*q.space(), vector_sum(out, xi), [&]<template <class> class G>(const auto& at) {
      using Y = Space<G<S>>;
      Y::write(Y::retract(point<G>(q, at), part<Y::dof>(xi, at), tau), out.data() + at.entry);
    });
    return {q.space(), std::move(out)};
  }
  static V difference(const Q& q0, const Q& q1, Retraction tau = default_retraction) {
    require_same(*q0.space(), *q1.space());
    V xi(dim(q0));
    each(
        *q0.space(),
        [&](const auto& at, int i) {
          xi[at.degree + i] = q1.values()[at.entry + i] - q0.values()[at.entry + i];
        },
        [&]<template <class> class G>(const auto& at) {
          using Y = Space<G<S>>;
          xi.template segment<Y::dof>(at.degree) =
              Y::difference(point<G>(q0, at), point<G>(q1, at), tau);
        });
    return xi;
  }
  template <class T> static MixedPoint<T> cast(const Q& q) {
    return {q.space(), q.values().template cast<T>()};
  }
  template <class T> static MixedPoint<T> displace(const Q& q, const Vector<T, Dynamic>& delta) {
    Vector<T, Dynamic> out = q.values().template cast<T>();
    each(*q.space(), vector_sum(out, delta), [&]<template <class> class G>(const auto& at) {
      Space<G<T>>::write(
          Space<G<S>>::template displace<T>(point<G>(q, at), part<Space<G<S>>::dof>(delta, at)),
          out.data() + at.entry);
    });
    return {q.space(), std::move(out)};
  }
  template <class T>
  static Vector<T, Dynamic> velocity(const Q& q, const Vector<T, Dynamic>& xi,
                                     const Vector<T, Dynamic>& eta, Retraction tau) {
    Vector<T, Dynamic> out = eta;
    each(
        *q.space(), [](const auto&, int) {},
        [&]<template <class> class G>(const auto& at) {
          using Y = Space<G<T>>;
          out.template segment<Y::dof>(at.degree) =
              Y::template velocity<T>(part<Y::dof>(xi, at), part<Y::dof>(eta, at), tau);
        });
    return out;
  }

 private:
  template <template <class> class G> static G<S> point(const Q& q, const auto& at) {
    return Space<G<S>>::template read<S>(q.values().data() + at.entry);
  }
  template <int n, class T> static Vector<T, n> part(const Vector<T, Dynamic>& x, const auto& at) {
    return x.template segment<n>(at.degree);
  }
  /// The i-th number of a factor that is a vector: out += ξ
  template <class T> static auto vector_sum(Vector<T, Dynamic>& out, const Vector<T, Dynamic>& xi) {
    return [&](const auto& at, int i) { out[at.entry + i] += xi[at.degree + i]; };
  }
  /// number(at, i) for all numbers of vectors, curved<G>(at) for the other factors.
  template <class Number, class Curved>
  static void each(const ProductSpace& space, const Number& number, const Curved& curved) {
    for (const auto& at : space.factors()) {
      if (at.factor->curved() == nullptr)
        for (int i = 0; i < at.factor->dof(); ++i) number(at, i);
      else
        detail::visit_curved(
            at.factor, [&]<template <class> class G>() { curved.template operator()<G>(at); });
    }
  }
  static void require_same(const ProductSpace& a, const ProductSpace& b) {
    if (&a != &b && a.name() != b.name())
      throw InvalidArgument("two points of different spaces, " + a.name() + " and " + b.name() +
                            ", have no difference");
  }
};

template <> struct Entries<MixedPoint<double>> {
  using Q = MixedPoint<double>;
  static int count(const Q& q) { return static_cast<int>(q.values().size()); }
  static void write(const Q& q, double* x) {
    std::copy(q.values().data(), q.values().data() + count(q), x);
  }
  static void read(const double* x, Q& q) { q = Q(q.space(), Eigen::Map<const Vn>(x, count(q))); }
};

}  // namespace varia
