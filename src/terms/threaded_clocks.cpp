// SPDX-License-Identifier: BSD-3-Clause
// Node clocks on several threads, without locks on nodes.
//
// Every term has an owner, a thread with a stretch of the numbering (neighbours in number are
// neighbours in space). Only the term that is first at a node touches the node and its list, so
// these need no protection. The count of corners where a term is not first yet is touched by
// several threads only if the term shares a node with a term of another owner: there it is an
// atomic that publishes the nodes (acquire, release), elsewhere a plain number. A term completed by
// a foreign thread is put into its owner's inbox.
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>

#include "node_lists.hpp"

namespace varia::terms {

namespace {

/// The n-th look at an empty stack in a row.
void wait_a_little(int n) {
  if (n > 256) {
    std::this_thread::yield();
    return;
  }
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

/// Terms that other threads found ready.
class alignas(64) Inbox {
 public:
  void send(int term) {
    const std::lock_guard<std::mutex> guard(mutex_);
    terms_.push_back(term);
    full_.store(true, std::memory_order_release);
  }
  bool full() const { return full_.load(std::memory_order_relaxed); }
  /// Calls f for every term and is empty then.
  template <class F> void take(const F& f) {
    const std::lock_guard<std::mutex> guard(mutex_);
    for (const int term : terms_) f(term);
    terms_.clear();
    full_.store(false, std::memory_order_relaxed);
  }

 private:
  std::atomic<bool> full_{false};
  std::mutex mutex_;
  std::vector<int> terms_;
};

/// The first exception of any thread; the others stop when they see it. All threads look at it before every update, so
/// that it must not share a line of the cache with what one of them writes: that alone cost a sixth of the time.
class alignas(64) Failure {
 public:
  bool seen() const { return seen_.load(std::memory_order_relaxed); }
  void catch_current() {
    const std::lock_guard<std::mutex> guard(mutex_);
    if (!first_) first_ = std::current_exception();
    seen_.store(true, std::memory_order_relaxed);
  }
  void rethrow() const {
    if (first_) std::rethrow_exception(first_);
  }

 private:
  std::atomic<bool> seen_{false};
  std::mutex mutex_;
  std::exception_ptr first_;
};

template <int D> class ThreadedClocks final : public Schedule<D> {
 public:
  ThreadedClocks(const System<D>& system, State<D>& state, ScheduleOptions<D> options)
      : system_(system),
        state_(state),
        options_(options),
        lists_(system, state, start_missing_),
        missing_(new std::atomic<std::uint8_t>[static_cast<std::size_t>(system.term_count())]),
        inboxes_(static_cast<std::size_t>(options.threads)) {
    for (std::size_t K = 0; K < start_missing_.size(); ++K)
      missing_[K].store(start_missing_[K], std::memory_order_relaxed);
    std::vector<std::uint8_t>().swap(start_missing_);
    state_.variable_steps = state_.variable_steps || options_.rule;
    divide();
    find_shared();
  }

  void advance(double until) override {
    check_bound(until);
    // Found before any thread acts: a term must not be found here and be sent by another thread too.
    std::vector<Ready> ready;
    ready.reserve(inboxes_.size());
    for (int p = 0; p < options_.threads; ++p) ready.push_back(find_ready(p, until));
    Failure failure;
    const auto work = [&](int p) {
      try {
        loop(p, until, ready[static_cast<std::size_t>(p)], failure);
      } catch (...) {
        failure.catch_current();
      }
    };
    std::vector<std::thread> threads;
    try {
      for (int p = 1; p < options_.threads; ++p) threads.emplace_back(work, p);
      work(0);
    } catch (...) {  // no more threads to be had
      failure.catch_current();
    }
    for (auto& thread : threads) thread.join();
    failure.rethrow();
  }

 private:
  void divide();
  void find_shared();
  int owner(int term) const;
  /// Terms of one thread: a stack of those that may act, and the number of all before the bound.
  struct Ready {
    std::vector<int> terms;
    std::size_t top = 0;
    long left = 0;
    void push(int term) { terms[top++] = term; }
  };
  Ready find_ready(int p, double until) const;
  void loop(int p, double until, Ready& found, const Failure& failure);
  void act(int term, int p, Key bound, Ready& own);
  void release_shared(Entry first, int p, Key bound, Ready& own);

  const System<D>& system_;
  State<D>& state_;
  ScheduleOptions<D> options_;
  std::vector<std::uint8_t> start_missing_;
  NodeLists<D> lists_;
  std::unique_ptr<std::atomic<std::uint8_t>[]> missing_;
  std::vector<std::uint8_t> shared_;  ///< 1: the term shares a node with one of another owner
  std::vector<int> bounds_;           ///< thread p owns the terms bounds_[p] to bounds_[p + 1] - 1
  std::vector<Inbox> inboxes_;
};

/// Stretches of equal work, that is of equal sums of 1/step.
template <int D> void ThreadedClocks<D>::divide() {
  double total = 0.0;
  for (const Clock& clock : state_.clocks) total += 1.0 / clock.step;
  bounds_.assign(1, 0);
  double sum = 0.0;
  for (int K = 0; K < system_.term_count(); ++K) {
    sum += 1.0 / state_.clocks[K].step;
    const auto p = static_cast<double>(bounds_.size());
    if (sum >= total * p / options_.threads && bounds_.size() < inboxes_.size())
      bounds_.push_back(K + 1);
  }
  bounds_.resize(inboxes_.size() + 1, system_.term_count());
}

template <int D> int ThreadedClocks<D>::owner(int term) const {
  int p = 0;
  while (term >= bounds_[static_cast<std::size_t>(p) + 1]) ++p;
  return p;
}

template <int D> void ThreadedClocks<D>::find_shared() {
  constexpr int nobody = -1, several = -2;
  std::vector<int> of_node(static_cast<std::size_t>(system_.node_count()), nobody);
  lists_.for_corners([&](int term, int node) {
    int& at = of_node[static_cast<std::size_t>(node)];
    const int p = owner(term);
    at = at == nobody || at == p ? p : several;
  });
  shared_.assign(static_cast<std::size_t>(system_.term_count()), 0);
  lists_.for_corners([&](int term, int node) {
    if (of_node[static_cast<std::size_t>(node)] == several)
      shared_[static_cast<std::size_t>(term)] = 1;
  });
}

template <int D> auto ThreadedClocks<D>::find_ready(int p, double until) const -> Ready {
  Ready own;
  own.terms.resize(static_cast<std::size_t>(bounds_[p + 1] - bounds_[p]) + 1);
  for (int term = bounds_[p + 1] - 1; term >= bounds_[p]; --term) {
    if (state_.clocks[term].next > until) continue;
    ++own.left;
    if (missing_[term].load(std::memory_order_relaxed) == 0) own.push(term);
  }
  return own;
}

/// A term that several threads look at is first at one corner more. Who completes it hands it to its owner.
template <int D> void ThreadedClocks<D>::release_shared(Entry first, int p, Key bound, Ready& own) {
  if (missing_[first.term].fetch_sub(1, std::memory_order_acq_rel) != 1 || first.t > bound) return;
  const int term = static_cast<int>(first.term), to = owner(term);
  if (to == p)
    own.push(term);
  else
    inboxes_[to].send(term);
}

/// The term acts, and its corners go to those that are first there now.
template <int D> inline void ThreadedClocks<D>::act(int term, int p, Key bound, Ready& own) {
  const FamilyView<D>& family = lists_.family(term);
  update(system_, *family.family, term, term - family.first, state_, options_);
  const Key next = key_of(state_.clocks[term].next);
  own.left -= next > bound ? 1 : 0;
  missing_[term].store(static_cast<std::uint8_t>(family.corners), std::memory_order_relaxed);
  for (int corner = 0; corner < family.corners; ++corner) {
    const Entry first = lists_.renew(family, term, corner, next);
    if (shared_[first.term]) [[unlikely]] {
      release_shared(first, p, bound, own);
      continue;
    }
    auto& missing = missing_[first.term];
    const auto left = static_cast<std::uint8_t>(missing.load(std::memory_order_relaxed) - 1);
    missing.store(left, std::memory_order_relaxed);
    own.terms[own.top] =
        static_cast<int>(first.term);  // kept if the count says so: no branch to guess
    own.top += static_cast<std::size_t>((left == 0) & (first.t <= bound));
  }
}

template <int D>
void ThreadedClocks<D>::loop(int p, double until, Ready& found, const Failure& failure) {
  Ready own = std::move(found);  // on the stack of this thread, away from those of the others
  Inbox& inbox = inboxes_[p];
  const Key bound = key_of(until);
  Pipeline<D> pipeline(lists_, state_);
  for (int idle = 0; own.left > 0;) {
    if (inbox.full()) inbox.take([&](int term) { own.push(term); });
    if (failure.seen()) return;
    const int term = pipeline.shift(own.top > 0 ? own.terms[--own.top] : Pipeline<D>::none);
    if (term != Pipeline<D>::none) {
      act(term, p, bound, own);
      idle = 0;
    } else if (pipeline.empty()) {
      wait_a_little(idle++);
    }
  }
}

}  // namespace

template <int D>
std::unique_ptr<Schedule<D>> threaded_node_clocks(const System<D>& system, State<D>& state,
                                                  ScheduleOptions<D> options) {
  return std::make_unique<ThreadedClocks<D>>(system, state, options);
}

template std::unique_ptr<Schedule<1>> threaded_node_clocks(const System<1>&, State<1>&,
                                                           ScheduleOptions<1>);
template std::unique_ptr<Schedule<2>> threaded_node_clocks(const System<2>&, State<2>&,
                                                           ScheduleOptions<2>);
template std::unique_ptr<Schedule<3>> threaded_node_clocks(const System<3>&, State<3>&,
                                                           ScheduleOptions<3>);

}  // namespace varia::terms
