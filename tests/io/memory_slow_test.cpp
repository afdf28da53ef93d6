// SPDX-License-Identifier: BSD-3-Clause
// The memory of writing and reading does not depend on the number of records.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

#include "adversity.hpp"
#include "varia/io/hdf5_trajectory.hpp"
#include "varia/io/record_log.hpp"
#include "varia/io/runner.hpp"
#include "varia/io/text_trajectory.hpp"

namespace varia::io::memory_slow_test {
namespace {

constexpr long megabyte = 1024;  // of kilobytes

/// The most memory the process has had so far, in kilobytes.
long peak() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

const std::vector<Column> columns = {
    {"t", "t", ""}, {"x", "q", ""}, {"y", "q", ""}, {"E", "energy", ""}, {"r", "observe", ""}};

void run(const Folder& folder, long records) {
  {
    RecordLog log = RecordLog::create(folder / "log", columns);
    std::vector<double> record(columns.size());
    for (long i = 0; i < records; ++i) {
      const double t = 0.01 * static_cast<double>(i);
      record = {t, std::sin(t), std::cos(t), 0.5, 1 / (1 + t)};
      log.append(record.data());
    }
    log.flush();
  }
  RecordReader reader(folder / "log");
  write_hdf5(reader, folder / "t.h5", {"", "", "verlet", 0.01});
  write_csv(reader, folder / "t.csv");
  Hdf5Records back(folder / "t.h5");
  reader.rewind();
  std::vector<double> record(columns.size());
  std::vector<double> expected(columns.size());
  long count = 0;
  for (; back.next(record.data()); ++count) {
    ASSERT_TRUE(reader.next(expected.data()));
    ASSERT_EQ(record, expected);
  }
  EXPECT_EQ(count, records);
}

/// What work takes beyond what there was, in a process of its own, in kilobytes.
template <class Work> long growth(const Work& work) {
  const pid_t child = ::fork();
  if (child == 0) {
    work();
    std::_Exit(0);
  }
  int status = -1;
  rusage usage{};
  ::wait4(child, &status, 0, &usage);
  EXPECT_EQ(status, 0);
  return usage.ru_maxrss;
}

/// A coordinate takes numbers, not texts: with names in vectors of strings it was 1.7 kB.
TEST(Memory, OfACoordinateIsLessThanAKilobyte) {
  const auto chain = [](int n) {
    const std::string last = std::to_string(n);
    return "[system]\ncoordinates = [\"q[1.." + last + "]\"]\nlagrangian = \"sum(i, 1, " + last +
           ", q_dot[i]^2)/2 - sum(i, 2, " + last +
           ", (q[i] - q[i-1])^4)/4 - q[1]^2/2\"\n[start]\nq = \"sin(i)\"\nq_dot = 0\n[run]\nmethod "
           "= "
           "\"verlet\"\nevaluation = \"interpreter\"\nstep = 0.1\nsteps = 4\nevery = 4\n";
  };
  const Folder folder;
  const auto take = [&](int n) {
    return growth([&] {
      Model model = build_model(parse_scenario(chain(n), "chain.toml"));
      RunOptions options;
      options.directory = folder / std::to_string(n);
      io::run(model, options);
    });
  };
  const long few = take(1000), many = take(201000);
  EXPECT_LT(many - few, 200000) << "kilobytes for 200,000 coordinates";
}

TEST(Memory, IsConstantForTwoMillionRecords) {
  const Folder folder;
  run(folder, 50000);  // what the libraries need once
  const long before = peak();
  run(folder, 2000000);
  EXPECT_GE(fs::file_size(folder / "log"), 80000000U);
  EXPECT_LT(peak() - before, 8 * megabyte);
}

// The opposite: the measure sees the memory that the records would need.
TEST(Memory, TheMeasureSeesMemory) {
  const long before = peak();
  const std::vector<double> all(10000000, 1.0);
  EXPECT_EQ(all.back(), 1.0);
  EXPECT_GT(peak() - before, 60 * megabyte);
}

}  // namespace
}  // namespace varia::io::memory_slow_test
