// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What a scenario says about a sweep: the table [sweep], or --vary on the command line.
//
//   e = "0 : 0.9 : 0.1"            first, last, step; the last is included
//   e = [0.1, 0.3, 0.6]            a list; on the command line also 0.1, 0.3, 0.6
//   step = "geometric(0.1, 0.001, 5)"   so many values with equal ratios; linear(...) with equal differences
//   e = "uniform(0, 0.9)"          drawn at random; also log_uniform(a, b) and normal(mean, deviation)
#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "varia/io/scenario_text.hpp"

namespace varia::io {

/// A value for a table, and as the text of an override.
struct SweepValue {
  std::string text;  ///< gauss(2)
  std::string toml;  ///< "gauss(2)" with quotes
};

/// Whose numbers are the same on every machine.
using SweepRandom = std::mt19937_64;

/// One varied quantity. Values are made when they are asked for: a range may be long.
struct SweepAxis {
  std::string name;                          ///< as it is written: e, step, start.x
  std::string key;                           ///< in full: system.parameters.e
  Text values;                               ///< as they are written
  long count = 0;                            ///< of the values; 0: they are drawn at random
  bool numbers = false;                      ///< all values are decimal numbers
  std::function<SweepValue(long)> value;     ///< the value of this index
  std::function<double(SweepRandom&)> draw;  ///< instead: the next random value
};

struct SweepText {
  std::vector<SweepAxis> axes;
  bool zipped = false;  ///< the first values together, then the second ones: mode = "list"
  std::optional<long> samples;
  std::optional<std::uint64_t> seed;
  std::vector<std::string> columns;  ///< of the table; empty: all
  Place place;
};

/// More values of one quantity, or more cases, than a sweep may have.
inline constexpr long most_sweep_cases = 1'000'000;

}  // namespace varia::io
