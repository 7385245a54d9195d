// SPDX-License-Identifier: Apache-2.0

// The built-in replay: recorded bytes, and nothing that could act in the name of the server.

#include <fstream>

#include <gtest/gtest.h>

#include "tests/serve/small_web.h"
#include "tests/serve/some_records.h"
#include "webstrata/serve/replay/recorded_web.h"

namespace webstrata::serve {
namespace {

struct ReplayServer : SmallServer {
  ReplayServer() {
    const std::string hostile =
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nSet-Cookie: a=b\r\n"
        "Content-Security-Policy: default-src *\r\nAccess-Control-Allow-Origin: *\r\n\r\n"
        "<script>alert(1)</script>";
    const std::string path = folder / "x.warc";
    std::ofstream(path, std::ios::binary)
        << some_records()
        << record("response", "http://a.example/doc/one", "2021-06-01", hostile, "sha1:D");
    Report report;
    recorded = RecordedWeb::read({path}, kAllTime.last, report);
    service.emplace(*archives, *runs, settings, Logs{}, &*recorded);
  }
  std::optional<RecordedWeb> recorded;
};

TEST(Replayed, ServesTheRecordedBytesOfACapture) {
  ReplayServer server;
  const Response old = server.ask("/replay/20200601000000id_/http://a.example/");
  EXPECT_EQ(old.status, 200);
  EXPECT_EQ(old.body, "old");
  EXPECT_EQ(header(old, "Content-Type"), "text/html");
  EXPECT_EQ(header(old, "Memento-Datetime"), "Mon, 01 Jun 2020 00:00:00 GMT");
  EXPECT_EQ(server.body("/a/lib/replay/20200601000000/http://a.example/"), "old");
}

TEST(Replayed, LeadsToTheNearestCapture) {
  ReplayServer server;
  const Response near = server.ask("/replay/2020id_/http://a.example/");
  EXPECT_EQ(near.status, 302);
  EXPECT_EQ(header(near, "Location"),
            "http://localhost:8931/a/lib/replay/20210601000000id_/http://a.example/");
  EXPECT_EQ(server.ask("/replay/x/http://a.example/").status, 400);
}

// Recorded on 2021-06-01 with "Location: /b?c".
TEST(Replayed, LetsRedirectsLeadToTheReplay) {
  ReplayServer server;
  const Response moved = server.ask("/replay/20210601000000id_/http://a.example/");
  EXPECT_EQ(moved.status, 301);
  EXPECT_EQ(header(moved, "Location"),
            "http://localhost:8931/a/lib/replay/20210601000000id_/http://a.example/b?c");
  EXPECT_EQ(header(moved, "X-Archive-Orig-Location"), "/b?c");
}

TEST(Replayed, KeepsAPageOfThePastInASandbox) {
  ReplayServer server;
  const Response page = server.ask("/replay/20210601000000id_/http://a.example/doc/one");
  EXPECT_EQ(page.body, "<script>alert(1)</script>");
  const std::string policy = header(page, "Content-Security-Policy");
  EXPECT_TRUE(policy.starts_with("sandbox; default-src 'none'")) << policy;
  EXPECT_EQ(policy.find("allow-"), std::string::npos) << policy;
  EXPECT_EQ(header(page, "Set-Cookie"), "");
  EXPECT_EQ(header(page, "Access-Control-Allow-Origin"), "");
  EXPECT_EQ(header(page, "X-Archive-Orig-Set-Cookie"), "a=b");
}

TEST(Replayed, IsWhereMementosAre) {
  ReplayServer server;
  EXPECT_NE(server.body("/timemap/link/http://a.example/")
                .find("<http://localhost:8931/a/lib/replay/20200601000000id_/http://a.example/>; "
                      "rel=\"first memento\""),
            std::string::npos);
}

TEST(Replayed, NeedsACaptureOfTheArchive) {
  ReplayServer server;
  EXPECT_EQ(server.ask("/replay/20210601000000id_/http://c.example/").status, 404);
  EXPECT_EQ(SmallServer().ask("/replay/20200601000000id_/http://a.example/").status, 404);
  server.forget_now({{ForgetScope::Url, "http://a.example/"}});
  EXPECT_EQ(server.ask("/replay/20200601000000id_/http://a.example/").status, 404);
}

}  // namespace
}  // namespace webstrata::serve
