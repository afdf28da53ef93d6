// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A type of points as a factor: the trait Space<Q> on plain arrays.
//
// Beside the trait a space supplies the number of its entries, read(entries) and write(q, entries),
// and where it has them its name and require_point(q, what).
#include <string>
#include <utility>
#include <vector>

#include "varia/expr/formula.hpp"
#include "varia/space/chart.hpp"
#include "varia/space/factor.hpp"

namespace varia {

template <Point Q> class FactorOf : public CurvedFactor {
  using X = Space<Q>;
  using V = Tangent<Q>;
  using M = TangentMap<Q>;
  using C = Chart<Q>;
  static constexpr int k = X::dof;
  static_assert(k <= FactorChart::most);

 public:
  /// A point from the numbers of one of the forms of the notation.
  using Read = Q (*)(std::size_t form, const double* numbers);
  FactorOf(Notation notation, Read read) : notation_(std::move(notation)), read_(read) {}
  /// Of a space that no scenario names.
  FactorOf() : FactorOf(Notation{}, nullptr) {}

  const Notation& notation() const override { return notation_; }
  void read_point(std::size_t form, const double* numbers, double* q) const override {
    X::write(read_(form, numbers), q);
  }
  std::string name() const override {
    if constexpr (requires { X::name; })
      return X::name;
    else
      return "a space of the user";
  }
  int entries() const override { return X::entries; }
  int dof() const override { return k; }

  void origin(double* q) const override { X::write(Q(), q); }
  void require_point([[maybe_unused]] const double* q,
                     [[maybe_unused]] const std::string& what) const override {
    if constexpr (requires(const Q& point) { X::require_point(point, what); })
      X::require_point(X::template read<double>(q), what);
  }
  void retract(const double* q, const double* xi, Retraction tau, double* out) const override {
    X::write(X::retract(X::template read<double>(q), vector(xi), tau), out);
  }
  void difference(const double* q0, const double* q1, Retraction tau, double* xi) const override {
    put(X::difference(X::template read<double>(q0), X::template read<double>(q1), tau), xi);
  }
  void entry_rates(const double* q, const double* v, double* out) const override {
    using J = Jet<double, 1>;
    Vector<J, k> delta;
    for (int i = 0; i < k; ++i) {
      delta[i] = J(0.0);
      delta[i].d[0] = v[i];
    }
    J moved[X::entries];
    Space<Rebind<Q, J>>::write(X::template displace<J>(X::template read<double>(q), delta), moved);
    for (int i = 0; i < X::entries; ++i) out[i] = moved[i].d[0];
  }
  Formulas displaced(expr::Graph& graph, const Formulas& q, const Formulas& delta) const override {
    using F = expr::Formula;
    using Y = Space<Rebind<Q, F>>;
    F x[X::entries];
    Vector<F, k> d;
    for (int i = 0; i < X::entries; ++i) x[i] = F(graph, q[static_cast<std::size_t>(i)]);
    for (int i = 0; i < k; ++i) d[i] = F(graph, delta[static_cast<std::size_t>(i)]);
    Y::write(Y::template displace<F>(Y::template read<F>(x), d), x);
    Formulas moved;
    for (const F& entry : x) moved.push_back(entry.in(graph));
    return moved;
  }

  Formulas retracted(expr::Graph& graph, const Formulas& q, const Formulas& xi,
                     Retraction tau) const override {
    return point(graph, Over::retract(point_of(graph, q), vector_of(graph, xi), tau));
  }
  Formulas chart_velocity(expr::Graph& graph, const Formulas& xi, const Formulas& eta,
                          Retraction tau) const override {
    return numbers(graph, Over::template velocity<expr::Formula>(vector_of(graph, xi),
                                                                 vector_of(graph, eta), tau));
  }
  Formulas carried(expr::Graph& graph, const Formulas& xi, const Formulas& delta,
                   Retraction tau) const override {
    if constexpr (requires(const Rebind<Q, expr::Formula>& g) { Over::to_space(g); }) {
      const auto moved = Over::retract(Rebind<Q, expr::Formula>(), vector_of(graph, xi), tau);
      return numbers(graph, Over::to_space(moved).transpose() * vector_of(graph, delta));
    } else {
      return delta;
    }
  }
  Formulas coadjoint(expr::Graph& graph, const Formulas& pi, const Formulas& v) const override {
    return numbers(graph, Over::ad_star(vector_of(graph, pi)) * vector_of(graph, v));
  }
  Formulas gap(expr::Graph& graph, const Formulas& a, const Formulas& b) const override {
    return numbers(graph,
                   Over::difference(point_of(graph, a), point_of(graph, b), Retraction::cayley));
  }

  std::vector<Formulas> to_space(expr::Graph& graph, const Formulas& q) const override {
    using F = expr::Formula;
    using Y = Space<Rebind<Q, F>>;
    std::vector<Formulas> rows;
    if constexpr (requires(const Rebind<Q, F>& g) { Y::to_space(g); }) {
      const auto map = Y::to_space(Y::template read<F>(formulas(graph, q).data()));
      for (int i = 0; i < k; ++i) {
        rows.emplace_back();
        for (int j = 0; j < k; ++j) rows.back().push_back(map(i, j).in(graph));
      }
    }
    return rows;
  }
  Formulas casimirs(expr::Graph& graph, const Formulas& p) const override {
    using F = expr::Formula;
    using Y = Space<Rebind<Q, F>>;
    Formulas values;
    if constexpr (requires(const Vector<F, k>& m) { Y::casimirs(m); }) {
      const std::vector<F> x = formulas(graph, p);
      for (const F& value : Y::casimirs(Vector<F, k>(Eigen::Map<const Vector<F, k>>(x.data()))))
        values.push_back(value.in(graph));
    }
    return values;
  }

  [[gnu::flatten]] void place(const double* q, const double* xi, const double* eta, Retraction tau,
                              FactorChart& chart, double* out, double* velocity) const override {
    const C& c = keep_at(q, xi, tau, chart, out);
    const M D = c.dtau();
    put(V(D * vector(eta)), velocity);
    put(D, chart.D);
    put(c.dtau_derivative(vector(eta)), chart.E);
    put(c.coadjoint(), chart.A);
  }
  [[gnu::flatten]] void locate(const double* q, const double* xi, const double* eta, Retraction tau,
                               FactorChart& chart, double* out, double* velocity) const override {
    if constexpr (closed)
      put(keep_at(q, xi, tau, chart, out).velocity(vector(eta)), velocity);
    else
      place(q, xi, eta, tau, chart, out, velocity);
  }
  [[gnu::flatten]] void pull_back(const FactorChart& chart, const double* eta, const double* N,
                                  const double* pi, double* P, double* W,
                                  double* moved) const override {
    V at_P, at_W, at_moved;
    if constexpr (closed) {
      chart.kept<C>().pull_back(vector(eta), vector(N), vector(pi), at_P, at_W, at_moved);
    } else {
      const M D = map(chart.D);
      at_P = D.transpose() * vector(pi);
      at_W = D.transpose() * vector(N) + map(chart.E).transpose() * vector(pi);
      at_moved = map(chart.A) * vector(N);
    }
    put(at_P, P);
    put(at_W, W);
    put(at_moved, moved);
  }
  [[gnu::flatten]] void pull_momentum(const double* xi, Retraction tau, const double* m,
                                      double* out) const override {
    if constexpr (requires { X::pull_momentum(vector(xi), vector(m), tau); })
      put(X::pull_momentum(vector(xi), vector(m), tau), out);
    else
      put(V(C(vector(xi), tau).dtau().transpose() * vector(m)), out);
  }
  [[gnu::flatten]] void tangent(const double* xi, Retraction tau,
                                FactorChart& chart) const override {
    put(chart.keep<C>(vector(xi), tau).dtau(), chart.D);
  }
  [[gnu::flatten]] void transpose_derivative(const FactorChart& chart, const double* pi,
                                             double* map) const override {
    put(chart.kept<C>().dtau_transpose_derivative(vector(pi)), map);
  }
  [[gnu::flatten]] void hessian(const FactorChart& chart, const double* pi, const double* eta,
                                double* map) const override {
    put(chart.kept<C>().dtau_hessian(vector(pi), vector(eta)), map);
  }
  [[gnu::flatten]] void ad_star(const double* pi, double* map) const override {
    put(X::ad_star(vector(pi)), map);
  }
  double turn(const double* xi) const override {
    if constexpr (requires { X::turn(vector(xi)); })
      return X::turn(vector(xi));
    else
      return vector(xi).norm();
  }
  [[gnu::flatten]] void update(double* q, double* q_rest, double* p, double* p_rest,
                               const double* xi, const double* delta,
                               Retraction tau) const override {
    Q point = X::template read<double>(q);
    V rest = vector(q_rest);
    V momentum = vector(p);
    V momentum_rest = vector(p_rest);
    X::update(point, rest, momentum, momentum_rest, vector(xi), vector(delta), tau);
    X::write(point, q);
    put(rest, q_rest);
    put(momentum, p);
    put(momentum_rest, p_rest);
  }

 private:
  using Over = Space<Rebind<Q, expr::Formula>>;

  static std::vector<expr::Formula> formulas(expr::Graph& graph, const Formulas& ids) {
    std::vector<expr::Formula> x;
    for (const expr::Id id : ids) x.emplace_back(graph, id);
    return x;
  }
  static Rebind<Q, expr::Formula> point_of(expr::Graph& graph, const Formulas& q) {
    return Over::template read<expr::Formula>(formulas(graph, q).data());
  }
  static Vector<expr::Formula, k> vector_of(expr::Graph& graph, const Formulas& x) {
    return Eigen::Map<const Vector<expr::Formula, k>>(formulas(graph, x).data());
  }
  static Formulas point(expr::Graph& graph, const Rebind<Q, expr::Formula>& q) {
    expr::Formula x[X::entries];
    Over::write(q, x);
    Formulas ids;
    for (const expr::Formula& entry : x) ids.push_back(entry.in(graph));
    return ids;
  }
  static Formulas numbers(expr::Graph& graph, const Vector<expr::Formula, k>& x) {
    Formulas ids;
    for (int i = 0; i < k; ++i) ids.push_back(x[i].in(graph));
    return ids;
  }
  /// Whether the chart has the products with its maps in closed form.
  static constexpr bool closed = requires(const C& c, const V& v, V& w) {
    c.velocity(v);
    c.pull_back(v, v, v, w, w, w);
  };
  /// The chart at ξ, kept; out = q ⊕ ξ.
  static const C& keep_at(const double* q, const double* xi, Retraction tau, FactorChart& chart,
                          double* out) {
    const Q point = X::template read<double>(q);
    V by = vector(xi);
    if constexpr (requires { X::settled(point, by, tau); }) by = X::settled(point, by, tau);
    const C& c = chart.keep<C>(by, tau);
    X::write(c.retract(point), out);
    return c;
  }
  static V vector(const double* x) { return Eigen::Map<const V>(x); }
  static M map(const double* x) {
    M m;
    for (int i = 0; i < k; ++i)
      for (int j = 0; j < k; ++j) m(i, j) = x[i * k + j];
    return m;
  }
  static void put(const V& v, double* out) {
    for (int i = 0; i < k; ++i) out[i] = v[i];
  }
  static void put(const M& m, double* out) requires(k > 1) {
    for (int i = 0; i < k; ++i)
      for (int j = 0; j < k; ++j) out[i * k + j] = m(i, j);
  }

  Notation notation_;
  Read read_;
};

}  // namespace varia
