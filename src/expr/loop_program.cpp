// SPDX-License-Identifier: BSD-3-Clause
#include "varia/expr/loop_program.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "lanes.hpp"
#include "varia/core/error.hpp"
#include "varia/expr/derivative.hpp"

namespace varia::expr {
namespace {

using Kind = LoopSlot::Kind;

std::size_t sz(long k) { return static_cast<std::size_t>(k); }

/// How a place moves with the running index.
long step_of(const ProgramLoop& loop, const LoopPlace& place) {
  return loop.set.inner ? place.by_inner : place.by_outer;
}

bool is_uniform(const ProgramLoop& loop, const LoopSlot& slot) {
  if (slot.kind == Kind::outer) return loop.set.inner;
  return slot.kind != Kind::inner && step_of(loop, slot.place) == 0;
}

double value_of(const LoopSlot& slot, const double* x, long i, long j) {
  switch (slot.kind) {
    case Kind::outer:
      return static_cast<double>(i);
    case Kind::inner:
      return static_cast<double>(j);
    case Kind::number:
      return (*slot.numbers)[sz(slot.place.at(i, j))];
    case Kind::input:
      break;
  }
  return x[slot.place.at(i, j)];
}

/// Work space for the bodies of one thread.
struct LoopRoom {
  std::vector<double> numbers;
  std::vector<Lane> lanes;
};

LoopRoom& loop_room_of_this_thread() {
  thread_local LoopRoom room;
  return room;
}

/// Turns of a loop that follow each other in the running index.
struct TurnBlock {
  long i, j, number;  ///< the indices and the number of the first turn
  long count;
};

/// A block after the other of one loop.
class BlockWorker {
 public:
  BlockWorker(const ProgramLoop& loop, const double* x, double* out, LoopRoom& room)
      : loop_(loop), program_(loop.body->instructions()), x_(x), out_(out), room_(room) {
    const std::size_t size = program_.size() * sz(LoopProgram::block);
    if (room_.numbers.size() < size) room_.numbers.resize(size);
    room_.lanes.resize(program_.size());
  }

  void run(const TurnBlock& block) {
    for (std::size_t k = 0; k < program_.size(); ++k) compute(k, block);
    for (std::size_t o = 0; o < loop_.outputs.size(); ++o) add(o, block);
  }

 private:
  double* row(std::size_t k) { return room_.numbers.data() + k * sz(LoopProgram::block); }

  void compute(std::size_t k, const TurnBlock& block) {
    const Instruction& instruction = program_[k];
    double* const r = row(k);
    room_.lanes[k] = {r, loop_.uniform[k] != 0 ? 0 : 1};
    if (instruction.op == Op::constant)
      *r = instruction.value;
    else if (instruction.op == Op::variable)
      read(k, loop_.slots[instruction.a], block);
    else
      run_lanes(instruction.op, room_.lanes[instruction.a], room_.lanes[instruction.b], r,
                loop_.uniform[k] != 0 ? 1U : static_cast<std::uint32_t>(block.count));
  }

  void read(std::size_t k, const LoopSlot& slot, const TurnBlock& block) {
    double* const r = row(k);
    if (loop_.uniform[k] != 0) {
      *r = value_of(slot, x_, block.i, block.j);
      return;
    }
    if (slot.kind == Kind::inner || slot.kind == Kind::outer) {
      const long first = slot.kind == Kind::inner ? block.j : block.i;
      for (long m = 0; m < block.count; ++m) r[m] = static_cast<double>(first + m);
      return;
    }
    const double* const from =
        (slot.kind == Kind::number ? slot.numbers->data() : x_) + slot.place.at(block.i, block.j);
    const long step = step_of(loop_, slot.place);
    if (step == 1)
      room_.lanes[k].first = from;
    else
      for (long m = 0; m < block.count; ++m) r[m] = from[m * step];
  }

  /// All numbers of a result, one behind the other.
  const double* results(std::size_t k, const TurnBlock& block) {
    const Lane lane = room_.lanes[k];
    if (lane.step == 1) return lane.first;
    double* const r = row(k);
    std::fill(r, r + block.count, *lane.first);
    return r;
  }

  void add(std::size_t o, const TurnBlock& block) {
    const double* const r = results(loop_.body->output_slots()[o], block);
    const LoopOutput& output = loop_.outputs[o];
    if (output.list != nullptr) {
      const std::uint32_t* const places = output.list->data() + block.number;
      for (long m = 0; m < block.count; ++m) out_[places[m]] += r[m];
      return;
    }
    double* const to = out_ + output.place.at(block.i, block.j);
    const long step = step_of(loop_, output.place);
    if (step == 0)
      *to += sum(r, block.count);
    else if (step == 1)
      for (long m = 0; m < block.count; ++m) to[m] += r[m];
    else
      for (long m = 0; m < block.count; ++m) to[m * step] += r[m];
  }

  static double sum(const double* r, long count) {
    double s[4] = {0.0, 0.0, 0.0, 0.0};
    long m = 0;
    for (; m + 4 <= count; m += 4)
      for (int lane = 0; lane < 4; ++lane) s[lane] += r[m + lane];
    for (; m < count; ++m) s[m & 3] += r[m];
    return (s[0] + s[1]) + (s[2] + s[3]);
  }

  const ProgramLoop& loop_;
  const std::vector<Instruction>& program_;
  const double* x_;
  double* out_;
  LoopRoom& room_;
};

/// work(block) for all blocks of the loop, in order.
template <class Work> void for_blocks(const IndexSet& set, const Work& work) {
  long number = 0;
  const auto stretch = [&](long i, long first, long last) {
    for (long k = first; k <= last; k += LoopProgram::block) {
      const long count = std::min(LoopProgram::block, last - k + 1);
      work(set.inner ? TurnBlock{i, k, number, count} : TurnBlock{k, 0, number, count});
      number += count;
    }
  };
  if (!set.inner) return stretch(0, set.first, set.last);
  for (long i = set.first; i <= set.last; ++i) stretch(i, set.inner_first(i), set.inner_last(i));
}

}  // namespace

ProgramLoop::ProgramLoop(Graph& graph, const Family& family, const std::vector<Id>& results,
                         std::vector<LoopOutput> places)
    : set(family.set), outputs(std::move(places)) {
  std::vector<std::pair<int, Id>> local;
  for (const LoopVariable& v : family.variables) {
    local.emplace_back(v.variable, graph.variable(static_cast<int>(slots.size())));
    slots.push_back(v.slot);
  }
  body = std::make_shared<const Tape>(graph, substitute(graph, results, local),
                                      static_cast<int>(slots.size()));
  for (const Instruction& instruction : body->instructions()) {
    if (instruction.op == Op::constant)
      uniform.push_back(1);
    else if (instruction.op == Op::variable)
      uniform.push_back(is_uniform(*this, slots[instruction.a]) ? 1 : 0);
    else
      uniform.push_back(static_cast<char>(uniform[instruction.a] & uniform[instruction.b]));
  }
}

LoopProgram::LoopProgram(const Graph& graph, int inputs, int outputs,
                         std::vector<ProgramLoop> loops)
    : inputs_(inputs),
      outputs_(outputs),
      loops_(std::move(loops)),
      parameters_(graph.parameters()) {
  const auto check = [](const IndexSet& set, const LoopPlace& place, long end, const char* what) {
    const auto [least, greatest] = range_of(set, place);
    if (least < 0 || greatest >= end)
      throw InvalidArgument(std::string("a loop reads or writes ") + what + " " +
                            std::to_string(least < 0 ? least : greatest) + " of " +
                            std::to_string(end));
  };
  for (const ProgramLoop& loop : loops_) {
    for (const LoopSlot& slot : loop.slots)
      if (slot.kind == Kind::input)
        check(loop.set, slot.place, inputs_, "input");
      else if (slot.kind == Kind::number)
        check(loop.set, slot.place, static_cast<long>(slot.numbers->size()), "number");
    for (const LoopOutput& output : loop.outputs)
      if (output.list == nullptr) check(loop.set, output.place, outputs_, "output");
  }
}

double LoopProgram::operations() const {
  double sum = 0.0;
  for (const ProgramLoop& loop : loops_)
    sum += static_cast<double>(loop.set.turns()) *
           static_cast<double>(loop.body->operations() + loop.body->outputs());
  return sum;
}

std::size_t LoopProgram::statements() const {
  std::size_t sum = 0;
  for (const ProgramLoop& loop : loops_)
    sum += sz(loop.body->operations()) + 2 * sz(loop.body->outputs());
  return sum;
}

bool LoopProgram::affine() const {
  return std::all_of(loops_.begin(), loops_.end(), [](const ProgramLoop& loop) {
    return std::all_of(loop.outputs.begin(), loop.outputs.end(),
                       [](const LoopOutput& output) { return output.list == nullptr; });
  });
}

void LoopProgram::evaluate(const double* x, double* out) const {
  std::fill(out, out + outputs_, 0.0);
  for (const ProgramLoop& loop : loops_) {
    BlockWorker worker(loop, x, out, loop_room_of_this_thread());
    for_blocks(loop.set, [&](const TurnBlock& turns) { worker.run(turns); });
  }
}

std::string LoopProgram::non_finite(const double* x, const NameList& variable_names) const {
  std::vector<double> out(sz(outputs_));
  evaluate(x, out.data());
  if (std::all_of(out.begin(), out.end(), [](double y) { return std::isfinite(y); })) return "";
  for (const ProgramLoop& loop : loops_) {
    std::vector<double> values(loop.slots.size());
    std::vector<double> results(loop.outputs.size());
    std::vector<double> work(loop.body->instructions().size());
    std::string found;
    const auto look = [&](long i, long j) {
      for (std::size_t k = 0; k < values.size(); ++k) values[k] = value_of(loop.slots[k], x, i, j);
      loop.body->evaluate(values.data(), results.data(), work.data());
      if (std::all_of(results.begin(), results.end(), [](double y) { return std::isfinite(y); }))
        return;
      NameList names;
      for (std::size_t k = 0; k < values.size(); ++k)
        names.push_back(loop.slots[k].kind == Kind::input
                            ? variable_names[sz(loop.slots[k].place.at(i, j))]
                            : varia::to_text(values[k]));
      found = loop.body->non_finite(values.data(), names);
    };
    for_blocks(loop.set, [&](const TurnBlock& turns) {
      for (long m = 0; m < turns.count && found.empty(); ++m)
        loop.set.inner ? look(turns.i, turns.j + m) : look(turns.i + m, 0);
    });
    if (!found.empty()) return found;
  }
  return "";
}

}  // namespace varia::expr
