// SPDX-License-Identifier: BSD-3-Clause
// [[plot]]: plots of the report.
#include "reading.hpp"
#include "schema_tree.hpp"

namespace varia::io {

namespace {

PlotText read_plot(const Value& table, const std::string& key) {
  PlotText plot;
  if (const Value* title = table.find("title")) plot.title = title->text;
  plot.x = text_of(table, "x", key).value_or(Text{"t", table.place(), key + ".x"});
  plot.y = read_texts(table.find("y"), key + ".y");
  plot.histogram = text_of(table, "histogram", key);
  if (const Value* bins = table.find("bins")) plot.bins = whole(*bins);
  if (!plot.histogram && plot.y.empty())
    throw ScenarioError(
        table.place(), key + ".y",
        "missing, and so is " + key + ".histogram; give one of them, as in y = [\"x_dot\"].");
  for (const char* other : {"x", "y"})
    if (const Member* given = table.member(other); plot.histogram && given != nullptr)
      throw ScenarioError(given->mark.place(), key + "." + other,
                          "given together with " + key + ".histogram; give one of them.");
  if (const Member* bins = table.member("bins"); bins != nullptr && !plot.histogram)
    throw ScenarioError(bins->mark.place(), key + ".bins",
                        "is for a histogram, and there is none.");
  return plot;
}

}  // namespace

std::vector<PlotText> read_plots(const Value* list) { return read_items(list, "plot", read_plot); }

namespace rows {

Rows plot_rows() {
  return {
      list("plot", "Plots of the report beside those it has, each a table `[[plot]]`."),
      table("plot[]"),
      text("plot[].title", "Its title; what is drawn unless given.", R"~("Poincare section")~"),
      expression("plot[].x",
                 "The abscissa: t unless given. Any function of t, q, v, p; and names of what is "
                 "recorded: energy, energy_error, observed functions, momenta, lambda[1].",
                 R"~("q")~"),
      list("plot[].y", "The curves, functions of the same names.", R"~(["p", "p^2/2"])~"),
      expression("plot[].y[]"),
      expression("plot[].histogram", "The function whose values are counted, instead of x and y.",
                 R"~("energy_error")~"),
      integer("plot[].bins",
              "How many bars a histogram has; by the number of records unless given.", "40")
          .within(Range::positive),
  };
}

}  // namespace rows

}  // namespace varia::io
