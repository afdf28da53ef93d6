// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What a run needs to go on as if it had not been interrupted: texts, integers and arrays of
// doubles by name, all kept to the bit.
//
// The file is HDF5 (groups texts, integers, arrays; h5py opens it) behind 512 bytes of text that
// give the version of the format, the length and a checksum of everything. All damage is found
// before HDF5 sees the file. It is replaced as a whole: a checkpoint is the old one or the new one.
#include <string>
#include <utility>
#include <vector>

namespace varia::io {

struct Checkpoint {
  std::vector<std::pair<std::string, std::string>> texts;
  std::vector<std::pair<std::string, long>> integers;
  std::vector<std::pair<std::string, std::vector<double>>> arrays;
  std::string path;  ///< the file it was read from, for messages; not stored

  /// These throw an IoError that lists the names there are, if the name is not among them.
  const std::string& text(const std::string& name) const;
  long integer(const std::string& name) const;
  const std::vector<double>& array(const std::string& name) const;
};

void write_checkpoint(const std::string& path, const Checkpoint& checkpoint);

/// Throws an IoError that says whether the file is missing, foreign, truncated, damaged or newer.
Checkpoint read_checkpoint(const std::string& path);

}  // namespace varia::io
