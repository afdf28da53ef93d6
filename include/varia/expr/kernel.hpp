// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A function of doubles, interpreted until native code is attached.
//
// The interpreter needs a work array, which the kernel owns: one kernel is for one thread at a
// time. A copy shares tape and code and has a work array of its own.
#include <memory>
#include <string>
#include <vector>

#include "varia/expr/native.hpp"
#include "varia/expr/tape.hpp"

namespace varia::expr {

class Kernel {
 public:
  Kernel() = default;  ///< no function
  explicit Kernel(std::shared_ptr<const Tape> tape);

  /// Calls go to the function `name` of the module from now on; it must have been made from a tape
  /// with as many inputs and outputs.
  void attach(std::shared_ptr<const NativeModule> module, const std::string& name);

  /// out = f(x). `out` may not overlap `x`.
  void operator()(const double* x, double* out) const {
    if (compiled_ != nullptr)
      compiled_(x, out);
    else
      tape_->evaluate(x, out, work_.data());
  }

  /// Whether there is a function.
  explicit operator bool() const { return tape_ != nullptr; }
  bool native() const { return compiled_ != nullptr; }
  const Tape& tape() const { return *tape_; }

 private:
  std::shared_ptr<const Tape> tape_;
  std::shared_ptr<const NativeModule> module_;
  Compiled compiled_ = nullptr;
  mutable std::vector<double> work_;
};

}  // namespace varia::expr
