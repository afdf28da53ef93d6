// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Texts of a scope as nodes of one graph: equal expressions are one node.
#include <gtest/gtest.h>

#include <string>

#include "varia/expr/parse.hpp"

namespace varia::expr {

struct Texts {
  Graph g;
  Scope scope;

  void let(const std::string& head, const std::string& text) {
    Definition definition = definition_of(head);
    definition.text = text;
    scope.add(definition);
  }
  Id operator()(const std::string& text) { return parse(g, scope, text); }
  void expect_equal(const std::string& text, const std::string& same) {
    EXPECT_EQ((*this)(text), (*this)(same)) << text << " is not " << same;
  }
  /// What is said of a text that is refused.
  ParseError error(const std::string& text) {
    try {
      parse(g, scope, text);
    } catch (const ParseError& e) {
      return e;
    }
    ADD_FAILURE() << text << " is accepted";
    return {"", 0, 0, ""};
  }
};

struct TextFixture : testing::Test, Texts {};

}  // namespace varia::expr
