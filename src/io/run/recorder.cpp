// SPDX-License-Identifier: BSD-3-Clause
#include "varia/io/recorder.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "varia/core/index.hpp"
#include "varia/io/control_problem.hpp"

namespace varia::io {

namespace {
using detail::sz;

/// NaN is a missing value: the range is that of the others.
void extend(ColumnRange& r, double x, double t, double dt, bool first) {
  if (first) {
    r = {};
    r.first = r.last = r.min = r.max = x;
  }
  if (std::isnan(x) && r.missing++ == 0) r.missing_from = t;
  if (!std::isnan(x) && !std::isnan(r.last)) {
    r.integral += 0.5 * (r.last + x) * dt;
    r.covered += dt;
  }
  r.last = x;
  r.min = std::min(r.min, x);
  r.max = std::max(r.max, x);
}
}  // namespace

void ThinnedSeries::add(double t, double y) {
  if (count_++ % stride_ != 0) return;
  if (t_.size() == most) {
    for (std::size_t i = 0; 2 * i < most; ++i) {
      t_[i] = t_[2 * i];
      y_[i] = y_[2 * i];
    }
    t_.resize(most / 2);
    y_.resize(most / 2);
    stride_ *= 2;  // this record is at a multiple of the new stride, too
  }
  t_.push_back(t);
  y_.push_back(y);
}

void ThinnedSeries::exchange(SavedNumbers& numbers) {
  auto size = static_cast<double>(t_.size());
  numbers(stride_, count_, size);
  if (stride_ < 1) numbers.refuse();
  numbers.lists(size, t_, y_);
}

double ColumnRange::largest_change() const { return std::max(max - first, first - min); }

void Figures::add(const std::vector<double>& record, double energy, double position,
                  double velocity) {
  const bool first = count_ == 0;
  const double dt = first ? 0.0 : record[0] - t_;
  for (std::size_t i = 0; i < ranges_.size(); ++i)
    extend(ranges_[i], record[first_ + i], record[0], dt, first);
  extend(energy_, energy, record[0], dt, first);
  energies_.add(record[0], energy);
  max_position_ = std::max(max_position_, position);
  max_velocity_ = std::max(max_velocity_, velocity);
  if (first) t0_ = record[0];
  t_ = record[0];
  ++count_;
  // moments about the running means
  const double t = record[0] - t0_;
  const double e = energy - energy_.first;
  const double off = t - mean_t_;
  mean_t_ += off / static_cast<double>(count_);
  mean_e_ += (e - mean_e_) / static_cast<double>(count_);
  te_ += off * (e - mean_e_);  // the old mean of t, the new one of E
  tt_ += off * (t - mean_t_);
}

double Figures::drift() const { return tt_ > 0.0 ? te_ / tt_ : 0.0; }

std::optional<DriftFit> Figures::trend() const {
  constexpr std::size_t fewest = 40;
  if (energies_.t().size() < fewest) return std::nullopt;
  for (const double e : energies_.y())
    if (!std::isfinite(e)) return std::nullopt;
  return fit_drift(energies_.t(), energies_.y());
}

void Recorder::add_columns(const expr::NameList& names, const char* kind) {
  const auto& units = model_.scenario.output.units;
  if (units.empty()) return columns_.append(names, kind, "");
  columns_.append_each(names, kind, [&](const std::string& name) {
    Label unit;
    for (const auto& [which, text] : units)
      if (which == name || which == name.substr(0, name.find('['))) unit = text;
    return unit;
  });
}

Recorder::Recorder(const Model& model, Diagnostics* diagnostics)
    : model_(model), diagnostics_(diagnostics) {
  std::vector<std::string> momenta;
  for (const Momentum& m : model.momenta) momenta.push_back(m.name);
  std::vector<std::string> lambda;
  for (int a = 1; a <= model.system->d + model.system->e; ++a)
    lambda.push_back("lambda[" + std::to_string(a) + "]");
  add_columns({"t"}, "t");
  add_columns(model.entry_names, "q");
  add_columns(model.velocity_names, "v");
  add_columns(model.momentum_names, "p");
  add_columns(lambda, "lambda");
  add_columns({"energy"}, "energy");
  observe_at_ = columns_.size();
  add_columns(model.observe_names, "observe");
  add_columns(momenta, "momentum");
  if (model.system->rheonomic()) add_columns({driver_work}, "observe");
  if (model.structure.driven) add_columns({energy_balance}, "observe");
  if (diagnostics_ != nullptr) add_columns(diagnostics_->names(), "observe");
  if (model.inputs) add_columns(model.inputs->names, "input");
  if (model.played) add_columns(model.played->states, "state");
  if (model.played && model.played->optimised()) add_columns(costate_names(model), "costate");
  out_.assign(model.observe_names.size() + momenta.size(), 0.0);
}

/// max |φ|, and max |G v + ∂φ/∂t| and |Φ|; x_ = (t, q, v, p)
void Recorder::measure_constraints(const Snapshot& s) {
  const KernelSystem& f = *model_.system;
  position_ = velocity_ = 0.0;
  if (f.e > 0) measure_rolling();
  if (f.d == 0) return;
  std::vector<double> phi(sz(f.d + f.constraint_pattern.size()));
  f.constraint(x_.data(), phi.data());
  std::vector<double> rate(sz(f.d), 0.0);
  if (f.rheonomic()) f.constraint_rate(x_.data(), rate.data());
  for (int e = 0; e < f.constraint_pattern.size(); ++e)
    rate[sz(f.constraint_pattern.row[sz(e)])] +=
        phi[sz(f.d + e)] * s.v[sz(f.constraint_pattern.column[sz(e)])];
  for (int a = 0; a < f.d; ++a) {
    position_ = std::max(position_, std::abs(phi[sz(a)]));
    velocity_ = std::max(velocity_, std::abs(rate[sz(a)]));
  }
}

/// max |Φ|
void Recorder::measure_rolling() {
  const KernelSystem& f = *model_.system;
  std::vector<double> phi(sz(f.e + f.nonholonomic_pattern.size()));
  f.nonholonomic(x_.data(), phi.data());
  for (int a = 0; a < f.e; ++a) velocity_ = std::max(velocity_, std::abs(phi[sz(a)]));
}

const std::vector<double>& Recorder::record(const Stepper& stepper) {
  stepper.snapshot(snapshot_);
  const Snapshot& s = snapshot_;
  x_.assign(1, s.t);
  x_.reserve(1 + s.q.size() + 2 * s.v.size());
  for (const auto* part : {&s.q, &s.v, &s.p}) x_.insert(x_.end(), part->begin(), part->end());
  energy_ = stepper.energy(s);
  measure_constraints(s);
  record_.reserve(columns_.size());
  record_.assign(1, s.t);
  if (model_.seen) {
    seen_.resize(sz(model_.seen.tape().outputs()));
    model_.seen(x_.data(), seen_.data());
    record_.insert(record_.end(), seen_.begin(), seen_.end());
  } else {
    record_.insert(record_.end(), x_.begin() + 1, x_.end());
  }
  record_.insert(record_.end(), s.lambda.begin(), s.lambda.end());
  record_.push_back(energy_);
  if (model_.observe) {
    model_.observe(x_.data(), out_.data());
    record_.insert(record_.end(), out_.begin(), out_.end());
  }
  const double work = stepper.statistics().driver_work;
  if (model_.system->rheonomic()) record_.push_back(work);
  if (model_.structure.driven) record_.push_back(energy_ - work);
  if (diagnostics_ != nullptr) diagnostics_->append(s, energy_, record_);
  stepper.controls(record_);
  for (std::size_t i = 0; i < record_.size(); ++i) {
    if (std::isfinite(record_[i])) continue;
    if (!is_declared(i)) throw DomainError(no_value(i));
    record_[i] = std::numeric_limits<double>::quiet_NaN();
  }
  return record_;
}

std::string Recorder::no_value(std::size_t column) const {
  std::string why;
  if (model_.observe) why = model_.observe.non_finite(x_.data(), model_.variable_names);
  return columns_[column].name + " has no finite value at t = " + varia::to_text(snapshot_.t) +
         (why.empty() ? "" : ": " + why);
}

bool Recorder::is_declared(std::size_t column) const {
  return column >= observe_at_ && column < observe_at_ + model_.observe_names.size();
}

void Recorder::require_values() const {
  for (std::size_t k = 0; k < model_.observe_names.size(); ++k)
    if (std::isnan(record_[observe_at_ + k]))
      throw ScenarioError(model_.scenario.system.observe[k].second, no_value(observe_at_ + k));
}

void fill_figures(Summary& summary, const ColumnList& columns, const Figures& figures,
                  const std::vector<double>& last) {
  const ColumnRange& e = figures.energy();
  summary.energy = {e.first, e.last, e.largest_change(), 0.0, figures.drift(), e.min, e.max,
                    0.0,     ""};
  if (const auto trend = figures.trend()) {
    summary.energy.drift_error = trend->slope_error;
    summary.energy.trend = trend->verdict == DriftFit::Verdict::round_off  ? "round_off"
                           : trend->verdict == DriftFit::Verdict::drifting ? "drifting"
                                                                           : "level";
  }
  summary.energy.max_rel_error = e.first != 0.0 ? summary.energy.max_abs_error / std::abs(e.first)
                                                : summary.energy.max_abs_error;
  for (std::size_t i = 0; i < columns.size(); ++i)
    if (columns.kind(i) == "energy") summary.energy.final = last[i];
  summary.momenta.clear();
  summary.observe.clear();
  for (std::size_t i = figures.first(); i < columns.size(); ++i) {
    const ColumnRange& r = figures.column(i);
    if (columns[i].kind == "momentum")
      summary.momenta.emplace_back(columns[i].name,
                                   Summary::Momentum{r.first, r.largest_change(), last[i]});
    if (columns[i].kind == "observe")
      summary.observe.emplace_back(
          columns[i].name,
          Summary::Observed{r.first, last[i], r.min, r.max, r.max - r.min, figures.mean(i)});
  }
}

Snapshot Recorder::seen() const {
  Snapshot s = snapshot_;
  auto from = record_.begin() + 1;
  const auto take = [&](std::size_t count) {
    const auto begin = from;
    from += static_cast<std::ptrdiff_t>(count);
    return std::vector<double>(begin, from);
  };
  s.q = take(model_.entry_names.size());
  s.v = take(model_.velocity_names.size());
  s.p = take(model_.momentum_names.size());
  return s;
}

void Recorder::fill(Summary& summary, const Figures& figures) const {
  const Snapshot s = seen();
  summary.t_end = s.t;
  summary.final = {s.t,
                   {model_.entry_names, s.q},
                   {model_.velocity_names, s.v},
                   {model_.momentum_names, s.p},
                   s.lambda};
  fill_figures(summary, columns_, figures, record_);
  if (diagnostics_ != nullptr) diagnostics_->fill(summary);
  summary.constraints = {figures.max_position(), figures.max_velocity()};
  summary.records = figures.count();
}

}  // namespace varia::io
