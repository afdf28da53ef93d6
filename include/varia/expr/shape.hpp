// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Arrays of numbers as expressions mean them: vectors, matrices, and arrays of these.
//
// An array has indices, the outer one first, and each of them a range. A vector is an array with one
// index, so that an array of numbers q[1..64] is a vector too; a matrix is one with two.
#include <cstddef>
#include <string>
#include <vector>

#include "varia/expr/graph.hpp"

namespace varia::expr {

/// An index: so many values from the first.
struct Extent {
  int first = 1, count = 0;
  int last() const { return first + count - 1; }
};

/// The indices of an array, the outer one first; none: a number.
using Shape = std::vector<Extent>;

/// How many numbers an array of the shape has.
std::size_t entries_of(const Shape& shape);
/// Whether arrays have equally many entries along each index.
bool same_counts(const Shape& a, const Shape& b);
/// "a number", "a vector of length 3", "a matrix with 2 rows and 3 columns"
std::string shape_text(const Shape& shape);
/// "[4][1]" of the k-th number of an array: what is appended to its name in outputs.
std::string index_text(const Shape& shape, std::size_t k);

struct Array {
  Shape shape;
  std::vector<Id> entries;  ///< row by row; of a number one
};

}  // namespace varia::expr
