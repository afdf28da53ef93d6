// SPDX-License-Identifier: BSD-3-Clause
// Files that are old or new, never half written.
#include "varia/io/atomic_file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "adversity.hpp"
#include "refusal.hpp"
#include "varia/io/error.hpp"

namespace varia::io::atomic_file_test {
namespace {

TEST(AtomicFile, WritesAndReplaces) {
  const Folder folder;
  for (const std::string& content :
       {std::string("first"), std::string(), std::string(300000, 'x')}) {
    write_atomically(folder / "a.txt", content);
    EXPECT_EQ(content_of(folder / "a.txt"), content);
    EXPECT_EQ(folder.files(), 1U);
  }
}

TEST(AtomicFile, AppendsInOrder) {
  const Folder folder;
  AtomicPath file(folder / "a.txt");
  std::string expected;
  for (int i = 0; i < 30000; ++i) {
    file.append(std::to_string(i));
    expected += std::to_string(i);
  }
  EXPECT_FALSE(fs::exists(folder / "a.txt"));
  file.commit();
  EXPECT_EQ(content_of(folder / "a.txt"), expected);
  EXPECT_THROW(file.commit(), InvalidArgument);
}

TEST(AtomicFile, WithoutCommitNothingHappened) {
  const Folder folder;
  write_atomically(folder / "a.txt", "old");
  {
    AtomicPath file(folder / "a.txt");
    file.append(std::string(200000, 'x'));
    EXPECT_TRUE(fs::exists(file.temporary()));
  }
  EXPECT_EQ(content_of(folder / "a.txt"), "old");
  EXPECT_EQ(folder.files(), 1U);
}

TEST(AtomicFile, AFailedWriteKeepsTheOldFile) {
  const Folder folder;
  write_atomically(folder / "a.txt", "old");
  const SizeLimit limit(100000);
  const std::string text =
      refusal<IoError>([&] { write_atomically(folder / "a.txt", std::string(200000, 'x')); });
  expect_words(text, {"a.txt", "cannot write", "large"});
  EXPECT_EQ(content_of(folder / "a.txt"), "old");
  EXPECT_EQ(folder.files(), 1U);
}

TEST(AtomicFile, KeepsPermissionsAndSymbolicLinks) {
  const Folder folder;
  put_content(folder / "real.txt", "old");
  fs::permissions(folder / "real.txt", fs::perms::owner_read | fs::perms::owner_write);
  fs::create_symlink("real.txt", folder / "link.txt");
  write_atomically(folder / "link.txt", "new");
  EXPECT_TRUE(fs::is_symlink(folder / "link.txt"));
  EXPECT_EQ(content_of(folder / "real.txt"), "new");
  EXPECT_EQ(fs::status(folder / "real.txt").permissions(),
            fs::perms::owner_read | fs::perms::owner_write);
}

TEST(AtomicFile, RefusesWhatIsNotAFile) {
  const Folder folder;
  fs::create_directory(folder / "sub");
  const auto write = [](const std::string& path) {
    return refusal<IoError>([&] { write_atomically(path, "x"); });
  };
  expect_words(write(folder / "sub"), {"folder"});
  // Not a device of the system: should the refusal ever be lost, this one may be replaced.
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  expect_words(write(folder / "pipe"), {"pipe", "not a regular file"});
  expect_words(write(folder / "missing/a.txt"), {"missing/a.txt", "No such file"});
}

TEST(AtomicFile, TwoWritersDoNotMix) {
  const Folder folder;
  AtomicPath first(folder / "a.txt");
  first.append("first");
  expect_words(refusal<IoError>([&] { AtomicPath second(folder / "a.txt"); }),
               {"a.txt", "another run is writing"});
  first.commit();
  EXPECT_EQ(content_of(folder / "a.txt"), "first");
}

TEST(AtomicFile, TakesOverWhatAKilledWriterLeft) {
  const Folder folder;
  put_content(folder / "a.txt.tmp", std::string(1000, 'x'));
  write_atomically(folder / "a.txt", "new");
  EXPECT_EQ(content_of(folder / "a.txt"), "new");
  EXPECT_EQ(folder.files(), 1U);
}

TEST(AtomicFile, KilledAtAnySystemCallItIsOldOrNew) {
  const Folder folder;
  const std::string before(100000, 'o');
  const std::string after(150000, 'n');
  int old_files = 0;
  int new_files = 0;
  End end = End::killed;
  for (int count = 1; end == End::killed; ++count) {
    put_content(folder / "a.txt", before);
    end = kill_at(count, [&] { write_atomically(folder / "a.txt", after); });
    const std::string found = content_of(folder / "a.txt");
    ASSERT_TRUE(found == before || found == after) << "killed at " << count;
    ++(found == before ? old_files : new_files);
  }
  EXPECT_GE(old_files, 5);
  EXPECT_GE(new_files, 2);
}

TEST(AtomicFile, AnotherWriterAtAnySystemCall) {
  const Folder folder;
  const std::string mine(1000, 'm');
  const std::string other(2000, 'o');
  int refused = 0;
  bool last = false;
  for (int count = 1; !last; ++count) {
    const End end = interrupt_at(
        count, [&] { write_atomically(folder / "a.txt", mine); },
        [&] {
          try {
            write_atomically(folder / "a.txt", other);
          } catch (const IoError&) {
            ++refused;
          }
        },
        last);
    EXPECT_EQ(end, End::finished) << "at " << count;
    const std::string found = content_of(folder / "a.txt");
    EXPECT_TRUE(found == mine || found == other) << "at " << count;
    EXPECT_EQ(folder.files(), 1U);
  }
  EXPECT_GE(refused, 5);
}

TEST(AtomicFile, FullDisk) {
  const int code = on_tiny_disk(64, [](const Folder& folder, const char* reason) {
    write_atomically(folder / "a.txt", std::string(20000, 'o'));
    expect_words(
        refusal<IoError>([&] { write_atomically(folder / "a.txt", std::string(90000, 'n')); }),
        {"a.txt", reason});
    EXPECT_EQ(content_of(folder / "a.txt"), std::string(20000, 'o'));
    EXPECT_EQ(folder.files(), 1U);
  });
  EXPECT_EQ(code, 0);
}

TEST(Directories, AreMadeWithThoseAbove) {
  const Folder folder;
  make_directories(folder / "a/b/c");
  make_directories(folder / "a/b/c");
  make_directories(folder / "a/b/../d/");
  EXPECT_TRUE(fs::is_directory(folder / "a/b/c"));
  EXPECT_TRUE(fs::is_directory(folder / "a/d"));
}

TEST(Directories, SayWhatIsInTheWay) {
  const Folder folder;
  put_content(folder / "file", "x");
  expect_words(refusal<IoError>([&] { make_directories(folder / "file"); }),
               {"file", "exists and is not a folder"});
  expect_words(refusal<IoError>([&] { make_directories(folder / "file/sub"); }),
               {"file", "exists and is not a folder"});
  EXPECT_THROW(make_directories(""), InvalidArgument);
}

TEST(Directories, SayThatPermissionIsMissing) {
  const Folder folder;
  fs::create_directory(folder / "locked");
  fs::permissions(folder / "locked", fs::perms::owner_read | fs::perms::owner_exec |
                                         fs::perms::others_read | fs::perms::others_exec);
  fs::permissions(folder.path(), fs::perms::all);
  const bool root = ::geteuid() == 0;
  ASSERT_TRUE(!root || ::seteuid(65534) == 0) << "cannot act as another user";
  const std::string existing = refusal<IoError>([&] { make_directories(folder / "locked"); });
  const std::string missing = refusal<IoError>([&] { make_directories(folder / "locked/sub"); });
  ASSERT_EQ(::seteuid(root ? 0 : ::geteuid()), 0);
  expect_words(existing, {"locked", "Permission denied"});
  expect_words(missing, {"locked/sub", "Permission denied"});
}

}  // namespace
}  // namespace varia::io::atomic_file_test
