// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// One factor of a configuration space whose factors are listed at run time: ℝᵏ, SO(3).
//
// What the trait Space<Q> says of a type of points, a factor says of plain arrays, so that flows are
// compiled once for all spaces. A point is the list of its entries; velocities and covectors are
// left-trivialised, dof() numbers; maps are dof() × dof(), row by row. See space.hpp for the laws.
#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "varia/expr/graph.hpp"
#include "varia/space/notation.hpp"
#include "varia/space/retraction.hpp"

namespace varia {

class Factor;
class CurvedFactor;

using FactorPtr = std::shared_ptr<const Factor>;

/// Numbers of a point or vector as formulas.
using Formulas = std::vector<expr::Id>;

class Factor {
 public:
  virtual ~Factor() = default;

  virtual std::string name() const = 0;  ///< SO(3), R^4
  virtual int entries() const = 0;
  virtual int dof() const = 0;
  virtual const Notation& notation() const = 0;
  /// Itself, or null where ⊕ is + and all the rest is trivial.
  virtual const CurvedFactor* curved() const { return nullptr; }
  /// The factor to take with this retraction instead of this one; null: none.
  virtual FactorPtr with(Retraction /*tau*/) const { return nullptr; }
  /// So many of them as one factor; null: each is one of its own.
  virtual FactorPtr power(int /*count*/) const { return nullptr; }

  /// The identity, or zero.
  virtual void origin(double* q) const = 0;
  /// Throws InvalidArgument, beginning with `what`, when the entries are not those of a point.
  virtual void require_point(const double* q, const std::string& what) const = 0;
  /// The point that the numbers stand for in one of the forms of the notation, key after key; throws
  /// InvalidArgument where they are no point.
  virtual void read_point(std::size_t form, const double* numbers, double* q) const = 0;
  /// q ⊕ ξ; `out` may be q.
  virtual void retract(const double* q, const double* xi, Retraction tau, double* out) const = 0;
  /// q₁ ⊖ q₀
  virtual void difference(const double* q0, const double* q1, Retraction tau, double* xi) const = 0;
  /// The rates of the entries of a point that moves with velocity v.
  virtual void entry_rates(const double* q, const double* v, double* out) const = 0;
  /// The entries of q exp(δ), right to second order at δ = 0, as formulas.
  virtual Formulas displaced(expr::Graph& graph, const Formulas& q,
                             const Formulas& delta) const = 0;

  // The chart ξ ↦ q ⊕ ξ as formulas, which are right for |ξ| ≤ π.
  virtual Formulas retracted(expr::Graph& graph, const Formulas& q, const Formulas& xi,
                             Retraction tau) const = 0;
  /// dτ_ξ η
  virtual Formulas chart_velocity(expr::Graph& graph, const Formulas& xi, const Formulas& eta,
                                  Retraction tau) const = 0;
  /// Ad_{τ(-ξ)} δ: how q ⊕ ξ moves in its own frame when q moves by δ.
  virtual Formulas carried(expr::Graph& graph, const Formulas& xi, const Formulas& delta,
                           Retraction tau) const = 0;
  /// ad*_v π
  virtual Formulas coadjoint(expr::Graph& graph, const Formulas& pi, const Formulas& v) const = 0;
  /// What vanishes where b is a, and is δ to first order at b = a exp(δ).
  virtual Formulas gap(expr::Graph& graph, const Formulas& a, const Formulas& b) const = 0;

  /// The maps Ad*_{q⁻¹} of momenta to the frame of space, row by row: the generators of q ↦ g q. None
  /// where the space has no frame.
  virtual std::vector<Formulas> to_space(expr::Graph& /*graph*/, const Formulas& /*q*/) const {
    return {};
  }
  /// The Casimir functions of the momentum; those of the notation.
  virtual Formulas casimirs(expr::Graph& /*graph*/, const Formulas& /*p*/) const { return {}; }

  // What a person sees, where that is not what the integrators hold. A point of S² is seen as a unit
  // vector n and held as a rotation R with R e₃ = n. The notation names what is seen. A linear map
  // A(q), the horizontal lift, leads from seen vectors to held ones, and Aᵀ back; A Aᵀ = I but for the
  // vertical degrees of freedom, along which nothing that is seen moves. Here: seen as held.

  /// How many degrees of freedom are vertical; they are the last ones.
  virtual int vertical() const { return 0; }
  virtual Formulas seen_point(expr::Graph& /*graph*/, const Formulas& q) const { return q; }
  /// Aᵀ of a velocity or momentum.
  virtual Formulas seen_vector(expr::Graph& /*graph*/, const Formulas& /*q*/,
                               const Formulas& held) const {
    return held;
  }
  /// A of a velocity, generator, momentum or force.
  virtual Formulas held_vector(expr::Graph& /*graph*/, const Formulas& /*q*/,
                               const Formulas& seen) const {
    return seen;
  }
  /// One of the points that are seen like this; gives the place behind what was read.
  virtual const double* hold_point(const double* seen, double* q) const {
    std::copy_n(seen, entries(), q);
    return seen + entries();
  }
  /// A of the velocity or momentum of a start; throws InvalidArgument where it is no tangent vector.
  virtual void read_vector(const double* /*q*/, const double* seen, double* held) const {
    std::copy_n(seen, dof(), held);
  }
};

/// The chart ξ ↦ q ⊕ ξ at one ξ that moves with velocity η.
class FactorChart {
 public:
  static constexpr int most = 6;  ///< degrees of freedom of a curved factor
  using Map = double[most * most];

  Map D;  ///< dτ_ξ
  Map E;  ///< ∂(dτ_ξ η)/∂ξ
  Map A;  ///< Ad*_{τ(-ξ)}

  /// What a factor computes once for each ξ.
  template <class T, class... X> const T& keep(X&&... x) {
    static_assert(sizeof(T) <= sizeof(storage_) && std::is_trivially_destructible_v<T>);
    return *new (storage_) T(std::forward<X>(x)...);
  }
  template <class T> const T& kept() const {
    return *std::launder(reinterpret_cast<const T*>(storage_));
  }

 private:
  alignas(std::max_align_t) std::byte storage_[512];
};

class CurvedFactor : public Factor {
 public:
  const CurvedFactor* curved() const final { return this; }

  /// q ⊕ ξ, its velocity dτ_ξ η, and the maps of the chart.
  virtual void place(const double* q, const double* xi, const double* eta, Retraction tau,
                     FactorChart& chart, double* out, double* velocity) const = 0;
  /// As place(), without the maps where the rest is quicker: for pull_back() alone.
  virtual void locate(const double* q, const double* xi, const double* eta, Retraction tau,
                      FactorChart& chart, double* out, double* velocity) const = 0;
  /// P = D*π, W = D*N + E*π and A N, after place() or locate() with η.
  virtual void pull_back(const FactorChart& chart, const double* eta, const double* N,
                         const double* pi, double* P, double* W, double* moved) const = 0;
  /// dτ_ξ* m
  virtual void pull_momentum(const double* xi, Retraction tau, const double* m,
                             double* out) const = 0;
  /// D alone.
  virtual void tangent(const double* xi, Retraction tau, FactorChart& chart) const = 0;
  /// ∂(dτ_ξ* π)/∂ξ
  virtual void transpose_derivative(const FactorChart& chart, const double* pi,
                                    double* map) const = 0;
  /// ∂²⟨π, dτ_ξ η⟩/∂ξ²
  virtual void hessian(const FactorChart& chart, const double* pi, const double* eta,
                       double* map) const = 0;
  /// δ ↦ ad*_δ π
  virtual void ad_star(const double* pi, double* map) const = 0;
  /// The angle by which τ(ξ) turns, to first order in ξ.
  virtual double turn(const double* xi) const = 0;
  /// The end of a step: q ← q ⊕ ξ, p ← Ad*_{τ(ξ)}(p + Δ), remainders added and kept.
  virtual void update(double* q, double* q_rest, double* p, double* p_rest, const double* xi,
                      const double* delta, Retraction tau) const = 0;
};

/// ℝᵏ, k ≥ 1.
FactorPtr euclidean(int k);
/// SO(2): an angle, which is a number that is not wrapped. With the exponential map ⊕ is +; with the
/// Cayley map the second one is needed, which serves both.
const FactorPtr& angles();
const FactorPtr& curved_angles();
/// SO(3): nine entries R₁₁ R₁₂ … R₃₃, body angular velocities.
const FactorPtr& rotations();
/// SE(2): position and angle, body velocities (v₁, v₂, ω).
const FactorPtr& plane_motions();
/// SE(3): nine entries of a rotation and a position, body velocities (ω, v).
const FactorPtr& motions();
/// S²: a unit vector, held as a rotation; see sphere.hpp.
const FactorPtr& spheres();

}  // namespace varia
