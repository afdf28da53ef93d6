// SPDX-License-Identifier: BSD-3-Clause
#include "varia/expr/native.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <mutex>
#include <utility>

#include "cache.hpp"
#include "codegen.hpp"
#include "compiler.hpp"
#include "descriptor.hpp"
#include "varia/expr/sha256.hpp"

namespace varia::expr {
namespace {

constexpr const char* format = "varia native code, format 1";  ///< part of every key
constexpr const char* digest_symbol = "varia_source_digest";

std::string key_of(const std::string& source_digest, const Compiler& compiler,
                   const std::vector<std::string>& flags) {
  std::string text = format;
  for (const std::string& part : {source_digest, compiler.identity}) text.append("\n").append(part);
  text += '\n';
  for (const std::string& flag : flags) text += flag + '\n';
  return to_hex(sha256(text));
}

/// A file in memory that nobody can change any more.
Descriptor sealed_memory(const std::string& bytes) {
  Descriptor memory(::memfd_create("varia", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!memory.valid() || !write_all(memory.get(), bytes) ||
      ::fcntl(memory.get(), F_ADD_SEALS,
              F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL) != 0)
    throw NativeError(std::string("native code: no memory file to load it from: ") +
                      std::strerror(errno));
  return memory;
}

std::string loader_message() {
  const char* message = ::dlerror();
  return message == nullptr ? "unknown reason" : message;
}

/// The modules by the digest of their source, while somebody shares them.
class ModuleShelf {
 public:
  using Module = std::shared_ptr<const NativeModule>;

  void begin() {
    const std::lock_guard<std::mutex> lock(mutex_);
    ++users_;
  }
  void end() {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (--users_ == 0) modules_.clear();
  }
  Module find(const std::string& digest) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto at = modules_.find(digest);
    return at == modules_.end() ? nullptr : at->second;
  }
  void keep(const std::string& digest, const Module& module) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (users_ > 0) modules_.emplace(digest, module);
  }

 private:
  std::mutex mutex_;
  int users_ = 0;
  std::map<std::string, Module> modules_;
};

ModuleShelf& shared_modules() {
  static ModuleShelf shelf;
  return shelf;
}

}  // namespace

std::shared_ptr<const NativeModule> NativeModule::compile(
    const std::vector<NativeFunction>& functions, const std::string& extra_source) {
  const auto start = std::chrono::steady_clock::now();
  if (functions.empty() && extra_source.empty())
    throw InvalidArgument("native code: there is no function to compile");
  Source source = generate_source(functions, extra_source);
  const std::string digest = to_hex(sha256(source.text));
  if (auto shared = shared_modules().find(digest)) return shared;
  source.text += std::string("const char ") + digest_symbol + "[] = \"" + digest + "\";\n";
  const Compiler compiler = find_compiler();
  const std::vector<std::string> flags = compiler_flags(source.operations, source.loops);
  const std::string key = key_of(digest, compiler, flags);

  const std::shared_ptr<NativeModule> module(new NativeModule);
  module->compiler_ = compiler.path;
  const Cache cache = Cache::open();
  if (!cache.usable()) module->add_note("native code is not kept: " + cache.problem());
  if (cache.usable()) module->load_from(cache, key, digest);
  if (module->handle_ == nullptr) {
    const std::string bytes = compile_source(compiler, flags, source.text);
    module->load(bytes, digest);
    const std::string problem = cache.usable() ? cache.store(key, bytes) : "";
    if (!problem.empty())
      module->add_note("native code is not kept: " + cache.path(key) + ' ' + problem);
  }
  module->find_functions(functions);
  module->seconds_ =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  shared_modules().keep(digest, module);
  return module;
}

SharedModules::SharedModules() { shared_modules().begin(); }
SharedModules::~SharedModules() { shared_modules().end(); }

NativeModule::~NativeModule() { unload(); }

/// Loads the module if the cache has it; says in the note why an entry that is there is not used.
void NativeModule::load_from(const Cache& cache, const std::string& key,
                             const std::string& source_digest) {
  std::string problem;
  if (const auto bytes = cache.load(key, problem)) {
    try {
      load(*bytes, source_digest);
      from_cache_ = true;
    } catch (const NativeError& error) {
      problem = error.what();
    }
  }
  if (!problem.empty()) add_note("compiled again: " + cache.path(key) + ' ' + problem);
}

void NativeModule::load(const std::string& bytes, const std::string& source_digest) {
  Descriptor memory = sealed_memory(bytes);
  const std::string path = "/proc/self/fd/" + std::to_string(memory.get());
  handle_ = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle_ == nullptr) throw NativeError("native code cannot be loaded: " + loader_message());
  // The loader knows modules by their path: the number stays ours while the module is loaded.
  descriptor_ = memory.release();
  const void* found = ::dlsym(handle_, digest_symbol);
  if (found != nullptr && std::strcmp(static_cast<const char*>(found), source_digest.c_str()) == 0)
    return;
  unload();
  throw NativeError("native code cannot be loaded: it was made from another source");
}

void NativeModule::unload() {
  if (handle_ != nullptr) ::dlclose(std::exchange(handle_, nullptr));
  if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
}

void NativeModule::find_functions(const std::vector<NativeFunction>& functions) {
  for (const NativeFunction& function : functions)
    functions_[function.name] = {reinterpret_cast<Compiled>(symbol(function.name)),
                                 function.inputs(), function.outputs()};
}

void NativeModule::add_note(const std::string& text) {
  note_ += (note_.empty() ? "" : "; ") + text;
}

const NativeModule::Entry& NativeModule::entry(const std::string& name) const {
  const auto found = functions_.find(name);
  if (found != functions_.end()) return found->second;
  std::string names;
  for (const auto& [known, unused] : functions_) names += (names.empty() ? "" : ", ") + known;
  throw InvalidArgument("native code has no function '" + name + "'; it has: " + names);
}

Compiled NativeModule::function(const std::string& name) const { return entry(name).address; }

Compiled NativeModule::function(const std::string& name, int inputs, int outputs) const {
  const Entry& found = entry(name);
  if (found.inputs == inputs && found.outputs == outputs) return found.address;
  throw InvalidArgument("native function '" + name + "' takes " + std::to_string(found.inputs) +
                        " numbers to " + std::to_string(found.outputs) + ", asked for " +
                        std::to_string(inputs) + " to " + std::to_string(outputs));
}

void* NativeModule::symbol(const std::string& name) const {
  void* address = ::dlsym(handle_, name.c_str());
  if (address == nullptr) throw InvalidArgument("native code has no symbol '" + name + "'");
  return address;
}

}  // namespace varia::expr
