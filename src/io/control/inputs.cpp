// SPDX-License-Identifier: BSD-3-Clause
// Inputs piece by piece, and as a table of a trajectory.h5.
#include <algorithm>
#include <cmath>

#include "varia/core/error.hpp"
#include "varia/core/index.hpp"
#include "varia/io/control_motion.hpp"
#include "varia/io/error.hpp"
#include "varia/io/hdf5_trajectory.hpp"

namespace varia::io {

namespace {
using detail::sz;
constexpr const char* step_begin = "step_begin";
constexpr const char* step_length = "step_length";
constexpr const char* step_part = "step_part";
constexpr std::ptrdiff_t before_inputs = 4;  // columns
}  // namespace

std::size_t ControlInputs::step_at(double time) const {
  const auto behind = std::upper_bound(t.begin(), t.end(), time);
  const auto at = static_cast<std::size_t>(std::distance(t.begin(), behind));
  return std::clamp<std::size_t>(at, 1, steps()) - 1;
}

std::vector<double> interpolation_weights(const std::vector<double>& c, double x) {
  std::vector<double> weights(c.size(), 1.0);
  for (std::size_t i = 0; i < c.size(); ++i)
    for (std::size_t k = 0; k < c.size(); ++k)
      if (k != i) weights[i] *= (x - c[k]) / (c[i] - c[k]);
  return weights;
}

std::vector<double> ControlInputs::at(std::size_t step, double x) const {
  const std::vector<double> weights = interpolation_weights(c, x);
  std::vector<double> values(names.size(), 0.0);
  for (std::size_t i = 0; i < c.size(); ++i)
    for (std::size_t j = 0; j < names.size(); ++j)
      values[j] += weights[i] * u[step][i * names.size() + j];
  return values;
}

std::vector<double> ControlInputs::at(double time) const {
  constexpr double round_off = 1e-9;  // of a step: a node belongs to the step that begins there
  const std::size_t k = step_at(time + round_off * (t[1] - t[0]));
  return at(k, (time - t[k]) / (t[k + 1] - t[k]));
}

ControlInputs inputs_of(const ControlMotion& motion, std::vector<std::string> names) {
  ControlInputs inputs{std::move(names), motion.c, motion.t, {}};
  for (const std::vector<Vn>& step : motion.u) {
    std::vector<double>& numbers = inputs.u.emplace_back();
    for (const Vn& point : step) numbers.insert(numbers.end(), point.begin(), point.end());
  }
  return inputs;
}

ControlTable::ControlTable(const ControlInputs& inputs)
    : inputs_(inputs),
      columns_{{"t", Label("t"), Label()},
               {step_begin, Label("observe"), Label()},
               {step_length, Label("observe"), Label()},
               {step_part, Label("observe"), Label()}} {
  for (const auto& [name, value] : inputs.parameters)
    columns_.push_back({name, Label("observe"), Label()});
  for (const std::string& name : inputs.names) columns_.push_back({name, Label("input"), Label()});
}

long ControlTable::records() const { return static_cast<long>(inputs_.steps() * inputs_.c.size()); }

bool ControlTable::next(double* record) {
  if (at_ >= records()) return false;
  const std::size_t points = inputs_.c.size();
  const std::size_t step = sz(at_) / points, point = sz(at_) % points;
  const double begin = inputs_.t[step], length = inputs_.t[step + 1] - begin;
  record[0] = begin + inputs_.c[point] * length;
  record[1] = begin;
  record[2] = length;
  record[3] = inputs_.c[point];
  double* next = record + before_inputs;
  for (const auto& [name, value] : inputs_.parameters) *next++ = value;
  for (std::size_t j = 0; j < inputs_.names.size(); ++j)
    *next++ = inputs_.u[step][point * inputs_.names.size() + j];
  ++at_;
  return true;
}

namespace {

Hdf5Records open_inputs(const std::string& path) {
  const Hdf5Records trajectory(path);
  try {
    return Hdf5Records(path, control_group);
  } catch (const IoError&) {
    throw InvalidArgument(path +
                          ": has no inputs; take the trajectory.h5 that varia optimise or "
                          "varia run --controls has written");
  }
}

/// Adds a record: a new step where it begins elsewhere.
void add_point(const std::vector<double>& record, ControlInputs& inputs) {
  const double begin = record[1], length = record[2];
  const bool first = inputs.t.empty() || begin != inputs.t[inputs.t.size() - 2];
  if (first) {
    if (!inputs.t.empty()) inputs.t.pop_back();
    inputs.t.insert(inputs.t.end(), {begin, begin + length});
    inputs.u.emplace_back();
  }
  if (inputs.u.size() == 1) inputs.c.push_back(record[3]);
  const auto last = static_cast<std::ptrdiff_t>(inputs.names.size());
  inputs.u.back().insert(inputs.u.back().end(), record.end() - last, record.end());
}

}  // namespace

ControlInputs read_inputs(const std::string& path) {
  Hdf5Records table = open_inputs(path);
  ControlInputs inputs;
  const ColumnList& columns = table.columns();
  const bool fits = std::ssize(columns) > before_inputs && columns[1].name == step_begin &&
                    columns[2].name == step_length && columns[3].name == step_part &&
                    table.records() > 0;
  if (!fits) throw InvalidArgument(path + ": its table of inputs is not one of Varia");
  for (const Column column : columns)
    if (column.kind == "input") inputs.names.push_back(column.name);
  std::vector<double> record(columns.size());
  while (table.next(record.data())) add_point(record, inputs);
  for (std::size_t i = sz(before_inputs); i + inputs.names.size() < columns.size(); ++i)
    inputs.parameters.emplace_back(columns[i].name, record[i]);
  for (const std::vector<double>& step : inputs.u)
    if (step.size() != inputs.c.size() * inputs.names.size())
      throw InvalidArgument(path + ": its table of inputs is not complete");
  return inputs;
}

RecordedMotion read_motion(const std::string& path) {
  Hdf5Records table(path);
  RecordedMotion motion;
  for (const Column& column : table.columns()) motion.names.push_back(column.name);
  std::vector<double> record(motion.names.size());
  while (table.next(record.data())) motion.records.push_back(record);
  if (motion.records.empty()) throw InvalidArgument(path + ": the trajectory is empty");
  return motion;
}

std::vector<std::vector<double>> RecordedMotion::of(const expr::NameList& wanted) const {
  std::vector<std::size_t> places;
  for (const std::string& name : wanted) {
    const auto at = std::find(names.begin(), names.end(), name);
    if (at == names.end())
      throw InvalidArgument("the trajectory has no " + name + ": it is of another system");
    places.push_back(static_cast<std::size_t>(std::distance(names.begin(), at)));
  }
  std::vector<std::vector<double>> rows;
  for (const std::vector<double>& record : records) {
    std::vector<double>& row = rows.emplace_back();
    for (const std::size_t place : places) row.push_back(record[place]);
  }
  return rows;
}

}  // namespace varia::io
