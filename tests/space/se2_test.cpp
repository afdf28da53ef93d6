// SPDX-License-Identifier: BSD-3-Clause
// The laws of tests/space/tangent_laws.hpp for motions of the plane (se3_test holds them against those of space).
#include <gtest/gtest.h>

#include "space/chart_laws.hpp"
#include "space/tangent_laws.hpp"

namespace varia::se2_test {
namespace {

INSTANTIATE_TYPED_TEST_SUITE_P(PlaneMotion, TangentLaws, ::testing::Types<SE2<double>>);
INSTANTIATE_TYPED_TEST_SUITE_P(PlaneMotion, ChartLaws, ::testing::Types<SE2<double>>);

}  // namespace
}  // namespace varia::se2_test
