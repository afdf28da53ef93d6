// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <charconv>

#include "method_rows.hpp"
#include "varia/core/error.hpp"

namespace varia::detail {

std::string trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return "";
  return std::string(text.substr(begin, text.find_last_not_of(" \t") - begin + 1));
}

std::size_t name_end(std::string_view argument) {
  const auto equals = argument.find('=');
  return equals < argument.find('(') ? equals : std::string_view::npos;
}

Arguments::Arguments(std::string method, std::vector<std::string> names,
                     std::vector<std::string> given)
    : method_(std::move(method)), names_(std::move(names)) {
  if (!names_.empty() && names_.front() == parts_parameter) take_parts(given);
  if (given.size() > names_.size())
    fail("takes " + usage() + ", got " + std::to_string(given.size()) + " arguments");
  for (std::size_t i = 0; i < given.size(); ++i) {
    const auto equals = name_end(given[i]);
    const std::string name = equals == std::string::npos ? names_[i] : given[i].substr(0, equals);
    if (std::find(names_.begin(), names_.end(), name) == names_.end())
      fail("has no parameter '" + name + "'; it takes " + usage());
    if (!values_.emplace(name, equals == std::string::npos ? given[i] : given[i].substr(equals + 1))
             .second)
      fail("parameter '" + name + "' is given twice");
  }
}

const std::string& Arguments::text(const std::string& name) const {
  if (!has(name)) fail("needs the parameter '" + name + "'");
  return values_.at(name);
}

double Arguments::number(const std::string& name) const {
  return convert<double>(name, text(name));
}
double Arguments::number(const std::string& name, double otherwise) const {
  return has(name) ? number(name) : otherwise;
}
int Arguments::integer(const std::string& name) const { return convert<int>(name, text(name)); }
int Arguments::integer(const std::string& name, int otherwise) const {
  return has(name) ? integer(name) : otherwise;
}
Method Arguments::method(const std::string& name) const { return parse_method(text(name)); }
Method Arguments::method(const std::string& name, const Method& otherwise) const {
  return has(name) ? method(name) : otherwise;
}
Quadrature Arguments::quadrature(const std::string& name, const Quadrature& otherwise) const {
  return has(name) ? parse_quadrature(text(name)) : otherwise;
}

std::vector<std::pair<Method, double>> Arguments::parts() const {
  std::vector<std::pair<Method, double>> result;
  for (const std::string& part : parts_) {
    const auto colon = part.rfind(':');
    if (colon == std::string::npos || colon < part.rfind(')') + 1)
      fail("takes " + usage() + "; '" + part + "' is no method: fraction");
    result.emplace_back(parse_method(part.substr(0, colon)),
                        convert<double>("fraction", trimmed(part.substr(colon + 1))));
  }
  return result;
}

void Arguments::take_parts(std::vector<std::string>& given) {
  for (const std::string& item : given)
    if (name_end(item) == std::string::npos) parts_.push_back(item);
  std::erase_if(given, [](const auto& item) { return name_end(item) == std::string::npos; });
}

/// A number; a double also as a fraction, 1/2.
template <class T> T Arguments::convert(const std::string& name, const std::string& text) const {
  T value{};
  const char* const last = text.data() + text.size();
  auto [end, error] = std::from_chars(text.data(), last, value);
  if constexpr (std::is_same_v<T, double>)
    if (error == std::errc() && end != last && *end == '/') {
      double divisor = 1.0;
      const auto below = std::from_chars(end + 1, last, divisor);
      end = below.ptr;
      error = below.ec;
      value /= divisor;
      if (divisor == 0.0) fail("parameter '" + name + "' is divided by 0: '" + text + "'");
    }
  if (error != std::errc() || end != last)
    fail("parameter '" + name + "' must be " +
         (std::is_same_v<T, int> ? "a whole number" : "a number") + ", got '" + text + "'");
  return value;
}

std::string Arguments::usage() const {
  if (names_.empty()) return "no parameters";
  std::string text;
  for (const std::string& name : names_) text += (text.empty() ? "" : ", ") + name;
  return text;
}

void Arguments::fail(const std::string& why) const { throw InvalidArgument(method_ + " " + why); }

}  // namespace varia::detail
