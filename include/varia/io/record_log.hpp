// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The one file a run writes while it goes: a header with the columns, then records of doubles of
// the same size, one after the other. It only grows, so that whatever ends the run, the records
// written so far can be read; an incomplete last one does not count.
//
//   magic, byte order, version, length of the columns | columns | checksum of all this | records
#include <cstdint>
#include <string>
#include <vector>

#include "varia/core/file_descriptor.hpp"
#include "varia/io/records.hpp"

namespace varia::io {

/// The writer. It holds a lock on the file: a second run in the same folder is refused.
class RecordLog {
 public:
  /// A new log; an old one of that name is lost, unless a run is still writing it.
  static RecordLog create(const std::string& path, const ColumnList& columns);
  /// The log of an earlier run with the same columns, to be continued after its first records.
  static RecordLog open_and_truncate(const std::string& path, const ColumnList& columns,
                                     long records);

  RecordLog(RecordLog&& other) noexcept = default;
  RecordLog& operator=(RecordLog&& other) = delete;
  ~RecordLog();  ///< writes what is left as well as it can; flush() first to know that it can

  /// Takes a number for each column. If it throws, the record was not taken; one may try again.
  void append(const double* record);
  /// All records appended so far are on the disk when it returns.
  void flush();
  /// Deletes the file: its records have found their final place. Nothing can be appended then.
  void remove();

  const std::string& path() const { return path_; }
  long records() const { return records_; }       ///< appended, on the disk or not yet
  std::uint64_t first() const { return first_; }  ///< where the records begin in the file
  /// The checksum of all of them: those before a restart must still have it, see checksum_of().
  std::uint64_t checksum() const { return checksum_; }

 private:
  RecordLog(std::string path, const ColumnList& columns, FileDescriptor descriptor);
  void check_finite(const double* record) const;
  void write_buffer();
  void close() noexcept;

  std::string path_;
  std::vector<char> may_miss_;  ///< of each column: its names are in the file
  std::string buffer_;
  std::uint64_t written_ = 0;  ///< bytes in the file
  std::uint64_t first_ = 0;
  std::uint64_t checksum_ = 0;
  long records_ = 0;
  FileDescriptor descriptor_;
};

/// The reader; also while the log is being written: it sees the records that were there at first.
class RecordReader {
 public:
  explicit RecordReader(const std::string& path);
  /// Of a log that has been flushed, with its columns: they are not read once more.
  RecordReader(const RecordLog& log, const ColumnList& columns);

  const ColumnList& columns() const { return columns_; }
  long records() const { return records_; }
  /// The next record into columns().size() numbers; false after the last.
  bool next(double* record);
  void rewind();

 private:
  void fill();

  std::string path_;
  ColumnList columns_;
  std::vector<double> block_;  ///< records of which the first unread one is at position_
  std::size_t position_ = 0;
  std::uint64_t first_ = 0;  ///< offset of the first record
  long records_ = 0;
  long read_ = 0;  ///< records in the blocks so far
  FileDescriptor descriptor_;
};

/// The checksum of the first records of a source.
std::uint64_t checksum_of(RecordSource source, long records);

}  // namespace varia::io
