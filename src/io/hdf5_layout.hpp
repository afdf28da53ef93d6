// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// How the columns of a record are spread over the datasets of a trajectory.
#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "varia/io/records.hpp"

namespace varia::io {

/// A dataset: a vector of N numbers or a matrix of N rows.
struct Hdf5Part {
  std::string dataset;  ///< q, observe/radius
  std::string kind;     ///< of its columns
  bool matrix = false;
  std::vector<long> columns;  ///< positions in the record
};

/// The datasets these columns need.
std::vector<Hdf5Part> hdf5_parts(const std::vector<Column>& columns);

/// The name of a dataset cannot hold a slash, nor be a dot.
std::string hdf5_link(const std::string& name);

/// So many rows of this width are about 64 kB: a chunk, and the unit of reading and writing.
inline long hdf5_block_rows(std::size_t width) {
  return std::max(1L, static_cast<long>(8192 / width));
}

}  // namespace varia::io
