// SPDX-License-Identifier: BSD-3-Clause
// The keys of what is made of a run: diagnose, output, reproduce.
#include "schema_tree.hpp"

namespace varia::io::rows {

Rows diagnose_rows() {
  return {
      text("diagnose.modified_energy",
           "Records modified_energy, the energy that the method keeps: by the formula of a method "
           "of order 1 or 2 on a separable system, or by differences along the discrete motion "
           "(shadow) for any variational method in R^n.",
           R"~("shadow")~")
          .among({{"formula"}, {"shadow"}}),
      text("diagnose.heat",
           "Records kinetic_energy and heat, its mean over time so far, and gives the "
           "temperature: the mean by degree of freedom. How records make an integral: the "
           "trapezoidal rule, or the value at the end of each step (for euler_a).",
           R"~("trapezoid")~")
          .among({{"trapezoid"}, {"end_of_step"}}),
      truth("diagnose.balance",
            "For each symmetry NAME, whether it holds or not, records NAME_by_lagrangian and "
            "NAME_by_force: what has changed its momentum so far.",
            "true")
          .by_default("false"),
      truth("diagnose.lyapunov",
            "Records lyapunov, the largest Lyapunov exponent by the motion so far, and gives "
            "it with its error and with MEGNO, which tends to 2 where the motion is regular.",
            "true")
          .by_default("false"),
      list("diagnose.sensitivity",
           "Parameters by which the end state is differentiated, the start included.",
           R"~(["mu", "e"])~")
          .by_default("[]"),
      text("diagnose.sensitivity[]"),
  };
}

Rows format_rows() {
  return {
      list("output.formats", "The files of the trajectory.", R"~(["h5", "csv"])~")
          .by_default(R"~(["h5"])~"),
      text("output.formats[]").among({{"h5"}, {"csv"}, {"json"}, {"vtu", "solids only"}}),
  };
}

Rows output_rows(Form form) {
  return {
      truth("output.report", "Whether report.html is written.", "false").by_default("true"),
      table("output.units", "Units of what is recorded, for the files and the axes of plots.",
            form != Form::solid ? R"~({ x = "m", t = "s" })~" : R"~({ length = "m", t = "s" })~"),
      text("output.units.NAME",
           form != Form::solid
               ? "The unit of one coordinate, velocity, momentum, function, or of t or energy."
               : "The unit of t, length, energy, momentum, angular_momentum, speed, stress, or "
                 "of an observed number.",
           R"~("m")~"),
  };
}

Rows reproduce_rows() {  // NOLINT(readability-function-size): a table
  return {
      text("reproduce.source", "The text the numbers are from.", R"~("MW01")~"),
      text("reproduce.figure", "The figure or table there.", R"~("Figure 2.4")~"),
      table("reproduce.refinement",
            "Of a solid: avi and newmark on finer and finer meshes; gives the numbers "
            "refinement.avi.displacement (the exponent of the step in that error), "
            "refinement.avi.gradient, the same of newmark, and refinement.cost.",
            R"~({ levels = [0, 1, 2], reference = 4 })~"),
      text("reproduce.refinement.key", "The key whose values are the levels.",
           R"~("solid.mesh.refine")~")
          .by_default(R"~("solid.mesh.level")~"),
      list("reproduce.refinement.levels",
           "The meshes, each with elements half as large as the one before; 0, 1, 2 unless "
           "given.",
           "[0, 1, 2]"),
      integer("reproduce.refinement.levels[]"),
      integer("reproduce.refinement.reference",
              "The mesh of the reference solution; two levels finer than the last unless given.",
              "4"),
      number("reproduce.refinement.courant", "The Courant fraction of the reference.", "0.3")
          .by_default("0.3")
          .within(Range::positive),
      list("reproduce.expect", "The numbers, each a table: `[[reproduce.expect]]`."),
      table("reproduce.expect[]"),
      text("reproduce.expect[].what",
           "Which number: a path into the summary; entries of lists are counted from 1, as in "
           "final.lambda[1].",
           R"~("energy.max_rel_error")~")
          .needed(),
      number("reproduce.expect[].value", "What it must be.", "1e-9").needed(),
      table("reproduce.expect[].against",
            "Changes of the scenario for another run. For kind = \"order\"; and of a solid for "
            "what = \"shape.difference\", the root mean square distance of the two final "
            "shapes.",
            R"~({ "run.step" = 0.05 })~"),
      any("reproduce.expect[].against.NAME", "One change.", R"~("newmark")~"),
      number("reproduce.expect[].tolerance",
             "How far it may be off; needed unless kind is at_most or at_least.", "0.01")
          .within(Range::not_negative),
      text("reproduce.expect[].kind",
           "How it is compared. order: value is the exponent of the step in the number, "
           "from this run and the one of `against`, which has another step. extrapolated: value is "
           "the limit of the number for short steps, from these two runs by the order of the "
           "method, within the absolute tolerance. fails: the run must end with an error, after so "
           "many steps or at such a time.",
           R"~("at_most")~")
          .by_default(R"~("relative")~")
          .among({{"relative"},
                  {"absolute"},
                  {"at_most"},
                  {"at_least"},
                  {"order"},
                  {"extrapolated"},
                  {"fails"}}),
      table("reproduce.expect[].set", "Changes of the scenario for this number, as with `--set`.",
            R"~({ "run.method" = "rk4" })~"),
      any("reproduce.expect[].set.NAME", "One change.", R"~("rk4")~"),
      text("reproduce.expect[].note", "A remark for people.", R"~("read off the figure")~"),
  };
}

}  // namespace varia::io::rows
