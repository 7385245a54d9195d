// SPDX-License-Identifier: Apache-2.0

// A web small enough to see: two captures of a page that loses one link and gains another.
//
//   2020-06-01  http://a.example/      → http://b.example/x, http://a.example/doc/one
//   2021-06-01  http://a.example/      → http://a.example/doc/one, http://c.example/
//   2021-06-01  http://a.example/doc/one  → http://a.example/
//   2022-06-01  http://a.example/doc/one  is gone (404)

#pragma once

#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "tests/archive/small_archive.h"
#include "tests/temporary_folder.h"
#include "webstrata/archive/forget.h"
#include "webstrata/base/time.h"
#include "webstrata/facts/sighting.h"
#include "webstrata/serve/ask/archives.h"
#include "webstrata/serve/service.h"

namespace webstrata::serve {

inline Capture page_seen(const std::string& url, const std::string& date,
                         const std::vector<std::string>& targets) {
  Capture capture;
  capture.sighting.url = url;
  capture.sighting.time = *parse_time(date);
  capture.sighting.status = 200;
  capture.sighting.outcome = Outcome::Alive;
  capture.sighting.mime = "text/html";
  capture.links_known = true;
  for (const std::string& target : targets) {
    capture.links.add({.target = target, .kinds = LinkKind::Navigation});
  }
  return capture;
}

inline Capture page_gone(const std::string& url, const std::string& date) {
  Capture capture = page_seen(url, date, {});
  capture.sighting.status = 404;
  capture.sighting.outcome = Outcome::Gone;
  capture.links_known = false;
  return capture;
}

inline std::vector<Capture> small_web() {
  return {
      page_seen("http://a.example/", "2020-06-01",
                {"http://b.example/x", "http://a.example/doc/one"}),
      page_seen("http://a.example/", "2021-06-01",
                {"http://a.example/doc/one", "http://c.example/"}),
      page_seen("http://a.example/doc/one", "2021-06-01", {"http://a.example/"}),
      page_gone("http://a.example/doc/one", "2022-06-01"),
  };
}

inline Request get(const std::string& target) {
  Request request;
  request.target = target;
  request.host = "localhost:8931";
  request.peer = "127.0.0.1";
  return request;
}

// An archive "lib" with the small web, served.
struct SmallServer {
  explicit SmallServer(Settings given = {}) : settings(std::move(given)) {
    build_archive(path(), small_web());
    archives.emplace(std::vector<ArchivePlace>{{"lib", path()}});
    runs.emplace();
    service.emplace(*archives, *runs, settings);
  }
  [[nodiscard]] std::filesystem::path path() const { return folder / "lib.ws"; }
  Response ask(const std::string& target) { return service->answer(get(target)); }
  std::string body(const std::string& target) { return ask(target).body; }
  // A forget returns when no reader holds the old generation: the server must let go without being
  // asked.
  void forget_now(const std::vector<Forget>& requests) {
    std::atomic<bool> is_done = false;
    std::thread forgetting([&] {
      forget(path(), requests, {});
      is_done = true;
    });
    while (!is_done) {
      service->tick();
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    forgetting.join();
  }

  TemporaryFolder folder;
  Settings settings;
  std::optional<Archives> archives;
  std::optional<Runs> runs;
  std::optional<Service> service;
};

// The value of a header; empty if there is none.
inline std::string header(const Response& response, std::string_view name) {
  for (const auto& [key, value] : response.headers) {
    if (key == name) return value;
  }
  return "";
}

// All of a body, also if it comes in pieces.
inline std::string whole_body(Response response) {
  while (response.more && response.more(response.body) == More::Data) {
  }
  return response.body;
}

}  // namespace webstrata::serve
