// SPDX-License-Identifier: BSD-3-Clause
// Native code computes what the interpreter computes; compilers that are missing, fail or hang
// give an error; the cache is used, checked, and safe with several runs at once.
#include "varia/expr/native.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "../../src/expr/cache.hpp"
#include "../../src/expr/codegen.hpp"
#include "../../src/expr/compiler.hpp"
#include "native_sandbox.hpp"
#include "refusal.hpp"

namespace varia::expr::native_test {
namespace {

using Ops = std::vector<Op>;

const Ops exact_ops = {Op::neg, Op::abs, Op::sign, Op::sqrt, Op::add, Op::sub,
                       Op::mul, Op::div, Op::min,  Op::max,  Op::less};

/// Each step is an operation of the list applied to two of the latest results.
Tape random_tape(unsigned seed, const Ops& ops, int inputs, int steps, int reach) {
  std::mt19937 random(seed);
  const auto below = [&](std::size_t n) { return random() % static_cast<unsigned>(n); };
  Graph graph;
  std::vector<Id> nodes;
  for (int i = 0; i < inputs; ++i) nodes.push_back(graph.variable(i));
  for (const double c : {0.1, -3.0, 1e300, 4.9e-324}) nodes.push_back(graph.constant(c));
  const auto pick = [&] {
    return nodes[nodes.size() - 1 - below(std::min(nodes.size(), static_cast<std::size_t>(reach)))];
  };
  for (int i = 0; i < steps; ++i) {
    const Op op = ops[below(ops.size())];
    const Id a = pick(), b = pick();
    nodes.push_back(operands(op) == 1 ? graph.make(op, a) : graph.make(op, a, b));
  }
  return Tape(graph, nodes, inputs);
}

std::vector<double> interpret(const Tape& tape, const std::vector<double>& x) {
  std::vector<double> out(static_cast<std::size_t>(tape.outputs()), -77.0);
  std::vector<double> work(tape.instructions().size());
  tape.evaluate(x.data(), out.data(), work.data());
  return out;
}

std::vector<double> call(Compiled f, const Tape& tape, const std::vector<double>& x) {
  std::vector<double> out(static_cast<std::size_t>(tape.outputs()), -77.0);
  f(x.data(), out.data(), tape.parameters().data());
  return out;
}

/// The number of doubles between two doubles; no distance between two NaN.
std::uint64_t distance(double a, double b) {
  if (std::isnan(a) && std::isnan(b)) return 0;
  if (std::isnan(a) || std::isnan(b)) return std::numeric_limits<std::uint64_t>::max();
  const auto order = [](double x) {
    const auto bits = std::bit_cast<std::int64_t>(x);
    return bits < 0 ? std::numeric_limits<std::int64_t>::min() - bits : bits;
  };
  const std::int64_t i = order(a), j = order(b);
  return i < j ? static_cast<std::uint64_t>(j) - static_cast<std::uint64_t>(i)
               : static_cast<std::uint64_t>(i) - static_cast<std::uint64_t>(j);
}

std::uint64_t largest_distance(const std::vector<double>& a, const std::vector<double>& b) {
  std::uint64_t largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, distance(a[i], b[i]));
  return largest;
}

/// The same bits, or both NaN.
void expect_same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i)
    EXPECT_TRUE((std::isnan(a[i]) && std::isnan(b[i])) ||
                std::bit_cast<std::uint64_t>(a[i]) == std::bit_cast<std::uint64_t>(b[i]))
        << "output " << i << ": " << a[i] << " and " << b[i];
}

std::vector<double> random_point(unsigned seed, int n) {
  std::mt19937 random(seed);
  std::vector<double> x;
  for (int i = 0; i < n; ++i)
    x.push_back((static_cast<double>(random()) / 4294967296.0 - 0.5) * 6.0);
  return x;
}

class NativeTest : public Sandbox {
 protected:
  ~NativeTest() override { EXPECT_EQ(names(root() / "tmp"), std::vector<std::string>{}); }

  /// c x0, a function that is easy to tell from another.
  static Tape multiple(double c) {
    Graph graph;
    return Tape(graph, {graph.mul(graph.constant(c), graph.variable(0))}, 1);
  }
  static double value(const NativeModule& module, const std::string& name, double x) {
    double out = -77.0;
    module.function(name)(&x, &out, nullptr);
    return out;
  }
  std::string error_of(const Tape& tape) const {
    return refusal<NativeError>([&] { NativeModule::compile({{"f", &tape}}); });
  }
};

TEST_F(NativeTest, ArithmeticIsEqualToTheBit) {
  std::vector<Tape> tapes;
  for (unsigned seed = 1; seed <= 10; ++seed)
    tapes.push_back(random_tape(seed, exact_ops, 5, 60, 12));
  std::vector<NativeFunction> functions;
  for (std::size_t i = 0; i < tapes.size(); ++i)
    functions.push_back({"f" + std::to_string(i), &tapes[i]});
  const auto module = NativeModule::compile(functions);
  for (std::size_t i = 0; i < tapes.size(); ++i)
    for (unsigned seed = 1; seed <= 20; ++seed) {
      const auto x = random_point(seed, 5);
      expect_same_bits(interpret(tapes[i], x),
                       call(module->function(functions[i].name), tapes[i], x));
    }
}

TEST_F(NativeTest, EveryOperationAtSpecialValues) {
  const double infinity = std::numeric_limits<double>::infinity();
  const std::vector<double> values = {0.0,  -0.0,     1.0,       -1.0,        0.5,
                                      -2.5, 3.0,      1e-320,    1e300,       -1e300,
                                      0.7,  infinity, -infinity, std::nan("")};
  Graph graph;
  const Id x = graph.variable(0), y = graph.variable(1);
  std::vector<Id> all = {x, y, graph.constant(0.1)};
  for (int i = static_cast<int>(Op::neg); i <= static_cast<int>(Op::less); ++i) {
    const Op op = static_cast<Op>(i);
    all.push_back(operands(op) == 1 ? graph.make(op, x) : graph.make(op, x, y));
  }
  const Tape tape(graph, all, 2);
  const auto module = NativeModule::compile({{"all", &tape}});
  for (const double a : values)
    for (const double b : values) {
      const auto expected = interpret(tape, {a, b});
      const auto found = call(module->function("all"), tape, {a, b});
      for (std::size_t i = 0; i < all.size(); ++i)
        EXPECT_LE(distance(expected[i], found[i]), 1u) << "output " << i << " at " << a << ", " << b
                                                       << ": " << expected[i] << ", " << found[i];
    }
}

TEST_F(NativeTest, FunctionsAgreeToTwoUnitsInTheLastPlace) {
  Ops ops = exact_ops;
  for (const Op op : {Op::exp, Op::log, Op::sin, Op::cos, Op::tan, Op::asin, Op::acos, Op::atan,
                      Op::sinh, Op::cosh, Op::tanh, Op::pow, Op::atan2, Op::hypot})
    ops.push_back(op);
  for (unsigned seed = 1; seed <= 5; ++seed) {
    const Tape tape = random_tape(seed, ops, 6, 60, 40);
    const auto module = NativeModule::compile({{"f", &tape}});
    for (unsigned point = 1; point <= 20; ++point) {
      const auto x = random_point(point, 6);
      EXPECT_LE(largest_distance(interpret(tape, x), call(module->function("f"), tape, x)), 2u);
    }
  }
}

// Products are not contracted into fused multiply-adds: the remainder of a square is exactly zero.
TEST_F(NativeTest, EveryOperationIsRoundedOnItsOwn) {
  Graph graph;
  const Id x = graph.variable(0), y = graph.variable(1);
  const Tape tape(graph, {graph.sub(graph.mul(x, x), y)}, 2);
  const auto module = NativeModule::compile({{"f", &tape}});
  const double third = 1.0 / 3.0;
  EXPECT_EQ(call(module->function("f"), tape, {third, third * third})[0], 0.0);
}

TEST_F(NativeTest, ConstantsKeepAllBits) {
  Graph graph;
  std::vector<Id> outputs;
  for (const double c : {0.1, -0.1, 1e-320, 4.9e-324, 1.7976931348623157e308, -3.0, 0.0, 2.0 / 3.0})
    outputs.push_back(graph.constant(c));
  for (const Id c : std::vector<Id>(outputs)) outputs.push_back(graph.add(graph.variable(0), c));
  const Tape tape(graph, outputs, 1);
  const auto module = NativeModule::compile({{"f", &tape}});
  for (const double x : {0.0, 1e-310, 1.5})
    expect_same_bits(interpret(tape, {x}), call(module->function("f"), tape, {x}));
}

TEST_F(NativeTest, LongProgramsInPartsGiveTheSameBits) {
  const Tape tape = random_tape(3, exact_ops, 8, 2200, 300);
  ASSERT_GT(tape.operations(), 1500) << "not long enough to be divided";
  expect_has(generate_source({{"f", &tape}}, "").text, "varia_part_0_3(");
  const auto module = NativeModule::compile({{"f", &tape}});
  for (unsigned seed = 1; seed <= 5; ++seed) {
    const auto x = random_point(seed, 8);
    expect_same_bits(interpret(tape, x), call(module->function("f"), tape, x));
  }
}

// All cosines come first and all sines last, far from each other; both of an angle are one part.
TEST_F(NativeTest, SineAndCosineOfAnAngleStandTogether) {
  Graph graph;
  std::vector<Id> angles, outputs;
  for (int i = 0; i < 400; ++i)
    angles.push_back(graph.mul(graph.variable(i % 7), graph.constant(0.3 + i)));
  for (const Id angle : angles) outputs.push_back(graph.make(Op::cos, angle));
  for (std::size_t i = 0; i < angles.size(); ++i)
    outputs.push_back(graph.mul(outputs[i], graph.make(Op::sin, angles[i])));
  const Tape tape(graph, outputs, 7);
  const std::string text = generate_source({{"f", &tape}}, "").text;
  std::size_t together = 0;
  for (auto at = text.find("= cos(t"); at != std::string::npos; at = text.find("= cos(t", at + 1)) {
    const std::string argument = text.substr(at + 5, text.find(';', at) - at - 5);
    const auto sine = text.find("= sin" + argument, at);
    const auto outside = text.find("}\n", at);
    if (sine < outside && text.find("= cos(t", at + 1) > sine) ++together;
  }
  EXPECT_EQ(together, angles.size());
  const auto module = NativeModule::compile({{"f", &tape}});
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const auto x = random_point(seed, 7);
    expect_same_bits(interpret(tape, x), call(module->function("f"), tape, x));
  }
}

// First in, last out: all values are alive at once, more than a stack should hold.
TEST_F(NativeTest, ALargeScratchArray) {
  Graph graph;
  std::vector<Id> terms;
  for (int i = 0; i < 1100; ++i)
    terms.push_back(graph.make(Op::min, graph.variable(i % 7), graph.constant(i)));
  Id sum = graph.constant(0.5);
  for (std::size_t i = terms.size(); i-- > 0;)
    sum = graph.make(Op::max, terms[i], graph.make(Op::abs, graph.sub(sum, terms[i])));
  const Tape tape(graph, {sum, graph.variable(3)}, 7);
  const std::vector<NativeFunction> functions = {{"f", &tape}};
  expect_has(generate_source(functions, "").text, "_Thread_local");
  const auto module = NativeModule::compile(functions);
  const std::vector<double> x = {1e3, 2e2, 350.5, -1, 4e3, 17, 650.25};
  expect_same_bits(interpret(tape, x), call(module->function("f"), tape, x));
}

TEST_F(NativeTest, ProgramsWithoutOperations) {
  Graph graph;
  const Tape empty(graph, {}, 0);
  const Tape plain(graph, {graph.variable(1), graph.constant(2.5), graph.variable(1)}, 2);
  const auto module = NativeModule::compile({{"empty", &empty}, {"plain", &plain}});
  module->function("empty")(nullptr, nullptr, nullptr);
  EXPECT_EQ(call(module->function("plain"), plain, {3, 4}), (std::vector<double>{4, 2.5, 4}));
}

TEST_F(NativeTest, ExtraSourceCallsTheFunctions) {
  const Tape tape = multiple(0.5);
  const auto module = NativeModule::compile(
      {{"halve", &tape}},
      "double repeat(double x, int n) { double y; for (; n > 0; --n) { halve(&x, &y, 0); x = y; } "
      "return x; }");
  const auto repeat = reinterpret_cast<double (*)(double, int)>(module->symbol("repeat"));
  EXPECT_EQ(repeat(8.0, 5), 0.25);
  expect_has(refusal([&] { module->symbol("absent"); }), "absent");
  expect_words(refusal([&] { module->function("absent"); }), {"absent", "halve"});
}

// A name that the program around uses too still means the module's own function.
TEST_F(NativeTest, NamesMeanTheModulesOwn) {
  const Tape tape = multiple(2.0);
  const auto module =
      NativeModule::compile({{"raise", &tape}}, "void* where(void) { return (void*)raise; }");
  const auto where = reinterpret_cast<void* (*)()>(module->symbol("where"));
  EXPECT_EQ(where(), reinterpret_cast<void*>(module->function("raise")));
  EXPECT_EQ(value(*module, "raise", 4.0), 8.0);
}

TEST_F(NativeTest, NamesAreChecked) {
  const Tape tape = multiple(2.0);
  const auto text = [&](const std::string& name) {
    return refusal([&] { NativeModule::compile({{name, &tape}}); });
  };
  for (const char* name : {"", "f(", "a b", "1f", "f;g", "\"", "f-g", "\xc3\xa9", "_f", "varia_f",
                           "double", "sin", "memcpy", "main"})
    expect_has(text(name), "native function '" + std::string(name));
  expect_has(text(std::string(201, 'f')), "1 to 200 characters");
  expect_has(text(std::string("f\0\ng", 4)), "'f??g': a name consists of letters");
  expect_has(refusal([&] { NativeModule::compile({{"f", &tape}, {"f", &tape}}); }), "twice");
  expect_has(refusal([] { NativeModule::compile({{"f", nullptr}}); }), "no tape");
  expect_has(refusal([] { NativeModule::compile({}); }), "no function");
}

TEST_F(NativeTest, TheSecondTimeComesFromTheCache) {
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

TEST_F(NativeTest, AnotherCompilerIsAnotherEntry) {
  const Tape tape = multiple(2.0);
  const std::string real = find_compiler().path;
  const std::string file = script(root() / "mycc", "exec '" + real + "' \"$@\"");
  set("VARIA_CC", file);
  EXPECT_FALSE(NativeModule::compile({{"f", &tape}})->from_cache());
  EXPECT_TRUE(NativeModule::compile({{"f", &tape}})->from_cache());
  script(file, "# an update\nexec '" + real + "' \"$@\"");
  EXPECT_FALSE(NativeModule::compile({{"f", &tape}})->from_cache());
}

TEST_F(NativeTest, DamagedEntriesAreRebuilt) {
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
TEST_F(NativeTest, WrongEntriesAreRebuilt) {
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

TEST_F(NativeTest, WithoutACacheThereIsANote) {
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

TEST_F(NativeTest, ModulesDoNotGetMixedUp) {
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

TEST_F(NativeTest, SeveralProcessesAtOnce) {
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

TEST_F(NativeTest, TooLargeIsRefusedAtOnce) {
  const Tape tape = random_tape(1, {Op::add, Op::mul}, 9, 130'000, 1000);
  ASSERT_GT(static_cast<std::size_t>(tape.operations()), NativeModule::max_operations);
  expect_words(error_of(tape), {"operations", "at most 100000", "interpreter"});
}

TEST_F(NativeTest, NoCompiler) {
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

TEST_F(NativeTest, CompilersAreFoundInOrder) {
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

TEST_F(NativeTest, AFailingCompilerIsQuoted) {
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

TEST_F(NativeTest, ALongMessageIsCut) {
  const Tape tape = multiple(2.0);
  set("VARIA_CC", script(root() / "mycc",
                         "i=0; while [ $i -lt 3000 ]; do i=$((i+1)); echo line "
                         "$i of a message that is far longer than 64 kB; done; exit 1"));
  const std::string text = error_of(tape);
  expect_words(text, {"line 1 ", "line 8 "});
  EXPECT_EQ(text.find("line 9 "), std::string::npos);
}

TEST_F(NativeTest, NoShellAndNoEnvironment) {
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
TEST_F(NativeTest, AHangingCompilerIsEnded) {
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
}  // namespace varia::expr::native_test
