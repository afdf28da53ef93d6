// SPDX-License-Identifier: BSD-3-Clause
#include "ipopt_library.hpp"

#include <dlfcn.h>

#include <string>

#include "varia/control/optimise.hpp"
#include "varia/core/error.hpp"

namespace varia::detail {

namespace {

template <class F> void find_in(void* library, const char* name, F& function) {
  function = reinterpret_cast<F>(::dlsym(library, name));
  if (function == nullptr)
    throw InvalidArgument(std::string("the Ipopt that is installed has no function ") + name +
                          ": install another version, or take the solver of Varia");
}

}  // namespace

IpoptLibrary load_ipopt(std::initializer_list<const char*> files) {
  void* library = nullptr;
  for (const char* file : files)
    if (library == nullptr) library = ::dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr)
    throw InvalidArgument(
        "Ipopt is not installed: on Debian and Ubuntu `apt install coinor-libipopt-dev` does it; "
        "or "
        "take the solver of Varia");
  IpoptLibrary found{};
  find_in(library, "CreateIpoptProblem", found.create);
  find_in(library, "FreeIpoptProblem", found.free);
  find_in(library, "AddIpoptStrOption", found.set_text);
  find_in(library, "AddIpoptNumOption", found.set_number);
  find_in(library, "AddIpoptIntOption", found.set_count);
  find_in(library, "SetIntermediateCallback", found.watch);
  find_in(library, "IpoptSolve", found.solve);
  return found;
}

const IpoptLibrary& ipopt() {
  static const IpoptLibrary library = load_ipopt({"libipopt.so.3", "libipopt.so.1", "libipopt.so"});
  return library;
}

}  // namespace varia::detail

namespace varia {

bool ipopt_is_installed() {
  try {
    detail::ipopt();
    return true;
  } catch (const InvalidArgument&) {
    return false;
  }
}

}  // namespace varia
