// SPDX-License-Identifier: BSD-3-Clause
// What holds where: materials of regions, supports, loads, probes.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "../scenario/expressions.hpp"
#include "../scenario/words.hpp"
#include "builder.hpp"

namespace varia::io {

namespace {

using solids::Face;
using solids::Mesh;

std::vector<std::string> boundary_names(const Mesh& mesh) {
  std::vector<std::string> names;
  for (const solids::Boundary& b : mesh.boundaries) names.push_back(b.name);
  return names;
}

std::array<double, 3> centroid(const Mesh& mesh, long element) {
  const int corners = solids::info(mesh.shape).corners, d = mesh.dimension();
  std::array<double, 3> c{};
  for (int i = 0; i < corners; ++i)
    for (int k = 0; k < d; ++k)
      c[static_cast<std::size_t>(k)] += mesh.node(mesh.element(element)[i])[k] / corners;
  return c;
}

/// The corners of a face in ascending order: the same for both elements that share it.
using FaceKey = std::array<int, 3>;

FaceKey face_key(const int* nodes, int corners) {
  FaceKey key{-1, -1, -1};
  std::copy_n(nodes, corners, key.begin());
  std::sort(key.begin(), key.end());
  return key;
}

std::string box_text(const Mesh& mesh) {
  const std::vector<double> box = solids::bounding_box(mesh);
  std::string text;
  for (std::size_t i = 0; i < box.size() / 2; ++i)
    text += (i == 0 ? "" : ", ") + varia::to_text(box[2 * i]) + " <= " + "XYZ"[i] +
            " <= " + varia::to_text(box[2 * i + 1]);
  return text;
}

const Text& given(const WhereText& of) { return of.where ? *of.where : *of.name; }

/// "solid.fix[1]" of "solid.fix[1].where"
Selection selection(const WhereText& of, std::size_t count) {
  const Text& text = given(of);
  return {text.key.substr(0, text.key.rfind('.')), text.value, static_cast<long>(count)};
}

}  // namespace

void SolidModelBuilder::warn(const Text& text, const std::string& message) {
  model_.warnings.push_back(place_text(text.place) + ": " + text.key + ": " + message);
}

void SolidModelBuilder::warn_empty(const WhereText& of, const std::string& what,
                                   const std::vector<std::string>& names) {
  if (of.where)
    warn(*of.where, "\"" + of.where->value + "\" holds for no " + what + "; the mesh has " +
                        box_text(model_.problem.mesh) + ".");
  else
    warn(*of.name,
         "\"" + of.name->value + "\" has no " + what + "; there are: " + listed(names) + ".");
}

Condition SolidModelBuilder::condition(const Text& where) {
  const std::vector<std::string> coordinates(names_.begin(), names_.end() - 1);
  try {
    return parse_condition(graph_, space_, where.value, coordinates);
  } catch (const expr::ParseError& error) {
    throw located(scenario_.text, where, error);
  } catch (const InvalidArgument& error) {
    throw ScenarioError(where, error.what());
  }
}

bool SolidModelBuilder::holds(const Condition& condition, const Text& where,
                              const double* X) const {
  try {
    return condition(X);
  } catch (const DomainError& error) {
    throw ScenarioError(where, error.what());
  }
}

std::vector<int> SolidModelBuilder::nodes_where(const Text& where) {
  const Mesh& mesh = model_.problem.mesh;
  const Condition inside = condition(where);
  std::vector<int> nodes;
  for (long a = 0; a < mesh.node_count(); ++a)
    if (holds(inside, where, mesh.node(a))) nodes.push_back(static_cast<int>(a));
  return nodes;
}

std::vector<Face> SolidModelBuilder::faces_where(const Text& where) {
  const Mesh& mesh = model_.problem.mesh;
  std::vector<bool> inside(static_cast<std::size_t>(mesh.node_count()), false);
  for (const int a : nodes_where(where)) inside[static_cast<std::size_t>(a)] = true;
  std::vector<Face> faces = solids::boundary_faces(mesh);
  std::erase_if(faces, [&](Face face) {
    const auto local = solids::face_nodes(mesh.shape, face.local);
    const int* element = mesh.element(face.element);
    return !std::all_of(local.begin(), local.end(),
                        [&](int i) { return inside[static_cast<std::size_t>(element[i])]; });
  });
  return faces;
}

const solids::Boundary& SolidModelBuilder::boundary(const Text& name) const {
  const Mesh& mesh = model_.problem.mesh;
  for (const solids::Boundary& b : mesh.boundaries)
    if (b.name == name.value) return b;
  const std::vector<std::string> names = boundary_names(mesh);
  throw ScenarioError(name, "the mesh has no boundary \"" + name.value + "\"; there are: " +
                                listed(names) + "." + did_you_mean(name.value, names));
}

/// The faces of a named boundary as faces of elements; of an inner one that of the first element.
std::vector<Face> SolidModelBuilder::faces_of(const Text& name,
                                              const solids::Boundary& boundary) const {
  const Mesh& mesh = model_.problem.mesh;
  const solids::ShapeInfo& shape = solids::info(mesh.shape);
  if (boundary.faces.empty() && !boundary.nodes.empty())
    throw ScenarioError(name, "the boundary \"" + boundary.name +
                                  "\" has nodes but no faces, and a traction acts on faces.");
  std::vector<FaceKey> wanted;
  for (std::size_t k = 0; k < boundary.faces.size();
       k += static_cast<std::size_t>(shape.face_nodes))
    wanted.push_back(face_key(boundary.faces.data() + k, shape.face_corners));
  std::sort(wanted.begin(), wanted.end());
  std::vector<bool> taken(wanted.size(), false);
  std::vector<Face> faces;
  for (long k = 0; k < mesh.element_count(); ++k)
    for (int f = 0; f < shape.faces; ++f) {
      const auto local = solids::face_nodes(mesh.shape, f);
      std::array<int, 3> corners{};
      for (int i = 0; i < shape.face_corners; ++i)
        corners[static_cast<std::size_t>(i)] = mesh.element(k)[local[static_cast<std::size_t>(i)]];
      const FaceKey key = face_key(corners.data(), shape.face_corners);
      const auto at = std::lower_bound(wanted.begin(), wanted.end(), key);
      const auto number = static_cast<std::size_t>(at - wanted.begin());
      if (at == wanted.end() || *at != key || taken[number]) continue;
      taken[number] = true;
      faces.push_back({static_cast<int>(k), f});
    }
  return faces;
}

void SolidModelBuilder::read_plane() {
  if (!solid_.plane) return;
  if (model_.dimension() != 2)
    throw ScenarioError(*solid_.plane, "the mesh is not plane; leave the key out.");
  model_.problem.plane =
      solid_.plane->value == "stress" ? solids::Plane::stress : solids::Plane::strain;
}

solids::Material SolidModelBuilder::material(const MaterialText& text) {
  std::vector<std::string> models, constants;
  for (const solids::MaterialModel& m : solids::material_models()) {
    models.push_back(m.name);
    for (const auto& set : m.parameters)
      if (m.name == text.model.value) constants.insert(constants.end(), set.begin(), set.end());
  }
  const std::string& name = text.model.value;
  if (std::find(models.begin(), models.end(), name) == models.end())
    throw ScenarioError(text.model, "found \"" + name + "\"; allowed: " + listed(models) + "." +
                                        did_you_mean(name, models));
  solids::Material result;
  result.model = name;
  for (const auto& [constant, value] : text.constants) {
    if (std::find(constants.begin(), constants.end(), constant) == constants.end())
      throw ScenarioError(value, name + " has no such constant; it has: " + listed(constants) +
                                     "." + did_you_mean(constant, constants));
    result.parameters.emplace_back(constant, number(value));
  }
  result.density = number(text.density);
  if (!(result.density > 0.0))
    throw ScenarioError(text.density,
                        "must be greater than 0, found " + varia::to_text(result.density) + ".");
  told_at(text.whole, [&] { solids::law(result); });
  return result;
}

std::vector<int> SolidModelBuilder::elements_of(const WhereText& of) {
  const Mesh& mesh = model_.problem.mesh;
  std::vector<int> elements;
  if (of.where) {
    const Condition inside = condition(*of.where);
    for (long k = 0; k < mesh.element_count(); ++k)
      if (holds(inside, *of.where, centroid(mesh, k).data()))
        elements.push_back(static_cast<int>(k));
    return elements;
  }
  const auto& names = mesh.region_names;
  const auto at = std::find(names.begin(), names.end(), of.name->value);
  if (at == names.end())
    throw ScenarioError(*of.name, "the mesh has no region \"" + of.name->value + "\"; there are: " +
                                      listed(names) + "." + did_you_mean(of.name->value, names));
  for (std::size_t k = 0; k < mesh.region.size(); ++k)
    if (mesh.region[k] == at - names.begin()) elements.push_back(static_cast<int>(k));
  return elements;
}

void SolidModelBuilder::read_regions() {
  solids::Problem& problem = model_.problem;
  const auto count = static_cast<std::size_t>(problem.mesh.element_count());
  const std::size_t none = solid_.regions.size();
  std::vector<std::size_t> owner(count, none);
  for (std::size_t r = 0; r < none; ++r) {
    const RegionText& text = solid_.regions[r];
    const std::vector<int> elements = elements_of(text.of);
    if (elements.empty()) warn_empty(text.of, "element", problem.mesh.region_names);
    for (const int k : elements) owner[static_cast<std::size_t>(k)] = r;
    const std::string name = text.of.name ? text.of.name->value : "region " + std::to_string(r + 1);
    problem.regions.push_back({name, {}, material(text.material)});
    model_.regions.push_back(selection(text.of, elements.size()));
  }
  const auto without = std::count(owner.begin(), owner.end(), none);
  if (without > 0 && !solid_.material)
    throw ScenarioError(solid_.place, "solid.material",
                        "missing, and " + std::to_string(without) + " of " + std::to_string(count) +
                            (without == 1 ? " elements is" : " elements are") +
                            " in no region; for example material = { model = "
                            "\"neo_hookean\", lambda = 93e9, mu = 10e9, density = 7800 }.");
  if (solid_.material)
    problem.regions.push_back({none == 0 ? "solid" : "rest", {}, material(*solid_.material)});
  if (solid_.material && without == 0)
    warn(solid_.material->whole, "every element is in a region; this material is not used.");
  for (std::size_t k = 0; k < count; ++k)
    problem.regions[owner[k]].elements.push_back(static_cast<int>(k));
  for (std::size_t r = 0; r < none; ++r)
    model_.regions[r].count = static_cast<long>(problem.regions[r].elements.size());
  std::erase_if(problem.regions, [](const solids::Region& r) { return r.elements.empty(); });
}

void SolidModelBuilder::read_fixes() {
  for (const FixText& text : solid_.fixes) {
    solids::Fix fix;
    fix.nodes = text.of.where ? nodes_where(*text.of.where) : boundary(*text.of.name).nodes;
    fix.position = components(text.values, space_time_, text.displacement);
    check_finite(fix.position, text.values, fix.nodes);
    if (fix.nodes.empty()) warn_empty(text.of, "node", boundary_names(model_.problem.mesh));
    model_.fixes.push_back(selection(text.of, fix.nodes.size()));
    model_.problem.fixes.push_back(std::move(fix));
  }
}

void SolidModelBuilder::read_loads() {
  const Mesh& mesh = model_.problem.mesh;
  for (const LoadText& text : solid_.loads) {
    solids::Traction load;
    load.faces = text.of.where ? faces_where(*text.of.where)
                               : faces_of(*text.of.name, boundary(*text.of.name));
    load.traction = components(text.traction, space_time_);
    for (const Face face : load.faces) {
      std::array<double, 3> middle{};
      const int corners = solids::info(mesh.shape).face_corners;
      for (int i = 0; i < corners; ++i)
        for (int k = 0; k < mesh.dimension(); ++k)
          middle[static_cast<std::size_t>(k)] +=
              mesh.node(solids::nodes_of(mesh, face)[static_cast<std::size_t>(i)])[k] / corners;
      for (std::size_t i = 0; i < 3; ++i)
        if (text.traction[i]) check_finite(load.traction[i], *text.traction[i], middle.data());
    }
    if (load.faces.empty()) warn_empty(text.of, "boundary face", boundary_names(mesh));
    model_.loads.push_back(selection(text.of, load.faces.size()));
    model_.problem.tractions.push_back(std::move(load));
  }
}

void SolidModelBuilder::read_body_force() {
  model_.problem.body_force = components(solid_.body_force, space_time_);
  std::vector<int> all(static_cast<std::size_t>(model_.problem.mesh.node_count()));
  std::iota(all.begin(), all.end(), 0);
  check_finite(model_.problem.body_force, solid_.body_force, all);
}

void SolidModelBuilder::read_probes() {
  const Mesh& mesh = model_.problem.mesh;
  const auto d = static_cast<std::size_t>(mesh.dimension());
  for (const ProbeText& text : solid_.probes) {
    const Text& what = text.what;
    if (text.at.size() != d)
      throw ScenarioError(text.what.place, "solid.observe." + text.name + ".at",
                          "must have " + std::to_string(d) + " entries, found " +
                              std::to_string(text.at.size()) + ".");
    Probe probe{text.name, 0, Probe::Kind::position, what.value.back() - 'x'};
    if (what.value[0] == 'u') probe.kind = Probe::Kind::displacement;
    if (what.value[0] == 'v') probe.kind = Probe::Kind::velocity;
    if (probe.component >= static_cast<int>(d))
      throw ScenarioError(what, "the mesh is plane; there are the components x and y.");
    std::vector<double> at;
    for (const Text& coordinate : text.at) at.push_back(number(coordinate));
    double nearest_square = INFINITY;
    for (long a = 0; a < mesh.node_count(); ++a) {
      double square = 0.0;
      for (std::size_t i = 0; i < d; ++i)
        square += (mesh.node(a)[i] - at[i]) * (mesh.node(a)[i] - at[i]);
      if (square < nearest_square) {
        nearest_square = square;
        probe.node = static_cast<int>(a);
      }
    }
    model_.probes.push_back(probe);
  }
}

}  // namespace varia::io
