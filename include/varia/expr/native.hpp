// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Straight-line programs as machine code: tape -> C -> the system's C compiler -> a loaded module.
//
// The compiler is VARIA_CC (one word, a path or a name) or else cc, gcc or clang of PATH, started
// without a shell. Its output is kept in VARIA_CACHE_DIR, else $XDG_CACHE_HOME/varia, else
// $HOME/.cache/varia, and is used again as long as program, compiler and flags are the same. A
// cache that others could write to is not used; note() says so.
//
// The results are those of the interpreter: equal to the bit for + - * / and sqrt, and within
// round-off for functions the compiler may evaluate in its own way.
#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "varia/core/error.hpp"
#include "varia/expr/loop_program.hpp"
#include "varia/expr/tape.hpp"

namespace varia::expr {

class Cache;

/// No compiler, a compilation that failed, a module that cannot be loaded. The interpreter remains.
struct NativeError : Error {
  using Error::Error;
};

struct NativeFunction {
  std::string name;  ///< an identifier of C, not of its library, not beginning with _ or varia_
  const Tape* tape;  ///< or
  const LoopProgram* loops = nullptr;  ///< whose outputs are affine

  int inputs() const { return loops != nullptr ? loops->inputs() : tape->inputs(); }
  int outputs() const { return loops != nullptr ? loops->outputs() : tape->outputs(); }
};

/// out = f(x) with these values of the free parameters. `out` may not overlap `x`. Any number of
/// threads may call it at once.
using Compiled = void (*)(const double* x, double* out, const double* parameters);

class NativeModule {
 public:
  /// Beyond this number of operations compiling takes longer than it can save.
  static constexpr std::size_t max_operations = 100'000;

  /// `extra_source` is C that may call the functions: void name(const double* x,
  /// double* out, const double* parameters). It is compiled as it is, so no text of a user may be part
  /// of it.
  /// Throws InvalidArgument for a wrong name, NativeError when there is no native code to be had.
  static std::shared_ptr<const NativeModule> compile(const std::vector<NativeFunction>& functions,
                                                     const std::string& extra_source = "");

  NativeModule(const NativeModule&) = delete;
  NativeModule& operator=(const NativeModule&) = delete;
  ~NativeModule();

  Compiled function(const std::string& name) const;
  /// The function, after a check that it was made from a tape of this shape.
  Compiled function(const std::string& name, int inputs, int outputs) const;
  /// Something the extra source defines.
  void* symbol(const std::string& name) const;

  bool from_cache() const { return from_cache_; }
  double seconds() const { return seconds_; }  ///< from the tapes to the loaded module
  const std::string& compiler() const { return compiler_; }
  /// What did not go as usual, for the user to read: an unusable cache, a damaged entry.
  const std::string& note() const { return note_; }

 private:
  struct Entry {
    Compiled address;
    int inputs, outputs;
  };

  NativeModule() = default;
  void load_from(const Cache& cache, const std::string& key, const std::string& source_digest);
  void load(const std::string& bytes, const std::string& source_digest);
  void unload();
  void find_functions(const std::vector<NativeFunction>& functions);
  void add_note(const std::string& text);
  const Entry& entry(const std::string& name) const;

  void* handle_ = nullptr;
  int descriptor_ = -1;  ///< the memory the module was loaded from: open as long as the module
  std::map<std::string, Entry> functions_;
  bool from_cache_ = false;
  double seconds_ = 0;
  std::string compiler_, note_;
};

/// While one lives, a source is compiled and loaded once in this process: for many runs of one system
/// that differ in their free parameters. Any thread may compile.
class SharedModules {
 public:
  SharedModules();
  ~SharedModules();
  SharedModules(const SharedModules&) = delete;
  SharedModules& operator=(const SharedModules&) = delete;
};

/// VARIA_CC, or cc, gcc, clang in PATH: is one of them there?
bool compiler_available();

}  // namespace varia::expr
