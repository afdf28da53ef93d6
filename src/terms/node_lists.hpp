// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The lists of node clocks: at every corner node the next times of its terms (the set Θ_a of
// [LMOW03]) as a tournament. The games of a term at a corner are always the same, so that they
// can be fetched before the term acts.
#include <algorithm>
#include <new>

#include "advance_clock.hpp"
#include "tournament.hpp"

namespace varia::terms {

/// The games of a term at one of its corners.
struct Way {
  std::int32_t games;  ///< where those of the corner begin
  std::int32_t first_game;
};

/// What the loop needs of a family, without virtual calls.
template <int D> struct FamilyView {
  const Family<D>* family;
  const int* nodes;
  typename Family<D>::Numbers numbers;
  int stride, corners;
  int first, end;  ///< its terms
  std::ptrdiff_t first_way;

  const int* nodes_of(int term) const {
    return nodes + static_cast<std::ptrdiff_t>(term - first) * stride;
  }
  std::ptrdiff_t ways_of(int term) const {
    return first_way + static_cast<std::ptrdiff_t>(term - first) * corners;
  }
};

/// Memory that begins on a line of the cache.
template <class T> struct LineAllocator {
  using value_type = T;
  static constexpr std::align_val_t line{64};
  LineAllocator() = default;
  template <class U> explicit LineAllocator(const LineAllocator<U>&) {}
  T* allocate(std::size_t n) { return static_cast<T*>(::operator new(n * sizeof(T), line)); }
  void deallocate(T* at, std::size_t) { ::operator delete(at, line); }
  friend bool operator==(LineAllocator, LineAllocator) { return true; }
};

template <int D> class NodeLists {
 public:
  /// missing[K]: at how many of its corners term K is not the first.
  NodeLists(const System<D>& system, const State<D>& state, std::vector<std::uint8_t>& missing) {
    std::ptrdiff_t ways = 0;
    missing.clear();
    for (std::size_t f = 0; f < system.families().size(); ++f) {
      const Family<D>& family = *system.families()[f];
      const int first = system.first()[f], end = system.first()[f + 1], corners = family.corners();
      families_.push_back({&family, family.nodes(), family.numbers(), family.nodes_per_term(),
                           corners, first, end, ways});
      ways += std::ptrdiff_t{corners} * (end - first);
      missing.resize(static_cast<std::size_t>(end), static_cast<std::uint8_t>(corners));
    }
    make_lists(system.node_count(), state, missing);
    check_corners(system.node_count());
  }

  const FamilyView<D>& family(int term) const {
    const FamilyView<D>* view = families_.data();
    while (term >= view->end) ++view;
    return *view;
  }

  /// Asks for what the update of a term reads first.
  [[gnu::always_inline]] void fetch(int term, const State<D>& state) const {
    const FamilyView<D>& view = family(term);
    __builtin_prefetch(&state.clocks[term], 1);
    __builtin_prefetch(ways_.data() + view.ways_of(term));
    __builtin_prefetch(view.nodes_of(term));
    __builtin_prefetch(view.nodes_of(term) + view.stride - 1);
    __builtin_prefetch(view.numbers.begin +
                       static_cast<std::size_t>(term - view.first) * view.numbers.stride);
  }

  /// Asks for the nodes and the games of a term.
  [[gnu::always_inline]] void fetch_nodes(int term, const State<D>& state) const {
    const FamilyView<D>& view = family(term);
    const Way* ways = ways_.data() + view.ways_of(term);
    for (int c = 0; c < view.corners; ++c) {
      const Entry* games = games_.data() + ways[c].games;
      for (int i = 0; i < usual_games_ - 1; ++i)  // the last two share a line
        __builtin_prefetch(games + (ways[c].first_game >> i), 1);
    }
    const int* nodes = view.nodes_of(term);
    for (int a = 0; a < view.stride; ++a) __builtin_prefetch(&state.nodes[nodes[a]], 1);
  }

  /// A term that is first at a corner gets another time; returns the one that is first there then.
  Entry renew(const FamilyView<D>& view, int term, int corner, Key next) {
    const Way way = ways_[static_cast<std::size_t>(view.ways_of(term) + corner)];
    return play_again({next, term}, games_.data() + way.games, way.first_game, usual_games_);
  }

  template <class F> void for_corners(const F& f) const {
    for (const auto& view : families_)
      for (int term = view.first; term < view.end; ++term)
        for (int c = 0; c < view.corners; ++c) f(term, view.nodes_of(term)[c]);
  }

 private:
  /// Terms that share a node must share a corner, or they would not know of each other.
  void check_corners(int nodes) const;
  bool share_corner(int a, int b) const {
    const auto &f = family(a), &g = family(b);
    const int *p = f.nodes_of(a), *q = g.nodes_of(b);
    return std::find_first_of(p, p + f.corners, q, q + g.corners) != p + f.corners;
  }
  int most_usual_games() const;
  void make_lists(int nodes, const State<D>& state, std::vector<std::uint8_t>& missing);

  std::vector<FamilyView<D>> families_;
  int usual_games_ = 0;    ///< as many as nearly all ways have at most
  std::vector<Way> ways_;  ///< of all terms, of all their corners
  std::vector<Entry, LineAllocator<Entry>> games_;
};

template <int D> int NodeLists<D>::most_usual_games() const {
  std::array<std::size_t, 32> ways{};  // by their number of games
  for (const Way& way : ways_) ++ways[std::bit_width(static_cast<unsigned>(way.first_game))];
  int games = 0;
  for (std::size_t sum = ways[0]; 20 * sum < 19 * ways_.size();) sum += ways[++games];
  return games;
}

template <int D>
void NodeLists<D>::make_lists(int nodes, const State<D>& state,
                              std::vector<std::uint8_t>& missing) {
  constexpr std::int64_t line = 64 / sizeof(Entry);
  struct List {
    std::int64_t begin = 0;
    int size = 0, filled = 0;
  };
  std::vector<List> lists(static_cast<std::size_t>(nodes));
  for_corners([&](int, int node) { ++lists[static_cast<std::size_t>(node)].size; });
  std::int64_t end = 0;
  for (List& list : lists) {
    list.begin = end;
    end += (list.size + line - 1) / line * line;  // every list begins on a line of the cache
  }
  if (end > std::numeric_limits<std::int32_t>::max())
    throw InvalidArgument("node_clocks: more corners of terms than can be numbered");
  std::vector<int> terms(static_cast<std::size_t>(end));
  for_corners([&](int term, int node) {
    List& list = lists[static_cast<std::size_t>(node)];
    ways_.push_back({static_cast<std::int32_t>(list.begin), first_game(list.filled, list.size)});
    terms[static_cast<std::size_t>(list.begin + list.filled++)] = term;
  });
  usual_games_ = most_usual_games();
  games_.resize(terms.size());
  std::vector<Entry> places;
  for (const List& list : lists) {
    if (list.size == 0) continue;
    places.clear();
    for (int i = 0; i < list.size; ++i) {
      const int term = terms[static_cast<std::size_t>(list.begin + i)];
      places.push_back({key_of(state.clocks[static_cast<std::size_t>(term)].next), term});
    }
    --missing[static_cast<std::size_t>(play_all(places, games_.data() + list.begin).term)];
  }
}

template <int D> void NodeLists<D>::check_corners(int nodes) const {
  std::vector<std::pair<int, int>> inner;  // node that is no corner of some term, term
  std::vector<bool> is_inner(static_cast<std::size_t>(nodes), false);
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

/// Terms that are ready share no node. Three of them are under way: while one acts, the memory of the
/// two after it is on its way, first what says where their nodes and games are, then these.
template <int D> class Pipeline {
 public:
  static constexpr int none = -1;
  Pipeline(const NodeLists<D>& lists, const State<D>& state) : lists_(lists), state_(state) {}

  bool empty() const { return next_ == none && after_ == none; }

  /// A ready term or none goes in, the one whose turn it is comes out; none while there is none.
  [[gnu::always_inline]] int shift(int ready) {
    const int term = next_;
    next_ = after_;
    after_ = ready;
    if (after_ != none) lists_.fetch(after_, state_);
    if (next_ != none) lists_.fetch_nodes(next_, state_);
    return term;
  }

 private:
  const NodeLists<D>& lists_;
  const State<D>& state_;
  int next_ = none, after_ = none;
};

template <int D>
std::unique_ptr<Schedule<D>> threaded_node_clocks(const System<D>& system, State<D>& state,
                                                  ScheduleOptions<D> options);

}  // namespace varia::terms
