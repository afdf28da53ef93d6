// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The functions of the language: the one list that the parser, the printer and the documentation read.
#include <array>
#include <string_view>

#include "varia/expr/graph.hpp"

namespace varia::expr {

struct Function {
  std::string_view name;
  std::string_view arguments;   ///< "y, x"
  int count;                    ///< of them; 0: read by the parser in its own way
  std::string_view meaning;     ///< for the documentation
  std::string_view smoothness;  ///< where it is not smooth; empty: smooth wherever it is defined
  Op op;                        ///< that it is; constant where it is made of others
  /// Its formula of `count` numbers; null where the parser reads it in its own way, or it is of vectors.
  Id (*make)(Graph& graph, const Id* arguments);
};

namespace detail {

template <Op op> Id made(Graph& graph, const Id* a) {
  if constexpr (operands(op) == 1)
    return graph.make(op, a[0]);
  else
    return graph.make(op, a[0], a[1]);
}

template <Op op>
constexpr Function plain(std::string_view name, std::string_view arguments,
                         std::string_view meaning, std::string_view smoothness = "") {
  return {name, arguments, operands(op), meaning, smoothness, op, made<op>};
}

inline Id ceiling(Graph& graph, const Id* a) {
  return graph.neg(graph.make(Op::floor, graph.neg(a[0])));
}

/// smoothstep(a, b, x)
inline Id step_between(Graph& graph, const Id* a) {
  return graph.make(Op::smoothstep, graph.div(graph.sub(a[2], a[0]), graph.sub(a[1], a[0])));
}

}  // namespace detail

inline constexpr std::array<Function, 33> functions{{
    detail::plain<Op::sin>("sin", "x", "sine; angles are in radians"),
    detail::plain<Op::cos>("cos", "x", "cosine"),
    detail::plain<Op::tan>("tan", "x", "tangent"),
    detail::plain<Op::asin>("asin", "x", "the angle from -pi/2 to pi/2 with the sine x"),
    detail::plain<Op::acos>("acos", "x", "the angle from 0 to pi with the cosine x"),
    detail::plain<Op::atan>("atan", "x", "the angle between -pi/2 and pi/2 with the tangent x"),
    detail::plain<Op::atan2>("atan2", "y, x", "the angle of the point (x, y), from -pi to pi",
                             "jumps by 2 pi at y = 0, x < 0; its derivatives do not"),
    detail::plain<Op::sinh>("sinh", "x", "hyperbolic sine"),
    detail::plain<Op::cosh>("cosh", "x", "hyperbolic cosine"),
    detail::plain<Op::tanh>("tanh", "x", "hyperbolic tangent"),
    detail::plain<Op::exp>("exp", "x", "exponential function"),
    detail::plain<Op::log>("log", "x", "natural logarithm"),
    {"ln", "x", 1, "the same as log", "", Op::constant, detail::made<Op::log>},
    detail::plain<Op::erf>(
        "erf", "x", "error function, 2/sqrt(pi) times the integral of exp(-s^2) from 0 to x"),
    detail::plain<Op::sqrt>("sqrt", "x", "square root"),
    detail::plain<Op::pow>("pow", "x, y", "x^y"),
    detail::plain<Op::hypot>("hypot", "x, y", "sqrt(x^2 + y^2)", "a cone at x = y = 0"),
    detail::plain<Op::abs>("abs", "x", "absolute value", "a kink at x = 0"),
    detail::plain<Op::sign>("sign", "x", "-1, 0 or 1", "jumps at x = 0"),
    detail::plain<Op::min>("min", "x, y", "the smaller one", "a kink at x = y"),
    detail::plain<Op::max>("max", "x, y", "the larger one", "a kink at x = y"),
    detail::plain<Op::less>("less", "x, y", "1 if x < y, else 0", "jumps at x = y"),
    detail::plain<Op::floor>("floor", "x", "the largest whole number that is not above x",
                             "jumps at whole numbers"),
    {"ceil", "x", 1, "the smallest whole number that is not below x", "jumps at whole numbers",
     Op::constant, detail::ceiling},
    detail::plain<Op::mod>("mod", "x, y", "x - y*floor(x/y), with the sign of y",
                           "jumps at multiples of y"),
    {"smoothstep", "a, b, x", 3,
     "0 up to x = a, 1 from x = b on, between them 10 u^3 - 15 u^4 + 6 u^5 with "
     "u = (x - a)/(b - a)",
     "the third derivative jumps at x = a and x = b", Op::smoothstep, detail::step_between},
    {"dot", "v, w", 2, "v1*w1 + v2*w2 + ..., of two vectors of one length", "", Op::constant,
     nullptr},
    {"cross", "v, w", 2, "the cross product of two vectors of length 3", "", Op::constant, nullptr},
    {"norm", "v", 1, "the length of a vector, sqrt(dot(v, v))", "a cone at v = 0", Op::constant,
     nullptr},
    {"transpose", "K", 1, "the matrix with rows and columns exchanged", "", Op::constant, nullptr},
    {"if", "c, x, y", 0, "x where the condition c holds, else y",
     "jumps, or has a kink, where c changes", Op::when, nullptr},
    {"sum", "i, first, last, x", 0, "the sum of x over the whole numbers i from first to last", "",
     Op::constant, nullptr},
    {"table", "\"file.csv\", \"column\", x", 0,
     "a column of a file against its first column, as a cubic spline; without a column, the second "
     "one",
     "the third derivative jumps at the points of the file", Op::table, nullptr},
}};

/// Words that are no functions and cannot be names.
inline constexpr std::array<std::string_view, 5> other_words{{"pi", "π", "and", "or", "not"}};

constexpr const Function* find_function(std::string_view name) {
  for (const Function& f : functions)
    if (f.name == name) return &f;
  return nullptr;
}

/// Of an operation that is a function.
constexpr std::string_view function_name(Op op) {
  for (const Function& f : functions)
    if (f.op == op) return f.name;
  return "?";
}

}  // namespace varia::expr
