// SPDX-License-Identifier: BSD-3-Clause
#include "sweep_evaluation.hpp"

#include <algorithm>
#include <array>

#include "varia/io/model.hpp"
#include "varia/io/stepper.hpp"

namespace varia::io {

namespace {

constexpr std::size_t most_trials = 8;  ///< cases of a group of which one must be built

/// What no formula contains as a constant.
bool leaves_the_code(const std::string& key) {
  constexpr std::array keys{"run.step", "run.tolerance", "run.until", "run.steps", "run.every"};
  return key.starts_with("start.") || std::find(keys.begin(), keys.end(), key) != keys.end();
}

/// The parameter that is a single number and has this key; empty if there is none.
std::string parameter_of(const Scenario& scenario, const SweepAxis& axis) {
  for (const Parameter& p : scenario.system.parameters)
    if (!p.array && (axis.numbers || axis.draw) && axis.key == "system.parameters." + p.name)
      return p.name;
  return "";
}

}  // namespace

SweepEvaluation::SweepEvaluation(const Scenario& scenario, const SweepCases& cases)
    : scenario_(scenario),
      cases_(cases),
      source_(scenario.text, scenario.file, {"sweep", "reproduce"}) {
  for (const std::string& text : scenario.overrides)
    if (!text.starts_with("sweep.") && !text.starts_with("reproduce.")) overrides_.push_back(text);
  for (std::size_t k = 0; k < cases.axes().size(); ++k) {
    const SweepAxis& axis = cases.axes()[k];
    if (const std::string name = parameter_of(scenario, axis); !name.empty()) {
      candidates_.push_back(name);
      numbers_.push_back(k);
    } else if (!leaves_the_code(axis.key)) {
      grouping_.push_back(k);
    }
  }
  for (long i = 0; i < cases.size(); ++i) {
    Group& group = groups_[group_name(i)];
    ++group.cases;
    if (group.first.size() < most_trials) group.first.push_back(i);
    if (grouping_.empty() && i >= static_cast<long>(most_trials)) {
      group.cases = cases.size();
      break;
    }
  }
}

std::string SweepEvaluation::group_name(long index) const {
  if (grouping_.empty()) return "";
  const std::vector<SweepValue> values = cases_.values(index);
  std::string name;
  for (const std::size_t k : grouping_) name += values[k].toml + "\n";
  return name;
}

std::vector<std::string> SweepEvaluation::overrides_of(long index,
                                                       const std::vector<std::string>& more) const {
  std::vector<std::string> overrides = overrides_;
  for (const auto& list : {cases_.overrides(index), more})
    overrides.insert(overrides.end(), list.begin(), list.end());
  return overrides;
}

Scenario SweepEvaluation::read(long index, const std::vector<std::string>& more) const {
  return source_.with(overrides_of(index, more));
}

/// Where cases of a group differ in parameters that are numbers, all but these is read once.
void SweepEvaluation::set_base(Group& group) const {
  if (numbers_.empty() || numbers_.size() + grouping_.size() != cases_.axes().size()) return;
  try {
    group.base = read(group.first.front(), group.overrides);
  } catch (const Error&) {
    group.base.reset();  // the row of each case will say why
  }
}

Scenario SweepEvaluation::changed(const Group& group, long index) const {
  Scenario scenario = *group.base;
  scenario.overrides = overrides_of(index, group.overrides);
  const std::vector<std::string> of_case = cases_.overrides(index);
  for (std::size_t k = 0; k < numbers_.size(); ++k)
    change_parameter(scenario, candidates_[k], of_case[numbers_[k]]);
  return scenario;
}

/// Those of the scenario and the varied ones.
std::string SweepEvaluation::free_override() const {
  std::vector<std::string> names;
  for (const Text& text : scenario_.system.free) names.push_back(text.value);
  for (const std::string& name : candidates_)
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "\"" : ", \"") + name + "\"";
  return "system.free=[" + list + "]";
}

/// Whether the case could be built; then the group has its overrides.
bool SweepEvaluation::decide_by(Group& group, long index, bool with_free) {
  std::vector<std::string> free;
  if (with_free) free.push_back(free_override());
  const std::string& asked = scenario_.run.evaluation;
  try {
    Model model = build_model(read(index, free));
    if (asked != "native" && !native_pays(model, static_cast<double>(group.cases))) {
      group.overrides = {"run.evaluation=interpreter"};
      return true;
    }
    model.scenario.run.evaluation = "native";
    try {
      prepare_evaluation(model);  // compiled once, before many threads need it
    } catch (const InvalidArgument& error) {
      if (asked == "native") return false;
      note(error.what());
      group.overrides = {"run.evaluation=interpreter"};
      return true;
    }
  } catch (const std::exception&) {
    return false;  // the row of the case will say why
  }
  group.overrides = free;
  group.overrides.emplace_back("run.evaluation=native");
  if (with_free) {
    const std::lock_guard<std::mutex> lock(mutex_);
    inputs_ = true;
  }
  return true;
}

void SweepEvaluation::decide(Group& group) {
  if (scenario_.solid || scenario_.run.evaluation == "interpreter") return;
  for (const long index : group.first) {
    if (!candidates_.empty() && decide_by(group, index, true)) return;
    if (!decide_by(group, index, false)) continue;
    const bool native = group.overrides.back() == "run.evaluation=native";
    if (native && !candidates_.empty() && group.cases > 1)
      note(
          "the varied parameters cannot stay inputs of the formulas; each case is compiled by "
          "itself");
    return;
  }
}

void SweepEvaluation::note(const std::string& text) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (std::find(notes_.begin(), notes_.end(), text) == notes_.end()) notes_.push_back(text);
}

Scenario SweepEvaluation::scenario_of(long index) {
  Group& group = groups_.at(group_name(index));
  std::call_once(group.decided, [&] {
    decide(group);
    set_base(group);
  });
  return group.base ? changed(group, index) : read(index, group.overrides);
}

std::vector<std::string> SweepEvaluation::free() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return inputs_ ? candidates_ : std::vector<std::string>();
}

std::vector<std::string> SweepEvaluation::notes() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return notes_;
}

}  // namespace varia::io
