// SPDX-License-Identifier: BSD-3-Clause
// report_page(): the data stand in their element, whatever they hold.
#include <gtest/gtest.h>

#include <string>

#include "varia/report/page.hpp"

namespace varia::report_page_test {
namespace {

const std::string opening = R"(<script type="application/json" id="data">)";

int count(const std::string& text, const std::string& part) {
  int found = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size()))
    ++found;
  return found;
}

/// What stands in the element of the data, as an HTML parser finds it.
std::string data_of(const std::string& page) {
  const auto start = page.find(opening);
  EXPECT_NE(start, std::string::npos);
  const auto first = start + opening.size();
  return page.substr(first, page.find("</script", first) - first);
}

TEST(ReportPage, HoldsTheDataOnce) {
  const std::string json = R"({"title": "Kepler \"e = 0.6\"", "t": [0, 1e-3], "name": "größe"})";
  const std::string page = report::report_page(json);
  EXPECT_EQ(count(page, json), 1);
  EXPECT_EQ(data_of(page), json);
  EXPECT_EQ(count(page, "__VARIA_DATA__"), 0);
  EXPECT_EQ(page.substr(0, 15), "<!doctype html>");
  EXPECT_EQ(page.substr(page.size() - 8), "</html>\n");
}

TEST(ReportPage, DataCannotLeaveTheirElement) {
  const std::string json = R"({"scenario": "</script><script>alert(1)</script> <!-- <SCRIPT"})";
  const std::string page = report::report_page(json);
  EXPECT_EQ(
      data_of(page),
      R"({"scenario": "\u003c/script>\u003cscript>alert(1)\u003c/script> \u003c!-- \u003cSCRIPT"})");
  EXPECT_EQ(count(page, "<script>alert"), 0);
}

TEST(ReportPage, DataThatNameTheSlotStayAsTheyAre) {
  EXPECT_EQ(data_of(report::report_page(R"("__VARIA_DATA__ $& \\1")")),
            R"("__VARIA_DATA__ $& \\1")");
}

TEST(ReportPage, LoadsNothing) {
  const std::string page = report::report_page("{}");
  EXPECT_EQ(count(page, "<script src"), 0);
  EXPECT_EQ(count(page, "rel=\"stylesheet\""), 0);
  EXPECT_LT(page.size(), 900'000u);
}

}  // namespace
}  // namespace varia::report_page_test
