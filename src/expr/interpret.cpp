// SPDX-License-Identifier: BSD-3-Clause
// The interpreter. Deciding which operation comes next costs more than most operations do (the
// processor guesses wrong), so operations of one kind that are ready together are done in one loop.
#include <array>
#include <cstddef>

#include "sine_pairs.hpp"
#include "varia/expr/tape_scalar.hpp"

namespace varia::expr {
namespace {

constexpr std::size_t op_count = static_cast<std::size_t>(Op::less) + 1;
constexpr std::size_t sine_pair = op_count;  // a kind of its own
constexpr std::size_t kind_count = op_count + 1;

/// Which operations wait for which: a list of users per slot, one behind the other.
struct Users {
  std::vector<std::uint32_t> first, list, waiting;

  explicit Users(const std::vector<Instruction>& program, std::size_t inputs)
      : first(program.size() + 1, 0), waiting(program.size(), 0) {
    for (std::size_t k = inputs; k < program.size(); ++k) {
      const Instruction& i = program[k];
      if (i.a >= inputs) ++first[i.a + 1];
      if (i.b >= inputs && i.b != i.a) ++first[i.b + 1];
      waiting[k] = (i.a >= inputs ? 1U : 0U) + (i.b >= inputs && i.b != i.a ? 1U : 0U);
    }
    for (std::size_t k = 1; k < first.size(); ++k) first[k] += first[k - 1];
    list.resize(first.back());
    std::vector<std::uint32_t> next(first.begin(), first.end() - 1);
    for (std::size_t k = inputs; k < program.size(); ++k) {
      const Instruction& i = program[k];
      if (i.a >= inputs) list[next[i.a]++] = static_cast<std::uint32_t>(k);
      if (i.b >= inputs && i.b != i.a) list[next[i.b]++] = static_cast<std::uint32_t>(k);
    }
  }
};

/// Operations that can be done, by their kind. Of a pair the sine stands for both.
class Ready {
 public:
  explicit Ready(const std::vector<Instruction>& program)
      : program_(program), partner_(sine_pairs(program)) {}

  std::uint32_t partner(std::uint32_t k) const { return partner_[k]; }

  void add(std::uint32_t k) {
    const Op op = program_[k].op;
    if (partner_[k] == k)
      of_kind_[static_cast<std::size_t>(op)].push_back(k);
    else if (op == Op::sin)
      of_kind_[sine_pair].push_back(k);
  }

  /// Those of the kind of which there are most.
  std::vector<std::uint32_t> take() {
    std::size_t best = 0;
    for (std::size_t kind = 0; kind < kind_count; ++kind)
      if (of_kind_[kind].size() > of_kind_[best].size()) best = kind;
    std::vector<std::uint32_t> run = std::move(of_kind_[best]);
    of_kind_[best].clear();
    return run;
  }

 private:
  const std::vector<Instruction>& program_;
  std::vector<std::uint32_t> partner_;
  std::array<std::vector<std::uint32_t>, kind_count> of_kind_;
};

}  // namespace

// Takes all operations of the kind of which most are ready, and again, until none is left.
void Tape::schedule() {
  const std::size_t inputs = constants_.size() + variables_.size();
  Users users(instructions_, inputs);
  Ready ready(instructions_);
  for (auto k = static_cast<std::uint32_t>(inputs); k < instructions_.size(); ++k)
    if (users.waiting[k] == 0) ready.add(k);
  std::vector<std::uint32_t> slot(instructions_.size());
  for (std::uint32_t k = 0; k < inputs; ++k) slot[k] = k;
  auto next_slot = static_cast<std::uint32_t>(inputs);
  const auto release_users = [&](std::uint32_t k) {
    for (std::uint32_t u = users.first[k]; u < users.first[k + 1]; ++u)
      if (--users.waiting[users.list[u]] == 0) ready.add(users.list[u]);
  };
  while (next_slot < instructions_.size()) {
    const std::vector<std::uint32_t> run = ready.take();
    const Op op = instructions_[run.front()].op;
    const bool pairs = ready.partner(run.front()) != run.front();
    runs_.push_back({op, pairs, static_cast<std::uint32_t>(run.size())});
    for (const std::uint32_t k : run) {
      slot[k] = next_slot++;
      if (pairs) slot[ready.partner(k)] = next_slot++;
      code_.push_back(slot[instructions_[k].a]);
      if (operands(op) == 2) code_.push_back(slot[instructions_[k].b]);
    }
    for (const std::uint32_t k : run) {
      release_users(k);
      if (pairs) release_users(ready.partner(k));
    }
  }
  for (const std::uint32_t output : output_slots_) result_slots_.push_back(slot[output]);
}

namespace {

template <class F>
[[gnu::always_inline]] inline void unary(const double* work, const std::uint32_t*& code, double*& r,
                                         std::uint32_t count, const F& f) {
  for (std::uint32_t k = 0; k < count; ++k) *r++ = f(work[*code++]);
}

template <class F>
[[gnu::always_inline]] inline void binary(const double* work, const std::uint32_t*& code,
                                          double*& r, std::uint32_t count, const F& f) {
  for (std::uint32_t k = 0; k < count; ++k, code += 2) *r++ = f(work[code[0]], work[code[1]]);
}

void run_sine_pairs(const double* work, const std::uint32_t*& code, double*& r,
                    std::uint32_t count) {
  for (std::uint32_t k = 0; k < count; ++k, r += 2) sine_and_cosine(work[*code++], r, r + 1);
}

}  // namespace

void Tape::evaluate(const double* x, double* out, double* work) const {
  double* r = work;
  for (const double constant : constants_) *r++ = constant;
  for (const std::uint32_t variable : variables_) *r++ = x[variable];
  const std::uint32_t* code = code_.data();
  for (const Run run : runs_) {
    if (run.pairs)
      run_sine_pairs(work, code, r, run.count);
    else if (operands(run.op) == 1)
      detail::with_unary(run.op, [&](const auto& f) { unary(work, code, r, run.count, f); });
    else
      detail::with_binary(run.op, [&](const auto& f) { binary(work, code, r, run.count, f); });
  }
  for (const std::uint32_t slot : result_slots_) *out++ = work[slot];
}

}  // namespace varia::expr
