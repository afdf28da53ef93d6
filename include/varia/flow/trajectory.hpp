// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The recorded states of a run.
#include <cstddef>
#include <utility>
#include <vector>

#include "varia/flow/state.hpp"

namespace varia {

template <class StateT> class Trajectory {
 public:
  void push(StateT s) { states_.push_back(std::move(s)); }
  void reserve(std::size_t n) { states_.reserve(n); }
  std::size_t size() const { return states_.size(); }
  const StateT& operator[](std::size_t i) const { return states_[i]; }
  const StateT& front() const { return states_.front(); }
  const StateT& back() const { return states_.back(); }
  auto begin() const { return states_.begin(); }
  auto end() const { return states_.end(); }

  /// f of every state, e.g. column([](const auto& s) { return s.q[0]; }).
  template <class F> auto column(const F& f) const {
    std::vector<decltype(f(states_.front()))> values;
    values.reserve(states_.size());
    for (const StateT& s : states_) values.push_back(f(s));
    return values;
  }

 private:
  std::vector<StateT> states_;
};

}  // namespace varia
