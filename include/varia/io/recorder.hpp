// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What is recorded of a motion, and the running figures of a summary: constant memory.
#include <optional>
#include <string>
#include <vector>

#include "varia/core/saved_numbers.hpp"
#include "varia/flow/legendre_transform.hpp"
#include "varia/io/diagnostics.hpp"
#include "varia/io/model.hpp"
#include "varia/io/records.hpp"
#include "varia/io/stepper.hpp"
#include "varia/io/summary.hpp"
#include "varia/verify/drift.hpp"

namespace varia::io {

/// Range of a recorded function, its first and last value.
struct ColumnRange {
  double first = 0.0, last = 0.0, min = 0.0, max = 0.0;
  double integral = 0.0;          ///< over time, by the trapezoid rule on the records
  long missing = 0;               ///< records without a value
  double missing_from = 0.0;      ///< the time of the first of them
  double covered = 0.0;           ///< the time between neighbours that both have a value
  double largest_change() const;  ///< max |x - first|
  void exchange(SavedNumbers& numbers) {
    numbers(first, last, min, max, integral, missing, missing_from, covered);
  }
};

/// At most so many values of a series, evenly spread: when it is full, every second one goes.
class ThinnedSeries {
 public:
  void add(double t, double y);
  const std::vector<double>& t() const { return t_; }
  const std::vector<double>& y() const { return y_; }
  void exchange(SavedNumbers& numbers);

 private:
  static constexpr std::size_t most = 4096;
  long stride_ = 1, count_ = 0;
  std::vector<double> t_, y_;
};

/// The figures of all records so far; a checkpoint keeps them.
class Figures {
 public:
  /// Of the columns from `first` on: there may be millions of coordinates.
  explicit Figures(std::size_t columns, std::size_t first = 0)
      : first_(first), ranges_(columns - first) {}
  void add(const std::vector<double>& record, double energy, double position, double velocity);
  const ColumnRange& column(std::size_t i) const { return ranges_[i - first_]; }
  std::size_t first() const { return first_; }
  const ColumnRange& energy() const { return energy_; }
  double max_position() const { return max_position_; }
  double max_velocity() const { return max_velocity_; }
  long count() const { return count_; }
  /// Mean over time of a column.
  double mean(std::size_t i) const {
    const ColumnRange& r = column(i);
    const double span = r.missing > 0 ? r.covered : t_ - t0_;
    return span != 0.0 ? r.integral / span : r.first;
  }
  /// Slope of the line of least squares through the energies.
  double drift() const;
  /// The trend of the energies with its error; none for fewer than forty records.
  std::optional<DriftFit> trend() const;
  std::vector<double> save() const { return SavedNumbers::of(*this); }
  void load(const std::vector<double>& data) {
    SavedNumbers::read(*this, data, "the figures in the checkpoint belong to another system");
  }
  void exchange(SavedNumbers& numbers) {
    numbers(max_position_, max_velocity_, count_, t0_, t_, mean_t_, mean_e_, tt_, te_, ranges_,
            energy_, energies_);
  }

 private:
  std::size_t first_ = 0;
  std::vector<ColumnRange> ranges_;
  ColumnRange energy_;
  ThinnedSeries energies_;
  double max_position_ = 0.0, max_velocity_ = 0.0;
  long count_ = 0;
  double t0_ = 0.0, t_ = 0.0, mean_t_ = 0.0, mean_e_ = 0.0, tt_ = 0.0, te_ = 0.0;
};

/// Energy, momenta and observed functions of a summary; `last` is the record of the final state.
void fill_figures(Summary& summary, const ColumnList& columns, const Figures& figures,
                  const std::vector<double>& last);

class Recorder {
 public:
  /// With the columns of the diagnostics, if there are some.
  explicit Recorder(const Model& model, Diagnostics* diagnostics = nullptr);

  const ColumnList& columns() const { return columns_; }
  /// The first column behind those of the state.
  std::size_t first_observed() const { return observe_at_; }
  /// The record of the present state. A function of [system.observe] without a finite value is
  /// missing in it: NaN. Throws DomainError when anything else is not finite.
  const std::vector<double>& record(const Stepper& stepper);
  /// ScenarioError that says why, if a function of [system.observe] is missing in the last record.
  void require_values() const;
  double energy() const { return energy_; }
  double position_defect() const { return position_; }
  double velocity_defect() const { return velocity_; }
  const Snapshot& snapshot() const { return snapshot_; }
  /// The same as it is seen, see varia/space/factor.hpp.
  Snapshot seen() const;
  /// Final values and figures of a run.
  void fill(Summary& summary, const Figures& figures) const;

 private:
  void add_columns(const expr::NameList& names, const char* kind);
  void measure_constraints(const Snapshot& s);
  void measure_rolling();
  std::string no_value(std::size_t column) const;
  bool is_declared(std::size_t column) const;  ///< under [system.observe]

  const Model& model_;
  Diagnostics* diagnostics_;
  ColumnList columns_;
  std::size_t observe_at_ = 0;  ///< the first column of [system.observe]
  std::vector<double> record_, x_, out_, seen_;
  Snapshot snapshot_;
  double energy_ = 0.0, position_ = 0.0, velocity_ = 0.0;
};

}  // namespace varia::io
