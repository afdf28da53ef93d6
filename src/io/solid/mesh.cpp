// SPDX-License-Identifier: BSD-3-Clause
// solid.mesh: a file, or a generator with its numbers.
#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>

#include "../scenario/words.hpp"
#include "builder.hpp"
#include "varia/io/error.hpp"
#include "varia/solids/generate.hpp"
#include "varia/solids/gmsh.hpp"
#include "varia/solids/refine.hpp"

namespace varia::io {

namespace {

constexpr double most_elements =
    2e7;  // what a generator makes by mistake should not fill the memory

/// The numbers beside `generate`: each is asked for once, and one that nobody asked for is an error.
class Numbers {
 public:
  using Read = std::function<double(const Text&)>;
  using ReadWhole = std::function<int(const Text&)>;

  Numbers(const MeshText& mesh, Read number, ReadWhole whole)
      : mesh_(mesh), number_(std::move(number)), whole_(std::move(whole)) {}

  void operator()(const char* name, double& value) {
    if (const Text* text = one(name)) value = number_(*text);
  }
  void operator()(const char* name, int& value) {
    if (const Text* text = one(name)) value = whole_(*text);
  }
  double required(const char* name) {
    require(name);
    return number_(*one(name));
  }
  int required_whole(const char* name) {
    require(name);
    return whole_(*one(name));
  }
  std::vector<double> numbers(const char* name) { return list<double>(name, number_); }
  std::vector<int> wholes(const char* name) { return list<int>(name, whole_); }

  /// What was not asked for is not a number of this mesh.
  void finish(const std::string& what) const {
    for (const auto& [name, texts] : mesh_.values) {
      if (std::find(known_.begin(), known_.end(), name) != known_.end()) continue;
      const Text& text = texts.empty() ? mesh_.whole : texts.front();
      throw ScenarioError(text.place, "solid.mesh." + name,
                          "not a number of " + what + "; it takes: " + listed(known_, 24) + "." +
                              did_you_mean(name, known_));
    }
  }

 private:
  const std::vector<Text>* find(const char* name) {
    known_.emplace_back(name);
    for (const auto& [key, texts] : mesh_.values)
      if (key == name) return &texts;
    return nullptr;
  }
  const Text* one(const char* name) {
    const auto* texts = find(name);
    return texts == nullptr ? nullptr : &texts->front();
  }
  void require(const char* name) {
    const bool given = std::any_of(mesh_.values.begin(), mesh_.values.end(),
                                   [&](const auto& value) { return value.first == name; });
    if (!given)
      throw ScenarioError(mesh_.whole.place, std::string("solid.mesh.") + name,
                          "missing; the generator " + mesh_.generate->value + " needs it.");
  }
  template <class T, class R> std::vector<T> list(const char* name, const R& read) {
    require(name);
    std::vector<T> values;
    for (const Text& text : *find(name)) values.push_back(read(text));
    return values;
  }

  const MeshText& mesh_;
  Read number_;
  ReadWhole whole_;
  std::vector<std::string> known_;
};

using solids::Mesh;

/// A generator: reads its numbers, then makes the mesh when called.
using Make = std::function<Mesh(int order)>;

void limit(double elements) {
  if (elements > most_elements)
    throw InvalidArgument("about " + varia::to_text(elements) + " elements; the limit is " +
                          varia::to_text(most_elements));
}

void limit_cells(const std::vector<int>& cells, double each) {
  for (const int n : cells) each *= std::max(n, 1);
  limit(each);
}

Make block(Numbers& numbers) {
  const auto size = numbers.numbers("size");
  const auto elements = numbers.wholes("elements");
  double grading = 1, irregularity = 0;
  numbers("grading", grading);
  numbers("irregularity", irregularity);
  return [=](int order) {
    limit_cells(elements, elements.size() == 2 ? 2 : 6);
    return solids::block(size, elements, grading, order, irregularity);
  };
}

Make slivers(Numbers& numbers) {
  const auto size = numbers.numbers("size");
  const auto elements = numbers.wholes("elements");
  const int count = numbers.required_whole("count");
  const double ratio = numbers.required("ratio");
  return [=](int order) {
    limit_cells(elements, elements.size() == 2 ? 2 : 6);
    return solids::slivers(size, elements, count, ratio, order);
  };
}

Make l_beam(Numbers& numbers) {
  solids::LBeamShape s;
  numbers("length", s.length);
  numbers("height", s.height);
  numbers("width", s.width);
  numbers("thickness", s.thickness);
  numbers("elements_across", s.elements_across);
  numbers("irregularity", s.irregularity);
  return [s](int order) {
    const double cell = s.thickness / std::max(s.elements_across, 1);
    if (cell > 0) limit(6 * (s.length + s.height) * s.thickness * s.width / (cell * cell * cell));
    return solids::l_beam(s, order);
  };
}

Make slab(Numbers& numbers) {
  const double length = numbers.required("length"), height = numbers.required("height");
  const int level = numbers.required_whole("level");
  return [=](int order) {
    limit(88 * std::pow(4.0, std::min(level, 20)));
    return solids::slab(length, height, level, order);
  };
}

Make blade(Numbers& numbers) {
  solids::BladeShape s;
  numbers("span", s.span);
  numbers("chord", s.chord);
  numbers("thickness", s.thickness);
  numbers("edge", s.edge);
  numbers("tip", s.tip);
  numbers("joint_length", s.joint_length);
  numbers("joint_chord", s.joint_chord);
  numbers("joint_thickness", s.joint_thickness);
  numbers("root_length", s.root_length);
  numbers("elements_span", s.elements_span);
  numbers("elements_joint", s.elements_joint);
  numbers("elements_chord", s.elements_chord);
  numbers("elements_thickness", s.elements_thickness);
  return [s](int order) {
    const int along = std::max(std::max(s.elements_span, s.elements_joint), 1);
    limit_cells({along, s.elements_chord, s.elements_thickness}, 18);
    return solids::blade(s, order);
  };
}

Make generator(const std::string& name, Numbers& numbers) {
  if (name == "block") return block(numbers);
  if (name == "slivers") return slivers(numbers);
  if (name == "l_beam") return l_beam(numbers);
  if (name == "slab") return slab(numbers);
  return blade(numbers);  // the schema has no other
}

void check_readable(const std::string& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error))
    throw IoError(path, "is a directory, not a mesh file.");
  if (std::filesystem::exists(path, error) && !std::filesystem::is_regular_file(path, error))
    throw IoError(path,
                  "is a pipe or a device, not a mesh file.");  // opening one may wait for ever
  errno = 0;
  const std::ifstream in(path, std::ios::binary);
  if (!in)
    throw IoError(path, std::string("the mesh cannot be opened: ") + std::strerror(errno) + ".");
}

}  // namespace

std::string mesh_path(const Scenario& scenario, const std::string& file) {
  return path_beside(scenario, file);
}

solids::Mesh SolidModelBuilder::mesh_of_file(const Text& file) const {
  const std::string path = mesh_path(scenario_, file.value);
  check_readable(path);
  return solids::read_gmsh(path);
}

void SolidModelBuilder::read_mesh() {
  const MeshText& text = solid_.mesh;
  Numbers numbers(
      text, [this](const Text& t) { return number(t); },
      [this](const Text& t) { return whole(t); });
  int order = 0, refinements = 0;
  numbers("order", order);
  numbers("refine", refinements);
  const Make make = text.generate ? generator(text.generate->value, numbers) : Make();
  numbers.finish(text.generate ? text.generate->value : "a mesh from a file");
  model_.mesh_text = text.generate ? text.generate->value : mesh_path(scenario_, text.file->value);
  const auto given = [&](const char* name) {
    return std::any_of(text.values.begin(), text.values.end(),
                       [&](const auto& value) { return value.first == name; });
  };
  if (given("order") && order != 1 && order != 2)
    throw ScenarioError(text.whole.place, "solid.mesh.order",
                        "must be 1 or 2, found " + std::to_string(order) + ".");
  Mesh& mesh = model_.problem.mesh;
  if (text.file) mesh = mesh_of_file(*text.file);
  told_at(text.whole, [&] {
    if (text.generate)
      mesh = make(given("order") ? order : text.generate->value == "blade" ? 2 : 1);
    else if (given("order"))
      mesh = order == 2 ? solids::elevate(mesh) : solids::lower(mesh);
    if (refinements > 0)
      limit(static_cast<double>(mesh.element_count()) *
            std::pow(mesh.dimension() == 2 ? 4.0 : 8.0, std::min(refinements, 20)));
    if (given("refine")) mesh = solids::refine(mesh, refinements);
  });
}

}  // namespace varia::io
