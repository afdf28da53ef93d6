// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A mechanical system: System{L}, System{L, Force{f}, Holonomic{phi}, Nonholonomic{Phi},
// Symmetry{"name", xi}, …}.
//
// L is a callable L(q, v) or L(t, q, v), or Separable{mass, potential}. The parts may come in any
// order; symmetries may be several.
#include <tuple>
#include <type_traits>
#include <utility>

#include "varia/mechanics/constraint.hpp"
#include "varia/mechanics/force.hpp"
#include "varia/mechanics/nonholonomic.hpp"
#include "varia/mechanics/separable.hpp"
#include "varia/mechanics/symmetry.hpp"

namespace varia {

namespace detail {

template <template <class> class Kind, class T> inline constexpr bool is_a = false;
template <template <class> class Kind, class F> inline constexpr bool is_a<Kind, Kind<F>> = true;

template <template <class> class Kind, class... Parts>
inline constexpr int count_of = (static_cast<int>(is_a<Kind, Parts>) + ... + 0);

/// The first part of the given kind.
template <template <class> class Kind, class Head, class... Tail>
const auto& part_of(const Head& head, const Tail&... tail) {
  if constexpr (is_a<Kind, Head>)
    return head;
  else
    return part_of<Kind>(tail...);
}

}  // namespace detail

template <class L, class... Parts> class System {
 public:
  using LagrangianType = decltype(detail::make_lagrangian(std::declval<L>()));
  static constexpr bool separable = LagrangianType::separable;
  static constexpr bool forced = detail::count_of<Force, Parts...> > 0;
  static constexpr bool constrained = detail::count_of<Holonomic, Parts...> > 0;
  static constexpr bool rolls = detail::count_of<Nonholonomic, Parts...> > 0;
  static constexpr int symmetries = detail::count_of<Symmetry, Parts...>;
  static_assert(detail::count_of<Force, Parts...> <= 1, "add several forces into one callable");
  static_assert(detail::count_of<Holonomic, Parts...> <= 1,
                "stack several constraints into one callable that returns a Vector");
  static_assert(detail::count_of<Nonholonomic, Parts...> <= 1,
                "stack several constraints into one callable that returns a Vector");
  static_assert(((detail::is_a<Force, Parts> || detail::is_a<Holonomic, Parts> ||
                  detail::is_a<Nonholonomic, Parts> || detail::is_a<Symmetry, Parts>)&&...),
                "a part of a System is a Force, Holonomic, Nonholonomic or Symmetry");

  explicit System(L l, Parts... parts)
      : lagrangian_(detail::make_lagrangian(std::move(l))), parts_(std::move(parts)...) {}

  const LagrangianType& lagrangian() const { return lagrangian_; }
  const auto& force() const { return part<Force>(); }
  const auto& constraint() const { return part<Holonomic>(); }
  const auto& nonholonomic() const { return part<Nonholonomic>(); }

  /// Number of holonomic constraints on points of type Q; Dynamic when it is known only at run time.
  template <class Q> static constexpr int constraints() {
    if constexpr (constrained)
      return std::decay_t<decltype(std::declval<const System&>().constraint())>::template count<
          Q>();
    else
      return 0;
  }

  /// And of constraints of both kinds.
  template <class Q> static constexpr int multipliers() {
    if constexpr (!rolls) {
      return constraints<Q>();
    } else {
      constexpr int d = constraints<Q>();
      constexpr int e =
          std::decay_t<decltype(std::declval<const System&>().nonholonomic())>::template count<Q>();
      return d == Dynamic || e == Dynamic ? Dynamic : d + e;
    }
  }

  /// Calls f(symmetry) for every symmetry.
  template <class F> void for_each_symmetry(const F& f) const {
    std::apply(
        [&]([[maybe_unused]] const auto&... p) {
          (
              [&] {
                if constexpr (detail::is_a<Symmetry, std::decay_t<decltype(p)>>) f(p);
              }(),
              ...);
        },
        parts_);
  }

 private:
  template <template <class> class Kind> const auto& part() const {
    return std::apply(
        [](const auto&... p) -> const auto& { return detail::part_of<Kind>(p...); }, parts_);
  }

  LagrangianType lagrangian_;
  std::tuple<Parts...> parts_;
};

}  // namespace varia
