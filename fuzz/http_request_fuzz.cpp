// SPDX-License-Identifier: Apache-2.0

// The target and the headers of a request: nothing crashes, what is refused gets a sentence, and no
// header of an answer can be made of a value.

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "fuzz/require.h"
#include "webstrata/base/utf8.h"
#include "webstrata/serve/guard.h"
#include "webstrata/serve/routes.h"
#include "webstrata/serve/wire/problem.h"
#include "webstrata/serve/wire/request.h"
#include "webstrata/serve/wire/response.h"

namespace {

namespace serve = webstrata::serve;

void check_http_route(const serve::Request& request) {
  try {
    const std::string_view path = request.path();
    const auto found =
        serve::find_route(path.substr(path.starts_with('/') ? 1 : 0), request.query());
    const serve::Parameters given = serve::parse_query(request.query());
    for (const auto& [name, value] : given)
      require(webstrata::is_utf8(name) && webstrata::is_utf8(value));
    if (found) serve::check_parameters(*found->route, given);
  } catch (const serve::Problem& problem) {
    require(problem.status() == 400 && std::string_view(problem.what()).size() > 10);
  }
}

void check_http_head(const serve::Request& request) {
  serve::Response response;
  response.headers.emplace_back("Location", request.target);
  const std::string head = serve::head_of(response, {});
  // One line for each header, and the empty line.
  require(std::count(head.begin(), head.end(), '\n') == 8 && head.ends_with("\r\n\r\n"));
  require(serve::combined_log_line(request, request.forwarded_for, 200, 1).find('\n') ==
          serve::combined_log_line(request, request.forwarded_for, 200, 1).size() - 1);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t end = text.find('\n');
  serve::Request request;
  request.target = text.substr(0, end);
  const std::string_view header =
      end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  request.forwarded_for = header;
  request.peer = "127.0.0.1";
  request.authorization = header;
  request.host = header;
  check_http_route(request);
  check_http_head(request);
  serve::client_address(request.peer, header, {"127.0.0.1", "10.0.0.1"});
  serve::accepts_gzip(header);
  serve::accepts(header, "application/json");
  serve::accepts_by_name(header, "application/x-ndjson");
  serve::is_host_header(header);
  serve::Settings settings;
  settings.token = "0123456789abcdef";
  try {
    serve::check_token(request, settings);
    require(header.find("0123456789abcdef") != std::string_view::npos || header.size() > 20);
    serve::check_host(request, settings);
  } catch (const serve::Problem& problem) {
    require(problem.status() == 401 || problem.status() == 421);
  }
  return 0;
}
