// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What a wrong request is answered with: the text of its error, and words that must be in it.
#include <gtest/gtest.h>

#include <exception>
#include <initializer_list>
#include <string>

#include "varia/core/error.hpp"

namespace varia {

/// The text of the error of type E that f throws; a test failure when it throws another or none.
template <class E = InvalidArgument, class F> std::string refusal(const F& f) {
  try {
    f();
  } catch (const E& error) {
    return error.what();
  } catch (const std::exception& error) {
    ADD_FAILURE() << "another exception: " << error.what();
    return "";
  }
  ADD_FAILURE() << "accepted";
  return "";
}

inline void expect_words(const std::string& text, std::initializer_list<const char*> words) {
  for (const char* word : words)
    EXPECT_NE(text.find(word), std::string::npos) << "'" << word << "' is not in: " << text;
}

inline void expect_has(const std::string& text, const std::string& part) {
  expect_words(text, {part.c_str()});
}

}  // namespace varia
