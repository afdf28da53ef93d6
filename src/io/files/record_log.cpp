// SPDX-License-Identifier: BSD-3-Clause
#include "varia/io/record_log.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <set>
#include <string_view>
#include <utility>

#include "crc64.hpp"
#include "file_descriptor.hpp"
#include "varia/core/error.hpp"
#include "varia/io/error.hpp"
#include "varia/io/records.hpp"

namespace varia::io {

namespace {

constexpr std::string_view log_magic = "VariaLog";
constexpr std::uint32_t byte_order_mark = 0x01020304;
constexpr std::uint32_t log_version = 1;
constexpr std::size_t fixed_bytes = 24;  // magic, byte order, version, length of the columns

template <class Integer> void put(std::string& bytes, Integer value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

void put_text(std::string& bytes, const std::string& text) {
  put(bytes, static_cast<std::uint32_t>(text.size()));
  bytes += text;
}

std::size_t bytes_of(const Column& column) {
  return 3 * sizeof(std::uint32_t) + column.name.size() + column.kind.text().size() +
         column.unit.text().size();
}

/// Hands out the header in pieces: there may be millions of names.
template <class Write> void write_header(const ColumnList& columns, const Write& write) {
  std::uint64_t length = sizeof(std::uint64_t);
  for (const Column& column : columns) length += bytes_of(column);
  std::string piece(log_magic);
  put(piece, byte_order_mark);
  put(piece, log_version);
  put(piece, length);
  put(piece, static_cast<std::uint64_t>(columns.size()));
  std::uint64_t sum = 0;
  for (const Column& column : columns) {
    put_text(piece, column.name);
    put_text(piece, column.kind);
    put_text(piece, column.unit);
    if (piece.size() < buffer_bytes) continue;
    sum = crc64(piece, sum);
    write(piece);
    piece.clear();
  }
  put(piece, crc64(piece, sum));
  write(piece);
}

/// Takes values from bytes whose sizes are not trusted.
class Cursor {
 public:
  Cursor(std::string_view bytes, const std::string& path) : rest_(bytes), path_(path) {}

  template <class Integer> Integer integer() {
    Integer value{};
    std::memcpy(&value, bytes(sizeof value).data(), sizeof value);
    return value;
  }
  std::string text() { return std::string(bytes(integer<std::uint32_t>())); }
  std::string_view bytes(std::size_t count) {
    if (count > rest_.size()) throw IoError(path_, "the header of the record log is damaged");
    const std::string_view taken = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return taken;
  }

 private:
  std::string_view rest_;
  const std::string& path_;
};

std::uint64_t size_of(int descriptor, const std::string& path) {
  struct stat status {};
  if (::fstat(descriptor, &status) != 0)
    throw IoError(path, "cannot determine its size: " + reason(errno));
  return static_cast<std::uint64_t>(status.st_size);
}

std::string read_bytes(int descriptor, std::size_t count, const std::string& path) {
  std::string bytes(count, '\0');
  std::size_t done = 0;
  if (const int error = read_all(descriptor, bytes.data(), count, 0, done))
    throw IoError(path, "cannot read: " + reason(error));
  bytes.resize(done);
  return bytes;
}

/// The length of the columns, after the checks that come before the checksum.
std::uint64_t check_beginning(const std::string& bytes, const std::string& path) {
  if (bytes.empty())
    throw IoError(path, "the record log is empty: its run ended before it wrote anything");
  if (std::string_view(bytes).substr(0, log_magic.size()) != log_magic)
    throw IoError(path, "this is not a record log of Varia");
  if (bytes.size() < fixed_bytes) throw IoError(path, "the record log ends within its header");
  Cursor cursor(std::string_view(bytes).substr(log_magic.size()), path);
  if (const auto found = cursor.integer<std::uint32_t>(); found != byte_order_mark)
    throw IoError(path, found == 0x04030201
                            ? "the record log was written on a machine with another byte order"
                            : "the header of the record log is damaged");
  if (const auto found = cursor.integer<std::uint32_t>(); found != log_version)
    throw IoError(path, "the record log has format version " + std::to_string(found) +
                            "; this Varia reads version " + std::to_string(log_version));
  return cursor.integer<std::uint64_t>();
}

struct Header {
  ColumnList columns;
  std::uint64_t bytes;    ///< where the records begin
  std::uint64_t records;  ///< complete ones
};

Header read_header(int descriptor, const std::string& path) {
  const std::uint64_t size = size_of(descriptor, path);
  const std::uint64_t length = check_beginning(read_bytes(descriptor, fixed_bytes, path), path);
  constexpr std::uint64_t frame = fixed_bytes + sizeof(std::uint64_t);
  if (size < frame || length > size - frame)
    throw IoError(path, "the record log ends within its header, or its header is damaged");
  const std::string bytes = read_bytes(descriptor, length + frame, path);
  Cursor cursor(bytes, path);
  const std::uint64_t sum = crc64(cursor.bytes(bytes.size() - sizeof(std::uint64_t)));
  if (sum != cursor.integer<std::uint64_t>())
    throw IoError(path, "the header of the record log is damaged: its checksum is wrong");

  Cursor body(std::string_view(bytes).substr(fixed_bytes, length), path);
  Header header{{}, length + frame, 0};
  for (auto count = body.integer<std::uint64_t>(); count > 0; --count) {
    Column column;
    column.name = body.text();
    column.kind = body.text();
    column.unit = body.text();
    header.columns.push_back(column);
  }
  if (header.columns.empty()) throw IoError(path, "the record log has no columns");
  header.records = (size - header.bytes) / (header.columns.size() * sizeof(double));
  return header;
}

void expect_same(const ColumnList& found, const ColumnList& wanted, const std::string& path) {
  if (found == wanted) return;
  if (found.size() != wanted.size())
    throw IoError(path, "the records have " + std::to_string(found.size()) +
                            " columns, this run has " + std::to_string(wanted.size()));
  std::size_t k = 0;
  while (found[k] == wanted[k]) ++k;
  const Column there = found[k], here = wanted[k];
  throw IoError(path, "the records have a column " + there.name + " (" + there.kind +
                          ") where this run has " + here.name + " (" + here.kind + ")");
}

}  // namespace

RecordLog::RecordLog(std::string path, const ColumnList& columns, FileDescriptor descriptor)
    : path_(std::move(path)), descriptor_(std::move(descriptor)) {
  may_miss_.reserve(columns.size());
  for (std::size_t i = 0; i < columns.size(); ++i)
    may_miss_.push_back(columns.kind(i) == "observe" ? 1 : 0);
}

RecordLog RecordLog::create(const std::string& path, const ColumnList& columns) {
  check_columns(columns);
  RecordLog log(path, columns, open_locked(path, path, true));
  // Emptied only now that it is ours.
  if (::ftruncate(log.descriptor_.get(), 0) != 0)
    throw IoError(path, "cannot empty the record log: " + reason(errno));
  write_header(columns, [&](const std::string& piece) {
    log.buffer_ = piece;
    try {
      log.write_buffer();
    } catch (...) {
      log.buffer_.clear();
      throw;
    }
  });
  log.first_ = log.written_;
  log.buffer_.reserve(buffer_bytes);
  return log;
}

RecordLog RecordLog::open_and_truncate(const std::string& path, const ColumnList& columns,
                                       long records) {
  check_columns(columns);
  if (records < 0)
    throw InvalidArgument("a log cannot be cut to " + std::to_string(records) + " records");
  RecordLog log(path, columns, open_locked(path, path, false));
  const Header header = read_header(log.descriptor_.get(), path);
  expect_same(header.columns, columns, path);
  if (header.records < static_cast<std::uint64_t>(records))
    throw IoError(path, "the record log holds " + std::to_string(header.records) +
                            " records; to continue, " + std::to_string(records) + " are needed");
  RecordReader reader(path);
  log.checksum_ = checksum_of(reader, records);
  log.records_ = records;
  log.first_ = header.bytes;
  log.written_ =
      header.bytes + static_cast<std::uint64_t>(records) * columns.size() * sizeof(double);
  if (::ftruncate(log.descriptor_.get(), static_cast<off_t>(log.written_)) != 0)
    throw IoError(path, "cannot shorten the record log: " + reason(errno));
  log.buffer_.reserve(buffer_bytes);
  return log;
}

namespace {

std::uint64_t with_record(std::uint64_t checksum, const double* record, std::size_t width) {
  return crc64({reinterpret_cast<const char*>(record), width * sizeof(double)}, checksum);
}

}  // namespace

std::uint64_t checksum_of(RecordSource source, long records) {
  std::uint64_t checksum = 0;
  std::vector<double> record(source.columns().size());
  for (long i = 0; i < records && source.next(record.data()); ++i)
    checksum = with_record(checksum, record.data(), record.size());
  return checksum;
}

RecordLog::~RecordLog() { close(); }

void RecordLog::close() noexcept {
  if (!descriptor_.valid()) return;
  std::size_t done = 0;
  write_all(descriptor_.get(), buffer_.data(), buffer_.size(), written_, done);
  descriptor_.reset();
}

void RecordLog::write_buffer() {
  std::size_t done = 0;
  const int error = write_all(descriptor_.get(), buffer_.data(), buffer_.size(), written_, done);
  written_ += done;  // the rest stays in the buffer: with room on the disk again, nothing is lost
  buffer_.erase(0, done);
  if (error != 0) throw IoError(path_, "cannot write records: " + reason(error));
}

/// The names of columns are read again where one is to be told.
void RecordLog::check_finite(const double* record) const {
  for (std::size_t i = 0; i < may_miss_.size(); ++i)
    if (!std::isfinite(record[i]) && !(std::isnan(record[i]) && may_miss_[i] != 0))
      io::check_finite(read_header(descriptor_.get(), path_).columns, record, records_);
}

void RecordLog::append(const double* record) {
  if (!descriptor_.valid()) throw InvalidArgument(path_ + ": the record log is closed");
  check_finite(record);
  const std::size_t size = may_miss_.size() * sizeof(double);
  if (!buffer_.empty() && buffer_.size() + size > buffer_bytes) write_buffer();
  buffer_.append(reinterpret_cast<const char*>(record), size);
  checksum_ = with_record(checksum_, record, may_miss_.size());
  ++records_;
}

void RecordLog::flush() {
  if (!descriptor_.valid()) throw InvalidArgument(path_ + ": the record log is closed");
  write_buffer();
  if (::fdatasync(descriptor_.get()) != 0)
    throw IoError(path_, "cannot flush the records to the disk: " + reason(errno));
}

void RecordLog::remove() {
  if (!descriptor_.valid()) throw InvalidArgument(path_ + ": the record log is closed");
  if (::unlink(path_.c_str()) != 0) throw IoError(path_, "cannot remove it: " + reason(errno));
  buffer_.clear();
  close();
}

RecordReader::RecordReader(const std::string& path)
    : path_(path), descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
  if (!descriptor_.valid()) throw IoError(path, "cannot open it for reading: " + reason(errno));
  Header header = read_header(descriptor_.get(), path);
  columns_ = std::move(header.columns);
  first_ = header.bytes;
  records_ = static_cast<long>(header.records);
}

RecordReader::RecordReader(const RecordLog& log, const ColumnList& columns)
    : path_(log.path()),
      columns_(columns),
      first_(log.first()),
      records_(log.records()),
      descriptor_(::open(path_.c_str(), O_RDONLY | O_CLOEXEC)) {
  if (!descriptor_.valid()) throw IoError(path_, "cannot open it for reading: " + reason(errno));
}

void RecordReader::fill() {
  const std::size_t width = columns_.size();
  const auto most =
      static_cast<long>(std::max<std::size_t>(1, buffer_bytes / sizeof(double) / width));
  const auto count = static_cast<std::size_t>(std::min(most, records_ - read_));
  block_.resize(count * width);
  position_ = 0;
  const std::size_t size = block_.size() * sizeof(double);
  std::size_t done = 0;
  const int error =
      read_all(descriptor_.get(), block_.data(), size,
               first_ + static_cast<std::uint64_t>(read_) * width * sizeof(double), done);
  if (error != 0) throw IoError(path_, "cannot read records: " + reason(error));
  if (done != size) throw IoError(path_, "the record log was shortened while it was read");
  read_ += static_cast<long>(count);
}

bool RecordReader::next(double* record) {
  if (position_ == block_.size()) {
    if (read_ == records_) return false;
    fill();
  }
  std::copy_n(block_.begin() + static_cast<std::ptrdiff_t>(position_), columns_.size(), record);
  position_ += columns_.size();
  return true;
}

void RecordReader::rewind() {
  block_.clear();
  position_ = 0;
  read_ = 0;
}

const std::vector<std::string>& column_kinds() {
  static const std::vector<std::string> kinds = {"t",      "q",       "v",      "p",
                                                 "lambda", "observe", "energy", "momentum",
                                                 "event",  "input",   "state",  "costate"};
  return kinds;
}

namespace {

std::string list_of_kinds() {
  std::string text;
  for (const std::string& kind : column_kinds()) text += (text.empty() ? "" : ", ") + kind;
  return text;
}

void check_count(const ColumnList& columns, const std::string& kind, bool needed) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < columns.size(); ++i) count += columns.kind(i) == kind ? 1 : 0;
  if (count > 1 || (needed && count == 0))
    throw InvalidArgument("the records have " + std::to_string(count) + " columns of kind " + kind +
                          "; " + (needed ? "exactly" : "at most") + " one is allowed");
}

/// Of the names there may be millions: they are told apart by numbers made of them.
std::uint64_t mark_of(const Column& column) {
  return crc64(column.name, crc64(column.kind.text()));
}

/// Two columns of one kind have different names.
void refuse_twins(const ColumnList& columns) {
  std::vector<std::uint64_t> marks;
  marks.reserve(columns.size());
  for (const Column& column : columns) marks.push_back(mark_of(column));
  std::sort(marks.begin(), marks.end());
  const auto none = std::unique(marks.begin(), marks.end());
  if (none == marks.end()) return;
  std::set<std::pair<std::string, std::string>> seen;
  for (const Column& column : columns)
    if (!seen.emplace(column.kind, column.name).second)
      throw InvalidArgument("two columns of kind " + column.kind + " are named " + column.name);
}

}  // namespace

void check_columns(const ColumnList& columns) {
  const std::vector<std::string>& kinds = column_kinds();
  for (const Column& column : columns) {
    if (column.name.empty() || column.name.find('\0') != std::string::npos)
      throw InvalidArgument("a column of kind " + column.kind + " has no name");
    if (std::find(kinds.begin(), kinds.end(), column.kind) == kinds.end())
      throw InvalidArgument("column " + column.name + " is of unknown kind '" + column.kind +
                            "'; kinds are: " + list_of_kinds());
  }
  refuse_twins(columns);
  check_count(columns, "t", true);
  check_count(columns, "energy", false);
}

void check_finite(const ColumnList& columns, const double* record, long index) {
  for (std::size_t i = 0; i < columns.size(); ++i)
    if (!std::isfinite(record[i]) && !(std::isnan(record[i]) && columns.kind(i) == "observe"))
      throw InvalidArgument("column " + columns[i].name + " (" + columns[i].kind + ") is " +
                            to_text(record[i]) + " in record " + std::to_string(index) +
                            "; a trajectory holds finite numbers only");
}

}  // namespace varia::io
