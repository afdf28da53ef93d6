// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Scenarios of rigid bodies for tests, and where their bodies are after some steps.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "models.hpp"
#include "varia/core/types.hpp"
#include "varia/io/stepper.hpp"

namespace varia::io::models {

using V3 = Vector<double, 3>;
using M3 = Matrix<double, 3>;

inline std::string body(const std::string& name, const std::string& lines) {
  return "[[system.body]]\nname = \"" + name + "\"\n" + lines + "\n";
}

inline std::string joint(const std::string& kind, const std::string& one, const std::string& other,
                         const std::string& lines = "") {
  return "[[system.joint]]\nkind = \"" + kind + "\"\nbetween = [\"" + one + "\", \"" + other +
         "\"]\n" + lines + "\n";
}

/// A scenario after so many steps, by the names of its coordinates and velocities.
class Moved {
 public:
  Moved(const std::string& text, long steps, const std::vector<std::string>& overrides = {})
      : model_(model_of(text, overrides)), stepper_(make_stepper(model_)) {
    advance(steps);
  }
  void advance(long steps) {
    stepper_->advance(model_.step, steps);
    stepper_->snapshot(snapshot_);
  }
  double operator()(const std::string& name) const {
    for (std::size_t i = 0; i < model_.entry_names.size(); ++i)
      if (model_.entry_names[i] == name) return snapshot_.q[i];
    for (std::size_t i = 0; i < model_.velocity_names.size(); ++i)
      if (model_.velocity_names[i] == name) return snapshot_.v[i];
    ADD_FAILURE() << "there is no " << name;
    return 0.0;
  }
  M3 rotation(const std::string& name, const std::string& index = "") const {
    M3 R;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        R(i, j) = (*this)(name + std::to_string(i + 1) + std::to_string(j + 1) + index);
    return R;
  }
  /// Where a point of the body is.
  V3 place(const std::string& name, const V3& r, const std::string& index = "") const {
    const auto at = [&](const char* x) { return (*this)(name + x + index); };
    return V3(at("_x"), at("_y"), at("_z")) + rotation(name, index) * r;
  }
  double energy() const { return stepper_->energy(snapshot_); }
  const Model& model() const { return model_; }
  const Snapshot& snapshot() const { return snapshot_; }

 private:
  Model model_;
  std::unique_ptr<Stepper> stepper_;
  Snapshot snapshot_;
};

inline double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  EXPECT_EQ(a.size(), b.size());
  double worst = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) worst = std::max(worst, std::abs(a[i] - b[i]));
  return worst;
}

inline void expect_same_motion(const std::string& one, const std::string& other, long steps,
                               double tolerance) {
  Moved a(one, 0), b(other, 0);
  for (int part = 0; part < 4; ++part) {
    a.advance(steps / 4);
    b.advance(steps / 4);
    EXPECT_LT(largest_difference(a.snapshot().q, b.snapshot().q), tolerance);
    EXPECT_LT(largest_difference(a.snapshot().v, b.snapshot().v), 20.0 * tolerance);
  }
}

}  // namespace varia::io::models
