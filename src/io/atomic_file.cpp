// SPDX-License-Identifier: BSD-3-Clause
#include "varia/io/atomic_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include "file_descriptor.hpp"
#include "varia/io/error.hpp"

namespace varia::io {

namespace {

namespace fs = std::filesystem;

/// The file that is to be replaced: behind symbolic links, and never a device or a folder.
std::string place_of(const std::string& target) {
  std::error_code error;
  const fs::file_status status = fs::symlink_status(target, error);
  if (!fs::exists(status)) return target;  // what hinders its making is said when it is made
  const fs::path place = fs::is_symlink(status) ? fs::canonical(target, error) : fs::path(target);
  if (error) throw IoError(target, "cannot follow the symbolic link: " + error.message());
  if (!fs::is_regular_file(place, error))
    throw IoError(target, fs::is_directory(place, error)
                              ? "cannot write a file there: it is a folder"
                              : "cannot write a file there: it exists and is not a regular file");
  return place.string();
}

void sync_folder_of(const std::string& place, const std::string& target) {
  const fs::path folder = fs::path(place).parent_path();
  const int descriptor =
      ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;  // a folder one may write to but not read: the rename is done
  const int error = ::fsync(descriptor) == 0 ? 0 : errno;
  ::close(descriptor);
  if (error != 0 && error != EINVAL && error != EROFS)  // EINVAL: folders cannot be synchronised
    throw IoError(target, "cannot secure its folder on the disk: " + reason(error));
}

/// A file that is replaced keeps its permissions.
void copy_mode(const std::string& place, int descriptor) {
  struct stat old {};
  if (::stat(place.c_str(), &old) == 0) std::ignore = ::fchmod(descriptor, old.st_mode & 07777U);
}

}  // namespace

AtomicPath::AtomicPath(const std::string& target)
    : target_(target), place_(place_of(target)), temporary_(place_ + ".tmp") {
  descriptor_ = open_locked(temporary_, target_, true);
  if (::ftruncate(descriptor_, 0) != 0) {
    const int error = errno;
    ::close(descriptor_);
    throw IoError(target_, "cannot empty its temporary file: " + reason(error));
  }
}

AtomicPath::~AtomicPath() {
  if (descriptor_ < 0) return;
  ::unlink(temporary_.c_str());  // before the lock ends
  ::close(descriptor_);
}

void AtomicPath::write_buffer() {
  const off_t end = ::lseek(descriptor_, 0, SEEK_END);
  std::size_t done = 0;
  const int error = end < 0 ? errno
                            : write_all(descriptor_, buffer_.data(), buffer_.size(),
                                        static_cast<std::uint64_t>(end), done);
  buffer_.clear();
  if (error != 0) throw IoError(target_, "cannot write: " + reason(error));
}

void AtomicPath::append(std::string_view bytes) {
  buffer_ += bytes;
  if (buffer_.size() >= buffer_bytes) write_buffer();
}

void AtomicPath::commit() {
  if (descriptor_ < 0) throw InvalidArgument(target_ + ": committed twice");
  if (!buffer_.empty()) write_buffer();
  copy_mode(place_, descriptor_);
  if (::fsync(descriptor_) != 0)
    throw IoError(target_, "cannot secure it on the disk: " + reason(errno));
  if (::rename(temporary_.c_str(), place_.c_str()) != 0)
    throw IoError(target_, "cannot replace it: " + reason(errno));
  ::close(std::exchange(descriptor_, -1));
  sync_folder_of(place_, target_);
}

void write_atomically(const std::string& path, std::string_view content) {
  AtomicPath file(path);
  file.append(content);
  file.commit();
}

void make_directories(const std::string& path) {
  if (path.empty()) throw InvalidArgument("the name of the output folder is empty");
  fs::path ancestor = fs::absolute(path);
  std::error_code error;
  while (!fs::exists(fs::symlink_status(ancestor, error)) && ancestor.has_relative_path())
    ancestor = ancestor.parent_path();
  if (!fs::is_directory(ancestor, error) && fs::exists(fs::symlink_status(ancestor, error)))
    throw IoError(path,
                  "cannot make the folder: " + ancestor.string() + " exists and is not a folder");
  fs::create_directories(path, error);
  if (error) throw IoError(path, "cannot make the folder: " + error.message());
  if (::faccessat(AT_FDCWD, path.c_str(), W_OK | X_OK, AT_EACCESS) != 0)
    throw IoError(path, "cannot write into the folder: " + reason(errno));
}

}  // namespace varia::io
