// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// When the factors of the Jacobian of an earlier step are used again.
//
// From step to step the Jacobian of the stage equations changes by little, O(h) and often O(h²); with
// older factors Newton's iteration contracts by so much. That takes some more residuals, but no second
// derivatives and no factorisation. What the iteration ends at is the same: its bounds do not change.
#include <vector>

#include "varia/core/saved_numbers.hpp"
#include "varia/flow/kernel_start.hpp"
#include "varia/solve/newton.hpp"

namespace varia::detail {

class KeptJacobian {
 public:
  /// Room for a point of so many entries, n degrees of freedom and so many unknowns. A new Jacobian
  /// costs about `price` iterations with an old one.
  void resize(int entries, int n, int unknowns, int price);

  bool has_room() const { return price_ > 0; }
  /// Whether a step of size h may begin with the kept factors.
  bool usable(double h) const { return ready_ && wait_ == 0 && h == h_; }

  /// The Jacobian is evaluated at the unknown x of the step of size h from `start`. Of several x in a step the
  /// last one counts.
  void set_point(const VectorState& start, double h, const std::vector<double>& x) {
    set_start(start, h);
    set_unknowns(x);
  }
  void set_start(const VectorState& start, double h);
  void set_unknowns(const std::vector<double>& x) { x_ = x; }
  /// The result of a solve that began with a new Jacobian, and of one that began with the kept one.
  void count_new(const NewtonReport& report);
  void count_kept(const NewtonReport& report);
  /// The factors were overwritten.
  void drop() { ready_ = false; }

  bool ready() const { return ready_; }
  const VectorState& start() const { return start_; }
  double h() const { return h_; }
  const std::vector<double>& x() const { return x_; }

  /// The factors follow from the point, see Stages::restore_kept().
  void exchange(SavedNumbers& numbers) {
    numbers(ready_, base_, uses_, excess_, pause_, wait_, h_, start_.t, start_.t_rest, start_.q,
            start_.p, start_.q_rest, start_.p_rest, x_);
  }

 private:
  /// Steps until the next attempt where the Jacobian changes too fast.
  static constexpr int shortest_pause = 4, longest_pause = 128;

  void pause();

  int price_ = 0;       ///< 0: no Jacobian is kept
  bool ready_ = false;  ///< there are factors, of a solve that converged
  int base_ = 0;        ///< iterations of the step with the new Jacobian
  int uses_ = 0;        ///< steps with the kept factors since then
  int excess_ = 0;      ///< and their iterations beyond those of the base
  int pause_ = 0, wait_ = 0;
  double h_ = 0.0;
  VectorState start_;
  std::vector<double> x_;
};

}  // namespace varia::detail
