// SPDX-License-Identifier: BSD-3-Clause
#include "run_files.hpp"

#include <algorithm>
#include <filesystem>

#include "varia/core/error.hpp"
#include "varia/io/csv_trajectory.hpp"
#include "varia/io/json_trajectory.hpp"

namespace varia::io {

namespace {

std::string log_of(const EarlierRun& run) { return run.directory + "/trajectory.partial"; }

/// Does a source hold the records of the run? It is read up to the last of them.
template <class Source> bool holds(Source& source, const EarlierRun& run) {
  if (source.records() < run.records || source.columns() != run.columns) return false;
  std::vector<double> record(run.columns.size());
  for (long i = 0; i < run.records; ++i) source.next(record.data());
  for (std::size_t i = 0; i < record.size(); ++i)
    if (record[i] != run.figures.column(i).last) return false;
  return true;
}

/// A new log with the records of the run.
template <class Source> RecordLog copied(Source& source, const EarlierRun& run) {
  source.rewind();
  RecordLog log = RecordLog::create(log_of(run), run.columns);
  std::vector<double> record(run.columns.size());
  for (long i = 0; i < run.records && source.next(record.data()); ++i) log.append(record.data());
  return log;
}

/// A trajectory without its beginning must not replace the one with it.
void refuse_lost_records(const EarlierRun& run) {
  for (const char* name : {"trajectory.csv", "trajectory.json", "trajectory.h5"}) {
    const std::string path = run.directory + "/" + name;
    if (std::filesystem::exists(path))
      throw InvalidArgument("--restart " + run.checkpoint +
                            ": the records before the checkpoint are not in its folder as "
                            "trajectory.h5, and " +
                            path +
                            " would be lost; add h5 to output.formats of the first run, or give "
                            "another --out");
  }
}

}  // namespace

std::string column_names(const std::vector<Column>& columns) {
  std::string text;
  for (const Column& c : columns) text += c.kind + " " + c.name + "\n";
  return text;
}

std::optional<RecordLog> continue_log(const EarlierRun& run) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::path(run.checkpoint).parent_path();
  const std::string from = folder.empty() ? "." : folder.string();
  const std::string partial = from + "/trajectory.partial";
  const std::string finished = from + "/trajectory.h5";
  // an empty log is that of a run which was killed before it wrote anything
  if (fs::exists(partial) && fs::file_size(partial) > 0) {
    RecordReader reader(partial);
    if (holds(reader, run)) {
      if (fs::equivalent(from, run.directory))
        return RecordLog::open_and_truncate(partial, run.columns, run.records);
      return copied(reader, run);
    }
  }
  if (fs::exists(finished)) {
    Hdf5Records reader(finished);
    if (holds(reader, run)) return copied(reader, run);
  }
  refuse_lost_records(run);
  return std::nullopt;
}

void write_trajectories(RecordReader& reader, const std::string& directory,
                        const std::vector<std::string>& formats, const TrajectoryAttributes& about,
                        Summary& summary) {
  const auto wanted = [&](const char* format) {
    return std::find(formats.begin(), formats.end(), format) != formats.end();
  };
  const auto path = [&](const std::string& name) {
    summary.files.emplace_back(name, directory + "/" + name);
    return directory + "/" + name;
  };
  if (wanted("h5")) write_hdf5(reader, path("trajectory.h5"), about);
  if (wanted("csv")) write_csv(reader, path("trajectory.csv"));
  if (wanted("json")) write_json(reader, path("trajectory.json"));
}

}  // namespace varia::io
