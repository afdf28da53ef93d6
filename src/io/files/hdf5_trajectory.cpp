// SPDX-License-Identifier: BSD-3-Clause
#include "varia/io/hdf5_trajectory.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "hdf5_file.hpp"
#include "varia/core/error.hpp"
#include "varia/core/version.hpp"
#include "varia/io/atomic_file.hpp"
#include "varia/io/error.hpp"
#include "varia/io/records.hpp"

namespace varia::io {

// How the columns of a record are spread over the datasets of a trajectory.

/// A dataset: a vector of N numbers or a matrix of N rows.
struct Hdf5Part {
  std::string dataset;  ///< q, observe/radius
  std::string kind;     ///< of its columns
  bool matrix = false;
  std::vector<long> columns;  ///< positions in the record
};

namespace {

/// So many rows of this width are about 64 kB: a chunk, and the unit of reading and writing.
long hdf5_block_rows(std::size_t width) { return std::max(1L, static_cast<long>(8192 / width)); }

/// The name of a dataset cannot hold a slash, nor be a dot.
std::string hdf5_link(const std::string& name) {
  if (name == "." || name == "..") return "_";
  std::string link = name;
  std::replace(link.begin(), link.end(), '/', '_');
  return link;
}

/// What stands before the names of the datasets of a table.
std::string hdf5_prefix(const std::string& group) { return group.empty() ? "" : group + "/"; }

/// Whether a record has several columns of this kind side by side.
bool is_matrix(const std::string& kind) {
  return kind != "t" && kind != "energy" && kind != "event" && kind != "observe" &&
         kind != "momentum";
}

/// The datasets these columns need.
std::vector<Hdf5Part> hdf5_parts(const ColumnList& columns, const std::string& group) {
  std::vector<Hdf5Part> parts;
  std::map<std::string, std::size_t> places;  // of the datasets in the list
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const Column& column = columns[i];
    const bool alone = column.kind == "observe" || column.kind == "momentum";
    const bool matrix = is_matrix(column.kind);
    const std::string dataset =
        hdf5_prefix(group) +
        (alone ? (column.kind == "observe" ? "observe/" : "momenta/") + hdf5_link(column.name)
               : column.kind.text());
    const auto [place, is_new] = places.try_emplace(dataset, parts.size());
    if (is_new)
      parts.push_back({dataset, column.kind, matrix, {}});
    else if (!matrix)
      throw InvalidArgument(
          "the columns " + column.name + " and " +
          columns[static_cast<std::size_t>(parts[place->second].columns.front())].name +
          " would both be the dataset " + dataset + "; rename one of them");
    parts[place->second].columns.push_back(static_cast<long>(i));
  }
  return parts;
}

// write_hdf5(): from records to datasets.

/// One dataset, filled with whole chunks, so that each chunk is compressed once.
class PartWriter {
 public:
  PartWriter(const Hdf5File& file, Hdf5Part part, const ColumnList& columns, long records)
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

  void describe(const ColumnList& columns) const {
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
  const ColumnList& columns = source.columns();
  std::vector<double> record(columns.size());
  for (long index = 0; source.next(record.data()); ++index) {
    check_finite(columns, record.data(), index);
    for (PartWriter& part : parts) part.append(record.data());
  }
  for (PartWriter& part : parts) part.write();
}

}  // namespace

namespace {

void write_table(const Hdf5File& file, RecordSource source, const std::string& group) {
  std::vector<PartWriter> parts;
  for (Hdf5Part& part : hdf5_parts(source.columns(), group))
    parts.emplace_back(file, std::move(part), source.columns(), source.records());
  copy_records(source, parts);
}

}  // namespace

void write_hdf5(RecordSource source, const std::string& path,
                const TrajectoryAttributes& attributes, const std::vector<Hdf5Table>& more) {
  check_columns(source.columns());
  const QuietHdf5 quiet;
  AtomicPath target(path);
  Hdf5File file(target.temporary(), path, Hdf5File::Mode::create);
  describe(file, attributes);
  write_table(file, std::move(source), "");
  for (const Hdf5Table& table : more) write_table(file, table.source, table.group);
  file.close();
  target.commit();
}

// Hdf5Records: from datasets back to records.

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
      throw IoError(file_->name(), "the names and units of the dataset " + part_.dataset +
                                       " do not match its size");
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

/// The datasets of a table that the file has; their columns are read later.
std::vector<Hdf5Part> parts_in(const Hdf5File& file, const std::string& group) {
  std::vector<Hdf5Part> parts;
  if (!group.empty() && !has(file, group)) return parts;
  const std::string prefix = hdf5_prefix(group);
  for (const std::string& kind : column_kinds()) {
    if (kind == "observe" || kind == "momentum") {
      const std::string folder = prefix + (kind == "observe" ? "observe" : "momenta");
      if (!has(file, folder)) continue;
      const Hdf5Group members(
          checked(H5Gopen2(file.id(), folder.c_str(), H5P_DEFAULT), file.name(), "cannot read"));
      for (const std::string& name : names_in(members.id(), H5_INDEX_NAME, file.name()))
        parts.push_back({std::string(folder).append("/").append(name), kind, false, {}});
    } else if (has(file, prefix + kind)) {
      parts.push_back({prefix + kind, kind, is_matrix(kind), {}});
    }
  }
  return parts;
}

}  // namespace

struct Hdf5Records::Reader {
  Reader(const std::string& path, const std::string& group)
      : file(path, path, Hdf5File::Mode::read) {
    for (Hdf5Part& part : parts_in(file, group)) parts.emplace_back(file, std::move(part));
    if (parts.empty() || parts.front().part().kind != "t")
      throw IoError(path, "this HDF5 file is not a trajectory of Varia: it has no dataset " +
                              hdf5_prefix(group) + "t");
    records = static_cast<long>(parts.front().rows());
    std::size_t width = 0;
    for (const PartReader& part : parts) width += part.part().columns.size();
    std::vector<Column> in_order(width);
    for (const PartReader& part : parts) place_columns(part, in_order);
    columns = in_order;
  }

  /// Every position of a record belongs to one dataset.
  void place_columns(const PartReader& part, std::vector<Column>& in_order) {
    const std::string& dataset = part.part().dataset;
    if (static_cast<long>(part.rows()) != records)
      throw IoError(file.name(), "the dataset " + dataset + " has " + std::to_string(part.rows()) +
                                     " rows, t has " + std::to_string(records));
    const std::vector<Column> own = part.columns();
    for (std::size_t i = 0; i < own.size(); ++i) {
      const long place = part.part().columns[i];
      if (place < 0 || place >= std::ssize(in_order) ||
          !in_order[static_cast<std::size_t>(place)].kind.empty())
        throw IoError(file.name(),
                      "the attribute columns of the dataset " + dataset + " is damaged");
      in_order[static_cast<std::size_t>(place)] = own[i];
    }
  }

  Hdf5File file;
  ColumnList columns;
  std::vector<PartReader> parts;
  long records = 0;
  long position = 0;
};

Hdf5Records::Hdf5Records(const std::string& path, const std::string& group) {
  const QuietHdf5 quiet;
  reader_ = std::make_unique<Reader>(path, group);
}

Hdf5Records::Hdf5Records(Hdf5Records&&) noexcept = default;
Hdf5Records& Hdf5Records::operator=(Hdf5Records&&) noexcept = default;

Hdf5Records::~Hdf5Records() {
  const QuietHdf5 quiet;
  reader_.reset();
}

const ColumnList& Hdf5Records::columns() const { return reader_->columns; }

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

}  // namespace varia::io
