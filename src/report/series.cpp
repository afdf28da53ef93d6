// SPDX-License-Identifier: BSD-3-Clause
#include "series.hpp"

#include <algorithm>

namespace varia::report {

namespace {

/// The records of one stretch with the extremes of the guide, in order of time.
struct Stretch {
  std::vector<double> low, high;
  long low_at = -1, high_at = -1;

  void look(const std::vector<double>& record, std::size_t guide, long at) {
    if (low_at < 0 || record[guide] < low[guide]) {
      low = record;
      low_at = at;
    }
    if (high_at < 0 || record[guide] > high[guide]) {
      high = record;
      high_at = at;
    }
  }
  void give(std::vector<std::vector<double>>& out) {
    if (low_at < 0) return;
    if (low_at == high_at) {
      out.push_back(low);
    } else {
      out.push_back(low_at < high_at ? low : high);
      out.push_back(low_at < high_at ? high : low);
    }
    low_at = high_at = -1;
  }
};

}  // namespace

std::vector<std::vector<double>> thinned(io::RecordReader& reader, std::size_t guide, long points) {
  reader.rewind();
  const long total = reader.records();
  const long length = std::max(1L, (2 * total + points - 1) / points);
  std::vector<std::vector<double>> result;
  std::vector<double> record(reader.columns().size());
  Stretch stretch;
  for (long i = 0; i < total && reader.next(record.data()); ++i) {
    if (i == 0 || i == total - 1 || length == 1) {
      stretch.give(result);
      result.push_back(record);
      continue;
    }
    stretch.look(record, guide, i);
    if (i % length == 0) stretch.give(result);
  }
  return result;
}

}  // namespace varia::report
