// SPDX-License-Identifier: BSD-3-Clause
// The laws of tests/space/tangent_laws.hpp for vector spaces (so3_test, se2_test, se3_test and product_test have the others).
#include <gtest/gtest.h>

#include "space/tangent_laws.hpp"

namespace varia::euclidean_test {
namespace {

using Points = ::testing::Types<Vector<double, 1>, Vector<double, 5>, Vector<double, Dynamic>>;
INSTANTIATE_TYPED_TEST_SUITE_P(Space, TangentLaws, Points);

}  // namespace
}  // namespace varia::euclidean_test
