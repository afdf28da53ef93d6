// SPDX-License-Identifier: BSD-3-Clause
#include "recorder.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "varia/terms/energy.hpp"

namespace varia::io {

namespace {

using Three = std::array<double, 3>;

Three cross(const Three& a, const Three& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

double dot(const Three& a, const Three& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

double length(const Three& a) { return std::sqrt(dot(a, a)); }

Three unit(const Three& a) {
  const double size = length(a);
  return {a[0] / size, a[1] / size, a[2] / size};
}

/// Of a node, from a centre.
template <int D> Three relative(const double* x, const Three& centre) {
  Three r{};
  for (int c = 0; c < D; ++c) r[c] = x[c] - centre[c];
  return r;
}

}  // namespace

template <int D> Three centre_of_mass(const solids::Solid<D>& solid, const std::vector<double>& x) {
  Three sum{};
  const std::vector<double>& masses = solid.system.masses();
  for (std::size_t a = 0; a < masses.size(); ++a)
    for (int c = 0; c < D; ++c) sum[c] += masses[a] * x[a * D + c];
  for (double& s : sum) s /= solid.total_mass;
  return sum;
}

template <int D> Rotation<D>::Rotation(const solids::Solid<D>& solid) : solid_(solid) {
  centre0_ = centre_of_mass(solid, solid.x0);
  const Three drift = centre_of_mass(solid, solid.v0);
  Three momentum{};
  double scale = 0.0;
  for (std::size_t a = 0; a < solid.system.masses().size(); ++a) {
    const Three r = relative<D>(solid.x0.data() + a * D, centre0_);
    const Three v = relative<D>(solid.v0.data() + a * D, drift);
    const Three l = cross(r, v);
    for (int c = 0; c < 3; ++c) momentum[c] += solid.system.masses()[a] * l[c];
    scale += solid.system.masses()[a] * length(r) * length(v);
  }
  spins_ = length(momentum) > 1e-6 * scale;
  if (!spins_) return;
  const Three axis = unit(momentum);
  const Three other = std::abs(axis[2]) > 0.5 ? Three{1, 0, 0} : Three{0, 0, 1};
  across_[1] = unit(cross(axis, other));
  across_[0] = cross(across_[1], axis);
}

template <int D> auto Rotation<D>::projected(const double* x, const Three& centre) const -> Plane {
  const Three r = relative<D>(x, centre);
  return {dot(r, across_[0]), dot(r, across_[1])};
}

template <int D> double Rotation<D>::angle(const std::vector<double>& x, double before) const {
  const Three centre = centre_of_mass(solid_, x);
  double along = 0.0, turned = 0.0;
  for (std::size_t a = 0; a < solid_.system.masses().size(); ++a) {
    const Plane p = projected(solid_.x0.data() + a * D, centre0_);
    const Plane q = projected(x.data() + a * D, centre);
    along += solid_.system.masses()[a] * (p[0] * q[0] + p[1] * q[1]);
    turned += solid_.system.masses()[a] * (p[0] * q[1] - p[1] * q[0]);
  }
  const double turn = 2.0 * std::acos(-1.0);
  const double angle = std::atan2(turned, along);
  return angle + turn * std::round((before - angle) / turn);
}

template class Rotation<2>;
template class Rotation<3>;
template Three centre_of_mass(const solids::Solid<2>&, const std::vector<double>&);
template Three centre_of_mass(const solids::Solid<3>&, const std::vector<double>&);

namespace {

constexpr std::array<const char*, 3> axis = {"x", "y", "z"};

/// Σ m v over the free components.
template <int D, class Velocity>
std::array<double, 3> free_momentum(const terms::System<D>& system,
                                    const terms::Supports<D>& supports, const Velocity& velocity) {
  std::array<double, 3> sum{};
  for (int a = 0; a < system.node_count(); ++a)
    for (int c = 0; c < D; ++c) sum[c] += system.masses()[a] * velocity(a)[c];
  for (const auto& support : supports.list())
    for (int c = 0; c < D; ++c)
      if (support.fixed[c]) sum[c] -= system.masses()[support.node] * velocity(support.node)[c];
  return sum;
}

double relative(double change, double scale) { return scale > 0.0 ? change / scale : change; }

}  // namespace

template <int D> std::string SolidRecorder<D>::unit_of(const std::string& quantity) const {
  if (quantity == "angle") return "rad";
  for (const auto& [name, unit] : model_.scenario.output.units)
    if (name == quantity) return unit;
  return {};
}

template <int D>
void SolidRecorder<D>::add_column(const std::string& name, const char* kind,
                                  const std::string& quantity) {
  const std::string own = unit_of(name);
  columns_.push_back({name, kind, own.empty() ? unit_of(quantity) : own});
}

template <int D> void SolidRecorder<D>::add_probes() {
  std::vector<int> place(solid_.order.nodes.size());
  for (std::size_t a = 0; a < place.size(); ++a)
    place[static_cast<std::size_t>(solid_.order.nodes[a])] = static_cast<int>(a);
  for (const Probe& probe : model_.probes) {
    probe_nodes_.push_back(place.at(static_cast<std::size_t>(probe.node)));
    add_column(probe.name, "observe", probe.kind == Probe::Kind::velocity ? "speed" : "length");
  }
}

template <int D>
SolidRecorder<D>::SolidRecorder(const SolidModel& model, const solids::Solid<D>& solid)
    : model_(model),
      solid_(solid),
      forces_(element_forces(solid, solid.t0)),
      laws_(laws_of(model.problem, forces_)),
      rotation_(solid) {
  add_column("t", "t", "t");
  for (int c = 0; c < D; ++c) add_column(std::string("centre_") + axis[c], "q", "length");
  energy_at_ = columns_.size();
  add_column("energy", "energy", "energy");
  add_column("kinetic", "observe", "energy");
  add_column("potential", "observe", "energy");
  add_column("max_displacement", "observe", "length");
  add_column("updates", "observe", "");
  if (model.run.energy_stationary) add_column("discrete_energy", "observe", "energy");
  if (rotation_.spins() && !laws_.supported) {
    rotation_at_ = columns_.size();
    add_column("rotation", "observe", "angle");
  }
  add_probes();
  momentum_at_ = columns_.size();
  for (int c = 0; c < D; ++c) add_column(std::string("P_") + axis[c], "momentum", "momentum");
  for (int c = D == 2 ? 2 : 0; c < 3; ++c)
    add_column(std::string("L_") + axis[c], "momentum", "angular_momentum");
  p0_ = free_momentum(solid.system, solid.supports,
                      [&](int a) { return solid_.v0.data() + static_cast<std::ptrdiff_t>(a) * D; });
}

/// The largest |x - X|.
template <int D> double SolidRecorder<D>::farthest(const std::vector<double>& x) const {
  double largest = 0.0;
  for (std::size_t a = 0; a < x.size(); a += D) {
    double square = 0.0;
    for (std::size_t i = a; i < a + D; ++i)
      square += (x[i] - solid_.mesh.X[i]) * (x[i] - solid_.mesh.X[i]);
    largest = std::max(largest, square);
  }
  return std::sqrt(largest);
}

/// Angle and probes.
template <int D>
void SolidRecorder<D>::observe(const terms::Synchronised<D>& at,
                               std::vector<double>& record) const {
  if (rotation_at_ > 0) record.push_back(rotation_.angle(at.x, angle_));
  for (std::size_t i = 0; i < probe_nodes_.size(); ++i) {
    const Probe& probe = model_.probes[i];
    const auto j =
        static_cast<std::size_t>(probe_nodes_[i]) * D + static_cast<std::size_t>(probe.component);
    if (probe.kind == Probe::Kind::velocity)
      record.push_back(at.v[j]);
    else
      record.push_back(at.x[j] -
                       (probe.kind == Probe::Kind::displacement ? solid_.mesh.X[j] : 0.0));
  }
}

template <int D>
const std::vector<double>& SolidRecorder<D>::record(const SolidMotion<D>& motion,
                                                    const terms::Synchronised<D>& at) {
  const double kinetic = terms::kinetic_energy(solid_.system, at.v);
  const double potential = terms::potential_energy(solid_.system, at.x, at.t);
  const terms::Momentum<D> momentum = motion.momentum();
  const std::array<double, 3> centre = centre_of_mass(solid_, at.x);
  std::int64_t updates = 0;
  for (int k = 0; k < solid_.system.term_count(); ++k) updates += motion.updates(k);
  std::vector<double> record{at.t};
  record.insert(record.end(), centre.begin(), centre.begin() + D);
  record.insert(record.end(), {kinetic + potential, kinetic, potential, farthest(at.x),
                               static_cast<double>(updates)});
  if (model_.run.energy_stationary) record.push_back(motion.discrete_energy());
  observe(at, record);
  record.insert(record.end(), momentum.linear.begin(), momentum.linear.end());
  record.insert(record.end(), momentum.angular.begin() + (D == 2 ? 2 : 0), momentum.angular.end());
  for (std::size_t i = 0; i < record.size(); ++i)
    if (!std::isfinite(record[i]))
      throw DomainError(columns_[i].name + " has no finite value at t = " + varia::to_text(at.t) +
                        ": the motion has diverged; use a smaller " +
                        (model_.run.newmark && model_.run.step > 0.0 ? "step" : "courant"));
  record_ = std::move(record);  // only now: a failed run shows the last good one
  momentum_ = momentum;
  return record_;
}

template <int D> void SolidRecorder<D>::measure_balance(const SolidMotion<D>& motion) {
  if (!laws_.balance[0] && !laws_.balance[1] && !laws_.balance[2]) return;
  const std::array<double, 3> p =
      free_momentum(solid_.system, motion.supports(), [&](int a) { return motion.velocity(a); });
  std::array<double, 3> given{}, scale{};
  for (const auto& support : motion.supports().list())
    for (int c = 0; c < D; ++c) {
      given[c] += support.impulse[c];
      scale[c] += std::abs(support.impulse[c]);
    }
  for (std::size_t k = 0; k < forces_.size(); ++k)
    for (int c = 0; c < D; ++c) {
      const double impulse = forces_[k][c] * motion.acted(static_cast<int>(k));
      given[c] += impulse;
      scale[c] += std::abs(impulse);
    }
  for (int c = 0; c < D; ++c) {
    if (!laws_.balance[c]) continue;
    momenta_.defect = std::max(momenta_.defect, std::abs(p[c] - p0_[c] - given[c]));
    momenta_.balance_scale = std::max(momenta_.balance_scale, scale[c] + momentum_.linear_scale);
  }
}

template <int D> void SolidRecorder<D>::add(const SolidMotion<D>& motion, Figures& figures) {
  figures.add(record_, energy(), 0.0, 0.0);
  momenta_.linear = std::max(momenta_.linear, momentum_.linear_scale);
  momenta_.angular = std::max(momenta_.angular, momentum_.angular_scale);
  measure_balance(motion);
  if (rotation_at_ > 0) angle_ = record_[rotation_at_];
}

template <int D> std::vector<double> SolidRecorder<D>::save() const {
  return {momenta_.linear, momenta_.angular, momenta_.defect, momenta_.balance_scale};
}

template <int D>
void SolidRecorder<D>::load(const std::vector<double>& data, const Figures& figures) {
  momenta_ = {data.at(0), data.at(1), data.at(2), data.at(3)};
  if (rotation_at_ > 0) angle_ = figures.column(rotation_at_).last;
}

/// What errors are judged against, see varia/io/scales.hpp: the columns behind the energy are the
/// kinetic and the potential one.
template <int D> void SolidRecorder<D>::fill_sizes(Summary& summary, const Figures& figures) const {
  const ColumnRange &kinetic = figures.column(energy_at_ + 1),
                    &potential = figures.column(energy_at_ + 2);
  const auto size = [](const ColumnRange& r) { return std::max(std::abs(r.min), std::abs(r.max)); };
  const double stored = potential.max - potential.min;
  summary.energy.exchanged = std::max(kinetic.max, stored);
  summary.energy.swing = std::max(kinetic.max - kinetic.min, stored);
  summary.energy.moves = kinetic.max > 0.0;
  summary.energy.round_off = std::numeric_limits<double>::epsilon() *
                             (size(figures.energy()) + size(potential) + 2.0 * kinetic.max);
  summary.energy.lowest_kinetic = kinetic.min;
  for (auto& [name, momentum] : summary.momenta)
    momentum.parts = name[0] == 'P' ? momenta_.linear : momenta_.angular;
}

template <int D> void SolidRecorder<D>::fill(Summary& summary, const Figures& figures) const {
  fill_figures(summary, columns_, figures, record_);
  fill_sizes(summary, figures);
  summary.records = figures.count();
  summary.t_end = summary.final.t = record_[0];
  for (std::size_t i = 1; i <= D; ++i) summary.final.q.emplace_back(columns_[i].name, record_[i]);
  Summary::SolidMomentum momentum;
  for (std::size_t i = momentum_at_; i < columns_.size(); ++i) {
    const bool linear = columns_[i].name[0] == 'P';
    (linear ? momentum.linear : momentum.angular).push_back(record_[i]);
    momentum.max_change = std::max(
        momentum.max_change,
        relative(figures.column(i).largest_change(), linear ? momenta_.linear : momenta_.angular));
  }
  summary.momentum = momentum;
  if (rotation_at_ == 0) return;
  const ColumnRange& angle = figures.column(rotation_at_);
  const double turned = std::abs(angle.last - angle.first), pi = std::acos(-1.0);
  if (turned < pi) return;
  const ColumnRange& t = figures.column(0);
  const double period = 2.0 * pi * (t.last - t.first) / turned;
  summary.observe.emplace_back("rotation_period",
                               Summary::Observed{period, period, period, period, 0.0, period});
}

template class SolidRecorder<2>;
template class SolidRecorder<3>;

}  // namespace varia::io
