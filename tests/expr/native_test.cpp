// SPDX-License-Identifier: BSD-3-Clause
// Native code computes what the interpreter computes.
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
#include "native_fixture.hpp"
#include "refusal.hpp"

namespace varia::expr::native_test {
namespace {

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
  for (int i = static_cast<int>(Op::neg); i < static_cast<int>(Op::table); ++i) {
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
                      Op::sinh, Op::cosh, Op::tanh, Op::pow, Op::atan2, Op::hypot, Op::erf})
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
  std::size_t cosines = 0;
  std::size_t together = 0;
  for (auto at = text.find("= cos("); at != std::string::npos; at = text.find("= cos(", at + 1)) {
    const std::string argument = text.substr(at + 5, text.find(';', at) - at - 5);
    const auto sine = text.find("= sin" + argument, at);
    const auto outside = text.find("}\n", at);
    ++cosines;
    if (sine < outside && text.find("= cos(", at + 1) > sine) ++together;
  }
  EXPECT_GT(cosines, 0U);
  EXPECT_EQ(together, cosines);
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

}  // namespace
}  // namespace varia::expr::native_test
