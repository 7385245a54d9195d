// SPDX-License-Identifier: Apache-2.0

// Every view of the page has its own address below a/, and all of them are the same file. Nothing
// that it loads may come from another origin, and no script or style may stand in the markup: so a
// title from a crawl that contains markup stays text.
// Tested by tests/serve/service_test.cpp.

#include "webstrata/serve/page_files.h"

#include <array>

#include <fmt/format.h>

#include "webstrata/base/checksum.h"
#include "webstrata/serve/page_bundle.h"

namespace webstrata::serve {
namespace {

constexpr std::string_view kPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self'; base-uri 'self'; form-action 'self'; frame-ancestors 'none'";

// Without the page of web/dist: where the interface is.
constexpr std::string_view kPlainPage =
    "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>webstrata</title></head>"
    "<body><h1>webstrata</h1><p>This server answers programs: "
    "<a href=\"api/v1/archives\">archives</a>, <a href=\"api/v1/openapi.json\">all addresses</a>."
    "</p></body></html>\n";

const std::array<PageFile, 3>& files() {
  static const std::array<PageFile, 3> all = {
      PageFile{"", "text/html; charset=utf-8", kAppHtml.empty() ? kPlainPage : kAppHtml},
      PageFile{"app.js", "text/javascript; charset=utf-8", kAppScript},
      PageFile{"app.css", "text/css; charset=utf-8", kAppStyle},
  };
  return all;
}

}  // namespace

const PageFile* find_page_file(std::string_view path) {
  for (const PageFile& file : files()) {
    if (file.name == path && !file.content.empty()) return &file;
  }
  return nullptr;
}

const PageFile* page_of_view(std::string_view path) {
  return path == "a" || path.starts_with("a/") ? &files().front() : nullptr;
}

Response page_response(const PageFile& file, const Request& request, const std::string& base_path) {
  const std::string tag = fmt::format("W/\"{:016x}\"", checksum64(file.content));
  Response response;
  response.content_type = file.content_type;
  response.headers = {{"ETag", tag},
                      {"Cache-Control", "no-cache"},
                      {"Content-Security-Policy", std::string(kPolicy)},
                      {"Referrer-Policy", "no-referrer"},
                      {"Vary", "Accept-Encoding"}};
  if (request.if_none_match == tag) {
    response.status = 304;
    return response;
  }
  response.body = file.content;
  const std::size_t head = file.name.empty() ? response.body.find("<head>") : std::string::npos;
  if (head != std::string::npos) {
    response.body.insert(head + 6, fmt::format("<base href=\"{}\">", base_path));
  }
  return response;
}

}  // namespace webstrata::serve
