// SPDX-License-Identifier: Apache-2.0
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

// U+009B begins a control sequence on terminals that know eight bits.
TEST(Json, EscapesControlCharactersOfEightBits) {
  std::string out;
  append_json_string(out, "a\xc2\x9b\x7f\xc2\xa0\xc2\x80");
  EXPECT_EQ(out, "\"a\\u009b\\u007f\xc2\xa0\\u0080\"");
}

TEST(Json, IsValidUtf8WhateverComesIn) {
  std::string out;
  append_json_string(out, "ok \xc3\xa4 bad \xff\xc3");
  EXPECT_EQ(out, "\"ok \xc3\xa4 bad \xef\xbf\xbd\xef\xbf\xbd\"");
}

}  // namespace
}  // namespace webstrata
