// SPDX-License-Identifier: BSD-3-Clause
// The one list of methods, and the reading of method names. A new method is one row of the table.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <map>

#include "varia/core/error.hpp"
#include "varia/core/nearest.hpp"
#include "varia/methods/composition.hpp"
#include "varia/methods/path_basis.hpp"

namespace varia {

namespace {

std::string trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return "";
  return std::string(text.substr(begin, text.find_last_not_of(" \t") - begin + 1));
}

/// Where "name=value" has its "="; npos when the argument has no name: "midpoint(alpha=0.5)".
std::size_t name_end(std::string_view argument) {
  const auto equals = argument.find('=');
  return equals < argument.find('(') ? equals : std::string_view::npos;
}

/// The name of a parameter that takes all arguments without a name: "compose(verlet: 0.5, …)".
constexpr const char* parts_parameter = "method: fraction, ...";

/// The arguments of "name(1, quadrature=lobatto:3)": by position or by name, as text.
class Arguments {
 public:
  Arguments(std::string method, std::vector<std::string> names, std::vector<std::string> given)
      : method_(std::move(method)), names_(std::move(names)) {
    if (!names_.empty() && names_.front() == parts_parameter) take_parts(given);
    if (given.size() > names_.size())
      fail("takes " + usage() + ", got " + std::to_string(given.size()) + " arguments");
    for (std::size_t i = 0; i < given.size(); ++i) {
      const auto equals = name_end(given[i]);
      const std::string name = equals == std::string::npos ? names_[i] : given[i].substr(0, equals);
      if (std::find(names_.begin(), names_.end(), name) == names_.end())
        fail("has no parameter '" + name + "'; it takes " + usage());
      if (!values_
               .emplace(name, equals == std::string::npos ? given[i] : given[i].substr(equals + 1))
               .second)
        fail("parameter '" + name + "' is given twice");
    }
  }

  bool has(const std::string& name) const { return values_.count(name) > 0; }

  double number(const std::string& name, double otherwise) const {
    return has(name) ? parse<double>(name) : otherwise;
  }
  double number(const std::string& name) const {
    if (!has(name)) fail("needs the parameter '" + name + "'");
    return parse<double>(name);
  }
  int integer(const std::string& name) const {
    if (!has(name)) fail("needs the parameter '" + name + "'");
    return parse<int>(name);
  }
  int integer(const std::string& name, int otherwise) const {
    return has(name) ? parse<int>(name) : otherwise;
  }
  const std::string& text(const std::string& name) const { return values_.at(name); }
  Method method(const std::string& name) const {
    if (!has(name)) fail("needs the parameter '" + name + "'");
    return parse_method(text(name));
  }
  Method method(const std::string& name, const Method& otherwise) const {
    return has(name) ? method(name) : otherwise;
  }

  /// The parts "method: fraction".
  std::vector<std::pair<Method, double>> parts() const {
    std::vector<std::pair<Method, double>> result;
    for (const std::string& part : parts_) {
      const auto colon = part.rfind(':');
      if (colon == std::string::npos || colon < part.rfind(')') + 1)
        fail("takes " + usage() + "; '" + part + "' is no method: fraction");
      result.emplace_back(parse_method(part.substr(0, colon)),
                          convert<double>("fraction", trimmed(part.substr(colon + 1))));
    }
    return result;
  }

 private:
  void take_parts(std::vector<std::string>& given) {
    for (const std::string& item : given)
      if (name_end(item) == std::string::npos) parts_.push_back(item);
    std::erase_if(given, [](const auto& item) { return name_end(item) == std::string::npos; });
  }
  template <class T> T parse(const std::string& name) const {
    return convert<T>(name, values_.at(name));
  }
  template <class T> T convert(const std::string& name, const std::string& text) const {
    T value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size())
      fail("parameter '" + name + "' must be " +
           (std::is_same_v<T, int> ? "a whole number" : "a number") + ", got '" + text + "'");
    return value;
  }
  std::string usage() const {
    if (names_.empty()) return "no parameters";
    std::string text;
    for (const std::string& name : names_) text += (text.empty() ? "" : ", ") + name;
    return text;
  }
  [[noreturn]] void fail(const std::string& why) const {
    throw InvalidArgument(method_ + " " + why);
  }

  std::string method_;
  std::vector<std::string> names_;
  std::vector<std::string> parts_;
  std::map<std::string, std::string> values_;
};

struct Row {
  Descriptor descriptor;
  std::vector<std::string> parameters;
  std::function<Method(const Arguments&)> make;
};

const std::vector<Row>& rows() {  // NOLINT(readability-function-size): a table
  static const std::vector<Row> table = {
      {{"euler_a",
        "",
        "1",
        "no",
        "yes",
        "L separable",
        "",
        "MW01",
        "symplectic Euler, L at q0: momentum first",
        {"euler_a"}},
       {},
       [](const Arguments&) { return euler_a(); }},
      {{"euler_b",
        "",
        "1",
        "no",
        "yes",
        "L separable",
        "",
        "MW01",
        "symplectic Euler, L at q1: position first",
        {"euler_b"}},
       {},
       [](const Arguments&) { return euler_b(); }},
      {{"midpoint",
        "alpha=1/2",
        "2 (1 if alpha != 1/2)",
        "alpha = 1/2",
        "yes",
        "L separable and alpha = 0 or 1",
        "0 <= alpha <= 1",
        "MW01",
        "L at one point between q0 and q1",
        {"midpoint", "midpoint(0.3)"}},
       {"alpha"},
       [](const Arguments& a) { return midpoint(a.number("alpha", 0.5)); }},
      {{"trapezoid",
        "alpha=1/2",
        "2 (1 if alpha != 1/2)",
        "alpha = 1/2",
        "yes",
        "L separable",
        "0 <= alpha <= 1",
        "West04",
        "weighted mean of L at both ends",
        {"trapezoid", "trapezoid(0.3)"}},
       {"alpha"},
       [](const Arguments& a) { return trapezoid(a.number("alpha", 0.5)); }},
      {{"symmetrised",
        "alpha",
        "2",
        "yes",
        "yes",
        "L separable and alpha = 0 or 1",
        "0 <= alpha <= 1",
        "MW01",
        "mean of L at two points, as far from q0 as from q1",
        {"symmetrised(0.25)", "symmetrised(0)", "symmetrised(0.9)"}},
       {"alpha"},
       [](const Arguments& a) { return symmetrised(a.number("alpha")); }},
      {{"newmark",
        "beta=1/4, gamma=1/2",
        "2 (1 if gamma != 1/2)",
        "gamma = 1/2",
        "gamma = 1/2, with a two-form of its own",
        "beta = 0",
        "L separable; no constraints; 0 <= beta <= 1/2, 0 <= gamma <= 1",
        "MW01",
        "Newmark's method for structures, with forces too",
        {"newmark", "newmark(0)", "newmark(0.25, 0.6)"}},
       {"beta", "gamma"},
       [](const Arguments& a) { return newmark(a.number("beta", 0.25), a.number("gamma", 0.5)); }},
      {{"verlet",
        "",
        "2",
        "yes",
        "yes",
        "L separable",
        "",
        "MW01",
        "Stoermer-Verlet; RATTLE with constraints",
        {"verlet"}},
       {},
       [](const Arguments&) { return verlet(); }},
      {{"gauss",
        "s",
        "2s",
        "yes",
        "yes",
        "",
        "s >= 1; with constraints s = 1",
        "MW01",
        "Gauss collocation with s stages",
        {"gauss(1)", "gauss(2)", "gauss(3)", "gauss(4)"}},
       {"s"},
       [](const Arguments& a) { return gauss(a.integer("s")); }},
      {{"lobatto",
        "s",
        "2s-2",
        "yes",
        "yes",
        "",
        "s >= 2",
        "MW01",
        "Lobatto IIIA-IIIB with s stages, full order with constraints",
        {"lobatto(2)", "lobatto(3)", "lobatto(4)", "lobatto(5)"}},
       {"s"},
       [](const Arguments& a) { return lobatto(a.integer("s")); }},
      {{"galerkin",
        "degree, quadrature=gauss:degree",
        "min(2 degree, order of quadrature)",
        "quadrature symmetric",
        "yes",
        "",
        "at least degree quadrature points",
        "MW01",
        "polynomial paths with any quadrature",
        {"galerkin(1)", "galerkin(2)", "galerkin(3)", "galerkin(4)", "galerkin(2, lobatto:3)",
         "galerkin(3, gauss:5)", "galerkin(2, radau:2)"}},
       {"degree", "quadrature"},
       [](const Arguments& a) {
         const int degree = a.integer("degree");
         return a.has("quadrature") ? galerkin(degree, parse_quadrature(a.text("quadrature")))
                                    : galerkin(degree);
       }},
      {{"trigonometric",
        "harmonics, theta",
        "2 (4 harmonics + 2 with theta = omega h)",
        "yes",
        "yes",
        "",
        "0 < theta = omega h, harmonics * theta <= 20",
        "Leok15",
        "paths of sines and cosines, for an oscillation of known frequency omega",
        {"trigonometric(1, 2)"}},
       {"harmonics", "theta"},
       [](const Arguments& a) { return trigonometric(a.integer("harmonics"), a.number("theta")); }},
      {{"triple_jump",
        "method=verlet",
        "order of method + 2",
        "yes",
        "yes",
        "where method is",
        "method symmetric",
        "MW01",
        "three steps of a method, the middle one backwards",
        {"triple_jump(verlet)", "triple_jump(midpoint)"}},
       {"method"},
       [](const Arguments& a) { return triple_jump(a.method("method", verlet())); }},
      {{"suzuki",
        "method=verlet",
        "order of method + 2",
        "yes",
        "yes",
        "where method is",
        "method symmetric",
        "Suzuki90",
        "five steps of a method, the middle one backwards",
        {"suzuki(verlet)"}},
       {"method"},
       [](const Arguments& a) { return suzuki(a.method("method", verlet())); }},
      {{"yoshida",
        "order, method=verlet",
        "4, 6 or 8",
        "yes",
        "yes",
        "where method is",
        "method symmetric, of lower order",
        "Yoshida90",
        "3, 7 or 15 steps of a method of order 2, the fewest",
        {"yoshida(4)", "yoshida(6)", "yoshida(8)"}},
       {"order", "method"},
       [](const Arguments& a) {
         return yoshida(a.integer("order"), a.method("method", verlet()));
       }},
      {{"kahan_li",
        "order, method=verlet",
        "6 or 8",
        "yes",
        "yes",
        "where method is",
        "method symmetric, of lower order",
        "KL97",
        "9 or 17 steps of a method of order 2, short ones",
        {"kahan_li(6)", "kahan_li(6, midpoint)", "kahan_li(8)"}},
       {"order", "method"},
       [](const Arguments& a) {
         return kahan_li(a.integer("order"), a.method("method", verlet()));
       }},
      {{"sofroniou_spaletta",
        "order=10, method=verlet",
        "10",
        "yes",
        "yes",
        "where method is",
        "method symmetric, of lower order",
        "SS05",
        "35 steps of a method of order 2",
        {"sofroniou_spaletta(10)"}},
       {"order", "method"},
       [](const Arguments& a) {
         return sofroniou_spaletta(a.integer("order", 10), a.method("method", verlet()));
       }},
      {{"ruth",
        "order=3",
        "3",
        "no",
        "yes",
        "L separable",
        "",
        "Ruth83",
        "kicks and drifts, 3 gradients",
        {"ruth(3)"}},
       {"order"},
       [](const Arguments& a) { return ruth(a.integer("order", 3)); }},
      {{"mclachlan",
        "order=4",
        "4",
        "yes",
        "yes",
        "L separable",
        "",
        "McLachlan95",
        "kicks and drifts, 5 gradients",
        {"mclachlan(4)"}},
       {"order"},
       [](const Arguments& a) { return mclachlan(a.integer("order", 4)); }},
      {{"mclachlan_atela",
        "order",
        "4 or 5",
        "no",
        "yes",
        "L separable",
        "L separable; no force, no constraint",
        "MA92",
        "kicks and drifts for T quadratic, 4 or 6 gradients",
        {"mclachlan_atela(4)", "mclachlan_atela(5)"}},
       {"order"},
       [](const Arguments& a) { return mclachlan_atela(a.integer("order")); }},
      {{"blanes_moan",
        "order",
        "4 or 6",
        "yes",
        "yes",
        "L separable",
        "",
        "BM02",
        "kicks and drifts with small error, 6 or 10 gradients",
        {"blanes_moan(4)", "blanes_moan(6)"}},
       {"order"},
       [](const Arguments& a) { return blanes_moan(a.integer("order")); }},
      {{"blanes_moan_rkn",
        "order, gradients=6 or 14",
        "4 or 6",
        "yes",
        "yes",
        "L separable",
        "for order 6: L separable; no force, no constraint",
        "BM02",
        "kicks and drifts for T quadratic, 6 (order 4), 11 or 14 gradients",
        {"blanes_moan_rkn(4)", "blanes_moan_rkn(6, 11)", "blanes_moan_rkn(6, 14)"}},
       {"order", "gradients"},
       [](const Arguments& a) {
         return blanes_moan_rkn(a.integer("order"), a.integer("gradients", 0));
       }},
      {{"compose",
        "method: fraction, ..., order=lowest",
        "lowest of the methods, or as stated",
        "where mirrored",
        "yes",
        "where the methods are",
        "the fractions sum to 1",
        "MW01",
        "methods one after the other, each over a fraction of the step",
        {"compose(verlet: 0.3, midpoint: 0.4, verlet: 0.3)"}},
       {parts_parameter, "order"},
       [](const Arguments& a) { return compose(a.parts(), a.integer("order", 0)); }},
      {{"adjoint",
        "method",
        "order of method",
        "where method is",
        "yes",
        "where method is",
        "",
        "MW01",
        "the inverse of a step of a method backwards",
        {"adjoint(galerkin(2, radau:2))"}},
       {"method"},
       [](const Arguments& a) { return adjoint(a.method("method")); }},
      {{"rk4",
        "",
        "4",
        "no",
        "no",
        "always",
        "no constraints",
        "HLW06",
        "baseline: the classical Runge-Kutta method",
        {"rk4"}},
       {},
       [](const Arguments&) { return rk4(); }},
      {{"dopri5",
        "tolerance=1e-9",
        "5",
        "no",
        "no",
        "always",
        "no constraints",
        "HLW06",
        "baseline: Dormand-Prince 5(4) with adaptive steps inside the given one",
        {"dopri5"}},
       {"tolerance"},
       [](const Arguments& a) { return dopri5(a.number("tolerance", 1e-9)); }},
      {{"explicit_euler",
        "",
        "1",
        "no",
        "no",
        "always",
        "no constraints",
        "HLW06",
        "baseline: explicit Euler",
        {"explicit_euler"}},
       {},
       [](const Arguments&) { return explicit_euler(); }},
  };
  return table;
}

/// Names that are reserved for methods to come.
const std::vector<std::string> planned{"shooting",   "taylor", "sem",   "shake", "rattle",
                                       "nh_lobatto", "dla",    "spark", "avi"};

std::string without_quotes(std::string text) {
  std::erase(text, '"');
  return text;
}

/// How deep parentheses stand inside each other.
long depth(std::string_view text) {
  long open = 0;
  long most = 0;
  for (const char c : text) {
    if (c == '(') most = std::max(most, ++open);
    if (c == ')') --open;
  }
  return most;
}

/// The first comma that is not inside parentheses.
std::size_t outer_comma(std::string_view list) {
  int depth = 0;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list[i] == '(') ++depth;
    if (list[i] == ')') --depth;
    if (list[i] == ',' && depth == 0) return i;
  }
  return std::string_view::npos;
}

std::vector<std::string> split(std::string_view list) {
  std::vector<std::string> items;
  if (trimmed(list).empty()) return items;
  while (true) {
    const auto comma = outer_comma(list);
    const std::string item = without_quotes(trimmed(list.substr(0, comma)));
    if (item.empty()) throw InvalidArgument("method: an argument between the commas is empty");
    const auto equals = name_end(item);
    items.push_back(equals == std::string::npos
                        ? item
                        : trimmed(item.substr(0, equals)) + "=" + trimmed(item.substr(equals + 1)));
    if (comma == std::string_view::npos) break;
    list.remove_prefix(comma + 1);
  }
  return items;
}

}  // namespace

const std::vector<Descriptor>& method_list() {
  static const std::vector<Descriptor> list = [] {
    std::vector<Descriptor> descriptors;
    for (const Row& row : rows()) descriptors.push_back(row.descriptor);
    return descriptors;
  }();
  return list;
}

Method parse_method(std::string_view text) {
  constexpr long deepest = 4;  // order 10 from a method of order 2: beyond, steps are many and tiny
  if (depth(text) > deepest)
    throw InvalidArgument("method: at most " + std::to_string(deepest) +
                          " methods can stand inside each other");
  const auto open = text.find('(');
  const std::string name = trimmed(text.substr(0, open));
  std::string_view inside;
  if (open != std::string_view::npos) {
    const auto close = text.rfind(')');
    if (close == std::string_view::npos || close < open || !trimmed(text.substr(close + 1)).empty())
      throw InvalidArgument("method '" + std::string(text) + "': the parentheses do not match");
    inside = text.substr(open + 1, close - open - 1);
  }
  std::string known;
  std::vector<std::string> names;
  for (const Row& row : rows()) {
    if (row.descriptor.name == name)
      return row.make(Arguments(name, row.parameters, split(inside)));
    known += (known.empty() ? "" : ", ") + row.descriptor.name;
    names.push_back(row.descriptor.name);
  }
  if (std::find(planned.begin(), planned.end(), name) != planned.end())
    throw InvalidArgument("the method '" + name + "' is not available yet; there are " + known);
  const std::string near = nearest(name, names);
  throw InvalidArgument("there is no method '" + name + "'; there are " + known +
                        (near.empty() ? "" : ". Did you mean " + near + "?"));
}

}  // namespace varia
