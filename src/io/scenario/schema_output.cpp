// SPDX-License-Identifier: BSD-3-Clause
// The keys of what is made of a run: diagnose, output, reproduce.
#include "schema_tree.hpp"

namespace varia::io {

Rows diagnose_rows() {
  return {
      {.key = "diagnose.modified_energy",
       .types = {Type::text},
       .choices = {{"formula"}, {"shadow"}},
       .meaning =
           "Records modified_energy, the energy that the method keeps: by the formula of a method "
           "of order 1 or 2 on a separable system, or by differences along the discrete motion "
           "(shadow) for any variational method in R^n.",
       .example = R"~("shadow")~"},
      {.key = "diagnose.heat",
       .types = {Type::text},
       .choices = {{"trapezoid"}, {"end_of_step"}},
       .meaning = "Records kinetic_energy and heat, its mean over time so far, and gives the "
                  "temperature: the mean by degree of freedom. How records make an integral: the "
                  "trapezoidal rule, or the value at the end of each step (for euler_a).",
       .example = R"~("trapezoid")~"},
      {.key = "diagnose.balance",
       .types = {Type::truth},
       .fallback = "false",
       .meaning = "For each symmetry NAME, whether it holds or not, records NAME_by_lagrangian and "
                  "NAME_by_force: what has changed its momentum so far.",
       .example = "true"},
      {.key = "diagnose.lyapunov",
       .types = {Type::truth},
       .fallback = "false",
       .meaning = "Records lyapunov, the largest Lyapunov exponent by the motion so far, and gives "
                  "it with its error and with MEGNO, which tends to 2 where the motion is regular.",
       .example = "true"},
      {.key = "diagnose.sensitivity",
       .types = {Type::list},
       .fallback = "[]",
       .meaning = "Parameters by which the end state is differentiated, the start included.",
       .example = R"~(["mu", "e"])~"},
      {.key = "diagnose.sensitivity[]", .types = {Type::text}},
  };
}

Rows format_rows() {
  return {
      {.key = "output.formats",
       .types = {Type::list},
       .fallback = R"~(["h5"])~",
       .meaning = "The files of the trajectory.",
       .example = R"~(["h5", "csv"])~"},
      {.key = "output.formats[]",
       .types = {Type::text},
       .choices = {{"h5"}, {"csv"}, {"json"}, {"vtu", "solids only"}}},
  };
}

Rows output_rows(Form form) {
  return {
      {.key = "output.report",
       .types = {Type::truth},
       .fallback = "true",
       .meaning = "Whether report.html is written.",
       .example = "false"},
      {.key = "output.units",
       .types = {Type::table},
       .meaning = "Units of what is recorded, for the files and the axes of plots.",
       .example =
           form == Form::system ? R"~({ x = "m", t = "s" })~" : R"~({ length = "m", t = "s" })~"},
      {.key = "output.units.NAME",
       .types = {Type::text},
       .meaning =
           form == Form::system
               ? "The unit of one coordinate, velocity, momentum, function, or of t or energy."
               : "The unit of t, length, energy, momentum, angular_momentum, speed, stress, or "
                 "of an observed number.",
       .example = R"~("m")~"},
  };
}

Rows reproduce_rows() {  // NOLINT(readability-function-size): a table
  return {
      {.key = "reproduce.source",
       .types = {Type::text},
       .meaning = "The text the numbers are from.",
       .example = R"~("MW01")~"},
      {.key = "reproduce.figure",
       .types = {Type::text},
       .meaning = "The figure or table there.",
       .example = R"~("Figure 2.4")~"},
      {.key = "reproduce.refinement",
       .types = {Type::table},
       .meaning = "Of a solid: avi and newmark on finer and finer meshes; gives the numbers "
                  "refinement.avi.displacement (the exponent of the step in that error), "
                  "refinement.avi.gradient, the same of newmark, and refinement.cost.",
       .example = R"~({ levels = [0, 1, 2], reference = 4 })~"},
      {.key = "reproduce.refinement.key",
       .types = {Type::text},
       .fallback = R"~("solid.mesh.level")~",
       .meaning = "The key whose values are the levels.",
       .example = R"~("solid.mesh.refine")~"},
      {.key = "reproduce.refinement.levels",
       .types = {Type::list},
       .meaning = "The meshes, each with elements half as large as the one before; 0, 1, 2 unless "
                  "given.",
       .example = "[0, 1, 2]"},
      {.key = "reproduce.refinement.levels[]", .types = {Type::integer}},
      {.key = "reproduce.refinement.reference",
       .types = {Type::integer},
       .meaning =
           "The mesh of the reference solution; two levels finer than the last unless given.",
       .example = "4"},
      {.key = "reproduce.refinement.courant",
       .types = {Type::number},
       .fallback = "0.3",
       .range = Range::positive,
       .meaning = "The Courant fraction of the reference.",
       .example = "0.3"},
      {.key = "reproduce.expect",
       .types = {Type::list},
       .meaning = "The numbers, each a table: `[[reproduce.expect]]`."},
      {.key = "reproduce.expect[]", .types = {Type::table}},
      {.key = "reproduce.expect[].what",
       .types = {Type::text},
       .required = true,
       .meaning = "Which number: a path into the summary.",
       .example = R"~("energy.max_rel_error")~"},
      {.key = "reproduce.expect[].value",
       .types = {Type::number},
       .required = true,
       .meaning = "What it must be.",
       .example = "1e-9"},
      {.key = "reproduce.expect[].against",
       .types = {Type::table},
       .meaning =
           "Changes of the scenario for another run. For kind = \"order\"; and of a solid for "
           "what = \"shape.difference\", the root mean square distance of the two final "
           "shapes.",
       .example = R"~({ "run.step" = 0.05 })~"},
      {.key = "reproduce.expect[].against.NAME",
       .types = {Type::any},
       .meaning = "One change.",
       .example = R"~("newmark")~"},
      {.key = "reproduce.expect[].tolerance",
       .types = {Type::number},
       .range = Range::not_negative,
       .meaning = "How far it may be off; needed unless kind is at_most or at_least.",
       .example = "0.01"},
      {.key = "reproduce.expect[].kind",
       .types = {Type::text},
       .fallback = R"~("relative")~",
       .choices = {{"relative"}, {"absolute"}, {"at_most"}, {"at_least"}, {"order"}, {"fails"}},
       .meaning = "How it is compared. order: value is the exponent of the step in the number, "
                  "from this run and the one of `against`, which has another step. fails: the run "
                  "must end with an error, after so many steps or at such a time.",
       .example = R"~("at_most")~"},
      {.key = "reproduce.expect[].set",
       .types = {Type::table},
       .meaning = "Changes of the scenario for this number, as with `--set`.",
       .example = R"~({ "run.method" = "rk4" })~"},
      {.key = "reproduce.expect[].set.NAME",
       .types = {Type::any},
       .meaning = "One change.",
       .example = R"~("rk4")~"},
      {.key = "reproduce.expect[].note",
       .types = {Type::text},
       .meaning = "A remark for people.",
       .example = R"~("read off the figure")~"},
  };
}

}  // namespace varia::io
