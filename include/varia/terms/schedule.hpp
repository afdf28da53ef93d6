// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The order in which terms act. An order is right if and only if every term acts when none of the
// terms that share a node with it has an earlier time (ties: the smaller number first); then what
// a node undergoes does not depend on the order, and all schedules give the same bits.
//
//   queue        the papers' one queue of all terms [LMOW03]: the plain reference, O(log E) an update
//   node_clocks  every corner node keeps its terms sorted by time (the set Θ_a of [LMOW03]) and a
//                term acts when it is first at all its corners: no global queue, any number of threads
#include <cstdint>
#include <functional>
#include <memory>

#include "varia/terms/system.hpp"

namespace varia::terms {

/// Steps that change: asked after term K acted at time t with its nodes at x.
class StepRule {
 public:
  virtual ~StepRule() = default;
  /// The next step, positive and finite. Called by several threads, never for the same term at once.
  virtual double step(int term, double t, const double* x, const Clock& clock) = 0;
};

/// Is told of every update, between the drift and the kick and after it. Called by several
/// threads, never for terms that share a node at once.
template <int D> class Observer {
 public:
  virtual ~Observer() = default;
  virtual void before(int term, double t, double weight, const State<D>& state) = 0;
  virtual void after(int term, double t, double weight, const State<D>& state) = 0;
};

template <int D> struct ScheduleOptions {
  StepRule* rule = nullptr;         ///< fixed steps unless given
  Observer<D>* observer = nullptr;  ///< costs time; for diagnostics
  int threads = 1;                  ///< of node_clocks
};

/// Of one state, which nobody else may change while the schedule lives.
template <int D> class Schedule {
 public:
  virtual ~Schedule() = default;
  /// All terms act whose time is not later than `until`. What it throws, a term threw; the state is
  /// then in the middle of updates, and neither it nor the schedule can go on.
  virtual void advance(double until) = 0;
};

template <int D>
std::unique_ptr<Schedule<D>> queue(const System<D>& system, State<D>& state,
                                   ScheduleOptions<D> options = {});
template <int D>
std::unique_ptr<Schedule<D>> node_clocks(const System<D>& system, State<D>& state,
                                         ScheduleOptions<D> options = {});

}  // namespace varia::terms
