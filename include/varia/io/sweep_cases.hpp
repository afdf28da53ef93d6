// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The cases of a sweep: which runs it is made of, in their order. A case is the scenario with a list
// of overrides; nothing is run here.
#include <string>
#include <vector>

#include "varia/io/scenario.hpp"

namespace varia::io {

/// Part k of n: the cases k, k + n, k + 2n, ... counted from 1.
struct SweepShard {
  long part = 1, of = 1;
  bool whole() const { return of == 1; }
};

/// "2/5". Throws InvalidArgument for anything else.
SweepShard parse_shard(const std::string& text);

class SweepCases {
 public:
  /// Of the table [sweep] of the scenario. Throws ScenarioError when there is nothing to vary, random
  /// numbers lack count or seed, lists that go together differ in length, or there are too many cases.
  explicit SweepCases(const Scenario& scenario);

  long size() const { return size_; }
  const std::vector<SweepAxis>& axes() const { return axes_; }
  /// The values of a case, counted from 0, by axis.
  std::vector<SweepValue> values(long index) const;
  /// The same as overrides: e=0.1, method=gauss(2).
  std::vector<std::string> overrides(long index) const;
  /// Every setting that the numbers of the table depend on, one on a line: sweeps with the same text
  /// have the same table.
  const std::string& request() const { return request_; }

 private:
  void draw();
  void count_cases();
  long lengths_in_list() const;
  /// Which value of each axis.
  std::vector<long> places(long index) const;

  Scenario scenario_;
  std::vector<SweepAxis> axes_;
  std::vector<std::vector<double>> samples_;  ///< by axis; empty for those that are not drawn
  long sample_count_ = 1, size_ = 1;
  std::string request_;
};

/// Names the first line in which two requests differ; empty if there is none.
std::string request_difference(const std::string& there, const std::string& here);

}  // namespace varia::io
