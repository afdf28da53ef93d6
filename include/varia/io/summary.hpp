// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The numbers of a run: summary.json. Scripts rely on its keys, which are those of the members.
//
// Numbers are written so that they read back to the same double. What JSON cannot hold (nan, inf)
// is written as null, and the key message then says which keys this concerns.
#include <complex>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "varia/io/body.hpp"
#include "varia/io/choice.hpp"
#include "varia/io/named_numbers.hpp"

namespace varia::io {

template <class Value> using ByName = std::vector<std::pair<std::string, Value>>;  // in this order

/// A law of the run in plain words; see varia/io/verdict.hpp.
struct Verdict {
  std::string name;
  std::string status;  ///< good, note, bad
  std::string value;   ///< the figure it rests on
  std::string text;
};

struct Summary {
  struct Structure {
    bool separable = false;
    bool is_explicit = false;  ///< key: explicit
    bool time_independent = false;
    std::vector<std::string> cyclic;
  };
  struct Final {
    double t = 0;
    NamedNumbers q, v, p;
    std::vector<double> lambda;
  };
  struct Energy {
    double initial = 0, final = 0, max_abs_error = 0, max_rel_error = 0, drift_per_time = 0;
    double min = 0, max = 0;
    double drift_error = 0;  ///< of drift_per_time; 0 without a trend
    std::string trend;       ///< round_off, level, drifting; empty for too few records
    // Sizes of the system, see varia/io/scales.hpp.
    double exchanged = 0;         ///< between motion and place
    double swing = 0;             ///< what of it changes during the run
    bool moves = false;           ///< not everything is at rest all the time
    double round_off = 0;         ///< of one evaluation of the energy
    double lowest_kinetic = 0;    ///< below 0 where a mass is negative
    double of_exchanged() const;  ///< max_abs_error against it
  };
  /// Of forces without t, where every step is recorded.
  struct Work {
    double total = 0;   ///< ∫ f v dt over the records
    double defect = 0;  ///< the largest |E - E₀ - work|
    double doubt = 0;   ///< how well the records tell the work
    double most_power = 0;
  };
  struct Momentum {
    double initial = 0, max_abs_error = 0, final = 0;
    double parts = 0;  ///< the largest sum of sizes of its parts
  };
  struct Observed {
    double initial = 0, final = 0, min = 0, max = 0;
    double range = 0;  ///< max - min
    double mean = 0;   ///< over time
  };
  struct Constraints {
    double max_position = 0, max_velocity = 0;
    double relative_position = 0;  ///< distance from the constraint over the size of coordinates
    double relative_velocity = 0;  ///< speed away from it over the speed
  };
  struct Nonholonomic {
    double max_multiplier_defect = 0;  ///< |λ - κ|, κ(q, p) being those of the equations of motion
    double max_multiplier = 0;         ///< |κ|
  };
  struct Newton {
    double mean_iterations = 0;
    long max_iterations = 0, failures = 0;
    long retried = 0;   ///< solves that failed and were begun anew
    long iterated = 0;  ///< solves by iteration instead of Newton's method
    long damped = 0;    ///< solves by damped steps, where whole ones failed
  };
  // Of [diagnose] only.
  struct ModifiedEnergy {
    int order = 0;  ///< of the formula in the step; 0: by differences
  };
  struct Heat {
    double mean = 0, temperature = 0;
    int degrees_of_freedom = 0;
  };
  struct Balance {
    double by_lagrangian = 0, by_force = 0, defect = 0;
  };
  struct Lyapunov {
    double exponent = 0, error = 0, megno = 0;
  };
  /// Of the end by a parameter.
  struct Sensitivity {
    double t = 0;
    ByName<double> q, p;
  };
  struct Diagnose {
    std::optional<ModifiedEnergy> modified_energy;
    std::optional<Heat> heat;
    ByName<Balance> balance;
    std::optional<Lyapunov> lyapunov;
    ByName<Sensitivity> sensitivity;
  };
  /// A stretch of a run with one step.
  struct Part {
    double from_t = 0, step = 0;
    long steps = 0;
  };
  /// Of a start that was moved onto the constraints: what changed, before and after.
  struct Moved {
    ByName<std::pair<double, double>> q, v;
  };
  /// Of steps of variable length.
  struct StepLength {
    double min = 0, max = 0, final = 0;
  };
  /// Of steps that keep the discrete energy.
  struct KeepEnergy {
    double discrete_energy = 0;
    long minimised = 0;  ///< steps that do not keep it
  };
  /// Of [[event]].
  struct Event {
    std::string when;  ///< the function; empty where it comes every so often
    double every = 0;
    std::string name, direction, action;
    long after = 1, count = 0;
    std::vector<double> times;  ///< of the first ones
  };
  /// Of varia optimise.
  struct Optimum {
    /// An iteration of the solver.
    struct Iteration {
      double cost = 0, infeasibility = 0, stationarity = 0, complementarity = 0, step = 0;
    };
    double cost = 0;
    long iterations = 0;
    double kkt_error = 0, end_time = 0;
    std::string solver, status;
    ByName<double> parameters;                 ///< those that were found
    double infeasibility = 0, seconds = 0;     ///< the largest violation; of the search
    ByName<std::pair<double, double>> bounds;  ///< of the inputs; infinite where there is none
    std::vector<Iteration> history;            ///< not in summary.json
  };
  // Of solids only.
  struct Mesh {
    long nodes = 0, elements = 0;
    std::string kind;
  };
  struct Updates {
    long total = 0, max = 0, min = 0, newmark_equivalent = 0;
    double ratio = 0, per_second = 0;
    double predicted = 0;  ///< the ratio, from the steps alone
    double deviation() const { return predicted > 0 ? ratio / predicted - 1 : 0; }
  };
  struct SolidMomentum {
    std::vector<double> linear, angular;
    double max_change = 0;
  };
  struct EnergyResidual {
    double max_relative = 0;
  };
  /// Of steps that keep the balances of energy.
  struct EnergyStationary {
    long first = 0;   ///< updates before which there was no balance
    long solved = 0;  ///< updates whose step solves it
    long failed = 0;  ///< updates for which no step did
    double smallest_step = 0, largest_step = 0;
  };

  std::string varia;  ///< version; that of the library if empty
  std::string scenario, method;
  int order = 0;
  double step = 0;
  long steps = 0;
  double t_end = 0, wall_seconds = 0, steps_per_second = 0;
  Structure structure;
  Final final;
  Energy energy;
  ByName<Momentum> momenta;
  ByName<Observed> observe;
  Constraints constraints;
  Newton newton;
  std::optional<Work> work;
  double fastest_frequency = 0;  ///< of small motions about the records; 0: not known
  /// λ of the fastest growth, decay or turn with the forces, likewise.
  std::complex<double> fastest_rate = 0.0;
  /// How much of the exchanged energy steps get wrong, measured by shorter ones; where the energy does not tell.
  std::optional<double> step_error;
  std::string status = "done";  ///< done, interrupted, failed
  std::string message;
  Diagnose diagnose;
  RunChoice choice;  ///< of what the scenario leaves open
  std::optional<Moved> moved;
  std::vector<Part> parts;  ///< of a run that went on with a smaller step; else empty
  std::vector<Event> events;
  std::optional<StepLength> step_length;
  std::optional<KeepEnergy> keep_energy;
  std::optional<Nonholonomic> nonholonomic;
  std::vector<Body> bodies;
  std::optional<Optimum> optimum;
  std::optional<Mesh> mesh;
  std::optional<Updates> updates;
  std::optional<SolidMomentum> momentum;
  std::optional<EnergyResidual> energy_residual;
  std::optional<EnergyStationary> energy_stationary;
  std::string title, evaluation;  ///< evaluation: native code, interpreter
  bool variational = true;
  long records = 0;
  ByName<std::string> files;           ///< kind of output -> path
  std::vector<std::string> overrides;  ///< of the scenario, as given to --set
  std::vector<std::string> warnings;
  std::vector<Verdict> verdicts;
};

/// JSON with a newline at the end, indented by so many blanks; on one line if that is negative.
std::string to_json(const Summary& summary, int indent = 2);
/// The same in pieces.
void write_json(const Summary& summary, int indent,
                const std::function<void(std::string_view)>& write);

}  // namespace varia::io
