// SPDX-License-Identifier: BSD-3-Clause
// Hdf5Records: from datasets back to records.
#include <algorithm>
#include <array>
#include <utility>

#include "hdf5_file.hpp"
#include "hdf5_layout.hpp"
#include "varia/io/error.hpp"
#include "varia/io/hdf5_trajectory.hpp"

namespace varia::io {

/// One dataset, read block by block.
class PartReader {
 public:
  PartReader(const Hdf5File& file, Hdf5Part part) : file_(&file), part_(std::move(part)) {
    const std::string& name = file.name();
    const Hdf5Properties access(checked(H5Pcreate(H5P_DATASET_ACCESS), name, "cannot read"));
    checked(H5Pset_chunk_cache(access.id(), 1, 0, 1.0), name, "cannot read");
    const std::string what = "cannot read the dataset " + part_.dataset;
    dataset_ = Hdf5Dataset(
        checked(H5Dopen2(file.id(), part_.dataset.c_str(), access.id()), name, what.c_str()));
    part_.columns = read_integers(dataset_.id(), "columns", name);
    measure();
  }

  hsize_t rows() const { return size_[0]; }
  const Hdf5Part& part() const { return part_; }

  std::vector<Column> columns() const {
    const auto names = read_texts(dataset_.id(), "names", file_->name());
    const auto units = read_texts(dataset_.id(), "units", file_->name());
    if (names.size() != part_.columns.size() || units.size() != names.size())
      throw IoError(file_->name(),
                    "the names and units of the dataset " + part_.dataset + " do not fit its size");
    std::vector<Column> columns;
    for (std::size_t i = 0; i < names.size(); ++i)
      columns.push_back({names[i], part_.kind, units[i]});
    return columns;
  }

  void next(double* record) {
    if (position_ == block_.size()) read();
    for (const long column : part_.columns) record[column] = block_[position_++];
  }

  void rewind() {
    block_.clear();
    position_ = 0;
    read_ = 0;
  }

 private:
  int rank() const { return part_.matrix ? 2 : 1; }

  void measure() {
    const std::string& name = file_->name();
    const Hdf5Space space(checked(H5Dget_space(dataset_.id()), name, "cannot read a dataset"));
    const Hdf5Type type(checked(H5Dget_type(dataset_.id()), name, "cannot read a dataset"));
    if (part_.columns.empty() || H5Sget_simple_extent_ndims(space.id()) != rank() ||
        H5Sget_simple_extent_dims(space.id(), size_.data(), nullptr) < 0 ||
        size_[1] != part_.columns.size() || H5Tget_class(type.id()) != H5T_FLOAT)
      throw IoError(name, "the dataset " + part_.dataset + " is not one of a trajectory of Varia");
  }

  void read() {
    const QuietHdf5 quiet;
    const std::string& name = file_->name();
    const std::array<hsize_t, 2> start = {read_, 0};
    const std::array<hsize_t, 2> count = {
        std::min<hsize_t>(static_cast<hsize_t>(hdf5_block_rows(size_[1])), size_[0] - read_),
        size_[1]};
    block_.resize(count[0] * count[1]);
    position_ = 0;
    const Hdf5Space source(checked(H5Dget_space(dataset_.id()), name, "cannot read"));
    checked(H5Sselect_hyperslab(source.id(), H5S_SELECT_SET, start.data(), nullptr, count.data(),
                                nullptr),
            name, "cannot read");
    const Hdf5Space memory(
        checked(H5Screate_simple(rank(), count.data(), nullptr), name, "cannot read"));
    const herr_t done = H5Dread(dataset_.id(), H5T_NATIVE_DOUBLE, memory.id(), source.id(),
                                H5P_DEFAULT, block_.data());
    file_->check();
    checked(done, name, "cannot read the trajectory");
    read_ += count[0];
  }

  const Hdf5File* file_;
  Hdf5Part part_;
  Hdf5Dataset dataset_;
  std::array<hsize_t, 2> size_ = {0, 1};
  hsize_t read_ = 0;
  std::vector<double> block_;
  std::size_t position_ = 0;
};

namespace {

bool has(const Hdf5File& file, const std::string& link) {
  return H5Lexists(file.id(), link.c_str(), H5P_DEFAULT) > 0;
}

/// The datasets of a trajectory that the file has; their columns are read later.
std::vector<Hdf5Part> parts_in(const Hdf5File& file) {
  std::vector<Hdf5Part> parts;
  for (const std::string& kind : column_kinds()) {
    if (kind == "observe" || kind == "momentum") {
      const std::string folder = kind == "observe" ? "observe" : "momenta";
      if (!has(file, folder)) continue;
      const Hdf5Group group(
          checked(H5Gopen2(file.id(), folder.c_str(), H5P_DEFAULT), file.name(), "cannot read"));
      for (const std::string& name : names_in(group.id(), H5_INDEX_NAME, file.name()))
        parts.push_back({std::string(folder).append("/").append(name), kind, false, {}});
    } else if (has(file, kind)) {
      parts.push_back({kind, kind, kind != "t" && kind != "energy", {}});
    }
  }
  return parts;
}

}  // namespace

struct Hdf5Records::Reader {
  explicit Reader(const std::string& path) : file(path, path, Hdf5File::Mode::read) {
    for (Hdf5Part& part : parts_in(file)) parts.emplace_back(file, std::move(part));
    if (parts.empty() || parts.front().part().kind != "t")
      throw IoError(path, "this HDF5 file is not a trajectory of Varia: it has no dataset t");
    records = static_cast<long>(parts.front().rows());
    std::size_t width = 0;
    for (const PartReader& part : parts) width += part.part().columns.size();
    columns.resize(width);
    for (const PartReader& part : parts) place_columns(part);
  }

  /// Every position of a record belongs to one dataset.
  void place_columns(const PartReader& part) {
    const std::string& dataset = part.part().dataset;
    if (static_cast<long>(part.rows()) != records)
      throw IoError(file.name(), "the dataset " + dataset + " has " + std::to_string(part.rows()) +
                                     " rows, t has " + std::to_string(records));
    const std::vector<Column> own = part.columns();
    for (std::size_t i = 0; i < own.size(); ++i) {
      const long place = part.part().columns[i];
      if (place < 0 || place >= static_cast<long>(columns.size()) ||
          !columns[static_cast<std::size_t>(place)].kind.empty())
        throw IoError(file.name(),
                      "the attribute columns of the dataset " + dataset + " is damaged");
      columns[static_cast<std::size_t>(place)] = own[i];
    }
  }

  Hdf5File file;
  std::vector<Column> columns;
  std::vector<PartReader> parts;
  long records = 0;
  long position = 0;
};

Hdf5Records::Hdf5Records(const std::string& path) {
  const QuietHdf5 quiet;
  reader_ = std::make_unique<Reader>(path);
}

Hdf5Records::Hdf5Records(Hdf5Records&&) noexcept = default;
Hdf5Records& Hdf5Records::operator=(Hdf5Records&&) noexcept = default;

Hdf5Records::~Hdf5Records() {
  const QuietHdf5 quiet;
  reader_.reset();
}

const std::vector<Column>& Hdf5Records::columns() const { return reader_->columns; }

long Hdf5Records::records() const { return reader_->records; }

bool Hdf5Records::next(double* record) {
  if (reader_->position == reader_->records) return false;
  for (PartReader& part : reader_->parts) part.next(record);
  ++reader_->position;
  return true;
}

void Hdf5Records::rewind() {
  for (PartReader& part : reader_->parts) part.rewind();
  reader_->position = 0;
}

Hdf5Records read_hdf5_records(const std::string& path) { return Hdf5Records(path); }

}  // namespace varia::io
