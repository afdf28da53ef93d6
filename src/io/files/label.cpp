// SPDX-License-Identifier: BSD-3-Clause
#include "varia/io/label.hpp"

#include <mutex>
#include <set>

namespace varia::io {

namespace {

/// The only copy of the text, which stays where it is.
const std::string& only_copy(std::string_view text) {
  static std::mutex mutex;
  static std::set<std::string, std::less<>> texts;
  const std::lock_guard<std::mutex> lock(mutex);
  const auto found = texts.find(text);
  return found != texts.end() ? *found : *texts.emplace(text).first;
}

}  // namespace

Label::Label(std::string_view text) : text_(&only_copy(text)) {}

}  // namespace varia::io
