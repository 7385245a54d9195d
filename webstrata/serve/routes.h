// SPDX-License-Identifier: Apache-2.0

// The routes: address, parameters and answer of each. routes.cpp is the whole interface on one
// screen; documents and checks are made from the same table.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "webstrata/serve/ask/question.h"
#include "webstrata/serve/wire/http_server.h"

namespace webstrata::serve {

// What a value of a parameter looks like, for checks and for the OpenAPI document.
enum class ValueKind : std::uint8_t { Text, Url, Date, Dates, Whole, Choice };

struct ParameterEntry {
  std::string_view name;
  ValueKind kind = ValueKind::Text;
  std::string_view help;
  bool is_needed = false;
  std::vector<std::string_view> words = {};  // of a Choice
  std::uint64_t least = 1;                   // of a Whole
  std::uint64_t most = 100'000;
};

struct Route {
  // "api/v1/{archive}/links", below the base path; a {url} at the end takes all that follows.
  std::string_view path;
  std::string_view summary;
  Effort effort = Effort::Quick;
  std::vector<ParameterEntry> parameters = {};
  Response (*answer)(const Question& question) = nullptr;
  std::string_view content_type = "application/json";
  bool is_list = false;              // also as JSON lines and as an Arrow stream
  bool takes_any_parameter = false;  // those of other tools: unknown ones are ignored
  bool is_live = false;              // it changes without a new generation: no ETag
  bool is_writing = false;           // POST, which changes the archive (serve --writable)
  std::string_view body_type = {};   // of its body; empty: it has none
};

const std::vector<Route>& routes();

// A route that fits a path, and what its places stand for.
struct FoundRoute {
  const Route* route = nullptr;
  std::map<std::string, std::string, std::less<>> places;
  std::string tail;  // of {url} at the end, not decoded, with the query
};
// `path` is below the base path, without its first slash, as it was sent. Throws Problem 400 for a
// path that cannot be decoded.
std::optional<FoundRoute> find_route(std::string_view path, std::string_view query);
// The route alone, without decoding; null if there is none.
const Route* match_route(std::string_view path) noexcept;

// Throws Problem 400 for parameters that the route does not have, for repeated ones, and for values
// that the table does not allow; Error(BadInput) for what is not a date.
void check_parameters(const Route& route, const Parameters& given);

// The OpenAPI 3.1 document of all routes. `base` is the address of the server, `archives` the names
// that {archive} may have. Routes that write are in it if they are open.
std::string openapi_document(const std::string& base, const std::vector<std::string>& archives,
                             const Settings& settings);

}  // namespace webstrata::serve
