// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// An open file that is closed when nobody needs it any more.
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <string>
#include <utility>

namespace varia::expr {

class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(other.release()) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor() { reset(); }

  bool valid() const { return number_ >= 0; }
  int get() const { return number_; }
  int release() { return std::exchange(number_, -1); }
  void reset() {
    if (number_ >= 0) ::close(release());
  }

 private:
  int number_;
};

/// What errno says, in words.
inline std::string system_reason() { return std::strerror(errno); }

/// False with errno set if not all bytes could be written.
inline bool write_all(int descriptor, const std::string& bytes) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t n = ::write(descriptor, bytes.data() + done, bytes.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    done += static_cast<std::size_t>(n);
  }
  return true;
}

/// Reads `size` bytes; false if there are fewer, or more.
inline bool read_all(int descriptor, std::size_t size, std::string& bytes) {
  bytes.resize(size + 1);
  std::size_t done = 0;
  while (done <= size) {
    const ssize_t n = ::read(descriptor, bytes.data() + done, size + 1 - done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    if (n == 0) break;
    done += static_cast<std::size_t>(n);
  }
  bytes.resize(size);
  return done == size;
}

}  // namespace varia::expr
