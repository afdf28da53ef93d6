// SPDX-License-Identifier: BSD-3-Clause
#include "hdf5_image.hpp"

#include <set>

#include "hdf5_raii.hpp"
#include "varia/io/error.hpp"

namespace varia::io {

namespace {

using Hdf5Handle = Handle<H5Fclose>;

Hdf5Properties access_in_memory(const std::string& path) {
  Hdf5Properties access(checked(H5Pcreate(H5P_FILE_ACCESS), path, "cannot set HDF5 up"));
  checked(H5Pset_fapl_core(access.id(), 65536, false), path, "cannot set HDF5 up");
  checked(H5Pset_fclose_degree(access.id(), H5F_CLOSE_STRONG), path, "cannot set HDF5 up");
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
      throw InvalidArgument("the name '" + name + "' stands twice in the checkpoint");
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
    throw IoError(path, "the checkpoint does not have the form of one: " + name);
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

}  // namespace

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

}  // namespace varia::io
