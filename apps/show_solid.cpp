// SPDX-License-Identifier: BSD-3-Clause
#include "show_solid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

#include "terminal.hpp"
#include "varia/core/counted.hpp"
#include "varia/solids/quality.hpp"

namespace varia::apps {

namespace {

using Json = nlohmann::ordered_json;

/// What is shown, independent of the dimension. Elements have the numbers that the user knows.
struct Facts {
  solids::Quality quality;
  long smallest_size = 0, smallest_step = 0, worst_shape = 0;
  double stable_ratio = 0;  ///< largest step/stable step
  long stable_element = 0;
  double mass = 0;
  double smallest_stable = 0;
};

template <int D> Facts facts(const io::SolidModel& m) {
  const solids::Solid<D> solid = solids::build<D>(m.problem);
  Facts f;
  f.quality = solids::quality(solid.mesh, solid.steps);
  const auto number = [&](long k) { return solids::element_number(solid.mesh, k); };
  f.smallest_size = number(f.quality.size.smallest_element);
  f.smallest_step = number(f.quality.step.smallest_element);
  f.worst_shape = number(f.quality.roundness.smallest_element);
  f.mass = solid.total_mass;
  for (std::size_t k = 0; k < solid.steps.size(); ++k) {
    const double ratio = solid.steps[k] / solid.stable[k];
    if (ratio <= f.stable_ratio) continue;
    f.stable_ratio = ratio;
    f.stable_element = number(static_cast<long>(k));
  }
  f.smallest_stable = *std::min_element(solid.stable.begin(), solid.stable.end());
  return f;
}

Facts facts(const io::SolidModel& m) { return m.dimension() == 2 ? facts<2>(m) : facts<3>(m); }

/// The step of newmark; of avi the smallest one.
double common_step(const io::SolidModel& m, const Facts& f) {
  return m.run.newmark && m.run.step > 0 ? m.run.step : f.quality.step.smallest;
}

double span(const io::SolidModel& m, const Facts& f) {
  if (m.run.steps > 0) return static_cast<double>(m.run.steps) * common_step(m, f);
  return m.run.until - m.problem.t0;
}

/// About how many element updates the run takes.
double updates(const io::SolidModel& m, const Facts& f, bool newmark) {
  const double per = newmark ? common_step(m, f) : f.quality.step.harmonic_mean;
  return static_cast<double>(f.quality.elements) * span(m, f) / per;
}

std::string material_text(const solids::Material& material) {
  std::string text = material.model;
  for (const auto& [name, value] : material.parameters)
    text += fmt::format(", {} = {:g}", name, value);
  return text + fmt::format(", density = {:g}; wave speed {:g}", material.density,
                            solids::wave_speed(material));
}

void print_selections(const char* title, const std::vector<io::Selection>& list,
                      const char* thing) {
  for (const io::Selection& s : list) {
    fmt::print("{:<12} {}: {}: {}\n", title, s.key, printable(s.text), counted(s.count, thing));
    title = "";
  }
}

std::string distribution_text(const solids::Distribution& d) {
  return fmt::format("{:g} to {:g}, harmonic mean {:g}", d.smallest, d.largest, d.harmonic_mean);
}

void print_steps(const io::SolidModel& m, const Facts& f) {
  const solids::Quality& q = f.quality;
  fmt::print("Steps        {}; smallest in element {}\n", distribution_text(q.step),
             f.smallest_step);
  const double worst = m.run.newmark ? common_step(m, f) / f.smallest_stable : f.stable_ratio;
  fmt::print(
      "Stability    {} {:.3g} of {}{}\n", m.run.newmark ? "the step is" : "steps are at most",
      worst,
      m.run.newmark ? "the smallest stable step of an element" : "the stable step of their element",
      worst < 1 ? "" : ": too large");
  fmt::print("Updates      about {:.3g} of elements; newmark with the smallest step {:.3g}\n",
             updates(m, f, m.run.newmark), updates(m, f, true));
  fmt::print("Speed-up     {:.3g} times fewer updates with asynchronous steps\n", q.speed_up);
}

void print(const io::SolidModel& m, const Facts& f) {
  const solids::Quality& q = f.quality;
  const solids::Mesh& mesh = m.problem.mesh;
  const bool plane = m.dimension() == 2;
  fmt::print("{}\n\n", printable(m.scenario.title));
  fmt::print("Mesh         {}: {}, {} {}, {} {:g}\n", m.mesh_text, counted(q.nodes, "node"),
             counted(q.elements, "element"), solids::info(mesh.shape).name,
             plane ? "area" : "volume", q.total_volume);
  fmt::print("Inradius     {}; smallest in element {}\n", distribution_text(q.size),
             f.smallest_size);
  fmt::print("Shape        {:.3g} to {:.3g} (1: regular); worst in element {}\n",
             q.roundness.smallest, q.roundness.largest, f.worst_shape);
  for (const solids::Region& r : m.problem.regions)
    fmt::print("{:<12} {}: {}, {}\n", "Material", printable(r.name),
               counted(r.elements.size(), "element"), material_text(r.material));
  if (plane)
    fmt::print("Plane        {}\n", m.problem.plane == solids::Plane::stress ? "stress" : "strain");
  fmt::print("Mass         {:g}\n", f.mass);
  std::string parameters;
  for (const auto& [name, value] : m.parameters)
    parameters += fmt::format("{}{} = {:g}", parameters.empty() ? "" : ", ", name, value);
  fmt::print("Parameters   {}\n", parameters.empty() ? "none" : parameters);
  print_selections("Regions", m.regions, "element");
  if (m.fixes.empty()) fmt::print("Supports     none: the body is free\n");
  print_selections("Supports", m.fixes, "node");
  print_selections("Loads", m.loads, "face");
  for (const io::Probe& p : m.probes)
    fmt::print("{:<12} {}: node {}\n", "Observed", p.name, solids::node_number(mesh, p.node));
  print_steps(m, f);
  fmt::print("Run          {} from t = {:g} for {:g}, {}, {}\n", m.scenario.run.method.value,
             m.problem.t0, span(m, f), counted(m.run.frames, "frame"),
             counted(m.run.records, "record"));
  for (const std::string& warning : m.warnings)
    fmt::print("{}: {}\n", toned(Tone::note, "warning"), warning);
}

Json to_json(const solids::Distribution& d) {
  return {{"smallest", d.smallest},
          {"largest", d.largest},
          {"mean", d.mean},
          {"harmonic_mean", d.harmonic_mean}};
}

Json to_json(const std::vector<io::Selection>& list) {
  Json result = Json::array();
  for (const io::Selection& s : list)
    result.push_back({{"key", s.key}, {"text", s.text}, {"count", s.count}});
  return result;
}

Json materials(const io::SolidModel& m) {
  Json result = Json::array();
  for (const solids::Region& r : m.problem.regions) {
    Json constants = Json::object();
    for (const auto& [name, value] : r.material.parameters) constants[name] = value;
    result.push_back({{"region", r.name},
                      {"elements", r.elements.size()},
                      {"model", r.material.model},
                      {"constants", constants},
                      {"density", r.material.density},
                      {"wave_speed", solids::wave_speed(r.material)}});
  }
  return result;
}

Json to_json(const io::SolidModel& m, const Facts& f) {
  const solids::Quality& q = f.quality;
  return {{"title", m.scenario.title},
          {"mesh",
           {{"source", m.mesh_text},
            {"nodes", q.nodes},
            {"elements", q.elements},
            {"kind", std::string(solids::info(m.problem.mesh.shape).name)},
            {"volume", q.total_volume}}},
          {"inradius", to_json(q.size)},
          {"shape", to_json(q.roundness)},
          {"materials", materials(m)},
          {"plane", m.problem.plane == solids::Plane::stress ? "stress" : "strain"},
          {"mass", f.mass},
          {"parameters", m.parameters},
          {"regions", to_json(m.regions)},
          {"supports", to_json(m.fixes)},
          {"loads", to_json(m.loads)},
          {"method", m.scenario.run.method.value},
          {"courant", m.run.courant},
          {"steps", to_json(q.step)},
          {"smallest_stable_step", f.smallest_stable},
          {"largest_step_over_stable", f.stable_ratio},
          {"updates", updates(m, f, m.run.newmark)},
          {"newmark_updates", updates(m, f, true)},
          {"speed_up", q.speed_up},
          {"t", m.problem.t0},
          {"span", span(m, f)},
          {"warnings", m.warnings}};
}

}  // namespace

void show_solid(const io::SolidModel& model, bool json) {
  const Facts f = facts(model);
  if (json)
    std::cout << to_json(model, f).dump(2) << "\n";
  else
    print(model, f);
}

}  // namespace varia::apps
