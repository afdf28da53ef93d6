// SPDX-License-Identifier: BSD-3-Clause
// The table [sweep]: which quantities are varied, and the values of each.
#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <memory>
#include <numbers>

#include "expressions.hpp"
#include "reading.hpp"
#include "varia/core/counted.hpp"
#include "varia/expr/derivative.hpp"
#include "words.hpp"

namespace varia::io {

namespace {

/// A number as it is written: digits without the point, and how many of them are behind it.
struct Decimal {
  long digits = 0;
  int behind = 0;
};

/// Without an exponent and with few enough digits that sums of them are exact; else none.
std::optional<Decimal> decimal_of(std::string_view text) {
  constexpr long largest = 1'000'000'000'000;
  Decimal d;
  const bool negative = !text.empty() && text.front() == '-';
  if (negative || (!text.empty() && text.front() == '+')) text.remove_prefix(1);
  bool point = false, any = false;
  for (const char c : text) {
    if (c == '.' && !point) {
      point = true;
    } else if (c >= '0' && c <= '9' && d.digits < largest) {
      any = true;
      d.digits = 10 * d.digits + (c - '0');
      d.behind += point ? 1 : 0;
    } else {
      return std::nullopt;
    }
  }
  if (!any || d.behind > 12) return std::nullopt;
  if (negative) d.digits = -d.digits;
  return d;
}

/// The number of an expression without names, such as 2*pi.
double number_at(const Text& text) {
  expr::Graph graph;
  const expr::Scope scope;
  return constant_value(graph, parse_text("", graph, scope, text), text);
}

SweepValue value_of(double x) {
  const std::string text = varia::to_text(x);
  return {text, text};
}

bool is_decimal(const std::string& text) {
  double x = 0.0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, x);
  return error == std::errc() && stop == end && std::isfinite(x);
}

/// The parts of a text at a separator outside parentheses and brackets.
std::vector<std::string> parts_of(const std::string& text, char between) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (const char c : text) {
    if (c == '(' || c == '[') ++depth;
    if (c == ')' || c == ']') --depth;
    if (c == between && depth == 0)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  for (std::string& part : parts) part = trimmed(part);
  return parts;
}

/// Part of the text of an axis, for messages about it.
Text part_of(const Text& whole, std::string part) {
  return {std::move(part), whole.place, whole.key};
}

void require_count(SweepAxis& axis, double count) {
  if (!(count <= static_cast<double>(most_sweep_cases)))
    throw ScenarioError(axis.values, "has " + varia::to_text(count) + " values, at most " +
                                         std::to_string(most_sweep_cases) +
                                         " are possible; take a larger step.");
  axis.count = static_cast<long>(count);
  axis.numbers = true;
}

[[noreturn]] void refuse_direction(const SweepAxis& axis, const std::vector<std::string>& parts) {
  throw ScenarioError(axis.values, "has no values: the step " + parts[2] + " leads away from " +
                                       parts[1] + ". Change the sign of the step, or exchange " +
                                       parts[0] + " and " + parts[1] + ".");
}

/// Whole numbers of the last digit, so that 0 : 0.9 : 0.1 has ten values and the fourth is 0.3.
bool read_decimal_range(SweepAxis& axis, const std::vector<std::string>& parts) {
  std::array<Decimal, 3> d;
  int behind = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    const std::optional<Decimal> number = decimal_of(parts[k]);
    if (!number) return false;
    d[k] = *number;
    behind = std::max(behind, d[k].behind);
  }
  std::array<long, 3> whole{};
  for (std::size_t k = 0; k < 3; ++k) {
    const double scaled = static_cast<double>(d[k].digits) * std::pow(10.0, behind - d[k].behind);
    if (std::abs(scaled) > 1e15) return false;
    whole[k] = std::lround(scaled);
  }
  const auto [first, last, step] = whole;
  const long count = (last - first) / step + 1;
  if (count < 1 || (last != first && (last > first) != (step > 0))) refuse_direction(axis, parts);
  require_count(axis, static_cast<double>(count));
  const double unit = std::pow(10.0, behind);
  const long begin = first, by = step;  // no structured binding: clang does not capture one
  axis.value = [begin, by, unit](long i) {
    return value_of(static_cast<double>(begin + i * by) / unit);
  };
  return true;
}

void read_range(SweepAxis& axis, const std::vector<std::string>& parts) {
  if (parts.size() != 3)
    throw ScenarioError(axis.values,
                        "a range has three parts, first : last : step, as in "
                        "0 : 0.9 : 0.1.");
  std::array<double, 3> x{};
  for (std::size_t k = 0; k < 3; ++k) x[k] = number_at(part_of(axis.values, parts[k]));
  const double first = x[0], last = x[1], step = x[2];
  if (step == 0.0) throw ScenarioError(axis.values, "the step of the range is 0.");
  if (read_decimal_range(axis, parts)) return;
  if ((last - first) / step < 0.0) refuse_direction(axis, parts);
  constexpr double round_off = 1e-9;  // of the number of steps
  const double steps = (last - first) / step;
  require_count(axis, std::floor(steps + round_off) + 1.0);
  const bool meets_last = std::abs(steps - std::round(steps)) <= round_off;
  const long count = axis.count;
  axis.value = [first, last, step, meets_last, count](long i) {
    return value_of(meets_last && i == count - 1 ? last : first + static_cast<double>(i) * step);
  };
}

// What is written as a function of numbers.

using Numbers = std::vector<double>;

/// In [0, 1), of 53 bits: the library's distributions may differ from one to the next.
double unit_draw(SweepRandom& random) { return static_cast<double>(random() >> 11U) * 0x1p-53; }

double normal_draw(SweepRandom& random) {
  const double radius = std::sqrt(-2.0 * std::log(1.0 - unit_draw(random)));
  return radius * std::cos(2.0 * std::numbers::pi * unit_draw(random));
}

long points_of(const SweepAxis& axis, double count) {
  if (count < 2.0 || count != std::floor(count) || count > static_cast<double>(most_sweep_cases))
    throw ScenarioError(axis.values,
                        "the third number is how many values there are: a whole number from 2 to " +
                            std::to_string(most_sweep_cases) + ", found " + varia::to_text(count) +
                            ".");
  return static_cast<long>(count);
}

void require_increasing(const SweepAxis& axis, const Numbers& x) {
  if (!(x[0] < x[1]))
    throw ScenarioError(axis.values, "the first number must be below the second.");
}

/// From a to b, by the share s of the way.
template <class Between>
void put_points(SweepAxis& axis, const Numbers& x, const Between& between) {
  const long count = points_of(axis, x[2]);
  require_count(axis, static_cast<double>(count));
  const double a = x[0], b = x[1];
  axis.value = [a, b, count, between](long i) {
    if (i == 0 || i == count - 1) return value_of(i == 0 ? a : b);
    return value_of(between(a, b, static_cast<double>(i) / static_cast<double>(count - 1)));
  };
}

double linear_between(double a, double b, double s) { return a + (b - a) * s; }
double geometric_between(double a, double b, double s) { return a * std::pow(b / a, s); }

void read_linear(SweepAxis& axis, const Numbers& x) { put_points(axis, x, linear_between); }

void read_geometric(SweepAxis& axis, const Numbers& x) {
  if (!(x[0] * x[1] > 0.0))
    throw ScenarioError(axis.values,
                        "equal ratios need two numbers of one sign, neither of them 0.");
  put_points(axis, x, geometric_between);
}

void read_uniform(SweepAxis& axis, const Numbers& x) {
  require_increasing(axis, x);
  const double a = x[0], b = x[1];
  axis.draw = [a, b](SweepRandom& random) { return linear_between(a, b, unit_draw(random)); };
}

void read_log_uniform(SweepAxis& axis, const Numbers& x) {
  require_increasing(axis, x);
  if (!(x[0] > 0.0)) throw ScenarioError(axis.values, "both numbers must be above 0.");
  const double a = x[0], b = x[1];
  axis.draw = [a, b](SweepRandom& random) { return geometric_between(a, b, unit_draw(random)); };
}

void read_normal(SweepAxis& axis, const Numbers& x) {
  if (!(x[1] > 0.0))
    throw ScenarioError(axis.values, "the standard deviation, the second number, must be above 0.");
  const double mean = x[0], deviation = x[1];
  axis.draw = [mean, deviation](SweepRandom& random) {
    return mean + deviation * normal_draw(random);
  };
}

struct SweepFunction {
  const char* name;
  const char* arguments;
  std::size_t count;
  void (*read)(SweepAxis&, const Numbers&);
};

constexpr std::array<SweepFunction, 5> sweep_functions{
    {{"linear", "first, last, count", 3, read_linear},
     {"geometric", "first, last, count", 3, read_geometric},
     {"uniform", "from, to", 2, read_uniform},
     {"log_uniform", "from, to", 2, read_log_uniform},
     {"normal", "mean, deviation", 2, read_normal}}};

/// NAME of NAME(...), if the text is that and no more.
std::string called_name(const std::string& text) {
  const auto open = text.find('(');
  if (open == std::string::npos || text.back() != ')') return "";
  int depth = 0;
  for (std::size_t i = open; i + 1 < text.size(); ++i) {
    depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
    if (depth == 0) return "";
  }
  return trimmed(std::string_view(text).substr(0, open));
}

/// A misspelt function would be taken for an expression.
void refuse_misspelt(const SweepAxis& axis, const std::string& name) {
  std::vector<std::string> names;
  names.reserve(std::size(sweep_functions));
  for (const SweepFunction& f : sweep_functions) names.emplace_back(f.name);
  const std::string hint = axis.key == "run.method" ? "" : did_you_mean(name, names);
  if (!hint.empty())
    throw ScenarioError(axis.values,
                        name + " is not known here; there are: " + listed(names) + "." + hint);
}

bool read_function(SweepAxis& axis, const std::string& text) {
  const std::string name = called_name(text);
  if (name.empty()) return false;
  for (const SweepFunction& f : sweep_functions) {
    if (name != f.name) continue;
    const auto open = text.find('(');
    const auto arguments = parts_of(text.substr(open + 1, text.size() - open - 2), ',');
    if (arguments.size() != f.count)
      throw ScenarioError(axis.values, fmt::format("{} takes {}, {}({}), found {}.", name,
                                                   counted(f.count, "number"), name, f.arguments,
                                                   arguments.size()));
    Numbers x;
    for (const std::string& argument : arguments)
      x.push_back(number_at(part_of(axis.values, argument)));
    f.read(axis, x);
    return true;
  }
  refuse_misspelt(axis, name);
  return false;
}

void put_list(SweepAxis& axis, std::vector<SweepValue> list) {
  if (list.empty()) throw ScenarioError(axis.values, "has no values.");
  axis.numbers = true;
  for (const SweepValue& v : list) {
    if (v.text.empty()) throw ScenarioError(axis.values, "the list has an empty entry.");
    axis.numbers = axis.numbers && is_decimal(v.text);
  }
  axis.count = static_cast<long>(list.size());
  const auto values = std::make_shared<const std::vector<SweepValue>>(std::move(list));
  axis.value = [values](long i) { return (*values)[static_cast<std::size_t>(i)]; };
}

void read_axis_text(SweepAxis& axis, const std::string& text) {
  if (text.empty()) throw ScenarioError(axis.values, "has no values.");
  if (read_function(axis, text)) return;
  if (const auto parts = parts_of(text, ':'); parts.size() > 1) return read_range(axis, parts);
  std::vector<SweepValue> list;
  for (const std::string& part : parts_of(text, ',')) list.push_back({part, part});
  put_list(axis, std::move(list));
}

void read_axis_list(SweepAxis& axis, const Value& items) {
  std::vector<SweepValue> list;
  for (const Value& item : items.items) {
    const std::string toml = toml_text(item);
    const bool plain =
        item.kind == Kind::text || item.kind == Kind::integer || item.kind == Kind::real;
    list.push_back({plain ? expression_text(item) : toml, toml});
  }
  put_list(axis, std::move(list));
}

SweepAxis read_axis(const std::string& name, const Value& value, const Value& root) {
  SweepAxis axis;
  axis.name = name;
  axis.values = {value.kind == Kind::text ? value.text : toml_text(value), value.place(),
                 "sweep.vary." + shown(name)};
  axis.key = override_key(root, name, axis.values.place, axis.values.key);
  if (axis.key.starts_with("sweep"))
    throw ScenarioError(axis.values, "a sweep cannot vary itself.");
  if (value.kind == Kind::text)
    read_axis_text(axis, trimmed(value.text));
  else if (value.kind == Kind::list)
    read_axis_list(axis, value);
  else
    put_list(axis, {{toml_text(value), toml_text(value)}});
  return axis;
}

/// start.x of both { start.x = ... } and { "start.x" = ... }.
void read_axes(const Value& table, const std::string& before, const Value& root, SweepText& sweep) {
  for (const Member& member : table.members) {
    const std::string name = before + member.key;
    if (member.value.kind == Kind::table) {
      read_axes(member.value, name + ".", root, sweep);
      continue;
    }
    sweep.axes.push_back(read_axis(name, member.value, root));
    for (std::size_t k = 0; k + 1 < sweep.axes.size(); ++k)
      if (sweep.axes[k].key == sweep.axes.back().key)
        throw ScenarioError(sweep.axes.back().values, "is varied twice: " + sweep.axes[k].name +
                                                          " and " + name + " are the same key.");
  }
}

}  // namespace

SweepText read_sweep(const Value& table, const Value& root) {
  SweepText sweep;
  sweep.place = table.place();
  if (const Value* vary = table.find("vary")) read_axes(*vary, "", root, sweep);
  sweep.zipped = table.find("mode")->text == "list";
  if (const Value* random = table.find("random")) {
    if (const Value* count = random->find("count")) sweep.samples = whole(*count);
    if (const Value* seed = random->find("seed"))
      sweep.seed = static_cast<std::uint64_t>(whole(*seed));
  }
  if (const Value* columns = table.find("columns"))
    for (const Value& column : columns->items) sweep.columns.push_back(column.text);
  return sweep;
}

}  // namespace varia::io
