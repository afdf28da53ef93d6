// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The rows of a sweep as they are done, in a file that only grows: sweep.partial. What ends the
// program leaves the rows so far; a sweep with the same request goes on behind them.
//
//   magic, length of the request | request | checksum | rows: length, checksum, row
//
// The checksum of a row continues that of the one before. Where it is wrong the log ends: a row that
// was being written, or damage.
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "varia/core/file_descriptor.hpp"
#include "varia/io/sweep_table.hpp"

namespace varia::io {

class SweepLog {
 public:
  /// A new log, or the one that is there and has the same request. Throws InvalidArgument that names
  /// what differs if it has another, IoError if it is being written by another sweep.
  SweepLog(const std::string& path, const std::string& request);

  /// Those that were there.
  const std::vector<SweepRow>& rows() const { return rows_; }
  /// In the file when it returns; on the disk within a second, or when flush() returns.
  void append(const SweepRow& row);
  void flush();
  /// Deletes the file: its rows have found their final place.
  void remove();

 private:
  void begin(const std::string& request);
  void read(const std::string& bytes, std::size_t at);
  void write(const std::string& bytes);

  std::string path_;
  FileDescriptor descriptor_;
  std::uint64_t size_ = 0;
  std::uint64_t checksum_ = 0;
  double flushed_ = 0.0;  ///< when, in seconds
  std::vector<SweepRow> rows_;
  std::vector<std::string> names_;  ///< of numbers, in the order in which rows first had them
  std::map<std::string, std::uint32_t> known_;
};

}  // namespace varia::io
