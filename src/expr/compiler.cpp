// SPDX-License-Identifier: BSD-3-Clause
#include "compiler.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string_view>
#include <thread>

#include "descriptor.hpp"
#include "varia/expr/native.hpp"

namespace varia::expr {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t largest_message = 65'536;
constexpr std::size_t largest_module = 268'435'456;  // 256 MB

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

bool is_program(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) &&
         ::access(path.c_str(), X_OK) == 0;
}

/// The program of that name in PATH; only absolute folders, so that the current one does not matter.
std::optional<std::string> find_in_path(const std::string& name) {
  const std::string folders = environment("PATH");
  std::size_t begin = 0;
  while (begin < folders.size()) {
    const std::size_t end = std::min(folders.find(':', begin), folders.size());
    const std::string path = folders.substr(begin, end - begin).append("/").append(name);
    // An empty entry of PATH means the current folder; here it would look like the root.
    if (end > begin && path[0] == '/' && is_program(path)) return path;
    begin = end + 1;
  }
  return std::nullopt;
}

std::optional<std::string> locate(const std::string& name) {
  if (name.find('/') == std::string::npos) return find_in_path(name);
  return is_program(name) ? std::optional(name) : std::nullopt;
}

std::string locate_compiler() {
  const std::string wanted = environment("VARIA_CC");
  if (!wanted.empty()) {
    if (const auto path = locate(wanted)) return *path;
    const bool arguments = wanted.find_first_of(" \t") != std::string::npos;
    throw NativeError("no C compiler: VARIA_CC is '" + wanted + "', which is not a program" +
                      (wanted.find('/') == std::string::npos ? " in PATH" : "") +
                      (arguments ? "; it is one path or name, without arguments" : ""));
  }
  for (const char* name : {"cc", "gcc", "clang"})
    if (const auto path = find_in_path(name)) return *path;
  throw NativeError("no C compiler: looked for cc, gcc and clang in PATH (" + environment("PATH") +
                    "); install one or set VARIA_CC to the path of one");
}

/// The file behind all links is looked at: asking a compiler for its version would take longer
/// than loading a module.
std::string identity_of(const std::string& path) {
  std::error_code failure;
  const std::string file = std::filesystem::canonical(path, failure).string();
  struct stat status {};
  if (failure || ::stat(file.c_str(), &status) != 0)
    throw NativeError("C compiler " + path + ": " +
                      (failure ? failure.message() : system_reason()));
  struct utsname machine {};
  ::uname(&machine);
  return path + '\n' + file + '\n' + machine.machine + '\n' + std::to_string(status.st_size) +
         '\n' + std::to_string(status.st_ino) + '\n' + std::to_string(status.st_mtim.tv_sec) + '.' +
         std::to_string(status.st_mtim.tv_nsec);
}

/// A folder for the work of one compilation, removed at the end.
class WorkFolder {
 public:
  WorkFolder() {
    const std::string parent = environment("TMPDIR");
    path_ = (parent.empty() || parent[0] != '/' ? "/tmp" : parent) + "/varia-XXXXXX";
    if (::mkdtemp(path_.data()) == nullptr)
      throw NativeError("native code: no temporary folder " + path_ + ": " + system_reason());
  }
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;
  ~WorkFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

void write_source(const std::string& path, const std::string& text) {
  const Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!file.valid() || !write_all(file.get(), text))
    throw NativeError("native code: cannot write " + path + ": " + system_reason());
}

std::string read_module(const std::string& path, const std::string& compiler) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
  struct stat status {};
  if (!file.valid() || ::fstat(file.get(), &status) != 0)
    throw NativeError("C compiler " + compiler +
                      " succeeded but wrote no module: " + system_reason());
  std::string bytes;
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size > largest_module || !read_all(file.get(), size, bytes))
    throw NativeError("native code: cannot read the module that " + compiler + " wrote");
  return bytes;
}

/// Pointers to the texts, as execve wants them.
std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> result;
  result.reserve(texts.size() + 1);
  for (std::string& text : texts) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

/// What posix_spawn is told: input from nowhere, both outputs into one pipe, a process group of
/// its own so that the compiler can be ended with all it has started, default signals.
class SpawnPlan {
 public:
  explicit SpawnPlan(int output) {
    ::posix_spawn_file_actions_init(&actions_);
    ::posix_spawn_file_actions_addopen(&actions_, 0, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_adddup2(&actions_, output, 1);
    ::posix_spawn_file_actions_adddup2(&actions_, output, 2);
    ::posix_spawnattr_init(&attributes_);
    sigset_t none, all;
    ::sigemptyset(&none);
    ::sigfillset(&all);
    ::posix_spawnattr_setsigmask(&attributes_, &none);
    ::posix_spawnattr_setsigdefault(&attributes_, &all);
    ::posix_spawnattr_setpgroup(&attributes_, 0);
    ::posix_spawnattr_setflags(
        &attributes_, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
  SpawnPlan(const SpawnPlan&) = delete;
  SpawnPlan& operator=(const SpawnPlan&) = delete;
  ~SpawnPlan() {
    ::posix_spawn_file_actions_destroy(&actions_);
    ::posix_spawnattr_destroy(&attributes_);
  }

  /// 0, or the number of the error.
  int start(pid_t& process, std::vector<std::string> arguments,
            std::vector<std::string> variables) const {
    return ::posix_spawn(&process, arguments[0].c_str(), &actions_, &attributes_,
                         pointers(arguments).data(), pointers(variables).data());
  }

 private:
  posix_spawn_file_actions_t actions_;
  posix_spawnattr_t attributes_;
};

int milliseconds_until(Clock::time_point deadline) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
  return static_cast<int>(std::clamp<long long>(left, 0, INT_MAX));
}

/// What comes out of the pipe until its end, the first 64 kB of it; false after the deadline.
bool drain(int pipe, Clock::time_point deadline, std::string& output) {
  std::array<char, 4096> buffer;
  while (true) {
    struct pollfd wait {
      pipe, POLLIN, 0
    };
    const int left = milliseconds_until(deadline);
    if (left == 0) return false;
    const int ready = ::poll(&wait, 1, left);
    if (ready < 0 && errno == EINTR) continue;
    if (ready == 0) return false;
    const ssize_t n = ::read(pipe, buffer.data(), buffer.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return true;
    output.append(buffer.data(),
                  std::min(static_cast<std::size_t>(n), largest_message - output.size()));
  }
}

/// The status of the process when it ends before the deadline.
std::optional<int> await(pid_t process, Clock::time_point deadline) {
  while (true) {
    int status = 0;
    const pid_t ended = ::waitpid(process, &status, WNOHANG);
    if (ended == process) return status;
    // Nobody waits for children here (SIGCHLD is ignored): the module tells whether all went well.
    if (ended < 0 && errno == ECHILD) return 0;
    if (Clock::now() >= deadline) return std::nullopt;
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
}

void end_group(pid_t process) {
  ::kill(-process, SIGKILL);
  while (::waitpid(process, nullptr, 0) < 0 && errno == EINTR) {
  }
}

std::string first_lines(const std::string& output) {
  constexpr int most = 8;
  std::size_t end = 0;
  for (int line = 0; line < most && end < output.size(); ++line)
    end = std::min(output.find('\n', end), output.size() - 1) + 1;
  return output.substr(0, std::min<std::size_t>(end, 2000));
}

std::string describe(int status) {
  if (WIFSIGNALED(status)) return "was ended by signal " + std::to_string(WTERMSIG(status));
  return "failed with code " + std::to_string(WEXITSTATUS(status));
}

void run(const std::vector<std::string>& arguments, const std::vector<std::string>& variables,
         std::chrono::milliseconds limit) {
  const std::string& program = arguments[0];
  std::array<int, 2> ends;
  if (::pipe2(ends.data(), O_CLOEXEC) != 0)
    throw NativeError("C compiler " + program + ": cannot make a pipe: " + system_reason());
  const Descriptor output_end(ends[0]);
  Descriptor input_end(ends[1]);
  const auto deadline = Clock::now() + limit;
  pid_t process = 0;
  const int failure = SpawnPlan(input_end.get()).start(process, arguments, variables);
  input_end.reset();
  if (failure != 0)
    throw NativeError("C compiler " + program + " cannot be started: " + std::strerror(failure));

  std::string output;
  std::optional<int> status;
  if (drain(output_end.get(), deadline, output)) status = await(process, deadline);
  if (!status) {
    end_group(process);
    throw NativeError("C compiler " + program + " was ended: it took longer than " +
                      to_text(static_cast<double>(limit.count()) / 1000) + " s");
  }
  if (*status != 0)
    throw NativeError("C compiler " + program + ' ' + describe(*status) + ":\n" +
                      first_lines(output));
}

}  // namespace

Compiler find_compiler() {
  const std::string path = locate_compiler();
  return {path, identity_of(path)};
}

bool compiler_available() {
  try {
    locate_compiler();
    return true;
  } catch (const NativeError&) {
    return false;
  }
}

std::vector<std::string> compiler_flags(std::size_t operations, bool loops) {
  // Both keep the order and rounding of every operation. Of long code without branches -O2 makes
  // nothing faster: passes that compare all stores and loads take the time, and find nothing in code
  // that has every value once. 2300 operations take 1.2 s with -O2, 0.8 s with -O1, 0.25 s so.
  std::vector<std::string> flags{"-O1", "-fno-tree-fre", "-fno-tree-dse", "-fno-tree-pta"};
  if (operations <= largest_optimized) flags = {"-O2"};
  if (loops) flags = {"-O2", "-ftree-vectorize", "-fvect-cost-model=dynamic"};
  const std::vector<std::string> always = {
      "-std=c11",           // standard C: no excess precision, no extensions by default
      "-ffp-contract=off",  // a*b + c is rounded twice, as the interpreter does
      "-fno-math-errno",    // sqrt is one instruction; errno is not looked at, values are the same
      "-fno-semantic-interposition",  // calls between our functions may be inlined
      "-fPIC",
      "-shared",         // a module that can be loaded anywhere
      "-Wl,-Bsymbolic",  // names of the module mean the module's own functions
      "-w",              // what remains in an error message is the error
  };
  flags.insert(flags.end(), always.begin(), always.end());
  // Not used: -march=native (a cache may be shared by machines, and results must be the same on
  // all of them), -ffast-math and its parts (they change results), -fno-trapping-math (tried: the
  // code is the same).
  return flags;
}

std::string compile_source(const Compiler& compiler, const std::vector<std::string>& flags,
                           const std::string& source, std::chrono::milliseconds limit) {
  const WorkFolder folder;
  const std::string source_file = folder.path() + "/module.c";
  const std::string module_file = folder.path() + "/module.so";
  write_source(source_file, source);
  std::vector<std::string> arguments = {compiler.path};
  arguments.insert(arguments.end(), flags.begin(), flags.end());
  arguments.insert(arguments.end(), {"-o", module_file, source_file, "-lm"});
  // The compiler's own temporaries go into the same folder.
  run(arguments,
      {"PATH=" + environment("PATH"), "HOME=" + environment("HOME"), "TMPDIR=" + folder.path(),
       "LC_ALL=C"},
      limit);
  return read_module(module_file, compiler.path);
}

}  // namespace varia::expr
