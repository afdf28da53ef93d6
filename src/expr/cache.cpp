// SPDX-License-Identifier: BSD-3-Clause
#include "cache.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string_view>
#include <vector>

#include "varia/expr/sha256.hpp"

namespace varia::expr {
namespace {

constexpr std::string_view mark = "varia so";
constexpr std::string_view temporary_ending = ".new";
constexpr std::size_t trailer_size = mark.size() + std::tuple_size_v<Digest>;
constexpr std::time_t oldest_temporary = 3600;  ///< seconds

std::string trailer(const std::string& key, std::string_view module) {
  const Digest content = sha256(module);
  std::string text = key;
  text.append(content.begin(), content.end());
  const Digest sum = sha256(text);
  std::string result(mark);
  result.append(sum.begin(), sum.end());
  return result;
}

/// The folder of the cache according to the environment; empty if it names none.
std::string wanted_folder() {
  const auto absolute = [](const char* name) {
    const char* value = std::getenv(name);
    return std::string(value != nullptr && value[0] == '/' ? value : "");
  };
  if (const char* folder = std::getenv("VARIA_CACHE_DIR"); folder != nullptr && *folder != '\0')
    return folder;
  if (const std::string caches = absolute("XDG_CACHE_HOME"); !caches.empty())
    return caches + "/varia";
  if (const std::string home = absolute("HOME"); !home.empty()) return home + "/.cache/varia";
  return "";
}

/// Makes the folder and those above it that are missing, for this user alone.
bool make_folders(const std::string& path) {
  for (std::size_t end = path.find('/', 1); end != std::string::npos; end = path.find('/', end + 1))
    if (::mkdir(path.substr(0, end).c_str(), 0700) != 0 && errno != EEXIST && errno != EISDIR) {
      struct stat status {};
      if (::stat(path.substr(0, end).c_str(), &status) != 0) return false;
    }
  return ::mkdir(path.c_str(), 0700) == 0 || errno == EEXIST;
}

/// Why an open file or folder cannot be trusted; empty if it can.
std::string distrust(const struct stat& status) {
  if (status.st_uid != ::geteuid()) return "belongs to another user";
  if ((status.st_mode & (S_IWGRP | S_IWOTH)) != 0) return "can be written by others";
  return "";
}

bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

struct File {
  std::string name;
  std::uint64_t size;
  struct timespec time;
};

bool is_older(const File& a, const File& b) {
  if (a.time.tv_sec != b.time.tv_sec) return a.time.tv_sec < b.time.tv_sec;
  return a.time.tv_nsec < b.time.tv_nsec;
}

/// The plain files of the folder.
std::vector<File> list(int folder) {
  std::vector<File> files;
  const int again = ::openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR* stream = again < 0 ? nullptr : ::fdopendir(again);
  if (stream == nullptr) {
    if (again >= 0) ::close(again);
    return files;
  }
  while (const dirent* item = ::readdir(stream)) {
    struct stat status {};
    if (::fstatat(folder, item->d_name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
        S_ISREG(status.st_mode))
      files.push_back({item->d_name, static_cast<std::uint64_t>(status.st_size), status.st_mtim});
  }
  ::closedir(stream);
  return files;
}

}  // namespace

Cache Cache::open() {
  Cache cache;
  cache.path_ = wanted_folder();
  while (cache.path_.size() > 1 && cache.path_.back() == '/') cache.path_.pop_back();
  const auto refuse = [&](const std::string& why) {
    cache.problem_ = "the cache " + cache.path_ + ' ' + why;
    cache.folder_.reset();
  };
  if (cache.path_.empty()) {
    cache.problem_ = "there is no cache: VARIA_CACHE_DIR, XDG_CACHE_HOME and HOME are not set";
    return cache;
  }
  if (!make_folders(cache.path_)) {
    refuse("cannot be made: " + system_reason());
    return cache;
  }
  cache.folder_ =
      Descriptor(::open(cache.path_.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  struct stat status {};
  if (!cache.folder_.valid()) {
    const int error = errno;
    const bool link = ::lstat(cache.path_.c_str(), &status) == 0 && S_ISLNK(status.st_mode);
    refuse(link ? "is a symbolic link" : std::string("cannot be opened: ") + std::strerror(error));
  } else if (::fstat(cache.folder_.get(), &status) != 0) {
    refuse("cannot be examined: " + system_reason());
  } else if (const std::string why = distrust(status); !why.empty()) {
    refuse(why);
  }
  return cache;
}

std::optional<std::string> Cache::load(const std::string& key, std::string& problem) const {
  const std::string name = key + ".so";
  // O_NONBLOCK: opening a pipe somebody put there must not wait.
  const Descriptor file(
      ::openat(folder_.get(), name.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
  if (!file.valid()) {
    if (errno != ENOENT) problem = "cannot be opened: " + system_reason();
    return std::nullopt;
  }
  struct stat status {};
  const bool plain = ::fstat(file.get(), &status) == 0 && S_ISREG(status.st_mode);
  problem = plain ? distrust(status) : "is not a plain file";
  if (!problem.empty()) return std::nullopt;

  std::string bytes;
  const auto size = static_cast<std::uint64_t>(status.st_size);
  if (size > largest_total || size < trailer_size || !read_all(file.get(), size, bytes)) {
    problem = "is damaged";
    return std::nullopt;
  }
  const std::string found = bytes.substr(size - trailer_size);
  bytes.resize(size - trailer_size);
  if (found != trailer(key, bytes)) {
    problem = "is damaged";
    return std::nullopt;
  }
  ::futimens(file.get(), nullptr);  // used now: among the last to be removed
  return bytes;
}

std::string Cache::store(const std::string& key, const std::string& module,
                         std::uint64_t most) const {
  static std::atomic<unsigned> counter{0};
  const std::string name = key + ".so";
  const std::string temporary = key + '.' + std::to_string(::getpid()) + '.' +
                                std::to_string(counter++) + std::string(temporary_ending);
  Descriptor file(::openat(folder_.get(), temporary.c_str(),
                           O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!file.valid()) return "cannot be written: " + system_reason();
  std::string problem;
  if (!write_all(file.get(), module + trailer(key, module)) || ::fchmod(file.get(), 0600) != 0)
    problem = "cannot be written: " + system_reason();
  file.reset();
  if (problem.empty() &&
      ::renameat(folder_.get(), temporary.c_str(), folder_.get(), name.c_str()) != 0)
    problem = "cannot be replaced: " + system_reason();
  if (!problem.empty()) ::unlinkat(folder_.get(), temporary.c_str(), 0);
  trim(name, most);
  return problem;
}

void Cache::trim(const std::string& newest, std::uint64_t most) const {
  std::vector<File> entries;
  std::uint64_t total = 0;
  const std::time_t now = std::time(nullptr);
  for (File& file : list(folder_.get())) {
    if (ends_with(file.name, ".so")) {
      total += file.size;
      if (file.name != newest) entries.push_back(std::move(file));
    } else if (ends_with(file.name, temporary_ending) &&
               file.time.tv_sec + oldest_temporary < now) {
      ::unlinkat(folder_.get(), file.name.c_str(), 0);  // left behind by a run that was ended
    }
  }
  std::sort(entries.begin(), entries.end(), is_older);
  for (const File& file : entries) {
    if (total <= most) return;
    if (::unlinkat(folder_.get(), file.name.c_str(), 0) == 0) total -= file.size;
  }
}

}  // namespace varia::expr
