// SPDX-License-Identifier: BSD-3-Clause
#include "varia/io/base64.hpp"

#include <string_view>

namespace varia::io {

namespace {

constexpr std::string_view alphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// The four letters of three bytes.
void put(const unsigned char* b, std::string& text) {
  const unsigned bits = static_cast<unsigned>(b[0]) << 16U | static_cast<unsigned>(b[1]) << 8U |
                        static_cast<unsigned>(b[2]);
  for (const unsigned shift : {18U, 12U, 6U, 0U}) text += alphabet[bits >> shift & 63U];
}

}  // namespace

void Base64::add(const void* data, std::size_t size, std::string& text) {
  const auto* bytes = static_cast<const unsigned char*>(data);
  std::size_t i = 0;
  while (count_ != 0 && i < size) {
    pending_[count_++] = bytes[i++];
    if (count_ < 3) continue;
    put(pending_.data(), text);
    count_ = 0;
  }
  for (; i + 3 <= size; i += 3) put(bytes + i, text);
  while (i < size) pending_[count_++] = bytes[i++];
}

void Base64::finish(std::string& text) {
  if (count_ == 0) return;
  for (std::size_t i = count_; i < 3; ++i) pending_[i] = 0;
  put(pending_.data(), text);
  text.replace(text.size() - (3 - count_), 3 - count_, 3 - count_, '=');
  count_ = 0;
}

}  // namespace varia::io
