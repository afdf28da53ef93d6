// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The rows of the list of methods, and the arguments of a method as they were written.
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "varia/methods/methods.hpp"

namespace varia::detail {

/// The name of a parameter that takes all arguments without a name: "compose(verlet: 0.5, …)".
inline constexpr const char* parts_parameter = "method: fraction, ...";

/// The arguments of "name(1, quadrature=lobatto:3)": by position or by name, as text.
class Arguments {
 public:
  Arguments(std::string method, std::vector<std::string> names, std::vector<std::string> given);

  bool has(const std::string& name) const { return values_.count(name) > 0; }
  double number(const std::string& name) const;
  double number(const std::string& name, double otherwise) const;
  int integer(const std::string& name) const;
  int integer(const std::string& name, int otherwise) const;
  Method method(const std::string& name) const;
  Method method(const std::string& name, const Method& otherwise) const;
  Quadrature quadrature(const std::string& name, const Quadrature& otherwise) const;
  /// The parts "method: fraction".
  std::vector<std::pair<Method, double>> parts() const;

 private:
  void take_parts(std::vector<std::string>& given);
  const std::string& text(const std::string& name) const;
  template <class T> T convert(const std::string& name, const std::string& text) const;
  std::string usage() const;
  [[noreturn]] void fail(const std::string& why) const;

  std::string method_;
  std::vector<std::string> names_;
  std::vector<std::string> parts_;
  std::map<std::string, std::string> values_;
};

struct MethodRow {
  Descriptor descriptor;
  std::function<Method(const Arguments&)> make;
};

/// In src/methods/method_list.cpp.
const std::vector<MethodRow>& method_rows();

std::string trimmed(std::string_view text);

/// Where "name=value" has its "="; npos when the argument has no name: "midpoint(alpha=0.5)".
std::size_t name_end(std::string_view argument);

}  // namespace varia::detail
