// SPDX-License-Identifier: BSD-3-Clause
#include "varia/solve/structured.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>

namespace varia {

namespace {

using Neighbours = std::vector<std::vector<int>>;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

Neighbours neighbours(const Couplings& couplings) {
  Neighbours result(couplings.groups.size());
  for (const auto& [a, b] : couplings.meeting)
    if (a != b) {
      result[at(a)].push_back(b);
      result[at(b)].push_back(a);
    }
  for (auto& list : result) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  return result;
}

/// The groups reached from `start`, nearest first, among equals those with few neighbours first.
std::vector<int> breadth_first(const Neighbours& next, int start, std::vector<int>& mark,
                               int color) {
  std::vector<int> order{start};
  mark[at(start)] = color;
  for (std::size_t k = 0; k < order.size(); ++k) {
    const std::size_t first = order.size();
    for (const int b : next[at(order[k])])
      if (mark[at(b)] != color) {
        mark[at(b)] = color;
        order.push_back(b);
      }
    if (order.size() - first < 2) continue;  // a sort of nothing would allocate
    std::stable_sort(order.begin() + static_cast<std::ptrdiff_t>(first), order.end(),
                     [&](int a, int b) { return next[at(a)].size() < next[at(b)].size(); });
  }
  return order;
}

/// Nanoseconds of a factorisation and three solves of n unknowns, dense and in a band with w diagonals
/// on each side: polynomials fitted to n = 8..96, w = 1..31 on x86-64. What counts is their ratio.
double dense_cost(double n) { return n * n * (2.0 + 0.08 * n); }
double band_cost(double n, double w) { return n * (45.0 + 5.6 * w + 0.3 * w * w); }

}  // namespace

std::vector<int> cuthill_mckee(const Couplings& couplings) {
  const Neighbours next = neighbours(couplings);
  std::vector<int> order;
  std::vector<int> mark(next.size(), 0);
  std::vector<char> done(next.size(), 0);
  int color = 0;
  for (int a = 0; a < static_cast<int>(next.size()); ++a) {
    if (done[at(a)]) continue;
    if (next[at(a)].empty()) {
      order.push_back(a);
      continue;
    }
    // the last group reached is far from where it began: twice gives an end of the component
    int start = a;
    for (int k = 0; k < 2; ++k) start = breadth_first(next, start, mark, ++color).back();
    for (const int b : breadth_first(next, start, mark, ++color)) {
      done[at(b)] = 1;
      order.push_back(b);
    }
  }
  std::reverse(order.begin(), order.end());
  return order;
}

void StructuredLU::resize(const Couplings& couplings) {
  size_ = 0;
  for (const auto& group : couplings.groups) size_ += static_cast<int>(group.size());
  place_.assign(at(size_), 0);
  std::vector<int> first(couplings.groups.size());
  std::vector<int> last(couplings.groups.size());
  int count = 0;
  for (const int g : cuthill_mckee(couplings)) {
    first[at(g)] = count;
    for (const int unknown : couplings.groups[at(g)]) place_[at(unknown)] = count++;
    last[at(g)] = count - 1;
  }
  int width = 0;
  for (std::size_t g = 0; g < first.size(); ++g) width = std::max(width, last[g] - first[g]);
  for (const auto& [a, b] : couplings.meeting)
    width = std::max({width, last[at(a)] - first[at(b)], last[at(b)] - first[at(a)]});
  banded_ = band_cost(size_, width) < dense_cost(size_);
  if (banded_)
    band_.resize(size_, width, width);
  else
    dense_.resize(size_);
}

/// solve(x) in the numbering of the band.
template <class F> void StructuredLU::renumbered(double* x, const F& solve) const {
  thread_local std::vector<double> moved;
  moved.resize(std::max(moved.size(), at(size_)));
  for (int i = 0; i < size_; ++i) moved[at(place(i))] = x[i];
  solve(moved.data());
  for (int i = 0; i < size_; ++i) x[i] = moved[at(place(i))];
}

void StructuredLU::solve(double* x) const {
  if (banded_)
    renumbered(x, [this](double* y) { band_.solve(y); });
  else
    dense_.solve(x);
}

void StructuredLU::solve_transposed(double* x) const {
  if (banded_)
    renumbered(x, [this](double* y) { band_.solve_transposed(y); });
  else
    dense_.solve_transposed(x);
}

}  // namespace varia
