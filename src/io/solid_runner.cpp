// SPDX-License-Identifier: BSD-3-Clause
#include "varia/io/solid_runner.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>

#include "run_files.hpp"
#include "solid_frames.hpp"
#include "solid_recorder.hpp"
#include "solid_signature.hpp"
#include "solid_verdict.hpp"
#include "ticks.hpp"
#include "varia/core/version.hpp"
#include "varia/io/atomic_file.hpp"
#include "varia/io/verdict.hpp"
#include "varia/solids/quality.hpp"

namespace varia::io {

namespace {

template <int D> class SolidRunner {
 public:
  SolidRunner(const SolidModel& model, const RunOptions& options, const SolidFinish& finish)
      : model_(model),
        options_(options),
        finish_(finish),
        solid_(solids::build<D>(model.problem)),
        recorder_(model, solid_),
        figures_(recorder_.columns().size()),
        frames_(model, solid_, {options.directory, files() && wanted("vtu"), files() && finish}) {}

  Summary run();

 private:
  std::string path(const std::string& name) const { return options_.directory + "/" + name; }
  bool files() const { return !options_.directory.empty(); }
  bool wanted(const char* format) const {
    const auto& formats = model_.scenario.output.formats;
    return std::find(formats.begin(), formats.end(), format) != formats.end();
  }
  const char* method() const { return model_.run.newmark ? "newmark" : "avi"; }

  void choose_step(const Checkpoint* earlier);
  void choose_times(const Checkpoint* earlier);
  void prepare();
  void warn();
  void resume(const Checkpoint& c);
  void open_files(const Checkpoint* earlier);
  void look();
  void take_record(const terms::Synchronised<D>& at, bool keep);
  double next_time() const;
  double chunk(double goal) const;
  void go();
  bool interrupted();
  void report_progress();
  void checkpoint();
  void fill_summary();
  void fill_updates();
  void write_files();
  void write_report(RecordReader& reader);

  const SolidModel& model_;
  const RunOptions& options_;
  const SolidFinish& finish_;
  const solids::Solid<D> solid_;
  SolidRecorder<D> recorder_;
  Figures figures_;
  SolidFrames<D> frames_;
  std::unique_ptr<SolidMotion<D>> motion_;
  std::optional<RecordLog> log_;
  Checkpoint signature_;  ///< without numbers and state
  Summary summary_;
  double step_ = 0.0;  ///< of Newmark; else the smallest of the elements
  double end_ = 0.0;   ///< of the run
  double t_ = 0.0;     ///< all updates not later are done
  double updates_per_time_ = 0.0;
  Ticks record_ticks_, frame_ticks_;
  long next_record_ = 0, next_frame_ = 0;
  double t_before_ = 0.0, seconds_before_ = 0.0;  ///< at the restart
  double checkpoint_cost_ = 0.0;                  ///< seconds
  RunClock::time_point begin_ = RunClock::now(), last_checkpoint_ = begin_, last_progress_ = begin_;
};

/// Newmark: the common step and the end it leads to.
template <int D> void SolidRunner<D>::choose_step(const Checkpoint* earlier) {
  const SolidRun& run = model_.run;
  const double smallest = *std::min_element(solid_.steps.begin(), solid_.steps.end());
  step_ = smallest;
  end_ = run.until;
  if (!run.newmark) {
    for (const double step : solid_.steps) updates_per_time_ += 1.0 / step;
    return;
  }
  const double span = run.until - solid_.t0;
  const auto whole = [](double ratio) {  // the same to a millionth of a step
    const double nearest = std::round(ratio);
    return std::abs(ratio - nearest) <= 1e-6 ? nearest : std::ceil(ratio);
  };
  double steps = static_cast<double>(run.steps);
  if (run.step > 0.0)
    step_ = run.step;
  else if (earlier != nullptr)
    step_ = earlier->array("step").at(0);
  else if (run.steps == 0)
    step_ = span / std::max(1.0, whole(span / smallest));
  if (run.steps == 0) steps = whole(span / step_);
  end_ = solid_.t0 + steps * step_;
  updates_per_time_ = static_cast<double>(solid_.mesh.element_count()) / step_;
  if (run.steps == 0 && std::abs(end_ - run.until) > 1e-6 * step_)
    summary_.warnings.push_back("until is not a whole number of steps: the run ends at t = " +
                                varia::to_text(end_));
}

template <int D> void SolidRunner<D>::choose_times(const Checkpoint* earlier) {
  const SolidRun& run = model_.run;
  record_ticks_ = Ticks::divided(solid_.t0, end_, run.records);
  if (run.frames > 0 && frames_.wanted())
    frame_ticks_ = Ticks::divided(solid_.t0, end_, run.frames - 1);
  next_frame_ = run.frames == 1 ? frame_ticks_.count() : 0;
  if (earlier == nullptr) return;
  const std::vector<double>& spacing = earlier->array("spacing");
  record_ticks_ = Ticks::spaced(solid_.t0, end_, spacing.at(0));
  if (frame_ticks_.count() >= 0 && spacing.at(1) > 0.0)
    frame_ticks_ = Ticks::spaced(solid_.t0, end_, spacing.at(1));
}

template <int D> void SolidRunner<D>::resume(const Checkpoint& c) {
  motion_->load(c);
  figures_.load(c.array("figures"));
  recorder_.load(c.array("momentum_figures"), figures_);
  next_record_ = c.integer("next_record");
  next_frame_ = c.integer("next_frame");
  t_ = t_before_ = c.array("t").at(0);
  seconds_before_ = c.array("seconds").at(0);
  if (t_ > end_)
    throw InvalidArgument(
        "--restart " + options_.restart + ": the checkpoint is at t = " + varia::to_text(t_) +
        ", the scenario ends at t = " + varia::to_text(end_) + ": set a later until");
  if (c.text("start") != signature_.text("start"))
    summary_.warnings.emplace_back(
        "the start values of the scenario are others than those of the first run; the run goes on "
        "from the checkpoint");
}

template <int D> void SolidRunner<D>::open_files(const Checkpoint* earlier) {
  make_directories(options_.directory);
  if (earlier != nullptr)
    log_ = continue_log(
        {options_.restart, options_.directory, recorder_.columns(), figures_, figures_.count()});
  const bool continued = log_.has_value();
  if (!continued) log_ = RecordLog::create(path("trajectory.partial"), recorder_.columns());
  if (earlier == nullptr) {
    if (frames_.wanted()) frames_.begin();
    return;
  }
  if (!continued)
    summary_.warnings.push_back(
        "the records before the restart are not there any more: the trajectory begins after t = " +
        varia::to_text(t_));
  if (!frames_.wanted()) return;
  const auto folder = std::filesystem::path(options_.restart).parent_path();
  const std::string lost =
      frames_.resume(earlier->array("frame_times"), folder.empty() ? "." : folder.string());
  if (!lost.empty()) summary_.warnings.push_back(lost);
}

template <int D> void SolidRunner<D>::warn() {
  summary_.warnings.insert(summary_.warnings.begin(), model_.warnings.begin(),
                           model_.warnings.end());
  long beyond = 0;
  for (std::size_t k = 0; k < solid_.steps.size(); ++k)
    beyond += (model_.run.newmark ? step_ : solid_.steps[k]) > solid_.stable[k] ? 1 : 0;
  if (beyond > 0)
    summary_.warnings.push_back(std::to_string(beyond) + " of " +
                                std::to_string(solid_.steps.size()) +
                                " elements have a step beyond their stable one at rest; if the "
                                "energy grows, use a smaller " +
                                (model_.run.step > 0.0 ? "step" : "courant"));
}

template <int D> void SolidRunner<D>::prepare() {
  if (model_.run.energy_stationary && !options_.restart.empty())
    throw InvalidArgument(
        "--restart " + options_.restart +
        ": with run.energy_stationary = true a run cannot be continued; run it from the start");
  if (files() || !options_.restart.empty())
    signature_ = signed_checkpoint(model_, solid_, column_names(recorder_.columns()));
  std::optional<Checkpoint> earlier;
  if (!options_.restart.empty()) {
    earlier = read_checkpoint(options_.restart);
    check_fits(*earlier, signature_, options_.restart, model_.run);
  }
  const Checkpoint* c = earlier ? &*earlier : nullptr;
  choose_step(c);
  warn();
  choose_times(c);
  t_ = t_before_ = solid_.t0;
  motion_ = make_motion(solid_, model_.run, step_);
  if (c != nullptr) resume(*c);
  recorder_.record(*motion_, motion_->at(t_));
  if (files()) open_files(c);
  begin_ = last_checkpoint_ = last_progress_ = RunClock::now();
  if (c != nullptr || !log_) return;
  checkpoint();  // so that no run is without one, and none is that of another run
}

template <int D> void SolidRunner<D>::take_record(const terms::Synchronised<D>& at, bool keep) {
  if (figures_.count() > 0 && at.t <= figures_.column(0).last) return;  // fewer steps than records
  const std::vector<double>& record = recorder_.record(*motion_, at);
  if (log_) log_->append(record.data());
  if (keep) recorder_.add(*motion_, figures_);
}

/// Records and snapshots that are due.
template <int D> void SolidRunner<D>::look() {
  const bool record =
      next_record_ <= record_ticks_.count() && record_ticks_.time(next_record_) <= t_;
  const bool frame = next_frame_ <= frame_ticks_.count() && frame_ticks_.time(next_frame_) <= t_;
  if (!record && !frame) return;
  const terms::Synchronised<D> at = motion_->at(t_);
  if (record) take_record(at, true);
  if (record) ++next_record_;
  if (!frame) return;
  if (frames_.times().empty() || at.t > frames_.times().back()) frames_.write(*motion_, at);
  ++next_frame_;
}

template <int D> double SolidRunner<D>::next_time() const {
  double next = end_;
  if (next_record_ <= record_ticks_.count())
    next = std::min(next, record_ticks_.time(next_record_));
  if (next_frame_ <= frame_ticks_.count()) next = std::min(next, frame_ticks_.time(next_frame_));
  return next;
}

/// To the next record or snapshot, or less far: about a tenth of a second at a time.
template <int D> double SolidRunner<D>::chunk(double goal) const {
  const double elapsed = seconds_since(begin_);
  double far = 1e5 / updates_per_time_;
  if (elapsed > 0.2) far = 0.1 * (t_ - t_before_) / elapsed;
  const double to = std::max(t_ + far, std::nextafter(t_, end_));
  return to < goal ? to : goal;
}

template <int D> void SolidRunner<D>::report_progress() {
  if (!options_.progress || seconds_since(last_progress_) < 0.2) return;
  last_progress_ = RunClock::now();
  const double elapsed = seconds_since(begin_), done = t_ - t_before_;
  Progress p;
  p.done = static_cast<long>(updates_per_time_ * (t_ - solid_.t0));
  p.steps = static_cast<long>(updates_per_time_ * (end_ - solid_.t0));
  p.t = t_;
  p.unit = "updates";
  if (elapsed > 0.0 && done > 0.0) {
    p.steps_per_second = updates_per_time_ * done / elapsed;
    p.seconds_left = (end_ - t_) / done * elapsed;
  }
  options_.progress(p);
}

template <int D> bool SolidRunner<D>::interrupted() {
  if (!options_.interrupted || !options_.interrupted()) return false;
  summary_.status = "interrupted";
  summary_.message = "interrupted at t = " + varia::to_text(t_) + " of " + varia::to_text(end_) +
                     (files() ? "; go on with --restart " + path("checkpoint.h5") : "");
  return true;
}

template <int D> void SolidRunner<D>::go() {
  look();
  while (t_ < end_) {
    const double to = chunk(next_time());
    motion_->advance(to);
    t_ = to;
    look();
    report_progress();
    if (t_ < end_ && interrupted()) return;
    // not more than a tenth of the time for checkpoints
    if (log_ && seconds_since(last_checkpoint_) >
                    std::max(options_.checkpoint_seconds, 10.0 * checkpoint_cost_))
      checkpoint();
  }
}

template <int D> void SolidRunner<D>::checkpoint() {
  const RunClock::time_point start = RunClock::now();
  log_->flush();
  frames_.list();
  Checkpoint c = signature_;
  c.integers = {{"next_record", next_record_}, {"next_frame", next_frame_}};
  c.arrays = {{"t", {t_}},
              {"step", {step_}},
              {"spacing", {record_ticks_.spacing(), frame_ticks_.spacing()}},
              {"seconds", {seconds_before_ + seconds_since(begin_)}},
              {"figures", figures_.save()},
              {"momentum_figures", recorder_.save()},
              {"frame_times", frames_.times()}};
  motion_->save(c);
  write_checkpoint(path("checkpoint.h5"), c);
  last_checkpoint_ = RunClock::now();
  checkpoint_cost_ = seconds_since(start);
}

template <int D> void SolidRunner<D>::fill_updates() {
  Summary::Updates u;
  const int elements = solid_.system.term_count();
  u.min = motion_->updates(0);
  for (int k = 0; k < elements; ++k) {
    const long count = motion_->updates(k);
    u.total += count;
    u.max = std::max(u.max, count);
    u.min = std::min(u.min, count);
  }
  const double steps = std::floor((t_ - solid_.t0) / step_ * (1 + 1e-12));
  u.newmark_equivalent =
      model_.run.newmark ? u.total : static_cast<long>(steps) * static_cast<long>(elements);
  if (u.total > 0)
    u.ratio = static_cast<double>(u.newmark_equivalent) / static_cast<double>(u.total);
  u.predicted = model_.run.newmark ? 1.0 : solids::speed_up(solid_.steps);
  if (summary_.wall_seconds > 0.0)
    u.per_second = static_cast<double>(u.total) / summary_.wall_seconds;
  summary_.updates = u;
  summary_.steps = u.max;
}

template <int D> void SolidRunner<D>::fill_summary() {
  const SolidRun& run = model_.run;
  recorder_.fill(summary_, figures_);
  summary_.varia = version;
  summary_.scenario = model_.scenario.name;
  summary_.title = model_.scenario.title;
  summary_.method = method();
  summary_.order = run.half_kick || run.newmark ? 2 : 1;
  summary_.step = step_;
  summary_.wall_seconds = seconds_before_ + seconds_since(begin_);
  fill_updates();
  if (summary_.wall_seconds > 0.0)
    summary_.steps_per_second = static_cast<double>(summary_.steps) / summary_.wall_seconds;
  summary_.structure = {true, true, recorder_.laws().time_independent, {}};
  summary_.mesh = {solid_.mesh.node_count(), solid_.mesh.element_count(),
                   std::string(solids::info(solid_.mesh.shape).name)};
  if (const double residual = motion_->energy_residual(); residual >= 0.0)
    summary_.energy_residual = {residual};
  summary_.evaluation = run.newmark ? "explicit, one step for all elements"
                        : run.queue ? "explicit, one queue"
                                    : "explicit, node clocks, " + std::to_string(run.threads) +
                                          (run.threads == 1 ? " thread" : " threads");
  summary_.overrides = model_.scenario.overrides;
  if (log_) summary_.records = log_->records();
  const MomentumFigures& m = recorder_.momenta();
  summary_.verdicts =
      solid_verdicts({recorder_.laws(), summary_.t_end - solid_.t0, m.linear, m.angular,
                      m.balance_scale > 0.0 ? m.defect / m.balance_scale : m.defect},
                     summary_);
}

template <int D> void SolidRunner<D>::write_report(RecordReader& reader) {
  SolidPicture picture{D, frames_.drawing(), *frames_.log(), {}, {}};
  for (const int k : frames_.drawing().element) {
    picture.updates.push_back(motion_->updates(k));
    picture.numbers.push_back(solids::element_number(solid_.mesh, k));
  }
  reader.rewind();
  finish_(reader, picture, summary_);
}

template <int D> void SolidRunner<D>::write_files() {
  log_->flush();
  frames_.list();
  RecordReader reader(path("trajectory.partial"));
  write_trajectories(reader, options_.directory, model_.scenario.output.formats,
                     {model_.scenario.title, full_text(model_.scenario), method(), step_},
                     summary_);
  if (wanted("vtu")) summary_.files.emplace_back("solid.pvd", frames_.pvd());
  summary_.files.emplace_back("checkpoint.h5", path("checkpoint.h5"));
  summary_.files.emplace_back("summary.json", path("summary.json"));
  if (finish_) write_report(reader);
  write_atomically(path("summary.json"), to_json(summary_));
  log_->remove();
  // an interrupted run that is continued needs its frames
  if (frames_.log() != nullptr && summary_.status != "interrupted") frames_.log()->remove();
}

template <int D> Summary SolidRunner<D>::run() {
  prepare();
  try {
    go();
    if (log_) checkpoint();
    take_record(motion_->at(t_), false);
  } catch (const DomainError& error) {
    // the state is in the middle of updates: the last checkpoint stays
    summary_.status = "failed";
    summary_.message = error.what();
  }
  fill_summary();
  if (log_) write_files();
  return summary_;
}

}  // namespace

Summary run_solid(const SolidModel& model, const RunOptions& options, const SolidFinish& finish) {
  return model.dimension() == 2 ? SolidRunner<2>(model, options, finish).run()
                                : SolidRunner<3>(model, options, finish).run();
}

}  // namespace varia::io
