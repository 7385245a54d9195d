#include "webstrata/base/json.h"

#include <gtest/gtest.h>

namespace webstrata {
namespace {

TEST(Json, NestsWithCommasInTheRightPlaces) {
  std::string out;
  JsonWriter json(out);
  json.begin_object().field("a", 1).field("b", "x").key("c").begin_array();
  json.value(true).begin_object().end_object().value(-2).end_array();
  json.field("d", 0.5).end_object();
  EXPECT_EQ(out, R"({"a":1,"b":"x","c":[true,{},-2],"d":0.5})");
}

TEST(Json, EscapesWhatMustBe) {
  std::string out;
  append_json_string(out, std::string_view("\"\\\n\t\0\x1f", 6));
  EXPECT_EQ(out, R"("\"\\\n\t\u0000\u001f")");
}

TEST(Json, IsValidUtf8WhateverComesIn) {
  std::string out;
  append_json_string(out, "ok \xc3\xa4 bad \xff\xc3");
  EXPECT_EQ(out, "\"ok \xc3\xa4 bad \xef\xbf\xbd\xef\xbf\xbd\"");
}

}  // namespace
}  // namespace webstrata
