// SPDX-License-Identifier: BSD-3-Clause
#include "node_lists.hpp"

namespace varia::terms {

namespace {

/// One thread: a stack of terms that are first at all their corners, last in first out, so that
/// neighbours follow one another and memory stays near.
template <int D> class NodeClocks final : public Schedule<D> {
 public:
  NodeClocks(const System<D>& system, State<D>& state, ScheduleOptions<D> options)
      : system_(system), state_(state), options_(options), lists_(system, state, missing_) {
    state_.variable_steps = state_.variable_steps || options_.rule;
    ready_.resize(missing_.size() + 1);
    parked_.resize(missing_.size() + 1);
    for (int term = system.term_count() - 1; term >= 0; --term)
      if (missing_[term] == 0) parked_[parked_count_++] = term;
  }

  void advance(double until) override {
    check_bound(until);
    const Key bound = key_of(until);
    std::size_t top = 0, parked = 0;
    for (std::size_t i = 0; i < parked_count_; ++i) {
      const int term = parked_[i];
      if (state_.clocks[term].next <= until)
        ready_[top++] = term;
      else
        parked_[parked++] = term;
    }
    Pipeline<D> pipeline(lists_, state_);
    while (top > 0 || !pipeline.empty()) {
      const int term = pipeline.shift(top > 0 ? ready_[--top] : Pipeline<D>::none);
      if (term == Pipeline<D>::none) continue;
      const FamilyView<D>& family = lists_.family(term);
      update(system_, *family.family, term, term - family.first, state_, options_);
      missing_[term] = static_cast<std::uint8_t>(family.corners);
      const Key time = key_of(state_.clocks[term].next);
      for (int corner = 0; corner < family.corners; ++corner) {
        const Entry first = lists_.renew(family, term, corner, time);
        const bool complete = --missing_[first.term] == 0, in_time = first.t <= bound;
        // kept if a count says so: no branch to guess
        ready_[top] = parked_[parked] = static_cast<int>(first.term);
        top += static_cast<std::size_t>(complete & in_time);
        parked += static_cast<std::size_t>(complete & !in_time);
      }
    }
    parked_count_ = parked;
  }

 private:
  const System<D>& system_;
  State<D>& state_;
  ScheduleOptions<D> options_;
  std::vector<std::uint8_t> missing_;  ///< corners where the term is not first
  NodeLists<D> lists_;
  std::vector<int> ready_;
  std::vector<int> parked_;  ///< ready, but later than the last bound
  std::size_t parked_count_ = 0;
};

}  // namespace

template <int D>
std::unique_ptr<Schedule<D>> node_clocks(const System<D>& system, State<D>& state,
                                         ScheduleOptions<D> options) {
  constexpr int most = 1024;
  if (options.threads < 1 || options.threads > most)
    throw InvalidArgument("node_clocks: threads must be 1 to " + std::to_string(most) + ", got " +
                          std::to_string(options.threads));
  if (options.threads > 1) return threaded_node_clocks(system, state, options);
  return std::make_unique<NodeClocks<D>>(system, state, options);
}

template std::unique_ptr<Schedule<1>> node_clocks(const System<1>&, State<1>&, ScheduleOptions<1>);
template std::unique_ptr<Schedule<2>> node_clocks(const System<2>&, State<2>&, ScheduleOptions<2>);
template std::unique_ptr<Schedule<3>> node_clocks(const System<3>&, State<3>&, ScheduleOptions<3>);

}  // namespace varia::terms
