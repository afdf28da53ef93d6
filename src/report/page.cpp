// SPDX-License-Identifier: BSD-3-Clause
#include "varia/report/page.hpp"

#include <string_view>

namespace varia::report {

std::string_view page_template();  // report/, bundled and embedded by cmake/report.cmake

namespace {

constexpr std::string_view slot = "__VARIA_DATA__";  // occurs once: build.mjs sees to it

}  // namespace

std::string report_page(const std::string& json) {
  const std::string_view page = page_template();
  const std::size_t at = page.find(slot);
  std::string result;
  result.reserve(page.size() + json.size() + json.size() / 64);
  result += page.substr(0, at);
  for (const char c : json) {
    if (c == '<') {
      result += "\\u003c";
    } else {
      result += c;
    }
  }
  result += page.substr(at + slot.size());
  return result;
}

}  // namespace varia::report
