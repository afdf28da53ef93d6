// SPDX-License-Identifier: BSD-3-Clause
// The interpreter. Deciding which operation comes next costs more than most operations do (the
// processor guesses wrong), so operations of one kind that are ready together are done in one loop.
// The operands of a sum over an index mostly lie at constant strides: what was a loop in the text is
// one here, and arithmetic takes two numbers at a time.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <functional>
#include <tuple>

#include "lanes.hpp"
#include "sine_pairs.hpp"
#include "varia/expr/tape_scalar.hpp"

namespace varia::expr {
namespace {

constexpr std::size_t op_count = static_cast<std::size_t>(last_op) + 1;
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

// Takes all operations of the kind of which most are ready, and again, until none is left. Those taken
// at once are put in an order in which operands follow each other.
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
  // operands at one distance, or with one constant, then by place
  const auto place = [&](std::uint32_t k) {
    const auto a = static_cast<std::int64_t>(slot[instructions_[k].a]);
    const auto b = static_cast<std::int64_t>(slot[instructions_[k].b]);
    const auto constants = static_cast<std::int64_t>(constants_.size());
    if (a < constants) return std::tuple(0, a, b);
    if (b < constants) return std::tuple(1, b, a);
    return std::tuple(2, b - a, a);
  };
  std::vector<Scheduled> order;
  order.reserve(instructions_.size() - inputs);
  while (next_slot < instructions_.size()) {
    std::vector<std::uint32_t> run = ready.take();
    const Op op = instructions_[run.front()].op;
    const bool pairs = ready.partner(run.front()) != run.front();
    std::stable_sort(run.begin(), run.end(),
                     [&](std::uint32_t k, std::uint32_t l) { return place(k) < place(l); });
    for (const std::uint32_t k : run) {
      slot[k] = next_slot++;
      if (pairs) slot[ready.partner(k)] = next_slot++;
      order.push_back({op, pairs, slot[instructions_[k].a], slot[instructions_[k].b]});
    }
    for (const std::uint32_t k : run) {
      release_users(k);
      if (pairs) release_users(ready.partner(k));
    }
  }
  for (const std::uint32_t output : output_slots_) result_slots_.push_back(slot[output]);
  encode(order);
}

// Runs of one kind, those with operands at constant strides apart.
void Tape::encode(const std::vector<Scheduled>& order) {
  constexpr std::size_t shortest = 8;
  const auto stretch = [&](std::size_t first, std::size_t end) {
    const auto steps = [&](std::size_t k) {
      return std::pair(order[k + 1].a - order[k].a, order[k + 1].b - order[k].b);
    };
    std::size_t k = first;
    while (k + 1 < end && steps(k) == steps(first)) ++k;
    return k + 1 - first;
  };
  const auto gather = [&](std::size_t first, std::size_t end) {
    if (first == end) return;
    runs_.push_back(
        {order[first].op, order[first].pairs, false, static_cast<std::uint32_t>(end - first)});
    for (std::size_t k = first; k < end; ++k) {
      code_.push_back(order[k].a);
      if (operands(order[k].op) == 2) code_.push_back(order[k].b);
    }
  };
  for (std::size_t first = 0; first < order.size();) {
    const auto same = [&](const Scheduled& s) {
      return s.op == order[first].op && s.pairs == order[first].pairs;
    };
    const auto end = static_cast<std::size_t>(
        std::find_if_not(order.begin() + static_cast<std::ptrdiff_t>(first), order.end(), same) -
        order.begin());
    std::size_t gathered = first;
    for (std::size_t k = first; k < end;) {
      const std::size_t count = order[k].pairs ? 1 : stretch(k, end);
      if (count < shortest) {
        ++k;
        continue;
      }
      gather(gathered, k);
      runs_.push_back({order[k].op, false, true, static_cast<std::uint32_t>(count)});
      for (const std::uint32_t word :
           {order[k].a, order[k + 1].a - order[k].a, order[k].b, order[k + 1].b - order[k].b})
        code_.push_back(word);
      gathered = k += count;
    }
    gather(gathered, end);
    first = end;
  }
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

/// Two numbers, for arithmetic on both at once.
using Two [[gnu::vector_size(16)]] = double;

/// Operands of a strided run; independent: no result is an operand.
struct Operands {
  const double *a, *b;
  std::ptrdiff_t step_a, step_b;
  bool independent;

  bool contiguous() const {
    return independent && step_a >= 0 && step_a <= 1 && step_b >= 0 && step_b <= 1;
  }
};

/// Two neighbours, or one number twice.
template <int step> [[gnu::always_inline]] inline Two two_of(const double* x) {
  if constexpr (step == 0) return Two{*x, *x};
  Two both;
  std::memcpy(&both, x, sizeof both);
  return both;
}

template <int step_a, int step_b, class F>
[[gnu::always_inline]] inline void by_twos(const Operands& x, double* r, std::uint32_t count,
                                           const F& f) {
  std::uint32_t k = 0;
  for (; k + 2 <= count; k += 2) {
    const Two both = f(two_of<step_a>(x.a + k * step_a), two_of<step_b>(x.b + k * step_b));
    std::memcpy(r + k, &both, sizeof both);
  }
  if (k < count) r[k] = f(x.a[k * step_a], x.b[k * step_b]);
}

template <class F>
[[gnu::always_inline]] inline void by_twos(const Operands& x, double* r, std::uint32_t count,
                                           const F& f) {
  if (x.step_a == 0)
    by_twos<0, 1>(x, r, count, f);
  else if (x.step_b == 0)
    by_twos<1, 0>(x, r, count, f);
  else
    by_twos<1, 1>(x, r, count, f);
}

/// Whether op is arithmetic, and was done.
bool arithmetic(Op op, const Operands& x, double* r, std::uint32_t count) {
  switch (op) {
    case Op::neg:
      by_twos(x, r, count, [](const auto& a, const auto&) { return -a; });
      return true;
    case Op::add:
      by_twos(x, r, count, std::plus<>());
      return true;
    case Op::sub:
      by_twos(x, r, count, std::minus<>());
      return true;
    case Op::mul:
      by_twos(x, r, count, std::multiplies<>());
      return true;
    case Op::div:
      by_twos(x, r, count, std::divides<>());
      return true;
    default:
      return false;
  }
}

void run_strided(Op op, const Operands& x, double* r, std::uint32_t count) {
  if (x.contiguous() && arithmetic(op, x, r, count)) return;
  const double* a = x.a;
  const double* b = x.b;
  if (operands(op) == 1)
    detail::with_unary(op, [&](const auto& f) {
      for (std::uint32_t k = 0; k < count; ++k, a += x.step_a) r[k] = f(*a);
    });
  else
    detail::with_binary(op, [&](const auto& f) {
      for (std::uint32_t k = 0; k < count; ++k, a += x.step_a, b += x.step_b) r[k] = f(*a, *b);
    });
}

Operands strided_operands(const double* work, const std::uint32_t* code, const double* r,
                          std::uint32_t count) {
  const auto step = [](std::uint32_t word) {
    return static_cast<std::ptrdiff_t>(static_cast<std::int32_t>(word));
  };
  Operands x{work + code[0], work + code[2], step(code[1]), step(code[3]), false};
  const auto last = static_cast<std::ptrdiff_t>(count) - 1;
  x.independent = x.a + last * x.step_a < r && x.b + last * x.step_b < r;
  return x;
}

}  // namespace

void run_lanes(Op op, const Lane& a, const Lane& b, double* r, std::uint32_t count) {
  run_strided(op, {a.first, b.first, a.step, b.step, true}, r, count);
}

void Tape::evaluate(const double* x, double* out, double* work) const {
  double* r = work;
  for (const double constant : constants_) *r++ = constant;
  for (const std::uint32_t variable : variables_) *r++ = x[variable];
  const std::uint32_t* code = code_.data();
  for (const Run run : runs_) {
    if (run.strided) {
      run_strided(run.op, strided_operands(work, code, r, run.count), r, run.count);
      code += 4;
      r += run.count;
    } else if (run.pairs) {
      run_sine_pairs(work, code, r, run.count);
    } else if (operands(run.op) == 1) {
      detail::with_unary(run.op, [&](const auto& f) { unary(work, code, r, run.count, f); });
    } else {
      detail::with_binary(run.op, [&](const auto& f) { binary(work, code, r, run.count, f); });
    }
  }
  for (const std::uint32_t slot : result_slots_) *out++ = work[slot];
}

}  // namespace varia::expr
