// SPDX-License-Identifier: Apache-2.0

// Tested by tests/serve/recorded_web_test.cpp and tests/serve/replay_test.py.

#include "webstrata/serve/replay/replay_service.h"

#include <fmt/format.h>

#include "webstrata/serve/wire/problem.h"

namespace webstrata::serve {
namespace {

// A virtual host is reached at the port of this server, which was not part of the recorded URL.
std::string host_without_port(const std::string& host) {
  const std::size_t colon = host.rfind(':');
  const bool has_port = colon != std::string::npos && host.find(']', colon) == std::string::npos &&
                        host.find_first_not_of("0123456789", colon + 1) == std::string::npos;
  return has_port ? host.substr(0, colon) : host;
}

Response recorded_response(const RecordedAnswer& answer) {
  Response response;
  response.status = answer.status;
  response.is_recorded = true;
  response.headers = answer.headers;
  response.headers.emplace_back("Memento-Datetime", to_rfc1123(answer.time));
  response.body = answer.body;
  return response;
}

}  // namespace

std::string requested_address(const Request& request) {
  if (request.target.starts_with("http://") || request.target.starts_with("https://")) {
    return request.target;
  }
  return fmt::format("http://{}{}", host_without_port(request.host), request.target);
}

Response ReplayService::answer(const Request& request) noexcept {
  try {
    if (request.method_text == "CONNECT") {
      return problem_response(501, "the recorded web is served without TLS: ask for http:// URLs");
    }
    if (request.method != Method::Get && request.method != Method::Head) {
      return problem_response(405, "the recorded web can only be read");
    }
    const std::string url = requested_address(request);
    const auto answer = web_.find(url);
    if (!answer) {
      return problem_response(404, fmt::format("{} was not recorded up to that date", url));
    }
    return recorded_response(*answer);
  } catch (const std::exception& error) {
    return problem_response(502, error.what());
  }
}

}  // namespace webstrata::serve
