// SPDX-License-Identifier: BSD-3-Clause
// A kernel gives the same numbers before and after native code is attached.
#include "varia/expr/kernel.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "native_sandbox.hpp"
#include "refusal.hpp"

namespace varia::expr::kernel_test {
namespace {

class KernelTest : public Sandbox {
 protected:
  /// (x0 x1, c / x0)
  static std::shared_ptr<const Tape> example(double c) {
    Graph graph;
    const Id x = graph.variable(0), y = graph.variable(1);
    return std::make_shared<const Tape>(
        graph, std::vector<Id>{graph.mul(x, y), graph.div(graph.constant(c), x)}, 2);
  }

  static std::vector<double> call(const Kernel& kernel, double x, double y) {
    const std::vector<double> point = {x, y};
    std::vector<double> out(static_cast<std::size_t>(kernel.tape().outputs()));
    kernel(point.data(), out.data());
    return out;
  }
};

TEST_F(KernelTest, SameNumbersInterpretedAndNative) {
  Kernel kernel(example(3.0));
  EXPECT_FALSE(kernel.native());
  EXPECT_EQ(call(kernel, 0.5, 7.0), (std::vector<double>{3.5, 6.0}));
  kernel.attach(NativeModule::compile({{"f", &kernel.tape()}}), "f");  // the kernel keeps it loaded
  EXPECT_TRUE(kernel.native());
  EXPECT_EQ(call(kernel, 0.5, 7.0), (std::vector<double>{3.5, 6.0}));
}

TEST_F(KernelTest, NativeCodeIsWhatIsCalled) {
  Kernel kernel(example(3.0));
  const auto other = example(30.0);
  kernel.attach(NativeModule::compile({{"f", other.get()}}), "f");
  EXPECT_EQ(call(kernel, 0.5, 7.0), (std::vector<double>{3.5, 60.0}));
}

TEST_F(KernelTest, CopiesAreIndependent) {
  const Kernel kernel(example(3.0));
  Kernel copy = kernel;
  copy.attach(NativeModule::compile({{"f", &copy.tape()}}), "f");
  EXPECT_FALSE(kernel.native());
  EXPECT_TRUE(copy.native());
  EXPECT_EQ(call(kernel, 2.0, 7.0), call(copy, 2.0, 7.0));
}

TEST_F(KernelTest, WhatDoesNotFitIsRefused) {
  EXPECT_EQ(refusal([] { Kernel kernel(std::shared_ptr<const Tape>{}); }),
            "a kernel needs a tape, got none");
  Kernel kernel(example(3.0));
  expect_has(refusal([&] { kernel.attach(nullptr, "f"); }), "no module");

  Graph graph;
  const Tape narrow(graph, {graph.variable(0)}, 1);
  const auto module = NativeModule::compile({{"narrow", &narrow}});
  expect_words(refusal([&] { kernel.attach(module, "f"); }), {"'f'", "narrow"});
  expect_words(refusal([&] { kernel.attach(module, "narrow"); }),
               {"takes 1 numbers to 1", "asked for 2 to 2"});
  EXPECT_FALSE(kernel.native());
}

}  // namespace
}  // namespace varia::expr::kernel_test
