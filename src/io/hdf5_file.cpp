// SPDX-License-Identifier: BSD-3-Clause
#include "hdf5_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#if __has_include(<H5FDdevelop.h>)
#include <H5FDdevelop.h>
#endif

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>
#include <utility>

#include "file_descriptor.hpp"
#include "varia/io/error.hpp"

namespace varia::io {

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
      storage_(descriptor_, mode == Mode::create) {
  if (descriptor_ < 0)
    throw IoError(name_, std::string("cannot open it for ") +
                             (mode == Mode::read ? "reading: " : "writing: ") + reason(errno));
  try {
    open(path, mode);
  } catch (...) {
    ::close(descriptor_);
    throw;
  }
}

void Hdf5File::open(const std::string& path, Mode mode) {
  const QuietHdf5 quiet;
  struct stat status {};
  if (::fstat(descriptor_, &status) != 0)
    throw IoError(name_, "cannot ask for its size: " + reason(errno));
  if (S_ISDIR(status.st_mode)) throw IoError(name_, "this is a folder, not a file");
  storage_.measure(static_cast<std::uint64_t>(status.st_size));

  // The class outlives the call because newer versions of HDF5 keep a pointer to it.
  static const H5FD_class_t driver = driver_class();
  using Driver = Handle<H5FDunregister>;
  const Driver registered(checked(H5FDregister(&driver), name_, "cannot set HDF5 up"));
  const Hdf5Properties access(checked(H5Pcreate(H5P_FILE_ACCESS), name_, "cannot set HDF5 up"));
  const DriverRequest request{&storage_};
  checked(H5Pset_driver(access.id(), registered.id(), &request), name_, "cannot set HDF5 up");
  // Attributes above 64 kB (the names of many columns) need the format of HDF5 1.8.
  checked(H5Pset_libver_bounds(access.id(), H5F_LIBVER_V18, H5F_LIBVER_V18), name_,
          "cannot set HDF5 up");
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
  if (descriptor_ >= 0) ::close(descriptor_);
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
  if (::close(std::exchange(descriptor_, -1)) != 0)
    throw IoError(name_, "cannot finish the HDF5 file: " + reason(errno));
}

}  // namespace varia::io
