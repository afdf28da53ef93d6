// SPDX-License-Identifier: BSD-3-Clause
#include "varia/expr/kernel.hpp"

#include <utility>
#include <vector>

#include "varia/core/error.hpp"

namespace varia::expr {

namespace {

void interpret(const void* self, const double* x, double* out) {
  const Tape& tape = *static_cast<const Tape*>(self);
  thread_local std::vector<double> work;
  if (work.size() < tape.instructions().size()) work.resize(tape.instructions().size());
  tape.evaluate(x, out, work.data());
}

void run_loops(const void* self, const double* x, double* out) {
  static_cast<const LoopProgram*>(self)->evaluate(x, out);
}

}  // namespace

Kernel::Kernel(std::shared_ptr<const LoopProgram> loops)
    : function_(run_loops), loops_(loops.get()) {
  if (loops == nullptr) throw InvalidArgument("a kernel needs a program of loops, got none");
  self_ = std::move(loops);
}

Kernel::Kernel(std::shared_ptr<const Tape> tape) : function_(interpret), tape_(tape.get()) {
  if (tape == nullptr) throw InvalidArgument("a kernel needs a tape, got none");
  self_ = std::move(tape);
}

void Kernel::attach(std::shared_ptr<const NativeModule> module, const std::string& name) {
  if (module == nullptr)
    throw InvalidArgument("native code '" + name + "' cannot be attached: there is no module");
  const NativeFunction made = formula() != nullptr ? named(name) : NativeFunction{name, &tape()};
  compiled_ = module->function(name, made.inputs(), made.outputs());
  module_ = std::move(module);
}

Kernel Kernel::with_parameters(const std::vector<double>& values) const {
  if (tape_ == nullptr) return *this;
  return Kernel(std::make_shared<const Tape>(tape_->with_parameters(values)));
}

double Kernel::operations() const {
  if (loops_ != nullptr) return loops_->operations();
  return tape_ != nullptr ? static_cast<double>(tape_->operations()) : 0.0;
}

std::string Kernel::non_finite(const double* x, const NameList& variable_names) const {
  if (loops_ != nullptr) return loops_->non_finite(x, variable_names);
  return tape_ != nullptr ? tape_->non_finite(x, variable_names) : "";
}

const Tape& Kernel::tape() const {
  if (tape_ == nullptr)
    throw InvalidArgument(
        "this needs the formulas of the system; those of a system stated in C++ are not known");
  return *tape_;
}

}  // namespace varia::expr
