// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// How the formulas of the cases of a sweep are evaluated.
//
// Cases that differ only in parameters, start, step and length form a group: with the varied
// parameters as inputs they have the same code. For each group it is estimated once whether native
// code pays for all its cases together. The estimate is of the whole sweep, from the first case of the
// group that can be built, so that every part and every number of threads decides alike.
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "varia/expr/native.hpp"
#include "varia/io/sweep_cases.hpp"

namespace varia::io {

class SweepEvaluation {
 public:
  SweepEvaluation(const Scenario& scenario, const SweepCases& cases);

  /// The scenario of a case, as it is run. Any thread may ask.
  Scenario scenario_of(long index);

  std::vector<std::string> free() const;   ///< parameters that stayed inputs
  std::vector<std::string> notes() const;  ///< what did not go as usual

 private:
  struct Group {
    long cases = 0;
    std::vector<long> first;  ///< cases
    std::once_flag decided;
    std::vector<std::string> overrides;  ///< that the decision adds
    std::optional<Scenario> base;        ///< of a case; the others differ in numbers of parameters
  };

  Scenario read(long index, const std::vector<std::string>& more) const;
  std::vector<std::string> overrides_of(long index, const std::vector<std::string>& more) const;
  void set_base(Group& group) const;
  Scenario changed(const Group& group, long index) const;
  std::string group_name(long index) const;
  void decide(Group& group);
  bool decide_by(Group& group, long index, bool with_free);
  void note(const std::string& text);
  std::string free_override() const;

  const Scenario& scenario_;
  const SweepCases& cases_;
  const ScenarioSource source_;         ///< without what a single run does not need
  std::vector<std::string> overrides_;  ///< of the scenario, for a single run
  expr::SharedModules shared_;
  std::vector<std::size_t> grouping_;  ///< axes whose values change the code
  std::vector<std::string> candidates_;
  std::vector<std::size_t> numbers_;  ///< axes of them
  std::map<std::string, Group> groups_;
  mutable std::mutex mutex_;  ///< of what follows
  bool inputs_ = false;
  std::vector<std::string> notes_;
};

}  // namespace varia::io
