// SPDX-License-Identifier: BSD-3-Clause
#include "varia/io/frame_log.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "crc64.hpp"
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

std::uint64_t with_frame(std::uint64_t checksum, double t, const std::vector<float>& frame) {
  const std::uint64_t time = crc64({reinterpret_cast<const char*>(&t), sizeof t}, checksum);
  return crc64({reinterpret_cast<const char*>(frame.data()), frame.size() * sizeof(float)}, time);
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
  return log;
}

void FrameLog::write_head() const {
  const std::uint64_t count = floats_;
  put(descriptor_.get(), frame_magic.data(), frame_magic.size(), 0, path_);
  put(descriptor_.get(), &count, sizeof count, frame_magic.size(), path_);
}

void FrameLog::check_head() const {
  std::array<char, frame_magic.size()> found{};
  std::uint64_t count = 0;
  get(descriptor_.get(), found.data(), found.size(), 0, path_);
  get(descriptor_.get(), &count, sizeof count, frame_magic.size(), path_);
  if (found != frame_magic || count != floats_)
    throw IoError(path_, "the file does not hold the frames of this run");
}

void FrameLog::check(const EarlierFrames& frames) const {
  if (frames.count == 0) return;
  check_head();
  struct stat status {};
  if (::fstat(descriptor_.get(), &status) != 0)
    throw IoError(path_, "cannot determine its size: " + reason(errno));
  if (static_cast<std::uint64_t>(status.st_size) < offset(frames.count))
    throw IoError(path_, "the file holds fewer than the " + std::to_string(frames.count) +
                             " frames before the checkpoint");
  std::uint64_t checksum = 0;
  std::vector<float> frame;
  for (long i = 0; i < frames.count; ++i) {
    const double t = read(i, frame);
    checksum = with_frame(checksum, t, frame);
  }
  if (checksum != frames.checksum)
    throw IoError(path_,
                  "the frames are damaged, or those of another run: their checksum is not the one "
                  "in the checkpoint");
}

void FrameLog::check(const std::string& path, std::size_t floats, const EarlierFrames& frames) {
  FileDescriptor descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!descriptor.valid()) throw IoError(path, "cannot open it for reading: " + reason(errno));
  FrameLog(path, floats, std::move(descriptor)).check(frames);
}

FrameLog FrameLog::open_and_truncate(const std::string& path, std::size_t floats,
                                     const EarlierFrames& frames) {
  FrameLog log(path, floats, open_locked(path, path, false));
  log.check(frames);
  const std::uint64_t size = frames.count == 0 ? 0 : log.offset(frames.count);
  if (::ftruncate(log.descriptor_.get(), static_cast<off_t>(size)) != 0)
    throw IoError(path, "cannot shorten the file of frames: " + reason(errno));
  log.frames_ = frames;
  return log;
}

void FrameLog::append(double t, const std::vector<float>& frame) {
  if (frame.size() != floats_)
    throw InvalidArgument(path_ + ": a frame has " + std::to_string(floats_) + " numbers, got " +
                          std::to_string(frame.size()));
  if (frames_.count == 0) write_head();
  const std::uint64_t begin = offset(frames_.count);
  put(descriptor_.get(), &t, sizeof t, begin, path_);
  put(descriptor_.get(), frame.data(), floats_ * sizeof(float), begin + sizeof t, path_);
  frames_.checksum = with_frame(frames_.checksum, t, frame);
  ++frames_.count;
}

void FrameLog::flush() {
  if (::fdatasync(descriptor_.get()) != 0)
    throw IoError(path_, "cannot flush the frames to the disk: " + reason(errno));
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
