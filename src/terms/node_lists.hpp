// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The lists of node clocks: at every corner node the next times of its terms (the set Θ_a of
// [LMOW03]), and which of them is first.
//
// The terms of a node stay where they are, in ascending number; only their times change. Above them
// stands a tournament: pairs of neighbours play, the earlier one goes on, up to the first of the node. When
// the first gets a new time only its own games are played again, three for the triangles
// around a node, five for the tetrahedra, and nothing depends on how a branch turns out.
#include <algorithm>
#include <bit>
#include <limits>

#include "advance_clock.hpp"

namespace varia::terms {

/// A time as an integer that orders like it: whole numbers are compared and chosen without branches.
using Key = std::int64_t;
inline Key key_of(double t) {
  const auto bits = std::bit_cast<Key>(t + 0.0);  // -0.0 becomes 0.0
  return bits ^ ((bits >> 63) & std::numeric_limits<Key>::max());
}

/// How many ready terms are taken at a time.
inline constexpr int batch = 8;

/// A term and its next time.
struct Entry {
  Key t;
  int term;
};

/// What the loop needs of a family, without virtual calls.
template <int D> struct FamilyView {
  const Family<D>* family;
  const int* nodes;
  typename Family<D>::Numbers numbers;
  int stride, corners;
  int first, end;  ///< its terms

  const int* nodes_of(int term) const {
    return nodes + static_cast<std::ptrdiff_t>(term - first) * stride;
  }
};

inline void fetch_bytes(const void* begin, std::size_t bytes) {
  const char* at = static_cast<const char*>(begin);
  for (std::size_t i = 0; i < bytes; i += 64) __builtin_prefetch(at + i, 1);
}

template <int D> class NodeLists {
 public:
  NodeLists(const System<D>& system, const State<D>& state) {
    for (std::size_t f = 0; f < system.families().size(); ++f) {
      const Family<D>& family = *system.families()[f];
      families_.push_back({&family, family.nodes(), family.numbers(), family.nodes_per_term(),
                           family.corners(), system.first()[f], system.first()[f + 1]});
    }
    std::vector<int> counts(static_cast<std::size_t>(system.node_count()), 0);
    for_corners([&](int, int node) { ++counts[static_cast<std::size_t>(node)]; });
    make_heads(counts);
    std::fill(counts.begin(), counts.end(), 0);
    for_corners([&](int term, int node) {  // in ascending number: ties go to the smaller one
      const std::ptrdiff_t at = heads_[node].begin + std::ptrdiff_t{counts[node]++};
      times_[at] = key_of(state.clocks[term].next);
      terms_[at] = term;
    });
    for (const Head& head : heads_) play_all(head);
    check_corners();
  }

  const FamilyView<D>& family(int term) const {
    const FamilyView<D>* view = families_.data();
    while (term >= view->end) ++view;
    return *view;
  }

  /// Asks for the memory of terms that will act soon, in three waves: each needs the one before.
  void fetch(const int* terms, int count, const State<D>& state) const {
    for (int i = 0; i < count; ++i) {
      const FamilyView<D>& view = family(terms[i]);
      fetch_bytes(&state.clocks[terms[i]], sizeof(Clock));
      fetch_bytes(view.nodes_of(terms[i]), sizeof(int) * static_cast<std::size_t>(view.stride));
      fetch_bytes(view.numbers.begin +
                      static_cast<std::size_t>(terms[i] - view.first) * view.numbers.stride,
                  view.numbers.stride);
    }
    for (int i = 0; i < count; ++i) {
      const FamilyView<D>& view = family(terms[i]);
      const int* nodes = view.nodes_of(terms[i]);
      for (int c = 0; c < view.corners; ++c) fetch_bytes(&heads_[nodes[c]], sizeof(Head));
      for (int a = 0; a < view.stride; ++a) fetch_bytes(&state.nodes[nodes[a]], sizeof(Node<D>));
    }
    for (int i = 0; i < count; ++i) {
      const FamilyView<D>& view = family(terms[i]);
      for (int c = 0; c < view.corners; ++c) {
        const Head& head = heads_[view.nodes_of(terms[i])[c]];
        const auto n = static_cast<std::size_t>(head.size);
        fetch_bytes(times_.data() + head.begin, n * sizeof(Key));
        fetch_bytes(terms_.data() + head.begin, n * sizeof(int));
        fetch_bytes(winners_.data() + head.begin, n * sizeof(std::uint16_t));
      }
    }
  }

  /// The first term of a node gets another time; returns the one that is first then.
  Entry renew(int node, Key next) {
    const Head head = heads_[node];
    Key* times = times_.data() + head.begin;
    std::uint16_t* winners = winners_.data() + head.begin;
    int winner = head.size > 1 ? winners[1] : 0;
    Key time = next;
    times[winner] = next;
    int game = winner + head.size, rival = winner ^ 1;
    while (game > 1) {
      // the rival of an odd place has the smaller number and wins ties
      const bool lost = times[rival] < time + (game & 1);
      winner = lost ? rival : winner;
      time = lost ? times[rival] : time;
      game >>= 1;
      winners[game] = static_cast<std::uint16_t>(winner);
      rival = winners[game ^ 1];
    }
    return {time, terms_[head.begin + std::ptrdiff_t{winner}]};
  }

  /// missing[K]: at how many of its corners term K is not the first.
  void count_missing(std::uint8_t* missing) const {
    for (const auto& f : families_)
      std::fill(missing + f.first, missing + f.end, static_cast<std::uint8_t>(f.corners));
    for (const Head& head : heads_)
      if (head.size > 0) --missing[terms_[head.begin + std::ptrdiff_t{first(head)}]];
  }

  template <class F> void for_corners(const F& f) const {
    for (const auto& view : families_)
      for (int term = view.first; term < view.end; ++term)
        for (int c = 0; c < view.corners; ++c) f(term, view.nodes_of(term)[c]);
  }

 private:
  /// Terms that share a node must share a corner, or they would not know of each other.
  void check_corners() const;
  bool share_corner(int a, int b) const {
    const auto &f = family(a), &g = family(b);
    const int *p = f.nodes_of(a), *q = g.nodes_of(b);
    return std::find_first_of(p, p + f.corners, q, q + g.corners) != p + f.corners;
  }

  struct Head {
    std::int32_t begin = 0;
    std::int32_t size = 0;  ///< a power of two, or 0: the terms, and places that never win
  };

  int first(const Head& head) const {
    return head.size > 1 ? winners_[static_cast<std::size_t>(head.begin) + 1] : 0;
  }

  void make_heads(const std::vector<int>& counts) {
    constexpr int most = 1 << 15;
    std::int64_t begin = 0;
    for (std::size_t a = 0; a < counts.size(); ++a) {
      if (counts[a] > most)
        throw InvalidArgument("node_clocks: node " + std::to_string(a) + " belongs to " +
                              std::to_string(counts[a]) + " terms; at most " +
                              std::to_string(most) + " are possible");
      const int size = counts[a] == 0 ? 0 : static_cast<int>(std::bit_ceil<unsigned>(counts[a]));
      heads_.push_back({static_cast<std::int32_t>(begin), size});
      begin += std::max(size, 2);  // renew looks at a second place even where there is none
      if (begin > std::numeric_limits<std::int32_t>::max())
        throw InvalidArgument("node_clocks: more corners of terms than can be numbered");
    }
    times_.assign(static_cast<std::size_t>(begin), std::numeric_limits<Key>::max());
    terms_.assign(times_.size(), -1);
    winners_.assign(times_.size(), 0);
  }

  void play_all(const Head& head) {
    const Key* times = times_.data() + head.begin;
    std::uint16_t* winners = winners_.data() + head.begin;
    const auto of = [&](int place) {
      return place >= head.size ? place - head.size : static_cast<int>(winners[place]);
    };
    for (int game = head.size - 1; game >= 1; --game) {
      const int left = of(2 * game), right = of(2 * game + 1);
      winners[game] = static_cast<std::uint16_t>(times[right] < times[left] ? right : left);
    }
  }

  std::vector<FamilyView<D>> families_;
  std::vector<Head> heads_;
  std::vector<Key> times_;  ///< of the places of all nodes
  std::vector<int> terms_;
  std::vector<std::uint16_t>
      winners_;  ///< of game g of a node, 1 the last; games 2g, 2g + 1 before it
};

template <int D> void NodeLists<D>::check_corners() const {
  std::vector<std::pair<int, int>> inner;  // node that is no corner of some term, term
  std::vector<bool> is_inner(heads_.size(), false);
  const auto for_nodes = [&](const auto& f) {
    for (const auto& view : families_)
      for (int term = view.first; term < view.end; ++term)
        for (int a = 0; a < view.stride; ++a) f(view, term, a, view.nodes_of(term)[a]);
  };
  for_nodes([&](const FamilyView<D>& view, int, int a, int node) {
    if (a >= view.corners) is_inner[static_cast<std::size_t>(node)] = true;
  });
  for_nodes([&](const FamilyView<D>&, int term, int, int node) {
    if (is_inner[static_cast<std::size_t>(node)]) inner.emplace_back(node, term);
  });
  std::sort(inner.begin(), inner.end());
  for (std::size_t i = 0; i < inner.size(); ++i)
    for (std::size_t j = i + 1; j < inner.size() && inner[j].first == inner[i].first; ++j)
      if (!share_corner(inner[i].second, inner[j].second))
        throw InvalidArgument("node_clocks: terms " + std::to_string(inner[i].second) + " and " +
                              std::to_string(inner[j].second) + " share node " +
                              std::to_string(inner[i].first) +
                              ", which is a corner of neither or of one only; terms that share a "
                              "node must share a corner");
}

template <int D>
std::unique_ptr<Schedule<D>> threaded_node_clocks(const System<D>& system, State<D>& state,
                                                  ScheduleOptions<D> options);

}  // namespace varia::terms
