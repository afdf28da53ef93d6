// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What a step misses, where the energy does not tell: forces act, time occurs, or constraints do work.
//
// From records along the run one step of length h, and seven of h/7, are made by the same method. With δp the
// difference of their ends, Δp the way of the momenta along the short ones, and the velocity v at the record
//
//   share = Σ w Σᵢ |δpᵢ vᵢ| / Σ w Σᵢ |Δpᵢ vᵢ|,    w: how many records the one stands for,
//
// is how much of the exchanged energy the steps get wrong. A drive that turns once in a step has a share of about 1, a
// resolved one the square of a small number. Seven is prime: what repeats in the short steps as well turns
// seven times in the long one.
#include <optional>
#include <vector>

#include "varia/core/saved_numbers.hpp"
#include "varia/flow/any_flow.hpp"
#include "varia/io/model.hpp"
#include "varia/io/stepper.hpp"

namespace varia::io {

class StepLook {
 public:
  /// Whether there is anything to see that the energy does not tell, at little cost.
  static bool needed(const Model& model);
  explicit StepLook(const Model& model);

  /// One more record.
  void add(const Snapshot& s);
  /// None where nothing moves.
  std::optional<double> share() const;
  void exchange(SavedNumbers& numbers) { numbers(count_, error_, way_); }

 private:
  AnyFlow flow_;
  double step_;
  bool affordable_;
  long count_ = 0;
  double error_ = 0.0, way_ = 0.0;
};

}  // namespace varia::io
