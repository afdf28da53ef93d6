// SPDX-License-Identifier: BSD-3-Clause
#include "varia/control/control_problem.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "step_evaluation.hpp"
#include "varia/core/counted.hpp"
#include "varia/core/error.hpp"
#include "varia/core/index.hpp"
#include "varia/expr/derivative.hpp"

namespace varia {

namespace detail {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

void require_method(const Method& method, const ControlSizes& z) {
  if (method.stages() == nullptr)
    throw InvalidArgument("optimal control needs a method of stages, and " + method.name() +
                          " is none; use gauss(s), lobatto(s), midpoint or verlet");
  if (z.d > 0 && method.constrained_order() == 0)
    throw InvalidArgument(method.name() +
                          " cannot hold holonomic constraints; use lobatto(s), s >= 2");
  if (z.e > 0 && !(method.holds_nonholonomic() && method.begins_with_multipliers()))
    throw InvalidArgument(method.name() +
                          " cannot hold nonholonomic constraints here; use nh_lobatto(s), s >= 2");
  if (z.d > 0 && z.e > 0)
    throw InvalidArgument(
        "holonomic and nonholonomic constraints together are not there for optimal control; choose "
        "coordinates that satisfy the holonomic ones");
}

void require_space(const ProductSpace& space) {
  if (!space.reduced().empty())
    throw InvalidArgument(
        "optimal control needs the points of groups; leave out reconstruct = false");
}

/// Every input must occur where it does something.
void require_inputs(const expr::Graph& graph, const ControlFormulas& f,
                    const ControlVariables& names) {
  if (f.inputs.empty()) throw InvalidArgument("a control problem needs at least one input");
  std::vector<expr::Id> all = f.system.force;
  all.insert(all.end(), f.rates.begin(), f.rates.end());
  const auto used = expr::variables_of(graph, all);
  for (std::size_t i = 0; i < f.inputs.size(); ++i)
    if (!std::binary_search(used.begin(), used.end(), names.u + static_cast<int>(i)))
      throw InvalidArgument("the input '" + f.inputs[i].name +
                            "' occurs in no force and in no rate: it moves nothing");
}

void require_ranges(const std::vector<ControlRange>& ranges, const char* what) {
  for (const ControlRange& range : ranges)
    if (!(range.lower <= range.upper))
      throw InvalidArgument(std::string("the bounds of the ") + what + " '" + range.name +
                            "' contradict each other: the lower one, " + to_text(range.lower) +
                            ", is not below the upper one, " + to_text(range.upper));
}

void require_time(const ControlTime& time) {
  if (!std::isfinite(time.start) || !std::isfinite(time.end) || !(time.end > time.start))
    throw InvalidArgument("optimal control needs an end of the time, " + to_text(time.end) +
                          ", behind its start, " + to_text(time.start));
  if (time.steps < 1)
    throw InvalidArgument("optimal control needs at least one step, not " +
                          std::to_string(time.steps));
}

void require_rows(const std::vector<ControlRow>& rows, int most, const char* end) {
  if (static_cast<int>(rows.size()) > most)
    throw InvalidArgument(counted(rows.size(), "condition") + " at the " + end +
                          ", but a state has " + counted(static_cast<std::size_t>(most), "number"));
}

}  // namespace

ControlParts::ControlParts(expr::Graph& graph, const ControlFormulas& formulas,
                           const Method& of_method, const ControlTime& of_time, Retraction tau)
    : sizes(formulas, of_time.free_end.has_value()),
      time(of_time),
      space(formulas.system.space),
      layouts(sizes,
              (require_time(of_time), require_method(of_method, sizes),
               require_space(formulas.system.space), of_method),
              (of_time.end - of_time.start) / of_time.steps),
      method(of_method),
      inputs(formulas.inputs),
      parameters(formulas.parameters),
      path(formulas.path) {
  const ControlVariables names(space, sizes.a, sizes.u, sizes.theta);
  require_inputs(graph, formulas, names);
  require_ranges(inputs, "input");
  require_ranges(parameters, "parameter");
  for (const ControlInequality& g : path)
    require_ranges({ControlRange{g.name, g.lower, g.upper}}, "path inequality");
  if (time.free_end) require_ranges({*time.free_end}, "end time");
  const int seen = 2 * (sizes.n - static_cast<int>(space.vertical().size())) + sizes.a;
  require_rows(formulas.start, seen + sizes.global(), "start");
  require_rows(formulas.end, seen + sizes.global(), "end");
  for (const ControlRow& row : formulas.start) start_names.push_back(row.name);
  for (const ControlRow& row : formulas.end) end_names.push_back(row.name);

  const StepPieces pieces(graph, formulas, time, tau);
  departure = pieces.departure();
  arrival = pieces.arrival();
  point = pieces.point();
  end = pieces.end();
  start_conditions = pieces.start_conditions();
  end_conditions = pieces.end_conditions();
  if (sizes.e > 0) multipliers = pieces.multipliers();
  make_kinds(formulas.multipliers == Multipliers::recompute);
}

void ControlParts::make_kinds(bool recompute) {
  const bool rolls = sizes.e > 0;
  const bool passes = rolls && !recompute && time.steps > 1;
  kinds.push_back(layouts.departure(departure));
  kinds.push_back(layouts.step(point, end, &multipliers, rolls, passes));
  kinds.push_back(layouts.step(point, end, &multipliers, rolls && recompute, passes));
  kinds.push_back(
      layouts.step(point, end, &multipliers, rolls && (recompute || time.steps == 1), false));
  kinds.push_back(layouts.arrival(arrival));
  start_map = layouts.node_variables(start_conditions);
  end_map = layouts.node_variables(end_conditions);
}

const StepKind& ControlParts::kind(int k) const {
  if (k == 0) return kinds[0];
  if (k == time.steps + 1) return kinds[4];
  if (k == time.steps) return kinds[3];
  return kinds[k == 1 ? 1 : 2];
}

namespace {

void evaluate_conditions(const ControlParts& parts, const StepPiece& conditions,
                         const LinearMap& map, int step, const double* node,
                         const Eigen::VectorXd& nu, ChainOrder order, ChainEnd& out) {
  const Piece& piece = conditions.piece;
  const int n = parts.sizes.n;
  const NodeLayout layout(parts.sizes, false);
  std::vector<double> values(sz(layout.size));
  put_node(node, layout, n, parts.sizes.entries, values.data());
  std::vector<double> input{static_cast<double>(step), 0.0, 0.0};
  input.insert(input.end(), node, node + parts.sizes.entries);
  for (const auto& terms : map) input.push_back(values[sz(terms.front().place)]);
  const int rows = piece.multipliers();
  std::vector<double> output(sz(1 + rows + piece.variables() + piece.jacobian.size()));
  piece.slopes(input.data(), output.data());
  out.cost = output[0];
  out.rows = Eigen::Map<const Eigen::VectorXd>(output.data() + 1, rows);
  out.gradient.setZero(layout.size);
  out.jacobian.setZero(rows, layout.size);
  const double* value = output.data() + 1 + rows;
  for (const auto& terms : map) out.gradient[terms.front().place] += *value++;
  const auto place = [&](int variable) { return map[sz(variable)].front().place; };
  for (int e = 0; e < piece.jacobian.size(); ++e)
    out.jacobian(piece.jacobian.row[sz(e)], place(piece.jacobian.column[sz(e)])) += *value++;
  if (order != ChainOrder::all) return;
  input.insert(input.end(), nu.data(), nu.data() + nu.size());
  output.resize(sz(piece.hessian.size()));
  piece.second(input.data(), output.data());
  out.hessian.setZero(layout.size, layout.size);
  for (int e = 0; e < piece.hessian.size(); ++e) {
    const int i = place(piece.hessian.row[sz(e)]), j = place(piece.hessian.column[sz(e)]);
    out.hessian(i, j) = out.hessian(j, i) = output[sz(e)];
  }
}

}  // namespace

const double* ControlParts::node(const ChainPoint& at, int k) const {
  return k == 0 ? at.x0.data() : at.y[sz(k - 1)].data() + kind(k - 1).inner;
}

}  // namespace detail

using detail::sz;

ControlProblem::ControlProblem(expr::Graph& graph, const ControlFormulas& formulas,
                               const Method& method, const ControlTime& time, Retraction tau)
    : parts_(std::make_unique<Parts>(graph, formulas, method, time, tau)) {}
ControlProblem::~ControlProblem() = default;

int ControlProblem::steps() const { return parts_->time.steps + 2; }
ChainStepSizes ControlProblem::sizes(int k) const { return parts_->kind(k).sizes(); }
int ControlProblem::end_size() const { return parts_->kinds.back().end.size; }
int ControlProblem::start_rows() const { return parts_->start_conditions.piece.multipliers(); }
int ControlProblem::end_rows() const { return parts_->end_conditions.piece.multipliers(); }

ChainBounds ControlProblem::input_bounds(int k) const {
  const int count = parts_->kind(k).inputs;
  ChainBounds bounds{Eigen::VectorXd(count), Eigen::VectorXd(count)};
  for (int i = 0; i < count; ++i) {
    const ControlRange& range = parts_->inputs[sz(i % parts_->sizes.u)];
    bounds.lower[i] = range.lower;
    bounds.upper[i] = range.upper;
  }
  return bounds;
}

ChainBounds ControlProblem::inequality_bounds(int k) const {
  const int count = parts_->kind(k).inequalities;
  ChainBounds bounds{Eigen::VectorXd(count), Eigen::VectorXd(count)};
  const auto put = [&](int i, double lower, double upper) {
    bounds.lower[i] = lower;
    bounds.upper[i] = upper;
  };
  for (int i = 0; i < count; ++i) {
    if (k > 0)
      put(i, parts_->path[sz(i % parts_->sizes.path)].lower,
          parts_->path[sz(i % parts_->sizes.path)].upper);
    else if (i < parts_->sizes.theta)
      put(i, parts_->parameters[sz(i)].lower, parts_->parameters[sz(i)].upper);
    else
      put(i, parts_->time.free_end->lower, parts_->time.free_end->upper);
  }
  return bounds;
}

void ControlProblem::evaluate(int k, const ChainPoint& at, const Eigen::VectorXd& rho,
                              const Eigen::VectorXd& z, ChainOrder order, ChainStep& out) const {
  detail::StepEvaluation(*parts_, parts_->kind(k), std::max(k - 1, 0))
      .at(parts_->node(at, k), at.w[sz(k)].data(), at.y[sz(k)].data())
      .run(rho, z, order, out);
}

void ControlProblem::evaluate_start(const ChainPoint& at, const Eigen::VectorXd& nu,
                                    ChainOrder order, ChainEnd& out) const {
  detail::evaluate_conditions(*parts_, parts_->start_conditions, parts_->start_map, 0,
                              parts_->node(at, 0), nu, order, out);
}

void ControlProblem::evaluate_end(const ChainPoint& at, const Eigen::VectorXd& nu, ChainOrder order,
                                  ChainEnd& out) const {
  detail::evaluate_conditions(*parts_, parts_->end_conditions, parts_->end_map, parts_->time.steps,
                              parts_->node(at, steps()), nu, order, out);
}

namespace {

/// The node whose entries begin at `entry`, moved by what begins at `degree`.
void move_node(const detail::ControlParts& parts, const detail::NodeLayout& node,
               const Eigen::VectorXd& x, const Eigen::VectorXd& by, int first, double alpha,
               Eigen::VectorXd& to) {
  const int n = parts.sizes.n, rest = node.size - n;
  const Eigen::VectorXd delta = alpha * by.segment(first, n);
  parts.space.retract(x.data() + first, delta.data(), Retraction::exponential, to.data() + first);
  to.tail(rest) = x.tail(rest) + alpha * by.tail(rest);
}

}  // namespace

void ControlProblem::move_start(const Eigen::VectorXd& x0, const Eigen::VectorXd& d, double alpha,
                                Eigen::VectorXd& out) const {
  out.resize(x0.size());
  move_node(*parts_, parts_->kinds.front().start, x0, d, 0, alpha, out);
}

void ControlProblem::move_step(int k, const Eigen::VectorXd& y, const Eigen::VectorXd& d,
                               double alpha, Eigen::VectorXd& out) const {
  const detail::StepKind& kind = parts_->kind(k);
  out.resize(y.size());
  out.head(kind.inner) = y.head(kind.inner) + alpha * d.head(kind.inner);
  move_node(*parts_, kind.end, y, d, kind.inner, alpha, out);
}

Eigen::VectorXd ControlProblem::difference(int k, const Eigen::VectorXd& from,
                                           const Eigen::VectorXd& to) const {
  const detail::NodeLayout& node = parts_->kind(k).start;
  const int rest = node.size - parts_->sizes.n;
  Eigen::VectorXd d(node.size);
  parts_->space.difference(from.data(), to.data(), Retraction::exponential, d.data());
  d.tail(rest) = to.tail(rest) - from.tail(rest);
  return d;
}

std::string ControlProblem::name_of_input(int k, int i) const {
  return parts_->inputs[sz(i % parts_->sizes.u)].name + " in step " + std::to_string(k);
}

std::string ControlProblem::name_of_inequality(int k, int i) const {
  if (k > 0) return parts_->path[sz(i % parts_->sizes.path)].name + " in step " + std::to_string(k);
  return i < parts_->sizes.theta ? parts_->parameters[sz(i)].name : parts_->time.free_end->name;
}

std::string ControlProblem::name_of_start_row(int i) const {
  return sz(i) < parts_->start_names.size() ? parts_->start_names[sz(i)]
                                            : "a constraint of the system at the start";
}

std::string ControlProblem::name_of_end_row(int i) const { return parts_->end_names[sz(i)]; }

}  // namespace varia
