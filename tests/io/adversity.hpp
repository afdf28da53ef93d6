// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What happens to files: a folder of their own, a full disk, a killed writer, a limit of size.
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <bit>
#include <cmath>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

namespace varia::io {

namespace fs = std::filesystem;

/// A new folder that is removed with all it holds.
class Folder {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "varia_test_XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path_ = name;
  }
  ~Folder() {
    std::error_code error;
    fs::remove_all(path_, error);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string path() const { return path_.string(); }
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }
  std::size_t files() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(path_), fs::directory_iterator()));
  }

 private:
  fs::path path_;
};

inline std::string content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

inline void put_content(const std::string& path, const std::string& content) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << content;
}

/// While it lives, no file grows beyond this: writing more fails as on a full disk.
class SizeLimit {
 public:
  explicit SizeLimit(std::size_t bytes) : old_handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &old_);
    const rlimit limit{bytes, old_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~SizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &old_);
    std::signal(SIGXFSZ, old_handler_);
  }
  SizeLimit(const SizeLimit&) = delete;
  SizeLimit& operator=(const SizeLimit&) = delete;

 private:
  void (*old_handler_)(int);
  rlimit old_{};
};

/// Runs work(folder, reason) in a process of its own on a disk of so many KB, which ends as programs
/// end (with what libraries do at exit). Where no such disk can be mounted, no file may grow beyond its
/// size instead; `reason` is what the system says when the room is used up. Returns the exit code.
template <class Work> int on_tiny_disk(std::size_t kilobytes, const Work& work) {
  const Folder folder;
  std::fflush(nullptr);  // or the child would print it again
  const pid_t child = ::fork();
  if (child == 0) {
    const std::string size = "size=" + std::to_string(kilobytes) + "k";
    const bool mounted =
        (::unshare(CLONE_NEWNS) == 0 || ::unshare(CLONE_NEWUSER | CLONE_NEWNS) == 0) &&
        ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
        ::mount("tmpfs", folder.path().c_str(), "tmpfs", 0, size.c_str()) == 0;
    if (mounted) {
      work(folder, "No space left");
    } else {
      const SizeLimit limit(1024 * kilobytes);
      work(folder, "File too large");
    }
    std::exit(::testing::Test::HasFailure() ? 1 : 0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

/// A number that a forked process and its parent both see.
template <class T> class Shared {
 public:
  Shared()
      : value_(static_cast<T*>(::mmap(nullptr, sizeof(T), PROT_READ | PROT_WRITE,
                                      MAP_SHARED | MAP_ANONYMOUS, -1, 0))) {
    if (value_ == MAP_FAILED) throw std::runtime_error("no shared memory");
  }
  ~Shared() { ::munmap(value_, sizeof(T)); }
  Shared(const Shared&) = delete;
  Shared& operator=(const Shared&) = delete;
  volatile T& operator*() const { return *value_; }

 private:
  T* value_;
};

enum class End { killed, finished, failed };

/// A process of its own for work(), stopped at the beginning or end of a system call: the count
/// says at which. End::killed stands for stopped here. An exception is a failure; so is a system
/// that does not let a process be traced.
template <class Work> End stop_at(int count, const Work& work, pid_t& child) {
  child = ::fork();
  if (child == 0) {
    if (::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0) ::_exit(77);
    ::raise(SIGSTOP);
    try {
      work();
    } catch (...) {
      ::_exit(1);
    }
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  if (!WIFSTOPPED(status)) {
    ADD_FAILURE() << "this test needs the right to trace its own processes (ptrace)";
    return End::failed;
  }
  for (int i = 0; i < count; ++i) {
    ::ptrace(PTRACE_SYSCALL, child, nullptr, nullptr);
    ::waitpid(child, &status, 0);
    if (!WIFSTOPPED(status))
      return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? End::finished : End::failed;
  }
  return End::killed;
}

/// Kills the process of work() there.
template <class Work> End kill_at(int count, const Work& work) {
  pid_t child = 0;
  const End end = stop_at(count, work, child);
  if (end != End::killed) return end;
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  return end;
}

/// Does something else there, then lets the process of work() go on. `last` if it had ended before.
template <class Work, class Other>
End interrupt_at(int count, const Work& work, const Other& other, bool& last) {
  pid_t child = 0;
  const End end = stop_at(count, work, child);
  last = end != End::killed;
  if (last) return end;
  other();
  ::ptrace(PTRACE_DETACH, child, nullptr, nullptr);
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? End::finished : End::failed;
}

/// Finite doubles of all sizes: any bits, with -0, denormal and extreme numbers among them.
inline std::vector<double> any_numbers(std::size_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<double> numbers = {-0.0, 5e-324, -2.2250738585072011e-308, 1.7976931348623157e308,
                                 0.1,  1.0 / 3};
  while (numbers.size() < count) {
    const auto x = std::bit_cast<double>(random());
    if (std::isfinite(x)) numbers.push_back(x);
  }
  numbers.resize(count);
  return numbers;
}

inline std::vector<std::uint64_t> bits(const std::vector<double>& numbers) {
  std::vector<std::uint64_t> result;
  for (const double x : numbers) result.push_back(std::bit_cast<std::uint64_t>(x));
  return result;
}

/// All numbers of a reader, from its first record.
template <class Reader> std::vector<double> all_records(Reader& reader) {
  reader.rewind();
  std::vector<double> all;
  std::vector<double> record(reader.columns().size());
  while (reader.next(record.data())) all.insert(all.end(), record.begin(), record.end());
  return all;
}

}  // namespace varia::io
