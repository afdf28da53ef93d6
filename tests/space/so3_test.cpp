// SPDX-License-Identifier: BSD-3-Clause
// The laws of tests/space/tangent_laws.hpp for rotations and for a body that turns and moves.
#include <gtest/gtest.h>

#include "space/chart_laws.hpp"
#include "space/tangent_laws.hpp"

namespace varia::so3_test {
namespace {

using Points = ::testing::Types<SO3<double>, Product<SO3<double>, Vector<double, 3>>>;
INSTANTIATE_TYPED_TEST_SUITE_P(Rotation, TangentLaws, Points);
INSTANTIATE_TYPED_TEST_SUITE_P(Rotation, ChartLaws, ::testing::Types<SO3<double>>);

}  // namespace
}  // namespace varia::so3_test
