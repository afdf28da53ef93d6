// SPDX-License-Identifier: BSD-3-Clause
#include "series.hpp"

#include <algorithm>

namespace varia::report {

namespace {

constexpr std::size_t most_thinned_numbers = 20'000'000;

/// The records of one stretch with the extremes of the guide, in order of time.
struct Stretch {
  std::vector<double> low, high;
  double least = 0.0, most = 0.0;  ///< of the guide
  long low_at = -1, high_at = -1;

  void look(const std::vector<double>& record, double guide, long at) {
    if (low_at < 0 || guide < least) {
      low = record;
      least = guide;
      low_at = at;
    }
    if (high_at < 0 || guide > most) {
      high = record;
      most = guide;
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

std::vector<std::vector<double>> thinned(io::RecordReader& reader, std::size_t guide, long points,
                                         const std::vector<std::size_t>& places) {
  reader.rewind();
  const long total = reader.records();
  std::vector<double> whole(reader.columns().size());
  const std::size_t width = places.empty() ? whole.size() : places.size();
  points =
      std::min(points, static_cast<long>(std::max<std::size_t>(2, most_thinned_numbers / width)));
  const long length = std::max(1L, (2 * total + points - 1) / points);
  std::vector<std::vector<double>> result;
  std::vector<double> record(places.size());
  Stretch stretch;
  for (long i = 0; i < total && reader.next(whole.data()); ++i) {
    for (std::size_t k = 0; k < places.size(); ++k) record[k] = whole[places[k]];
    if (places.empty()) record = whole;
    if (i == 0 || i == total - 1 || length == 1) {
      stretch.give(result);
      result.push_back(record);
      continue;
    }
    stretch.look(record, whole[guide], i);
    if (i % length == 0) stretch.give(result);
  }
  return result;
}

}  // namespace varia::report
