// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>

#include "check_work.hpp"
#include "fastest_motion.hpp"
#include "flow_of_model.hpp"
#include "trial_step.hpp"
#include "varia/io/checkpoint.hpp"
#include "varia/io/choice.hpp"
#include "varia/io/error.hpp"
#include "varia/io/verdict.hpp"

namespace varia::io {

namespace {

constexpr double two_pi = 6.283185307179586;
constexpr double trial_periods = 10.0;  // of the fastest motion at the start
constexpr int looks = 16;               // at the trial
constexpr int few_degrees = 20;       // of freedom; with more every fourth look is for frequencies
constexpr double usual_error = 0.01;  // without a tolerance
constexpr double fewest_in_period = 6.0;  // steps, however large the tolerance
constexpr double fewest_in_run = 50.0;
constexpr int most_pairs = 30;
constexpr double pair_seconds = 0.5;      // of CheckWork, with a tolerance four times as much
constexpr double part_of_run = 0.1;       // for a pair of trials, where these are not short anyway
constexpr double short_pair = 0.002;      // seconds
constexpr double time_without_end = 1e3;  // no motion is looked for that is slower

double steps_in_period(int order) { return order >= 4 ? 30.0 : order >= 2 ? 60.0 : 200.0; }

/// To two digits, downwards.
double rounded_down(double x) {
  const double unit = std::pow(10.0, std::floor(std::log10(x)) - 1.0);
  return std::floor(x / unit * (1.0 + 1e-9)) * unit;
}

/// Places along a trial, or momenta where points are left out.
using Places = std::vector<Vn>;

/// Trials with steps h and h/2 from the start.
class StepTrials {
 public:
  StepTrials(const Model& model, const AnyFlow& flow, double stretch)
      : flow_(flow),
        cost_(flow),
        start_(start_of(model)),
        stretch_(stretch),
        order_(model.system->d + model.system->e > 0 ? model.method.constrained_order()
                                                     : model.method.order()) {}

  int order() const { return order_; }
  double stretch() const { return stretch_; }
  /// Of a pair of trials with step h: whether it can be made with so much work.
  bool fits(double h, double seconds) const {
    return work(3.0 * std::abs(stretch_ / h)) <= seconds;
  }
  /// Seconds for so many steps.
  double work(double steps) const {
    const auto count = static_cast<long>(std::min(1e15, steps));
    return cost_.seconds(count, 3 * count);
  }
  void shorten(double stretch) { stretch_ = stretch; }
  /// The longest step up to h that a trial can have.
  double fitting(double h) const { return std::abs(stretch_) / static_cast<double>(count(h)); }

  /// States along a trial with steps of about h; none where a step fails.
  const std::optional<std::vector<VectorState>>& states(double h) {
    const long steps = count(h);
    if (steps != kept_steps_ || stretch_ != kept_stretch_) {
      kept_ = walk(steps);
      kept_steps_ = steps;
      kept_stretch_ = stretch_;
    }
    return kept_;
  }

  /// The error of the positions with step h, as the two trials tell it; none where a step fails.
  std::optional<double> error(double h) {
    const auto& coarse = states(h);
    const auto fine = walk(2 * count(h));
    if (!coarse || !fine) return std::nullopt;
    const Places a = places(*coarse), b = places(*fine);
    Vn low = b.front(), high = b.front();
    double difference = 0.0;
    for (std::size_t k = 0; k < b.size(); ++k) {
      low = low.cwiseMin(b[k]);
      high = high.cwiseMax(b[k]);
      difference = std::max(difference, (a[k] - b[k]).cwiseAbs().maxCoeff());
    }
    const double moved = (high - low).maxCoeff();
    if (moved == 0.0) return 0.0;
    return difference / moved / (1.0 - std::pow(0.5, order_));
  }

 private:
  long count(double h) const {
    return looks * static_cast<long>(std::max(1.0, std::ceil(std::abs(stretch_ / h) / looks)));
  }

  std::optional<std::vector<VectorState>> walk(long steps) const {
    const double h = stretch_ / static_cast<double>(steps);
    std::vector<VectorState> states{start_};
    VectorState s = start_;
    bool finite = true;
    const bool made = steps_are_made([&] {
      AnyFlow::Memory memory = flow_.memory(s);
      for (int k = 0; k < looks && finite; ++k) {
        flow_.move(s, h, steps / looks, memory);
        finite = s.q.allFinite() && s.p.allFinite();
        states.push_back(s);
      }
    });
    if (!made || !finite) return std::nullopt;
    return states;
  }

  static Places places(const std::vector<VectorState>& states) {
    Places all;
    all.reserve(states.size());
    for (const VectorState& s : states) all.push_back(s.q.size() > 0 ? s.q : s.p);
    return all;
  }

  AnyFlow flow_;
  StepCost cost_;
  VectorState start_;
  double stretch_;
  int order_;
  std::optional<std::vector<VectorState>> kept_;  ///< of the last trial that was looked at
  long kept_steps_ = 0;
  double kept_stretch_ = 0.0;
};

class StepChoice {
 public:
  explicit StepChoice(Model& model)
      : model_(model),
        choice_(model.choice),
        direction_(model.span < 0.0 ? -1.0 : 1.0),
        longest_(model.scenario.run.until ? std::abs(model.span) : time_without_end),
        fastest_(model, direction_ * longest_),
        trials_(model, flow_of(model, true), direction_ * longest_) {}

  void make();

 private:
  bool asked() const { return choice_.tolerance > 0.0; }
  double bound() const { return asked() ? choice_.tolerance : usual_error; }
  double seconds() const { return asked() ? 4.0 * pair_seconds : pair_seconds; }
  const Text& tolerance() const { return *model_.scenario.run.tolerance; }
  double by_frequency(double periods_part) const {
    const double period = choice_.frequency > 0.0 ? two_pi / choice_.frequency : longest_;
    return std::min(period / periods_part, longest_ / fewest_in_run);
  }
  double steps_of_run(double h) const;
  double seconds_for(double h) const;
  double shortest_stretch(double h) const;
  void measure_frequency();
  void look_along(double& h);
  double by_errors(double h);
  double next(double h, double error) const;
  [[noreturn]] void out_of_reach(double h, double error, bool work) const;
  double fitted(double h) const;
  double in_pace(double h) const;
  void explain(double h);

  Model& model_;
  RunChoice& choice_;
  double direction_, longest_;
  FastestMotion fastest_;
  StepTrials trials_;
  bool failed_ = false;  ///< trials with longer steps
};

void StepChoice::measure_frequency() {
  choice_.frequency = fastest_(start_of(model_));
  if (choice_.frequency == 0.0 && !model_.scenario.run.until)
    throw ScenarioError(
        model_.scenario.run.step,
        "missing, and no time scale is seen in the motion: give a step, for example "
        "step = 0.05, or the end of the run by until");
  if (choice_.frequency > 0.0)
    trials_.shorten(direction_ * std::min(longest_, trial_periods * two_pi / choice_.frequency));
}

double StepChoice::steps_of_run(double h) const {
  const std::optional<long>& steps = model_.scenario.run.steps;
  return steps ? static_cast<double>(*steps) : longest_ / std::abs(h);
}

/// What a pair of trials may take: a part of what the run will.
double StepChoice::seconds_for(double h) const {
  const double part = (asked() ? 4.0 : 1.0) * part_of_run * trials_.work(steps_of_run(h));
  return std::clamp(part, short_pair, seconds());
}

/// To which trials are shortened: a period where it is seen.
double StepChoice::shortest_stretch(double h) const {
  const double period = choice_.frequency > 0.0 ? two_pi / choice_.frequency : 0.0;
  return std::max(looks * h, trials_.fits(h, seconds()) ? period : 0.0);
}

/// The frequency along a trial. Where it fails the step is shortened; where that does not help the motion ends on the
/// way, and the trial is made shorter instead.
void StepChoice::look_along(double& h) {
  constexpr int with_shorter_steps = 4;
  const double first = h;
  double failed_over = 0.0;  // the trial over which the first step failed
  for (int tries = 0; tries < most_pairs; ++tries) {
    while (!trials_.fits(h, seconds_for(h)) && std::abs(trials_.stretch()) > shortest_stretch(h))
      trials_.shorten(0.5 * trials_.stretch());
    const auto& states = trials_.states(h);
    if (!states) {
      failed_ = true;
      if (h == first) failed_over = std::abs(trials_.stretch());
      h *= 0.25;
      if ((tries + 1) % with_shorter_steps == 0) {
        trials_.shorten(0.5 * trials_.stretch());
        h = first;
      }
      continue;
    }
    if (h < first && std::abs(trials_.stretch()) < failed_over) {  // it was too long, not the step
      h = first;
      continue;
    }
    const std::size_t stride = model_.system->n > few_degrees ? looks / 4 : 1;
    for (std::size_t k = stride; k < states->size(); k += stride)
      choice_.frequency = std::max(choice_.frequency, fastest_((*states)[k]));
    const double wanted = by_frequency(steps_in_period(trials_.order()));
    if (wanted >= 0.999 * h) return;
    h = wanted;
  }
}

/// The step that brings the error to half of the bound, if it is of the order of the method.
double StepChoice::next(double h, double error) const {
  if (error == 0.0) return 4.0 * h;
  const double factor = std::pow(0.5 * bound() / error, 1.0 / trials_.order());
  return h * std::clamp(factor, 1.0 / 16.0, error > bound() ? 0.7 : 4.0);
}

void StepChoice::out_of_reach(double h, double error, bool work) const {
  const std::string found = "cannot be reached with " + model_.method.name() + ": a step of " +
                            short_number(h) + " has an error of " + short_number(error) +
                            " over t = " + short_number(std::abs(trials_.stretch()));
  throw ScenarioError(
      tolerance(),
      found + (work
                   ? ", and the trial of the step for it takes too much work. Take a method of "
                     "higher order (varia list methods), or a greater tolerance"
                   : ", and shorter steps have no smaller one: that is round-off, or the motion is "
                     "not smooth. Take a greater tolerance"));
}

/// The longest step within the bound; without a tolerance not longer than h.
double StepChoice::by_errors(double h) {
  const double cap = asked() ? std::max(h, by_frequency(fewest_in_period)) : h;
  double best = 0.0, best_error = 0.0, last = 0.0, last_h = 0.0;
  for (int pairs = 0; pairs < most_pairs; ++pairs) {
    h = trials_.fitting(h);
    const std::optional<double> error = trials_.error(h);
    if (error && *error <= bound()) {
      best = h;
      best_error = *error;
      const double longer = std::min(cap, next(h, *error));
      if (!asked() || longer < 1.2 * h || (failed_ && longer > h)) break;
      h = longer;
      continue;
    }
    if (best > 0.0) break;
    failed_ = failed_ || !error;
    const bool stays = last > 0.0 && h < 0.75 * last_h && error.value_or(0.0) > 0.8 * last;
    const double shorter = error ? next(h, *error) : 0.25 * h;
    const bool work = !trials_.fits(shorter, seconds());
    if (stays || work) {
      if (asked()) out_of_reach(h, error.value_or(1.0), work);
      best = h;
      best_error = error.value_or(1.0);
      break;
    }
    if (error) {
      last = *error;
      last_h = h;
    }
    h = shorter;
  }
  if (best == 0.0)
    throw ScenarioError(model_.scenario.run.step,
                        "missing, and none can be measured: trials with steps of " +
                            model_.method.name() + " fail, however short; give a step");
  choice_.error = best_error;
  choice_.stretch = std::abs(trials_.stretch());
  return best;
}

/// Such that the run ends at until, or of few digits.
double StepChoice::fitted(double h) const {
  if (!model_.scenario.run.until) return rounded_down(h);
  const double steps = std::ceil(longest_ / h * (1.0 - 1e-9));
  return longest_ / std::max(1.0, steps);
}

/// Steps in τ are as long as a step in t over g = dt/dτ at the start.
double StepChoice::in_pace(double h) const {
  if (!model_.variable || model_.variable->keep_energy) return rounded_down(h);
  const AnyFlow flow = flow_of(model_);
  VectorState s = start_of(model_);
  const double t = s.t;
  AnyFlow::Memory memory = flow.memory(s);
  const double tau = direction_ * 1e-6 * h;
  flow.move(s, tau, 1, memory);
  return rounded_down(h * std::abs(tau / (s.t - t)));
}

void StepChoice::explain(double h) {
  std::string why;
  if (choice_.frequency > 0.0)
    why = short_number(two_pi / choice_.frequency / h) +
          " steps in the shortest period that was seen, " +
          short_number(two_pi / choice_.frequency);
  else
    why = "no time scale was seen within the run";
  if (asked()) why += ", for a tolerance of " + short_number(choice_.tolerance);
  if (choice_.stretch > 0.0)
    why += "; error of the positions over t = " + short_number(choice_.stretch) + ": " +
           short_number(choice_.error) + " of what they move";
  if (!asked() && choice_.error > usual_error)
    why += ", which no shorter step lowers at little cost";
  choice_.step_why = why;
}

void StepChoice::make() {
  measure_frequency();
  double h = by_frequency(steps_in_period(trials_.order()));
  look_along(h);
  if (!asked() && choice_.frequency > 0.0)
    trials_.shorten(direction_ * std::min(std::abs(trials_.stretch()),
                                          trial_periods * two_pi / choice_.frequency));
  const double measured = by_errors(h);
  h = model_.variable ? measured : fitted(measured);
  if (measured > 0.0) choice_.error *= std::pow(h / measured, trials_.order());
  explain(h);
  choice_.step = direction_ * (model_.variable ? in_pace(h) : h);
  Run& run = model_.scenario.run;
  run.step.value = varia::to_text(choice_.step);
  run.tolerance.reset();  // it has led to the step
  set_step(model_, run, choice_.step);
}

}  // namespace

void choose_step(Model& model) {
  if (model.span == 0.0 && model.scenario.run.until)
    throw ScenarioError(*model.scenario.run.until,
                        "is the time of the start, so that no step can be measured; give one, or a "
                        "later until");
  StepChoice(model).make();
}

std::vector<std::string> RunChoice::lines() const {
  std::vector<std::string> all;
  if (!method.empty()) all.push_back(method + ": " + method_why);
  if (step != 0.0) all.push_back("step " + short_number(step) + ": " + step_why);
  return all;
}

namespace {

/// The value of a key in the text of settings.
std::string setting(const std::string& text, const std::string& key) {
  const std::string line = "\n" + key + " = ";
  const std::string all = "\n" + text;
  const auto at = all.find(line);
  if (at == std::string::npos) return {};
  const auto begin = at + line.size();
  return all.substr(begin, all.find('\n', begin) - begin);
}

}  // namespace

Model continued_model(const Scenario& scenario, const std::string& checkpoint) {
  Scenario here = scenario;
  Run& run = here.run;
  const bool method = run.open_method(), step = run.open_step();
  if (!method && !step) return build_model(here);
  const Checkpoint earlier = read_checkpoint(checkpoint);
  const bool solid = std::any_of(earlier.texts.begin(), earlier.texts.end(),
                                 [](const auto& text) { return text.first == "solid"; });
  const auto take = [&](Text& text) {
    const std::string before = setting(earlier.text("settings"), text.key);
    if (!before.empty() && !solid) text.value = before;
  };
  if (method) take(run.method);
  if (step) {
    take(run.step);
    run.tolerance.reset();
  }
  Model model = build_model(here);
  const std::string why = "as before the restart";
  if (method) {
    model.choice.method = model.method.name();
    model.choice.method_why = why;
  }
  if (step) {
    model.choice.step = model.step;
    model.choice.step_why = why;
  }
  return model;
}

}  // namespace varia::io
