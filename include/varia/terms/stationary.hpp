// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Steps for which the action is stationary under changes of the terms' times: asynchronous motions that
// keep the energy of every term [LMOW03, (58)-(67)].
//
//   (AVI-energy)  V_K(x_K(t), t) = T_K^(j-) + V_K^j + (t_K^j - t_K^(j-1)) ∂V_K/∂t - T_K^(j+),  t = t_K^(j+1)
//
// is solved for the first t in the allowed steps, along the straight paths of the nodes. A neighbour
// that kicks a common node bends the paths: then the time is solved for anew. The equation may have
// no solution; the term then takes its nominal step, and this is counted. Momenta stay exact.
#include <cstdint>
#include <queue>
#include <vector>

#include "varia/terms/schedule.hpp"

namespace varia::terms {

struct StationaryOptions {
  /// The allowed steps, as multiples of the nominal one: 0 < smallest <= 1 <= largest.
  double smallest = 0.1, largest = 4.0;
  /// In how many stretches of the allowed steps a root is looked for.
  int stretches = 8;
};

struct StationaryStatistics {
  std::int64_t first = 0;   ///< updates before which there was no balance: the first of each term
  std::int64_t solved = 0;  ///< updates at a root
  std::int64_t failed =
      0;  ///< updates at the nominal step, or later where a neighbour bent the path
  double smallest_step = 0.0, largest_step = 0.0;  ///< of solved and failed ones; 0 before any
};

template <int D> class Stationary final : public Schedule<D> {
 public:
  /// From a start on; the first steps are those of the state, and the nominal ones for ever.
  Stationary(const System<D>& system, State<D>& state, const StationaryOptions& options = {},
             Observer<D>* observer = nullptr);

  void advance(double until) override;
  const StationaryStatistics& statistics() const { return statistics_; }
  /// The next time of the term solves its balance.
  bool solved(int term) const { return pending_[static_cast<std::size_t>(term)].solved; }

 private:
  struct Pending {
    double nominal = 0.0;
    double target = 0.0;  ///< V_K at the next time
    double size = 0.0;    ///< of the energies the target was made of
    bool begun = false, solved = false;
    std::uint32_t version = 0;  ///< entries of the queue with another one are stale
  };
  struct Event {
    double t;
    int term;
    std::uint32_t version;
    bool operator>(const Event& other) const {
      return t > other.t || (t == other.t && term > other.term);
    }
  };

  void act(int term);
  void count(const Pending& pending, double step);
  void predict(int term, double now);
  void schedule(int term);
  double kinetic(const Family<D>& family, int k) const;
  double excess(int term, double t) const;
  double slope(int term, double t) const;
  void path(const Family<D>& family, int k, double t, double* x, double* v) const;

  const System<D>& system_;
  State<D>& state_;
  StationaryOptions options_;
  Observer<D>* observer_;
  StationaryStatistics statistics_;
  std::vector<Pending> pending_;
  std::vector<std::vector<int>> neighbours_;  ///< terms that share a node
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
};

}  // namespace varia::terms
