// SPDX-License-Identifier: Apache-2.0

// Expected values: the published tests of webarchive-commons, and its patterns followed by hand.

#include "webstrata/url/session_id.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace webstrata {
namespace {

TEST(SessionId, QueriesLoseThem) {
  const std::string id = "0123456789abcdefghijklemopqrstuv";
  const std::pair<std::string, std::string> cases[] = {
      {"jsessionid=" + id, ""},
      {"JSESSIONID=" + id + "&x=y", "x=y"},
      {"a=b&phpsessid=" + id, "a=b&"},
      {"a=b&sid=" + id + "&x=y", "a=b&x=y"},
      {"ASPSESSIONIDabcdefgh=abcdefghijklmnopqrstuvwx&x", "x"},
      // webarchive-commons has [a-zA-Z]{24} here: a digit makes it another parameter.
      {"ASPSESSIONIDabcdefgh=abcdefghijklmnopqrstuvw1&x",
       "ASPSESSIONIDabcdefgh=abcdefghijklmnopqrstuvw1&x"},
      {"a&CFID=1&cftoken=2&x", "a&x"},
      {"cfid=1&cftoken=2", ""},
      {"jsessionid=" + id.substr(1), "jsessionid=" + id.substr(1)},
      {"jsessionid=" + id + "w", "jsessionid=" + id + "w"},
      {"cfid=&cftoken=2", "cfid=&cftoken=2"},
  };
  for (auto [query, expected] : cases) {
    strip_query_session(query);
    EXPECT_EQ(query, expected);
  }
}

TEST(SessionId, PathsToAspPagesLoseThem) {
  const std::string id = "4hqa0555fwsecu455xqckv45";
  const std::pair<std::string, std::string> cases[] = {
      {"/(S(" + id + "))/mileg.aspx", "/mileg.aspx"},
      {"/(" + id + ")/mileg.aspx", "/mileg.aspx"},
      {"/(a(" + id + ")S(" + id + ")f(" + id + "))/x/mileg.ASPX", "/x/mileg.ASPX"},
      {"/(" + id + ")/mileg.html", "/(" + id + ")/mileg.html"},
      {"/(S(" + id + "))/.aspx", "/(S(" + id + "))/.aspx"},
      {"/a(" + id + ")/mileg.aspx", "/a(" + id + ")/mileg.aspx"},
  };
  for (auto [path, expected] : cases) {
    strip_path_session(path);
    EXPECT_EQ(path, expected);
  }
}

}  // namespace
}  // namespace webstrata
