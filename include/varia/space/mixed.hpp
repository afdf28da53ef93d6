// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Products of ℝᵏ and SO(3) whose factors are listed at run time.
//
//   const MixedPoint<double> q({rotations(), euclidean(3)});   // a body that moves
//
// A point is the flat list of its entries: the k numbers of ℝᵏ, the nine R₁₁ R₁₂ … R₃₃ of a
// rotation, row by row. Tangent vectors are stacked, k or 3 numbers for each factor, and every map
// is block diagonal. The shape is shared by all points that come from one.
#include <cstddef>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "varia/core/error.hpp"
#include "varia/space/euclidean.hpp"
#include "varia/space/product_space.hpp"
#include "varia/space/so3.hpp"

namespace varia {

/// Where the factors of a point stand among its entries and among the components of its tangents.
class MixedShape {
 public:
  struct Place {
    bool is_rotation;
    int entry, tangent;  ///< first of the factor
    int dof;
  };

  explicit MixedShape(const std::vector<FactorPtr>& factors) : space_(factors) {
    for (const auto& at : space_.factors())
      places_.push_back({at.factor == rotations(), at.entry, at.degree, at.factor->dof()});
  }

  const ProductSpace& space() const { return space_; }
  const std::vector<Place>& places() const { return places_; }
  int entries() const { return space_.entries(); }
  int dof() const { return space_.dof(); }

  friend bool operator==(const MixedShape& a, const MixedShape& b) {
    if (a.places_.size() != b.places_.size()) return false;
    for (std::size_t i = 0; i < a.places_.size(); ++i)
      if (a.places_[i].is_rotation != b.places_[i].is_rotation ||
          a.places_[i].dof != b.places_[i].dof)
        return false;
    return true;
  }

 private:
  ProductSpace space_;
  std::vector<Place> places_;
};

template <class S> class MixedPoint {
 public:
  using Place = MixedShape::Place;

  /// A point of no space.
  MixedPoint() : shape_(no_shape()) {}

  /// Zeros and identities.
  explicit MixedPoint(const std::vector<FactorPtr>& factors)
      : shape_(std::make_shared<const MixedShape>(factors)) {
    values_.setConstant(shape_->entries(), S(0.0));
    for (const Place& place : shape_->places())
      if (place.is_rotation)
        for (int i = 0; i < 3; ++i) values_[place.entry + 4 * i] = S(1.0);
  }

  /// From entries, which must be numbers and, for SO(3), rotations. They are kept to the bit.
  MixedPoint(const std::vector<FactorPtr>& factors, Vector<S, Dynamic> entries)
      : MixedPoint(std::make_shared<const MixedShape>(factors), std::move(entries)) {
    if constexpr (std::is_same_v<S, double>) shape_->space().require_point(values_.data());
  }

  /// The same shape with other entries, which are not checked to be rotations.
  MixedPoint(std::shared_ptr<const MixedShape> shape, Vector<S, Dynamic> entries)
      : shape_(std::move(shape)), values_(std::move(entries)) {
    if (values_.size() != shape_->entries())
      throw InvalidArgument("a point of this space has " + std::to_string(shape_->entries()) +
                            " entries, got " + std::to_string(values_.size()));
  }

  const std::shared_ptr<const MixedShape>& shape() const { return shape_; }
  const Vector<S, Dynamic>& values() const { return values_; }
  int factors() const { return static_cast<int>(shape_->places().size()); }

  /// The i-th factor, a rotation.
  SO3<S> rotation(int i) const {
    const Place& place = factor(i);
    if (!place.is_rotation)
      throw InvalidArgument("factor " + std::to_string(i) + " is a vector, not a rotation");
    return rotation_at(place);
  }
  /// The i-th factor, a vector.
  Vector<S, Dynamic> vector(int i) const {
    const Place& place = factor(i);
    if (place.is_rotation)
      throw InvalidArgument("factor " + std::to_string(i) + " is a rotation, not a vector");
    return values_.segment(place.entry, place.dof);
  }

  SO3<S> rotation_at(const Place& place) const {
    SO3<S> r;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) r.matrix(i, j) = values_[place.entry + 3 * i + j];
    return r;
  }
  void set_rotation(const Place& place, const Matrix<S, 3>& r) {
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) values_[place.entry + 3 * i + j] = r(i, j);
  }
  auto vector_at(const Place& place) { return values_.segment(place.entry, place.dof); }
  auto vector_at(const Place& place) const { return values_.segment(place.entry, place.dof); }

 private:
  static const std::shared_ptr<const MixedShape>& no_shape() {
    static const auto shape = std::make_shared<const MixedShape>(std::vector<FactorPtr>{});
    return shape;
  }

  const Place& factor(int i) const {
    if (i < 0 || i >= factors())
      throw InvalidArgument("there is no factor " + std::to_string(i) + "; the space has " +
                            std::to_string(factors()) + ", counted from 0");
    return shape_->places()[static_cast<std::size_t>(i)];
  }

  std::shared_ptr<const MixedShape> shape_;
  Vector<S, Dynamic> values_;
};

/// The numbers a point is described by, and how many they are.
template <class S> int entry_count(const MixedPoint<S>& q) { return q.shape()->entries(); }
template <class S> void entries(const MixedPoint<S>& q, S* out) {
  for (Eigen::Index i = 0; i < q.values().size(); ++i) out[i] = q.values()[i];
}

/// The chart at one ξ: a block for each factor, that of a vector being trivial.
class MixedChart {
 public:
  using V = Vector<double, Dynamic>;
  using Map = Matrix<double, Dynamic>;
  using Part = Vector<double, 3>;

  MixedChart(const MixedPoint<double>& q, V xi, Retraction tau)
      : shape_(q.shape()), xi_(std::move(xi)) {
    for (const auto& place : shape_->places())
      if (place.is_rotation) rotations_.emplace_back(part(xi_, place), tau);
  }

  Map dtau() const {
    return blocks(1.0, [](const RotationChart& r, const auto&) { return r.dtau(); });
  }
  Map dtau_derivative(const V& eta) const {
    return blocks(0.0, [&](const RotationChart& r, const auto& place) {
      return r.dtau_derivative(part(eta, place));
    });
  }
  Map dtau_transpose_derivative(const V& pi) const {
    return blocks(0.0, [&](const RotationChart& r, const auto& place) {
      return r.dtau_transpose_derivative(part(pi, place));
    });
  }
  Map dtau_hessian(const V& pi, const V& eta) const {
    return blocks(0.0, [&](const RotationChart& r, const auto& place) {
      return r.dtau_hessian(part(pi, place), part(eta, place));
    });
  }
  Map coadjoint() const {
    return blocks(1.0, [](const RotationChart& r, const auto&) { return r.coadjoint(); });
  }
  MixedPoint<double> retract(const MixedPoint<double>& q) const {
    MixedPoint<double> out = q;
    std::size_t k = 0;
    for (const auto& place : shape_->places()) {
      if (place.is_rotation)
        out.set_rotation(place, rotations_[k++].retract(q.rotation_at(place)).matrix);
      else
        out.vector_at(place) += xi_.segment(place.tangent, place.dof);
    }
    return out;
  }

 private:
  static Part part(const V& x, const MixedShape::Place& place) {
    return x.segment<3>(place.tangent);
  }
  /// f of each rotation on the diagonal, a multiple of the identity for each vector.
  template <class F> Map blocks(double flat, const F& f) const {
    Map m = Map::Zero(xi_.size(), xi_.size());
    std::size_t k = 0;
    for (const auto& place : shape_->places()) {
      if (place.is_rotation)
        m.block<3, 3>(place.tangent, place.tangent) = f(rotations_[k++], place);
      else
        m.diagonal().segment(place.tangent, place.dof).setConstant(flat);
    }
    return m;
  }

  std::shared_ptr<const MixedShape> shape_;
  V xi_;
  std::vector<RotationChart> rotations_;
};

template <class S> struct Space<MixedPoint<S>> {
  using Q = MixedPoint<S>;
  using Scalar = S;
  using V = Vector<S, Dynamic>;
  using Map = Matrix<S, Dynamic>;
  using Part = Vector<S, 3>;
  using Rotations = Space<SO3<S>>;
  using Place = MixedShape::Place;
  using Chart = MixedChart;
  template <class T> using Rebind = MixedPoint<T>;
  static constexpr int dof = Dynamic;
  static constexpr bool flat = false;

  static int dim(const Q& q) { return q.shape()->dof(); }

  static Q retract(const Q& q, const V& xi, Retraction tau = default_retraction) {
    Q out = q;
    for (const Place& at : q.shape()->places()) {
      if (at.is_rotation)
        out.set_rotation(at, Rotations::retract(q.rotation_at(at), part(xi, at), tau).matrix);
      else
        out.vector_at(at) += xi.segment(at.tangent, at.dof);
    }
    return out;
  }
  static V difference(const Q& q0, const Q& q1, Retraction tau = default_retraction) {
    if (q0.shape() != q1.shape() && !(*q0.shape() == *q1.shape()))
      throw InvalidArgument("two points of different mixed spaces have no difference");
    V xi(dim(q0));
    for (const Place& at : q0.shape()->places()) {
      if (at.is_rotation)
        xi.template segment<3>(at.tangent) =
            Rotations::difference(q0.rotation_at(at), q1.rotation_at(at), tau);
      else
        xi.segment(at.tangent, at.dof) = q1.vector_at(at) - q0.vector_at(at);
    }
    return xi;
  }
  template <class T> static MixedPoint<T> cast(const Q& q) {
    return MixedPoint<T>(q.shape(), q.values().template cast<T>());
  }

  template <class T> static MixedPoint<T> displace(const Q& q, const Vector<T, Dynamic>& delta) {
    MixedPoint<T> out(q.shape(), Vector<T, Dynamic>(entry_count(q)));
    for (const Place& at : q.shape()->places()) {
      if (at.is_rotation)
        out.set_rotation(
            at, Rotations::template displace<T>(q.rotation_at(at),
                                                Vector<T, 3>(delta.template segment<3>(at.tangent)))
                    .matrix);
      else
        for (int i = 0; i < at.dof; ++i)
          out.vector_at(at)[i] = delta[at.tangent + i] + q.values()[at.entry + i];
    }
    return out;
  }
  template <class J> static MixedPoint<J> seed(const Q& q, int k) {
    MixedPoint<J> out(q.shape(), Vector<J, Dynamic>(entry_count(q)));
    for (const Place& at : q.shape()->places()) {
      if (at.is_rotation)
        out.set_rotation(at, rotation_seed<J>(q.rotation_at(at).matrix, k + at.tangent));
      else
        for (int i = 0; i < at.dof; ++i)
          out.vector_at(at)[i] = J::variable(q.values()[at.entry + i], k + at.tangent + i);
    }
    return out;
  }

  template <class T>
  static Vector<T, Dynamic> velocity(const Q& q, const Vector<T, Dynamic>& xi,
                                     const Vector<T, Dynamic>& eta, Retraction tau) {
    Vector<T, Dynamic> out = eta;
    for (const Place& at : q.shape()->places())
      if (at.is_rotation)
        out.template segment<3>(at.tangent) = Space<SO3<T>>::template velocity<T>(
            Vector<T, 3>(xi.template segment<3>(at.tangent)),
            Vector<T, 3>(eta.template segment<3>(at.tangent)), tau);
    return out;
  }
  static Map dtau(const Q& q, const V& xi, Retraction tau) { return Chart(q, xi, tau).dtau(); }
  static Map ad_star(const Q& q, const V& pi) {
    Map m = Map::Zero(pi.size(), pi.size());
    for (const Place& at : q.shape()->places())
      if (at.is_rotation)
        m.template block<3, 3>(at.tangent, at.tangent) = Rotations::ad_star(part(pi, at));
    return m;
  }

  static void advance(Q& q, V& remainder, const V& xi, Retraction tau) {
    for (const Place& at : q.shape()->places()) {
      if (at.is_rotation) {
        SO3<S> r = q.rotation_at(at);
        Part rest = part(remainder, at);
        Rotations::advance(r, rest, part(xi, at), tau);
        q.set_rotation(at, r.matrix);
        remainder.template segment<3>(at.tangent) = rest;
      } else {
        V x = q.vector_at(at);
        add(x, remainder, xi, at);
        q.vector_at(at) = x;
      }
    }
  }
  static void transport(const Q& q, V& p, V& remainder, const V& delta, const V& xi,
                        Retraction tau) {
    for (const Place& at : q.shape()->places()) {
      if (at.is_rotation) {
        Part m = part(p, at);
        Part rest = part(remainder, at);
        Rotations::transport(m, rest, part(delta, at), part(xi, at), tau);
        p.template segment<3>(at.tangent) = m;
        remainder.template segment<3>(at.tangent) = rest;
      } else {
        V x = p.segment(at.tangent, at.dof);
        add(x, remainder, delta, at);
        p.segment(at.tangent, at.dof) = x;
      }
    }
  }
  /// Both at once, with one τ(ξ) for each rotation.
  static void update(Q& q, V& q_rest, V& p, V& p_rest, const V& xi, const V& delta,
                     Retraction tau) {
    for (const Place& at : q.shape()->places()) {
      if (at.is_rotation) {
        SO3<S> r = q.rotation_at(at);
        Part rest = part(q_rest, at);
        Part m = part(p, at);
        Part m_rest = part(p_rest, at);
        Rotations::update(r, rest, m, m_rest, part(xi, at), part(delta, at), tau);
        q.set_rotation(at, r.matrix);
        q_rest.template segment<3>(at.tangent) = rest;
        p.template segment<3>(at.tangent) = m;
        p_rest.template segment<3>(at.tangent) = m_rest;
      } else {
        V x = q.vector_at(at);
        add(x, q_rest, xi, at);
        q.vector_at(at) = x;
        x = p.segment(at.tangent, at.dof);
        add(x, p_rest, delta, at);
        p.segment(at.tangent, at.dof) = x;
      }
    }
  }

 private:
  static Part part(const V& x, const Place& at) { return x.template segment<3>(at.tangent); }
  /// x + its remainder ← x + remainder + increment, for a factor that is a vector.
  static void add(V& x, V& remainder, const V& increment, const Place& at) {
    V rest = remainder.segment(at.tangent, at.dof);
    detail::exact_add(x, rest, V(increment.segment(at.tangent, at.dof)));
    remainder.segment(at.tangent, at.dof) = rest;
  }
};

}  // namespace varia
