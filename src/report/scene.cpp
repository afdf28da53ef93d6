// SPDX-License-Identifier: BSD-3-Clause
#include "scene.hpp"

#include <algorithm>
#include <cmath>

#include "varia/io/base64.hpp"

namespace varia::report {

namespace {

constexpr std::size_t most_scene_numbers = 900'000;  // of all outputs together: 4.8 MB of text
constexpr std::size_t fewest_frames = 100, most_frames = 6000;

Json of(const io::Drawn& drawn) {
  Json item = {{"kind", drawn.kind}, {"entry", drawn.entry}, {"places", drawn.places}};
  if (!drawn.name.empty()) item["name"] = drawn.name;
  if (!drawn.turn.empty()) item["turn"] = drawn.turn;
  if (!drawn.size.empty()) item["size"] = drawn.size;
  if (drawn.trace) item["trace"] = true;
  if (drawn.spring) item["spring"] = true;
  return item;
}

/// One number where it does not change, else 32-bit floats.
Json series(const std::vector<float>& values) {
  const auto differs = [&](float x) { return !(x == values.front()); };
  if (std::isfinite(values.front()) && std::none_of(values.begin(), values.end(), differs))
    return rounded(static_cast<double>(values.front()), 7);
  return io::base64(values);
}

}  // namespace

std::vector<double> held_state(const io::Model& model, const std::vector<double>& record) {
  const ProductSpace& space = model.system->space;
  std::vector<double> x(static_cast<std::size_t>(1 + space.entries() + 2 * space.dof()));
  x[0] = record[0];
  double* const q = x.data() + 1;
  space.hold_point(record.data() + 1, q);
  const std::size_t entries = model.entry_names.size();
  const double* velocity = record.data() + 1 + entries;
  const double* momentum = velocity + model.velocity_names.size();
  for (const ProductSpace::Place& p : space.factors()) {
    double* const v = q + space.entries() + p.degree;
    p.factor->read_vector(q + p.entry, velocity, v);
    p.factor->read_vector(q + p.entry, momentum, v + space.dof());
    velocity += p.factor->dof();
    momentum += p.factor->dof();
  }
  return x;
}

Json scene_data(const io::Model& model, io::RecordReader& reader) {
  const io::Scene& scene = model.scene;
  const auto count = static_cast<std::size_t>(scene.count);
  const auto frames = static_cast<long>(
      std::clamp(most_scene_numbers / std::max<std::size_t>(count, 1), fewest_frames, most_frames));
  const long total = reader.records();
  const long stride = std::max(1L, (total + frames - 1) / frames);
  std::vector<std::vector<float>> columns(count);
  Json times = Json::array();
  std::vector<double> out(count), record(reader.columns().size());
  reader.rewind();
  for (long k = 0; k < total && reader.next(record.data()); ++k) {
    if (k % stride != 0 && k + 1 != total) continue;
    scene.outputs(held_state(model, record).data(), out.data());
    times.push_back(rounded(record[0], 10));
    for (std::size_t j = 0; j < count; ++j) columns[j].push_back(static_cast<float>(out[j]));
  }
  Json items = Json::array(), numbers = Json::array();
  for (const io::Drawn& drawn : scene.drawn) items.push_back(of(drawn));
  for (const auto& column : columns)
    if (!column.empty()) numbers.push_back(series(column));
  return {{"dimension", scene.dimension},   {"up", scene.up},
          {"by_default", scene.by_default}, {"t", std::move(times)},
          {"items", std::move(items)},      {"outputs", std::move(numbers)}};
}

}  // namespace varia::report
