// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The events of a run: after each step what happened in it, in the order of the motion.
//
// A second stepper, the probe, makes the shorter steps from the state before the step, with the same
// memory of the solver, so that the motion itself is not touched. Only an event that ends the run
// moves it: its last step is the shorter one.
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "crossing.hpp"
#include "varia/core/saved_numbers.hpp"
#include "varia/io/recorder.hpp"
#include "varia/io/stepper.hpp"

namespace varia::io {

/// Times of each event that the summary lists.
inline constexpr std::size_t most_event_times = 1000;

class EventWatch {
 public:
  /// The model must outlive it.
  explicit EventWatch(const Model& model);

  /// The columns of the table of events: the number of the event, then those of a record.
  const ColumnList& columns() const { return columns_; }

  /// At the state of the stepper, before the first step. Throws ScenarioError for a function that has
  /// no value there.
  void begin(const Stepper& stepper);
  /// After each single step. The records of its events are in records() then. If one of them ends the
  /// run, the stepper is put there; the length of the step that was done.
  double after(Stepper& stepper, double h);
  const std::vector<std::vector<double>>& records() const { return records_; }

  bool ended() const { return ended_by_ >= 0; }
  void fill(Summary& summary) const;

  std::vector<double> save() const { return SavedNumbers::of(*this); }
  void load(const std::vector<double>& data) {
    SavedNumbers::read(*this, data, "the first run watched other events");
  }
  void exchange(SavedNumbers& numbers);

 private:
  struct Watched {
    StepValues values;
    long count = 0;
    std::vector<double> times;
    void exchange(SavedNumbers& numbers);
  };
  /// An event in the step at hand.
  struct Hit {
    double h = 0.0;
    std::size_t event = 0;
  };

  void trial(double h);
  double value(const Event& event, const Snapshot& s);
  std::string why_not(const Event& event) const;  ///< of the last value, which is not finite
  double finite_value(const Event& event, const Snapshot& s);
  void add_crossings(std::size_t event, double h, std::vector<Hit>& hits);
  void add_times(std::size_t event, double h, std::vector<Hit>& hits);
  std::vector<Hit> hits(double h);
  bool act(const Hit& hit);

  const Model& model_;
  Recorder recorder_;
  ColumnList columns_;
  std::vector<Watched> watched_;
  std::unique_ptr<Stepper> probe_;
  const Stepper* stepper_ = nullptr;  ///< after the step at hand
  std::vector<double> saved_;         ///< the stepper before the step; empty until it is asked for
  Snapshot now_, tried_;              ///< at the end of the step; of a trial
  double start_t_ = 0.0;              ///< of the step
  std::vector<double> x_;
  std::vector<std::vector<double>> records_;
  long ended_by_ = -1;
  double ended_at_ = 0.0;
};

}  // namespace varia::io
