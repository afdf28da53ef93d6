// SPDX-License-Identifier: BSD-3-Clause
// Events: functions of the motion, or periods.
#include <algorithm>
#include <cmath>

#include "../scenario/words.hpp"
#include "builder.hpp"
#include "varia/expr/derivative.hpp"
#include "varia/io/event.hpp"

namespace varia::io {

const char* action_text(EventAction action) {
  if (action == EventAction::stop) return "stop";
  return action == EventAction::record ? "record" : "count";
}

const char* direction_text(const Event& event) {
  if (event.direction == 0) return "both";
  return event.direction > 0 ? "up" : "down";
}

namespace {

EventAction action_of(const std::string& word) {
  if (word == "stop") return EventAction::stop;
  return word == "record" ? EventAction::record : EventAction::count;
}

int direction_of(const std::string& word) {
  if (word == "both") return 0;
  return word == "up" ? 1 : -1;
}

}  // namespace

void ModelBuilder::read_function(const EventText& text, Event& event) {
  if (text.when->value.find_first_of("<>") != std::string::npos &&
      text.when->value.find('(') == std::string::npos)
    throw ScenarioError(
        *text.when,
        "is a condition, and an event is where a number crosses zero: for x > 1 write "
        "when = \"x - 1\" and direction = \"up\"");
  const Id f = parse(everything_, *text.when);
  if (expr::variables_of(*graph_, f).empty())
    throw ScenarioError(*text.when,
                        "is the constant " + varia::to_text(expr::number_of(*graph_, f)) +
                            ", which crosses nothing: use t, a coordinate, a velocity or a "
                            "momentum");
  event.value = kernel({f}, 1 + layout_.entries + 2 * layout_.n);
}

void ModelBuilder::read_period(const EventText& text, Event& event) {
  constexpr double most = 1000.0;  // in one step
  event.every = number(*text.every);
  if (!(event.every > 0.0))
    throw ScenarioError(*text.every,
                        "must be greater than 0, found " + varia::to_text(event.every));
  if (!model_.variable && std::abs(model_.step) > most * event.every)
    throw ScenarioError(*text.every, "the period " + varia::to_text(event.every) +
                                         " is shorter than a thousandth of the step " +
                                         varia::to_text(std::abs(model_.step)) +
                                         "; choose a longer one, or a smaller step");
}

/// Of a section one can draw what is recorded in one number each.
void ModelBuilder::check_axes(const EventText& text) const {
  if (text.axes.empty()) return;
  std::vector<std::string> known{"t"};
  for (const expr::NameList& names : {model_.entry_names, model_.velocity_names,
                                      model_.momentum_names, expr::NameList(model_.observe_names)})
    known.insert(known.end(), names.begin(), names.end());
  for (const Text& axis : text.axes)
    if (std::find(known.begin(), known.end(), axis.value) == known.end())
      throw ScenarioError(axis, "nothing with this name is recorded; there are: " + listed(known) +
                                    "." + did_you_mean(axis.value, known));
}

void ModelBuilder::read_events() {
  for (const EventText& text : scenario_.events) {
    if (model_.variable && model_.variable->keep_energy)
      throw ScenarioError(text.stated(),
                          "an event is located by a shorter step, and with keep_energy the energy "
                          "determines the length of every step; use steps of fixed length or a "
                          "pace");
    Event event;
    event.text = text.stated();
    event.name = text.name   ? text.name->value
                 : text.when ? text.when->value
                             : "every " + text.every->value;
    event.direction = direction_of(text.direction);
    event.action = action_of(text.action);
    event.after = text.after;
    if (text.when)
      read_function(text, event);
    else
      read_period(text, event);
    check_axes(text);
    for (const Text& axis : text.axes) event.axes.push_back(axis.value);
    model_.events.push_back(std::move(event));
  }
}

}  // namespace varia::io
