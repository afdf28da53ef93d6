// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A function of numbers, wherever it comes from: a tape or a program of loops, which are interpreted until
// native code is attached, or compiled code with what it needs to know.
//
// Calls are const and may come from several threads at once; the interpreter takes its work space
// from the calling thread.
#include <memory>
#include <string>
#include <utility>

#include "varia/expr/loop_program.hpp"
#include "varia/expr/native.hpp"
#include "varia/expr/tape.hpp"

namespace varia::expr {

class Kernel {
 public:
  using Function = void (*)(const void* self, const double* x, double* out);

  Kernel() = default;  ///< no function
  explicit Kernel(std::shared_ptr<const Tape> tape);
  explicit Kernel(std::shared_ptr<const LoopProgram> loops);
  /// Calls go to function(self, x, out).
  Kernel(std::shared_ptr<const void> self, Function function)
      : self_(std::move(self)), function_(function) {}

  /// Calls go to the function `name` of the module from now on; it must have been made from a
  /// tape or a program with as many inputs and outputs.
  void attach(std::shared_ptr<const NativeModule> module, const std::string& name);

  /// out = f(x). `out` may not overlap `x`.
  void operator()(const double* x, double* out) const {
    if (compiled_ != nullptr)
      compiled_(x, out, parameters());
    else
      function_(self_.get(), x, out);
  }

  /// Whether there is a function.
  explicit operator bool() const { return function_ != nullptr; }
  bool native() const { return compiled_ != nullptr; }
  /// Whether the function is known as a formula.
  bool has_tape() const { return tape_ != nullptr; }
  /// Throws InvalidArgument where there is none.
  const Tape& tape() const;
  /// The program of loops it is; null where it is none.
  const LoopProgram* loops() const { return loops_; }
  /// The formula it is made from, of either kind: equal for copies. Null where there is none.
  const void* formula() const {
    return tape_ != nullptr ? static_cast<const void*>(tape_) : static_cast<const void*>(loops_);
  }
  /// The values of the free parameters of its formula.
  const double* parameters() const {
    return loops_ != nullptr ? loops_->parameters().data() : tape_->parameters().data();
  }
  /// Operations of one call; 0 where there is no formula.
  double operations() const;
  /// The first operation whose value is not finite at x, for a person to read: see Tape::non_finite.
  std::string non_finite(const double* x, const NameList& variable_names) const;
  /// The same function with other values of them, see Tape; interpreted where it is a tape.
  Kernel with_parameters(const std::vector<double>& values) const;
  /// For native code.
  NativeFunction named(const std::string& name) const { return {name, tape_, loops_}; }

 private:
  std::shared_ptr<const void> self_;
  Function function_ = nullptr;
  const Tape* tape_ = nullptr;          ///< self_ where that is a tape
  const LoopProgram* loops_ = nullptr;  ///< self_ where that is a program of loops
  std::shared_ptr<const NativeModule> module_;
  Compiled compiled_ = nullptr;
};

}  // namespace varia::expr
