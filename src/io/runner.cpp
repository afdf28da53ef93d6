// SPDX-License-Identifier: BSD-3-Clause
#include "varia/io/runner.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <sstream>

#include "run_files.hpp"
#include "varia/core/version.hpp"
#include "varia/io/atomic_file.hpp"
#include "varia/io/checkpoint.hpp"
#include "varia/io/stepper.hpp"
#include "varia/io/verdict.hpp"
#include "varia/terms/speed_up.hpp"

namespace varia::io {

namespace {

/// A text in which two scenarios agree if they describe the same system.
std::string system_signature(const Model& model) {
  std::string text;
  const auto add = [&](const std::string& part) { text += part + "\n"; };
  for (const auto& name : model.variable_names) add(name);
  for (const auto& [name, value] : model.parameters) add(name + " = " + varia::to_text(value));
  const System& s = model.scenario.system;
  if (s.lagrangian) add(s.lagrangian->value);
  if (s.hamiltonian) add("H " + s.hamiltonian->value);
  for (const auto& c : s.force) add(c.component + ": " + c.text.value);
  for (const auto& phi : model.constraint_texts) add("0 = " + phi);
  for (const auto& term : s.terms) add("V " + term.potential.value);
  for (const auto& term : model.terms) add("step " + varia::to_text(term.step));
  const Run& run = model.scenario.run;
  if (s.discrete_lagrangian) add("Ld " + s.discrete_lagrangian->value);
  if (run.projection) add("projection " + run.projection->value);
  if (run.pace) add("pace " + run.pace->value);
  if (run.keep_energy) add("keep_energy " + run.keep_energy->value);
  return text;
}

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

class Runner {
 public:
  Runner(Model& model, const RunOptions& options)
      : model_(model),
        options_(options),
        diagnostics_(model),
        recorder_(model, &diagnostics_),
        figures_(recorder_.columns().size()) {}

  Summary run();

 private:
  std::string path(const std::string& name) const { return options_.directory + "/" + name; }
  bool files() const { return !options_.directory.empty(); }

  void prepare();
  void restart();
  void check_fits(const Checkpoint& c) const;
  void record_start();
  void note_projection();
  void open_log();
  void fail(const Error& error, bool solver);
  void record(bool keep);
  void go();
  bool ends_by_time() const { return model_.variable && model_.variable->until; }
  bool single_steps() const { return model_.variable || diagnostics_.every_step(); }
  void look_at_step(const Snapshot& before);
  bool finished() const;
  long expected_steps() const;
  long chunk() const;
  void report_progress();
  void checkpoint();
  void write_files();
  void fill_summary();
  void fill_updates();

  Model& model_;
  const RunOptions& options_;
  Diagnostics diagnostics_;
  Recorder recorder_;
  Figures figures_;
  Evaluation evaluation_;
  std::unique_ptr<Stepper> stepper_;
  std::optional<RecordLog> log_;
  Summary summary_;
  Snapshot before_, after_;  ///< of a single step
  long done_ = 0;            ///< steps, those before a restart included
  long done_before_ = 0;     ///< steps before the restart
  double seconds_before_ = 0.0;
  long records_ = 0;   ///< kept: at multiples of `every`
  double rate_ = 0.0;  ///< steps per second
  RunClock::time_point begin_ = RunClock::now(), last_checkpoint_ = begin_, last_progress_ = begin_;
};

void Runner::check_fits(const Checkpoint& c) const {
  const auto refuse = [&](const std::string& what, const std::string& found,
                          const std::string& here) {
    throw InvalidArgument("--restart " + options_.restart + ": the checkpoint is of another " +
                          what + ": " + found + ", the scenario has " + here);
  };
  if (c.text("system") != system_signature(model_))
    throw InvalidArgument("--restart " + options_.restart +
                          ": the checkpoint belongs to another system; coordinates, parameters, "
                          "Lagrangian, forces and constraints must be those of the first run");
  if (c.text("method") != model_.method.name())
    refuse("method", c.text("method"), model_.method.name());
  if (!model_.system->flat() && c.text("retraction") != model_.scenario.run.retraction)
    refuse("retraction", c.text("retraction"), model_.scenario.run.retraction);
  if (c.array("step").at(0) != model_.step)
    refuse("step", varia::to_text(c.array("step").at(0)), varia::to_text(model_.step));
  if (c.text("columns") != column_names(recorder_.columns()))
    throw InvalidArgument("--restart " + options_.restart +
                          ": the first run recorded other functions; [system.observe], "
                          "[system.symmetry] and [diagnose] must be the same");
  if (c.integer("every") != model_.scenario.run.every)
    refuse("every", std::to_string(c.integer("every")), std::to_string(model_.scenario.run.every));
  if (!ends_by_time() && c.integer("steps_done") > model_.steps)
    refuse("length", std::to_string(c.integer("steps_done")) + " steps are done already",
           std::to_string(model_.steps) + " steps: set a later until");
}

void Runner::restart() {
  const Checkpoint c = read_checkpoint(options_.restart);
  check_fits(c);
  stepper_->load(c.array("state"));
  figures_.load(c.array("figures"));
  diagnostics_.load(c.array("diagnostics"));
  if (const auto& s = c.array("step_length"); s.size() == 3)
    summary_.step_length = Summary::StepLength{s[0], s[1], s[2]};
  done_ = done_before_ = c.integer("steps_done");
  records_ = c.integer("records");
  seconds_before_ = c.array("seconds").at(0);
  if (c.array("start") != start_numbers(model_))
    summary_.warnings.emplace_back(
        "the start values of the scenario are others than those of the first run; the run goes on "
        "from the checkpoint");
}

void Runner::open_log() {
  make_directories(options_.directory);
  if (options_.restart.empty()) {
    log_ = RecordLog::create(path("trajectory.partial"), recorder_.columns());
    return;
  }
  log_ =
      continue_log({options_.restart, options_.directory, recorder_.columns(), figures_, records_});
  if (log_) return;
  log_ = RecordLog::create(path("trajectory.partial"), recorder_.columns());
  summary_.warnings.push_back(
      "the records before the restart are not there any more: the trajectory begins after t = " +
      varia::to_text(recorder_.snapshot().t));
}

void Runner::record(bool keep) {
  const auto& record = recorder_.record(*stepper_);
  if (log_) log_->append(record.data());
  if (!keep) return;
  figures_.add(record, recorder_.energy(), recorder_.position_defect(),
               recorder_.velocity_defect());
  ++records_;
}

bool Runner::finished() const {
  if (!ends_by_time()) return done_ >= model_.steps;
  return (stepper_->time() - *model_.variable->until) * model_.step >= 0.0;
}

/// Steps until the next record, or fewer: about a twentieth of a second at a time.
long Runner::chunk() const {
  const long every = model_.scenario.run.every;
  const long to_record = every - done_ % every;
  const long limit =
      rate_ > 0.0 ? std::max(1L, static_cast<long>(std::min(rate_ * 0.05, 1e9))) : 16;
  // nobody knows how many steps there will be, or each one is looked at
  if (ends_by_time() || single_steps()) return 1;
  return std::min({to_record, model_.steps - done_, limit});
}

/// By what they have come to so far, if the end is a time.
long Runner::expected_steps() const {
  if (!ends_by_time()) return model_.steps;
  const double part = (stepper_->time() - model_.t0) / (*model_.variable->until - model_.t0);
  return part > 0.0 ? static_cast<long>(static_cast<double>(done_) / std::min(part, 1.0)) : done_;
}

void Runner::report_progress() {
  const double elapsed = seconds_since(begin_);
  if (elapsed > 0.0) rate_ = static_cast<double>(done_ - done_before_) / elapsed;
  if (!options_.progress || seconds_since(last_progress_) < 0.2) return;
  last_progress_ = RunClock::now();
  const long steps = expected_steps();
  options_.progress({done_, steps, recorder_.snapshot().t, rate_,
                     rate_ > 0.0 ? static_cast<double>(steps - done_) / rate_ : 0.0});
}

void Runner::checkpoint() {
  last_checkpoint_ = RunClock::now();
  log_->flush();
  Checkpoint c;
  c.texts = {{"varia", std::string(version)},
             {"scenario", full_text(model_.scenario)},
             {"columns", column_names(recorder_.columns())},
             {"system", system_signature(model_)},
             {"method", model_.method.name()},
             {"retraction", model_.scenario.run.retraction},
             {"evaluation", evaluation_.native ? "native" : "interpreter"},
             {"compiled", joined(evaluation_.compiled)}};
  c.integers = {{"steps_done", done_}, {"records", records_}, {"every", model_.scenario.run.every}};
  c.arrays = {{"step", {model_.step}},
              {"start", start_numbers(model_)},
              {"seconds", {seconds_before_ + seconds_since(begin_)}},
              {"state", stepper_->save()},
              {"figures", figures_.save()},
              {"diagnostics", diagnostics_.save()},
              {"step_length", {}}};
  if (const auto& s = summary_.step_length) c.arrays.back().second = {s->min, s->max, s->final};
  write_checkpoint(path("checkpoint.h5"), c);
}

/// Of a single step: its length, and what the diagnostics make of it.
void Runner::look_at_step(const Snapshot& before) {
  if (model_.variable) {
    const double length = std::abs(stepper_->time() - before.t);
    if (!summary_.step_length) summary_.step_length = Summary::StepLength{length, length, length};
    Summary::StepLength& s = *summary_.step_length;
    s = {std::min(s.min, length), std::max(s.max, length), length};
  }
  if (!diagnostics_.every_step()) return;
  stepper_->snapshot(after_);
  diagnostics_.step(before, after_, model_.step);
}

void Runner::go() {
  if (done_ == 0) record(true);
  int look = 0;
  while (!finished()) {
    const long count = chunk();
    if (single_steps()) stepper_->snapshot(before_);
    try {
      stepper_->advance(model_.step, count);
    } catch (const Error&) {
      done_ += stepper_->completed();
      throw;
    }
    done_ += count;
    if (single_steps()) look_at_step(before_);
    if (done_ % model_.scenario.run.every == 0) record(true);
    if (++look % 16 != 0 && rate_ > 0.0 && static_cast<double>(count) < rate_ * 0.01) continue;
    report_progress();
    if (options_.interrupted && options_.interrupted()) {
      summary_.status = "interrupted";
      summary_.message = "interrupted after " + std::to_string(done_) + " of " +
                         std::to_string(expected_steps()) + " steps" +
                         (files() ? "; go on with --restart " + path("checkpoint.h5") : "");
      return;
    }
    if (log_ && seconds_since(last_checkpoint_) > options_.checkpoint_seconds) checkpoint();
  }
}

/// Of terms with steps of their own, and what one step for all would have taken.
void Runner::fill_updates() {
  const std::vector<long> counts = stepper_->updates();
  if (counts.empty()) return;
  Summary::Updates u;
  for (const long count : counts) u.total += count;
  u.max = *std::max_element(counts.begin(), counts.end());
  u.min = *std::min_element(counts.begin(), counts.end());
  u.newmark_equivalent = u.max * static_cast<long>(counts.size());
  std::vector<double> steps;
  for (const Term& term : model_.terms) steps.push_back(term.step);
  u.predicted = terms::speed_up(steps);
  if (u.total > 0)
    u.ratio = static_cast<double>(u.newmark_equivalent) / static_cast<double>(u.total);
  if (summary_.wall_seconds > 0.0)
    u.per_second = static_cast<double>(u.total) / summary_.wall_seconds;
  summary_.updates = u;
}

void Runner::fill_summary() {
  recorder_.fill(summary_, figures_);
  summary_.varia = version;
  summary_.scenario = model_.scenario.name;
  summary_.title = model_.scenario.title;
  summary_.method = model_.method.name();
  summary_.order = model_.system->d > 0 ? model_.method.constrained_order() : model_.method.order();
  summary_.step = model_.step;
  summary_.steps = done_;
  summary_.wall_seconds = seconds_before_ + seconds_since(begin_);
  summary_.steps_per_second =
      summary_.wall_seconds > 0.0 ? static_cast<double>(done_) / summary_.wall_seconds : 0.0;
  summary_.structure = {model_.structure.separable, stepper_->is_explicit(),
                        model_.structure.time_independent, model_.structure.cyclic};
  const FlowStatistics statistics = stepper_->statistics();
  if (!model_.method.baseline() && statistics.steps > 0)
    summary_.newton = {
        static_cast<double>(statistics.iterations) / static_cast<double>(statistics.steps),
        statistics.max_iterations, summary_.status == "failed" ? 1 : 0};
  fill_updates();
  summary_.evaluation = evaluation_.text;
  summary_.overrides = model_.scenario.overrides;
  if (log_) summary_.records = log_->records();
  summary_.variational = model_.method.variational();
  summary_.verdicts = verdicts(model_, summary_);
}

void Runner::write_files() {
  log_->flush();
  RecordReader reader(path("trajectory.partial"));
  const TrajectoryAttributes about{model_.scenario.title, full_text(model_.scenario),
                                   model_.method.name(), model_.step};
  write_trajectories(reader, options_.directory, model_.scenario.output.formats, about, summary_);
  summary_.files.emplace_back("checkpoint.h5", path("checkpoint.h5"));
  summary_.files.emplace_back("summary.json", path("summary.json"));
  if (options_.finish) {
    reader.rewind();
    options_.finish(reader, summary_);
  }
  write_atomically(path("summary.json"), to_json(summary_));
  log_->remove();
}

/// The start may have been moved onto the constraint.
void Runner::note_projection() {
  if (!model_.scenario.start.project || model_.system->d == 0) return;
  double moved = 0.0;
  for (std::size_t i = 0; i < model_.q0.size(); ++i)
    moved = std::max(moved, std::abs(recorder_.snapshot().q[i] - model_.q0[i]));
  if (moved > 1e-14)
    summary_.warnings.push_back("the start was moved by " + short_number(moved) +
                                " onto the constraint (project = true)");
}

/// What is observed must have a value at the start.
void Runner::record_start() {
  try {
    recorder_.record(*stepper_);
  } catch (const DomainError& error) {
    const std::string text = error.what();
    for (const auto& [name, observed] : model_.scenario.system.observe)
      if (text.starts_with(name + " ")) throw ScenarioError(observed, text);
    throw;
  }
}

void Runner::prepare() {
  const bool restarted = !options_.restart.empty();
  const bool automatic = model_.scenario.run.evaluation == "auto";
  std::vector<std::string> compiled;
  if (restarted && automatic) {
    const Checkpoint before = read_checkpoint(options_.restart);
    model_.scenario.run.evaluation = before.text("evaluation");
    for (const auto& [name, text] : before.texts)
      if (name == "compiled") compiled = words_of(text);
  }
  evaluation_ = prepare_evaluation(model_, compiled);
  if (restarted && automatic && !evaluation_.native)
    evaluation_.text = "interpreter (as before the restart)";
  summary_.warnings = model_.notes;
  if (!evaluation_.note.empty()) summary_.warnings.push_back(evaluation_.note);
  stepper_ = make_stepper(model_);
  record_start();
  if (restarted) {
    restart();
    recorder_.record(*stepper_);
  } else {
    note_projection();
  }
  if (files()) open_log();
  begin_ = last_checkpoint_ = last_progress_ = RunClock::now();
}

void Runner::fail(const Error& error, bool solver) {
  summary_.status = "failed";
  summary_.message = error.what();
  if (solver && !stepper_->is_explicit()) summary_.newton.failures = 1;
}

Summary Runner::run() {
  prepare();
  try {
    go();
  } catch (const NoConvergence& error) {
    fail(error, true);
  } catch (const DomainError& error) {
    fail(error, false);
  } catch (const SingularMass& error) {
    fail(error, false);
  }
  if (log_) checkpoint();
  try {
    if (done_ % model_.scenario.run.every != 0) record(false);
  } catch (const DomainError&) {
    // the state of a failed run may be beyond what can be observed; its records end before
    if (summary_.status != "failed") throw;
  }
  fill_summary();
  if (log_) write_files();
  return summary_;
}

}  // namespace

Summary run(Model& model, const RunOptions& options) { return Runner(model, options).run(); }

}  // namespace varia::io
