// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A model in motion: one interface to the flows there are, whatever the type of their states.
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "varia/flow/flow_options.hpp"
#include "varia/io/model.hpp"

namespace varia::io {

/// A state as numbers.
struct Snapshot {
  double t = 0.0;
  std::vector<double> q, v, p, lambda;  ///< q: entries
  std::vector<double> branch;           ///< of the state, see State
};

class Stepper {
 public:
  virtual ~Stepper() = default;
  /// Steps of the model's method. When it throws, the state is that of the last good step, and
  /// completed() tells how many of the steps were done.
  virtual void advance(double h, long count) = 0;
  virtual long completed() const = 0;
  virtual void snapshot(Snapshot& s) const = 0;
  /// Of the present state, given its snapshot.
  virtual double energy(const Snapshot& s) const = 0;
  virtual double time() const = 0;
  /// Everything the further motion depends on, and back: the motion continues to the bit.
  virtual std::vector<double> save() const = 0;
  virtual void load(const std::vector<double>& data) = 0;
  /// What save() gave before the last advance().
  virtual std::vector<double> save_before() const = 0;
  virtual FlowStatistics statistics() const = 0;
  virtual FlowCost cost() const = 0;
  /// How often each term acted; empty for methods with one step for all.
  virtual std::vector<long> updates() const { return {}; }
  /// Appends the inputs, and of an optimum states and co-states, of the present time.
  virtual void controls(std::vector<double>& /*record*/) const {}
};

/// Of a model with inputs: a run along them, or a motion that is known.
std::unique_ptr<Stepper> make_controlled_stepper(const Model& model);

/// At the start of the model. Throws ScenarioError when start or method do not fit the system.
std::unique_ptr<Stepper> make_stepper(const Model& model);

/// Native code for the kernels that the method needs, as scenario.run.evaluation asks.
struct Evaluation {
  bool native = false;
  std::string text;  ///< "native code (gcc, from the cache)", "interpreter (a short run)"
  std::string note;  ///< what did not go as usual
  std::vector<std::string> compiled;  ///< names of the kernels
};
/// as_before: the kernels that the run which this one continues had compiled; none: a new choice.
Evaluation prepare_evaluation(Model& model, const std::vector<std::string>& as_before = {});
/// The same for several runs of one system, with one compilation for all.
Evaluation prepare_evaluation(std::span<Model> runs,
                              const std::vector<std::string>& as_before = {});
/// Whether native code is estimated to be faster for so many runs like this one.
bool native_pays(Model& model, double runs);

}  // namespace varia::io
