// SPDX-License-Identifier: BSD-3-Clause
// [[event]] as it is written.
#include "document.hpp"
#include "reading.hpp"
#include "words.hpp"

namespace varia::io {

namespace {

EventText read_event(const Value& table, const std::string& key) {
  EventText event;
  event.when = text_of(table, "when", key);
  event.every = text_of(table, "every", key);
  const Value* direction = table.find("direction");
  event.direction = direction == nullptr ? "both" : direction->text;
  event.action = table.find("action")->text;
  event.after = whole(*table.find("after"));
  event.name = text_of(table, "name", key);
  if (event.name && trimmed(event.name->value).empty())
    throw ScenarioError(*event.name, "must be a name, found an empty text.");
  if (event.action == "count" && event.after > 1)
    throw ScenarioError(table.find("after")->place(), key + ".after",
                        "is for the actions record and stop; count counts every crossing.");
  event.axes = read_texts(table.find("axes"), key + ".axes");
  if (const Value* axes = table.find("axes"); axes != nullptr && axes->items.size() != 2)
    throw ScenarioError(axes->place(), key + ".axes",
                        "takes two names, as in axes = [\"y\", \"y_p\"]; found " +
                            std::to_string(axes->items.size()) + ".");
  return event;
}

/// Outputs tell events apart by their names.
void refuse_same_names(const std::vector<EventText>& events) {
  for (std::size_t i = 0; i < events.size(); ++i)
    for (std::size_t k = 0; events[i].name && k < i; ++k)
      if (events[k].name && events[k].name->value == events[i].name->value)
        throw ScenarioError(*events[i].name, "event[" + std::to_string(k + 1) + "] has the name " +
                                                 shown(events[i].name->value) +
                                                 " already; choose another one.");
}

}  // namespace

std::vector<EventText> read_events(const Value* list) {
  std::vector<EventText> events = read_items(list, "event", read_event);
  refuse_same_names(events);
  return events;
}

}  // namespace varia::io
