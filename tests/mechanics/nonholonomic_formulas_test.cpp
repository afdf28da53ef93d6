// SPDX-License-Identifier: BSD-3-Clause
// What is refused as a nonholonomic constraint.
#include <gtest/gtest.h>

#include "problems/builders.hpp"
#include "problems/states.hpp"
#include "refusal.hpp"

namespace varia {
namespace {

/// Each constraint is examined, not the first one alone.
TEST(NonholonomicFormulas, NameTheConstraintThatContainsNoVelocity) {
  problems::Texts texts = {{"x", "y", "z"},
                           "(x_dot^2 + y_dot^2 + z_dot^2)/2",
                           {},
                           {},
                           problems::vector({0, 0, 0}),
                           problems::vector({0, 0, 0})};
  texts.nonholonomic = {"z_dot - y*x_dot", "y - x"};
  expect_words(refusal([&] { problems::system_of(texts); }),
               {"nonholonomic constraint 2", "does not depend on any velocity"});
  texts.nonholonomic = {"y - x", "z_dot - y*x_dot"};
  expect_words(refusal([&] { problems::system_of(texts); }), {"nonholonomic constraint 1"});
}

}  // namespace
}  // namespace varia
