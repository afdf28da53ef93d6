// SPDX-License-Identifier: BSD-3-Clause
// Checkpoints: back to the bit, every damage found, old or new at any time.
#include "varia/io/checkpoint.hpp"

#include <gtest/gtest.h>

#include <climits>
#include <limits>

#include "adversity.hpp"
#include "refusal.hpp"
#include "varia/io/error.hpp"
#include "varia/io/hdf5_trajectory.hpp"
#include "varia/io/record_log.hpp"

namespace varia::io::checkpoint_test {
namespace {

Checkpoint small(std::uint64_t seed = 1) {
  Checkpoint checkpoint;
  checkpoint.texts = {{"scenario", "title = \"Képler\"\n"}, {"method", "gauss(3)"}, {"empty", ""}};
  checkpoint.integers = {{"steps", LONG_MAX}, {"records", -1}, {"lowest", LONG_MIN}};
  checkpoint.arrays = {{"state", any_numbers(20, seed)}, {"a", {}}, {"memory", {-0.0}}};
  return checkpoint;
}

void expect_same(const Checkpoint& found, const Checkpoint& expected) {
  EXPECT_EQ(found.texts, expected.texts);
  EXPECT_EQ(found.integers, expected.integers);
  ASSERT_EQ(found.arrays.size(), expected.arrays.size());
  for (std::size_t i = 0; i < found.arrays.size(); ++i) {
    EXPECT_EQ(found.arrays[i].first, expected.arrays[i].first);
    EXPECT_EQ(bits(found.arrays[i].second), bits(expected.arrays[i].second));
  }
}

bool same(const Checkpoint& a, const Checkpoint& b) {
  return a.texts == b.texts && a.integers == b.integers &&
         bits(a.array("state")) == bits(b.array("state"));
}

TEST(Checkpoint, ReadsBackToTheBitAndInOrder) {
  const Folder folder;
  write_checkpoint(folder / "c.h5", small());
  expect_same(read_checkpoint(folder / "c.h5"), small());
  EXPECT_EQ(folder.files(), 1U);
  write_checkpoint(folder / "c.h5", {});
  expect_same(read_checkpoint(folder / "c.h5"), {});
}

TEST(Checkpoint, KeepsNumbersThatAreNotFinite) {
  const Folder folder;
  Checkpoint checkpoint;
  checkpoint.arrays = {{"statistics",
                        {std::numeric_limits<double>::infinity(),
                         -std::numeric_limits<double>::infinity(), std::nan("7")}}};
  write_checkpoint(folder / "c.h5", checkpoint);
  expect_same(read_checkpoint(folder / "c.h5"), checkpoint);
}

TEST(Checkpoint, LargeContents) {
  const Folder folder;
  Checkpoint checkpoint;
  checkpoint.texts = {{"scenario", std::string(300000, 's')}};
  for (int i = 0; i < 300; ++i) checkpoint.integers.emplace_back("n" + std::to_string(i), i);
  for (int i = 0; i < 200; ++i)
    checkpoint.arrays.emplace_back("a" + std::to_string(i), any_numbers(2000, 7));
  write_checkpoint(folder / "c.h5", checkpoint);
  expect_same(read_checkpoint(folder / "c.h5"), checkpoint);
}

TEST(Checkpoint, TheSameContentsAreTheSameBytes) {
  const Folder folder;
  write_checkpoint(folder / "a.h5", small());
  write_checkpoint(folder / "b.h5", small());
  EXPECT_EQ(content_of(folder / "a.h5"), content_of(folder / "b.h5"));
}

TEST(Checkpoint, FindsByName) {
  const Folder folder;
  write_checkpoint(folder / "c.h5", small());
  const Checkpoint checkpoint = read_checkpoint(folder / "c.h5");
  EXPECT_EQ(checkpoint.text("method"), "gauss(3)");
  EXPECT_EQ(checkpoint.integer("records"), -1);
  EXPECT_EQ(checkpoint.array("a").size(), 0U);
  expect_words(refusal<IoError>([&] { checkpoint.text("steps"); }),
               {"c.h5", "no text 'steps'", "scenario, method, empty"});
  EXPECT_THROW(checkpoint.integer("state"), IoError);
  EXPECT_THROW(checkpoint.array("method"), IoError);
}

TEST(Checkpoint, RefusesNamesItCannotKeep) {
  const Folder folder;
  for (const std::string& name : {std::string(), std::string("a/b"), std::string(".")}) {
    Checkpoint checkpoint;
    checkpoint.integers = {{name, 1}};
    EXPECT_THROW(write_checkpoint(folder / "c.h5", checkpoint), InvalidArgument) << name;
  }
  Checkpoint twice;
  twice.arrays = {{"a", {1}}, {"a", {2}}};
  expect_words(refusal([&] { write_checkpoint(folder / "c.h5", twice); }), {"'a'", "twice"});
  Checkpoint null;
  null.texts = {{"a", std::string("x\0y", 3)}};
  EXPECT_THROW(write_checkpoint(folder / "c.h5", null), InvalidArgument);
  EXPECT_EQ(folder.files(), 0U);
}

TEST(Checkpoint, EveryChangedByteIsFound) {
  const Folder folder;
  write_checkpoint(folder / "c.h5", small());
  const std::string whole = content_of(folder / "c.h5");
  std::fstream file(folder / "c.h5", std::ios::binary | std::ios::in | std::ios::out);
  const auto put = [&](std::size_t place, int byte) {
    file.seekp(static_cast<std::streamoff>(place));
    file.put(static_cast<char>(byte)).flush();
  };
  for (std::size_t place = 0; place < whole.size(); ++place) {
    put(place, whole[place] ^ (1 << (place % 8)));
    EXPECT_THROW(read_checkpoint(folder / "c.h5"), IoError) << place;
    put(place, whole[place]);
  }
  expect_same(read_checkpoint(folder / "c.h5"), small());
}

TEST(Checkpoint, EveryTruncationIsFound) {
  const Folder folder;
  write_checkpoint(folder / "c.h5", small());
  const std::string whole = content_of(folder / "c.h5");
  for (std::size_t size = 1; size < whole.size(); size += size < 600 ? 1 : 37) {
    put_content(folder / "c.h5", whole.substr(0, size));
    expect_has(refusal<IoError>([&] { read_checkpoint(folder / "c.h5"); }), "truncated");
  }
  put_content(folder / "c.h5", whole + "x");
  expect_has(refusal<IoError>([&] { read_checkpoint(folder / "c.h5"); }), "damaged");
}

TEST(Checkpoint, SaysWhatIsWrongWithAFile) {
  const Folder folder;
  const auto read = [&] { return refusal<IoError>([&] { read_checkpoint(folder / "c.h5"); }); };
  expect_words(read(), {"c.h5", "No such file"});
  put_content(folder / "c.h5", "");
  expect_has(read(), "empty");
  put_content(folder / "c.h5", "not this at all");
  expect_has(read(), "not a checkpoint of Varia");
  RecordLog log = RecordLog::create(folder / "log", {{"t", "t", ""}});
  RecordReader reader(folder / "log");
  write_hdf5(reader, folder / "c.h5", {});
  expect_has(read(), "not a checkpoint of Varia");
  write_checkpoint(folder / "c.h5", small());
  std::string future = content_of(folder / "c.h5");
  future.replace(future.find("version 1"), 9, "version 8");
  put_content(folder / "c.h5", future);
  expect_words(read(), {"version 8", "up to version 1"});
  future.replace(future.find("crc64 ") + 6, 1, "z");
  future.replace(future.find("version 8"), 9, "version 1");
  put_content(folder / "c.h5", future);
  expect_has(read(), "damaged");
}

TEST(Checkpoint, KilledAtAnySystemCallItIsOldOrNew) {
  const Folder folder;
  int old_files = 0;
  int new_files = 0;
  End end = End::killed;
  for (int count = 1; end == End::killed; ++count) {
    write_checkpoint(folder / "c.h5", small(1));
    end = kill_at(count, [&] { write_checkpoint(folder / "c.h5", small(2)); });
    const Checkpoint found = read_checkpoint(folder / "c.h5");
    const bool is_old = same(found, small(1));
    ASSERT_TRUE(is_old || same(found, small(2))) << "killed at " << count;
    ++(is_old ? old_files : new_files);
  }
  EXPECT_GE(old_files, 5);
  EXPECT_GE(new_files, 2);
}

TEST(Checkpoint, AFullDiskKeepsTheOldOne) {
  const int code = on_tiny_disk(64, [](const Folder& folder, const char* reason) {
    write_checkpoint(folder / "c.h5", small());
    Checkpoint large = small();
    large.arrays.emplace_back("large", any_numbers(10000, 3));
    for (int again = 0; again < 3; ++again)
      expect_words(refusal<IoError>([&] { write_checkpoint(folder / "c.h5", large); }),
                   {"c.h5", reason});
    expect_same(read_checkpoint(folder / "c.h5"), small());
    EXPECT_EQ(folder.files(), 1U);
  });
  EXPECT_EQ(code, 0);
}

}  // namespace
}  // namespace varia::io::checkpoint_test
