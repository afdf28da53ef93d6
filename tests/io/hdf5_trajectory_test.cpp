// SPDX-License-Identifier: BSD-3-Clause
// Trajectories as HDF5: back to the bit, old or new, and no crash when the disk is full.
#include "varia/io/hdf5_trajectory.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "adversity.hpp"
#include "refusal.hpp"
#include "varia/io/error.hpp"
#include "varia/io/record_log.hpp"

namespace varia::io::hdf5_trajectory_test {
namespace {

/// Any table as a reader.
class Table {
 public:
  Table(ColumnList columns, std::vector<double> numbers)
      : columns_(std::move(columns)), numbers_(std::move(numbers)) {}
  const ColumnList& columns() const { return columns_; }
  long records() const { return static_cast<long>(numbers_.size() / columns_.size()); }
  bool next(double* record) {
    if (place_ == numbers_.size()) return false;
    std::copy_n(numbers_.begin() + static_cast<long>(place_), columns_.size(), record);
    place_ += columns_.size();
    return true;
  }
  void rewind() { place_ = 0; }
  const std::vector<double>& numbers() const { return numbers_; }

 private:
  ColumnList columns_;
  std::vector<double> numbers_;
  std::size_t place_ = 0;
};

// On purpose not in the order of the datasets.
const ColumnList mixed = {{"E", "energy", "J"},
                          {"x", "q", "m"},
                          {"t", "t", "s"},
                          {"y", "q", "m"},
                          {"x_dot", "v", "m/s"},
                          {"Höhe", "observe", ""},
                          {"x_p", "p", ""},
                          {"rotation/z", "momentum", ""},
                          {"lambda[1]", "lambda", ""},
                          {"a", "observe", ""},
                          {"x", "observe", ""}};

const TrajectoryAttributes attributes = {"Kepler ellipse", "title = \"Képler\"\n", "gauss(3)",
                                         0.05};

Table table(long records, std::uint64_t seed, const ColumnList& columns = mixed) {
  return {columns, any_numbers(static_cast<std::size_t>(records) * columns.size(), seed)};
}

void expect_holds(const std::string& path, const Table& expected) {
  Hdf5Records found(path);
  EXPECT_EQ(found.columns(), expected.columns());
  EXPECT_EQ(found.records(), expected.records());
  EXPECT_EQ(bits(all_records(found)), bits(expected.numbers()));
}

TEST(Hdf5Trajectory, ReadsBackToTheBit) {
  const Folder folder;
  for (const long records : {0L, 1L, 2L, 4095L, 4096L, 4097L, 8192L, 20001L}) {
    Table numbers = table(records, static_cast<std::uint64_t>(records) + 1);
    write_hdf5(numbers, folder / "t.h5", attributes);
    expect_holds(folder / "t.h5", numbers);
    Hdf5Records again(folder / "t.h5");
    std::vector<double> record(mixed.size());
    while (again.next(record.data())) continue;
    EXPECT_FALSE(again.next(record.data()));
    EXPECT_EQ(bits(all_records(again)), bits(numbers.numbers())) << "after rewind";
    EXPECT_EQ(folder.files(), 1U);
  }
}

TEST(Hdf5Trajectory, FromALogAndBackIntoOne) {
  const Folder folder;
  Table numbers = table(5000, 3);
  RecordLog log = RecordLog::create(folder / "log", mixed);
  for (long i = 0; i < numbers.records(); ++i)
    log.append(&numbers.numbers()[static_cast<std::size_t>(i) * mixed.size()]);
  log.flush();
  RecordReader reader(folder / "log");
  std::vector<double> record(mixed.size());
  reader.next(record.data());  // the writer begins at the first record all the same
  write_hdf5(reader, folder / "t.h5", attributes);
  expect_holds(folder / "t.h5", numbers);
  Hdf5Records source(folder / "t.h5");
  write_hdf5(source, folder / "t.h5", attributes);  // a source may replace itself
  expect_holds(folder / "t.h5", numbers);
}

TEST(Hdf5Trajectory, ManyColumns) {
  const Folder folder;
  std::vector<Column> wide = {{"t", "t", ""}};
  for (int i = 1; i <= 20000; ++i) wide.push_back({"q[" + std::to_string(i) + "]", "q", ""});
  for (int i = 1; i <= 300; ++i) wide.push_back({"f" + std::to_string(i), "observe", ""});
  Table numbers = table(5, 4, wide);
  TrajectoryAttributes long_text = attributes;
  long_text.scenario = std::string(500000, 's');
  write_hdf5(numbers, folder / "t.h5", long_text);
  expect_holds(folder / "t.h5", numbers);
}

TEST(Hdf5Trajectory, CompressesWhatIsSmooth) {
  const Folder folder;
  std::vector<double> numbers;
  for (int i = 0; i < 100000; ++i) numbers.insert(numbers.end(), {i * 0.125, 1.0});
  Table smooth({{"t", "t", ""}, {"x", "q", ""}}, numbers);
  write_hdf5(smooth, folder / "t.h5", attributes);
  EXPECT_LT(fs::file_size(folder / "t.h5"), numbers.size() * sizeof(double) / 4);
}

TEST(Hdf5Trajectory, RefusesNumbersThatAreNotFinite) {
  const Folder folder;
  std::vector<double> numbers = any_numbers(3 * mixed.size(), 5);
  numbers[mixed.size() + 5] = std::numeric_limits<double>::infinity();
  Table wrong(mixed, numbers);
  expect_words(refusal([&] { write_hdf5(wrong, folder / "t.h5", attributes); }),
               {"Höhe", "inf", "record 1"});
  EXPECT_EQ(folder.files(), 0U);
}

TEST(Hdf5Trajectory, RefusesNamesThatWouldBeOneDataset) {
  const Folder folder;
  Table wrong({{"t", "t", ""}, {"a/b", "observe", ""}, {"a_b", "observe", ""}}, {0, 1, 2});
  expect_words(refusal([&] { write_hdf5(wrong, folder / "t.h5", attributes); }),
               {"a/b", "a_b", "rename"});
}

TEST(Hdf5Trajectory, SaysWhatIsWrongWithAFile) {
  const Folder folder;
  const auto read = [](const std::string& path) {
    return refusal<IoError>([&] { Hdf5Records records(path); });
  };
  expect_words(read(folder / "none.h5"), {"none.h5", "No such file"});
  expect_words(read(folder.path()), {"folder"});
  put_content(folder / "text.h5", std::string(5000, 'x'));
  expect_words(read(folder / "text.h5"), {"text.h5", "HDF5 file", "HDF5:"});
  Table numbers = table(3000, 6);
  write_hdf5(numbers, folder / "t.h5", attributes);
  const std::string whole = content_of(folder / "t.h5");
  put_content(folder / "t.h5", whole.substr(0, whole.size() / 2));
  expect_words(read(folder / "t.h5"), {"t.h5", "truncated"});
}

TEST(Hdf5Trajectory, DamagedNumbersAreFound) {
  const Folder folder;
  Table numbers = table(30000, 7, {{"t", "t", ""}, {"x", "q", ""}});
  write_hdf5(numbers, folder / "t.h5", attributes);
  std::string damaged = content_of(folder / "t.h5");
  for (std::size_t i = 0; i < 100; ++i) damaged[damaged.size() / 2 + i] ^= '\x55';
  put_content(folder / "t.h5", damaged);
  const std::string text = refusal<IoError>([&] {
    Hdf5Records records(folder / "t.h5");
    all_records(records);
  });
  expect_words(text, {"t.h5", "HDF5:"});
}

// HDF5 crashes at exit when a file could not be closed. That this program ends well is the test.
TEST(Hdf5Trajectory, AFailedWriteAtAnyPlaceIsAnError) {
  const Folder folder;
  Table before = table(10, 8);
  write_hdf5(before, folder / "t.h5", attributes);
  Table after = table(9000, 9);
  write_hdf5(after, folder / "whole.h5", attributes);
  const std::size_t size = fs::file_size(folder / "whole.h5");
  std::vector<std::size_t> limits = {0, 1, 47, 48, 96, size - 1, size - 8, size - 100, size - 2000};
  for (std::size_t limit = 500; limit < size; limit += limit < 20000 ? 1000 : 40000)
    limits.push_back(limit);
  for (const std::size_t bytes : limits) {
    const SizeLimit limit(bytes);
    expect_words(refusal<IoError>([&] { write_hdf5(after, folder / "t.h5", attributes); }),
                 {"t.h5", "large"});
    EXPECT_EQ(folder.files(), 2U);
  }
  expect_holds(folder / "t.h5", before);
  const SizeLimit limit(size);
  write_hdf5(after, folder / "t.h5", attributes);
  expect_holds(folder / "t.h5", after);
}

TEST(Hdf5Trajectory, FullDisk) {
  const int code = on_tiny_disk(256, [](const Folder& folder, const char* reason) {
    Table before = table(10, 10);
    write_hdf5(before, folder / "t.h5", attributes);
    for (int again = 0; again < 3; ++again) {
      Table after = table(9000, 11);
      expect_words(refusal<IoError>([&] { write_hdf5(after, folder / "t.h5", attributes); }),
                   {"t.h5", reason});
    }
    EXPECT_EQ(folder.files(), 1U);
    expect_holds(folder / "t.h5", before);
  });
  EXPECT_EQ(code, 0);
}

TEST(Hdf5Trajectory, KilledAtAnySystemCallItIsOldOrNew) {
  const Folder folder;
  Table before = table(10, 12);
  Table after = table(3000, 13);
  write_hdf5(before, folder / "old.h5", attributes);
  int old_files = 0;
  int new_files = 0;
  End end = End::killed;
  for (int count = 1; end == End::killed; count += 3) {
    fs::copy_file(folder / "old.h5", folder / "t.h5", fs::copy_options::overwrite_existing);
    end = kill_at(count, [&] { write_hdf5(after, folder / "t.h5", attributes); });
    const bool is_old = Hdf5Records(folder / "t.h5").records() == 10;
    expect_holds(folder / "t.h5", is_old ? before : after);
    ++(is_old ? old_files : new_files);
  }
  EXPECT_GE(old_files, 10);
  EXPECT_GE(new_files, 2);
}

/// The file that read_hdf5_test.py looks at with h5py: it names the place.
TEST(Hdf5Trajectory, Sample) {
  const Folder folder;
  const char* given = std::getenv("VARIA_SAMPLE_FILE");
  const std::string path = given == nullptr ? folder / "sample.h5" : given;
  std::vector<double> numbers;
  for (int i = 0; i < 10000; ++i)
    for (std::size_t column = 0; column < mixed.size(); ++column)
      numbers.push_back(i + 0.0625 * static_cast<double>(column));
  Table sample(mixed, numbers);
  write_hdf5(sample, path, attributes);
  expect_holds(path, sample);
}

}  // namespace
}  // namespace varia::io::hdf5_trajectory_test
