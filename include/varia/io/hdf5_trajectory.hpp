// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A trajectory as HDF5: t (N), q (N x n), v, p, lambda, energy (N), observe/NAME (N) and
// momenta/NAME (N). Every dataset has the attributes names and units (lists of strings), and
// columns: where its numbers stand in a record. What has no columns has no dataset. The group events
// holds such datasets of another table, and event (N), the number of the event.
//
// Both directions go block by block: the memory does not depend on the number of records.
#include <memory>
#include <string>
#include <vector>

#include "varia/io/records.hpp"

namespace varia::io {

/// What the file says about itself, besides the version of Varia.
struct TrajectoryAttributes {
  std::string title;
  std::string scenario;  ///< the text
  std::string method;
  double step = 0;
};

/// A further table in the file: the same datasets in a group of this name.
struct Hdf5Table {
  std::string group;
  RecordSource source;
};

void write_hdf5(RecordSource source, const std::string& path,
                const TrajectoryAttributes& attributes, const std::vector<Hdf5Table>& more = {});

/// The records of such a file, to the bit, with the interface of RecordReader.
class Hdf5Records {
 public:
  /// Of the table in a group; of the trajectory itself without one.
  explicit Hdf5Records(const std::string& path, const std::string& group = "");
  Hdf5Records(Hdf5Records&&) noexcept;
  Hdf5Records& operator=(Hdf5Records&&) noexcept;
  ~Hdf5Records();

  const ColumnList& columns() const;
  long records() const;
  bool next(double* record);
  void rewind();

 private:
  struct Reader;
  std::unique_ptr<Reader> reader_;
};

}  // namespace varia::io
