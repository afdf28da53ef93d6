// SPDX-License-Identifier: BSD-3-Clause
#include "plots.hpp"

#include <algorithm>
#include <cmath>

#include "scene.hpp"

namespace varia::report {

namespace {

Json number(double x) { return std::isfinite(x) ? Json(rounded(x, 7)) : Json(nullptr); }

/// What a name stands for in a record.
struct Read {
  std::size_t column = 0;
  bool from_first = false;  ///< less the value of the first record

  double operator()(const std::vector<double>& record, const std::vector<double>& first) const {
    return from_first ? record[column] - first[column] : record[column];
  }
};

Read reader_of(const std::string& name, const io::ColumnList& columns) {
  for (std::size_t k = 0; k < columns.size(); ++k)
    if (columns[k].name == name) return {k, false};
  if (name == io::energy_error_name) return {place_of(columns, "energy"), true};
  throw InvalidArgument("[[plot]]: there is no recorded column " + name);
}

}  // namespace

Json plot_data(const io::Model& model, const io::ColumnList& columns, const Table& table) {
  const io::Plots& plots = model.plots;
  std::vector<Read> extra;
  for (const std::string& name : plots.columns) extra.push_back(reader_of(name, columns));
  std::vector<Json> series(static_cast<std::size_t>(plots.count), Json::array());
  std::vector<double> out(series.size());
  for (const auto& record : table) {
    std::vector<double> x = held_state(model, record);
    for (const Read& read : extra) x.push_back(read(record, table.front()));
    plots.outputs(x.data(), out.data());
    for (std::size_t k = 0; k < out.size(); ++k) series[k].push_back(number(out[k]));
  }
  Json result = Json::array();
  for (const io::Plot& plot : plots.list) {
    Json curves = Json::array();
    for (std::size_t k = 0; k < plot.y.size(); ++k)
      curves.push_back(
          {{"label", plot.y_texts[k]}, {"values", series[static_cast<std::size_t>(plot.y[k])]}});
    result.push_back({{"title", plot.title},
                      {"x", plot.x_text},
                      {"against_time", plot.against_time},
                      {"bins", plot.bins},
                      {"values", series[static_cast<std::size_t>(plot.x)]},
                      {"curves", std::move(curves)}});
  }
  return result;
}

}  // namespace varia::report
