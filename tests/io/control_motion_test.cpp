// SPDX-License-Identifier: BSD-3-Clause
// Inputs along steps: polynomials through their values, as a table of a file and back.
#include "varia/io/control_motion.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "adversity.hpp"
#include "refusal.hpp"
#include "varia/io/hdf5_trajectory.hpp"

namespace varia::io::control_motion_test {

namespace {

/// Two steps with three points each: u = t^2 in the first, 1 + t in the second, w = 7 throughout.
ControlInputs example() {
  ControlInputs inputs;
  inputs.names = {"u", "w"};
  inputs.c = {0.0, 0.5, 1.0};
  inputs.t = {0.1, 0.3, 0.8};
  inputs.parameters = {{"k", 2.5}};
  for (int step = 0; step < 2; ++step) {
    inputs.u.emplace_back();
    for (const double c : inputs.c) {
      const double t = inputs.t[step] + c * (inputs.t[step + 1] - inputs.t[step]);
      inputs.u.back().insert(inputs.u.back().end(), {step == 0 ? t * t : 1.0 + t, 7.0});
    }
  }
  return inputs;
}

TEST(ControlMotion, InputsArePolynomialsInEachStep) {
  const ControlInputs inputs = example();
  for (const double t : {0.1, 0.17, 0.29}) {
    EXPECT_NEAR(inputs.at(t)[0], t * t, 1e-15);
    EXPECT_NEAR(inputs.at(t)[1], 7.0, 1e-14);
  }
  EXPECT_NEAR(inputs.at(0.5)[0], 1.5, 1e-15);
  EXPECT_NEAR(inputs.at(0, 1.0)[0], 0.09, 1e-15);
  EXPECT_NEAR(inputs.at(0.3)[0], 1.3, 1e-15) << "the step that begins there";
  EXPECT_EQ(inputs.step_at(-1.0), 0U);
  EXPECT_EQ(inputs.step_at(9.0), 1U);
}

TEST(ControlMotion, AFileHasTheSameInputs) {
  const Folder folder;
  const std::string path = folder.path() + "/trajectory.h5";
  const ControlInputs inputs = example();
  ControlTable table(inputs), same(inputs);
  write_hdf5(same, path, {}, {{control_group, table}});
  const ControlInputs read = read_inputs(path);
  EXPECT_EQ(read.names, inputs.names);
  EXPECT_EQ(read.c, inputs.c);
  EXPECT_EQ(read.u, inputs.u);
  EXPECT_EQ(read.parameters, inputs.parameters);
  ASSERT_EQ(read.t.size(), inputs.t.size());
  for (std::size_t k = 0; k < read.t.size(); ++k) EXPECT_NEAR(read.t[k], inputs.t[k], 1e-16);
}

TEST(ControlMotion, AFileWithoutInputsIsRefused) {
  const Folder folder;
  const std::string path = folder.path() + "/trajectory.h5";
  const ControlInputs inputs = example();
  ControlTable table(inputs);
  write_hdf5(table, path, {});
  expect_words(refusal([&] { read_inputs(path); }), {"has no inputs", "varia optimise"});
  expect_has(refusal([&] { read_motion(path).of({"t", "q"}); }), "no q");
  EXPECT_EQ(read_motion(path).of({"w", "t"}).front(), (std::vector<double>{7.0, 0.1}));
}

}  // namespace

}  // namespace varia::io::control_motion_test
