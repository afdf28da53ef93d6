// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Ratios of run times, robust on a noisy machine: the variants alternate, the fastest run counts.
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <limits>

namespace bench {

/// A result the compiler must compute.
template <class T> void keep(const T& x) { asm volatile("" : : "g"(&x) : "memory"); }

/// Seconds of one call.
template <class F> double seconds(const F& f) {
  const auto start = std::chrono::steady_clock::now();
  f();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Processor time of one call, that of ended child processes included: about what it takes on an idle
/// machine, also on a busy one.
template <class F> double processor_seconds(const F& f) {
  const auto used = [] {
    double sum = 0.0;
    for (const int who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
      struct rusage usage {};
      ::getrusage(who, &usage);
      for (const timeval& t : {usage.ru_utime, usage.ru_stime})
        sum += static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
    }
    return sum;
  };
  const double start = used();
  f();
  return used() - start;
}

struct Pair {
  double ours, reference;
};

/// The fastest of several alternating runs of each.
template <class Ours, class Reference>
Pair fastest(const Ours& ours, const Reference& reference, int repeats = 31) {
  constexpr double never = std::numeric_limits<double>::infinity();
  Pair best{never, never};
  for (int i = 0; i < repeats; ++i) {
    best.ours = std::min(best.ours, seconds(ours));
    best.reference = std::min(best.reference, seconds(reference));
  }
  return best;
}

/// The table that a program prints; missed() is its exit code.
class Table {
 public:
  explicit Table(const char* title) {
    std::printf("%s\n%-44s %12s %12s %8s %8s\n", title, "", "ours [ns]", "ref. [ns]", "ratio",
                "bar");
  }

  /// Times of `steps` steps each; a bar of 0 means none.
  void row(const char* name, const Pair& time, long steps, double bar) {
    const double scale = 1e9 / static_cast<double>(steps);
    print(name, time.ours * scale, time.reference * scale, time.ours / time.reference, bar);
  }

  /// A time per step against a limit in nanoseconds, which is a bar or only a scale.
  void limit(const char* name, double time, long steps, double limit, bool is_bar = true) {
    const double ns = time * 1e9 / static_cast<double>(steps);
    print(name, ns, limit, ns / limit, is_bar ? 1.0 : 0.0);
  }

  int missed() const { return missed_ ? 1 : 0; }

 private:
  void print(const char* name, double ours, double reference, double ratio, double bar) {
    std::printf("%-44s %12.1f %12.1f %8.3f ", name, ours, reference, ratio);
    if (bar > 0.0)
      std::printf("%8.2f %s\n", bar, ratio <= bar ? "ok" : "MISSED");
    else
      std::printf("%8s\n", "-");
    if (bar > 0.0 && ratio > bar) missed_ = true;
  }

  bool missed_ = false;
};

}  // namespace bench
