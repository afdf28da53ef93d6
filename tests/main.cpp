// SPDX-License-Identifier: BSD-3-Clause
// The main function of every test program. A program holds the tests of a folder;
// --file=NAME_test.cpp runs those of one source file. With sanitizers, those of suites whose names end
// in Slow are left out: they repeat what others do, over more cases.
#include <gtest/gtest.h>

#include <cstdio>
#include <string>
#include <string_view>

namespace {

bool is_of(const testing::TestInfo& test, const std::string& file) {
  const std::string_view path = test.file();
  return path == file || path.ends_with("/" + file);
}

#if defined(__SANITIZE_ADDRESS__)
constexpr bool sanitized = true;
#elif defined(__has_feature)
constexpr bool sanitized = __has_feature(address_sanitizer);
#else
constexpr bool sanitized = false;
#endif

/// The filter of GoogleTest that lets the tests of one source file pass; empty if it has none.
std::string filter_of(const std::string& file) {
  std::string filter;
  const testing::UnitTest& all = *testing::UnitTest::GetInstance();
  for (int i = 0; i < all.total_test_suite_count(); ++i) {
    const testing::TestSuite& suite = *all.GetTestSuite(i);
    if (sanitized && std::string_view(suite.name()).ends_with("Slow")) continue;
    for (int k = 0; k < suite.total_test_count(); ++k) {
      const testing::TestInfo& test = *suite.GetTestInfo(k);
      if (is_of(test, file))
        filter += (filter.empty() ? "" : ":") + std::string(suite.name()) + "." + test.name();
    }
  }
  return filter;
}

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  const std::string_view option = "--file=";
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (!argument.starts_with(option)) {
      std::fprintf(stderr, "unknown argument %s; allowed: --file=NAME, --gtest_...\n", argv[i]);
      return 2;
    }
    const std::string file(argument.substr(option.size()));
    const std::string filter = filter_of(file);
    if (filter.empty()) {
      std::fprintf(stderr, "%s holds no test of a file %s\n", argv[0], file.c_str());
      return 2;
    }
    GTEST_FLAG_SET(filter, filter);
  }
  return RUN_ALL_TESTS();
}
