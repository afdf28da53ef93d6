// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A problem of optimal control stated by callables.
//
//   OptimalControl<Vector<double, 2>> cart({.inputs = {{"u", -20.0, 20.0}}}, lagrangian);   // L(q, v) or L(t, q, v)
//   cart.force([](const auto& s) { return s.covector(s.u[0], 0.0); });
//   cart.cost([](const auto& s) { return s.u[0] * s.u[0]; });
//   cart.start(q0, v0);
//   cart.end(q1, v1);
//   const ControlProblem problem = cart.problem(lobatto(3), {.end = 2.0, .steps = 100});
//   const Optimum optimum = optimise(problem, problem.guess(cart.straight_line({.end = 2.0, .steps = 100})));
//
// The callables but L take one argument with what there is at a moment. They are called once, with formulas for
// numbers: they must not branch on values.
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "varia/control/conditions.hpp"
#include "varia/control/control_problem.hpp"
#include "varia/core/index.hpp"
#include "varia/expr/formula.hpp"
#include "varia/space/entries.hpp"
#include "varia/space/euclidean.hpp"
#include "varia/space/product.hpp"

namespace varia {

/// The numbers of a problem beside those of the motion.
struct ControlNumbers {
  std::vector<ControlRange> inputs;
  int states = 0;  ///< auxiliary ones
  std::vector<ControlRange> parameters = {};
};

/// What formulas may contain. Conditions at the ends have no u, all others no p.
template <Point Q> struct ControlMoment {
  using Formula = expr::Formula;

  Formula t;
  Rebind<Q, Formula> q;
  Vector<Formula, dof<Q>> v, p;
  Vector<Formula, Dynamic> a, u, theta;

  /// A force by its components.
  template <class... X> Vector<Formula, dof<Q>> covector(const X&... x) const {
    Vector<Formula, dof<Q>> f(v.size());
    int i = 0;
    ((f[i++] = Formula(x)), ...);
    return f;
  }
};

namespace detail {

/// Any numbers as a point: where only the shape of points counts.
template <Point Q> Q blank_point() {
  Q q;
  const Vn zeros = Vn::Zero(Entries<Q>::count(q));
  Entries<Q>::template read<double>(zeros.data(), q);
  return q;
}

}  // namespace detail

template <Point Q> class OptimalControl {
  using Formula = expr::Formula;

 public:
  /// On points like `like`, which matters where their size is known at run time only.
  template <class L>
  OptimalControl(ControlNumbers numbers, const L& lagrangian,
                 const Q& like = detail::blank_point<Q>())
      : like_(like),
        names_(space_of(like), numbers.states, static_cast<int>(numbers.inputs.size()),
               static_cast<int>(numbers.parameters.size())) {
    formulas_.system.space = space_of(like);
    formulas_.inputs = std::move(numbers.inputs);
    formulas_.parameters = std::move(numbers.parameters);
    formulas_.rates.assign(detail::sz(numbers.states), graph_->constant(0.0));
    const auto s = moment();
    if constexpr (std::is_invocable_v<const L&, Formula, decltype(s.q), decltype(s.v)>)
      formulas_.system.lagrangian = id(lagrangian(s.t, s.q, s.v));
    else
      formulas_.system.lagrangian = id(lagrangian(s.q, s.v));
    formulas_.cost = formulas_.final_cost = graph_->constant(0.0);
  }

  /// Another Lagrangian, of all there is at a moment: with a parameter, say.
  template <class F> void lagrangian(const F& l) { formulas_.system.lagrangian = id(l(moment())); }
  template <class F> void force(const F& f) { formulas_.system.force = ids(f(moment())); }
  /// φ = 0, one number or several.
  template <class F> void holonomic(const F& phi) {
    formulas_.system.constraints = ids(phi(moment()));
  }
  template <class F> void nonholonomic(const F& phi, Multipliers multipliers = {}) {
    formulas_.system.nonholonomic = ids(phi(moment()));
    formulas_.multipliers = multipliers;
  }
  /// ȧ
  template <class F> void rates(const F& f) { formulas_.rates = ids(f(moment())); }
  template <class F> void cost(const F& c) { formulas_.cost = id(c(moment())); }
  template <class F> void final_cost(const F& c) { formulas_.final_cost = id(c(moment())); }
  /// lower <= g <= upper at all points of the quadrature.
  template <class F> void path(std::string name, const F& g, double lower, double upper) {
    formulas_.path.push_back({id(g(moment())), lower, upper, std::move(name)});
  }
  /// The motion starts or ends at q, with this velocity where one is given.
  void start(const Q& q, const std::optional<Tangent<Q>>& v = {}) {
    q0_ = fix(formulas_.start, q, v);
  }
  void end(const Q& q, const std::optional<Tangent<Q>>& v = {}) { q1_ = fix(formulas_.end, q, v); }
  /// Any other condition: f vanishes.
  template <class F> void at_start(std::string name, const F& f) {
    formulas_.start.push_back({id(f(moment())), std::move(name)});
  }
  template <class F> void at_end(std::string name, const F& f) {
    formulas_.end.push_back({id(f(moment())), std::move(name)});
  }

  ControlProblem problem(const Method& method, const ControlTime& time,
                         Retraction tau = default_retraction) const {
    return ControlProblem(*graph_, formulas_, method, time, tau);
  }
  /// From the start to the end; where one of them is not fixed, at rest at the other.
  ControlGuess straight_line(const ControlTime& time) const {
    if (!q0_ && !q1_)
      throw InvalidArgument("neither start nor end fixes a point: state a guess of the motion");
    return varia::straight_line(formulas_.system.space, entries(q0_ ? *q0_ : *q1_),
                                entries(q1_ ? *q1_ : *q0_), time);
  }
  const ControlFormulas& formulas() const { return formulas_; }

 private:
  ControlMoment<Q> moment() const {
    const auto variable = [&](int i) { return Formula(*graph_, graph_->variable(i)); };
    const auto fill = [&](auto& x, int first, int count) {
      x.resize(count);
      for (int i = 0; i < count; ++i) x[i] = variable(first + i);
    };
    ControlMoment<Q> s;
    const int n = Space<Q>::dim(like_);
    s.t = variable(names_.t);
    std::vector<Formula> point;
    for (int i = names_.q; i < names_.v; ++i) point.push_back(variable(i));
    s.q = Space<Q>::template cast<Formula>(like_);
    Entries<Q>::template read<Formula>(point.data(), s.q);
    fill(s.v, names_.v, n);
    fill(s.p, names_.p, n);
    fill(s.a, names_.a, names_.u - names_.a);
    fill(s.u, names_.u, names_.theta - names_.u);
    fill(s.theta, names_.theta, names_.end - names_.theta);
    return s;
  }
  expr::Id id(const Formula& f) const { return f.in(*graph_); }
  /// Of a number or a vector.
  template <class X> std::vector<expr::Id> ids(const X& x) const {
    std::vector<expr::Id> list;
    if constexpr (std::is_convertible_v<X, Formula>) {
      list.push_back(id(x));
    } else {
      const Vector<Formula, Dynamic> entries = x;
      for (const Formula& entry : entries) list.push_back(id(entry));
    }
    return list;
  }
  static Vn entries(const Q& q) {
    Vn x(Entries<Q>::count(q));
    Entries<Q>::write(q, x.data());
    return x;
  }
  Q fix(std::vector<ControlRow>& rows, const Q& q, const std::optional<Tangent<Q>>& v) {
    const ProductSpace& space = formulas_.system.space;
    const auto names = [&](const std::string& letter) {
      std::vector<std::string> list;
      for (int i = 1; i <= space.dof(); ++i) list.push_back(letter + std::to_string(i));
      return list;
    };
    const auto add = [&](const std::vector<ControlRow>& more) {
      rows.insert(rows.end(), more.begin(), more.end());
    };
    add(fixed_point(*graph_, space, entries(q).data(), names("q")));
    if (v) add(fixed_velocity(*graph_, space, v->data(), names("v")));
    return q;
  }

  /// A problem makes formulas of its own in it.
  std::shared_ptr<expr::Graph> graph_ = std::make_shared<expr::Graph>();
  Q like_;
  ControlVariables names_;
  ControlFormulas formulas_;
  std::optional<Q> q0_, q1_;
};

}  // namespace varia
