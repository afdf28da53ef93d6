// SPDX-License-Identifier: BSD-3-Clause
#include "varia/io/sweep_log.hpp"

#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <string_view>

#include "../files/crc64.hpp"
#include "../files/file_descriptor.hpp"
#include "varia/io/error.hpp"
#include "varia/io/sweep_cases.hpp"

namespace varia::io {

namespace {

constexpr std::string_view sweep_magic = "VariaSweepLog 1\n";

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

template <class Number> void put_number(std::string& bytes, Number value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

void put_words(std::string& bytes, const std::string& text) {
  put_number(bytes, static_cast<std::uint32_t>(text.size()));
  bytes += text;
}

/// Takes values from bytes that may end too early.
class SweepCursor {
 public:
  explicit SweepCursor(std::string_view bytes) : rest_(bytes) {}

  bool good() const { return good_; }
  std::string_view bytes(std::size_t count) {
    good_ = good_ && count <= rest_.size();
    if (!good_) return {};
    const std::string_view taken = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return taken;
  }
  template <class Number> Number number() {
    Number value{};
    if (const std::string_view taken = bytes(sizeof value); good_)
      std::memcpy(&value, taken.data(), sizeof value);
    return value;
  }
  std::string words() { return std::string(bytes(number<std::uint32_t>())); }

 private:
  std::string_view rest_;
  bool good_ = true;
};

std::string whole_log(int descriptor, const std::string& path) {
  std::string bytes;
  for (;;) {
    const std::size_t before = bytes.size();
    bytes.resize(before + buffer_bytes);
    std::size_t done = 0;
    if (const int error = read_all(descriptor, bytes.data() + before, buffer_bytes, before, done))
      throw IoError(path, "cannot read: " + reason(error));
    bytes.resize(before + done);
    if (done < buffer_bytes) return bytes;
  }
}

std::string log_header(const std::string& request) {
  std::string header(sweep_magic);
  put_number(header, static_cast<std::uint64_t>(request.size()));
  header += request;
  put_number(header, crc64(header));
  return header;
}

/// The request of a log; none if its header was never finished.
std::optional<std::string> request_in(const std::string& bytes, const std::string& path) {
  const std::string_view begin = std::string_view(bytes).substr(0, sweep_magic.size());
  if (begin != sweep_magic.substr(0, begin.size()))
    throw IoError(path, "this is not the log of a sweep; remove it, or give another --out");
  SweepCursor cursor(std::string_view(bytes).substr(begin.size()));
  const auto length = cursor.number<std::uint64_t>();
  std::string request(cursor.bytes(length));
  const auto sum = cursor.number<std::uint64_t>();
  if (!cursor.good()) return std::nullopt;
  if (sum != crc64(std::string_view(bytes).substr(0, begin.size() + sizeof length + length)))
    throw IoError(path, "the header of the log is damaged; remove it, or give another --out");
  return request;
}

}  // namespace

SweepLog::SweepLog(const std::string& path, const std::string& request)
    : path_(path), descriptor_(open_locked(path, path, true)), flushed_(seconds_now()) {
  const std::string bytes = whole_log(descriptor_.get(), path_);
  const std::optional<std::string> found = request_in(bytes, path_);
  if (found && *found != request)
    throw InvalidArgument(path_ + " is the log of another sweep, which was not finished: " +
                          request_difference(*found, request) +
                          ". Finish that one, remove the log, or give another --out.");
  if (found)
    read(bytes, log_header(request).size());
  else
    begin(request);
}

void SweepLog::begin(const std::string& request) {
  if (::ftruncate(descriptor_.get(), 0) != 0)
    throw IoError(path_, "cannot empty it: " + reason(errno));
  write(log_header(request));
}

/// Rows up to the first that is not whole; the file is cut there.
void SweepLog::read(const std::string& bytes, std::size_t at) {
  for (;;) {
    SweepCursor frame(std::string_view(bytes).substr(at));
    const auto length = frame.number<std::uint64_t>();
    const auto sum = frame.number<std::uint64_t>();
    const std::string_view body = frame.bytes(length);
    if (!frame.good() || crc64(body, checksum_) != sum) break;
    SweepCursor cursor(body);
    SweepRow row;
    row.number = static_cast<long>(cursor.number<std::int64_t>());
    row.status = cursor.words();
    row.message = cursor.words();
    row.evaluation = cursor.words();
    for (auto names = cursor.number<std::uint32_t>(); cursor.good() && names > 0; --names) {
      names_.push_back(cursor.words());
      known_[names_.back()] = static_cast<std::uint32_t>(names_.size() - 1);
    }
    for (auto numbers = cursor.number<std::uint32_t>(); cursor.good() && numbers > 0; --numbers) {
      const auto name = cursor.number<std::uint32_t>();
      const auto value = cursor.number<double>();
      if (name >= names_.size()) throw IoError(path_, "a row of the log is damaged");
      row.numbers.emplace_back(names_[name], value);
    }
    if (!cursor.good()) throw IoError(path_, "a row of the log is damaged");
    rows_.push_back(std::move(row));
    checksum_ = sum;
    at += sizeof length + sizeof sum + length;
  }
  if (::ftruncate(descriptor_.get(), static_cast<off_t>(at)) != 0)
    throw IoError(path_, "cannot shorten it: " + reason(errno));
  size_ = at;
}

void SweepLog::write(const std::string& bytes) {
  std::size_t done = 0;
  const int error = write_all(descriptor_.get(), bytes.data(), bytes.size(), size_, done);
  if (error != 0) throw IoError(path_, "cannot write: " + reason(error));
  size_ += bytes.size();
}

void SweepLog::append(const SweepRow& row) {
  std::string body;
  put_number(body, static_cast<std::int64_t>(row.number));
  put_words(body, row.status);
  put_words(body, row.message);
  put_words(body, row.evaluation);
  std::string names, numbers;
  std::uint32_t fresh = 0;
  for (const auto& [name, value] : row.numbers) {
    const auto [at, is_new] = known_.try_emplace(name, static_cast<std::uint32_t>(names_.size()));
    if (is_new) {
      names_.push_back(name);
      put_words(names, name);
      ++fresh;
    }
    put_number(numbers, at->second);
    put_number(numbers, value);
  }
  put_number(body, fresh);
  body += names;
  put_number(body, static_cast<std::uint32_t>(row.numbers.size()));
  body += numbers;
  std::string frame;
  put_number(frame, static_cast<std::uint64_t>(body.size()));
  checksum_ = crc64(body, checksum_);
  put_number(frame, checksum_);
  write(frame + body);
  if (seconds_now() - flushed_ > 1.0) flush();
}

void SweepLog::flush() {
  if (::fdatasync(descriptor_.get()) != 0)
    throw IoError(path_, "cannot flush the rows to the disk: " + reason(errno));
  flushed_ = seconds_now();
}

void SweepLog::remove() {
  if (::unlink(path_.c_str()) != 0) throw IoError(path_, "cannot remove it: " + reason(errno));
  descriptor_.reset();
}

}  // namespace varia::io
