// SPDX-License-Identifier: BSD-3-Clause
// varia list
#include "varia/space/list.hpp"

#include <algorithm>
#include <iostream>

#include "table.hpp"
#include "varia/core/error.hpp"
#include "varia/core/nearest.hpp"
#include "varia/expr/function_list.hpp"
#include "varia/io/scenario.hpp"
#include "varia/methods/methods.hpp"
#include "varia/solids/material.hpp"
#include "varia/solids/shape.hpp"
#include "verbs.hpp"

namespace varia::apps {

namespace {

Table methods() {
  Table table{{{"name", "method"},
               {"parameters", "parameters"},
               {"order", "order"},
               {"symmetric", "symmetric"},
               {"variational", "variational"},
               {"explicit_when", "explicit"},
               {"needs", "needs"},
               {"cite", "source"},
               {"summary", "summary"}},
              {}};
  for (const Descriptor& d : method_list())
    table.rows.push_back({d.name, d.parameters, d.order, d.symmetric, d.variational,
                          d.explicit_when, d.needs, d.cite, d.summary});
  return table;
}

/// g_v1, g_v2, g_w for the name g
std::string named(const std::string& name, const Names& names) {
  std::string text;
  for (const std::string& suffix : names.suffixes) {
    if (!text.empty()) text += ", ";
    text.append(name).append(suffix);
  }
  return text;
}

Table spaces() {
  Table table{{{"name", "space"},
               {"coordinates", "coordinates"},
               {"rates", "velocities; momenta"},
               {"spatial", "momenta in space"},
               {"side", "trivialised"},
               {"retractions", "retractions"},
               {"summary", "summary"}},
              {}};
  for (const FactorPtr& factor : space_list()) {
    const Notation& n = factor->notation();
    const bool curved = factor->curved() != nullptr || factor->with(Retraction::cayley) != nullptr;
    table.rows.push_back({n.key, named(n.example, n.entries),
                          named(n.example, n.velocities) + "; " + named(n.example, n.momenta),
                          named(n.example, n.spatial), curved ? "left, in the body" : "",
                          curved ? "exp, cay" : "", n.summary});
  }
  return table;
}

Table gallery() {
  Table table{{{"name", "name"}, {"title", "title"}, {"method", "method"}, {"source", "source"}},
              {}};
  for (const std::string& name : io::gallery_names()) {
    const io::Scenario s = io::read_scenario("gallery:" + name);
    table.rows.push_back({name, s.title, s.run.method.value, s.reproduce.source});
  }
  return table;
}

Table elements() {
  Table table{{{"name", "element"},
               {"dimension", "dimension"},
               {"order", "order"},
               {"nodes", "nodes"},
               {"vtk", "VTK type"},
               {"gmsh", "Gmsh type"}},
              {}};
  for (const solids::Shape shape : solids::all_shapes) {
    const solids::ShapeInfo& i = solids::info(shape);
    table.rows.push_back({std::string(i.name), std::to_string(i.dimension), std::to_string(i.order),
                          std::to_string(i.nodes), std::to_string(i.vtk), std::to_string(i.gmsh)});
  }
  return table;
}

Table materials() {
  Table table{{{"name", "model"}, {"constants", "constants"}, {"summary", "summary"}}, {}};
  for (const solids::MaterialModel& model : solids::material_models()) {
    std::string constants;
    for (const auto& set : model.parameters) {
      if (!constants.empty()) constants += "; or ";
      for (std::size_t k = 0; k < set.size(); ++k) constants += (k == 0 ? "" : ", ") + set[k];
    }
    table.rows.push_back({model.name, constants, model.summary});
  }
  return table;
}

Table functions() {
  Table table{
      {{"name", "function"}, {"use", "use"}, {"meaning", "value"}, {"smoothness", "smoothness"}},
      {}};
  for (const expr::FunctionText& f : expr::function_list())
    table.rows.push_back({f.name, f.use, f.meaning, f.smoothness});
  return table;
}

Table make(const std::string& what) {
  if (what == "methods") return methods();
  if (what == "spaces") return spaces();
  if (what == "functions") return functions();
  if (what == "elements") return elements();
  if (what == "materials") return materials();
  return gallery();
}

}  // namespace

int list(const ListRequest& request) {
  const std::vector<std::string> things{"methods",  "spaces",    "functions",
                                        "elements", "materials", "gallery"};
  if (request.what.empty())
    throw InvalidArgument(
        "'varia list' needs to know what to list: methods, spaces, functions, elements, "
        "materials or gallery.");
  if (std::find(things.begin(), things.end(), request.what) == things.end()) {
    const std::string near = nearest(request.what, things);
    throw InvalidArgument("unknown list '" + request.what + "'" +
                          (near.empty() ? "" : "; did you mean '" + near + "'?") +
                          " Allowed: methods, spaces, functions, elements, materials, gallery.");
  }
  if (request.json && request.markdown)
    throw InvalidArgument("'varia list' takes one of --json and --markdown, not both.");
  const Table table = make(request.what);
  if (request.json) {
    print_json(std::cout, table);
  } else if (request.markdown) {
    print_markdown(std::cout, table);
  } else {
    print_text(std::cout, table);
  }
  return done;
}

}  // namespace varia::apps
