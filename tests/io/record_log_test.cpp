// SPDX-License-Identifier: BSD-3-Clause
// The log of a run: what was written is read back to the bit, whatever ended the run.
#include "varia/io/record_log.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "adversity.hpp"
#include "refusal.hpp"
#include "varia/io/error.hpp"

namespace varia::io::record_log_test {
namespace {

const std::vector<Column> columns = {{"t", "t", "s"},
                                     {"x", "q", "m"},
                                     {"x_dot", "v", ""},
                                     {"E", "energy", "J"},
                                     {"ϕ", "observe", "°"}};

void append_all(RecordLog& log, const std::vector<double>& numbers) {
  for (std::size_t i = 0; i < numbers.size(); i += columns.size()) log.append(&numbers[i]);
}

/// True if the numbers are the first of the expected ones.
bool is_beginning(const std::vector<double>& found, const std::vector<double>& expected) {
  return found.size() <= expected.size() &&
         bits(found) ==
             bits({expected.begin(), expected.begin() + static_cast<long>(found.size())});
}

TEST(RecordLog, ReadsBackToTheBit) {
  const Folder folder;
  for (const std::size_t records : {0U, 1U, 2U, 1637U, 1638U, 1639U, 10000U}) {
    const auto numbers = any_numbers(records * columns.size(), records);
    RecordLog log = RecordLog::create(folder / "log", columns);
    append_all(log, numbers);
    log.flush();
    EXPECT_EQ(log.records(), static_cast<long>(records));
    RecordReader reader(folder / "log");
    EXPECT_EQ(reader.columns(), columns);
    EXPECT_EQ(reader.records(), static_cast<long>(records));
    EXPECT_EQ(bits(all_records(reader)), bits(numbers));
    EXPECT_EQ(bits(all_records(reader)), bits(numbers)) << "after rewind";
  }
}

TEST(RecordLog, DestructorWritesTheRest) {
  const Folder folder;
  const auto numbers = any_numbers(10 * columns.size(), 1);
  {
    RecordLog log = RecordLog::create(folder / "log", columns);
    append_all(log, numbers);
    RecordLog moved = std::move(log);
    EXPECT_THROW(log.append(numbers.data()), InvalidArgument);  // NOLINT: that is the question
  }
  RecordReader reader(folder / "log");
  EXPECT_EQ(bits(all_records(reader)), bits(numbers));
}

TEST(RecordLog, WideRecords) {
  const Folder folder;
  std::vector<Column> wide = {{"t", "t", ""}};
  for (int i = 1; i <= 20000; ++i) wide.push_back({"q[" + std::to_string(i) + "]", "q", ""});
  const auto numbers = any_numbers(3 * wide.size(), 5);
  RecordLog log = RecordLog::create(folder / "log", wide);
  for (std::size_t i = 0; i < 3; ++i) log.append(&numbers[i * wide.size()]);
  log.flush();
  RecordReader reader(folder / "log");
  EXPECT_EQ(bits(all_records(reader)), bits(numbers));
}

TEST(RecordLog, AnIncompleteLastRecordDoesNotCount) {
  const Folder folder;
  const auto numbers = any_numbers(7 * columns.size(), 2);
  {
    RecordLog log = RecordLog::create(folder / "log", columns);
    append_all(log, numbers);
  }
  const std::string whole = content_of(folder / "log");
  const std::size_t record = columns.size() * sizeof(double);
  const std::size_t header = whole.size() - 7 * record;
  for (std::size_t size = 0; size < whole.size(); ++size) {
    put_content(folder / "log", whole.substr(0, size));
    if (size < header) {
      EXPECT_THROW(RecordReader(folder / "log"), IoError);
      continue;
    }
    RecordReader reader(folder / "log");
    EXPECT_EQ(reader.records(), static_cast<long>((size - header) / record));
    EXPECT_TRUE(is_beginning(all_records(reader), numbers));
  }
}

TEST(RecordLog, ADamagedHeaderIsFound) {
  const Folder folder;
  { RecordLog::create(folder / "log", columns); }
  const std::string whole = content_of(folder / "log");
  for (std::size_t place = 0; place < whole.size(); ++place)
    for (const char flip : {'\x01', '\x80', '\xff'}) {
      std::string damaged = whole;
      damaged[place] = static_cast<char>(damaged[place] ^ flip);
      put_content(folder / "log", damaged);
      EXPECT_THROW(RecordReader(folder / "log"), IoError) << place;
    }
}

TEST(RecordLog, SaysWhatIsWrongWithAFile) {
  const Folder folder;
  const auto open = [&](const std::string& content) {
    put_content(folder / "log", content);
    return refusal<IoError>([&] { RecordReader reader(folder / "log"); });
  };
  { RecordLog::create(folder / "log", columns); }
  std::string whole = content_of(folder / "log");
  expect_has(open(""), "empty");
  expect_has(open("t,x\n0,1\n"), "not a record log");
  expect_has(open(whole.substr(0, 30)), "ends within its header");
  whole[12] = 7;
  expect_words(open(whole), {"version 7", "reads version 1"});
  expect_words(refusal<IoError>([&] { RecordReader reader(folder / "none"); }),
               {"none", "No such file"});
}

TEST(RecordLog, IsContinuedAfterAGivenRecord) {
  const Folder folder;
  const auto numbers = any_numbers(3000 * columns.size(), 3);
  {
    RecordLog log = RecordLog::create(folder / "log", columns);
    append_all(log, {numbers.begin(), numbers.begin() + 2000 * 5});
  }
  {
    RecordLog log = RecordLog::open_and_truncate(folder / "log", columns, 1000);
    EXPECT_EQ(log.records(), 1000);
    append_all(log, {numbers.begin() + 1000 * 5, numbers.end()});
    EXPECT_EQ(log.records(), 3000);
  }
  RecordReader reader(folder / "log");
  EXPECT_EQ(bits(all_records(reader)), bits(numbers));
}

TEST(RecordLog, TheChecksumIsThatOfTheRecords) {
  const Folder folder;
  const auto numbers = any_numbers(300 * columns.size(), 11);
  std::uint64_t half = 0;
  {
    RecordLog log = RecordLog::create(folder / "log", columns);
    EXPECT_EQ(log.checksum(), 0U);
    append_all(log, {numbers.begin(), numbers.begin() + 100 * 5});
    half = log.checksum();
    append_all(log, {numbers.begin() + 100 * 5, numbers.end()});
    log.flush();
    RecordReader reader(folder / "log");
    EXPECT_EQ(checksum_of(reader, 100), half);
    EXPECT_EQ(checksum_of(reader, 300), log.checksum());
  }
  EXPECT_EQ(RecordLog::open_and_truncate(folder / "log", columns, 100).checksum(), half);
  std::string damaged = content_of(folder / "log");
  damaged[damaged.size() - 17] = static_cast<char>(damaged[damaged.size() - 17] ^ 1);
  put_content(folder / "log", damaged);
  RecordReader reader(folder / "log");
  EXPECT_NE(checksum_of(reader, 100), half);
}

TEST(RecordLog, ContinuesOnlyWhatFits) {
  const Folder folder;
  { RecordLog::create(folder / "log", columns).append(any_numbers(5, 4).data()); }
  const auto open = [&](const std::vector<Column>& wanted, long records) {
    return refusal<IoError>([&] { RecordLog::open_and_truncate(folder / "log", wanted, records); });
  };
  expect_words(open(columns, 2), {"holds 1 records", "2 are needed"});
  std::vector<Column> other = columns;
  other[1].name = "y";
  expect_words(open(other, 1), {"column x (q)", "y (q)"});
  other.pop_back();
  expect_words(open(other, 1), {"5 columns", "4"});
  EXPECT_THROW(RecordLog::open_and_truncate(folder / "none", columns, 0), IoError);
  EXPECT_EQ(RecordReader(folder / "log").records(), 1) << "a refused log is left alone";
}

TEST(RecordLog, ASecondRunIsRefusedAndDoesNoHarm) {
  const Folder folder;
  const auto numbers = any_numbers(10, 6);
  RecordLog log = RecordLog::create(folder / "log", columns);
  append_all(log, numbers);
  log.flush();
  const auto second = [&] { RecordLog::create(folder / "log", columns); };
  expect_words(refusal<IoError>(second), {"log", "another run is writing there"});
  EXPECT_THROW(RecordLog::open_and_truncate(folder / "log", columns, 0), IoError);
  RecordReader reader(folder / "log");
  EXPECT_EQ(bits(all_records(reader)), bits(numbers));
  log.remove();
  EXPECT_EQ(folder.files(), 0U);
  EXPECT_THROW(log.append(numbers.data()), InvalidArgument);
  EXPECT_NO_THROW(second());
}

TEST(RecordLog, RefusesWhatIsNotFinite) {
  const Folder folder;
  RecordLog log = RecordLog::create(folder / "log", columns);
  std::vector<double> record = {0, 1, 2, 3, 4};
  log.append(record.data());
  record[4] = std::numeric_limits<double>::infinity();
  expect_words(refusal([&] { log.append(record.data()); }), {"ϕ", "observe", "inf", "record 1"});
  record[4] = std::numeric_limits<double>::quiet_NaN();  // an observed function may be missing
  log.append(record.data());
  record[3] = std::numeric_limits<double>::quiet_NaN();
  expect_words(refusal([&] { log.append(record.data()); }), {"nan", "E", "energy"});
  EXPECT_EQ(log.records(), 2);
}

TEST(RecordLog, RefusesWrongColumns) {
  const Folder folder;
  const auto create = [&](const std::vector<Column>& wrong) {
    return refusal([&] { RecordLog::create(folder / "log", wrong); });
  };
  expect_words(create({}), {"0 columns of kind t", "exactly one"});
  expect_words(create({{"t", "t", ""}, {"x", "qq", ""}}), {"x", "'qq'", "momentum"});
  expect_words(create({{"t", "t", ""}, {"x", "q", ""}, {"x", "q", ""}}), {"two columns", "x"});
  expect_words(create({{"t", "t", ""}, {"", "q", ""}}), {"no name"});
  expect_words(create({{"t", "t", ""}, {"E", "energy", ""}, {"F", "energy", ""}}), {"at most one"});
}

TEST(RecordLog, AFullDiskLosesNothingThatWasAppended) {
  const Folder folder;
  const auto numbers = any_numbers(40000 * columns.size(), 7);
  RecordLog log = RecordLog::create(folder / "log", columns);
  const auto header = static_cast<long>(fs::file_size(folder / "log"));
  std::size_t taken = 0;
  {
    const SizeLimit limit(1000003);
    const std::string text = refusal<IoError>([&] {
      for (; taken < numbers.size(); taken += columns.size()) log.append(&numbers[taken]);
    });
    expect_words(text, {"log", "cannot write records", "large"});
    EXPECT_THROW(log.flush(), IoError);
    RecordReader reader(folder / "log");
    EXPECT_EQ(reader.records(), (1000003 - header) / 40);
    EXPECT_TRUE(is_beginning(all_records(reader), numbers));
  }
  EXPECT_EQ(log.records(), static_cast<long>(taken / columns.size()));
  append_all(log, {numbers.begin() + static_cast<long>(taken), numbers.end()});
  log.flush();
  RecordReader reader(folder / "log");
  EXPECT_EQ(bits(all_records(reader)), bits(numbers));
}

TEST(RecordLog, FullDisk) {
  const int code = on_tiny_disk(128, [](const Folder& folder, const char* reason) {
    const auto numbers = any_numbers(10000 * columns.size(), 8);
    RecordLog log = RecordLog::create(folder / "log", columns);
    expect_words(refusal<IoError>([&] { append_all(log, numbers); }), {"log", reason});
    RecordReader reader(folder / "log");
    EXPECT_GT(reader.records(), 3000);
    EXPECT_TRUE(is_beginning(all_records(reader), numbers));
  });
  EXPECT_EQ(code, 0);
}

TEST(RecordLog, KilledAtAnySystemCallItKeepsWhatWasFlushed) {
  const Folder folder;
  const long total = 8000;
  const auto numbers = any_numbers(static_cast<std::size_t>(total) * columns.size(), 9);
  const Shared<long> flushed;  // records for which flush() has returned
  int readable = 0;
  End end = End::killed;
  for (int count = 1; end == End::killed; ++count) {
    fs::remove(folder / "log");
    *flushed = 0;
    end = kill_at(count, [&] {
      RecordLog log = RecordLog::create(folder / "log", columns);
      for (long i = 0; i < total; ++i) {
        log.append(&numbers[static_cast<std::size_t>(i) * columns.size()]);
        if (i % 1000 == 999) log.flush();
        if (i % 1000 == 999) *flushed = i + 1;
      }
    });
    if (!fs::exists(folder / "log") || fs::file_size(folder / "log") == 0) continue;
    RecordReader reader(folder / "log");
    const long found = reader.records();
    EXPECT_GE(found, *flushed);
    EXPECT_TRUE(is_beginning(all_records(reader), numbers));
    ++readable;
    // What a killed run has locked is free again.
    EXPECT_EQ(RecordLog::open_and_truncate(folder / "log", columns, found).records(), found);
  }
  EXPECT_EQ(*flushed, total);
  EXPECT_GE(readable, 8);
}

}  // namespace
}  // namespace varia::io::record_log_test
