// SPDX-License-Identifier: BSD-3-Clause
#include "file_descriptor.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "varia/io/error.hpp"

namespace varia::io {

std::string reason(int error) { return std::generic_category().message(error); }

int write_all(int descriptor, const void* data, std::size_t size, std::uint64_t offset,
              std::size_t& done) {
  const auto* bytes = static_cast<const char*>(data);
  for (done = 0; done < size;) {
    const ssize_t count =
        ::pwrite(descriptor, bytes + done, size - done, static_cast<off_t>(offset + done));
    if (count > 0)
      done += static_cast<std::size_t>(count);
    else if (count == 0)
      return ENOSPC;  // nothing written and no reason given: there is no room
    else if (errno != EINTR)
      return errno;
  }
  return 0;
}

int read_all(int descriptor, void* data, std::size_t size, std::uint64_t offset,
             std::size_t& done) {
  auto* bytes = static_cast<char*>(data);
  for (done = 0; done < size;) {
    const ssize_t count =
        ::pread(descriptor, bytes + done, size - done, static_cast<off_t>(offset + done));
    if (count == 0) break;
    if (count > 0)
      done += static_cast<std::size_t>(count);
    else if (errno != EINTR)
      return errno;
  }
  return 0;
}

namespace {

/// True if the open file still is what the path names: its last owner may have renamed it.
bool is_at(int descriptor, const std::string& path) {
  struct stat open_file {};
  struct stat named {};
  return ::fstat(descriptor, &open_file) == 0 && ::stat(path.c_str(), &named) == 0 &&
         open_file.st_dev == named.st_dev && open_file.st_ino == named.st_ino;
}

int lock(int descriptor) {
  while (::flock(descriptor, LOCK_EX | LOCK_NB) != 0)
    if (errno != EINTR) return errno;
  return 0;
}

}  // namespace

int open_locked(const std::string& path, const std::string& name, bool create) {
  for (;;) {
    const int descriptor =
        ::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | (create ? O_CREAT : 0), 0666);
    if (descriptor < 0) throw IoError(name, "cannot open it for writing: " + reason(errno));
    if (const int error = lock(descriptor)) {
      ::close(descriptor);
      throw IoError(name, error == EWOULDBLOCK
                              ? "another run is writing there; wait for it or choose another folder"
                              : "cannot lock it: " + reason(error));
    }
    if (is_at(descriptor, path)) return descriptor;
    ::close(descriptor);
  }
}

}  // namespace varia::io
