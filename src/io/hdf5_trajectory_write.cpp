// SPDX-License-Identifier: BSD-3-Clause
// write_hdf5(): from records to datasets.
#include <algorithm>
#include <array>

#include "hdf5_file.hpp"
#include "hdf5_layout.hpp"
#include "varia/core/version.hpp"
#include "varia/io/atomic_file.hpp"
#include "varia/io/error.hpp"
#include "varia/io/hdf5_trajectory.hpp"

namespace varia::io {

namespace {

/// One dataset, filled with whole chunks, so that each chunk is compressed once.
class PartWriter {
 public:
  PartWriter(const Hdf5File& file, Hdf5Part part, const std::vector<Column>& columns, long records)
      : file_(&file),
        part_(std::move(part)),
        block_rows_(std::clamp(records, 1L, hdf5_block_rows(part_.columns.size()))) {
    make_dataset(records);
    describe(columns);
    block_.reserve(static_cast<std::size_t>(block_rows_) * part_.columns.size());
  }

  void append(const double* record) {
    for (const long column : part_.columns) block_.push_back(record[column]);
    if (block_.size() == static_cast<std::size_t>(block_rows_) * part_.columns.size()) write();
  }

  /// The block at hand becomes the next rows of the dataset.
  void write() {
    if (block_.empty()) return;
    const std::string& name = file_->name();
    const std::array<hsize_t, 2> start = {rows_, 0};
    const std::array<hsize_t, 2> count = {block_.size() / part_.columns.size(),
                                          part_.columns.size()};
    const Hdf5Space target(checked(H5Dget_space(dataset_.id()), name, "cannot write"));
    checked(H5Sselect_hyperslab(target.id(), H5S_SELECT_SET, start.data(), nullptr, count.data(),
                                nullptr),
            name, "cannot write");
    const Hdf5Space memory(
        checked(H5Screate_simple(rank(), count.data(), nullptr), name, "cannot write"));
    const herr_t done = H5Dwrite(dataset_.id(), H5T_NATIVE_DOUBLE, memory.id(), target.id(),
                                 H5P_DEFAULT, block_.data());
    file_->check();  // the reason of the system is better than that of HDF5
    checked(done, name, "cannot write the trajectory");
    rows_ += count[0];
    block_.clear();
  }

 private:
  int rank() const { return part_.matrix ? 2 : 1; }

  Hdf5Properties creation() const {
    const std::string& name = file_->name();
    const std::array<hsize_t, 2> chunk = {static_cast<hsize_t>(block_rows_), part_.columns.size()};
    Hdf5Properties properties(
        checked(H5Pcreate(H5P_DATASET_CREATE), name, "cannot make a dataset"));
    checked(H5Pset_chunk(properties.id(), rank(), chunk.data()), name, "cannot make a dataset");
    checked(H5Pset_shuffle(properties.id()), name, "cannot make a dataset");
    checked(H5Pset_deflate(properties.id(), 1), name, "cannot compress");
    checked(H5Pset_obj_track_times(properties.id(), false), name, "cannot make a dataset");
    return properties;
  }

  void make_dataset(long records) {
    const std::string& name = file_->name();
    const std::array<hsize_t, 2> size = {static_cast<hsize_t>(records), part_.columns.size()};
    const std::array<hsize_t, 2> most = {H5S_UNLIMITED, part_.columns.size()};
    const Hdf5Space space(
        checked(H5Screate_simple(rank(), size.data(), most.data()), name, "cannot make a dataset"));
    const Hdf5Properties link(checked(H5Pcreate(H5P_LINK_CREATE), name, "cannot make a dataset"));
    checked(H5Pset_create_intermediate_group(link.id(), 1), name, "cannot make a dataset");
    checked(H5Pset_char_encoding(link.id(), H5T_CSET_UTF8), name, "cannot make a dataset");
    const Hdf5Properties access(
        checked(H5Pcreate(H5P_DATASET_ACCESS), name, "cannot make a dataset"));
    checked(H5Pset_chunk_cache(access.id(), 1, 0, 1.0), name, "cannot make a dataset");
    dataset_ = Hdf5Dataset(checked(H5Dcreate2(file_->id(), part_.dataset.c_str(), H5T_IEEE_F64LE,
                                              space.id(), link.id(), creation().id(), access.id()),
                                   name, "cannot make a dataset"));
  }

  void describe(const std::vector<Column>& columns) const {
    std::vector<std::string> names;
    std::vector<std::string> units;
    for (const long column : part_.columns) {
      names.push_back(columns[static_cast<std::size_t>(column)].name);
      units.push_back(columns[static_cast<std::size_t>(column)].unit);
    }
    write_texts(dataset_.id(), "names", names, file_->name());
    write_texts(dataset_.id(), "units", units, file_->name());
    write_integers(dataset_.id(), "columns", part_.columns, file_->name());
  }

  const Hdf5File* file_;
  Hdf5Part part_;
  Hdf5Dataset dataset_;
  long block_rows_;
  hsize_t rows_ = 0;
  std::vector<double> block_;
};

void describe(const Hdf5File& file, const TrajectoryAttributes& attributes) {
  const std::string& name = file.name();
  write_text(file.id(), "varia", std::string(version), name);
  write_text(file.id(), "title", attributes.title, name);
  write_text(file.id(), "scenario", attributes.scenario, name);
  write_text(file.id(), "method", attributes.method, name);
  write_real(file.id(), "step", attributes.step, name);
}

void copy_records(RecordSource& source, std::vector<PartWriter>& parts) {
  const std::vector<Column>& columns = source.columns();
  std::vector<double> record(columns.size());
  for (long index = 0; source.next(record.data()); ++index) {
    check_finite(columns, record.data(), index);
    for (PartWriter& part : parts) part.append(record.data());
  }
  for (PartWriter& part : parts) part.write();
}

}  // namespace

void write_hdf5(RecordSource source, const std::string& path,
                const TrajectoryAttributes& attributes) {
  check_columns(source.columns());
  const QuietHdf5 quiet;
  AtomicPath target(path);
  Hdf5File file(target.temporary(), path, Hdf5File::Mode::create);
  describe(file, attributes);
  {
    std::vector<PartWriter> parts;
    for (Hdf5Part& part : hdf5_parts(source.columns()))
      parts.emplace_back(file, std::move(part), source.columns(), source.records());
    copy_records(source, parts);
  }
  file.close();
  target.commit();
}

}  // namespace varia::io
