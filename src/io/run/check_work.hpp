// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The work of a check, counted and bounded.
//
// It is estimated from the formulas, the unknowns and the iterations of the steps that are made, never
// from a clock: the same scenario is stopped at the same step every time, on every machine.
#include <string>
#include <utility>

#include "varia/flow/any_flow.hpp"
#include "varia/io/check.hpp"

namespace varia::io {

/// A measurement took all the work it may.
struct WorkLimit : Error {
  using Error::Error;
};

class CheckWork {
 public:
  explicit CheckWork(CheckOptions options) : options_(std::move(options)) {}

  /// A law may take so many seconds, about, on the machine of evaluation_cost.hpp, times options.work.
  void begin(std::string law, double seconds);
  /// From here on, a trial of the same law may take half of what is left to it.
  void begin_trial() { limit_ = 0.5 * (done_ + whole_); }
  /// Work that was done, or that is about to be; throws WorkLimit where it is too much.
  void add(double seconds, long steps);
  /// Whether so much is left.
  bool allows(double seconds) const { return done_ + seconds <= limit_; }
  long steps() const { return steps_; }

 private:
  CheckOptions options_;
  std::string law_;
  double whole_ = 0.0;  ///< of the law
  double limit_ = 0.0;  ///< at which the trial ends
  double done_ = 0.0;
  double shown_ = 0.0;
  long steps_ = 0;
};

/// The flow with all its steps counted, and those of flows made from it by with_method; beside each of
/// them so many seconds are spent on something else.
AnyFlow counted(const AnyFlow& flow, CheckWork& work, double beside = 0.0);

/// What steps of a flow cost.
class StepCost {
 public:
  explicit StepCost(const AnyFlow& flow);
  /// So many steps that took so many iterations.
  double seconds(long steps, long iterations) const;

 private:
  double step_ = 0.0;
  double iteration_ = 0.0;
};

/// Of L_d with its derivatives by the certificate tier; with compositions of all substeps. In seconds.
double certificate_cost(const Method& method, const KernelSystem& system);

/// Of L and the velocity at one point of an exact motion, in seconds.
double exact_point_cost(const KernelSystem& system);

/// Of a step of the model with avi, every term acting as often as its own step says.
struct AsynchronousCost {
  double seconds = 0.0;
  double updates = 0.0;
};
AsynchronousCost asynchronous_cost(const Model& model, double duration);

}  // namespace varia::io
