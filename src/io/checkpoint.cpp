// SPDX-License-Identifier: BSD-3-Clause
#include "varia/io/checkpoint.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <string_view>

#include "crc64.hpp"
#include "file_descriptor.hpp"
#include "hdf5_image.hpp"
#include "varia/io/atomic_file.hpp"
#include "varia/io/error.hpp"

namespace varia::io {

namespace {

constexpr std::string_view checkpoint_magic = "Varia checkpoint, HDF5 from byte 512\nversion ";
constexpr long version = 1;
constexpr std::size_t frame_bytes = 512;  // the smallest that HDF5 allows before its own bytes

std::string hexadecimal(std::uint64_t value) {
  std::array<char, 16> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value, 16).ptr;
  return {digits.data(), end};
}

/// The bytes before an image. They follow from it, so that each of them is checked by making them
/// again.
std::string frame_of(std::string_view image) {
  std::string frame(checkpoint_magic);
  frame += std::to_string(version) + "\nbytes " + std::to_string(image.size()) + "\ncrc64 " +
           hexadecimal(crc64(image)) + "\n";
  frame.resize(frame_bytes, '\0');
  return frame;
}

/// The number that stands at the beginning of the text, or -1.
long leading_number(std::string_view text) {
  long value = -1;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

/// The declared length of the image; -1 if it cannot be read.
long declared_bytes(std::string_view frame) {
  constexpr std::string_view key = "\nbytes ";
  const std::size_t place = frame.find(key);
  return place == std::string_view::npos ? -1 : leading_number(frame.substr(place + key.size()));
}

void check_frame(std::string_view bytes, const std::string& path) {
  if (bytes.empty()) throw IoError(path, "the checkpoint is empty");
  if (bytes.substr(0, checkpoint_magic.size()) != checkpoint_magic)
    throw IoError(path, checkpoint_magic.substr(0, bytes.size()) == bytes
                            ? "the checkpoint is truncated: it ends within its first line"
                            : "this is not a checkpoint of Varia");
  if (bytes.size() < frame_bytes)
    throw IoError(path, "the checkpoint is truncated: it ends within its header");
  const std::string_view frame = bytes.substr(0, frame_bytes);
  const std::string_view image = bytes.substr(frame_bytes);
  if (const long found = leading_number(frame.substr(checkpoint_magic.size())); found > version)
    throw IoError(path, "the checkpoint has format version " + std::to_string(found) +
                            "; this Varia reads up to version " + std::to_string(version));
  if (frame == frame_of(image)) return;
  const long declared = declared_bytes(frame);
  if (declared > static_cast<long>(image.size()))
    throw IoError(path, "the checkpoint is truncated: " + std::to_string(image.size()) + " of " +
                            std::to_string(declared) + " bytes");
  throw IoError(path, "the checkpoint is damaged: its checksum does not fit its contents");
}

std::string read_file(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) throw IoError(path, "cannot open the checkpoint: " + reason(errno));
  struct stat status {};
  int error = ::fstat(descriptor, &status) == 0 ? 0 : errno;
  std::string bytes;
  std::size_t done = 0;
  if (error == 0 && S_ISREG(status.st_mode)) {
    bytes.resize(static_cast<std::size_t>(status.st_size));
    error = read_all(descriptor, bytes.data(), bytes.size(), 0, done);
    bytes.resize(done);
  } else if (error == 0) {
    error = S_ISDIR(status.st_mode) ? EISDIR : EINVAL;
  }
  ::close(descriptor);
  if (error != 0) throw IoError(path, "cannot read the checkpoint: " + reason(error));
  return bytes;
}

template <class Value>
const Value& find(const std::vector<std::pair<std::string, Value>>& entries,
                  const std::string& name, const char* kind, const std::string& path) {
  std::string known;
  for (const auto& [key, value] : entries) {
    if (key == name) return value;
    known += (known.empty() ? "" : ", ") + key;
  }
  throw IoError(path.empty() ? "checkpoint" : path,
                std::string("the checkpoint has no ") + kind + " '" + name +
                    "'; it has: " + (known.empty() ? "none" : known));
}

}  // namespace

const std::string& Checkpoint::text(const std::string& name) const {
  return find(texts, name, "text", path);
}

long Checkpoint::integer(const std::string& name) const {
  return find(integers, name, "integer", path);
}

const std::vector<double>& Checkpoint::array(const std::string& name) const {
  return find(arrays, name, "array", path);
}

void write_checkpoint(const std::string& path, const Checkpoint& checkpoint) {
  const std::string image = hdf5_image(checkpoint, path);
  AtomicPath file(path);
  file.append(frame_of(image));
  file.append(image);
  file.commit();
}

Checkpoint read_checkpoint(const std::string& path) {
  const std::string bytes = read_file(path);
  check_frame(bytes, path);
  return from_hdf5_image(std::string_view(bytes).substr(frame_bytes), path);
}

}  // namespace varia::io
