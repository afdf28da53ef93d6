// SPDX-License-Identifier: BSD-3-Clause
// The coefficients of compositions, as data. A new set is one entry of the list.
//
// Roots are computed. The other sets were published with 15 to 26 digits and continued here to 36
// by Newton's method on their order conditions, with the least change where the conditions leave
// parameters free: the leading digits are those of the source, the others belong to the nearest
// solution. tests/methods/order_conditions_test.cpp checks all of them.
#include <cmath>
#include <string_view>

#include "varia/core/error.hpp"
#include "varia/methods/composition.hpp"

namespace varia {

namespace {

using Numbers = std::vector<DoubleDouble>;
using Digits = std::vector<std::string_view>;
using Kind = CompositionScheme::Kind;

/// A decimal number to the precision of DoubleDouble.
DoubleDouble decimal(std::string_view text) {
  DoubleDouble value = 0.0;
  DoubleDouble scale = 1.0;
  bool fraction = false;
  for (const char c : text) {
    if (c == '.') fraction = true;
    if (c < '0' || c > '9') continue;
    value = value * 10.0 + static_cast<double>(c - '0');
    if (fraction) scale *= 10.0;
  }
  return (text.front() == '-' ? -value : value) / scale;
}

Numbers decimals(const Digits& digits) {
  Numbers numbers;
  for (const std::string_view text : digits) numbers.push_back(decimal(text));
  return numbers;
}

/// The palindrome of n numbers with sum 1 that begins with the given ones; they are all but those
/// in the middle.
Numbers mirrored(Numbers half, std::size_t n) {
  DoubleDouble sum = 0.0;
  for (const DoubleDouble& x : half) sum += x;
  half.push_back(n % 2 == 1 ? 1.0 - 2.0 * sum : 0.5 - sum);
  for (std::size_t i = half.size(); i < n; ++i) half.push_back(half[n - 1 - i]);
  return half;
}

CompositionScheme palindrome(const char* name, int order, const Numbers& half, const char* cite) {
  return {name, order, Kind::palindrome, mirrored(half, 2 * half.size() + 1), {}, {}, cite};
}

/// Symmetric, s kicks between s + 1 drifts.
CompositionScheme drifts_outside(const char* name, int order, Kind kind, std::size_t s,
                                 const Digits& drifts, const Digits& kicks, const char* cite) {
  Numbers b{0.0};
  for (const DoubleDouble& x : mirrored(decimals(kicks), s)) b.push_back(x);
  b.emplace_back(0.0);
  return {name, order, kind, {}, mirrored(decimals(drifts), s + 1), b, cite};
}

/// Symmetric, s drifts between s + 1 kicks.
CompositionScheme kicks_outside(const char* name, int order, Kind kind, std::size_t s,
                                const Digits& drifts, const Digits& kicks, const char* cite) {
  return {name, order, kind, {}, mirrored(decimals(drifts), s), mirrored(decimals(kicks), s + 1),
          cite};
}

/// 2^(1/3), by Newton's method.
DoubleDouble cube_root_of_two() {
  DoubleDouble x = std::cbrt(2.0);
  for (int i = 0; i < 2; ++i) x -= (x * x * x - 2.0) / (3.0 * x * x);
  return x;
}

/// 1/(2 - 2^(1/3)) twice, a step back between them.
CompositionScheme yoshida_4() {
  return palindrome("yoshida(4)", 4, {1.0 / (2.0 - cube_root_of_two())}, "Yoshida90");
}

CompositionScheme ruth_3() {
  const auto ratio = [](double a, double b) { return DoubleDouble(a) / b; };
  return {"ruth(3)",
          3,
          Kind::kick_drift,
          {},
          {ratio(2, 3), ratio(-2, 3), 1.0},
          {ratio(7, 24), ratio(3, 4), ratio(-1, 24), 0.0},
          "Ruth83"};
}

/// Five pairs with fractions in √19: (pairs) read backwards.
CompositionScheme mclachlan_4() {
  const DoubleDouble root = sqrt(DoubleDouble(19.0));
  const Numbers first{(14.0 - root) / 108.0, (-23.0 - 20.0 * root) / 270.0, DoubleDouble(1.0) / 5.0,
                      (-2.0 + 10.0 * root) / 135.0, (146.0 + 5.0 * root) / 540.0};
  Numbers drifts{first[0]};
  Numbers kicks{0.0};
  for (std::size_t i = 0; i < 5; ++i) {
    const DoubleDouble second = first[4 - i];
    kicks.push_back(first[i] + second);
    drifts.push_back(i < 4 ? second + first[i + 1] : second);
  }
  kicks.emplace_back(0.0);
  return {"mclachlan(4)", 4, Kind::kick_drift, {}, drifts, kicks, "McLachlan95"};
}

std::vector<CompositionScheme> palindromes() {
  return {
      yoshida_4(),
      palindrome("yoshida(6)", 6,
                 decimals({"0.784513610477557263819497633866349876",
                           "0.235573213359358133684793182978534602",
                           "-1.17767998417887100694641568096431573"}),
                 "Yoshida90"),
      palindrome(
          "yoshida(8)", 8,
          decimals(
              {"0.914844246229791566748793489847509605", "0.253693336566211354146146020689942076",
               "-1.44485223686060515769473065753739035", "-0.158240635368050175204066776759754248",
               "1.93813913762252598657918648744364176", "-1.96061023297531080760763337639966364",
               "0.102799849391796440698115131601225863"}),
          "Yoshida90"),
      palindrome("kahan_li(6)", 6,
                 decimals({"0.392161444007314139279250557422671404",
                           "0.332599136789359438599748637500049647",
                           "-0.706246172557639359809964819549256459",
                           "0.0822135962935508002314904481020563311"}),
                 "KL97"),
      palindrome(
          "kahan_li(8)", 8,
          decimals(
              {"0.130202483088890080878817632096700522", "0.561162981775108384561964407700150567",
               "-0.389474962644847286408078598235248389", "0.158841906555155600896210745707152481",
               "-0.395903894133237577336231539347938936", "0.184539640978315707091832541533375463",
               "0.258374387686322047293979109994939472", "0.295011723609310298870966240218228113"}),
          "KL97"),
      palindrome(
          "sofroniou_spaletta(10)", 10,
          decimals(
              {"0.0787957225216864192639076793382896067", "0.313096103415108527764812471920256821",
               "0.0279183832350780661095202732659494475", "-0.229592841593907094151213396801122705",
               "0.130962061077164863174656859292158364", "-0.269733405654510714344609732217286624",
               "0.0749733431558914356661371056390587135", "0.111993423999810204889575080737269905",
               "0.366133449546226751193148123537146946", "-0.399105630136035897878629810584015557",
               "0.103087398527471077315802769994503872", "0.411430873955890237820704118977477787",
               "-0.00486636058313526176219565930774240912",
               "-0.392033353708639906448081936429980142", "0.0519425029624496470371829048314042431",
               "0.0506650907599244963358743425096948739",
               "0.0496743706397298790545688006666647946"}),
          "SS05"),
  };
}

std::vector<CompositionScheme> kicks_and_drifts() {
  return {
      ruth_3(),
      mclachlan_4(),
      drifts_outside(
          "blanes_moan(4)", 4, Kind::kick_drift, 6,
          {"0.0792036964311956694336634958882688733", "0.353172906049773988481061311573121057",
           "-0.0420650803577195353681102983025170387"},
          {"0.209515106613362021274072640029501017", "-0.143851773179818008275115057856527726"},
          "BM02"),
      drifts_outside(
          "blanes_moan(6)", 6, Kind::kick_drift, 10,
          {"0.0502627644003926860212216544020741094", "0.413514300428343815063063720133884439",
           "0.0450798897943980629688970521245134712", "-0.188054853819568914799128488918870542",
           "0.541960678450780134831414740933072496"},
          {"0.148816447901043231920901005535577589", "-0.132385865767783647448845426598939922",
           "0.0673076046921844581502578965926010469", "0.432666402578173597527667970883545298"},
          "BM02"),
      // found for T quadratic; but up to order 4 a symmetric set has no condition that needs it
      kicks_outside(
          "blanes_moan_rkn(4, 6)", 4, Kind::kick_drift, 6,
          {"0.245298957184271162603932426001400880", "0.604872665711079974960892697643076245"},
          {"0.0829844064174050188383474789422501125", "0.396309801498368077094911528263686739",
           "-0.0390563049223484351708652907653792423"},
          "BM02"),
  };
}

std::vector<CompositionScheme> nystrom() {
  return {
      {"mclachlan_atela(4)",
       4,
       Kind::nystrom,
       {},
       decimals(
           {"0.515352837431122936400175058624828844", "-0.0857820194129736460700034069602079507",
            "0.441583023616466524253061282182282294", "0.128846158365384185416767066153096812"}),
       decimals({"0.134496199277431089205506460458595739",
                 "-0.224819803079420805817180948946787117",
                 "0.756320000515668291112497544840553961", "0.334003603286321425499176943647637418",
                 "0"}),
       "MA92"},
      {"mclachlan_atela(5)",
       5,
       Kind::nystrom,
       {},
       decimals(
           {"0.339839625839110000000259412854463733", "-0.0886013369030273286525403362713777578",
            "0.585856476825962118810087435867317729", "-0.603039356536491888198606996222128298",
            "0.323580796554697639325704938658380372", "0.442363794219749458715095545113344222"}),
       decimals({"0.119390029287567275794636176033713335", "0.698927370382475230834649043414475115",
                 "-0.171312358271600775407536437806877922",
                 "0.401269502251353447995828787252908286",
                 "0.0107050818482359839873811642031628399",
                 "-0.0589796254980311632049587330973816536", "0"}),
       "MA92"},
      kicks_outside(
          "blanes_moan_rkn(6, 11)", 6, Kind::nystrom, 11,
          {"0.123229775946271151561086380333366753", "0.290553797799558270366414169327916183",
           "-0.127049212625416915662505053827485934", "-0.246331761062075404194973489104062863",
           "0.357208872795927752619860349619310463"},
          {"0.0414649985182628432987781339147049367", "0.198128671918066541136726473181496961",
           "-0.0400061921041526868888283635359448394", "0.0752539843015803411278788785270427555",
           "-0.0115113874206877700624432015012891996"},
          "BM02"),
      drifts_outside(
          "blanes_moan_rkn(6, 14)", 6, Kind::nystrom, 14,
          {"0.0378593198406109414470211790380111040", "0.102635633102436552847082250940338061",
           "-0.0258678882665583331639469603593653386", "0.314241403071446434147142535703284011",
           "-0.130144459517415113849615078540028516", "0.106417700369541368022280139285383457",
           "-0.00879424312851020439406942842765990303"},
          {"0.0917191526244620179811832282648683402", "0.183983170005004898491476564676343338",
           "-0.0565343658328891043952770448480899493", "0.00491468877471188564020561645501572440",
           "0.143761127168361682387374529986772210", "0.328567693746804140200481257627035340"},
          "BM02"),
  };
}

}  // namespace

const std::vector<CompositionScheme>& composition_schemes() {
  static const std::vector<CompositionScheme> schemes = [] {
    std::vector<CompositionScheme> all = palindromes();
    for (auto& scheme : kicks_and_drifts()) all.push_back(std::move(scheme));
    for (auto& scheme : nystrom()) all.push_back(std::move(scheme));
    return all;
  }();
  return schemes;
}

}  // namespace varia
