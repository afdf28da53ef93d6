// SPDX-License-Identifier: BSD-3-Clause
#include "hdf5_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>
#include <utility>

#if __has_include(<H5FDdevelop.h>)
#include <H5FDdevelop.h>
#endif

#include "file_descriptor.hpp"
#include "varia/io/error.hpp"

namespace varia::io {

namespace {

std::recursive_mutex& hdf5_mutex() {
  static std::recursive_mutex mutex;
  return mutex;
}

}  // namespace

QuietHdf5::QuietHdf5() : lock_(hdf5_mutex()) {
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

namespace {

constexpr std::uint64_t page_bytes = 4096;

/// What an opening is told, through the properties of access.
struct DriverRequest {
  Hdf5Storage* storage;
};

/// What HDF5 knows as an open file of our driver.
struct DriverFile {
  H5FD_t base;  // first: HDF5 sees only this
  Hdf5Storage* storage;
  haddr_t end_of_addresses;
};

DriverFile& ours(H5FD_t* file) { return *reinterpret_cast<DriverFile*>(file); }
const DriverFile& ours(const H5FD_t* file) { return *reinterpret_cast<const DriverFile*>(file); }

H5FD_t* open_driver(const char* /*name*/, unsigned flags, hid_t access, haddr_t /*most*/) {
  const auto* request = static_cast<const DriverRequest*>(H5Pget_driver_info(access));
  if (request == nullptr) return nullptr;
  if ((flags & H5F_ACC_TRUNC) != 0) request->storage->resize(0);
  auto* file = new (std::nothrow) DriverFile{};
  if (file == nullptr) return nullptr;
  file->storage = request->storage;
  return &file->base;
}

herr_t close_driver(H5FD_t* file) {
  delete &ours(file);
  return 0;
}

herr_t features(const H5FD_t* /*file*/, unsigned long* flags) {
  *flags =
      H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_AGGREGATE_SMALLDATA;
  return 0;
}

haddr_t end_of_addresses(const H5FD_t* file, H5FD_mem_t /*type*/) {
  return ours(file).end_of_addresses;
}

herr_t set_end_of_addresses(H5FD_t* file, H5FD_mem_t /*type*/, haddr_t end) {
  ours(file).end_of_addresses = end;
  return 0;
}

haddr_t end_of_file(const H5FD_t* file, H5FD_mem_t /*type*/) { return ours(file).storage->size(); }

herr_t read_driver(H5FD_t* file, H5FD_mem_t /*type*/, hid_t /*transfer*/, haddr_t at,
                   std::size_t size, void* data) {
  try {
    return ours(file).storage->read(at, size, data) ? 0 : -1;
  } catch (...) {
    return -1;
  }
}

herr_t write_driver(H5FD_t* file, H5FD_mem_t /*type*/, hid_t /*transfer*/, haddr_t at,
                    std::size_t size, const void* data) {
  try {
    ours(file).storage->write(at, size, data);
    return 0;
  } catch (...) {
    return -1;
  }
}

/// HDF5 finds a file truncated that ends before the last address it has given away.
herr_t truncate_driver(H5FD_t* file, hid_t /*transfer*/, hbool_t /*closing*/) {
  if (ours(file).end_of_addresses != ours(file).storage->size())
    ours(file).storage->resize(ours(file).end_of_addresses);
  return 0;
}

H5FD_class_t driver_class() {
  H5FD_class_t driver{};
#ifdef H5FD_CLASS_VERSION  // since HDF5 1.14
  driver.version = H5FD_CLASS_VERSION;
  driver.value = static_cast<H5FD_class_value_t>(300);  // from the range for private use
#endif
  driver.name = "varia";
  driver.maxaddr = (haddr_t{1} << 62U) - 1;
  driver.fc_degree = H5F_CLOSE_STRONG;
  driver.fapl_size = sizeof(DriverRequest);
  driver.open = open_driver;
  driver.close = close_driver;
  driver.query = features;
  driver.get_eoa = end_of_addresses;
  driver.set_eoa = set_end_of_addresses;
  driver.get_eof = end_of_file;
  driver.read = read_driver;
  driver.write = write_driver;
  driver.truncate = truncate_driver;
  return driver;
}

}  // namespace

bool Hdf5Storage::read(std::uint64_t at, std::size_t size, void* data) {
  auto* bytes = static_cast<unsigned char*>(data);
  std::size_t done = 0;
  if (const int error = read_all(descriptor_, data, size, at, done)) {
    error_ = error;
    return false;
  }
  std::memset(bytes + done, 0, size - done);
  for (const auto& [index, content] : pages_) {
    const std::uint64_t first = std::max(at, index * page_bytes);
    const std::uint64_t last = std::min(at + size, (index + 1) * page_bytes);
    if (first < last)
      std::memcpy(bytes + (first - at), content.data() + (first - index * page_bytes),
                  last - first);
  }
  return true;
}

Hdf5Storage::Page& Hdf5Storage::page(std::uint64_t index) {
  const auto [place, is_new] = pages_.try_emplace(index, page_bytes);
  if (is_new) {
    std::size_t done = 0;
    read_all(descriptor_, place->second.data(), page_bytes, index * page_bytes, done);
  }
  return place->second;
}

void Hdf5Storage::write(std::uint64_t at, std::size_t size, const void* data) {
  size_ = std::max(size_, at + size);
  if (error_ == 0) {
    std::size_t done = 0;
    error_ = writable_ ? write_all(descriptor_, data, size, at, done) : EBADF;
    if (error_ == 0) return;
  }
  const auto* bytes = static_cast<const unsigned char*>(data);
  for (std::uint64_t index = at / page_bytes; index * page_bytes < at + size; ++index) {
    const std::uint64_t first = std::max(at, index * page_bytes);
    const std::uint64_t last = std::min(at + size, (index + 1) * page_bytes);
    std::memcpy(page(index).data() + (first - index * page_bytes), bytes + (first - at),
                last - first);
  }
}

void Hdf5Storage::resize(std::uint64_t size) {
  size_ = size;
  if (error_ == 0 && ::ftruncate(descriptor_, static_cast<off_t>(size)) != 0) error_ = errno;
}

Hdf5File::Hdf5File(const std::string& path, std::string name, Mode mode)
    : name_(std::move(name)),
      descriptor_(::open(path.c_str(),
                         O_CLOEXEC | (mode == Mode::read ? O_RDONLY : O_RDWR | O_CREAT), 0666)),
      storage_(descriptor_.get(), mode == Mode::create) {
  if (!descriptor_.valid())
    throw IoError(name_, std::string("cannot open it for ") +
                             (mode == Mode::read ? "reading: " : "writing: ") + reason(errno));
  open(path, mode);
}

void Hdf5File::open(const std::string& path, Mode mode) {
  const QuietHdf5 quiet;
  struct stat status {};
  if (::fstat(descriptor_.get(), &status) != 0)
    throw IoError(name_, "cannot determine its size: " + reason(errno));
  if (S_ISDIR(status.st_mode)) throw IoError(name_, "this is a folder, not a file");
  storage_.measure(static_cast<std::uint64_t>(status.st_size));

  // The class outlives the call because newer versions of HDF5 keep a pointer to it.
  static const H5FD_class_t driver = driver_class();
  using Driver = Handle<H5FDunregister>;
  const Driver registered(checked(H5FDregister(&driver), name_, "cannot set up HDF5"));
  const Hdf5Properties access(checked(H5Pcreate(H5P_FILE_ACCESS), name_, "cannot set up HDF5"));
  const DriverRequest request{&storage_};
  checked(H5Pset_driver(access.id(), registered.id(), &request), name_, "cannot set up HDF5");
  // Attributes above 64 kB (the names of many columns) need the format of HDF5 1.8.
  checked(H5Pset_libver_bounds(access.id(), H5F_LIBVER_V18, H5F_LIBVER_V18), name_,
          "cannot set up HDF5");
  file_ = mode == Mode::create ? H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.id())
                               : H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.id());
  if (file_ < 0) {
    check();
    throw_hdf5(name_, mode == Mode::create ? "cannot make the HDF5 file"
                                           : "cannot read it as an HDF5 file");
  }
}

Hdf5File::~Hdf5File() {
  const QuietHdf5 quiet;
  if (file_ >= 0) H5Fclose(file_);
}

void Hdf5File::check() const {
  if (storage_.error() != 0)
    throw IoError(name_, "cannot read or write: " + reason(storage_.error()));
}

void Hdf5File::close() {
  const QuietHdf5 quiet;
  const herr_t closed = H5Fclose(std::exchange(file_, -1));
  check();
  if (closed < 0) throw_hdf5(name_, "cannot finish the HDF5 file");
  if (::close(descriptor_.release()) != 0)
    throw IoError(name_, "cannot finish the HDF5 file: " + reason(errno));
}

}  // namespace varia::io
