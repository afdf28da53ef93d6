// SPDX-License-Identifier: BSD-3-Clause
#include "varia/io/checkpoint.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include "crc64.hpp"
#include "file_descriptor.hpp"
#include "hdf5_file.hpp"
#include "varia/io/atomic_file.hpp"
#include "varia/io/error.hpp"

namespace varia::io {

namespace {

// A checkpoint as the bytes of an HDF5 file in memory: HDF5 itself touches no disk, so that no
// failure of a disk reaches it.

using Hdf5Handle = Handle<H5Fclose>;

Hdf5Properties access_in_memory(const std::string& path) {
  Hdf5Properties access(checked(H5Pcreate(H5P_FILE_ACCESS), path, "cannot set up HDF5"));
  checked(H5Pset_fapl_core(access.id(), 65536, false), path, "cannot set up HDF5");
  checked(H5Pset_fclose_degree(access.id(), H5F_CLOSE_STRONG), path, "cannot set up HDF5");
  return access;
}

/// A group that remembers the order of its members.
class Section {
 public:
  Section(hid_t file, const char* name, const std::string& path) : path_(path) {
    const Hdf5Properties creation(
        checked(H5Pcreate(H5P_GROUP_CREATE), path, "cannot make a group"));
    checked(
        H5Pset_link_creation_order(creation.id(), H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED),
        path, "cannot make a group");
    group_ = Hdf5Group(checked(H5Gcreate2(file, name, H5P_DEFAULT, creation.id(), H5P_DEFAULT),
                               path, "cannot make a group"));
  }

  void write(const std::string& name, hid_t type, hid_t memory_type, const Hdf5Space& space,
             const void* data) {
    if (name.empty() || name == "." ||
        name.find_first_of(std::string("/\0", 2)) != std::string::npos)
      throw InvalidArgument("'" + name + "' cannot be a name in a checkpoint");
    if (!names_.insert(name).second)
      throw InvalidArgument("the name '" + name + "' occurs twice in the checkpoint");
    checked(space.id(), path_, "cannot make a dataset");
    const Hdf5Properties link(checked(H5Pcreate(H5P_LINK_CREATE), path_, "cannot make a dataset"));
    checked(H5Pset_char_encoding(link.id(), H5T_CSET_UTF8), path_, "cannot make a dataset");
    const Hdf5Properties creation(
        checked(H5Pcreate(H5P_DATASET_CREATE), path_, "cannot make a dataset"));
    checked(H5Pset_obj_track_times(creation.id(), false), path_, "cannot make a dataset");
    const Hdf5Dataset dataset(checked(H5Dcreate2(group_.id(), name.c_str(), type, space.id(),
                                                 link.id(), creation.id(), H5P_DEFAULT),
                                      path_, "cannot make a dataset"));
    checked(H5Dwrite(dataset.id(), memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data), path_,
            "cannot write a dataset");
  }

 private:
  const std::string& path_;
  Hdf5Group group_;
  std::set<std::string> names_;
};

/// Of fixed length, because HDF5 keeps strings of variable length apart from their dataset.
Hdf5Type text_type(std::size_t length) {
  Hdf5Type type(H5Tcopy(H5T_C_S1));
  H5Tset_size(type.id(), length);
  H5Tset_cset(type.id(), H5T_CSET_UTF8);
  H5Tset_strpad(type.id(), H5T_STR_NULLPAD);
  return type;
}

void write_contents(hid_t file, const Checkpoint& checkpoint, const std::string& path) {
  Section texts(file, "texts", path);
  for (const auto& [name, text] : checkpoint.texts) {
    if (text.find('\0') != std::string::npos)
      throw InvalidArgument("the text '" + name + "' of the checkpoint holds a null character");
    const Hdf5Type type = text_type(text.size() + 1);
    texts.write(name, type.id(), type.id(), Hdf5Space(H5Screate(H5S_SCALAR)), text.c_str());
  }
  Section integers(file, "integers", path);
  for (const auto& [name, value] : checkpoint.integers)
    integers.write(name, H5T_STD_I64LE, H5T_NATIVE_LONG, Hdf5Space(H5Screate(H5S_SCALAR)), &value);
  Section arrays(file, "arrays", path);
  for (const auto& [name, values] : checkpoint.arrays) {
    const hsize_t size = values.size();
    const double nothing = 0;  // HDF5 refuses the null pointer of an empty array
    arrays.write(name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE,
                 Hdf5Space(H5Screate_simple(1, &size, nullptr)),
                 values.empty() ? &nothing : values.data());
  }
}

struct OpenDataset {
  Hdf5Dataset dataset;
  Hdf5Type type;
  std::size_t count;
};

/// Checks the class of the numbers, for the next use of HDF5 trusts it.
OpenDataset open_dataset(hid_t group, const std::string& name, H5T_class_t kind,
                         const std::string& path) {
  OpenDataset open;
  open.dataset =
      Hdf5Dataset(checked(H5Dopen2(group, name.c_str(), H5P_DEFAULT), path, "cannot read"));
  open.type = Hdf5Type(checked(H5Dget_type(open.dataset.id()), path, "cannot read"));
  const Hdf5Space space(checked(H5Dget_space(open.dataset.id()), path, "cannot read"));
  open.count = static_cast<std::size_t>(
      checked(H5Sget_simple_extent_npoints(space.id()), path, "cannot read"));
  const bool single = kind != H5T_FLOAT;
  if (H5Tget_class(open.type.id()) != kind || (single && open.count != 1) ||
      H5Tis_variable_str(open.type.id()) > 0)
    throw IoError(path, "this does not have the form of a checkpoint: " + name);
  return open;
}

void read_whole(const OpenDataset& open, hid_t type, void* data, const std::string& path) {
  checked(H5Dread(open.dataset.id(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data), path,
          "cannot read the checkpoint");
}

template <class Take>
void for_each_name(hid_t file, const char* section, const std::string& path, const Take& take) {
  const Hdf5Group group(checked(H5Gopen2(file, section, H5P_DEFAULT), path, "cannot read"));
  for (const std::string& name : names_in(group.id(), H5_INDEX_CRT_ORDER, path))
    take(group.id(), name);
}

std::string hdf5_image(const Checkpoint& checkpoint, const std::string& path) {
  const QuietHdf5 quiet;
  const Hdf5Handle file(
      checked(H5Fcreate("checkpoint", H5F_ACC_TRUNC, H5P_DEFAULT, access_in_memory(path).id()),
              path, "cannot make the checkpoint"));
  write_text(file.id(), "format", "varia checkpoint", path);
  write_contents(file.id(), checkpoint, path);
  checked(H5Fflush(file.id(), H5F_SCOPE_GLOBAL), path, "cannot make the checkpoint");
  const ssize_t size =
      checked(H5Fget_file_image(file.id(), nullptr, 0), path, "cannot make the checkpoint");
  std::string image(static_cast<std::size_t>(size), '\0');
  checked(H5Fget_file_image(file.id(), image.data(), image.size()), path,
          "cannot make the checkpoint");
  return image;
}

Checkpoint from_hdf5_image(std::string_view image, const std::string& path) {
  const QuietHdf5 quiet;
  const Hdf5Properties access = access_in_memory(path);
  std::string copy(image);  // HDF5 asks for bytes that it may change, and copies them again
  checked(H5Pset_file_image(access.id(), copy.data(), copy.size()), path, "cannot read");
  const Hdf5Handle file(checked(H5Fopen("checkpoint", H5F_ACC_RDONLY, access.id()), path,
                                "cannot read the checkpoint"));
  Checkpoint checkpoint;
  checkpoint.path = path;
  for_each_name(file.id(), "texts", path, [&](hid_t group, const std::string& name) {
    const OpenDataset open = open_dataset(group, name, H5T_STRING, path);
    std::string text(H5Tget_size(open.type.id()), '\0');
    read_whole(open, open.type.id(), text.data(), path);
    text.resize(text.find('\0') == std::string::npos ? text.size() : text.find('\0'));
    checkpoint.texts.emplace_back(name, std::move(text));
  });
  for_each_name(file.id(), "integers", path, [&](hid_t group, const std::string& name) {
    const OpenDataset open = open_dataset(group, name, H5T_INTEGER, path);
    long value = 0;
    read_whole(open, H5T_NATIVE_LONG, &value, path);
    checkpoint.integers.emplace_back(name, value);
  });
  for_each_name(file.id(), "arrays", path, [&](hid_t group, const std::string& name) {
    const OpenDataset open = open_dataset(group, name, H5T_FLOAT, path);
    std::vector<double> values(open.count);
    if (!values.empty()) read_whole(open, H5T_NATIVE_DOUBLE, values.data(), path);
    checkpoint.arrays.emplace_back(name, std::move(values));
  });
  return checkpoint;
}

// The file: an image behind a frame of text.

constexpr std::string_view checkpoint_magic = "Varia checkpoint, HDF5 from byte 512\nversion ";
constexpr long checkpoint_version = 1;
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
  frame += std::to_string(checkpoint_version) + "\nbytes " + std::to_string(image.size()) +
           "\ncrc64 " + hexadecimal(crc64(image)) + "\n";
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
  if (const long found = leading_number(frame.substr(checkpoint_magic.size()));
      found > checkpoint_version)
    throw IoError(path, "the checkpoint has format version " + std::to_string(found) +
                            "; this Varia reads up to version " +
                            std::to_string(checkpoint_version));
  if (frame == frame_of(image)) return;
  const long declared = declared_bytes(frame);
  if (declared > static_cast<long>(image.size()))
    throw IoError(path, "the checkpoint is truncated: " + std::to_string(image.size()) + " of " +
                            std::to_string(declared) + " bytes");
  throw IoError(path, "the checkpoint is damaged: its checksum does not match its contents");
}

std::string read_file(const std::string& path) {
  // a pipe is refused, not waited for
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file.valid()) throw IoError(path, "cannot open the checkpoint: " + reason(errno));
  struct stat status {};
  int error = ::fstat(file.get(), &status) == 0 ? 0 : errno;
  std::string bytes;
  std::size_t done = 0;
  if (error == 0 && S_ISREG(status.st_mode)) {
    bytes.resize(static_cast<std::size_t>(status.st_size));
    error = read_all(file.get(), bytes.data(), bytes.size(), 0, done);
    bytes.resize(done);
  } else if (error == 0) {
    error = S_ISDIR(status.st_mode) ? EISDIR : EINVAL;
  }
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
