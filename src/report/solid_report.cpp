// SPDX-License-Identifier: BSD-3-Clause
#include "varia/report/solid_report.hpp"

#include <algorithm>

#include "parts.hpp"
#include "series.hpp"
#include "varia/io/base64.hpp"
#include "varia/io/verdict.hpp"
#include "varia/report/page.hpp"

namespace varia::report {

namespace {

constexpr std::size_t most_floats = 1600000;  // of all frames: 8.5 MB as base64

std::string unit_of(const io::SolidModel& model, const char* quantity) {
  for (const auto& [name, unit] : model.scenario.output.units)
    if (name == quantity) return unit;
  return {};
}

/// Which frames to show: all, or an even choice with the first and the last.
std::vector<long> chosen(long frames, std::size_t floats) {
  const auto room = static_cast<long>(std::max<std::size_t>(2, most_floats / floats));
  const long shown = std::min(frames, room);
  std::vector<long> result;
  for (long i = 0; i < shown; ++i) result.push_back(shown > 1 ? i * (frames - 1) / (shown - 1) : 0);
  return result;
}

Json frame(const io::SolidPicture& picture, long number) {
  std::vector<float> all;
  const double t = picture.frames.read(number, all);
  const auto nodes = static_cast<std::ptrdiff_t>(picture.drawing.nodes.size());
  const auto triangles = static_cast<std::ptrdiff_t>(picture.drawing.triangle_count());
  const auto x = all.begin() + 3 * nodes, stress = x + triangles;
  return {{"t", t},
          {"x", io::base64(std::vector<float>(all.begin(), x))},
          {"stress", io::base64(std::vector<float>(x, stress))},
          {"speed", io::base64(std::vector<float>(stress, all.end()))}};
}

Json solid(const io::SolidModel& model, const io::SolidPicture& picture) {
  const io::Drawing& drawing = picture.drawing;
  const long frames = picture.frames.frames();
  const std::vector<long> shown =
      chosen(frames, 4 * drawing.nodes.size() + drawing.triangle_count());
  std::string note = drawing.note;
  if (static_cast<long>(shown.size()) < frames)
    note += std::string(note.empty() ? "" : " ") + std::to_string(shown.size()) + " of " +
            std::to_string(frames) + " frames are shown.";
  Json all = Json::array();
  for (const long number : shown) all.push_back(frame(picture, number));
  Json out{
      {"dimension", picture.dimension},
      {"nodes", drawing.nodes.size()},
      {"triangles", io::base64(drawing.triangles)},
      {"edges", io::base64(drawing.edges)},
      {"element", io::base64(std::vector<int>(picture.numbers.begin(), picture.numbers.end()))},
      {"updates", io::base64(std::vector<float>(picture.updates.begin(), picture.updates.end()))},
      {"all_updates",
       io::base64(std::vector<float>(picture.all_updates.begin(), picture.all_updates.end()))},
      {"frames", std::move(all)},
      {"units",
       {{"length", unit_of(model, "length")},
        {"stress", unit_of(model, "stress")},
        {"speed", unit_of(model, "speed")}}}};
  if (!note.empty()) out["note"] = note;
  return out;
}

Json facts(const io::SolidModel& model, const io::Summary& s) {
  Json rows = Json::array();
  const auto add = [&](const char* name, const std::string& value) {
    rows.push_back(Json::array({name, value}));
  };
  const bool avi = !model.run.newmark;
  add("Method", (avi ? "avi, order " : "explicit Newmark, order ") + std::to_string(s.order) +
                    ", variational");
  add("Mesh", model.mesh_text + ": " + std::to_string(s.mesh->elements) + " " + s.mesh->kind +
                  ", " + std::to_string(s.mesh->nodes) + " nodes");
  for (const auto& region : model.problem.regions)
    add("Material", region.material.model + ", density " +
                        io::short_number(region.material.density) +
                        (model.problem.regions.size() > 1 ? " (" + region.name + ")" : ""));
  add(avi ? "Smallest step" : "Step", io::short_number(s.step));
  add("Updates", std::to_string(s.updates->total) + " in all, " + std::to_string(s.updates->min) +
                     " to " + std::to_string(s.updates->max) + " of an element");
  add("Evaluation", s.evaluation);
  add("Speed", io::short_number(s.updates->per_second) + " updates per second");
  for (const auto& warning : s.warnings) add("Note", warning);
  return rows;
}

}  // namespace

std::string solid_report(const io::SolidModel& model, io::RecordReader& reader,
                         const io::SolidPicture& picture, const io::Summary& summary) {
  const std::vector<std::size_t> places = shown_columns(reader.columns(), {});
  const io::ColumnList columns = chosen(reader.columns(), places);
  const Table table = thinned(reader, place_of(reader.columns(), "energy"), most_points, places);
  Json data = head(model.scenario, "run");
  data["verdicts"] = verdict_rows(summary);
  data["t"] = times(table);
  data["columns"] = Json::array();
  add_recorded(columns, table, data["columns"]);
  add_errors(summary, summary.structure.time_independent, columns, table, data["columns"]);
  data["facts"] = facts(model, summary);
  if (picture.frames.frames() > 0) data["solid"] = solid(model, picture);
  return page_of(data, summary);
}

}  // namespace varia::report
