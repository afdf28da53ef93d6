// SPDX-License-Identifier: BSD-3-Clause
// Compilers that are missing, fail or hang give an error; the cache is used, checked, and safe with
// several runs at once.
#include "../../src/expr/compiler.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <string>
#include <vector>

#include "../../src/expr/cache.hpp"
#include "../../src/expr/codegen.hpp"
#include "native_fixture.hpp"

namespace varia::expr::compiler_test {
namespace {

class CompilerTest : public NativeTest {};

TEST_F(CompilerTest, TheSecondTimeComesFromTheCache) {
  const Tape tape = multiple(2.0), other = multiple(3.0);
  const auto first = NativeModule::compile({{"f", &tape}});
  EXPECT_FALSE(first->from_cache());
  EXPECT_EQ(first->note(), "");
  EXPECT_GT(first->seconds(), 0.0);
  EXPECT_EQ(first->compiler(), find_compiler().path);
  EXPECT_EQ(names(cache()).size(), 1u);
  const auto second = NativeModule::compile({{"f", &tape}});
  EXPECT_TRUE(second->from_cache());
  EXPECT_EQ(second->note(), "");
  EXPECT_EQ(value(*second, "f", 4.0), 8.0);
  EXPECT_FALSE(NativeModule::compile({{"f", &other}})->from_cache());
  EXPECT_FALSE(NativeModule::compile({{"g", &tape}})->from_cache());
  EXPECT_FALSE(NativeModule::compile({{"f", &tape}}, "int one = 1;")->from_cache());
  EXPECT_EQ(names(cache()).size(), 4u);
}

TEST_F(CompilerTest, AnotherCompilerIsAnotherEntry) {
  const Tape tape = multiple(2.0);
  const std::string real = find_compiler().path;
  const std::string file = script(root() / "mycc", "exec '" + real + "' \"$@\"");
  set("VARIA_CC", file);
  EXPECT_FALSE(NativeModule::compile({{"f", &tape}})->from_cache());
  EXPECT_TRUE(NativeModule::compile({{"f", &tape}})->from_cache());
  script(file, "# an update\nexec '" + real + "' \"$@\"");
  EXPECT_FALSE(NativeModule::compile({{"f", &tape}})->from_cache());
}

TEST_F(CompilerTest, DamagedEntriesAreRebuilt) {
  const Tape tape = multiple(2.0);
  NativeModule::compile({{"f", &tape}});
  const auto entry = cache() / names(cache()).at(0);
  const std::string whole = read(entry);
  std::string flipped = whole;
  flipped[whole.size() / 2] = static_cast<char>(flipped[whole.size() / 2] ^ 4);
  for (const std::string& bytes : {whole.substr(0, whole.size() / 2), flipped, std::string()}) {
    write(entry, bytes);
    const auto module = NativeModule::compile({{"f", &tape}});
    EXPECT_FALSE(module->from_cache());
    expect_words(module->note(), {"compiled again", entry.c_str(), "is damaged"});
    EXPECT_EQ(value(*module, "f", 4.0), 8.0);
    const auto next = NativeModule::compile({{"f", &tape}});
    EXPECT_TRUE(next->from_cache());
    EXPECT_EQ(next->note(), "");
  }
}

// Undamaged entries that are not what the key promises: another module, and no module at all.
TEST_F(CompilerTest, WrongEntriesAreRebuilt) {
  const Tape tape = multiple(2.0), other = multiple(3.0);
  NativeModule::compile({{"f", &other}});
  const std::string other_key = names(cache()).at(0).substr(0, 64);
  std::string problem;
  const std::string other_bytes = Cache::open().load(other_key, problem).value();
  std::filesystem::remove(cache() / (other_key + ".so"));
  NativeModule::compile({{"f", &tape}});
  const std::string key = names(cache()).at(0).substr(0, 64);
  for (const std::string& bytes : {other_bytes, std::string("no module")}) {
    ASSERT_EQ(Cache::open().store(key, bytes), "");
    const auto module = NativeModule::compile({{"f", &tape}});
    EXPECT_FALSE(module->from_cache());
    expect_words(module->note(), {"compiled again", "cannot be loaded"});
    EXPECT_EQ(value(*module, "f", 4.0), 8.0);
  }
}

TEST_F(CompilerTest, WithoutACacheThereIsANote) {
  const Tape tape = multiple(2.0);
  std::filesystem::create_directory(cache());
  ::chmod(cache().c_str(), 0777);
  for (int i = 0; i < 2; ++i) {
    const auto module = NativeModule::compile({{"f", &tape}});
    EXPECT_FALSE(module->from_cache());
    expect_words(module->note(), {"not kept", cache().c_str(), "written by others"});
    EXPECT_EQ(value(*module, "f", 4.0), 8.0);
  }
  EXPECT_EQ(names(cache()), std::vector<std::string>{});
}

TEST_F(CompilerTest, ModulesDoNotGetMixedUp) {
  const Tape two = multiple(2.0), three = multiple(3.0);
  const auto a = NativeModule::compile({{"f", &two}});
  const auto b = NativeModule::compile({{"f", &three}});
  EXPECT_EQ(value(*a, "f", 4.0), 8.0);
  EXPECT_EQ(value(*b, "f", 4.0), 12.0);
  for (int i = 0; i < 5; ++i) {  // closed and opened again, from the same place in memory
    EXPECT_EQ(value(*NativeModule::compile({{"f", &two}}), "f", 4.0), 8.0);
    EXPECT_EQ(value(*NativeModule::compile({{"f", &three}}), "f", 4.0), 12.0);
  }
}

TEST_F(CompilerTest, SeveralProcessesAtOnce) {
  const Tape tape = multiple(2.0);
  std::vector<pid_t> children;
  for (int i = 0; i < 8; ++i) {
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      int code = 1;
      try {
        const auto module = NativeModule::compile({{"f", &tape}});
        code = value(*module, "f", 4.0) == 8.0 && module->note().empty() ? 0 : 2;
      } catch (...) {
        code = 3;
      }
      ::_exit(code);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = -1;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(names(cache()).size(), 1u);
  EXPECT_TRUE(NativeModule::compile({{"f", &tape}})->from_cache());
}

TEST_F(CompilerTest, TooLargeIsRefusedAtOnce) {
  const Tape tape = random_tape(1, {Op::add, Op::mul}, 9, 130'000, 1000);
  ASSERT_GT(static_cast<std::size_t>(tape.operations()), NativeModule::max_operations);
  expect_words(error_of(tape), {"operations", "at most 100000", "interpreter"});
}

TEST_F(CompilerTest, NoCompiler) {
  const Tape tape = multiple(2.0);
  EXPECT_TRUE(compiler_available());
  set("VARIA_CC", "/nonexistent");
  EXPECT_FALSE(compiler_available());
  expect_words(error_of(tape), {"no C compiler", "VARIA_CC", "'/nonexistent'"});
  set("VARIA_CC", "gcc -O3");
  expect_words(error_of(tape), {"VARIA_CC", "'gcc -O3'", "without arguments"});
  set("VARIA_CC", root().string());  // a folder is no program
  EXPECT_FALSE(compiler_available());
  unset("VARIA_CC");
  set("PATH", (root() / "tmp").string());
  EXPECT_FALSE(compiler_available());
  expect_words(error_of(tape), {"cc, gcc and clang", "VARIA_CC", (root() / "tmp").c_str()});
}

TEST_F(CompilerTest, CompilersAreFoundInOrder) {
  const auto bin = root() / "bin";
  std::filesystem::create_directory(bin);
  set("PATH", bin.string());
  for (const char* name : {"clang", "gcc", "cc"}) {
    script(bin / name, "exit 1");
    EXPECT_EQ(find_compiler().path, (bin / name).string());
  }
  set("VARIA_CC", "clang");
  EXPECT_EQ(find_compiler().path, (bin / "clang").string());
  // Folders of PATH that depend on where the program was started do not count.
  unset("VARIA_CC");
  const auto here = std::filesystem::current_path();
  std::filesystem::current_path(bin);
  for (const char* path : {"", ".", ":", ".:"}) {
    set("PATH", path);
    EXPECT_FALSE(compiler_available()) << path;
  }
  std::filesystem::current_path(here);
}

TEST_F(CompilerTest, AFailingCompilerIsQuoted) {
  const Tape tape = multiple(2.0);
  set("VARIA_CC", script(root() / "mycc", "echo 'sorry: not today'; echo second line >&2; exit 3"));
  expect_words(error_of(tape), {"mycc", "failed with code 3", "sorry: not today\nsecond line"});
  EXPECT_EQ(names(cache()), std::vector<std::string>{});
  set("VARIA_CC", script(root() / "mycc", "kill -11 $$"));
  expect_has(error_of(tape), "signal 11");
  set("VARIA_CC", script(root() / "mycc", "exit 0"));
  expect_has(error_of(tape), "wrote no module");
  write(root() / "mycc", "not a program");
  expect_has(error_of(tape), "cannot be started");
  unset("VARIA_CC");
  expect_has(refusal<NativeError>([&] {
               NativeModule::compile({{"f", &tape}}, "int broken(");
             }),
             "error");
}

TEST_F(CompilerTest, ALongMessageIsCut) {
  const Tape tape = multiple(2.0);
  set("VARIA_CC", script(root() / "mycc",
                         "i=0; while [ $i -lt 3000 ]; do i=$((i+1)); echo line "
                         "$i of a message that is far longer than 64 kB; done; exit 1"));
  const std::string text = error_of(tape);
  expect_words(text, {"line 1 ", "line 8 "});
  EXPECT_EQ(text.find("line 9 "), std::string::npos);
}

TEST_F(CompilerTest, NoShellAndNoEnvironment) {
  const Tape tape = multiple(2.0);
  const auto folder = root() / "a b;touch $(pwd)";
  std::filesystem::create_directory(folder);
  set("A_SECRET", "of ours");
  set("VARIA_CC",
      script(folder / "my cc", "echo \"<$A_SECRET> <$LC_ALL> <$HOME> <$(cat)>\"; exit 1"));
  set("HOME", "/home/of/someone");
  expect_has(error_of(tape), "<> <C> </home/of/someone> <>");
}

// The compiler and what it has started are ended: the pipe they hold has no writer any more.
TEST_F(CompilerTest, AHangingCompilerIsEnded) {
  const std::string pipe = (root() / "pipe").string();
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const Descriptor reader(::open(pipe.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  for (const char* commands : {"exec 9>'PIPE'; echo x >&9; sleep 600; exit 0",
                               "exec 9>'PIPE' >/dev/null 2>&1; echo x >&9; sleep 600; exit 0"}) {
    std::string text = commands;
    text.replace(text.find("PIPE"), 4, pipe);
    set("VARIA_CC", script(root() / "mycc", text));
    expect_words(refusal<NativeError>([] {
                   compile_source(find_compiler(), {}, "", std::chrono::milliseconds(200));
                 }),
                 {"mycc", "was ended", "longer than 0.2 s"});
    struct pollfd wait {
      reader.get(), 0, 0
    };
    EXPECT_EQ(::poll(&wait, 1, 10'000), 1) << "something still runs";
    EXPECT_NE(wait.revents & POLLHUP, 0);
  }
}

}  // namespace
}  // namespace varia::expr::compiler_test
