// SPDX-License-Identifier: BSD-3-Clause
// The keys of scenarios of solids.
#include "../scenario/schema_tree.hpp"

namespace varia::io::rows {

namespace {

/// One number of a mesh generator.
SchemaEntry mesh_number(const std::string& name, const std::string& meaning,
                        const std::string& example) {
  return scalar("solid.mesh." + name, meaning, example);
}

/// A table of components x, y, z.
Rows vector_rows(const std::string& key, const std::string& meaning, const std::string& example,
                 bool required = false) {
  return {table(key, meaning, example).needed(required),
          scalar(key + ".NAME", "The component x, y or z.", "0")};
}

void append(Rows& rows, const Rows& more) { rows.insert(rows.end(), more.begin(), more.end()); }

Rows material_rows(const std::string& key, bool required, const std::string& meaning) {
  return {table(key, meaning,
                R"~({ model = "neo_hookean", lambda = 93e9, mu = 10e9, density = 7800 })~")
              .needed(required),
          text(key + ".model",
               "The strain energy; `varia list materials` shows all with their constants.",
               R"~("neo_hookean")~")
              .needed(),
          scalar(key + ".density", "Mass per reference volume.", "7800")
              .needed()
              .within(Range::positive),
          scalar(key + ".NAME", "A constant of the model.", "93e9")};
}

Rows where_rows(const std::string& key, const std::string& name, const std::string& name_meaning) {
  return {expression(key + ".where", "A condition on the reference coordinates; see above.",
                     R"~("X < 1e-9")~"),
          text(key + "." + name, name_meaning, R"~("left")~")};
}

}  // namespace

Rows solid_mesh_rows() {
  Rows rows{
      table("solid.mesh", "The mesh, from a file or from a generator.",
            R"~({ generate = "block", size = [1, 1], elements = [10, 10] })~")
          .needed(),
      text("solid.mesh.file",
           "A mesh of Gmsh, format 2.2 or 4.1; the path begins at the folder of the "
           "scenario, or at the working directory where that is standard input.",
           R"~("part.msh")~"),
      text("solid.mesh.generate",
           "A generator; the keys below that are its numbers are given beside it.", R"~("block")~")
          .among({{"block"}, {"l_beam"}, {"slab"}, {"blade"}, {"slivers"}}),
      mesh_number("order", "1: T3 or Tet4; 2: T6 or Tet10. A file is converted.", "2"),
      mesh_number("refine", "How often every element is cut into 4 (plane) or 8 (space).", "1"),
      list("solid.mesh.size", "block, slivers: the lengths of the sides, two or three.", "[1, 1]"),
      scalar("solid.mesh.size[]"),
      list("solid.mesh.elements", "block, slivers: the number of cells along each side.",
           "[10, 10]"),
      scalar("solid.mesh.elements[]")};
  const std::vector<std::vector<std::string>> numbers = {
      {"grading", "block: the largest cell width over the smallest.", "10"},
      {"count", "slivers: how many elements get a flat part.", "3"},
      {"ratio", "slivers: the inradius of the flat elements over that of their surroundings.",
       "0.01"},
      {"length", "l_beam, slab: along X.", "7"},
      {"height", "l_beam, slab: along Y.", "7"},
      {"width", "l_beam: along Z.", "1"},
      {"thickness", "l_beam: of both bars; blade: the largest.", "1"},
      {"elements_across", "l_beam: cells across the thickness.", "2"},
      {"irregularity", "block, l_beam: how far inner nodes are moved, in cells, 0 to 0.4.", "0.2"},
      {"level", "slab: how often the mesh of 88 triangles is refined.", "2"},
      {"span", "blade: of both blades and the joint, along X.", "7.2"},
      {"chord", "blade: along Y.", "0.533"},
      {"edge", "blade: thickness at leading and trailing edge, as a fraction.", "0.17"},
      {"tip", "blade: thickness at the tips, as a fraction.", "0.3"},
      {"joint_length", "blade: of the bar in the middle.", "0.8"},
      {"joint_chord", "blade: width of the bar.", "0.25"},
      {"joint_thickness", "blade: of the bar.", "0.04"},
      {"root_length", "blade: of the change from bar to blade.", "0.2"},
      {"elements_span", "blade: cells along each blade.", "30"},
      {"elements_joint", "blade: cells along the joint.", "10"},
      {"elements_chord", "blade: cells across the chord.", "5"},
      {"elements_thickness", "blade: cells through the thickness.", "1"}};
  for (const auto& row : numbers) rows.push_back(mesh_number(row[0], row[1], row[2]));
  return rows;
}

Rows solid_rows() {
  Rows rows = material_rows("solid.material", false, "Of the elements that are in no region.");
  append(
      rows,
      {list(
           "solid.region",
           "Parts of other materials, each a table: `[[solid.region]]`. An "
           "element of two regions has the material of the later one.",
           R"~([{ where = "X < 0.5", material = { model = "linear_elastic", young = 1e9, poisson = 0.3, density = 1000 } }])~"),
       table("solid.region[]")});
  append(rows,
         where_rows("solid.region[]", "name",
                    "A region of the mesh: a physical group of Gmsh, or one of the generator. "
                    "With `where` instead, the centroid of the element counts."));
  append(rows, material_rows("solid.region[].material", true, "Of the elements of the region."));
  append(
      rows,
      {text("solid.plane",
            "Plane meshes: no strain, or no stress, across the plane; strain unless given.",
            R"~("stress")~")
           .among({{"strain"}, {"stress"}}),
       table("solid.parameters",
             "Constants for all expressions; a text may use the parameters above it.",
             R"~({ g = 9.81, c = ["2*g", 1] })~"),
       scalars("solid.parameters.NAME",
               "One constant; a list is used by its entries, NAME[1], NAME[2] and so on.", "9.81"),
       scalar("solid.parameters.NAME[]"),
       list("solid.fix",
            "Nodes with a prescribed motion, each a table: `[[solid.fix]]`. Components of a "
            "later one replace those of an earlier one.",
            R"~([{ boundary = "left", position = { x = 0 } }])~"),
       table("solid.fix[]")});
  append(rows, where_rows("solid.fix[]", "boundary", "A named boundary of the mesh."));
  append(rows, vector_rows("solid.fix[].position",
                           "Positions in X, Y, Z and t; components not given are free.",
                           R"~({ x = "X*1.2" })~"));
  append(rows, vector_rows("solid.fix[].displacement", "Instead of `position`: position minus X.",
                           "{ x = 0, y = 0 }"));
  append(rows,
         {list("solid.load", "Forces on the boundary, each a table: `[[solid.load]]`. They add up.",
               R"~([{ boundary = "top", traction = { y = -1e6 } }])~"),
          table("solid.load[]")});
  append(rows,
         where_rows("solid.load[]", "boundary",
                    "A named boundary of the mesh. With `where` instead, the faces whose nodes "
                    "all satisfy it."));
  append(rows, vector_rows("solid.load[].traction",
                           "Force per reference area in X, Y, Z and t; those not given are 0.",
                           R"~({ y = "-1e6*sin(100*t)" })~", true));
  append(rows,
         vector_rows("solid.body_force", "Force per mass in X, Y, Z and t; those not given are 0.",
                     "{ y = -9.81 }"));
  return rows;
}

Rows solid_start_rows() {
  Rows rows{table("solid.start", "The state at the beginning; at rest and undeformed unless given.",
                  R"~({ velocity = { x = 1 } })~"),
            scalar("solid.start.t", "The time of the start.", "0").by_default("0")};
  append(rows, vector_rows("solid.start.position", "Positions in X, Y, Z; X, Y, Z unless given.",
                           R"~({ x = "1.2*X" })~"));
  append(rows, vector_rows("solid.start.velocity", "Velocities in X, Y, Z; 0 unless given.",
                           R"~({ x = "-Y" })~"));
  append(
      rows,
      {scalars("solid.start.spin",
               "An angular velocity whose rigid rotation is added to the velocity: a number "
               "in the plane, three in space.",
               "10"),
       scalar("solid.start.spin[]"),
       list("solid.start.centre",
            "The point that the spin leaves at rest; the centre of mass unless given.", "[0, 0]"),
       scalar("solid.start.centre[]"),
       table("solid.observe", "Numbers of single nodes that are recorded.",
             R"~({ corner = { at = [1, 1], what = "ux" } })~"),
       table("solid.observe.NAME", "One number.", R"~({ at = [1, 1], what = "ux" })~"),
       list("solid.observe.NAME.at",
            "A point in reference coordinates; the node nearest to it is taken.", "[1, 1]")
           .needed(),
       scalar("solid.observe.NAME.at[]"),
       text("solid.observe.NAME.what",
            "A component of its position, displacement (u) or velocity (v).", R"~("ux")~")
           .needed()
           .among({{"x"}, {"y"}, {"z"}, {"ux"}, {"uy"}, {"uz"}, {"vx"}, {"vy"}, {"vz"}})});
  return rows;
}

Rows solid_run_rows() {  // NOLINT(readability-function-size): a table
  return {
      text("run.method", "Every element with a step of its own, or one step for all.", R"~("avi")~")
          .needed()
          .among({{"avi"}, {"newmark"}}),
      scalar("run.courant",
             "The steps are this times inradius over wave speed, newmark takes the smallest; "
             "0.1 unless given.",
             "0.1")
          .within(Range::positive),
      scalar("run.step", "newmark: the step, instead of `courant`.", "1e-6")
          .within(Range::positive),
      end_time("1e-3"),
      count("run.steps", "", "newmark: the number of steps.", "1000"),
      count("run.frames", "50", "Snapshots of the whole solid: VTU files and frames of the report.",
            "100"),
      count("run.records", "1000",
            "Times at which energy, momenta and observed numbers are recorded.", "1000"),
      one_of("run.schedule", {"node_clocks", "queue"},
             "How avi finds the next element; both give the same bits.", "queue"),
      integer("run.threads",
              "Threads of node_clocks; 0: all cores. Any number gives the same bits.", "4")
          .by_default("1")
          .within(Range::not_negative),
      one_of("run.start", {"second_order", "first_order"}, "Half a kick at the beginning, or none.",
             "first_order"),
      one_of("run.local_energy", {"sample", "all", "none"},
             "For which updates the energy balance of the element is measured.", "all"),
      truth("run.energy_stationary",
            "Whether avi chooses its steps such that the local energy balances hold; not with "
            "threads and schedule.",
            "true")
          .by_default("false"),
  };
}

Rows solid_format_rows() {
  return {list("output.formats", "The files: snapshots for ParaView (vtu), the records.",
               R"~(["vtu", "csv"])~")
              .by_default(R"~(["vtu", "h5"])~"),
          text("output.formats[]").among({{"vtu"}, {"h5"}, {"csv"}, {"json"}})};
}

const std::vector<Alternative>& solid_alternatives() {
  static const std::vector<Alternative> pairs = {
      {"solid.mesh", "file", "generate"},    {"solid.region[]", "where", "name"},
      {"solid.fix[]", "where", "boundary"},  {"solid.fix[]", "position", "displacement"},
      {"solid.load[]", "where", "boundary"}, {"run", "until", "steps"},
      {"run", "courant", "step", false}};
  return pairs;
}

}  // namespace varia::io::rows
