// SPDX-License-Identifier: Apache-2.0

// The OpenAPI 3.1 document, made from the table of routes.
// Tested by tests/serve/service_test.cpp and tests/serve/openapi_test.py.

#include <fmt/format.h>

#include "webstrata/base/json.h"
#include "webstrata/base/version.h"
#include "webstrata/serve/ask/list_answer.h"
#include "webstrata/serve/routes.h"

namespace webstrata::serve {
namespace {

void append_schema(JsonWriter& json, const ParameterEntry& entry) {
  json.key("schema").begin_object();
  switch (entry.kind) {
    case ValueKind::Whole:
      json.field("type", "integer").field("minimum", entry.least).field("maximum", entry.most);
      break;
    case ValueKind::Date:
      json.field("type", "string").field("minLength", 1);
      json.key("examples").begin_array().value("2021-06").end_array();
      break;
    case ValueKind::Choice:
      json.field("type", "string").key("enum").begin_array();
      for (const std::string_view word : entry.words) json.value(word);
      json.end_array();
      break;
    case ValueKind::Dates:
      json.field("type", "string").field("minLength", 1);
      json.key("examples").begin_array().value("2021..2022").end_array();
      break;
    case ValueKind::Url:
    case ValueKind::Text:
      json.field("type", "string").field("minLength", 1);
      break;
  }
  json.end_object();
}

void append_place(JsonWriter& json, std::string_view name,
                  const std::vector<std::string>& archives) {
  json.begin_object().field("name", name).field("in", "path").field("required", true);
  json.key("schema").begin_object().field("type", "string");
  if (name == "archive") {
    json.key("enum").begin_array();
    for (const std::string& archive : archives) json.value(archive);
    json.end_array();
  } else {
    json.field("minLength", 1);
  }
  json.end_object().end_object();
}

void append_parameters(JsonWriter& json, const Route& route,
                       const std::vector<std::string>& archives) {
  json.key("parameters").begin_array();
  std::string_view path = route.path;
  while (path.find('{') != std::string_view::npos) {
    path.remove_prefix(path.find('{') + 1);
    append_place(json, path.substr(0, path.find('}')), archives);
  }
  for (const ParameterEntry& entry : route.parameters) {
    json.begin_object().field("name", entry.name).field("in", "query");
    json.field("description", entry.help).field("required", entry.is_needed);
    append_schema(json, entry);
    json.end_object();
  }
  json.end_array();
}

void append_problem(JsonWriter& json, std::string_view status, std::string_view description) {
  json.key(status).begin_object().field("description", description).key("content").begin_object();
  json.key("application/problem+json").begin_object().key("schema").begin_object();
  json.field("$ref", "#/components/schemas/Problem").end_object().end_object().end_object();
  json.end_object();
}

void append_responses(JsonWriter& json, const Route& route) {
  json.key("responses").begin_object().key("200").begin_object();
  json.field("description", route.summary).key("content").begin_object();
  json.key(route.content_type).begin_object().key("schema").begin_object();
  if (route.content_type == "application/json") json.field("type", "object");
  json.end_object().end_object();
  if (route.is_list) {
    json.key(kLinesType).begin_object().key("schema").begin_object();
    json.field("type", "string").end_object().end_object();
    json.key(kArrowType).begin_object().end_object();
  }
  json.end_object().end_object();
  append_problem(json, "default", "Why the request cannot be answered");
  json.end_object();
}

// The words of a forget, as answers/writing.cpp reads them.
void append_forget_schema(JsonWriter& json) {
  json.field("type", "object").field("additionalProperties", false).key("anyOf").begin_array();
  for (const std::string_view name : {"url", "prefix", "host"}) {
    json.begin_object().key("required").begin_array().value(name).end_array().end_object();
  }
  json.end_array().key("properties").begin_object();
  for (const std::string_view name : {"url", "prefix", "host"}) {
    json.key(name).begin_object().field("type", "array").field("minItems", 1);
    json.key("items").begin_object().field("type", "string").field("minLength", 1);
    json.end_object().end_object();
  }
  for (const std::string_view name : {"from", "to"}) {
    json.key(name).begin_object().field("type", "string").field("minLength", 1).end_object();
  }
  for (const std::string_view name : {"exactly", "embedded", "force", "dry_run"}) {
    json.key(name).begin_object().field("type", "boolean").end_object();
  }
  json.end_object();
}

void append_body(JsonWriter& json, const Route& route) {
  if (route.body_type.empty()) return;
  json.key("requestBody").begin_object().field("required", true).key("content").begin_object();
  json.key(route.body_type).begin_object().key("schema").begin_object();
  if (route.body_type == "application/json") {
    append_forget_schema(json);
  } else {
    json.field("type", "string").field("minLength", 1);
  }
  json.end_object().end_object().end_object().end_object();
}

void append_operation(JsonWriter& json, const Route& route,
                      const std::vector<std::string>& archives) {
  json.key(route.is_writing ? "post" : "get").begin_object().field("summary", route.summary);
  if (route.is_writing) {
    json.key("security").begin_array().begin_object();
    json.key("token").begin_array().end_array().end_object().end_array();
  }
  append_parameters(json, route, archives);
  append_body(json, route);
  append_responses(json, route);
  json.end_object();
}

void append_token(JsonWriter& json) {
  json.key("securitySchemes").begin_object().key("token").begin_object();
  json.field("type", "http").field("scheme", "bearer").end_object().end_object();
}

}  // namespace

std::string openapi_document(const std::string& base, const std::vector<std::string>& archives,
                             const Settings& settings) {
  std::string text;
  JsonWriter json(text);
  json.begin_object().field("openapi", "3.1.0").key("info").begin_object();
  json.field("title", "webstrata").field("version", version());
  json.field("description", "A link graph with history: who linked to whom, and when.");
  const std::string_view server(base.data(), base.ends_with('/') ? base.size() - 1 : base.size());
  json.end_object().key("servers").begin_array().begin_object().field("url", server);
  json.end_object().end_array().key("paths").begin_object();
  for (const Route& route : routes()) {
    if (!route.path.starts_with("api/") || (route.is_writing && !settings.is_writable)) continue;
    json.key(fmt::format("/{}", route.path)).begin_object();
    append_operation(json, route, archives);
    json.end_object();
  }
  json.end_object();
  if (!settings.token.empty() && settings.reading_needs_token) {
    json.key("security").begin_array().begin_object();
    json.key("token").begin_array().end_array().end_object().end_array();
  }
  json.key("components").begin_object();
  if (!settings.token.empty()) append_token(json);
  json.key("schemas").begin_object();
  json.key("Problem").begin_object().field("type", "object").key("required").begin_array();
  json.value("title").value("status").value("detail").end_array().key("properties").begin_object();
  for (const std::string_view name : {"type", "title", "detail"}) {
    json.key(name).begin_object().field("type", "string").end_object();
  }
  json.key("status").begin_object().field("type", "integer").end_object();
  json.end_object().end_object().end_object().end_object().end_object();
  return text;
}

}  // namespace webstrata::serve
