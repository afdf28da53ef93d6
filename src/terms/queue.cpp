// SPDX-License-Identifier: BSD-3-Clause
#include <queue>

#include "advance_clock.hpp"

namespace varia::terms {

namespace {

struct Event {
  double t;
  int term;
  bool operator>(const Event& other) const {
    return t > other.t || (t == other.t && term > other.term);
  }
};

template <int D> class Queue final : public Schedule<D> {
 public:
  Queue(const System<D>& system, State<D>& state, ScheduleOptions<D> options)
      : system_(system), state_(state), options_(options) {
    state_.variable_steps = state_.variable_steps || options_.rule;
    for (int term = 0; term < system_.term_count(); ++term)
      events_.push({state_.clocks[term].next, term});
  }

  void advance(double until) override {
    check_bound(until);
    while (!events_.empty() && events_.top().t <= until) {
      const int term = events_.top().term;
      events_.pop();
      const auto [family, k] = system_.place(term);
      update(system_, *family, term, k, state_, options_);
      events_.push({state_.clocks[term].next, term});
    }
  }

 private:
  const System<D>& system_;
  State<D>& state_;
  ScheduleOptions<D> options_;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
};

}  // namespace

template <int D>
std::unique_ptr<Schedule<D>> queue(const System<D>& system, State<D>& state,
                                   ScheduleOptions<D> options) {
  return std::make_unique<Queue<D>>(system, state, options);
}

template std::unique_ptr<Schedule<1>> queue(const System<1>&, State<1>&, ScheduleOptions<1>);
template std::unique_ptr<Schedule<2>> queue(const System<2>&, State<2>&, ScheduleOptions<2>);
template std::unique_ptr<Schedule<3>> queue(const System<3>&, State<3>&, ScheduleOptions<3>);

}  // namespace varia::terms
