// SPDX-License-Identifier: BSD-3-Clause
// Every table of coefficients against its order conditions, computed here from nothing but the
// exponential series in free associative algebras; see docs/theory/compositions.md.
//
// A step is a product of exponentials of letters, a series of words. It has order p when it agrees
// with the exponential of the whole up to words of weight p.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <map>

#include "methods/composition_scheme.hpp"
#include "refusal.hpp"
#include "varia/methods/legs.hpp"

namespace varia::order_conditions_test {
namespace {

using Kind = CompositionScheme::Kind;
using Word = std::string;
using Series = std::map<Word, DoubleDouble>;
using Letters = std::map<char, DoubleDouble>;  ///< Σ c_l l
using Row = std::vector<DoubleDouble>;

constexpr double zero = 1e-27;  // round-off of DoubleDouble over up to 35 substeps

/// The algebra of words in letters of weights 1, 2, 3, … up to a total weight.
class Algebra {
 public:
  Algebra(std::map<char, int> weights, int most) : weights_(std::move(weights)), most_(most) {
    add_words("");
  }

  Series one() const { return {{"", 1.0}}; }
  const std::vector<Word>& words() const { return words_; }
  int weight(const Word& word) const {
    int sum = 0;
    for (const char letter : word) sum += weights_.at(letter);
    return sum;
  }

  /// x exp(Σ c_l l): in the exponential a word of n letters has the product of their c over n!.
  Series times_exp(const Series& x, const Letters& c) const {
    Series product;
    for (const Word& word : words_) {
      DoubleDouble sum = 0.0, coefficient = 1.0;
      for (std::size_t tail = 0; tail <= word.size(); ++tail) {
        const auto head = x.find(word.substr(0, word.size() - tail));
        if (head != x.end()) sum += head->second * coefficient;
        if (tail == word.size()) break;
        const auto next = c.find(word[word.size() - 1 - tail]);
        if (next == c.end()) break;
        coefficient *= next->second / static_cast<double>(tail + 1);
      }
      product[word] = sum;
    }
    return product;
  }

  /// The coefficients of x - y with the given weight.
  Row difference(const Series& x, const Series& y, int weight_wanted) const {
    Row row;
    for (const Word& word : words_)
      if (weight(word) == weight_wanted) row.push_back(x.at(word) - y.at(word));
    return row;
  }

 private:
  void add_words(const Word& word) {
    words_.push_back(word);
    for (const auto& [letter, weight_of] : weights_)
      if (weight(word) + weight_of <= most_) add_words(word + letter);
  }

  std::map<char, int> weights_;
  int most_;
  std::vector<Word> words_;
};

double largest(const Row& row) {
  double most = 0.0;
  for (const DoubleDouble& x : row) most = std::max(most, std::abs(double(x)));
  return most;
}

/// x minus its part in the direction of the unit vector u.
void remove(Row& x, const Row& u) {
  DoubleDouble along = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) along += u[i] * x[i];
  for (std::size_t i = 0; i < x.size(); ++i) x[i] -= along * u[i];
}

/// An orthonormal basis of the words of n letters in the ideal of K³D - 3K²DK + 3KDK² - DK³, which
/// is [K, [K, [K, D]]] and vanishes when T is quadratic.
std::vector<Row> vanishing(const Algebra& algebra, int n) {
  const std::vector<std::pair<Word, double>> relation{
      {"KKKD", 1.0}, {"KKDK", -3.0}, {"KDKK", 3.0}, {"DKKK", -1.0}};
  std::map<Word, std::size_t> place;
  for (const Word& word : algebra.words())
    if (algebra.weight(word) == n) place.emplace(word, place.size());
  std::vector<Row> basis;
  for (const Word& around : algebra.words()) {
    if (algebra.weight(around) != n - 4) continue;
    for (std::size_t cut = 0; cut <= around.size(); ++cut) {
      Row x(place.size(), 0.0);
      for (const auto& [word, c] : relation)
        x[place.at(around.substr(0, cut) + word + around.substr(cut))] += c;
      for (int twice = 0; twice < 2; ++twice)
        for (const Row& u : basis) remove(x, u);
      DoubleDouble square = 0.0;
      for (const DoubleDouble& c : x) square += c * c;
      if (double(square) < 1e-20) continue;
      const DoubleDouble length = sqrt(square);
      for (DoubleDouble& c : x) c /= length;
      basis.push_back(x);
    }
  }
  return basis;
}

/// The largest violated condition of each order 1 … most of kicks and drifts.
std::vector<double> defects(const Row& drifts, const Row& kicks, bool quadratic, int most) {
  const Algebra algebra({{'D', 1}, {'K', 1}}, most);
  // in index order: places of words are those of difference()
  Series step = algebra.times_exp(algebra.one(), {{'K', kicks[0]}});
  for (std::size_t i = 0; i < drifts.size(); ++i) {
    step = algebra.times_exp(step, {{'D', drifts[i]}});
    step = algebra.times_exp(step, {{'K', kicks[i + 1]}});
  }
  const Series exact = algebra.times_exp(algebra.one(), {{'D', 1.0}, {'K', 1.0}});
  std::vector<double> result;
  for (int n = 1; n <= most; ++n) {
    Row row = algebra.difference(step, exact, n);
    if (quadratic && n >= 4)
      for (const Row& u : vanishing(algebra, n)) remove(row, u);
    result.push_back(largest(row));
  }
  return result;
}

/// The same of a palindrome: F^h = exp(hY₁ + h³Y₃ + h⁵Y₅ + …), a symmetric F being odd in h.
std::vector<double> defects(const Row& fractions, int most) {
  std::map<char, int> weights;
  for (int i = 1; i <= most; i += 2) weights[static_cast<char>('0' + i)] = i;
  const Algebra algebra(weights, most);
  Series step = algebra.one();
  for (const DoubleDouble& fraction : fractions) {
    Letters letters;
    DoubleDouble power = fraction;
    for (const auto& [letter, weight] : weights) {
      letters[letter] = power;
      power *= fraction * fraction;
    }
    step = algebra.times_exp(step, letters);
  }
  const Series exact = algebra.times_exp(algebra.one(), {{'1', 1.0}});
  std::vector<double> result;
  for (int n = 1; n <= most; ++n) result.push_back(largest(algebra.difference(step, exact, n)));
  return result;
}

std::vector<double> defects(const CompositionScheme& scheme) {
  const int most = scheme.order + 1;
  return scheme.kind == Kind::palindrome
             ? defects(scheme.fractions, most)
             : defects(scheme.drifts, scheme.kicks, scheme.kind == Kind::nystrom, most);
}

/// The number of leading orders whose conditions hold.
int order_of(const std::vector<double>& defect) {
  int order = 0;
  for (const double d : defect) {
    if (d > 1e-13) break;
    ++order;
  }
  return order;
}

TEST(OrderConditions, HoldUpToTheDeclaredOrderAndNoFurther) {
  EXPECT_EQ(composition_schemes().size(), 15u);
  for (const CompositionScheme& scheme : composition_schemes()) {
    const std::vector<double> d = defects(scheme);
    for (int n = 1; n <= scheme.order; ++n)
      EXPECT_LT(d[static_cast<std::size_t>(n - 1)], zero) << scheme.name << ", order " << n;
    EXPECT_GT(d.back(), 1e-8) << scheme.name;
    std::printf("%-24s order %2d, defect %.1e at it, %.1e beyond\n", scheme.name.c_str(),
                scheme.order, d[d.size() - 2], d.back());
  }
}

/// What is known of simple methods comes out: the judge is right.
TEST(OrderConditions, OfMethodsKnownByHeart) {
  EXPECT_EQ(order_of(defects({1.0}, {1.0, 0.0}, false, 3)), 1);  // euler_a
  EXPECT_EQ(order_of(defects({1.0}, {0.5, 0.5}, false, 4)), 2);  // verlet
  EXPECT_EQ(order_of(defects({0.5, 0.5}, {0.0, 1.0, 0.0}, false, 4)), 2);
  EXPECT_EQ(order_of(defects(Row{1.0}, 4)), 2);
  EXPECT_EQ(order_of(defects(Row{0.5, 0.5}, 4)), 2);
  EXPECT_EQ(order_of(defects(Row{0.5, 0.4}, 2)), 0);
  // 1/12 [K, [K, D]] - 1/24 … : the error of Verlet is known
  EXPECT_NEAR(defects({1.0}, {0.5, 0.5}, false, 3)[2], 1.0 / 6.0, 1e-15);
}

/// One wrong digit is seen, wherever it is.
TEST(OrderConditionsSlow, SeeEveryCoefficient) {
  for (const CompositionScheme& scheme : composition_schemes()) {
    if (scheme.order > 6) continue;  // for time: the judge is the same
    for (const auto member :
         {&CompositionScheme::fractions, &CompositionScheme::drifts, &CompositionScheme::kicks})
      for (std::size_t i = 0; i < (scheme.*member).size(); ++i) {
        CompositionScheme wrong = scheme;
        (wrong.*member)[i] += 1e-12;
        EXPECT_GT(defects(wrong)[0], 1e-13) << scheme.name;
        // two of them, so that the sum is right
        (wrong.*member)[(i + 1) % (wrong.*member).size()] -= 1e-12;
        const std::vector<double> d = defects(wrong);
        if ((wrong.*member)[i] == (scheme.*member)[i]) continue;  // one coefficient only
        EXPECT_GT(*std::max_element(d.begin(), d.end() - 1), 1e-15) << scheme.name << " " << i;
      }
  }
}

/// Sets for quadratic T do not have their order for other T; up to order 4 a symmetric one does.
TEST(OrderConditions, NystromSetsHaveALowerOrderInGeneral) {
  const std::map<std::string, int> general{{"mclachlan_atela(4)", 3},
                                           {"mclachlan_atela(5)", 3},
                                           {"blanes_moan_rkn(4, 6)", 4},
                                           {"blanes_moan_rkn(6, 11)", 4},
                                           {"blanes_moan_rkn(6, 14)", 4}};
  for (const auto& [name, order] : general) {
    const CompositionScheme& scheme = composition_scheme(name);
    const auto d = defects(scheme.drifts, scheme.kicks, false, scheme.order + 1);
    EXPECT_EQ(order_of(d), order) << name;
    EXPECT_EQ(scheme.kind == Kind::nystrom, order < scheme.order) << name;
  }
}

/// A palindrome of a method that is not symmetric: even powers do not cancel. F = exp(hY₁ + h²Y₂).
TEST(OrderConditions, TripleJumpNeedsSymmetry) {
  const Algebra algebra({{'1', 1}, {'2', 2}}, 3);
  Series step = algebra.one();
  for (const DoubleDouble& g : composition_scheme("yoshida(4)").fractions)
    step = algebra.times_exp(step, {{'1', g}, {'2', g * g}});
  const Series exact = algebra.times_exp(algebra.one(), {{'1', 1.0}});
  EXPECT_LT(largest(algebra.difference(step, exact, 1)), zero);
  EXPECT_GT(largest(algebra.difference(step, exact, 2)), 1.0);
  EXPECT_THROW(triple_jump(euler_a()), InvalidArgument);
  EXPECT_THROW(yoshida(4, euler_a()), InvalidArgument);
}

/// (pairs): the kicks and drifts of the composition of euler_a and euler_b are those of the table.
TEST(EulerPairs, AreTheKicksAndDriftsOfTheTable) {
  for (const CompositionScheme& scheme : composition_schemes()) {
    if (scheme.kind == Kind::palindrome) continue;
    const auto legs = explicit_legs(compose(euler_pairs(scheme), scheme.order, scheme.name));
    ASSERT_TRUE(legs.has_value());
    ASSERT_EQ(legs->drifts.size(), scheme.drifts.size()) << scheme.name;
    for (std::size_t i = 0; i < legs->drifts.size(); ++i)
      EXPECT_NEAR(legs->drifts[i], double(scheme.drifts[i]), 1e-15) << scheme.name;
    for (std::size_t i = 0; i < legs->kicks.size(); ++i)
      EXPECT_NEAR(legs->kicks[i], double(scheme.kicks[i]), 1e-15) << scheme.name;
    EXPECT_EQ(legs->kicks.front() == 0.0, double(scheme.kicks.front()) == 0.0);
    EXPECT_EQ(legs->kicks.back() == 0.0, double(scheme.kicks.back()) == 0.0) << scheme.name;
  }
}

/// By the theorem of (pairs) a kick-drift set has its order for any method and its adjoint:
/// F = exp(hY₁ + h²Y₂ + …), F* = exp(hY₁ - h²Y₂ + …).
TEST(EulerPairs, HaveTheOrderForAnyMethodAndItsAdjoint) {
  for (const CompositionScheme& scheme : composition_schemes()) {
    if (scheme.kind != Kind::kick_drift) continue;
    const int most = scheme.order + 1;
    std::map<char, int> weights;
    for (int i = 1; i <= most; ++i) weights[static_cast<char>('0' + i)] = i;
    const Algebra algebra(weights, most);
    Series step = algebra.one();
    for (const auto& [method, fraction] : euler_pairs(scheme)) {
      const double sign = method.name() == "euler_a" ? 1.0 : -1.0;
      Letters letters;
      DoubleDouble power = 1.0;
      for (const auto& [letter, weight] : weights) {
        power *= fraction;
        letters[letter] = weight % 2 == 0 ? sign * power : power;
      }
      step = algebra.times_exp(step, letters);
    }
    const Series exact = algebra.times_exp(algebra.one(), {{'1', 1.0}});
    for (int n = 1; n <= scheme.order; ++n)  // fractions are rounded to double here
      EXPECT_LT(largest(algebra.difference(step, exact, n)), 1e-14) << scheme.name << " " << n;
    EXPECT_GT(largest(algebra.difference(step, exact, most)), 1e-7) << scheme.name;
  }
}

TEST(EulerPairs, RefuseTablesThatDoNotFit) {
  CompositionScheme scheme = composition_scheme("ruth(3)");
  scheme.kicks.pop_back();
  expect_has(refusal([&] { euler_pairs(scheme); }), "3 and 3");
  scheme = composition_scheme("ruth(3)");
  scheme.kicks[1] += 1e-3;
  expect_has(refusal([&] { euler_pairs(scheme); }), "different sums");
}

}  // namespace
}  // namespace varia::order_conditions_test
