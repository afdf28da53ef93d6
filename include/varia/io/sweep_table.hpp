// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The table of a sweep: one row a case, in the order of the cases, whatever the order in which they
// were done. sweep.csv has the varied values, status, message, evaluation, then numbers by their path
// in the summary, wall_seconds last; a number that a row does not have is an empty field.
//
// sweep.h5 has the datasets
//   case                    numbers of the cases, from 1
//   varied/0, varied/1, ... one for each varied quantity, with attributes name and key; numbers, or texts
//   status, message, evaluation   texts
//   numbers                 rows x columns, 0 where a row has no such number; attribute columns: the paths
//   present                 rows x columns: 1 where a row has the number, else 0
// and the attributes varia, title, name, scenario, request, cases, part, of.
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "varia/io/summary.hpp"

namespace varia::io {

/// What a run gave.
struct SweepRow {
  long number = 0;              ///< of the case, from 0
  std::string status = "done";  ///< done, failed, interrupted
  std::string message;
  std::string evaluation;  ///< native, interpreter; empty for solids and what did not begin
  std::vector<std::pair<std::string, double>> numbers;  ///< by path, in the order of the summary
};

/// Whether the path is one of those asked for, or below one; nothing asked for: all are.
bool wanted_column(const std::string& path, const std::vector<std::string>& asked);

/// The numbers of a summary by their paths: energy.max_rel_error, final.q.x, final.lambda[1].
std::vector<std::pair<std::string, double>> numbers_of(const Summary& summary,
                                                       const std::vector<std::string>& asked);

class SweepTable {
 public:
  struct Axis {
    std::string name, key;
    bool numbers = false;
    bool operator==(const Axis&) const = default;
  };
  struct Row {
    long number = 0;
    std::vector<std::string> values;  ///< by axis
    std::string status, message, evaluation;
    std::vector<std::pair<int, double>> numbers;  ///< column and number, in the order of the run
  };

  std::string title, name, scenario, request;
  long cases = 0;         ///< of the whole sweep
  long part = 1, of = 1;  ///< which of them: part, part + of, ...
  std::vector<Axis> axes;

  void add(const SweepRow& row, std::vector<std::string> values);
  /// Puts rows and columns in order: columns as they occur from the first row on, wall_seconds last.
  void sort();

  const std::vector<Row>& rows() const { return rows_; }
  const std::vector<std::string>& columns() const { return columns_; }
  long count(const std::string& status) const;
  /// The numbers of a row by column; none where it has no such number.
  std::vector<std::optional<double>> by_column(const Row& row) const;

 private:
  std::vector<Row> rows_;
  std::vector<std::string> columns_;
  std::map<std::string, int> known_;
};

void write_sweep_csv(const SweepTable& table, const std::string& path);
void write_sweep_hdf5(const SweepTable& table, const std::string& path);
/// Throws IoError for a file that is not one of these.
SweepTable read_sweep_hdf5(const std::string& path);

/// All parts of a sweep as one table. Throws InvalidArgument that names what is missing, is there
/// twice, was interrupted, or belongs to another sweep.
SweepTable merged(const std::vector<std::pair<std::string, SweepTable>>& parts);

/// The files sweep.k-of-n.h5 in these folders.
std::vector<std::string> find_sweep_parts(const std::vector<std::string>& folders);

}  // namespace varia::io
