// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Heat: the kinetic energy averaged over time, and the temperature that goes with it.
//
//   (heat)   K̄(T) = (1/T) ∫₀ᵀ ½⟨p, v⟩ dt,   temperature K̄/(number of degrees of freedom)
#include <memory>
#include <vector>

#include "varia/flow/baseline.hpp"
#include "varia/flow/newmark_flow.hpp"
#include "varia/flow/stage_flow.hpp"

namespace varia {

/// How samples at the steps make an integral: the values at the ends of the steps, for methods whose
/// momentum belongs to the step before it, or the trapezoidal rule.
enum class Sampling { end_of_step, trapezoidal };

/// Time averages of a quantity that is given at the steps, of any and varying size.
class TimeAverage {
 public:
  explicit TimeAverage(Sampling sampling = Sampling::trapezoidal) : sampling_(sampling) {}

  void add(double t, double value);
  /// Throws InvalidArgument while no time has passed.
  double mean() const;
  double duration() const { return last_t_ - first_t_; }
  /// What the further means depend on.
  void exchange(SavedNumbers& numbers) { numbers(count_, first_t_, last_t_, last_, sum_, rest_); }

 private:
  Sampling sampling_;
  long count_ = 0;
  double first_t_ = 0.0, last_t_ = 0.0, last_ = 0.0, sum_ = 0.0, rest_ = 0.0;
};

/// The heat of a run.
struct Heat {
  double mean = 0.0;         ///< K̄(T)
  double temperature = 0.0;  ///< K̄(T) over the degrees of freedom, constraints not counted
  double duration = 0.0;     ///< T
};

/// (heat) along a run of a StageFlow, BaselineFlow or NewmarkFlow. The kinetic energy is ½⟨p, v⟩: L
/// must be quadratic in the velocities.
template <class F>
Heat heat(const F& flow, const VectorState& start, double h, long steps,
          Sampling sampling = Sampling::trapezoidal);

}  // namespace varia
