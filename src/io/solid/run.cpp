// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <filesystem>

#include "../run/run_loop.hpp"
#include "frames.hpp"
#include "laws.hpp"
#include "recorder.hpp"
#include "varia/io/error.hpp"
#include "varia/io/solid_checkpoint.hpp"
#include "varia/io/solid_runner.hpp"
#include "varia/solids/quality.hpp"

namespace varia::io {

namespace {

/// Times at which something is written: t0 + i·spacing by multiplication, and the end.
class Ticks {
 public:
  Ticks() = default;
  /// Ticks 0 to count(), the last at the end.
  static Ticks divided(double t0, double end, long intervals) {
    return spaced(t0, end, (end - t0) / static_cast<double>(std::max(1L, intervals)));
  }
  /// The spacing of an earlier run.
  static Ticks spaced(double t0, double end, double spacing) {
    Ticks ticks;
    ticks.t0_ = t0;
    ticks.end_ = end;
    ticks.spacing_ = spacing;
    ticks.count_ =
        spacing > 0.0 ? static_cast<long>(std::ceil((end - t0) / spacing * (1 - 1e-12))) : 0;
    return ticks;
  }

  double time(long i) const { return i >= count_ ? end_ : t0_ + static_cast<double>(i) * spacing_; }
  long count() const { return count_; }
  double spacing() const { return spacing_; }

 private:
  double t0_ = 0.0, end_ = 0.0, spacing_ = 0.0;
  long count_ = -1;  ///< -1: no ticks
};

/// Those in the file of frames at a checkpoint.
EarlierFrames earlier_frames(const Checkpoint& c) {
  return {c.integer("frames"), std::stoull(c.text("frames_checksum"))};
}

template <int D> class SolidLoop final : public RunLoop {
 public:
  SolidLoop(const SolidModel& model, const RunOptions& options, const SolidFinish& finish);

 private:
  const ColumnList& columns() const override { return recorder_.columns(); }
  Settings settings() const override { return kept_by_a_restart(scenario_.settings); }
  void begin(const Checkpoint* earlier) override;
  bool finished() const override { return !(t_ < end_); }
  bool advance() override;
  void record_due() override;
  void record_end() override;
  void attempt(const std::function<void()>& work) override;
  /// The state is then in the middle of updates.
  bool survives_failure() const override { return false; }
  double time() const override { return t_; }
  Progress progress() const override;
  std::string so_far() const override;
  void save(Checkpoint& c) const override;
  void summarise() override;
  std::vector<Verdict> judge() const override;
  void open_more_files(const Checkpoint* earlier) override;
  void flush_more_files() override { frames_.list(); }
  void list_more_files() override;
  void remove_more_files() override;
  void report(RecordReader& reader) override;

  void choose_step(const Checkpoint* earlier);
  void choose_times(const Checkpoint* earlier);
  void warn();
  void restart(const Checkpoint& c);
  void take_record(const terms::Synchronised<D>& at);
  double next_time() const;
  double chunk(double goal) const;
  void summarise_updates();
  std::string earlier_folder() const;
  void refuse_damaged_frames(const Checkpoint& earlier) const;

  const SolidModel& model_;
  const SolidFinish& finish_;
  const solids::Solid<D> solid_;
  SolidRecorder<D> recorder_;
  SolidFrames<D> frames_;
  std::unique_ptr<SolidMotion<D>> motion_;
  Checkpoint signature_;   ///< without numbers and state
  double step_ = 0.0;      ///< of Newmark; else the smallest of the elements
  double end_ = 0.0;       ///< of the run
  double t_ = 0.0;         ///< all updates not later are done
  double t_before_ = 0.0;  ///< at the restart
  double updates_per_time_ = 0.0;
  Ticks record_ticks_, frame_ticks_;
  long next_record_ = 0, next_frame_ = 0;
};

template <int D>
SolidLoop<D>::SolidLoop(const SolidModel& model, const RunOptions& options,
                        const SolidFinish& finish)
    : RunLoop(model.scenario, options),
      model_(model),
      finish_(finish),
      solid_(solids::build<D>(model.problem)),
      recorder_(model, solid_),
      frames_(model, solid_, {options.directory, files() && wanted("vtu"), files() && finish}) {
  figures_ = Figures(recorder_.columns().size());
  if (model.run.energy_stationary && !options.restart.empty())
    throw InvalidArgument(
        "--restart " + options.restart +
        ": with run.energy_stationary = true a run cannot be continued; run it from the start");
}

/// Newmark: the common step and the end it leads to.
template <int D> void SolidLoop<D>::choose_step(const Checkpoint* earlier) {
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

template <int D> void SolidLoop<D>::choose_times(const Checkpoint* earlier) {
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

template <int D> void SolidLoop<D>::restart(const Checkpoint& c) {
  motion_->load(c);
  resume(c, c.text("start") == signature_.text("start"));
  recorder_.load(c.array("momentum_figures"), figures_);
  next_record_ = c.integer("next_record");
  next_frame_ = c.integer("next_frame");
  t_ = t_before_ = c.array("t").at(0);
  if (t_ > end_)
    throw InvalidArgument(
        "--restart " + options_.restart + ": the checkpoint is at t = " + varia::to_text(t_) +
        ", the scenario ends at t = " + varia::to_text(end_) + ": set a later until");
}

/// Of the checkpoint and the files beside it.
template <int D> std::string SolidLoop<D>::earlier_folder() const {
  const auto folder = std::filesystem::path(options_.restart).parent_path();
  return folder.empty() ? "." : folder.string();
}

/// Before any file is touched.
template <int D> void SolidLoop<D>::refuse_damaged_frames(const Checkpoint& earlier) const {
  try {
    frames_.find(earlier_frames(earlier), earlier_folder());
  } catch (const IoError& wrong) {
    throw IoError(
        "--restart " + options_.restart,
        "the frames before the checkpoint cannot be continued: " + std::string(wrong.what()) +
            ". All files are left as they are; move this one away, and the run goes on "
            "without these frames");
  }
}

template <int D> void SolidLoop<D>::open_more_files(const Checkpoint* earlier) {
  if (!frames_.wanted()) return;
  if (earlier == nullptr) {
    frames_.begin();
    return;
  }
  const std::string lost =
      frames_.resume(earlier->array("frame_times"), earlier_frames(*earlier), earlier_folder());
  if (!lost.empty()) summary_.warnings.push_back(lost);
}

template <int D> void SolidLoop<D>::warn() {
  summary_.warnings.insert(summary_.warnings.begin(), model_.warnings.begin(),
                           model_.warnings.end());
  long beyond = 0;
  for (std::size_t k = 0; k < solid_.steps.size(); ++k)
    beyond += (model_.run.newmark ? step_ : solid_.steps[k]) > solid_.stable[k] ? 1 : 0;
  if (beyond > 0)
    summary_.warnings.push_back(std::to_string(beyond) + " of " +
                                std::to_string(solid_.steps.size()) +
                                (beyond == 1 ? " elements has" : " elements have") +
                                " a step above the stable one at rest; if the energy grows, use a "
                                "smaller " +
                                (model_.run.step > 0.0 ? "step" : "courant"));
}

template <int D> void SolidLoop<D>::begin(const Checkpoint* earlier) {
  if (files() || earlier != nullptr) signature_ = signed_checkpoint(model_, solid_);
  if (earlier != nullptr) {
    check_fits(*earlier, signature_, columns().text(), options_.restart, model_.run);
    check_settings(*earlier, settings());
  }
  choose_step(earlier);
  warn();
  choose_times(earlier);
  t_ = t_before_ = solid_.t0;
  motion_ = make_motion(solid_, model_.run, step_);
  if (earlier != nullptr) restart(*earlier);
  if (earlier != nullptr) refuse_damaged_frames(*earlier);
  recorder_.record(*motion_, motion_->at(t_));
}

template <int D> void SolidLoop<D>::take_record(const terms::Synchronised<D>& at) {
  if (figures_.count() > 0 && at.t <= figures_.column(0).last) return;  // fewer steps than records
  const std::vector<double>& record = recorder_.record(*motion_, at);
  append(record);
  recorder_.add(*motion_, figures_);
}

template <int D> void SolidLoop<D>::record_due() {
  const bool record =
      next_record_ <= record_ticks_.count() && record_ticks_.time(next_record_) <= t_;
  const bool frame = next_frame_ <= frame_ticks_.count() && frame_ticks_.time(next_frame_) <= t_;
  if (!record && !frame) return;
  const terms::Synchronised<D> at = motion_->at(t_);
  if (record) take_record(at);
  if (record) ++next_record_;
  if (!frame) return;
  if (frames_.times().empty() || at.t > frames_.times().back()) frames_.write(*motion_, at);
  ++next_frame_;
}

template <int D> double SolidLoop<D>::next_time() const {
  double next = end_;
  if (next_record_ <= record_ticks_.count())
    next = std::min(next, record_ticks_.time(next_record_));
  if (next_frame_ <= frame_ticks_.count()) next = std::min(next, frame_ticks_.time(next_frame_));
  return next;
}

/// To the next record or snapshot, or less far: about a tenth of a second at a time.
template <int D> double SolidLoop<D>::chunk(double goal) const {
  const double seconds = elapsed();
  double far = 1e5 / updates_per_time_;
  if (seconds > 0.2) far = 0.1 * (t_ - t_before_) / seconds;
  const double to = std::max(t_ + far, std::nextafter(t_, end_));
  return to < goal ? to : goal;
}

template <int D> bool SolidLoop<D>::advance() {
  const double to = chunk(next_time());
  motion_->advance(to);
  t_ = to;
  return !finished();
}

template <int D> void SolidLoop<D>::attempt(const std::function<void()>& work) {
  try {
    work();
  } catch (const DomainError& error) {
    fail(error);
  }
}

template <int D> void SolidLoop<D>::record_end() {
  if (summary_.status == "failed") return;
  attempt([this] { take_record(motion_->at(t_)); });
}

template <int D> Progress SolidLoop<D>::progress() const {
  const double seconds = elapsed(), done = t_ - t_before_;
  Progress p;
  p.done = static_cast<long>(updates_per_time_ * (t_ - solid_.t0));
  p.steps = static_cast<long>(updates_per_time_ * (end_ - solid_.t0));
  p.t = t_;
  p.unit = "updates";
  if (seconds > 0.0 && done > 0.0) {
    p.steps_per_second = updates_per_time_ * done / seconds;
    p.seconds_left = (end_ - t_) / done * seconds;
  }
  return p;
}

template <int D> std::string SolidLoop<D>::so_far() const {
  return "at t = " + varia::to_text(t_) + " of " + varia::to_text(end_);
}

template <int D> void SolidLoop<D>::save(Checkpoint& c) const {
  c.texts.insert(c.texts.end(), signature_.texts.begin(), signature_.texts.end());
  c.integers.emplace_back("next_record", next_record_);
  c.integers.emplace_back("next_frame", next_frame_);
  c.arrays.emplace_back("t", std::vector{t_});
  c.arrays.emplace_back("step", std::vector{step_});
  c.arrays.emplace_back("spacing", std::vector{record_ticks_.spacing(), frame_ticks_.spacing()});
  c.arrays.emplace_back("momentum_figures", recorder_.save());
  c.arrays.emplace_back("frame_times", frames_.times());
  c.integers.emplace_back("frames", frames_.written().count);
  c.texts.emplace_back("frames_checksum", std::to_string(frames_.written().checksum));
  motion_->save(c);
}

template <int D> void SolidLoop<D>::summarise_updates() {
  const auto elements = static_cast<long>(solid_.system.term_count());
  std::vector<long> counts;
  for (long k = 0; k < elements; ++k) counts.push_back(motion_->updates(static_cast<int>(k)));
  const double steps = std::floor((t_ - solid_.t0) / step_ * (1 + 1e-12));
  const long common = model_.run.newmark ? counts.front() : static_cast<long>(steps);
  fill_updates(counts, common * elements,
               model_.run.newmark ? 1.0 : solids::speed_up(solid_.steps));
  summary_.steps = summary_.updates->max;
}

template <int D> void SolidLoop<D>::summarise() {
  const SolidRun& run = model_.run;
  recorder_.fill(summary_, figures_);
  summary_.method = run.method();
  summary_.order = run.order();
  summary_.step = step_;
  summarise_updates();
  summary_.structure = {true, true, recorder_.laws().time_independent, {}};
  summary_.mesh = {solid_.mesh.node_count(), solid_.mesh.element_count(),
                   std::string(solids::info(solid_.mesh.shape).name)};
  if (const double residual = motion_->energy_residual(); residual >= 0.0)
    summary_.energy_residual = {residual};
  if (const auto* steps = motion_->stationary())
    summary_.energy_stationary = {static_cast<long>(steps->first), static_cast<long>(steps->solved),
                                  static_cast<long>(steps->failed), steps->smallest_step,
                                  steps->largest_step};
  summary_.evaluation = run.newmark             ? "explicit, one step for all elements"
                        : run.energy_stationary ? "explicit, steps that balance the energy"
                        : run.queue             ? "explicit, one queue"
                                    : "explicit, node clocks, " + std::to_string(run.threads) +
                                          (run.threads == 1 ? " thread" : " threads");
}

template <int D> std::vector<Verdict> SolidLoop<D>::judge() const {
  const MomentumFigures& m = recorder_.momenta();
  return solid_verdicts({recorder_.laws(), !model_.run.newmark, summary_.t_end - solid_.t0,
                         m.balance_scale > 0.0 ? m.defect / m.balance_scale : m.defect},
                        summary_);
}

template <int D> void SolidLoop<D>::list_more_files() {
  if (wanted("vtu")) summary_.files.emplace_back("solid.pvd", frames_.pvd());
}

template <int D> void SolidLoop<D>::report(RecordReader& reader) {
  if (!finish_) return;
  SolidPicture picture{D, frames_.drawing(), *frames_.log(), {}, {}, {}};
  for (const int k : frames_.drawing().element) {
    picture.updates.push_back(motion_->updates(k));
    picture.numbers.push_back(solids::element_number(solid_.mesh, k));
  }
  for (int k = 0; k < solid_.system.term_count(); ++k)
    picture.all_updates.push_back(motion_->updates(k));
  reader.rewind();
  finish_(reader, picture, summary_);
}

/// An interrupted run that is continued needs its frames.
template <int D> void SolidLoop<D>::remove_more_files() {
  if (frames_.log() != nullptr && summary_.status != "interrupted") frames_.log()->remove();
}

}  // namespace

Summary run_solid(const SolidModel& model, const RunOptions& options, const SolidFinish& finish) {
  return model.dimension() == 2 ? SolidLoop<2>(model, options, finish).run()
                                : SolidLoop<3>(model, options, finish).run();
}

}  // namespace varia::io
