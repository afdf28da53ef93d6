// SPDX-License-Identifier: BSD-3-Clause
#include "varia/expr/kernel.hpp"

#include <utility>

#include "varia/core/error.hpp"

namespace varia::expr {

Kernel::Kernel(std::shared_ptr<const Tape> tape) : tape_(std::move(tape)) {
  if (tape_ == nullptr) throw InvalidArgument("a kernel needs a tape, got none");
  work_.resize(tape_->instructions().size());
}

void Kernel::attach(std::shared_ptr<const NativeModule> module, const std::string& name) {
  if (module == nullptr)
    throw InvalidArgument("native code '" + name + "' cannot be attached: there is no module");
  compiled_ = module->function(name, tape_->inputs(), tape_->outputs());
  module_ = std::move(module);
}

}  // namespace varia::expr
