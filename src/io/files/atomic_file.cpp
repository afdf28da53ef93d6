// SPDX-License-Identifier: BSD-3-Clause
#include "varia/io/atomic_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
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
  const FileDescriptor descriptor(
      ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!descriptor.valid()) return;  // a folder one may write to but not read: the rename is done
  const int error = ::fsync(descriptor.get()) == 0 ? 0 : errno;
  if (error != 0 && error != EINVAL && error != EROFS)  // EINVAL: folders cannot be synchronised
    throw IoError(target, "cannot flush its folder to the disk: " + reason(error));
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
  if (::ftruncate(descriptor_.get(), 0) != 0)
    throw IoError(target_, "cannot empty its temporary file: " + reason(errno));
}

AtomicPath::~AtomicPath() {
  if (descriptor_.valid()) ::unlink(temporary_.c_str());  // before the lock ends
}

void AtomicPath::write_buffer() {
  const std::string bytes = std::exchange(buffer_, {});
  write(bytes);
}

void AtomicPath::write(std::string_view bytes) {
  const off_t end = ::lseek(descriptor_.get(), 0, SEEK_END);
  std::size_t done = 0;
  const int error = end < 0 ? errno
                            : write_all(descriptor_.get(), bytes.data(), bytes.size(),
                                        static_cast<std::uint64_t>(end), done);
  if (error != 0) throw IoError(target_, "cannot write: " + reason(error));
}

void AtomicPath::append(std::string_view bytes) {
  if (bytes.size() >= buffer_bytes) {
    write_buffer();
    return write(bytes);
  }
  buffer_ += bytes;
  if (buffer_.size() >= buffer_bytes) write_buffer();
}

void AtomicPath::commit() {
  if (!descriptor_.valid()) throw InvalidArgument(target_ + ": committed twice");
  if (!buffer_.empty()) write_buffer();
  copy_mode(place_, descriptor_.get());
  if (::fsync(descriptor_.get()) != 0)
    throw IoError(target_, "cannot flush it to the disk: " + reason(errno));
  if (::rename(temporary_.c_str(), place_.c_str()) != 0)
    throw IoError(target_, "cannot replace it: " + reason(errno));
  descriptor_.reset();
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

FileDescriptor open_locked(const std::string& path, const std::string& name, bool create) {
  for (;;) {
    FileDescriptor file(
        ::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | (create ? O_CREAT : 0), 0666));
    if (!file.valid()) throw IoError(name, "cannot open it for writing: " + reason(errno));
    if (const int error = lock(file.get()))
      throw IoError(name, error == EWOULDBLOCK
                              ? "another run is writing there; wait for it or choose another folder"
                              : "cannot lock it: " + reason(error));
    if (is_at(file.get(), path)) return file;
  }
}

}  // namespace varia::io
