// SPDX-License-Identifier: BSD-3-Clause
#include "varia/io/settings.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <sstream>
#include <string_view>

#include "document.hpp"

namespace varia::io {

namespace {

constexpr std::string_view separator = " = ";

/// Whether the key is the other one, or below it.
bool belongs(std::string_view key, std::string_view to) {
  return key.starts_with(to) &&
         (key.size() == to.size() || key[to.size()] == '.' || key[to.size()] == '[');
}

/// 2 and 2.0 are the same number, and so are they in lists.
std::string value_text(const Value& value) {
  if (value.kind == Kind::integer) return varia::to_text(value.real);
  if (value.kind != Kind::list)
    return value.kind == Kind::real ? varia::to_text(value.real) : toml_text(value);
  std::string text;
  for (const Value& item : value.items) text += (text.empty() ? "" : ", ") + value_text(item);
  return "[" + text + "]";
}

bool has_tables(const Value& list) {
  return std::any_of(list.items.begin(), list.items.end(),
                     [](const Value& item) { return item.kind == Kind::table; });
}

void collect(const Value& value, const std::string& key, Settings& settings) {
  if (value.kind == Kind::table) {
    for (const Member& member : value.members)
      collect(member.value, (key.empty() ? "" : key + ".") + shown(member.key), settings);
  } else if (value.kind == Kind::list && has_tables(value)) {
    for (std::size_t i = 0; i < value.items.size(); ++i)
      collect(value.items[i], key + "[" + std::to_string(i + 1) + "]", settings);
  } else {
    settings.set(key, value_text(value));
  }
}

}  // namespace

void set_values(const Value& value, const std::string& key, Settings& settings) {
  collect(value, key, settings);
}

Settings settings_of(const Value& root) {
  Settings settings;
  collect(root, "", settings);
  return settings;
}

void Settings::set(const std::string& key, std::string value) {
  const auto at = std::lower_bound(entries_.begin(), entries_.end(), key,
                                   [](const auto& a, const auto& b) { return a.first < b; });
  if (at != entries_.end() && at->first == key)
    at->second = std::move(value);
  else
    entries_.emplace(at, key, std::move(value));
}

void Settings::remove(const std::string& key) {
  std::erase_if(entries_, [&](const auto& entry) { return belongs(entry.first, key); });
}

std::string Settings::text() const {
  std::string text;
  for (const auto& [key, value] : entries_)
    text.append(key).append(separator).append(value).append("\n");
  return text;
}

Settings kept_by_a_restart(Settings settings) {
  std::vector<std::pair<std::string, std::string>> times;
  std::vector<std::string> pictures;  // of events
  for (const auto& [key, value] : settings.entries()) {
    if (key == "start.t" || key == "solid.start.t") times.emplace_back(key, value);
    if (key.starts_with("event[") && key.ends_with("].axes")) pictures.push_back(key);
  }
  for (const std::string& key : pictures) settings.remove(key);
  for (const char* key :
       {"title", "start", "solid.start", "run.until", "run.steps", "run.tolerance", "run.frames",
        "run.records", "run.evaluation", "run.threads", "output.formats", "output.report",
        "reproduce", "draw", "plot", "sweep"})
    settings.remove(key);
  for (const auto& [key, value] : times) settings.set(key, value);
  return settings;
}

namespace {

/// What the difference of a key means.
std::string meaning(const std::string& key) {
  const auto at = [&](const char* table) { return belongs(key, table); };
  if (at("system.observe") || at("system.symmetry") || at("solid.observe") || at("diagnose"))
    return "is of a run that recorded other functions: " + key + ": ";
  if (at("event") || key.starts_with("event["))
    return "is of a run that watched other events: " + key + ": ";
  if (at("system")) return "belongs to another system: " + key + ": ";
  if (at("solid") && !at("solid.start")) return "belongs to another solid: " + key + ": ";
  constexpr std::string_view run = "run.";
  return "is of another " + (key.starts_with(run) ? key.substr(run.size()) : key) + ": ";
}

}  // namespace

std::string difference(const std::string& checkpoint, const std::string& scenario) {
  std::map<std::string, std::array<std::string, 2>> both;  // by key
  for (const std::size_t side : {0U, 1U}) {
    std::istringstream in(side == 0 ? checkpoint : scenario);
    for (std::string line; std::getline(in, line);) {
      const std::size_t at = std::min(line.find(separator), line.size());
      auto& pair =
          both.try_emplace(line.substr(0, at), std::array<std::string, 2>{"nothing", "nothing"})
              .first->second;
      pair[side] = line.substr(std::min(at + separator.size(), line.size()));
    }
  }
  for (const auto& [key, pair] : both)
    if (pair[0] != pair[1])
      return meaning(key) + shown(pair[0]) + ", the scenario has " + shown(pair[1]);
  return {};
}

}  // namespace varia::io
