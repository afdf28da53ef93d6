// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Which of a few terms is first: a tournament of losers.
//
// The terms play in pairs, the earlier one goes on, up to the first of all; every game keeps its
// loser. Game 1 is the last one, games 2g and 2g + 1 are played before game g, and place i of n enters at
// number n + i. When the first gets a new time, only the games on its own way are played
// again: two or three for the triangles around a node, five for the tetrahedra.
#include <bit>
#include <cstdint>
#include <limits>
#include <vector>

namespace varia::terms {

/// A time as an integer that orders like it: whole numbers are compared and chosen without branches.
using Key = std::int64_t;
inline Key key_of(double t) {
  const auto bits = std::bit_cast<Key>(t + 0.0);  // -0.0 becomes 0.0
  return bits ^ ((bits >> 63) & std::numeric_limits<Key>::max());
}

/// A term and its next time.
struct Entry {
  Key t;
  Key term;
};

/// Keeps two numbers in ordinary registers: as a vector, or behind a branch, a game takes twice as long.
inline void in_registers(Key& a, Key& b) { __asm__("" : "+r"(a), "+r"(b)); }

/// The time above the number: of two at the same time the smaller number is the first.
__extension__ using Rank = __int128;
inline Rank rank(const Entry& e) { return (Rank{e.t} << 64) | e.term; }

/// The earlier of two goes on, the other one stays.
inline void play(Entry& goes_on, Entry& stays) {
  Entry b = stays;
  in_registers(b.t, b.term);
  const Key all = -Key{rank(b) < rank(goes_on)};
  Key t = (goes_on.t ^ b.t) & all, term = (goes_on.term ^ b.term) & all;
  in_registers(t, term);
  goes_on = {goes_on.t ^ t, goes_on.term ^ term};
  stays.t = b.t ^ t;
  stays.term = b.term ^ term;
}

/// The first game of place i of n.
inline int first_game(int i, int n) { return (n + i) / 2; }

/// The first of all gets another time and plays again; returns who is first then. The number of
/// games is `usual` where it is not more, so that no branch has to be guessed: nobody loses to the
/// sentinel in games[0].
inline Entry play_again(Entry changed, Entry* games, int first_game, int usual) {
  int g = first_game;
  for (int i = 0; i < usual; ++i, g >>= 1) play(changed, games[g]);
  for (; g > 0; g >>= 1) [[unlikely]] play(changed, games[g]);
  return changed;
}

/// All games between the given places, which are used up; returns the first.
inline Entry play_all(std::vector<Entry>& places, Entry* games) {
  const std::size_t n = places.size();
  places.insert(places.begin(), n, Entry{});
  games[0] = {std::numeric_limits<Key>::max(), std::numeric_limits<Key>::max()};
  for (std::size_t g = n - 1; g > 0; --g) {
    places[g] = places[2 * g];
    games[g] = places[2 * g + 1];
    play(places[g], games[g]);
  }
  return places[1];
}

}  // namespace varia::terms
