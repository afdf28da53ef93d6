// SPDX-License-Identifier: BSD-3-Clause
// Vectors and matrices mean their entries: every text is the one that a person writes entry by entry.
#include "refusal.hpp"
#include "text_fixture.hpp"
#include "varia/expr/derivative.hpp"

namespace varia::expr::vectors_test {
namespace {

struct VectorsTest : TextFixture {
  int next = 0;

  std::vector<Id> variables(int count) {
    std::vector<Id> ids;
    for (int k = 0; k < count; ++k) ids.push_back(g.variable(next++));
    return ids;
  }

  VectorsTest() {
    scope.add("x", g.variable(next++));
    scope.add_array("a", 1, variables(3));
    scope.add_array("b", 1, variables(3));
    scope.add_array("p", 1, variables(2));
    scope.add_array("q", 0, variables(5));
    scope.add_array("r", {1, variables(12), {{1, 3}}});                // four vectors
    scope.add_array("u", {0, variables(6), {{2, 3}}});                 // u[0..1,2..4]
    scope.add_array("K", {1, variables(6), {{1, 3}}});                 // 2 rows, 3 columns
    scope.add_array("R", {1, variables(18), {{1, 3}, {1, 3}}});        // two matrices
    scope.add_array("g", {1, variables(12), {{1, 4}}, true});          // a motion of space
    scope.add_array("h", {1, variables(12), {{1, 2}, {1, 3}}, true});  // two motions of the plane
  }

  /// Entry by entry.
  void expect_entries(const std::string& text, const std::vector<std::string>& same,
                      const std::string& shape = "") {
    const Array found = parse_array(g, scope, text);
    ASSERT_EQ(found.entries.size(), same.size()) << text;
    for (std::size_t k = 0; k < same.size(); ++k)
      EXPECT_EQ(found.entries[k], (*this)(same[k])) << text << " has no entry " << same[k];
    if (!shape.empty()) {
      EXPECT_EQ(shape_text(found.shape), shape) << text;
    }
  }
  std::string error(const std::string& text) {
    return refusal<ParseError>([&] { parse_array(g, scope, text); });
  }
  std::string number_error(const std::string& text) {
    return refusal<ParseError>([&] { parse(g, scope, text); });
  }
};

TEST_F(VectorsTest, SumsAndMultiplesAreThoseOfTheEntries) {
  expect_entries("a + b", {"a[1] + b[1]", "a[2] + b[2]", "a[3] + b[3]"}, "a vector of length 3");
  expect_entries("2*a - b*x", {"2*a[1] - b[1]*x", "2*a[2] - b[2]*x", "2*a[3] - b[3]*x"});
  expect_entries("-a/x", {"-a[1]/x", "-a[2]/x", "-a[3]/x"});
  expect_entries("(a - b)/(1 + x^2)",
                 {"(a[1]-b[1])/(1+x^2)", "(a[2]-b[2])/(1+x^2)", "(a[3]-b[3])/(1+x^2)"});
  expect_entries("p + [x, 1]", {"p[1] + x", "p[2] + 1"}, "a vector of length 2");
  expect_entries("K + 2*K",
                 {"3*K[1,1]", "3*K[1,2]", "3*K[1,3]", "3*K[2,1]", "3*K[2,2]", "3*K[2,3]"},
                 "a matrix with 2 rows and 3 columns");
  expect_entries("q", {"q[0]", "q[1]", "q[2]", "q[3]", "q[4]"}, "a vector of length 5");
}

TEST_F(VectorsTest, ProductsOfVectors) {
  expect_equal("dot(a, b)", "a[1]*b[1] + a[2]*b[2] + a[3]*b[3]");
  expect_equal("dot(a - b, a - b)", "(a[1]-b[1])^2 + (a[2]-b[2])^2 + (a[3]-b[3])^2");
  expect_equal("norm(p)", "sqrt(p[1]^2 + p[2]^2)");
  expect_equal("dot(q, q)", "sum(k, 0, 4, q[k]^2)");
  expect_entries("cross(a, b)",
                 {"a[2]*b[3] - a[3]*b[2]", "a[3]*b[1] - a[1]*b[3]", "a[1]*b[2] - a[2]*b[1]"});
  expect_equal("dot(a, cross(a, b)) - dot(a, cross(a, b))", "0");
}

TEST_F(VectorsTest, MatricesTimesVectorsAndMatrices) {
  expect_entries("K*a", {"K[1,1]*a[1] + K[1,2]*a[2] + K[1,3]*a[3]",
                         "K[2,1]*a[1] + K[2,2]*a[2] + K[2,3]*a[3]"});
  expect_entries("transpose(K)*p", {"K[1,1]*p[1] + K[2,1]*p[2]", "K[1,2]*p[1] + K[2,2]*p[2]",
                                    "K[1,3]*p[1] + K[2,3]*p[2]"});
  const Array product = parse_array(g, scope, "K*transpose(K)");
  EXPECT_EQ(shape_text(product.shape), "a matrix with 2 rows and 2 columns");
  EXPECT_EQ(product.entries[1], (*this)("dot(K[1], K[2])"));
  expect_entries("[[0, 1], [x, 0]]*p", {"p[2]", "x*p[1]"});
}

TEST_F(VectorsTest, PartsAndIndices) {
  expect_equal("a.x + a.y*a.z", "a[1] + a[2]*a[3]");
  expect_equal("r[4].y", "r[4][2]");
  expect_equal("r[4][2]", "r[4,2]");
  expect_equal("u[1,2]", "u[1][2]");
  EXPECT_EQ((*this)("u[1,4]"), scope.array("u")->values[5]);
  EXPECT_EQ((*this)("r[2].z"), scope.array("r")->values[5]);
  EXPECT_EQ((*this)("R[2][3,1]"), scope.array("R")->values[15]);
  expect_entries("r[2] - r[1]", {"r[2,1]-r[1,1]", "r[2,2]-r[1,2]", "r[2,3]-r[1,3]"});
  expect_equal("(a + b)[2]", "a[2] + b[2]");
  expect_equal("cross(a, b).z", "a.x*b.y - a.y*b.x");
  expect_equal("K[2].x", "K[2,1]");
  expect_equal("(q + [1, 2, 3, 4, 5])[0]", "q[0] + 1");  // sums keep the indices of the first array
}

TEST_F(VectorsTest, SumsOverVectors) {
  expect_entries("sum(i, 1, 4, i*r[i])", {"r[1,1] + 2*r[2,1] + 3*r[3,1] + 4*r[4,1]",
                                          "r[1,2] + 2*r[2,2] + 3*r[3,2] + 4*r[4,2]",
                                          "r[1,3] + 2*r[2,3] + 3*r[3,3] + 4*r[4,3]"});
  expect_entries("a + sum(i, 1, 0, r[i])", {"a[1]", "a[2]", "a[3]"});
  expect_equal("sum(i, 0, 1, sum(j, 2, 4, u[i,j]))",
               "(u[0,2] + u[0,3] + u[0,4]) + (u[1,2] + u[1,3] + u[1,4])");
}

TEST_F(VectorsTest, MotionsMovePoints) {
  expect_entries("g*a", {"g.rotation[1,1]*a.x + g.rotation[1,2]*a.y + g.rotation[1,3]*a.z + "
                         "g.position.x",
                         "dot(g.rotation[2], a) + g.position.y",
                         "dot(g.rotation[3], a) + "
                         "g.position.z"});
  expect_entries("g*[0, 0, 0]", {"g.position[1]", "g.position[2]", "g.position[3]"});
  expect_entries("h[2]*p", {"dot(h[2].rotation[1], p) + h[2].position.x",
                            "dot(h[2].rotation[2], p) + h[2].position.y"});
  EXPECT_EQ((*this)("h[1].position.y"), scope.array("h")->values[5]);
}

TEST_F(VectorsTest, ConditionsChooseBetweenVectors) {
  expect_entries("if(x < 0, a, -b)",
                 {"if(x < 0, a[1], -b[1])", "if(x < 0, a[2], -b[2])", "if(x < 0, a[3], -b[3])"});
  expect_words(error("if(x < 0, a, p)"), {"two values of if", "length 3", "length 2"});
  expect_words(error("if(a < b, 1, 2)"), {"'a' is the array a[1..3]", "a number is needed"});
}

TEST_F(VectorsTest, DefinitionsMayBeVectorsAndTakeThem) {
  let("d[i]", "r[i+1] - r[i]");
  let("c", "[x, 0, 1]");
  let("V(v)", "dot(v, v)/2");
  let("part(v, k)", "v.x + 0*k");
  let("W(s)", "s^2*c");
  let("second(v)", "v[1]");
  let("row(A)", "dot(A[1], A[1])");
  expect_entries("d[2]", {"r[3,1] - r[2,1]", "r[3,2] - r[2,2]", "r[3,3] - r[2,3]"});
  expect_equal("d[2].y", "r[3,2] - r[2,2]");
  expect_equal("d[2][1]", "r[3,1] - r[2,1]");
  expect_equal("c[3] + c.x", "1 + x");
  expect_equal("V(a)", "dot(a, a)/2");
  expect_equal("V(p)", "dot(p, p)/2");
  expect_equal("sum(i, 1, 3, V(d[i]))", "V(d[1]) + V(d[2]) + V(d[3])");
  expect_equal("part(b, 7)", "b[1]");
  expect_entries("W(3)", {"9*x", "0", "9"});
  expect_equal("second(q) - second([q[0], q[1], q[2], q[3], q[4]])", "q[1] - q[0]");
  expect_equal("row([[1, 1, 1], [1, 1, 1]]) - row([[1, 1], [1, 1], [1, 1]])", "1");
  EXPECT_NO_THROW(check_definitions(g, scope));
  expect_words(error("V(x)"), {"in the definition of V", "dot takes vectors, found a number"});
  expect_words(error("part(x, 1)"),
               {"in the definition of part", "what stands before '.' is a number"});
  expect_words(error("sum(i, 1, 0, V(x))"), {"dot takes vectors"});  // read without effect
  EXPECT_EQ((*this)("sum(i, 1, 0, V(a))"), g.constant(0.0));
}

TEST_F(VectorsTest, DerivativesAreThoseOfTheEntries) {
  const Id f = (*this)("dot(a, K[1])^2 + norm(a)");
  const Id same =
      (*this)("(a[1]*K[1,1] + a[2]*K[1,2] + a[3]*K[1,3])^2 + sqrt(a[1]^2+a[2]^2+a[3]^2)");
  EXPECT_EQ(f, same);
  EXPECT_EQ(derivative(g, (*this)("dot(a, b)"), 2), (*this)("b[2]"));
}

TEST_F(VectorsTest, KindsThatDoNotFitAreErrorsAtTheirPlace) {
  struct Case {
    std::string text;
    int column;
    std::vector<std::string> words;
  };
  for (const Case& c : std::vector<Case>{
           {"a + 1", 1, {"'a' is the array a[1..3], a vector of length 3", "a number is needed"}},
           {"x - 2*a", 3, {"a number and a vector of length 3", "r.x", "multiple"}},
           {"a + p", 3, {"length 3", "length 2"}},
           {"a*b", 2, {"dot(v, w)", "cross(v, w)"}},
           {"a*K", 2, {"transpose(K)*v"}},
           {"K*p",
            2,
            {"2 rows and 3 columns", "a vector of length 3", "found a vector of length 2"}},
           {"1/a", 2, {"divides by numbers", "norm(v)"}},
           {"x + a^2", 6, {"has no power", "dot(v, v)"}},
           {"sin(a)", 5, {"'a' is the array a[1..3]", "it needs an index, as in a[1]", "norm(a)"}},
           {"cross(p, p)", 1, {"length 3", "v.x*w.y - v.y*w.x"}},
           {"dot(a, p)", 1, {"one length", "length 3", "length 2"}},
           {"dot(a, x)", 8, {"dot takes vectors, found a number"}},
           {"norm(x)", 6, {"found a number", "abs(x)"}},
           {"norm(K)", 6, {"found a matrix"}},
           {"transpose(a)", 11, {"transpose takes a matrix"}},
           {"a[4]", 3, {"index 4 is out of the range of a[1..3]", "or make a longer"}},
           {"r[2,4]", 5, {"index 4 is out of the range of r[1..4,1..3]"}},
           {"a[1,2]", 5, {"a takes 1 index", "a[1..3]"}},
           {"a[1][2]", 5, {"an index belongs to an array"}},
           {"a.w", 3, {"no component 'w'", "x, y, z"}},
           {"p.z", 3, {"no component 'z'", "x, y"}},
           {"q.x", 3, {"length 5", "[1] to [5]"}},
           {"r.x", 3, {"an index is missing"}},
           {"x.y", 2, {"belongs to a vector"}},
           {"a.", 3, {"a component, x, y or z, is expected"}},
           {"R*a",
            1,
            {"'R' is the array R[1..2,1..3,1..3]", "2 matrices: it needs an index, as in R[1]"}},
           {"g + g", 3, {"g.rotation and g.position"}},
           {"g*p", 2, {"points with 3 coordinates", "length 2"}},
           {"g[1]", 3, {"g is a motion and has no index"}},
           {"g.x", 3, {"rotation and position", "g.position.x"}},
           {"2*g", 2, {"a motion stands before a point"}},
           {"-g", 2, {"'g' is a motion"}},
           {"[1, a]", 5, {"all of one kind", "a number", "length 3"}},
           {"[]", 2, {"at least one entry"}},
           {"[K, K]", 2, {"vectors of one length"}},
           {"[1, 2", 6, {"']'", "'['"}},
       }) {
    const std::string found = error(c.text);
    for (const std::string& word : c.words) expect_has(found, word);
    try {
      parse_array(g, scope, c.text);
    } catch (const ParseError& e) {
      EXPECT_EQ(e.column, c.column) << found;
    }
  }
  expect_words(number_error("a"), {"'a' is the array a[1..3], a vector of length 3"});
  expect_words(number_error("2*a"), {"this is a vector of length 3", "norm(v)"});
  expect_words(number_error("[1, 2]"), {"a vector of length 2"});
}

TEST_F(VectorsTest, EntriesOfAShape) {
  const auto entries = [&](const std::string& text, const Shape& shape) {
    return parse_entries(g, scope, text, shape);
  };
  EXPECT_EQ(entries("2*a", {{1, 3}}).size(), 3U);
  EXPECT_EQ(entries("q", {{1, 5}}).size(), 5U) << "what the indices begin with does not count";
  EXPECT_EQ(entries("0", {{1, 3}}), std::vector<Id>(3, g.constant(0.0)));
  expect_words(refusal<ParseError>([&] {
                 entries("1", {{1, 3}});
               }),
               {"a vector of length 3 is needed here, found a number"});
  expect_words(refusal<ParseError>([&] {
                 entries("p", {{1, 3}});
               }),
               {"found a vector of length 2"});
}

TEST(Shapes, Texts) {
  const Shape two{{0, 2}, {1, 3}};
  EXPECT_EQ(entries_of(two), 6U);
  EXPECT_EQ(index_text(two, 0), "[0][1]");
  EXPECT_EQ(index_text(two, 5), "[1][3]");
  EXPECT_EQ(index_text({}, 0), "");
  EXPECT_TRUE(same_counts(two, {{5, 2}, {7, 3}}));
  EXPECT_FALSE(same_counts(two, {{0, 2}}));
}

}  // namespace
}  // namespace varia::expr::vectors_test
