// SPDX-License-Identifier: BSD-3-Clause
#include "step_pieces.hpp"

#include <utility>

#include "varia/core/index.hpp"
#include "varia/expr/derivative.hpp"

namespace varia {

ControlVariables::ControlVariables(const ProductSpace& space, int states, int inputs,
                                   int parameters)
    : v(q + space.entries()),
      p(v + space.dof()),
      a(p + space.dof()),
      u(a + states),
      theta(u + inputs),
      end(theta + parameters) {}

namespace detail {

using expr::Id;

ControlSizes::ControlSizes(const ControlFormulas& formulas, bool with_free_end)
    : entries(formulas.system.space.entries()),
      n(formulas.system.space.dof()),
      a(static_cast<int>(formulas.rates.size())),
      u(static_cast<int>(formulas.inputs.size())),
      theta(static_cast<int>(formulas.parameters.size())),
      free_end(with_free_end),
      d(static_cast<int>(formulas.system.constraints.size())),
      e(static_cast<int>(formulas.system.nonholonomic.size())),
      path(static_cast<int>(formulas.path.size())) {}

StepPieces::StepPieces(expr::Graph& graph, const ControlFormulas& formulas, const ControlTime& time,
                       Retraction tau)
    : graph_(graph),
      formulas_(formulas),
      names_(formulas.system.space, static_cast<int>(formulas.rates.size()),
             static_cast<int>(formulas.inputs.size()),
             static_cast<int>(formulas.parameters.size())),
      sizes_(formulas, time.free_end.has_value()),
      time_(time),
      path_(graph, formulas.system.space, tau) {}

/// Where and when formulas are taken.
struct PlaceOfFormulas {
  Id t = 0;
  Formulas q, v, a, u, theta;
};

/// Variables, and the formulas of the problem at them.
struct StepPieces::Builder {
  Builder(const StepPieces& of, bool second_point)
      : s(of), g(of.graph_), f(of.formulas_), z(of.sizes_), next(of.names_.end) {
    step = constant();
    c = constant();
    b = constant();
    base = block(names.constants, z.entries);
    if (second_point) other = block(names.constants, z.entries);
  }

  Id constant() { return block(names.constants, 1)[0]; }
  /// New variables of the graph.
  Formulas fresh(int count) {
    Formulas ids = expr::variables(g, next, count);
    next += count;
    return ids;
  }
  Formulas block(std::vector<int>& list, int count) {
    for (const int i : range(next, count)) list.push_back(i);
    return fresh(count);
  }
  Formulas add(Local kind, int count) {
    variables.push_back({kind, static_cast<int>(names.variables.size()), count});
    if (kind == Local::q0 || kind == Local::q1)
      for (const int i : range(next, count)) names.displacements.push_back(i);
    return block(names.variables, count);
  }
  Formulas add(Row kind, int count) {
    rows.push_back({kind, static_cast<int>(names.multipliers.size()), count});
    return block(names.multipliers, count);
  }

  /// The parameters and the length of a step.
  void add_global() {
    const Formulas all = add(Local::global, z.global());
    theta.assign(all.begin(), all.begin() + z.theta);
    const Id t0 = g.constant(s.time_.start);
    const Id end = z.free_end ? all.back() : g.constant(s.time_.end);
    h = g.div(g.sub(end, t0), g.constant(s.time_.steps));
  }
  /// At a fraction of the step.
  Id time(Id fraction) { return g.add(g.constant(s.time_.start), g.mul(g.add(step, fraction), h)); }
  Id time(double fraction) { return time(g.constant(fraction)); }
  /// What is not given is not in the formulas.
  PlaceOfFormulas place(Id t, Formulas q, Formulas v, Formulas a = {}, Formulas u = {}) {
    return {t, std::move(q), std::move(v), std::move(a), std::move(u), theta};
  }

  std::vector<Id> at(const std::vector<Id>& formulas, const PlaceOfFormulas& x) const {
    std::vector<std::pair<int, Id>> replaced{{s.names_.t, x.t}};
    const auto put = [&](int first, const Formulas& ids) {
      for (std::size_t i = 0; i < ids.size(); ++i)
        replaced.emplace_back(first + static_cast<int>(i), ids[i]);
    };
    put(s.names_.q, x.q);
    put(s.names_.v, x.v);
    put(s.names_.a, x.a);
    put(s.names_.u, x.u);
    put(s.names_.theta, x.theta);
    return expr::substitute(g, formulas, replaced);
  }
  Id at(Id formula, const PlaceOfFormulas& x) const { return at(std::vector<Id>{formula}, x)[0]; }

  /// ∂L/∂v
  std::vector<Id> momentum(const PlaceOfFormulas& x) const {
    return at(expr::gradient(g, lagrangian(), range(s.names_.v, z.n)), x);
  }
  /// L, with a kinetic energy for the velocities that it does not see.
  Id lagrangian() const {
    Id sum = f.system.lagrangian;
    for (const int i : f.system.space.vertical()) {
      const Id v = g.variable(s.names_.v + i);
      sum = g.add(sum, g.mul(g.constant(0.5), g.mul(v, v)));
    }
    return sum;
  }
  std::vector<Id> force(const PlaceOfFormulas& x, const Formulas& Lambda) const {
    std::vector<Id> sum = f.system.force;
    if (sum.empty()) sum.assign(sz(z.n), g.constant(0.0));
    sum = at(sum, x);
    const auto slopes = expr::jacobian(g, f.system.nonholonomic, range(s.names_.v, z.n));
    for (const expr::Entry& entry : slopes) {
      Id& component = sum[sz(entry.column)];
      component = g.add(component, g.mul(at(entry.value, x), Lambda[sz(entry.row)]));
    }
    return sum;
  }
  /// d/dε of a formula at q exp(εδ) ⊕ …: its slope along the direction, which `moved` states in fresh variables.
  Id along(Id moved, const Formulas& variables_of_direction, const Formulas& direction,
           const std::vector<std::pair<int, Id>>& back) const {
    std::vector<int> list;
    for (const Id id : variables_of_direction) list.push_back(g[id].index);
    return expr::substitute(g, dot(g, expr::gradient(g, moved, list), direction), back);
  }
  std::vector<std::pair<int, Id>> replace(const Formulas& variables_here,
                                          const Formulas& by) const {
    std::vector<std::pair<int, Id>> list;
    for (std::size_t i = 0; i < by.size(); ++i)
      list.emplace_back(g[variables_here[i]].index, by[i]);
    return list;
  }
  Formulas zeros(int count) const { return Formulas(sz(count), g.constant(0.0)); }

  StepPiece finish(Id sigma) {
    return {Piece(g, sigma, names), std::move(variables), std::move(rows)};
  }

  const StepPieces& s;
  expr::Graph& g;
  const ControlFormulas& f;
  const ControlSizes& z;
  int next;
  PieceVariables names;
  std::vector<Span<Local>> variables;
  std::vector<Span<Row>> rows;
  Id step = 0, c = 0, b = 0, h = 0;
  Formulas base, other, theta;
};

StepPiece StepPieces::point() const {
  Builder k(*this, false);
  expr::Graph& g = graph_;
  const int n = sizes_.n;
  const Formulas delta = k.add(Local::q0, n), X = k.add(Local::X, n), V = k.add(Local::V, n);
  const Formulas a0 = k.add(Local::a0, sizes_.a), K = k.add(Local::K, sizes_.a);
  const Formulas rate = k.add(Local::rate, sizes_.a), u = k.add(Local::u, sizes_.u);
  k.add_global();
  const Formulas lambda = k.add(Local::lambda, sizes_.d), Lambda = k.add(Local::Lambda, sizes_.e);
  const Formulas w = k.add(Local::w, sizes_.e > 0 ? n : 0);
  const Formulas gamma = k.add(Row::gamma, n), Y = k.add(Row::Y, n), Z = k.add(Row::Z, n);
  const Formulas eta = k.add(Row::eta, sizes_.a), alpha = k.add(Row::alpha, sizes_.a);
  const Formulas path = k.add(Row::path, sizes_.path), phi = k.add(Row::phi, sizes_.d);
  const Formulas omega = k.add(Row::rolling_momentum, sizes_.e > 0 ? n : 0);
  const Formulas rolling = k.add(Row::rolling, sizes_.e);

  const Id t = k.time(k.c);
  const Id weight = g.mul(k.h, k.b);
  const Formulas a = sum_of(g, a0, scaled(g, k.h, K));
  const Formulas Xi = scaled(g, k.h, X), hY = scaled(g, k.h, Y);
  const Formulas start = path_.displaced(k.base, delta);
  const PlaceOfFormulas here = k.place(t, path_.retracted(start, Xi), path_.velocity(Xi, V), a, u);

  // L + ⟨λ, φ⟩ in variables of its own for the virtual displacement
  const Formulas virtual_start = k.fresh(n), virtual_Xi = k.fresh(n), virtual_V = k.fresh(n);
  const PlaceOfFormulas moved =
      k.place(t, path_.retracted(path_.displaced(start, virtual_start), virtual_Xi),
              path_.velocity(virtual_Xi, virtual_V), a, u);
  const Id stationary =
      g.add(k.at(k.lagrangian(), moved), dot(g, lambda, k.at(formulas_.system.constraints, moved)));
  auto back = k.replace(virtual_start, k.zeros(n));
  for (const auto& more : {k.replace(virtual_Xi, Xi), k.replace(virtual_V, V)})
    back.insert(back.end(), more.begin(), more.end());
  Id work = k.along(stationary, virtual_start, gamma, back);
  work = g.add(work, k.along(stationary, virtual_Xi, hY, back));
  work = g.add(work, k.along(stationary, virtual_V, Z, back));
  work = g.add(work, dot(g, k.force(here, Lambda), path_.moved(Xi, gamma, hY)));

  Id sigma = g.mul(weight, g.add(k.at(formulas_.cost, here), work));
  sigma =
      g.add(sigma,
            dot(g, eta, sum_of(g, k.at(formulas_.rates, here), scaled(g, g.constant(-1.0), rate))));
  sigma = g.add(sigma, g.mul(weight, dot(g, alpha, rate)));
  std::vector<Id> limits;
  for (const ControlInequality& limit : formulas_.path) limits.push_back(limit.f);
  sigma = g.add(sigma, dot(g, path, k.at(limits, here)));
  sigma = g.add(sigma, dot(g, phi, k.at(formulas_.system.constraints, here)));
  if (sizes_.e > 0) {
    PlaceOfFormulas consistent = here;
    consistent.v = w;
    sigma = g.add(sigma, dot(g, path_.carried(Xi, omega), k.momentum(consistent)));
    sigma = g.add(sigma, dot(g, rolling, k.at(formulas_.system.nonholonomic, consistent)));
  }
  return k.finish(sigma);
}

StepPiece StepPieces::end() const {
  Builder k(*this, true);
  expr::Graph& g = graph_;
  const int n = sizes_.n, d = sizes_.d;
  const Formulas delta0 = k.add(Local::q0, n), p0 = k.add(Local::p0, n), B = k.add(Local::B, n);
  const Formulas delta1 = k.add(Local::q1, n), p1 = k.add(Local::p1, n);
  k.add_global();
  const Formulas lambda0 = k.add(Local::lambda0, d), lambda1 = k.add(Local::lambda1, d);
  const Formulas v1 = k.add(Local::v1, d > 0 ? n : 0);
  const Formulas gamma = k.add(Row::gamma, n), beta = k.add(Row::beta, n), gap = k.add(Row::gap, n);
  const Formulas phi = k.add(Row::phi, d), hidden = k.add(Row::hidden, d);
  const Formulas momentum = k.add(Row::momentum, d > 0 ? n : 0);

  const Formulas xi = scaled(g, k.h, B);
  const Formulas q0 = path_.displaced(k.base, delta0), q1 = path_.displaced(k.other, delta1);
  const Formulas moved = path_.moved(xi, gamma, scaled(g, k.h, beta));
  Id sigma = g.sub(dot(g, p0, gamma), dot(g, p1, moved));
  sigma = g.add(sigma, dot(g, gap, path_.gap(path_.retracted(q0, xi), q1)));
  if (d == 0) return k.finish(sigma);

  // the reactions at the ends, with the weights h b of their points
  const std::vector<Id>& constraints = formulas_.system.constraints;
  const Formulas virtual_q = k.fresh(n);
  const auto back = k.replace(virtual_q, k.zeros(n));
  const auto reaction = [&](const Formulas& q, Id t, const Formulas& lambda, const Formulas& by) {
    const auto there = k.place(t, path_.displaced(q, virtual_q), {});
    return k.along(dot(g, lambda, k.at(constraints, there)), virtual_q, by, back);
  };
  const Id t0 = k.time(0.0), t1 = k.time(1.0);
  sigma = g.add(sigma, g.mul(g.mul(k.h, k.b), reaction(q0, t0, lambda0, gamma)));
  sigma = g.add(sigma, g.mul(g.mul(k.h, k.b), reaction(q1, t1, lambda1, moved)));
  const PlaceOfFormulas there = k.place(t1, q1, v1);
  sigma = g.add(sigma, dot(g, phi, k.at(constraints, there)));
  std::vector<Id> rates;
  rates.reserve(constraints.size());
  for (const Id id : constraints) rates.push_back(expr::derivative(g, id, names_.t));
  sigma = g.add(sigma, dot(g, hidden, k.at(rates, there)));
  sigma = g.add(sigma, reaction(q1, t1, hidden, v1));
  sigma =
      g.add(sigma, dot(g, momentum, sum_of(g, p1, scaled(g, g.constant(-1.0), k.momentum(there)))));
  return k.finish(sigma);
}

StepPiece StepPieces::departure() const {
  Builder k(*this, true);
  const int n = sizes_.n;
  const Formulas delta0 = k.add(Local::q0, n), v = k.add(Local::v1, n),
                 a = k.add(Local::a0, sizes_.a);
  const Formulas delta1 = k.add(Local::q1, n), p = k.add(Local::p1, n);
  k.add_global();
  const Formulas gap = k.add(Row::gap, n), momentum = k.add(Row::momentum, n);
  const Formulas q0 = path_.displaced(k.base, delta0);
  const auto pi = k.momentum(k.place(k.time(0.0), q0, v, a));
  const Id equal = dot(graph_, gap, path_.gap(q0, path_.displaced(k.other, delta1)));
  const Formulas rest = sum_of(graph_, p, scaled(graph_, graph_.constant(-1.0), pi));
  return k.finish(graph_.add(equal, dot(graph_, momentum, rest)));
}

StepPiece StepPieces::arrival() const {
  Builder k(*this, true);
  const int n = sizes_.n;
  const Formulas delta0 = k.add(Local::q0, n), p = k.add(Local::p0, n);
  const Formulas delta1 = k.add(Local::q1, n), v = k.add(Local::v1, n),
                 a = k.add(Local::a0, sizes_.a);
  k.add_global();
  const Formulas gap = k.add(Row::gap, n), momentum = k.add(Row::momentum, n);
  const Formulas q1 = path_.displaced(k.other, delta1);
  const auto pi = k.momentum(k.place(k.time(0.0), q1, v, a));
  const Id equal = dot(graph_, gap, path_.gap(path_.displaced(k.base, delta0), q1));
  const Formulas rest = sum_of(graph_, pi, scaled(graph_, graph_.constant(-1.0), p));
  return k.finish(graph_.add(equal, dot(graph_, momentum, rest)));
}

StepPiece StepPieces::multipliers() const {
  Builder k(*this, false);
  expr::Graph& g = graph_;
  const int n = sizes_.n, e = sizes_.e;
  const Formulas delta = k.add(Local::q0, n), p = k.add(Local::p0, n),
                 a = k.add(Local::a0, sizes_.a);
  const Formulas u = k.add(Local::u, sizes_.u);
  k.add_global();
  const Formulas v = k.add(Local::v1, n), acceleration = k.add(Local::acceleration, n);
  const Formulas Lambda = k.add(Local::Lambda, e);
  const Formulas momentum = k.add(Row::momentum, n), motion = k.add(Row::motion, n);
  const Formulas rolling = k.add(Row::rate_of_rolling, e);

  const Id t = k.time(0.0);
  const Formulas q = path_.displaced(k.base, delta);
  const PlaceOfFormulas here = k.place(t, q, v, a, u);
  // ∂L/∂v and Φ along (t + s, q exp(s v), v + s v̇, a + s ȧ), with their rates at s = 0
  const Formulas s = k.fresh(1);
  const PlaceOfFormulas later =
      k.place(g.add(t, s[0]), path_.displaced(q, scaled(g, s[0], v)),
              sum_of(g, v, scaled(g, s[0], acceleration)),
              sum_of(g, a, scaled(g, s[0], k.at(formulas_.rates, here))), u);
  const auto now = k.replace(s, {g.constant(0.0)});
  const auto rate = [&](const std::vector<Id>& x) {
    std::vector<Id> rates;
    rates.reserve(x.size());
    for (const Id id : x)
      rates.push_back(expr::substitute(g, expr::derivative(g, id, g[s[0]].index), now));
    return rates;
  };
  const Formulas virtual_q = k.fresh(n);
  const PlaceOfFormulas moved = k.place(t, path_.displaced(q, virtual_q), v, a, u);
  const std::vector<Id> pi = k.momentum(here);
  Id sigma =
      k.along(k.at(k.lagrangian(), moved), virtual_q, motion, k.replace(virtual_q, k.zeros(n)));
  sigma = g.add(sigma, dot(g, motion, sum_of(g, k.force(here, Lambda), path_.coadjoint(pi, v))));
  sigma = g.sub(sigma, dot(g, motion, rate(k.momentum(later))));
  sigma = g.add(sigma, dot(g, rolling, rate(k.at(formulas_.system.nonholonomic, later))));
  sigma = g.add(sigma, dot(g, momentum, sum_of(g, pi, scaled(g, g.constant(-1.0), p))));
  return k.finish(sigma);
}

StepPiece StepPieces::start_conditions() const { return conditions(formulas_.start, false); }
StepPiece StepPieces::end_conditions() const { return conditions(formulas_.end, true); }

/// Rows that vanish at (q, v), and those of constraints and of vertical directions; with the final cost.
StepPiece StepPieces::conditions(const std::vector<ControlRow>& stated, bool final) const {
  Builder k(*this, false);
  expr::Graph& g = graph_;
  const Formulas delta = k.add(Local::q0, sizes_.n), v = k.add(Local::v1, sizes_.n);
  const Formulas a = k.add(Local::a0, sizes_.a);
  k.add_global();
  const std::vector<int>& vertical = formulas_.system.space.vertical();
  const int more = final ? 0 : 2 * sizes_.d + sizes_.e + 2 * static_cast<int>(vertical.size());
  const Formulas m = k.add(Row::condition, static_cast<int>(stated.size()) + more);

  const PlaceOfFormulas here = k.place(k.time(0.0), path_.displaced(k.base, delta), v, a);
  const std::vector<Id> momentum = expr::gradient(g, k.lagrangian(), range(names_.v, sizes_.n));
  std::vector<std::pair<int, Id>> p;
  p.reserve(sz(sizes_.n));
  for (int i = 0; i < sizes_.n; ++i) p.emplace_back(names_.p + i, momentum[sz(i)]);
  std::vector<Id> functions;
  functions.reserve(stated.size());
  for (const ControlRow& row : stated) functions.push_back(row.f);
  std::vector<Id> rows = k.at(expr::substitute(g, functions, p), here);
  if (!final) {
    const auto& system = formulas_.system;
    for (const Id id : k.at(system.constraints, here)) rows.push_back(id);
    const Formulas s = k.fresh(1);
    const PlaceOfFormulas later =
        k.place(g.add(here.t, s[0]), path_.displaced(here.q, scaled(g, s[0], v)), v, a);
    for (const Id id : k.at(system.constraints, later))
      rows.push_back(expr::substitute(g, expr::derivative(g, id, g[s[0]].index),
                                      k.replace(s, {g.constant(0.0)})));
    for (const Id id : k.at(system.nonholonomic, here)) rows.push_back(id);
    // what is not seen stays as it is guessed, and does not move
    for (const int i : vertical) {
      rows.push_back(delta[sz(i)]);
      rows.push_back(v[sz(i)]);
    }
  }
  Id sigma = dot(g, m, rows);
  if (final) sigma = g.add(sigma, k.at(expr::substitute(g, formulas_.final_cost, p), here));
  return k.finish(sigma);
}

}  // namespace detail

}  // namespace varia
