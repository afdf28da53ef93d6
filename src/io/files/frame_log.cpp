// SPDX-License-Identifier: BSD-3-Clause
#include "varia/io/frame_log.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "file_descriptor.hpp"
#include "varia/core/error.hpp"
#include "varia/io/error.hpp"

namespace varia::io {

namespace {

constexpr std::array<char, 8> frame_magic = {'V', 'a', 'r', 'i', 'a', 'F', 'r', '1'};
constexpr std::uint64_t head_bytes = frame_magic.size() + sizeof(std::uint64_t);

void put(int descriptor, const void* data, std::size_t size, std::uint64_t offset,
         const std::string& path) {
  std::size_t done = 0;
  if (const int error = write_all(descriptor, data, size, offset, done))
    throw IoError(path, "cannot write frames: " + reason(error));
}

void get(int descriptor, void* data, std::size_t size, std::uint64_t offset,
         const std::string& path) {
  std::size_t done = 0;
  if (const int error = read_all(descriptor, data, size, offset, done))
    throw IoError(path, "cannot read frames: " + reason(error));
  if (done != size) throw IoError(path, "the file of frames is shorter than it should be");
}

}  // namespace

std::uint64_t FrameLog::offset(long frame) const {
  return head_bytes +
         static_cast<std::uint64_t>(frame) * (sizeof(double) + floats_ * sizeof(float));
}

FrameLog FrameLog::create(const std::string& path, std::size_t floats) {
  FrameLog log(path, floats, open_locked(path, path, true));
  if (::ftruncate(log.descriptor_.get(), 0) != 0)
    throw IoError(path, "cannot empty the file of frames: " + reason(errno));
  const std::uint64_t count = floats;
  put(log.descriptor_.get(), frame_magic.data(), frame_magic.size(), 0, path);
  put(log.descriptor_.get(), &count, sizeof count, frame_magic.size(), path);
  return log;
}

FrameLog FrameLog::open_and_truncate(const std::string& path, std::size_t floats, long frames) {
  FrameLog log(path, floats, open_locked(path, path, false));
  std::array<char, frame_magic.size()> found{};
  std::uint64_t count = 0;
  get(log.descriptor_.get(), found.data(), found.size(), 0, path);
  get(log.descriptor_.get(), &count, sizeof count, frame_magic.size(), path);
  if (found != frame_magic || count != floats)
    throw IoError(path, "the file does not hold the frames of this run");
  struct stat status {};
  if (::fstat(log.descriptor_.get(), &status) != 0)
    throw IoError(path, "cannot ask for its size: " + reason(errno));
  if (static_cast<std::uint64_t>(status.st_size) < log.offset(frames))
    throw IoError(path, "the file holds fewer than " + std::to_string(frames) + " frames");
  if (::ftruncate(log.descriptor_.get(), static_cast<off_t>(log.offset(frames))) != 0)
    throw IoError(path, "cannot shorten the file of frames: " + reason(errno));
  log.frames_ = frames;
  return log;
}

void FrameLog::append(double t, const std::vector<float>& frame) {
  if (frame.size() != floats_)
    throw InvalidArgument(path_ + ": a frame has " + std::to_string(floats_) + " numbers, got " +
                          std::to_string(frame.size()));
  put(descriptor_.get(), &t, sizeof t, offset(frames_), path_);
  put(descriptor_.get(), frame.data(), floats_ * sizeof(float), offset(frames_) + sizeof t, path_);
  ++frames_;
}

void FrameLog::flush() {
  if (::fdatasync(descriptor_.get()) != 0)
    throw IoError(path_, "cannot secure the frames on the disk: " + reason(errno));
}

double FrameLog::read(long i, std::vector<float>& frame) const {
  double t = 0.0;
  frame.resize(floats_);
  get(descriptor_.get(), &t, sizeof t, offset(i), path_);
  get(descriptor_.get(), frame.data(), floats_ * sizeof(float), offset(i) + sizeof t, path_);
  return t;
}

void FrameLog::remove() {
  if (::unlink(path_.c_str()) != 0) throw IoError(path_, "cannot remove it: " + reason(errno));
}

}  // namespace varia::io
