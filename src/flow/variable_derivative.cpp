// SPDX-License-Identifier: BSD-3-Clause
#include "variable_derivative.hpp"

#include <algorithm>

#include "varia/core/index.hpp"
#include "varia/mechanics/symbolic.hpp"
#include "varia/mechanics/time_transform.hpp"

namespace varia::detail {

namespace {

expr::Kernel lagrangian_slopes(const KernelSystem& f) {
  expr::Graph graph;
  return slopes(graph, {symbolic_lagrangian(graph, f)}, f.n);
}

/// What slopes() gives of one formula.
struct Slopes {
  double value = 0.0;
  Vn q, v, s;

  Slopes(const double* out, int n, int size)
      : value(out[0]),
        q(Eigen::Map<const Vn>(out + 1, n)),
        v(Eigen::Map<const Vn>(out + 1 + n, n)),
        s(Eigen::Map<const Vn>(out + 1 + 2 * n, size - 1 - 2 * n)) {}
};

/// Of the formulas of a kernel at x.
std::vector<Slopes> slopes_at(const expr::Kernel& kernel, const double* x, int n, int formulas) {
  std::vector<double> out(sz(kernel.tape().outputs()));
  kernel(x, out.data());
  const int size = static_cast<int>(out.size()) / formulas;
  std::vector<Slopes> list;
  list.reserve(sz(formulas));
  for (int k = 0; k < formulas; ++k) list.emplace_back(out.data() + k * size, n, size);
  return list;
}

/// s as long as the system has parameters: a formula may know of fewer.
Vn padded(const Vn& s, int free) {
  Vn all = Vn::Zero(1 + free);
  all.head(s.size()) = s;
  return all;
}

}  // namespace

// ---------------------------------------------------------------- (ext-DEL)

EnergyMomentumDerivative::EnergyMomentumDerivative(const KernelSystem& system,
                                                   const StageCoefficients& coefficients,
                                                   Retraction tau)
    : step_(system, coefficients, tau, {}), slopes_(lagrangian_slopes(system)) {}

/// Of (Ed): p₁·(q₁-q₀)/h - Σ bᵢ eᵢ, where e = L + the derivative of L along (h(c - early), Ξ, 0).
PhaseVector EnergyMomentumDerivative::energy_gradient(double h, const VectorState& end,
                                                      double early) {
  Stages& solved = step_.solved();
  const StageCoefficients& k = solved.k;
  const int n = solved.n;
  const Vn p1 = end.p + end.p_rest;
  const Vn mean = Eigen::Map<const Vn>(solved.shift(), n) / h;
  std::vector<PointDerivative::In> points;
  double by_length = 0.0;
  for (int i = 0; i < k.points; ++i) {
    const double b = k.b.hi[sz(i)];
    const double late = k.c.hi[sz(i)] - early;
    const auto [at, way] = solved.at_point(i);
    std::vector<double> along(sz(1 + 2 * n), 0.0);
    along[0] = h * late;
    std::copy(way, way + n, along.begin() + 1);
    const std::vector<double> x(at, at + 1 + 2 * n);
    const Slopes first = slopes_at(slopes_, at, n, 1).front();
    std::vector<double> change(sz(slopes_.tape().outputs()));
    derivative_along(slopes_, x, along, change.data());
    const Slopes more(change.data(), n, static_cast<int>(change.size()));
    const Vn by_q = -b * (first.q + more.q);
    points.push_back(
        {by_q - b * first.q, -b * (first.v + more.v), by_q, {}, -b * (first.s + more.s)});
    by_length -= b * late * first.s[0];
  }
  PhaseVector z = PhaseVector::zero(n, solved.f.free);
  z.delta = p1 / h;
  z.nu = mean;
  step_.transposed(z, points);
  z.delta -= p1 / h;
  z.h += by_length - p1.dot(mean) / h;
  return z;
}

void EnergyMomentumDerivative::set(const VectorState& s, double h, const std::vector<double>& x,
                                   const VectorState& end, bool first) {
  step_.set(s, h, x);
  before_ = energy_gradient(h, end, 1.0);
  after_ = energy_gradient(h, end, 0.0);
  first_ = first;
}

void EnergyMomentumDerivative::forward(PhaseVector& z) const {
  const double given = z.h;
  if (!first_) {
    z.h = 0.0;
    z.h = (z.memory - before_.dot(z)) / before_.h;
  }
  z.memory = after_.dot(z);
  step_.forward(z);
  z.h = given;
}

void EnergyMomentumDerivative::transposed(PhaseVector& z) const {
  const double given = z.h;
  const double energy = z.memory;
  z.h = z.memory = 0.0;
  step_.transposed(z);
  z.add(energy, after_);
  if (!first_) {
    z.memory = z.h / before_.h;
    z.add(-z.memory, before_);
  }
  z.h = first_ ? given + z.h : given;
}

// ---------------------------------------------------------------- (poincare)

PoincareDerivative::PoincareDerivative(const KernelSystem& system, const KernelSystem& transformed,
                                       const expr::Kernel& g, const StageCoefficients& coefficients,
                                       Retraction tau)
    : f_(system),
      transformed_(transformed),
      step_(transformed, coefficients, tau, {}),
      slopes_(lagrangian_slopes(system)),
      pace_(pace_slopes(g, system.n)) {}

void PoincareDerivative::set(const VectorState& s, double h, const std::vector<double>& x,
                             bool first) {
  const int n = f_.n;
  step_.set(s, h, x);
  Stages& solved = step_.solved();
  first_ = first;
  Vn v = Vn::Zero(n);
  LegendreTransform(f_).velocity(s, v.data());
  const Slopes l = slopes_at(slopes_, f_.point(s.t, s.q.data(), v.data()).data(), n, 1).front();
  energy_ = {-l.q, v, 0.0, 0.0, -l.s.tail(f_.free)};
  elapsed_ = PhaseVector::zero(n, transformed_.free);
  std::vector<PointDerivative::In> points;
  double mean = 0.0;
  for (int i = 0; i < solved.k.points; ++i) {
    const double b = solved.k.b.hi[sz(i)];
    const Slopes g = slopes_at(pace_, solved.at_point(i).x, n, 2).front();
    points.push_back(
        {h * b * g.q, Vn::Zero(n), h * b * g.q, {}, h * b * padded(g.s, transformed_.free)});
    mean += b * g.value;
  }
  step_.transposed(elapsed_, points);
  elapsed_.h += mean;
}

/// The vector of the transformed system: the time does not matter, E is a parameter.
PhaseVector PoincareDerivative::inner(const PhaseVector& z) const {
  PhaseVector in{z.delta, z.nu, 0.0, z.h, padded(z.free, transformed_.free - 1)};
  in.free[transformed_.free - 1] = z.memory;
  return in;
}

void PoincareDerivative::forward(PhaseVector& z) const {
  if (first_) z.memory = energy_.dot(z);
  PhaseVector in = inner(z);
  z.t += elapsed_.dot(in);
  step_.forward(in);
  z.delta = in.delta;
  z.nu = in.nu;
}

void PoincareDerivative::transposed(PhaseVector& z) const {
  PhaseVector in = inner(z);
  in.h = 0.0;
  step_.transposed(in);
  in.add(z.t, elapsed_);
  z.delta = in.delta;
  z.nu = in.nu;
  z.h += in.h;
  z.free = in.free.head(z.free.size());
  z.memory = in.free[transformed_.free - 1];
  if (!first_) return;
  z.add(z.memory, energy_);
  z.memory = 0.0;
}

// ---------------------------------------------------------------- (density)

DensityDerivative::DensityDerivative(const KernelSystem& system, const expr::Kernel& g)
    : f_(system),
      step_(system, {{1.0}, {0.5, 0.5}}),
      legendre_(system),
      motion_(system),
      pace_(pace_slopes(g, system.n)) {}

/// G and g as functions on phase space at s.
void DensityDerivative::set_end(const VectorState& s, Function& growth, Function& pace) {
  const int n = f_.n;
  Vn v = Vn::Zero(n);
  legendre_.velocity(s, v.data());
  motion_.set(s.t, s.q, v);
  motion_.factor(0.0, 0.0);
  const auto list = slopes_at(pace_, f_.point(s.t, s.q.data(), v.data()).data(), n, 2);
  for (std::size_t k = 0; k < 2; ++k) {
    Function& to = k == 0 ? pace : growth;
    to.value = list[k].value;
    to.gradient = PhaseVector::zero(n, f_.free);
    to.gradient.delta = list[k].q;
    to.gradient.nu = motion_.solved(list[k].v);
    Vn s_ = padded(list[k].s, f_.free);
    Vn none = Vn::Zero(n);
    motion_.add_momentum_transposed(-to.gradient.nu, to.gradient.delta, none, s_);
    add_parameters(s_, to.gradient);
  }
}

void DensityDerivative::set(const VectorState& s, double h, double density, const VectorState& end,
                            bool first) {
  h_ = h;
  first_ = first;
  Function pace;
  set_end(end, end_, pace);
  set_end(s, start_, pace);
  density_ = density + 0.5 * h * start_.value;
  step_.set(s, h / density_);
  made_ = PhaseVector::zero(f_.n, f_.free);
  made_.add(-1.0 / (pace.value * pace.value), pace.gradient);
}

void DensityDerivative::forward(PhaseVector& z) const {
  const double h = z.h;
  if (first_) z.memory = made_.dot(z);
  z.memory += 0.5 * (h * start_.value + h_ * start_.gradient.dot(z));
  z.h = (h - h_ / density_ * z.memory) / density_;
  step_.forward(z);
  z.h = h;
  z.memory += 0.5 * (h * end_.value + h_ * end_.gradient.dot(z));
}

void DensityDerivative::transposed(PhaseVector& z) const {
  double h = z.h + 0.5 * end_.value * z.memory;
  z.add(0.5 * h_ * z.memory, end_.gradient);
  z.h = 0.0;
  step_.transposed(z);
  h += z.h / density_;
  z.memory -= h_ / (density_ * density_) * z.h;
  h += 0.5 * start_.value * z.memory;
  z.h = h;
  z.add(0.5 * h_ * z.memory, start_.gradient);
  if (!first_) return;
  z.add(z.memory, made_);
  z.memory = 0.0;
}

}  // namespace varia::detail
