// SPDX-License-Identifier: BSD-3-Clause
#include "step_layout.hpp"

#include <utility>

#include "varia/core/index.hpp"
#include "varia/methods/lagrange_basis.hpp"

namespace varia::detail {

namespace {

/// ∫₀^{cᵢ} lⱼ of the nodes: the coefficients of auxiliary states; those of the method itself where it is nodal.
std::vector<double> collocation(const StageCoefficients& k) {
  if (k.nodal) return k.A.hi;
  std::vector<DoubleDouble> nodes;
  for (std::size_t i = 0; i < k.c.hi.size(); ++i)
    nodes.push_back(DoubleDouble(k.c.hi[i]) + DoubleDouble(k.c.lo[i]));
  const LagrangeBasis basis(nodes);
  std::vector<double> a;
  for (const DoubleDouble& c : nodes)
    for (const DoubleDouble& integral : basis.integrals(c))
      a.push_back(static_cast<double>(integral));
  return a;
}

}  // namespace

/// Where things stand in the unknowns (x, w, y) and among the rows of a step; -1: nowhere.
struct StepLayouts::Places {
  NodeLayout start, end;
  int x1 = 0;
  int u = -1;           ///< inputs, point after point
  int velocities = -1;  ///< of the stages
  int rates = -1;       ///< of auxiliary states
  int lambda = -1, lambda0 = -1, lambda1 = -1, v1 = -1;
  int Lambda = -1, w = -1;  ///< from the second point on
  int Lambda0 = -1;         ///< at the first one
  int momentum_velocity = -1, acceleration = -1;
  // rows
  int stage = -1, gamma = -1, gap = -1, momentum = -1, eta = -1, alpha = -1, path = -1;
  int phi = -1, phi1 = -1, hidden = -1;
  int rolling_momentum = -1, rolling = -1;
  int motion = -1, rate_of_rolling = -1;
};

StepLayouts::StepLayouts(const ControlSizes& sizes, const Method& method, double nominal_step)
    : z_(sizes),
      k_(*method.stages()),
      m_(k_.points),
      r_(k_.unknowns),
      h_(nominal_step),
      states_(collocation(k_)) {}

/// What a component of a piece's variable is, at a quadrature point (or -1).
std::vector<LinearTerm> StepLayouts::variable(const Places& at, Local kind, int component,
                                              int point) const {
  const auto one = [&](int first) -> std::vector<LinearTerm> {
    if (first < 0) return {};
    return {{first + component, 1.0}};
  };
  const auto velocities = [&](const std::vector<double>& factors, int first) {
    std::vector<LinearTerm> sum;
    for (int j = 0; j < r_; ++j)
      if (const double factor = factors[sz(first + j)]; factor != 0.0)
        sum.push_back({at.velocities + j * z_.n + component, factor});
    return sum;
  };
  switch (kind) {
    case Local::q0:
      return one(0);
    case Local::q1:
      return one(at.x1);
    case Local::p0:
      return one(at.start.rate);
    case Local::p1:
      return one(at.x1 + at.end.rate);
    case Local::v1:
      return one(at.v1);
    case Local::a0:
      return one(at.start.a);
    case Local::global:
      return one(at.start.global);
    case Local::X:
      return velocities(k_.A.hi, point * r_);
    case Local::V:
      return velocities(k_.B.hi, point * r_);
    case Local::B:
      return velocities(k_.beta.hi, 0);
    case Local::K: {
      std::vector<LinearTerm> sum;
      sum.reserve(sz(m_));
      for (int j = 0; j < m_; ++j)
        sum.push_back({at.rates + j * z_.a + component, states_[sz(point * m_ + j)]});
      return sum;
    }
    case Local::rate:
      return one(at.rates + point * z_.a);
    case Local::u:
      return one(at.u + std::max(point, 0) * z_.u);
    case Local::lambda0:
      return one(at.lambda0);
    case Local::lambda1:
      return one(at.lambda1);
    case Local::lambda:
      if (!k_.ends || point == 0 || point == m_ - 1) return {};
      return one(at.lambda + (point - 1) * z_.d);
    case Local::Lambda:
      return one(point <= 0 ? at.Lambda0 : at.Lambda + (point - 1) * z_.e);
    case Local::w:
      if (point == 0) return velocities(k_.B.hi, 0);  // in no row there
      return one(at.w + (point - 1) * z_.n);
    case Local::acceleration:
      return one(at.acceleration);
  }
  return {};
}

/// Of which rows a component of a piece's rows is a part.
std::vector<LinearTerm> StepLayouts::row(const Places& at, Row kind, int component,
                                         int point) const {
  const auto one = [&](int first) -> std::vector<LinearTerm> {
    if (first < 0) return {};
    return {{first + component, 1.0}};
  };
  // the rows of the stages are divided by h, so that they are momenta
  const auto stages = [&](const std::vector<double>& factors, int first) {
    std::vector<LinearTerm> sum;
    for (int j = 0; j < r_; ++j)
      if (const double factor = factors[sz(first + j)]; factor != 0.0)
        sum.push_back({at.stage + j * z_.n + component, factor / h_});
    return sum;
  };
  const bool inside = k_.ends && point > 0 && point < m_ - 1;
  switch (kind) {
    case Row::gamma: {
      std::vector<LinearTerm> sum = one(at.gamma);
      // mⁱ = p₀ + h Σ aᵢⱼ Ad* Nʲ
      if (point >= 0 && at.rolling_momentum >= 0)
        for (int i = 1; i < m_; ++i)
          if (const double a = k_.A.hi[sz(i * r_ + point)]; a != 0.0)
            sum.push_back(
                {at.rolling_momentum + (i - 1) * z_.n + component, -a / k_.b.hi[sz(point)]});
      return sum;
    }
    case Row::Y:
      return stages(k_.A.hi, point * r_);
    case Row::Z:
      return stages(k_.B.hi, point * r_);
    case Row::beta:
      return stages(k_.beta.hi, 0);
    case Row::gap:
      return one(at.gap);
    case Row::momentum:
      return one(at.momentum);
    case Row::eta:
      return one(at.eta + point * z_.a);
    case Row::alpha:
      return one(at.alpha);
    case Row::path:
      return one(at.path + point * z_.path);
    case Row::condition:
      return one(0);
    case Row::phi:
      if (point < 0) return one(at.phi1);
      return inside ? one(at.phi + (point - 1) * z_.d) : std::vector<LinearTerm>{};
    case Row::hidden:
      return one(at.hidden);
    case Row::rolling_momentum:
      return point == 0 ? std::vector<LinearTerm>{} : one(at.rolling_momentum + (point - 1) * z_.n);
    case Row::rolling:
      return point == 0 ? std::vector<LinearTerm>{} : one(at.rolling + (point - 1) * z_.e);
    case Row::motion:
      return one(at.motion);
    case Row::rate_of_rolling:
      return one(at.rate_of_rolling);
  }
  return {};
}

PieceUse StepLayouts::use(const StepPiece& piece, const Places& at, int point) const {
  PieceUse result{&piece, 0.0, 0.0, {}, {}};
  for (const auto& span : piece.variables)
    for (int i = 0; i < span.count; ++i)
      result.variables.push_back(variable(at, span.kind, i, point));
  for (const auto& span : piece.rows)
    for (int i = 0; i < span.count; ++i) result.rows.push_back(row(at, span.kind, i, point));
  if (point >= 0) {
    result.c = k_.c.hi[sz(point)];
    result.b = k_.b.hi[sz(point)];
  }
  return result;
}

LinearMap StepLayouts::node_variables(const StepPiece& piece) const {
  const NodeLayout node(z_, false);
  Places at{node, node};
  at.v1 = node.rate;
  return use(piece, at, -1).variables;
}

StepKind StepLayouts::departure(const StepPiece& piece) const {
  const NodeLayout node(z_, false);
  StepKind kind(node, node);
  Places at{node, node};
  at.x1 = kind.x1();
  at.v1 = node.rate;
  at.gap = 0;
  at.momentum = z_.n;
  kind.uses.push_back(use(piece, at, -1));
  for (int i = node.a; i < node.size; ++i) {
    kind.linear.push_back({i, kind.x1() + i, 1.0});
    kind.linear.push_back({i, i, -1.0});
  }
  kind.inequalities = z_.global();
  for (int i = 0; i < z_.global(); ++i)
    kind.linear.push_back({node.size + i, node.global + i, 1.0});
  return kind;
}

StepKind StepLayouts::arrival(const StepPiece& piece) const {
  const NodeLayout node(z_, false);
  StepKind kind(node, node);
  Places at{node, node};
  at.x1 = kind.x1();
  at.v1 = kind.x1() + node.rate;
  at.gap = 0;
  at.momentum = z_.n;
  kind.uses.push_back(use(piece, at, -1));
  for (int i = node.a; i < node.size; ++i) {
    kind.linear.push_back({i, kind.x1() + i, 1.0});
    kind.linear.push_back({i, i, -1.0});
  }
  return kind;
}

/// Unknowns and rows of a step, one block behind the other.
struct StepLayouts::Numbering {
  int unknown, row = 0;
  void unknowns(int& first, int count) {
    first = unknown;
    unknown += count;
  }
  void rows(int& first, int count) {
    first = row;
    row += count;
  }
};

void StepLayouts::number_stages(Numbering& next, Places& at) const {
  next.unknowns(at.velocities, r_ * z_.n);
  next.unknowns(at.rates, m_ * z_.a);
  next.rows(at.stage, r_ * z_.n);
  next.rows(at.gamma, z_.n);
  next.rows(at.gap, z_.n);
  next.rows(at.eta, m_ * z_.a);
  next.rows(at.alpha, z_.a);
}

void StepLayouts::number_constraints(Numbering& next, Places& at) const {
  const int inner = k_.ends ? m_ - 2 : 0;
  if (z_.d > 0) {
    next.unknowns(at.lambda, inner * z_.d);
    next.unknowns(at.lambda0, z_.d);
    next.unknowns(at.lambda1, z_.d);
    next.unknowns(at.v1, z_.n);
    next.rows(at.phi, inner * z_.d);
    next.rows(at.phi1, z_.d);
    next.rows(at.hidden, z_.d);
    next.rows(at.momentum, z_.n);
  }
  if (z_.e > 0) {
    next.unknowns(at.Lambda, (m_ - 1) * z_.e);
    next.unknowns(at.w, (m_ - 1) * z_.n);
    next.rows(at.rolling_momentum, (m_ - 1) * z_.n);
    next.rows(at.rolling, (m_ - 1) * z_.e);
  }
}

/// The multiplier at the start of the step is determined in it, by Φ̇ = 0.
void StepLayouts::number_own_multiplier(Numbering& next, Places& at) const {
  next.unknowns(at.momentum_velocity, z_.n);
  next.unknowns(at.acceleration, z_.n);
  next.unknowns(at.Lambda0, z_.e);
  next.rows(at.motion, z_.n);
  next.rows(at.rate_of_rolling, z_.e);
}

void StepLayouts::add_velocities(const Places& at, bool own_multiplier, StepKind& kind) const {
  for (int j = 0; j < r_; ++j) kind.velocities.push_back(at.velocities + j * z_.n);
  if (z_.d > 0) kind.velocities.push_back(at.v1);
  for (int i = 1; z_.e > 0 && i < m_; ++i) kind.velocities.push_back(at.w + (i - 1) * z_.n);
  if (own_multiplier) kind.velocities.push_back(at.momentum_velocity);
}

void StepLayouts::add_copies(const Places& at, int global_rows, StepKind& kind) const {
  for (int i = 0; i < z_.a; ++i) {
    kind.linear.push_back({at.alpha + i, kind.start.a + i, 1.0});
    kind.linear.push_back({at.alpha + i, at.x1 + kind.end.a + i, -1.0});
  }
  for (int i = 0; i < z_.global(); ++i) {
    kind.linear.push_back({global_rows + i, kind.start.global + i, 1.0});
    kind.linear.push_back({global_rows + i, at.x1 + kind.end.global + i, -1.0});
  }
  for (int i = 1; z_.e > 0 && i < m_; ++i)
    for (int j = 0; j < z_.n; ++j)
      kind.linear.push_back({at.rolling_momentum + (i - 1) * z_.n + j, kind.start.rate + j, -1.0});
}

/// The last multiplier goes into the state.
void StepLayouts::add_passed(const Places& at, int passed_rows, StepKind& kind) const {
  for (int i = 0; i < z_.e; ++i) {
    kind.linear.push_back({passed_rows + i, at.Lambda + (m_ - 2) * z_.e + i, 1.0});
    kind.linear.push_back({passed_rows + i, at.x1 + kind.end.lambda + i, -1.0});
  }
}

StepKind StepLayouts::step(const StepPiece& point, const StepPiece& end,
                           const StepPiece* multipliers, bool own_multiplier,
                           bool passes_on) const {
  const bool rolls = z_.e > 0, own = rolls && own_multiplier;
  StepKind kind(NodeLayout(z_, rolls && !own_multiplier), NodeLayout(z_, passes_on));
  kind.inputs = m_ * z_.u;
  Places at{kind.start, kind.end};
  at.u = kind.w();
  if (rolls) at.Lambda0 = kind.start.lambda;
  Numbering next{kind.y()};
  number_stages(next, at);
  number_constraints(next, at);
  if (own) number_own_multiplier(next, at);
  int momentum_rows = at.momentum;
  if (own) next.rows(momentum_rows, z_.n);
  int global_rows = 0, passed_rows = 0;
  next.rows(global_rows, z_.global());
  if (passes_on) next.rows(passed_rows, z_.e);
  kind.inner = next.unknown - kind.y();
  at.x1 = next.unknown;
  at.path = kind.inner + kind.end.size;
  kind.inequalities = m_ * z_.path;
  kind.rates = at.rates;
  add_velocities(at, own, kind);

  for (int i = 0; i < m_; ++i) kind.uses.push_back(use(point, at, i));
  kind.uses.push_back(use(end, at, -1));
  kind.uses.back().b = k_.ends ? k_.b.hi.front() : 0.5;
  if (own) {
    Places there = at;
    there.v1 = at.momentum_velocity;
    there.momentum = momentum_rows;
    kind.uses.push_back(use(*multipliers, there, -1));
  }
  add_copies(at, global_rows, kind);
  if (passes_on) add_passed(at, passed_rows, kind);
  return kind;
}

}  // namespace varia::detail
