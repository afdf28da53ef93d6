// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <iterator>
#include <sstream>

#include "earlier_records.hpp"
#include "event_watch.hpp"
#include "flow_of_model.hpp"
#include "moved_start.hpp"
#include "run_loop.hpp"
#include "step_failure.hpp"
#include "step_look.hpp"
#include "varia/core/counted.hpp"
#include "varia/io/control_motion.hpp"
#include "varia/io/runner.hpp"
#include "varia/io/scales.hpp"
#include "varia/io/stepper.hpp"
#include "varia/io/verdict.hpp"
#include "varia/terms/speed_up.hpp"

namespace varia::io {

namespace {

/// The start as numbers.
std::vector<double> start_numbers(const Model& model) {
  std::vector<double> x{model.t0};
  x.insert(x.end(), model.q0.begin(), model.q0.end());
  x.insert(x.end(), model.rates0.begin(), model.rates0.end());
  return x;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream in(text);
  return {std::istream_iterator<std::string>(in), {}};
}

class SystemRun final : public RunLoop {
 public:
  SystemRun(Model& model, const RunOptions& options)
      : RunLoop(model.scenario, options),
        model_(model),
        diagnostics_(model),
        recorder_(model, &diagnostics_),
        scales_(model) {
    figures_ = Figures(recorder_.columns().size(), recorder_.first_observed());
    if (!model.events.empty()) events_.emplace(model);
    parts_ = {{model.t0, model.step, 0}};
  }

 private:
  const ColumnList& columns() const override { return recorder_.columns(); }
  Settings settings() const override;
  void begin(const Checkpoint* earlier) override;
  bool finished() const override;
  bool advance() override;
  void record_due() override;
  void record_end() override;
  void attempt(const std::function<void()>& work) override;
  bool survives_failure() const override { return true; }
  double time() const override { return recorder_.snapshot().t; }
  Progress progress() const override;
  std::string so_far() const override;
  void save(Checkpoint& c) const override;
  void summarise() override;
  std::vector<Verdict> judge() const override { return verdicts(model_, summary_); }
  void report(RecordReader& reader) override;
  std::optional<RecordReader> event_table() override;
  const ControlInputs* inputs() const override { return model_.inputs.get(); }
  void open_more_files(const Checkpoint* earlier) override;
  void continue_events(const Checkpoint& earlier);
  void flush_more_files() override;
  void remove_more_files() override;

  void choose_evaluation(const Checkpoint* earlier);
  void restart(const Checkpoint& c);
  void check_fits(const Checkpoint& c) const;
  void check_length() const;
  bool begins_a_part(const Checkpoint& c) const;
  void load_parts(const Checkpoint& c);
  std::vector<Summary::Part> parts() const;
  [[noreturn]] void refuse_length(const std::string& found, const std::string& here) const;
  void record_start();
  void take_record();
  void note_missing();
  void tell_optimum();
  void note_projection();
  void note_dependent();
  std::string why(const Error& error) const;
  bool ends_by_time() const { return model_.end.has_value(); }
  bool looks_at_steps() const { return model_.variable || diagnostics_.every_step(); }
  bool single_steps() const { return looks_at_steps() || events_.has_value(); }
  double watch_step();
  void look_at_step(const Snapshot& before, double step);
  long expected_steps() const;
  long chunk() const;

  Model& model_;
  Diagnostics diagnostics_;
  Recorder recorder_;
  Scales scales_;
  std::optional<EventWatch> events_;
  std::optional<StepLook> look_;
  std::optional<RecordLog> event_log_;
  Evaluation evaluation_;
  std::unique_ptr<Stepper> stepper_;
  Snapshot before_, after_;  ///< of a single step
  std::vector<Summary::Part> parts_;
  long done_ = 0;         ///< steps, those before a restart included
  long done_before_ = 0;  ///< steps before the restart
  long advances_ = 0;
  double rate_ = 0.0;  ///< steps per second
};

/// Formulas are compared by their text, what has a number by the number.
Settings SystemRun::settings() const {
  Settings s = kept_by_a_restart(model_.scenario.settings);
  for (const auto& [name, value] : model_.parameters)
    s.set("system.parameters." + name, varia::to_text(value));
  s.set("run.method", model_.method.name());
  s.set("run.step", varia::to_text(model_.step));
  s.set("start.t", varia::to_text(model_.t0));
  return s;
}

void SystemRun::refuse_length(const std::string& found, const std::string& here) const {
  throw InvalidArgument("--restart " + options_.restart +
                        ": the checkpoint is of another length: " + found + ", the scenario has " +
                        here + ": set a later until");
}

/// A run that failed may go on with a smaller step.
bool SystemRun::begins_a_part(const Checkpoint& c) const {
  const double before = c.array("parts").at(c.array("parts").size() - 2);
  return c.text("status") == "failed" && model_.terms.empty() && before * model_.step > 0.0 &&
         std::abs(model_.step) < std::abs(before);
}

void SystemRun::check_fits(const Checkpoint& c) const {
  for (const auto& [name, text] : c.texts)
    if (name == "solid")
      throw InvalidArgument("--restart " + options_.restart + ": the checkpoint is of a solid");
  Settings here = settings();
  const std::vector<double>& parts = c.array("parts");
  if (begins_a_part(c)) here.set("run.step", varia::to_text(parts.at(parts.size() - 2)));
  check_settings(c, here);
}

/// The parts so far and, if it differs, one with the step of the scenario; the last goes on to the end.
void SystemRun::load_parts(const Checkpoint& c) {
  parts_.clear();
  const std::vector<double>& saved = c.array("parts");
  for (std::size_t i = 0; i + 2 < saved.size(); i += 3)
    parts_.push_back({saved[i], saved[i + 1], static_cast<long>(saved[i + 2])});
  if (parts_.back().step != model_.step) parts_.push_back({stepper_->time(), model_.step, 0});
  if (parts_.size() == 1 || ends_by_time() || model_.scenario.run.steps) return;
  long before = 0;
  for (std::size_t i = 0; i + 1 < parts_.size(); ++i) before += parts_[i].steps;
  const double from = parts_.back().from_t;
  const double ratio = (model_.t0 + model_.span - from) / model_.step;
  const double nearest = std::round(ratio);
  const bool whole = std::abs(ratio - nearest) <= 1e-6;
  const double steps = whole ? nearest : std::floor(ratio);
  model_.steps = before + static_cast<long>(steps);
  std::erase_if(summary_.warnings,
                [](const std::string& note) { return note.starts_with("until is not a whole"); });
  if (!whole)
    summary_.warnings.push_back("until is not a whole number of steps: the run ends at t = " +
                                varia::to_text(from + steps * model_.step));
}

/// With the steps of the last one.
std::vector<Summary::Part> SystemRun::parts() const {
  std::vector<Summary::Part> all = parts_;
  long before = 0;
  for (std::size_t i = 0; i + 1 < all.size(); ++i) before += all[i].steps;
  all.back().steps = done_ - before;
  return all;
}

void SystemRun::restart(const Checkpoint& c) {
  stepper_->load(c.array("state"));
  diagnostics_.load(c.array("diagnostics"));
  if (events_) events_->load(c.array("events"));
  SavedNumbers::read(scales_, c.array("scales"),
                     "the scales in the checkpoint belong to another system");
  if (look_)
    SavedNumbers::read(*look_, c.array("look"),
                       "the looks at steps in the checkpoint belong to another system");
  if (const auto& s = c.array("step_length"); s.size() == 3)
    summary_.step_length = Summary::StepLength{s[0], s[1], s[2]};
  done_ = done_before_ = c.integer("steps_done");
  load_parts(c);
  check_length();
  resume(c, c.array("start") == start_numbers(model_));
}

/// What is done already must not be more than what is asked for.
void SystemRun::check_length() const {
  if (!ends_by_time() && done_ > model_.steps)
    refuse_length(counted(done_, "step has", "steps have") + " already been done",
                  counted(model_.steps, "step"));
  if (!ends_by_time() || !summary_.step_length) return;
  const double beyond =
      model_.step > 0.0 ? stepper_->time() - *model_.end : *model_.end - stepper_->time();
  if (beyond > 0.0 && beyond >= summary_.step_length->final)
    refuse_length("t = " + varia::to_text(stepper_->time()) + " has already been reached",
                  "t = " + varia::to_text(*model_.end));
}

void SystemRun::record_due() {
  if (figures_.count() > done_ / model_.scenario.run.every) return;
  take_record();
}

void SystemRun::take_record() {
  const auto& record = recorder_.record(*stepper_);
  append(record);
  figures_.add(record, recorder_.energy(), recorder_.position_defect(),
               recorder_.velocity_defect());
  scales_.add(recorder_.snapshot(), recorder_.energy());
  if (look_) look_->add(recorder_.snapshot());
}

void SystemRun::record_end() {
  if (done_ % model_.scenario.run.every == 0) return;
  try {
    take_record();
  } catch (const DomainError&) {
    // the state of a failed run may be beyond what can be observed; its records end before
    if (summary_.status != "failed") throw;
  }
}

bool SystemRun::finished() const {
  if (events_ && events_->ended()) return true;
  if (!ends_by_time()) return done_ >= model_.steps;
  return (stepper_->time() - *model_.end) * model_.step >= 0.0;
}

/// Steps until the next record, or fewer: about a twentieth of a second at a time.
long SystemRun::chunk() const {
  const long every = model_.scenario.run.every;
  const long to_record = every - done_ % every;
  const long limit =
      rate_ > 0.0 ? std::max(1L, static_cast<long>(std::min(rate_ * 0.05, 1e9))) : 16;
  // nobody knows how many steps there will be, or each one is looked at
  if (ends_by_time() || single_steps()) return 1;
  return std::min({to_record, model_.steps - done_, limit});
}

/// By what they have come to so far, if the end is a time.
long SystemRun::expected_steps() const {
  if (!ends_by_time()) return model_.steps;
  const double part = (stepper_->time() - model_.t0) / (*model_.end - model_.t0);
  return part > 0.0 ? static_cast<long>(static_cast<double>(done_) / std::min(part, 1.0)) : done_;
}

Progress SystemRun::progress() const {
  const long steps = expected_steps();
  return {done_, steps, time(), rate_,
          rate_ > 0.0 ? static_cast<double>(steps - done_) / rate_ : 0.0};
}

std::string SystemRun::so_far() const {
  return "after " + std::to_string(done_) + " of " + std::to_string(expected_steps()) + " steps";
}

void SystemRun::save(Checkpoint& c) const {
  c.texts.emplace_back("evaluation", evaluation_.native ? "native" : "interpreter");
  c.texts.emplace_back("compiled", joined(evaluation_.compiled));
  c.integers.emplace_back("steps_done", done_);
  c.arrays.emplace_back("start", start_numbers(model_));
  std::vector<double> stretches;
  for (const Summary::Part& part : parts())
    stretches.insert(stretches.end(), {part.from_t, part.step, static_cast<double>(part.steps)});
  c.arrays.emplace_back("parts", stretches);
  c.arrays.emplace_back("state", stepper_->save());
  c.arrays.emplace_back("diagnostics", diagnostics_.save());
  c.arrays.emplace_back("scales", SavedNumbers::of(scales_));
  if (look_) c.arrays.emplace_back("look", SavedNumbers::of(*look_));
  std::vector<double> lengths;
  if (const auto& s = summary_.step_length) lengths = {s->min, s->max, s->final};
  c.arrays.emplace_back("step_length", lengths);
  if (events_) c.arrays.emplace_back("events", events_->save());
  if (!event_log_) return;
  c.integers.emplace_back("event_records", event_log_->records());
  c.texts.emplace_back("events_checksum", std::to_string(event_log_->checksum()));
}

/// Of a single step: its length, and what the diagnostics make of it.
void SystemRun::look_at_step(const Snapshot& before, double step) {
  if (model_.variable) {
    const double length = std::abs(stepper_->time() - before.t);
    if (!summary_.step_length) summary_.step_length = Summary::StepLength{length, length, length};
    Summary::StepLength& s = *summary_.step_length;
    s = {std::min(s.min, length), std::max(s.max, length), length};
  }
  if (!diagnostics_.every_step()) return;
  stepper_->snapshot(after_);
  diagnostics_.step(before, after_, step);
}

/// The length of the step: shorter where an event ends the run in it.
double SystemRun::watch_step() {
  if (!events_) return model_.step;
  const double length = events_->after(*stepper_, model_.step);
  if (event_log_)
    for (const std::vector<double>& record : events_->records()) event_log_->append(record.data());
  return length;
}

bool SystemRun::advance() {
  const long count = chunk();
  if (looks_at_steps()) stepper_->snapshot(before_);
  try {
    stepper_->advance(model_.step, count);
  } catch (const Error&) {
    done_ += stepper_->completed();
    throw;
  }
  done_ += count;
  const double step = watch_step();
  if (looks_at_steps()) look_at_step(before_, step);
  if (++advances_ % 16 != 0 && rate_ > 0.0 && static_cast<double>(count) < rate_ * 0.01)
    return false;
  const double seconds = elapsed();
  if (seconds > 0.0) rate_ = static_cast<double>(done_ - done_before_) / seconds;
  return true;
}

void SystemRun::summarise() {
  recorder_.fill(summary_, figures_);
  scales_.fill(summary_);
  if (look_) summary_.step_error = look_->share();
  note_missing();
  if (events_) events_->fill(summary_);
  summary_.method = model_.method.name();
  summary_.order = model_.system->d > 0 ? model_.method.constrained_order() : model_.method.order();
  summary_.step = model_.step;
  summary_.steps = done_;
  if (parts_.size() > 1) summary_.parts = parts();
  summary_.structure = {model_.structure.separable, stepper_->cost().is_explicit,
                        model_.structure.time_independent, model_.structure.cyclic};
  summary_.bodies = model_.bodies;
  tell_optimum();
  const FlowStatistics statistics = stepper_->statistics();
  if (!model_.method.baseline() && (statistics.steps > 0 || statistics.failed > 0))
    summary_.newton = {static_cast<double>(statistics.iterations) /
                           static_cast<double>(std::max(1L, statistics.steps)),
                       statistics.max_iterations,
                       summary_.status == "failed" ? 1 : 0,
                       statistics.failed,
                       statistics.iterated,
                       statistics.damped};
  if (model_.variable && model_.variable->keep_energy)
    summary_.keep_energy = {statistics.discrete_energy, statistics.minimised};
  summary_.evaluation = evaluation_.text;
  summary_.variational = model_.method.variational();
  const std::vector<long> counts = stepper_->updates();
  if (counts.empty()) return;
  std::vector<double> steps;
  for (const Term& term : model_.terms) steps.push_back(term.step);
  const long most = *std::max_element(counts.begin(), counts.end());
  fill_updates(counts, most * static_cast<long>(counts.size()), terms::speed_up(steps));
}

void SystemRun::tell_optimum() {
  if (!model_.played || !model_.played->optimised()) return;
  const PlayedMotion& played = *model_.played;
  summary_.optimum = played.optimum;
  if (played.message.empty()) return;
  const bool interrupted = played.optimum->status == to_string(OptimumStatus::interrupted);
  summary_.status = interrupted ? "interrupted" : "failed";
  summary_.message = played.message;
}

void SystemRun::report(RecordReader& reader) {
  if (!options_.finish) return;
  std::optional<RecordReader> events = event_table();
  if (events && options_.events) options_.events(*events);
  reader.rewind();
  options_.finish(reader, summary_);
}

std::optional<RecordReader> SystemRun::event_table() {
  if (!event_log_) return std::nullopt;
  return RecordReader(event_log_->path());
}

void SystemRun::open_more_files(const Checkpoint* earlier) {
  if (!events_) return;
  if (earlier != nullptr) continue_events(*earlier);
  if (!event_log_)
    event_log_.emplace(RecordLog::create(path("events.partial"), events_->columns()));
}

void SystemRun::continue_events(const Checkpoint& earlier) {
  std::string why;
  auto log =
      continue_log({options_.restart, options_.directory, "events", "events", events_->columns(),
                    earlier.integer("event_records"), std::stoull(earlier.text("events_checksum"))},
                   why);
  if (log)
    event_log_.emplace(std::move(*log));
  else
    summary_.warnings.push_back("the events before the restart are no longer there" +
                                (why.empty() ? "" : " (" + why + ")") +
                                ": their table begins after t = " + varia::to_text(time()));
}

void SystemRun::flush_more_files() {
  if (event_log_) event_log_->flush();
}

void SystemRun::remove_more_files() {
  if (event_log_) event_log_->remove();
}

/// The start may have been moved onto the constraint.
void SystemRun::note_projection() {
  if (!model_.scenario.start.project || model_.system->d + model_.system->e == 0) return;
  summary_.moved = moved_start(model_, recorder_.seen());
  if (summary_.moved) summary_.warnings.push_back(to_text(*summary_.moved));
}

/// Which constraints were left out.
void SystemRun::note_dependent() {
  const KernelSystem& f = *model_.system;
  if (!model_.options.leave_out_dependent || f.d == 0) return;
  const ConstraintRank rank = dependent_constraints(f, recorder_.snapshot().q.data(), model_.t0);
  if (!rank.independent())
    summary_.warnings.push_back("constraints that follow from others are left out: " +
                                to_text(rank, model_.constraint_texts));
}

/// What is observed must have a value at the start: later it may be missing.
void SystemRun::record_start() {
  recorder_.record(*stepper_);
  recorder_.require_values();
}

void SystemRun::note_missing() {
  for (std::size_t i = figures_.first(); i < columns().size(); ++i)
    if (const ColumnRange& r = figures_.column(i); r.missing > 0)
      summary_.warnings.push_back("observe." + columns()[i].name + " has no value in " +
                                  std::to_string(r.missing) + " of " +
                                  std::to_string(figures_.count()) +
                                  " records, first at t = " + varia::to_text(r.missing_from) +
                                  "; it is missing there, and figures are over the others");
}

/// A restart keeps the choice of the first part.
void SystemRun::choose_evaluation(const Checkpoint* earlier) {
  const bool as_before = earlier != nullptr && model_.scenario.run.evaluation == "auto";
  std::vector<std::string> compiled;
  if (as_before) {
    model_.scenario.run.evaluation = earlier->text("evaluation");
    for (const auto& [name, text] : earlier->texts)
      if (name == "compiled") compiled = words_of(text);
  }
  evaluation_ = prepare_evaluation(model_, compiled);
  if (as_before && !evaluation_.native) evaluation_.text = "interpreter (as before the restart)";
  if (model_.inputs) evaluation_.text = "interpreter (inputs change from step to step)";
  if (!evaluation_.note.empty()) summary_.warnings.push_back(evaluation_.note);
}

void SystemRun::begin(const Checkpoint* earlier) {
  summary_.warnings = model_.notes;
  summary_.choice = model_.choice;
  if (earlier != nullptr) check_fits(*earlier);
  choose_evaluation(earlier);
  stepper_ = make_stepper(model_);
  if (StepLook::needed(model_)) look_.emplace(model_);
  record_start();
  if (earlier == nullptr) {
    note_projection();
    note_dependent();
  } else {
    restart(*earlier);
    recorder_.record(*stepper_);
  }
  if (events_) events_->begin(*stepper_);
}

/// What is wrong with the step from where the motion stands.
std::string SystemRun::why(const Error& error) const {
  if (stepper_ == nullptr) return error.what();
  Snapshot s;
  try {
    stepper_->snapshot(s);
  } catch (const Error&) {
    return error.what();
  }
  return explained(model_, s, model_.step, with_constraints(model_, error.what()));
}

void SystemRun::attempt(const std::function<void()>& work) {
  try {
    work();
  } catch (const NoConvergence& error) {
    fail(Error(why(error)));
    if (!stepper_->cost().is_explicit) summary_.newton.failures = 1;
  } catch (const DomainError& error) {
    fail(Error(why(error)));
  } catch (const SingularMass& error) {
    fail(error);
  }
}

}  // namespace

Summary run(Model& model, const RunOptions& options) { return SystemRun(model, options).run(); }

}  // namespace varia::io
