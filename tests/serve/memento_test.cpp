// SPDX-License-Identifier: Apache-2.0

// Memento as RFC 7089 describes it: sections 2.2 (headers) and 5 (TimeMaps).

#include <gtest/gtest.h>

#include "tests/serve/small_web.h"
#include "webstrata/serve/answers/answers.h"

namespace webstrata::serve {
namespace {

Settings with_replay() {
  Settings settings;
  settings.replay = "http://replay.example/{timestamp}id_/{url}";
  return settings;
}

TEST(TimeMap, ListsTheMementosWithTheirRelations) {
  SmallServer server(with_replay());
  const Response map = server.ask("/timemap/link/http://a.example/");
  EXPECT_EQ(map.content_type, "application/link-format");
  EXPECT_EQ(map.body,
            "<http://a.example/>; rel=\"original\",\n"
            "<http://localhost:8931/a/lib/timemap/link/http://a.example/>; rel=\"self\"; "
            "type=\"application/link-format\"; from=\"Mon, 01 Jun 2020 00:00:00 GMT\"; "
            "until=\"Tue, 01 Jun 2021 00:00:00 GMT\",\n"
            "<http://localhost:8931/a/lib/timegate/http://a.example/>; rel=\"timegate\",\n"
            "<http://replay.example/20200601000000id_/http://a.example/>; rel=\"first memento\"; "
            "datetime=\"Mon, 01 Jun 2020 00:00:00 GMT\",\n"
            "<http://replay.example/20210601000000id_/http://a.example/>; rel=\"last memento\"; "
            "datetime=\"Tue, 01 Jun 2021 00:00:00 GMT\"\n");
}

TEST(TimeMap, IsAlsoJsonAndCdxj) {
  SmallServer server(with_replay());
  EXPECT_NE(server.body("/timemap/json/http://a.example/")
                .find("\"mementos\":{\"list\":[{\"datetime\":\"2020-06-01T00:00:00Z\""),
            std::string::npos);
  EXPECT_NE(server.body("/a/lib/timemap/cdxj/a.example/").find("20210601000000 {\"uri\":"),
            std::string::npos);
  EXPECT_EQ(server.ask("/timemap/xml/http://a.example/").status, 404);
}

TEST(TimeMap, NeedsACaptureAndAReplay) {
  EXPECT_EQ(SmallServer(with_replay()).ask("/timemap/link/http://b.example/x").status, 404);
  EXPECT_EQ(SmallServer().ask("/timemap/link/http://a.example/").status, 404);
  EXPECT_EQ(SmallServer(with_replay()).ask("/timemap/link/http://[a.example/").status, 400);
}

TEST(TimeGate, RedirectsToTheNearestMemento) {
  SmallServer server(with_replay());
  Request request = get("/timegate/http://a.example/");
  request.accept_datetime = "Wed, 01 Jul 2020 00:00:00 GMT";
  const Response early = server.service->answer(request);
  EXPECT_EQ(early.status, 302);
  EXPECT_EQ(header(early, "Location"), "http://replay.example/20200601000000id_/http://a.example/");
  EXPECT_EQ(header(early, "Vary"), "accept-datetime");
  EXPECT_NE(header(early, "Link").find("rel=\"timemap\""), std::string::npos);
  request.accept_datetime = "";
  EXPECT_EQ(header(server.service->answer(request), "Location"),
            "http://replay.example/20210601000000id_/http://a.example/");
  request.accept_datetime = "yesterday";
  EXPECT_EQ(server.service->answer(request).status, 400);
}

}  // namespace
}  // namespace webstrata::serve
