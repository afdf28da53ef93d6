// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The faces of a mesh, each with the elements it belongs to.
//
// Faces are put into buckets by their smallest corner and sorted inside the bucket: linear time
// for a usual mesh, E log E for the worst.
#include <span>
#include <vector>

#include "varia/solids/mesh.hpp"

namespace varia::solids {

class FaceTable {
 public:
  struct Entry {
    int b = 0;        ///< second smallest corner
    int c = -1;       ///< largest corner in 3-D
    int element = 0;  ///< entries of one face are sorted by element
    int local = 0;    ///< 2 * local number of the face + 1 if its corners run the odd way

    int face() const { return local / 2; }
    bool odd() const { return local % 2 != 0; }
  };

  /// The corners must be in range.
  explicit FaceTable(const Mesh& mesh);

  /// The elements at the face of these corners, in any order; empty if there are none.
  std::span<const Entry> find(const int* corners) const;

  /// Calls use(entries) for every face.
  template <class Use> void for_each(const Use& use) const {
    for (std::size_t a = 0; a + 1 < begin_.size(); ++a)
      for (std::size_t i = begin_[a]; i < begin_[a + 1];) {
        std::size_t j = i + 1;
        while (j < begin_[a + 1] && same(entries_[i], entries_[j])) ++j;
        use(std::span<const Entry>(entries_.data() + i, j - i));
        i = j;
      }
  }

 private:
  static bool same(const Entry& x, const Entry& y) { return x.b == y.b && x.c == y.c; }

  int corners_;
  std::vector<std::size_t> begin_;  // of the bucket of node a
  std::vector<Entry> entries_;
};

/// "elements 3, 5 and 9": the numbers a person knows.
std::string element_list(const Mesh& mesh, std::span<const FaceTable::Entry> entries);

}  // namespace varia::solids
