// SPDX-License-Identifier: BSD-3-Clause
// Vectors and matrices: what the parser makes of them are formulas of their entries.
//
// v + w, v - w, -v, s*v, v/s entry by entry; K*v, K*M, dot, cross, norm, transpose; parts v[2], K[1,2], v.x.
// A motion g moves a point b to g*b = g.rotation*b + g.position.
#include <algorithm>

#include "functions.hpp"
#include "parser.hpp"
#include "varia/core/counted.hpp"

namespace varia::expr {
namespace {

constexpr int space = 3;  // the dimension in which there is a cross product
constexpr std::string_view axes = "xyz";

std::size_t at(const Shape& shape, int row, int column) {
  return static_cast<std::size_t>(row) * static_cast<std::size_t>(shape[1].count) +
         static_cast<std::size_t>(column);
}

/// "r[1..30,1..3]"
std::string range_text(const std::string& name, const Shape& shape) {
  std::string text;
  for (const Extent& extent : shape)
    text += (text.empty() ? "" : ",") + std::to_string(extent.first) + ".." +
            std::to_string(extent.last());
  return name + "[" + text + "]";
}

std::string beyond_range(long index, const std::string& name, const Shape& shape,
                         const std::string& where = "") {
  return "index " + std::to_string(index) + " is out of the range of " + range_text(name, shape) +
         where + ": keep the index within it, or make " + name + " longer";
}

std::string quoted(const std::string& name) { return "'" + name + "'"; }

}  // namespace

Parser::Value Parser::any_value() {
  Value value;
  value.any = true;
  return value;
}

Parser::Value Parser::array(Shape shape, std::vector<Id> entries) const {
  if (shape.empty()) return {entries[0]};
  Value value;
  value.shape = std::move(shape);
  value.entries = std::move(entries);
  return value;
}

/// The array of entry(k) for the entries of this one.
template <class Entry> Parser::Value Parser::each(const Value& of, const Entry& entry) const {
  std::vector<Id> entries;
  entries.reserve(of.entries.size());
  for (std::size_t k = 0; k < of.entries.size(); ++k) entries.push_back(entry(k));
  return array(of.shape, std::move(entries));
}

// What it is, for messages

std::string Parser::kind(const Value& value) {
  if (value.motion && value.shape.size() == 2) return "a motion";
  return shape_text(value.shape);
}

void Parser::refuse_array(const Value& value, const Token& first) const {
  const bool is_named = value.name != nullptr;
  const std::string it(is_named ? value.name->text : "v");
  std::string what =
      is_named ? quoted(it) + " is the array " + range_text(it, value.shape) + ", " + kind(value)
               : "this is " + kind(value);
  if (value.motion && value.shape.size() == 2) {
    what = (is_named ? quoted(it) : "this") + " is a motion";
    fail(first, what + ", and a number or a vector is needed here; it moves a point b to " + it +
                    "*b, and its parts are " + it + ".rotation and " + it + ".position");
  }
  const bool matrices = value.shape.size() > 2;
  std::string index = std::to_string(value.shape[0].first);
  if (value.shape.size() == 2) index += "," + std::to_string(value.shape[1].first);
  what += std::string(matrices ? "" : ", and a number is needed here") +
          ": it needs an index, as in " + it + "[" + index + "]";
  if (value.shape.size() == 1) what += "; or write norm(" + it + ") or dot(" + it + ", " + it + ")";
  fail(first, what);
}

// Lists, indices and components

/// [a, b, c], a vector, or [[a, b], [c, d]], a matrix.
Parser::Value Parser::list() {
  const Token& open = word();
  ++frame_.next;
  enter();
  std::vector<Value> items;
  do {
    const Token& first = word();
    if (first.kind == ']') fail("a list has at least one entry, as in [1, 0, 0]");
    items.push_back(value());
    if (items.back().shape.size() > 1)
      fail(first, "the entries of a list are numbers, or vectors of one length; this is " +
                      kind(items.back()));
    if (!items.back().any && !items.front().any &&
        !same_counts(items.back().shape, items.front().shape))
      fail(first, "the entries of a list are all of one kind; the first is " + kind(items.front()) +
                      ", this one is " + kind(items.back()));
  } while (accept(','));
  close(']', open);
  --depth_;
  if (std::any_of(items.begin(), items.end(), [](const Value& item) { return item.any; }))
    return any_value();
  Shape shape{{1, static_cast<int>(items.size())}};
  shape.insert(shape.end(), items.front().shape.begin(), items.front().shape.end());
  std::vector<Id> entries;
  for (const Value& item : items) {
    if (item.shape.empty())
      entries.push_back(item.id);
    else
      entries.insert(entries.end(), item.entries.begin(), item.entries.end());
  }
  return array(std::move(shape), std::move(entries));
}

Parser::Value Parser::indexed(const std::string& name, const Value& of) {
  if (!of.any) return indexed(name, of.shape, of.entries, of.motion);
  const Token& open = word();
  ++frame_.next;
  do expression();
  while (accept(','));
  close(']', open);
  return any_value();
}

/// An index, less the first one of its range.
std::size_t Parser::narrowed(const std::string& name, const Shape& shape, std::size_t depth,
                             const Token& first, Id place) const {
  if (dry_) return 0;
  const auto index = static_cast<long>(graph_[place].value);
  if (index < shape[depth].first || index > shape[depth].last())
    fail(first, beyond_range(index, name, shape, where()));
  return static_cast<std::size_t>(index - shape[depth].first);
}

/// The entry of an array whose index is one of loops.
Parser::Value Parser::symbolic_element(const std::string& name, const Token& first,
                                       const Shape& shape, const std::vector<Id>& entries,
                                       Id index) const {
  if (shape.size() > 1) throw UnrolledOnly("no loop: " + name + " has several indices");
  const auto [least, greatest] = loops_->range(index);
  for (const long end : {least, greatest})
    if (end < shape[0].first || end > shape[0].last()) fail(first, beyond_range(end, name, shape));
  return {loops_->entry(name, shape[0].first, entries, index)};
}

/// One index more than the array has.
void Parser::refuse_index(const std::string& name, const Shape& shape) const {
  if (shape.empty())
    fail(name + " is a motion and has no index; its parts are " + name + ".rotation and " + name +
         ".position");
  fail(name + " takes " + counted(shape.size(), "index", "indices") + "; it is the array " +
       range_text(name, shape));
}

/// What the indices that follow leave of an array: K[i], K[i,j], K[i][j].
Parser::Value Parser::indexed(const std::string& name, const Shape& shape,
                              const std::vector<Id>& entries, bool motion) {
  const std::size_t most = shape.size() - (motion ? 2 : 0);
  std::size_t begin = 0, size = entries.size(), depth = 0;
  while (word().kind == '[' && (depth < most || depth == 0)) {
    const Token& open = word();
    ++frame_.next;
    do {
      if (depth == most) refuse_index(name, {shape.begin(), shape.begin() + std::ptrdiff_t(most)});
      const Token& first = word();
      const Id place = index_of("the index of " + name);
      if (!dry_ && !graph_.is_constant(place)) {
        Value entry = symbolic_element(name, first, shape, entries, place);
        close(']', open);
        return entry;
      }
      size /= static_cast<std::size_t>(shape[depth].count);
      begin += narrowed(name, shape, depth, first, place) * size;
      ++depth;
    } while (accept(','));
    close(']', open);
  }
  const auto from = entries.begin() + static_cast<std::ptrdiff_t>(begin);
  if (dry_ && depth == shape.size()) return {zero_};
  Value rest = array({shape.begin() + static_cast<std::ptrdiff_t>(depth), shape.end()},
                     {from, from + static_cast<std::ptrdiff_t>(size)});
  rest.motion = motion;
  return rest;
}

/// .x of a vector in the plane or in space; .rotation and .position of a motion.
Parser::Value Parser::component(const Value& of) {
  ++frame_.next;
  const Token& name = word();
  if (!accept('a')) fail("a component, x, y or z, is expected behind '.'");
  if (of.any) return of;
  if (of.motion && of.shape.size() == 2) return part_of_motion(of, name);
  if (of.shape.size() != 1)
    fail(name, "a component belongs to a vector, and this is " + shape_text(of.shape) +
                   ": an index is missing, as in r[1].x");
  const auto count = static_cast<std::size_t>(of.shape[0].count);
  if (count > axes.size())
    fail(name, "the components of " + kind(of) + " are written [1] to [" + std::to_string(count) +
                   "]; x, y and z are those of vectors in the plane and in space");
  const std::size_t k = name.text.size() == 1 ? axes.find(name.text[0]) : count;
  if (k >= count) {
    std::string known;
    for (std::size_t i = 0; i < count; ++i) known += (i > 0 ? std::string(", ") : "") + axes[i];
    fail(name, kind(of) + " has no component '" + std::string(name.text) +
                   "'; its components are " + known);
  }
  return {of.entries[k]};
}

Parser::Value Parser::part_of_motion(const Value& of, const Token& name) const {
  const int n = of.shape[0].count;
  if (name.text == "position") {
    std::vector<Id> entries;
    entries.reserve(static_cast<std::size_t>(n));
    for (int i = 0; i < n; ++i) entries.push_back(of.entries[at(of.shape, i, n)]);
    return array({{1, n}}, std::move(entries));
  }
  if (name.text != "rotation")
    fail(name, "the parts of a motion are rotation and position, found '" + std::string(name.text) +
                   "'; a component is written as in g.position.x");
  std::vector<Id> entries;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) entries.push_back(of.entries[at(of.shape, i, j)]);
  return array({{1, n}, {1, n}}, std::move(entries));
}

// Sums and products

Parser::Value Parser::added(Op op, const Value& a, const Value& b, const Token& sign) const {
  if (no_truth(a).is_number() && no_truth(b).is_number()) return {make(op, a.id, b.id)};
  if (a.any || b.any) return any_value();
  if (a.motion || b.motion || !same_counts(a.shape, b.shape)) refuse_sum(a, b, sign);
  return each(a, [&](std::size_t k) { return make(op, a.entries[k], b.entries[k]); });
}

void Parser::refuse_sum(const Value& a, const Value& b, const Token& sign) const {
  const std::string what = sign.kind == '-' ? "a difference" : "a sum";
  if (a.motion || b.motion)
    fail(sign, what +
                   " has no motions in it; a motion g moves a point b to g*b, and its parts are "
                   "g.rotation and g.position");
  for (const auto& [one, other] : {std::pair(&a, &b), std::pair(&b, &a)})
    if (one->is_number() && other->name != nullptr) refuse_array(*other, *other->name);
  fail(sign, what + " is of two numbers, or of two arrays of one kind; found " + kind(a) + " and " +
                 kind(b) +
                 (a.is_number() || b.is_number()
                      ? "; write a component, such as r.x, or a multiple of a vector"
                      : ""));
}

Parser::Value Parser::multiplied(const Value& a, const Value& b, const Token& sign) const {
  if (no_truth(a).is_number() && no_truth(b).is_number()) return {make(Op::mul, a.id, b.id)};
  if (a.any || b.any) return any_value();
  if (a.motion && b.shape.size() == 1) return moved(a, b, sign);
  if (a.motion || b.motion)
    fail(sign, "a motion stands before a point, g*b; found " + kind(a) + " times " + kind(b));
  if (a.shape.empty())
    return each(b, [&](std::size_t k) { return make(Op::mul, a.id, b.entries[k]); });
  if (b.shape.empty())
    return each(a, [&](std::size_t k) { return make(Op::mul, a.entries[k], b.id); });
  if (a.shape.size() == 2) return matrix_product(a, b, sign);
  if (b.shape.size() == 1)
    fail(sign, "vectors are not multiplied with *; write dot(v, w), or cross(v, w)");
  fail(sign, "a matrix stands before a vector, K*v; for v times K write transpose(K)*v");
}

Parser::Value Parser::matrix_product(const Value& a, const Value& b, const Token& sign) const {
  const int rows = a.shape[0].count, inner = a.shape[1].count;
  if (b.shape[0].count != inner)
    fail(sign, kind(a) + " stands before " +
                   (b.shape.size() == 1 ? "a vector of length " : "a matrix with rows: ") +
                   std::to_string(inner) + ", found " + kind(b));
  const int columns = b.shape.size() == 1 ? 1 : b.shape[1].count;
  const Shape across{b.shape[0], {1, columns}};
  std::vector<Id> entries;
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) {
      std::vector<Id> row, column;
      for (int k = 0; k < inner; ++k) {
        row.push_back(a.entries[at(a.shape, i, k)]);
        column.push_back(b.entries[at(across, k, j)]);
      }
      entries.push_back(dot(row, column));
    }
  Shape shape{a.shape[0]};
  if (b.shape.size() == 2) shape.push_back(b.shape[1]);
  return array(std::move(shape), std::move(entries));
}

Parser::Value Parser::moved(const Value& motion, const Value& point, const Token& sign) const {
  const int n = motion.shape[0].count;
  if (point.shape[0].count != n)
    fail(sign, "this motion moves points with " + std::to_string(n) + " coordinates, found " +
                   kind(point));
  Value place = point;
  for (int i = 0; i < n; ++i) {
    const auto row = motion.entries.begin() + static_cast<std::ptrdiff_t>(at(motion.shape, i, 0));
    place.entries[static_cast<std::size_t>(i)] =
        make(Op::add, dot({row, row + n}, point.entries), row[n]);
  }
  return place;
}

Parser::Value Parser::divided(const Value& a, const Value& b, const Token& sign,
                              const Token& second) const {
  if (no_truth(a).is_number() && no_truth(b).is_number()) return {make(Op::div, a.id, b.id)};
  if (a.any || b.any) return any_value();
  if (a.motion || !b.shape.empty())
    fail(sign, "one divides by numbers, and what is divided is a number or an array; found " +
                   kind(a) + " divided by " + kind(b) + "; by a length: /norm(v)");
  const Id divisor = number_of(b, second);
  return each(a, [&](std::size_t k) { return make(Op::div, a.entries[k], divisor); });
}

Parser::Value Parser::negated(const Value& a) const {
  if (a.any) return a;
  if (a.is_number()) return {make(Op::neg, a.id)};
  return each(a, [&](std::size_t k) { return make(Op::neg, a.entries[k]); });
}

Parser::Value Parser::chosen(Id condition, const Value& a, const Value& b,
                             const Token& name) const {
  const auto choose = [&](Id x, Id y) {
    return build([&] { return graph_.choice(condition, x, y); });
  };
  if (a.is_number() && b.is_number()) return {choose(a.id, b.id)};
  if (a.any || b.any) return any_value();
  if (a.motion || b.motion || !same_counts(a.shape, b.shape))
    fail(name, "the two values of if are numbers, or arrays of one kind; found " + kind(a) +
                   " and " + kind(b));
  return each(a, [&](std::size_t k) { return choose(a.entries[k], b.entries[k]); });
}

// Functions

Id Parser::dot(const std::vector<Id>& a, const std::vector<Id>& b) const {
  Id sum = make(Op::mul, a[0], b[0]);
  for (std::size_t k = 1; k < a.size(); ++k) sum = make(Op::add, sum, make(Op::mul, a[k], b[k]));
  return sum;
}

Parser::Value Parser::vector_call(const Token& name, const std::vector<Argument>& given) const {
  const std::string_view function = name.text;
  const bool of_matrix = function == "transpose";
  for (const Argument& one : given) {
    if (one.value.any) return any_value();
    if (one.value.motion || one.value.shape.size() != (of_matrix ? 2 : 1))
      fail(*one.first, std::string(function) + " takes " + (of_matrix ? "a matrix" : "vectors") +
                           ", found " + kind(one.value) +
                           (one.value.is_number() && function == "norm" ? "; write abs(x)" : ""));
  }
  const Value& v = given[0].value;
  if (of_matrix) {
    std::vector<Id> entries;
    for (int j = 0; j < v.shape[1].count; ++j)
      for (int i = 0; i < v.shape[0].count; ++i) entries.push_back(v.entries[at(v.shape, i, j)]);
    return array({v.shape[1], v.shape[0]}, std::move(entries));
  }
  if (function == "norm") return {make(Op::sqrt, dot(v.entries, v.entries))};
  if (function == "cross") return cross(name, given);
  if (!same_counts(v.shape, given[1].value.shape))
    fail(name,
         "dot takes two vectors of one length, found " + kind(v) + " and " + kind(given[1].value));
  return {dot(v.entries, given[1].value.entries)};
}

Parser::Value Parser::cross(const Token& name, const std::vector<Argument>& given) const {
  const std::vector<Id>&a = given[0].value.entries, &b = given[1].value.entries;
  for (const Argument& one : given)
    if (one.value.shape[0].count != space)
      fail(name,
           "cross takes two vectors of length 3, found " + kind(one.value) +
               (one.value.shape[0].count == 2 ? "; in the plane write v.x*w.y - v.y*w.x" : ""));
  std::vector<Id> entries;
  for (std::size_t k = 0; k < space; ++k) {
    const std::size_t i = (k + 1) % space, j = (k + 2) % space;
    entries.push_back(make(Op::sub, make(Op::mul, a[i], b[j]), make(Op::mul, a[j], b[i])));
  }
  return array({{1, space}}, std::move(entries));
}

}  // namespace varia::expr
