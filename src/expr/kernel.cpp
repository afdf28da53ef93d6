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

}  // namespace

Kernel::Kernel(std::shared_ptr<const Tape> tape) : function_(interpret), tape_(tape.get()) {
  if (tape == nullptr) throw InvalidArgument("a kernel needs a tape, got none");
  self_ = std::move(tape);
}

void Kernel::attach(std::shared_ptr<const NativeModule> module, const std::string& name) {
  if (module == nullptr)
    throw InvalidArgument("native code '" + name + "' cannot be attached: there is no module");
  compiled_ = module->function(name, tape().inputs(), tape().outputs());
  module_ = std::move(module);
}

const Tape& Kernel::tape() const {
  if (tape_ == nullptr)
    throw InvalidArgument(
        "this needs the formulas of the system; those of a system stated in C++ are not known");
  return *tape_;
}

}  // namespace varia::expr
