// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What a flow carries from step to step of one trajectory.
#include <memory>
#include <utility>
#include <vector>

#include "varia/core/saved_numbers.hpp"
#include "varia/flow/flow_options.hpp"
#include "varia/flow/step_derivative.hpp"

namespace varia {

class FlowMemory {
 public:
  virtual ~FlowMemory() = default;

  FlowStatistics statistics;

  /// What the next steps depend on, for a checkpoint, and back. Throws InvalidArgument when the
  /// numbers do not fit.
  std::vector<double> save() const { return SavedNumbers::of(*this); }
  void load(const std::vector<double>& data) { SavedNumbers::read(*this, data, refusal_); }
  /// These numbers.
  virtual void exchange(SavedNumbers& numbers) = 0;

 protected:
  explicit FlowMemory(
      const char* refusal = "the memory in the checkpoint belongs to another method or system")
      : refusal_(refusal) {}
  FlowMemory(FlowMemory&&) = default;
  FlowMemory& operator=(FlowMemory&&) = default;

  std::unique_ptr<StepDerivative> derivative;  ///< of the last step, where it was asked for
  /// The same, made at first use.
  template <class D, class... X> D& derivative_as(X&&... x) {
    if (!derivative) derivative = std::make_unique<D>(std::forward<X>(x)...);
    return static_cast<D&>(*derivative);
  }

 private:
  const char* refusal_;
};

}  // namespace varia
