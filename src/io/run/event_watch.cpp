// SPDX-License-Identifier: BSD-3-Clause
#include "event_watch.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace varia::io {

namespace {

/// Does the work; what fails in it is told of the event.
template <class Work> void locating(const Event& event, double t, const Work& work) {
  const auto told = [&](const Error& error) {
    return "the event " + event.name +
           " could not be located in the step from t = " + varia::to_text(t) + ": " + error.what();
  };
  try {
    work();
  } catch (const NoConvergence& error) {
    throw NoConvergence(told(error), error.t, error.h, error.iterations, error.last_update);
  } catch (const DomainError& error) {
    throw DomainError(told(error));
  }
}

}  // namespace

EventWatch::EventWatch(const Model& model)
    : model_(model),
      recorder_(model),
      columns_{{"event", "event", ""}},
      watched_(model.events.size()) {
  columns_.append(recorder_.columns());
}

void EventWatch::Watched::exchange(SavedNumbers& numbers) {
  auto size = static_cast<double>(times.size());
  numbers(values.before, values.has_before, count, size);
  numbers.lists(size, times);
}

void EventWatch::exchange(SavedNumbers& numbers) { numbers(ended_by_, ended_at_, watched_); }

double EventWatch::value(const Event& event, const Snapshot& s) {
  x_.assign(1, s.t);
  for (const auto* part : {&s.q, &s.v, &s.p}) x_.insert(x_.end(), part->begin(), part->end());
  double result = 0.0;
  event.value(x_.data(), &result);
  return result;
}

std::string EventWatch::why_not(const Event& event) const {
  return event.value.tape().non_finite(x_.data(), model_.variable_names);
}

double EventWatch::finite_value(const Event& event, const Snapshot& s) {
  const double result = value(event, s);
  if (!std::isfinite(result))
    throw DomainError(event.text.key + " has no finite value at t = " + varia::to_text(s.t) + ": " +
                      why_not(event));
  return result;
}

void EventWatch::begin(const Stepper& stepper) {
  stepper.snapshot(now_);
  for (std::size_t e = 0; e < watched_.size(); ++e) {
    const Event& event = model_.events[e];
    if (event.timed()) continue;
    watched_[e].values.end = value(event, now_);
    if (!std::isfinite(watched_[e].values.end))
      throw ScenarioError(event.text, "has no finite value at the start: " + why_not(event));
  }
}

/// The state after a step of this length from the one before the step, in the probe.
void EventWatch::trial(double h) {
  if (!probe_) probe_ = make_stepper(model_);
  if (saved_.empty()) saved_ = stepper_->save_before();
  probe_->load(saved_);
  probe_->advance(h, 1);
  probe_->snapshot(tried_);
}

void EventWatch::add_crossings(std::size_t e, double h, std::vector<Hit>& hits) {
  const Event& event = model_.events[e];
  StepValues& v = watched_[e].values;
  v.start = v.end;
  v.end = finite_value(event, now_);
  const auto along = [&](double part) {
    trial(part);
    return finite_value(event, tried_);
  };
  locating(event, start_t_, [&] {
    for (const Crossing& c : crossings(along, h, v))
      if (event.direction == 0 || event.direction == c.direction) hits.push_back({c.h, e});
  });
  v.before = v.start;
  v.has_before = true;
}

/// Times within round-off of the end of the step belong to that end.
void EventWatch::add_times(std::size_t e, double h, std::vector<Hit>& hits) {
  constexpr long most = 100000;
  const Event& event = model_.events[e];
  const double way = h > 0.0 ? 1.0 : -1.0;
  const double end = now_.t;
  for (long k = watched_[e].count + 1;; ++k) {
    const double due = model_.t0 + way * static_cast<double>(k) * event.every;
    const double unsure =
        4.0 * std::numeric_limits<double>::epsilon() * std::max(std::abs(end), std::abs(due));
    if (way * (due - end) > unsure) return;
    if (k - watched_[e].count > most)
      throw DomainError(
          event.text.key + " is so short that the step from t = " + varia::to_text(start_t_) +
          " holds more than " + std::to_string(most) + " of its times; choose a longer one");
    if (std::abs(due - end) <= unsure) {
      hits.push_back({h, e});
      continue;
    }
    const auto late = [&](double part) {
      trial(part);
      return tried_.t - due;
    };
    locating(event, start_t_, [&] {
      hits.push_back({bracketed_root(late, 0.0, start_t_ - due, h, end - due,
                                     std::numeric_limits<double>::epsilon() * std::abs(h)),
                      e});
    });
  }
}

/// All of the step, in the order of the motion; at one time in that of the file.
std::vector<EventWatch::Hit> EventWatch::hits(double h) {
  std::vector<Hit> found;
  for (std::size_t e = 0; e < watched_.size(); ++e) {
    if (model_.events[e].timed())
      add_times(e, h, found);
    else
      add_crossings(e, h, found);
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const Hit& a, const Hit& b) { return std::abs(a.h) < std::abs(b.h); });
  return found;
}

/// Counts the event and does what it asks for; returns whether it ends the run.
bool EventWatch::act(const Hit& hit) {
  const Event& event = model_.events[hit.event];
  Watched& w = watched_[hit.event];
  trial(hit.h);
  ++w.count;
  if (w.times.size() < most_event_times) w.times.push_back(tried_.t);
  if (event.action == EventAction::count || w.count < event.after) return false;
  locating(event, start_t_, [&] {
    const std::vector<double>& record = recorder_.record(*probe_);
    records_.emplace_back(1, static_cast<double>(hit.event + 1));
    records_.back().insert(records_.back().end(), record.begin(), record.end());
  });
  if (event.action != EventAction::stop) return false;
  ended_by_ = static_cast<long>(hit.event);
  ended_at_ = tried_.t;
  return true;
}

double EventWatch::after(Stepper& stepper, double h) {
  records_.clear();
  saved_.clear();
  stepper_ = &stepper;
  start_t_ = now_.t;
  stepper.snapshot(now_);
  for (const Hit& hit : hits(h)) {
    if (!act(hit)) continue;
    if (hit.h == h) return h;
    stepper.load(saved_);
    stepper.advance(hit.h, 1);
    return hit.h;
  }
  return h;
}

void EventWatch::fill(Summary& summary) const {
  summary.events.clear();
  for (std::size_t e = 0; e < watched_.size(); ++e) {
    const Event& event = model_.events[e];
    Summary::Event row;
    row.name = event.name;
    if (event.timed()) {
      row.every = event.every;
    } else {
      row.when = event.text.value;
      row.direction = direction_text(event);
    }
    row.action = action_text(event.action);
    row.after = event.after;
    row.count = watched_[e].count;
    row.times = watched_[e].times;
    summary.events.push_back(std::move(row));
  }
  if (ended() && summary.status == "done")
    summary.message = "ended by the event " +
                      model_.events[static_cast<std::size_t>(ended_by_)].name +
                      " at t = " + varia::to_text(ended_at_);
}

}  // namespace varia::io
