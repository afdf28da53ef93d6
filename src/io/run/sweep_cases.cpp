// SPDX-License-Identifier: BSD-3-Clause
#include "varia/io/sweep_cases.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <sstream>

#include "varia/core/counted.hpp"
#include "varia/core/version.hpp"

namespace varia::io {

namespace {

/// What the numbers of the table depend on.
std::string request_of(const Scenario& scenario, const std::vector<SweepAxis>& axes) {
  Settings settings = scenario.settings;
  for (const char* key : {"title", "output", "reproduce", "sweep"}) settings.remove(key);
  const SweepText& sweep = scenario.sweep;
  for (std::size_t k = 0; k < axes.size(); ++k)
    settings.set("sweep.vary[" + std::to_string(k + 1) + "]",
                 axes[k].name + " = " + axes[k].values.value);
  settings.set("sweep.mode", sweep.zipped ? "list" : "grid");
  if (sweep.samples) settings.set("sweep.random.count", std::to_string(*sweep.samples));
  if (sweep.seed) settings.set("sweep.random.seed", std::to_string(*sweep.seed));
  for (std::size_t k = 0; k < sweep.columns.size(); ++k)
    settings.set("sweep.columns[" + std::to_string(k + 1) + "]", sweep.columns[k]);
  settings.set("varia", std::string(version));
  return settings.text();
}

[[noreturn]] void refuse_cases(const Text& where, double cases) {
  throw ScenarioError(where, "the sweep would have " + varia::to_text(cases) + " cases, at most " +
                                 std::to_string(most_sweep_cases) +
                                 " are possible; vary fewer quantities, or take larger steps.");
}

long shard_number(std::string_view text) {
  long number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? number : 0;
}

}  // namespace

SweepShard parse_shard(const std::string& text) {
  const auto slash = text.find('/');
  if (slash != std::string::npos) {
    const std::string_view view = text;
    const SweepShard shard{shard_number(view.substr(0, slash)),
                           shard_number(view.substr(slash + 1))};
    if (shard.part >= 1 && shard.part <= shard.of) return shard;
  }
  throw InvalidArgument("--shard: '" + text +
                        "' is not a part; allowed: k/n with 1 <= k <= n, such as 2/5");
}

SweepCases::SweepCases(const Scenario& scenario) : scenario_(scenario), axes_(scenario.sweep.axes) {
  if (axes_.empty())
    throw ScenarioError(
        scenario.sweep.place.file.empty() ? Place{scenario.file, 0, 0} : scenario.sweep.place,
        "sweep.vary",
        "nothing is varied; give --vary \"e = 0 : 0.9 : 0.1\", or a table "
        "[sweep.vary].");
  draw();
  count_cases();
  request_ = request_of(scenario_, axes_);
}

void SweepCases::draw() {
  const SweepText& sweep = scenario_.sweep;
  samples_.resize(axes_.size());
  const auto drawn = std::find_if(axes_.begin(), axes_.end(),
                                  [](const SweepAxis& axis) { return bool(axis.draw); });
  if (drawn == axes_.end()) {
    if (sweep.samples || sweep.seed)
      throw ScenarioError(sweep.place, "sweep.random",
                          "no quantity is drawn at random; write e = \"uniform(0, 0.9)\", or leave "
                          "this out.");
    return;
  }
  if (!sweep.samples || !sweep.seed)
    throw ScenarioError(drawn->values,
                        "is drawn at random, so that count and seed are needed: random = { count = "
                        "100, seed = 1 } in [sweep], or --samples 100 --seed 1.");
  sample_count_ = *sweep.samples;
  if (sample_count_ > most_sweep_cases)
    refuse_cases(drawn->values, static_cast<double>(sample_count_));
  SweepRandom random(*sweep.seed);
  for (long i = 0; i < sample_count_; ++i)
    for (std::size_t k = 0; k < axes_.size(); ++k)
      if (axes_[k].draw) samples_[k].push_back(axes_[k].draw(random));
}

/// The length that all lists have, the samples included.
long SweepCases::lengths_in_list() const {
  const SweepAxis& first = axes_.front();
  const auto length = [this](const SweepAxis& axis) {
    return axis.draw ? sample_count_ : axis.count;
  };
  for (const SweepAxis& axis : axes_)
    if (length(axis) != length(first))
      throw ScenarioError(axis.values,
                          "has " + counted(length(axis), "value") + ", " + first.name + " has " +
                              std::to_string(length(first)) +
                              "; with mode = \"list\" all have equally many. With mode "
                              "= \"grid\" each goes with each.");
  return length(first);
}

void SweepCases::count_cases() {
  if (scenario_.sweep.zipped) {
    size_ = lengths_in_list();
    return;
  }
  double cases = static_cast<double>(sample_count_);
  for (const SweepAxis& axis : axes_)
    if (!axis.draw) cases *= static_cast<double>(axis.count);
  if (cases > static_cast<double>(most_sweep_cases)) refuse_cases(axes_.back().values, cases);
  size_ = static_cast<long>(cases);
}

/// In a grid the last quantity changes first, and the samples before all others.
std::vector<long> SweepCases::places(long index) const {
  if (scenario_.sweep.zipped) return std::vector<long>(axes_.size(), index);
  std::vector<long> place(axes_.size(), index % sample_count_);
  long rest = index / sample_count_;
  for (std::size_t k = axes_.size(); k-- > 0;) {
    if (axes_[k].draw) continue;
    place[k] = rest % axes_[k].count;
    rest /= axes_[k].count;
  }
  return place;
}

std::vector<SweepValue> SweepCases::values(long index) const {
  std::vector<SweepValue> result;
  const std::vector<long> place = places(index);
  for (std::size_t k = 0; k < axes_.size(); ++k) {
    if (!axes_[k].draw) {
      result.push_back(axes_[k].value(place[k]));
      continue;
    }
    const std::string text = varia::to_text(samples_[k][static_cast<std::size_t>(place[k])]);
    result.push_back({text, text});
  }
  return result;
}

std::vector<std::string> SweepCases::overrides(long index) const {
  std::vector<std::string> result;
  const std::vector<SweepValue> of = values(index);
  for (std::size_t k = 0; k < axes_.size(); ++k) result.push_back(axes_[k].name + "=" + of[k].toml);
  return result;
}

std::string request_difference(const std::string& there, const std::string& here) {
  constexpr std::string_view separator = " = ";
  std::map<std::string, std::pair<std::string, std::string>> both;
  const auto collect = [&](const std::string& text, bool first) {
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) {
      const auto at = std::min(line.find(separator), line.size());
      auto& pair = both.try_emplace(line.substr(0, at), "nothing", "nothing").first->second;
      (first ? pair.first : pair.second) =
          line.substr(std::min(at + separator.size(), line.size()));
    }
  };
  collect(there, true);
  collect(here, false);
  for (const auto& [key, pair] : both)
    if (pair.first != pair.second)
      return key + " is " + pair.first + " there, " + pair.second + " here";
  return {};
}

}  // namespace varia::io
