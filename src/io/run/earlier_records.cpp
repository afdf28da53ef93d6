// SPDX-License-Identifier: BSD-3-Clause
#include "earlier_records.hpp"

#include <filesystem>

#include "varia/core/error.hpp"
#include "varia/io/error.hpp"
#include "varia/io/hdf5_trajectory.hpp"

namespace varia::io {

namespace {

std::string log_of(const EarlierRecords& run) {
  return run.directory + "/" + run.name + ".partial";
}

/// What is wrong with a file of records, empty if it holds those before the checkpoint.
template <class Source> std::string fault(Source& source, const EarlierRecords& run) {
  if (source.columns() != run.columns) return "it has other columns";
  if (source.records() < run.count)
    return "it holds " + std::to_string(source.records()) + " of the " + std::to_string(run.count) +
           " records before the checkpoint";
  if (checksum_of(source, run.count) != run.checksum)
    return "its records are damaged, or those of another run: their checksum is not the one in the "
           "checkpoint";
  return {};
}

/// A new log with the records of the run.
template <class Source> RecordLog copied(Source& source, const EarlierRecords& run) {
  source.rewind();
  RecordLog log = RecordLog::create(log_of(run), run.columns);
  std::vector<double> record(run.columns.size());
  for (long i = 0; i < run.count && source.next(record.data()); ++i) log.append(record.data());
  return log;
}

bool has_content(const std::string& path) {
  std::error_code error;
  return std::filesystem::is_regular_file(path, error) && std::filesystem::file_size(path) > 0;
}

/// The log with the records before the checkpoint, from a file that is read by a Source; none if they
/// are not in it, `why` then says so.
template <class Source, class... Group>
std::optional<RecordLog> continued(const std::string& path, const EarlierRecords& run,
                                   std::string& why, const Group&... group) {
  namespace fs = std::filesystem;
  if (!has_content(path)) return std::nullopt;
  std::optional<Source> source;
  std::string found;
  try {
    source.emplace(path, group...);
    if (const std::string wrong = fault(*source, run); !wrong.empty()) found = path + ": " + wrong;
  } catch (const IoError& error) {
    found = error.what();
  }
  if (!found.empty()) {
    why += (why.empty() ? "" : "; ") + found;
    return std::nullopt;
  }
  if (fs::exists(log_of(run)) && fs::equivalent(path, log_of(run)))
    return RecordLog::open_and_truncate(path, run.columns, run.count);
  return copied(*source, run);
}

/// A trajectory without its beginning must not replace the one with it.
void refuse_lost_records(const EarlierRecords& run, const std::string& why) {
  for (const std::string& name : {run.name + ".partial", run.name + ".csv", run.name + ".json",
                                  std::string("trajectory.h5")}) {
    const std::string path = run.directory + "/" + name;
    if (!has_content(path)) continue;
    if (!why.empty())
      throw IoError("--restart " + run.checkpoint,
                    "the records before the checkpoint cannot be continued: " + why +
                        ". All files are left as they are; with another --out the run goes on from "
                        "the checkpoint, without these records");
    throw InvalidArgument("--restart " + run.checkpoint +
                          ": the records before the checkpoint are not in its folder as "
                          "trajectory.h5, and " +
                          path +
                          " would be lost; add h5 to output.formats of the first run, or give "
                          "another --out");
  }
}

}  // namespace

std::optional<RecordLog> continue_log(const EarlierRecords& run, std::string& why) {
  if (run.count == 0) return RecordLog::create(log_of(run), run.columns);
  const auto folder = std::filesystem::path(run.checkpoint).parent_path();
  const std::string from = folder.empty() ? "." : folder.string();
  // an empty log is that of a run which was killed before it wrote anything
  if (auto log = continued<RecordReader>(from + "/" + run.name + ".partial", run, why)) return log;
  if (auto log = continued<Hdf5Records>(from + "/trajectory.h5", run, why, run.group)) return log;
  refuse_lost_records(run, why);
  return std::nullopt;
}

}  // namespace varia::io
