// SPDX-License-Identifier: BSD-3-Clause
#include "varia/io/scales.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <limits>

#include "varia/core/index.hpp"
#include "varia/mechanics/constraint_scale.hpp"

namespace varia::io {

namespace {

using detail::sz;

using Rate = std::complex<double>;

/// The largest eigenvalue of a system of first order.
Rate largest(const Eigen::MatrixXd& a) {
  if (!a.allFinite()) return 0.0;
  const Eigen::EigenSolver<Eigen::MatrixXd> solver(a, false);
  if (solver.info() != Eigen::Success) return 0.0;
  Rate found = 0.0;
  for (const Rate& lambda : solver.eigenvalues())
    if (std::abs(lambda) > std::abs(found)) found = lambda;
  return found;
}

/// The largest λ of M ẍ + C ẋ + K x = 0.
Rate fastest(const Eigen::MatrixXd& mass, const Eigen::MatrixXd& gyroscopic,
             const Eigen::MatrixXd& stiffness) {
  const auto n = mass.rows();
  const Eigen::PartialPivLU<Eigen::MatrixXd> lu(mass);
  Eigen::MatrixXd a = Eigen::MatrixXd::Zero(2 * n, 2 * n);
  a.topRightCorner(n, n).setIdentity();
  a.bottomLeftCorner(n, n) = -lu.solve(stiffness);
  a.bottomRightCorner(n, n) = -lu.solve(gyroscopic);
  return largest(a);
}

/// The largest λ of C ẋ + K x = 0, of a Lagrangian that is linear in the velocities.
Rate fastest(const Eigen::MatrixXd& gyroscopic, const Eigen::MatrixXd& stiffness) {
  return largest(-gyroscopic.partialPivLu().solve(stiffness));
}

/// The largest |eigenvalue| of ad*_v of a factor: |ω| of rotations and rigid motions.
double turning(const ProductSpace::Curved& c, const double* v) {
  Eigen::MatrixXd ad(c.dof, c.dof);
  FactorChart::Map map;
  for (int k = 0; k < c.dof; ++k) {
    const Eigen::VectorXd unit = Eigen::VectorXd::Unit(c.dof, k);
    c.factor->ad_star(unit.data(), map);
    for (int i = 0; i < c.dof; ++i) {
      ad(i, k) = 0.0;
      for (int j = 0; j < c.dof; ++j) ad(i, k) += map[sz(i * c.dof + j)] * v[c.degree + j];
    }
  }
  if (!ad.allFinite()) return 0.0;
  return Eigen::EigenSolver<Eigen::MatrixXd>(ad, false).eigenvalues().cwiseAbs().maxCoeff();
}

}  // namespace

Scales::Scales(const Model& model) : model_(&model), momenta_(model.momenta.size(), 0.0) {
  moving_min_.assign(model.velocity_names.size(), 0.0);
  moving_max_ = moving_min_;
  if (!model.system->degenerate) return;
  slope_.assign(sz(model.system->n), 0.0);
  lowest_ = highest_ = slope_;
}

void Scales::exchange(SavedNumbers& numbers) {
  numbers(count_, kinetic_, kinetic_min_, potential_min_, potential_max_, energy_terms_, position_,
          away_, speed_, frequency_, growth_, turn_, pairing_, multiplier_defect_, multiplier_,
          momenta_, slope_, lowest_, highest_, moving_min_, moving_max_);
  numbers(work_.by_all, work_.by_second, work_.t, work_.t_second, work_.power, work_.power_second,
          work_.energy, work_.most_power, work_.defect, work_.doubt);
}

double Scales::exchanged() const {
  return std::max(kinetic_, potential_max_ - potential_min_) + exchanged_by_slopes();
}

double Scales::exchanged_by_slopes() const {
  double sum = 0.0;
  for (std::size_t i = 0; i < slope_.size(); ++i) sum += slope_[i] * (highest_[i] - lowest_[i]);
  return sum;
}

double Scales::swing() const {
  double moving = 0.0;
  for (std::size_t i = 0; i < moving_min_.size(); ++i) moving += moving_max_[i] - moving_min_[i];
  return std::max(0.5 * moving, potential_max_ - potential_min_) + exchanged_by_slopes();
}

void Scales::fill(Summary& summary) const {
  summary.energy.exchanged = exchanged();
  summary.energy.swing = swing();
  summary.energy.moves = pairing_ > 0.0;
  summary.energy.round_off = std::numeric_limits<double>::epsilon() * energy_terms_;
  summary.energy.lowest_kinetic = kinetic_min_;
  if (model_->system->e > 0) summary.nonholonomic = {multiplier_defect_, multiplier_};
  for (std::size_t m = 0; m < summary.momenta.size(); ++m)
    summary.momenta[m].second.parts = momenta_[m];
  summary.constraints.relative_position = position_;
  summary.constraints.relative_velocity = velocity_defect();
  summary.fastest_frequency = frequency_;
  summary.fastest_rate = {growth_, turn_};
  if (works()) summary.work = {work_.by_all, work_.defect, work_.doubt, work_.most_power};
}

double Scales::velocity_defect() const { return speed_ > 0.0 ? away_ / speed_ : away_; }

/// pᵢ vᵢ, coordinate by coordinate; returns their sum.
double Scales::add_moving(const Snapshot& s) {
  double sum = 0.0;
  for (std::size_t i = 0; i < s.v.size(); ++i) {
    const double part = s.p[i] * s.v[i];
    sum += part;
    pairing_ = std::max(pairing_, std::abs(part));
    moving_min_[i] = count_ == 0 ? part : std::min(moving_min_[i], part);
    moving_max_[i] = count_ == 0 ? part : std::max(moving_max_[i], part);
  }
  return sum;
}

void Scales::add_energy(const Snapshot& s, double energy) {
  const KernelSystem& f = model_->hamiltonian ? *model_->hamiltonian : *model_->system;
  const double pairing = add_moving(s);
  x_ = f.point(s.t, s.q.data(), std::vector<double>(sz(f.n), 0.0).data());
  double at_rest = 0.0;
  f.value(x_.data(), &at_rest);
  // of L without a value at rest: the part of the energy that is quadratic in v
  double potential = model_->hamiltonian ? at_rest : -at_rest;
  if (!std::isfinite(potential)) potential = energy - 0.5 * pairing;
  const double kinetic = energy - potential;
  if (count_ == 0) {
    potential_min_ = potential_max_ = potential;
    kinetic_min_ = kinetic;
  }
  potential_min_ = std::min(potential_min_, potential);
  potential_max_ = std::max(potential_max_, potential);
  kinetic_min_ = std::min(kinetic_min_, kinetic);
  kinetic_ = std::max(kinetic_, std::abs(kinetic));
  energy_terms_ =
      std::max(energy_terms_, std::abs(energy) + std::abs(potential) + std::abs(pairing));
}

/// L = ⟨θ, v⟩ - H has no kinetic energy: what H would change by if each coordinate moved alone.
void Scales::add_degenerate(const Snapshot& s) {
  const KernelSystem& f = *model_->system;
  x_ = f.point(s.t, s.q.data(), std::vector<double>(sz(f.n), 0.0).data());
  out_.resize(sz(2 * f.n));
  f.gradient(x_.data(), out_.data());
  for (std::size_t i = 0; i < slope_.size(); ++i) {
    slope_[i] = std::max(slope_[i], std::abs(out_[i]));
    lowest_[i] = count_ == 0 ? s.q[i] : std::min(lowest_[i], s.q[i]);
    highest_[i] = count_ == 0 ? s.q[i] : std::max(highest_[i], s.q[i]);
  }
}

void Scales::add_momenta(const Snapshot& s) {
  const std::size_t n = s.p.size();
  if (model_->generators) {
    x_.assign(1, s.t);
    for (const auto* part : {&s.q, &s.v, &s.p}) x_.insert(x_.end(), part->begin(), part->end());
    out_.resize(sz(model_->generators.tape().outputs()));
    model_->generators(x_.data(), out_.data());
  }
  std::size_t generator = 0;
  for (std::size_t m = 0; m < momenta_.size(); ++m) {
    double parts = 0.0;
    if (model_->momenta[m].has_generator) {
      for (std::size_t i = 0; i < n; ++i) parts += std::abs(s.p[i] * out_[generator * n + i]);
      ++generator;
    } else {
      for (std::size_t i = 0; i < n; ++i) parts = std::max(parts, std::abs(s.p[i]));
      if (model_->momenta[m].quadratic) parts *= parts;
    }
    momenta_[m] = std::max(momenta_[m], parts);
  }
}

void Scales::add_constraints(const Snapshot& s) {
  const KernelSystem& f = *model_->system;
  if (f.e > 0) add_rolling(s);
  if (f.d == 0) return;
  x_ = f.point(s.t, s.q.data(), s.v.data());
  const Pattern& g = f.constraint_pattern;
  out_.resize(sz(f.d + g.size()));
  f.constraint(x_.data(), out_.data());
  const ConstraintScale scale = constraint_scale(f, s.q.data(), out_.data());
  std::vector<double> rate(sz(f.d), 0.0);
  if (f.rheonomic()) f.constraint_rate(x_.data(), rate.data());
  for (int a = 0; a < f.d; ++a)
    if (scale.slope[sz(a)] > 0.0)
      speed_ = std::max(speed_, std::abs(rate[sz(a)]) / scale.slope[sz(a)]);
  for (const double v : s.v) speed_ = std::max(speed_, std::abs(v));
  for (int e = 0; e < g.size(); ++e)
    rate[sz(g.row[sz(e)])] += out_[sz(f.d + e)] * s.v[sz(g.column[sz(e)])];
  for (int a = 0; a < f.d; ++a) {
    position_ = std::max(position_, scale.relative(a, out_[sz(a)]));
    if (scale.slope[sz(a)] > 0.0)
      away_ = std::max(away_, std::abs(rate[sz(a)]) / scale.slope[sz(a)]);
  }
}

/// Φ as a speed, divided by |∂Φ/∂v|, and how far the multipliers are from those of the motion.
void Scales::add_rolling(const Snapshot& s) {
  const KernelSystem& f = *model_->system;
  x_ = f.point(s.t, s.q.data(), s.v.data());
  const Pattern& g = f.nonholonomic_pattern;
  out_.resize(sz(f.e + g.size()));
  f.nonholonomic(x_.data(), out_.data());
  std::vector<double> slope(sz(f.e), 0.0);
  for (int e = 0; e < g.size(); ++e)
    if (g.column[sz(e)] >= f.n)
      slope[sz(g.row[sz(e)])] = std::hypot(slope[sz(g.row[sz(e)])], out_[sz(f.e + e)]);
  for (const double v : s.v) speed_ = std::max(speed_, std::abs(v));
  for (int a = 0; a < f.e; ++a)
    if (slope[sz(a)] > 0.0) away_ = std::max(away_, std::abs(out_[sz(a)]) / slope[sz(a)]);
  const auto vector = [](const std::vector<double>& x) {
    return Vn(Eigen::Map<const Vn>(x.data(), static_cast<Eigen::Index>(x.size())));
  };
  const Vn motion = acceleration(f, s.t, vector(s.q), vector(s.v)).lambda.tail(f.e);
  const Vn found = vector(s.lambda).tail(f.e);
  multiplier_defect_ = std::max(multiplier_defect_, (found - motion).cwiseAbs().maxCoeff());
  multiplier_ = std::max(multiplier_, motion.cwiseAbs().maxCoeff());
}

/// Whether the energy changes by the work of forces alone, and all steps are seen.
bool Scales::works() const {
  const KernelSystem& f = *model_->system;
  return f.forced && !f.uses_time && !model_->inputs && f.e == 0 && model_->scenario.run.every == 1;
}

double Scales::power(const Snapshot& s) {
  const KernelSystem& f = *model_->system;
  x_ = f.point(s.t, s.q.data(), s.v.data());
  out_.resize(sz(f.n));
  f.force(x_.data(), out_.data());
  double sum = 0.0;
  for (std::size_t i = 0; i < s.v.size(); ++i) sum += out_[i] * s.v[i];
  return sum;
}

void Scales::add_work(const Snapshot& s, double energy) {
  const double now = power(s);
  if (count_ == 0) {
    work_ = {.t = s.t,
             .t_second = s.t,
             .power = now,
             .power_second = now,
             .energy = energy,
             .most_power = now};
    return;
  }
  work_.most_power = std::max(work_.most_power, now);
  work_.by_all += 0.5 * (work_.power + now) * (s.t - work_.t);
  work_.t = s.t;
  work_.power = now;
  work_.defect = std::max(work_.defect, std::abs(energy - work_.energy - work_.by_all));
  if (count_ % 2 != 0) return;
  work_.by_second += 0.5 * (work_.power_second + now) * (s.t - work_.t_second);
  work_.t_second = s.t;
  work_.power_second = now;
  work_.doubt = std::max(work_.doubt, std::abs(work_.by_all - work_.by_second));
}

/// At all of the first records, then more and more seldom: about 16 more for twice as many records.
bool Scales::frequency_is_due() {
  const auto number = static_cast<unsigned long>(count_);
  const int spare = static_cast<int>(std::bit_width(number)) - 5;
  return spare <= 0 || number % (1UL << static_cast<unsigned>(spare)) == 0;
}

void Scales::add_frequency(const Snapshot& s) {
  constexpr int largest_system = 12;
  const KernelSystem& f = *model_->system;
  if (!frequency_is_due()) return;
  for (const auto& factor : f.space.curved())
    frequency_ = std::max(frequency_, turning(factor, s.v.data()));
  if (model_->hamiltonian || !f.on_vector_space() || f.d + f.e > 0 || f.n > largest_system) return;
  const int n = f.n;
  x_ = f.point(s.t, s.q.data(), s.v.data());
  out_.resize(sz(2 * n + f.second.size()));
  f.hessian(x_.data(), out_.data());
  Eigen::MatrixXd second = Eigen::MatrixXd::Zero(2 * n, 2 * n);
  for (int e = 0; e < f.second.size(); ++e) {
    const int i = f.second.row[sz(e)];
    const int j = f.second.column[sz(e)];
    second(i, j) = second(j, i) = out_[sz(2 * n + e)];
  }
  if (!second.allFinite()) return;
  const Eigen::MatrixXd mass = second.bottomRightCorner(n, n);
  const Eigen::MatrixXd mixed = second.bottomLeftCorner(n, n);  // L_vq
  Eigen::MatrixXd gyroscopic = mixed - mixed.transpose();
  Eigen::MatrixXd stiffness = -second.topLeftCorner(n, n);
  const auto rate = [&] {
    return f.degenerate ? fastest(gyroscopic, stiffness) : fastest(mass, gyroscopic, stiffness);
  };
  frequency_ = std::max(frequency_, std::abs(rate()));
  if (!f.forced) return;
  add_force_slopes(stiffness, gyroscopic);
  if (const Rate found = rate(); std::abs(found) > std::abs(Rate(growth_, turn_))) {
    growth_ = found.real();
    turn_ = std::abs(found.imag());
  }
}

/// -∂f/∂q and -∂f/∂v at x_.
void Scales::add_force_slopes(Eigen::MatrixXd& stiffness, Eigen::MatrixXd& gyroscopic) {
  const KernelSystem& f = *model_->system;
  out_.resize(sz(f.n + f.force_pattern.size()));
  f.force_derivative(x_.data(), out_.data());
  for (int e = 0; e < f.force_pattern.size(); ++e) {
    const int column = f.force_pattern.column[sz(e)];
    Eigen::MatrixXd& part = column < f.n ? stiffness : gyroscopic;
    part(f.force_pattern.row[sz(e)], column % f.n) -= out_[sz(f.n + e)];
  }
}

void Scales::add(const Snapshot& s, double energy) {
  add_energy(s, energy);
  if (model_->system->degenerate) add_degenerate(s);
  add_momenta(s);
  add_constraints(s);
  if (works()) add_work(s, energy);
  add_frequency(s);
  ++count_;
}

}  // namespace varia::io
