// SPDX-License-Identifier: BSD-3-Clause
// The cache of compiled modules: what is stored comes back, what is damaged or could have been
// written by others does not.
#include "../../src/expr/cache.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>

#include "native_sandbox.hpp"
#include "refusal.hpp"

namespace varia::expr::cache_test {
namespace {

using namespace std::string_literals;

const std::string module_bytes = "the bytes of a module\0with a zero inside"s;

class CacheTest : public Sandbox {
 protected:
  std::string entry(const std::string& key) const { return (cache() / (key + ".so")).string(); }

  /// What is wrong with the entry `key`; it must not be loaded.
  static std::string problem_of(const std::string& key) {
    std::string problem;
    EXPECT_FALSE(Cache::open().load(key, problem).has_value());
    return problem;
  }

  void expect_unusable(const std::string& why) const {
    const Cache found = Cache::open();
    EXPECT_FALSE(found.usable());
    expect_has(found.problem(), why);
    expect_has(found.problem(), "cache");
  }

  static void set_age(const std::string& path, long seconds_ago) {
    struct timespec now {};
    ::clock_gettime(CLOCK_REALTIME, &now);
    now.tv_sec -= seconds_ago;
    const struct timespec times[2] = {now, now};
    ASSERT_EQ(::utimensat(AT_FDCWD, path.c_str(), times, 0), 0);
  }
};

TEST_F(CacheTest, GivesBackWhatWasStored) {
  const Cache found = Cache::open();
  ASSERT_TRUE(found.usable()) << found.problem();
  std::string problem;
  EXPECT_FALSE(found.load("key", problem).has_value());
  EXPECT_EQ(problem, "");
  EXPECT_EQ(found.store("key", module_bytes), "");
  EXPECT_EQ(Cache::open().load("key", problem), module_bytes);
  EXPECT_EQ(problem, "");
  EXPECT_EQ(found.store("key", "another"), "");
  EXPECT_EQ(Cache::open().load("key", problem), "another");
  EXPECT_EQ(names(cache()), std::vector<std::string>{"key.so"});
}

TEST_F(CacheTest, IsForThisUserAlone) {
  Cache::open().store("key", module_bytes);
  struct stat status {};
  ASSERT_EQ(::stat(cache().c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0700u);
  ASSERT_EQ(::stat(entry("key").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u);
}

TEST_F(CacheTest, DamagedEntriesAreNotLoaded) {
  Cache::open().store("key", module_bytes);
  const std::string whole = read(entry("key"));
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::string flipped = whole;
    flipped[i] = static_cast<char>(flipped[i] ^ 1);
    write(entry("key"), flipped);
    EXPECT_EQ(problem_of("key"), "is damaged") << "byte " << i;
    write(entry("key"), whole.substr(0, i));
    EXPECT_EQ(problem_of("key"), "is damaged") << "cut at " << i;
  }
  write(entry("key"), whole + "x");
  EXPECT_EQ(problem_of("key"), "is damaged");
  write(entry("key"), whole);
  EXPECT_EQ(problem_of("another"), "");
  std::string problem;
  EXPECT_TRUE(Cache::open().load("key", problem).has_value());
}

TEST_F(CacheTest, AnEntryBelongsToItsKey) {
  Cache::open().store("key", module_bytes);
  std::filesystem::copy_file(entry("key"), entry("other"));
  ::chmod(entry("other").c_str(), 0600);
  EXPECT_EQ(problem_of("other"), "is damaged");
}

TEST_F(CacheTest, EntriesOthersCouldHaveWrittenAreNotLoaded) {
  Cache::open().store("key", module_bytes);
  for (const mode_t mode : {0620, 0602, 0666}) {
    ::chmod(entry("key").c_str(), mode);
    EXPECT_EQ(problem_of("key"), "can be written by others");
  }
  ::chmod(entry("key").c_str(), 0600);
  if (::geteuid() == 0) {
    ASSERT_EQ(::chown(entry("key").c_str(), 65534, 65534), 0);
    EXPECT_EQ(problem_of("key"), "belongs to another user");
    ASSERT_EQ(::chown(entry("key").c_str(), 0, 0), 0);
  }
  std::filesystem::create_symlink(entry("key"), entry("link"));
  expect_has(problem_of("link"), "cannot be opened");
  ASSERT_EQ(::mkfifo(entry("pipe").c_str(), 0600), 0);
  EXPECT_EQ(problem_of("pipe"), "is not a plain file");
  std::filesystem::create_directory(entry("folder"));
  EXPECT_EQ(problem_of("folder"), "is not a plain file");
  expect_has(Cache::open().store("folder", module_bytes), "cannot be replaced");
}

TEST_F(CacheTest, FoldersOthersCanWriteToAreRefused) {
  std::filesystem::create_directory(cache());
  for (const mode_t mode : {0777, 0770, 0702}) {
    ::chmod(cache().c_str(), mode);
    expect_unusable("can be written by others");
  }
  ::chmod(cache().c_str(), 0755);
  EXPECT_TRUE(Cache::open().usable());
  if (::geteuid() == 0) {
    ASSERT_EQ(::chown(cache().c_str(), 65534, 65534), 0);
    expect_unusable("belongs to another user");
  }
}

TEST_F(CacheTest, SymbolicLinksAreRefused) {
  std::filesystem::create_directory(root() / "elsewhere");
  ::chmod((root() / "elsewhere").c_str(), 0700);
  std::filesystem::create_directory_symlink(root() / "elsewhere", cache());
  expect_unusable("is a symbolic link");
  set("VARIA_CACHE_DIR", cache().string() + "/");  // a slash would follow the link
  expect_unusable("is a symbolic link");
}

TEST_F(CacheTest, PlacesThatAreNoFoldersAreRefused) {
  write(cache(), "a file");
  expect_unusable("cannot be opened");
  set("VARIA_CACHE_DIR", (cache() / "below").string());
  expect_unusable("cannot be made");
  set("VARIA_CACHE_DIR", "/proc/varia/cache");  // nobody can write there
  expect_unusable("cannot be made");
}

TEST_F(CacheTest, TheEnvironmentSaysWhere) {
  set("VARIA_CACHE_DIR", "");
  set("XDG_CACHE_HOME", (root() / "xdg").string());
  set("HOME", (root() / "home").string());
  EXPECT_TRUE(Cache::open().usable());
  EXPECT_EQ(names(root() / "xdg"), std::vector<std::string>{"varia"});
  set("XDG_CACHE_HOME", "relative/is/ignored");
  EXPECT_TRUE(Cache::open().usable());
  EXPECT_EQ(names(root() / "home" / ".cache"), std::vector<std::string>{"varia"});
  unset("XDG_CACHE_HOME");
  unset("HOME");
  const Cache found = Cache::open();
  EXPECT_FALSE(found.usable());
  expect_words(found.problem(), {"VARIA_CACHE_DIR", "XDG_CACHE_HOME", "HOME"});
}

TEST_F(CacheTest, TheOldestEntriesMakeRoom) {
  const Cache found = Cache::open();
  const std::string module(1000, 'm');
  for (const char* key : {"a", "b", "c", "d"}) found.store(key, module);
  set_age(entry("a"), 10);
  set_age(entry("b"), 40);
  set_age(entry("c"), 30);
  set_age(entry("d"), 20);
  std::string problem;
  found.load("b", problem);  // used just now: no longer the oldest
  found.store("e", module, 3500);
  EXPECT_EQ(names(cache()), (std::vector<std::string>{"a.so", "b.so", "e.so"}));
  found.store("f", module, 10);  // the newest stays in any case
  EXPECT_EQ(names(cache()), std::vector<std::string>{"f.so"});
}

TEST_F(CacheTest, TemporariesOfDeadRunsAreRemoved) {
  const Cache found = Cache::open();
  write(cache() / "x.1.0.new", "left behind");
  write(cache() / "y.1.0.new", "being written");
  write(cache() / "notes.txt", "not ours");
  set_age((cache() / "x.1.0.new").string(), 7200);
  set_age((cache() / "notes.txt").string(), 7200);
  found.store("key", module_bytes);
  EXPECT_EQ(names(cache()), (std::vector<std::string>{"key.so", "notes.txt", "y.1.0.new"}));
}

}  // namespace
}  // namespace varia::expr::cache_test
