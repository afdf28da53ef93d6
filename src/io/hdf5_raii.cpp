// SPDX-License-Identifier: BSD-3-Clause
#include "hdf5_raii.hpp"

#include "varia/io/error.hpp"

namespace varia::io {

QuietHdf5::QuietHdf5() {
  H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

QuietHdf5::~QuietHdf5() {
  H5Eclear2(H5E_DEFAULT);
  H5Eset_auto2(H5E_DEFAULT, function_, data_);
}

namespace {

/// The stack of errors, from what was asked of HDF5 down to the cause.
struct Story {
  std::string first, last;
};

herr_t tell(unsigned /*n*/, const H5E_error2_t* error, void* data) {
  try {
    auto& story = *static_cast<Story*>(data);
    const std::string text = error->desc == nullptr ? "" : error->desc;
    if (story.first.empty()) story.first = text;
    if (!text.empty()) story.last = text;
  } catch (...) {
    return -1;
  }
  return 0;
}

Hdf5Space space_of(std::size_t count, const std::string& path) {
  const hsize_t size = count;
  return Hdf5Space(checked(H5Screate_simple(1, &size, nullptr), path, "cannot make an attribute"));
}

Hdf5Attribute make_attribute(hid_t object, const char* name, hid_t type, hid_t space,
                             const std::string& path) {
  return Hdf5Attribute(checked(H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT),
                               path, "cannot make an attribute"));
}

struct OpenAttribute {
  Hdf5Attribute attribute;
  Hdf5Type type;
  Hdf5Space space;
  std::size_t count;
};

OpenAttribute open_attribute(hid_t object, const char* name, const std::string& path) {
  const std::string what = std::string("cannot read the attribute ") + name;
  OpenAttribute open;
  open.attribute = Hdf5Attribute(checked(H5Aopen(object, name, H5P_DEFAULT), path, what.c_str()));
  open.type = Hdf5Type(checked(H5Aget_type(open.attribute.id()), path, what.c_str()));
  open.space = Hdf5Space(checked(H5Aget_space(open.attribute.id()), path, what.c_str()));
  open.count = static_cast<std::size_t>(
      checked(H5Sget_simple_extent_npoints(open.space.id()), path, what.c_str()));
  if (open.count > std::size_t{1} << 30U) throw IoError(path, what + ": it is damaged");
  return open;
}

}  // namespace

std::string hdf5_message() {
  Story story;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_DOWNWARD, tell, &story);
  if (story.last.empty()) return "HDF5 gives no reason";
  return "HDF5: " + story.first + (story.last == story.first ? "" : " (" + story.last + ")");
}

void throw_hdf5(const std::string& path, const std::string& what) {
  throw IoError(path, what + ": " + hdf5_message());
}

Hdf5Type utf8_strings() {
  Hdf5Type type(H5Tcopy(H5T_C_S1));
  H5Tset_size(type.id(), H5T_VARIABLE);
  H5Tset_cset(type.id(), H5T_CSET_UTF8);
  return type;
}

void write_texts(hid_t object, const char* name, const std::vector<std::string>& texts,
                 const std::string& path) {
  const Hdf5Type type = utf8_strings();
  const Hdf5Space space = space_of(texts.size(), path);
  const Hdf5Attribute attribute = make_attribute(object, name, type.id(), space.id(), path);
  std::vector<const char*> pointers;
  pointers.reserve(texts.size());
  for (const std::string& text : texts) pointers.push_back(text.c_str());
  checked(H5Awrite(attribute.id(), type.id(), pointers.data()), path, "cannot write an attribute");
}

void write_text(hid_t object, const char* name, const std::string& text, const std::string& path) {
  const Hdf5Type type = utf8_strings();
  const Hdf5Space space(checked(H5Screate(H5S_SCALAR), path, "cannot make an attribute"));
  const Hdf5Attribute attribute = make_attribute(object, name, type.id(), space.id(), path);
  const char* pointer = text.c_str();
  checked(H5Awrite(attribute.id(), type.id(), &pointer), path, "cannot write an attribute");
}

std::vector<std::string> read_texts(hid_t object, const char* name, const std::string& path) {
  const OpenAttribute open = open_attribute(object, name, path);
  if (H5Tis_variable_str(open.type.id()) <= 0)
    throw IoError(path, std::string("the attribute ") + name + " does not hold strings");
  std::vector<char*> pointers(open.count, nullptr);
  const Hdf5Type type = utf8_strings();
  checked(H5Aread(open.attribute.id(), type.id(), pointers.data()), path, "cannot read strings");
  std::vector<std::string> texts;
  texts.reserve(open.count);
  for (const char* pointer : pointers) texts.emplace_back(pointer == nullptr ? "" : pointer);
  H5Dvlen_reclaim(type.id(), open.space.id(), H5P_DEFAULT, pointers.data());
  return texts;
}

void write_integers(hid_t object, const char* name, const std::vector<long>& values,
                    const std::string& path) {
  const Hdf5Space space = space_of(values.size(), path);
  const Hdf5Attribute attribute = make_attribute(object, name, H5T_STD_I64LE, space.id(), path);
  checked(H5Awrite(attribute.id(), H5T_NATIVE_LONG, values.data()), path,
          "cannot write an attribute");
}

std::vector<long> read_integers(hid_t object, const char* name, const std::string& path) {
  const OpenAttribute open = open_attribute(object, name, path);
  if (H5Tget_class(open.type.id()) != H5T_INTEGER)
    throw IoError(path, std::string("the attribute ") + name + " does not hold integers");
  std::vector<long> values(open.count);
  checked(H5Aread(open.attribute.id(), H5T_NATIVE_LONG, values.data()), path,
          "cannot read integers");
  return values;
}

void write_real(hid_t object, const char* name, double value, const std::string& path) {
  const Hdf5Space space(checked(H5Screate(H5S_SCALAR), path, "cannot make an attribute"));
  const Hdf5Attribute attribute = make_attribute(object, name, H5T_IEEE_F64LE, space.id(), path);
  checked(H5Awrite(attribute.id(), H5T_NATIVE_DOUBLE, &value), path, "cannot write an attribute");
}

std::vector<std::string> names_in(hid_t group, H5_index_t order, const std::string& path) {
  H5G_info_t info{};
  checked(H5Gget_info(group, &info), path, "cannot list a group");
  std::vector<std::string> names;
  for (hsize_t i = 0; i < info.nlinks; ++i) {
    const ssize_t length =
        checked(H5Lget_name_by_idx(group, ".", order, H5_ITER_INC, i, nullptr, 0, H5P_DEFAULT),
                path, "cannot list a group");
    std::string name(static_cast<std::size_t>(length) + 1, '\0');
    checked(H5Lget_name_by_idx(group, ".", order, H5_ITER_INC, i, name.data(), name.size(),
                               H5P_DEFAULT),
            path, "cannot list a group");
    name.pop_back();
    names.push_back(std::move(name));
  }
  return names;
}

}  // namespace varia::io
