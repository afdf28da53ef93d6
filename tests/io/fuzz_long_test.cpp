// SPDX-License-Identifier: BSD-3-Clause
// Two hundred thousand damaged scenarios.
#include "fuzz.hpp"

namespace varia::io::fuzz_long_test {
namespace {

TEST(FuzzLong, DamagedScenariosAreRefusedOrRun) { fuzz::run(10000, 210000); }

}  // namespace
}  // namespace varia::io::fuzz_long_test
