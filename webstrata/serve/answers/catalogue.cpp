// SPDX-License-Identifier: Apache-2.0

// What is served: archives, their counts, their hosts.
// Tested by tests/serve/answers_test.cpp.

#include <algorithm>

#include <fmt/format.h>

#include "webstrata/base/json.h"
#include "webstrata/base/text.h"
#include "webstrata/base/version.h"
#include "webstrata/serve/answers/answers.h"
#include "webstrata/serve/ask/list_answer.h"
#include "webstrata/serve/ask/years.h"
#include "webstrata/show/archive_counts.h"
#include "webstrata/url/host.h"

namespace webstrata::serve {
namespace {

void append_span(JsonWriter& json, const ArchiveCounts& counts) {
  json.key("span").begin_array();
  if (counts.span) {
    json.value(to_rfc3339(counts.span->first)).value(to_rfc3339(counts.span->last));
  }
  json.end_array();
}

// Rows of a table, in an order of their own.
struct ChosenHosts {
  std::shared_ptr<const HostTable> table;
  std::vector<const HostRow*> rows = {};
};

void append_host(std::string& out, const HostRow* const& place) {
  const HostRow& row = *place;
  JsonWriter json(out);
  json.begin_object().field("host", row.host);
  const std::string_view domain = registered_domain(row.host);
  json.field("domain", domain.empty() ? std::string_view(row.host) : domain);
  json.field("nodes", row.nodes).field("pages", row.pages).field("captures", row.captures);
  json.field("links", row.links);
  if (row.captures > 0) {
    json.field("first", to_rfc3339(row.first)).field("last", to_rfc3339(row.last));
  }
  append_year_counts(json, "years", row.years);
  json.end_object();
}

bool matches(const std::string& host, const std::string& word) {
  if (!word.starts_with("*.")) return host.find(lower(word)) != std::string::npos;
  const std::string domain = lower(word.substr(2));
  return host == domain || host.ends_with("." + domain);
}

// By name in the order of keys, as the table has them; else by a number, ties by name.
void sort_hosts(std::vector<const HostRow*>& rows, const std::string& by, bool descends) {
  const auto sort_by = [&](auto value) {
    std::stable_sort(rows.begin(), rows.end(), [&](const HostRow* a, const HostRow* b) {
      return descends ? value(*b) < value(*a) : value(*a) < value(*b);
    });
  };
  if (by == "name" && descends) std::reverse(rows.begin(), rows.end());
  if (by == "nodes") sort_by([](const HostRow& row) { return row.nodes; });
  if (by == "pages") sort_by([](const HostRow& row) { return row.pages; });
  if (by == "captures") sort_by([](const HostRow& row) { return row.captures; });
  if (by == "links") sort_by([](const HostRow& row) { return row.links; });
  if (by == "first") sort_by([](const HostRow& row) { return row.first; });
  if (by == "last") sort_by([](const HostRow& row) { return row.last; });
}

}  // namespace

Response answer_archives(const Question& question) {
  std::string body;
  JsonWriter json(body);
  json.begin_object().key("archives").begin_array();
  for (const auto& served : question.archives.all()) {
    const Manifest& manifest = served->archive.manifest();
    json.begin_object().field("name", served->name).field("generation", manifest.generation);
    json.field("pages", manifest.counts.pages).field("captures", manifest.counts.captures);
    append_span(json, manifest.counts);
    json.end_object();
  }
  json.end_array().field("version", version()).end_object();
  return json_response(std::move(body));
}

Response answer_info(const Question& question) {
  const Manifest& manifest = question.archive().manifest();
  std::string body;
  JsonWriter json(body);
  json.begin_object().field("name", question.served->name);
  append_counts(json, manifest);
  append_options(json.key("options").begin_object(), manifest.options);
  json.end_object().field("bytes", bytes_of(manifest)).key("layers").begin_array();
  for (const auto& [layer, files] : manifest.layers) json.value(to_string(layer));
  json.end_array().key("scores").begin_array();
  for (const auto& [name, file] : manifest.scores) json.value(name);
  json.end_array().key("link_scores").begin_array();
  for (const auto& [name, file] : manifest.link_scores) json.value(name);
  json.end_array().end_object();
  return json_response(std::move(body));
}

Response answer_hosts(const Question& question) {
  const std::string by =
      question.choice("sort", {"name", "nodes", "pages", "captures", "links", "first", "last"});
  const bool descends = question.choice("order", {"ascending", "descending"}) == "descending";
  const auto table = question.served->derived.hosts(question.archive(), question.request.deadline);
  const auto match = question.text("match");
  auto chosen = std::make_shared<ChosenHosts>();
  chosen->table = table;
  for (const HostRow& row : *table) {
    if (!match || matches(row.host, *match)) chosen->rows.push_back(&row);
  }
  sort_hosts(chosen->rows, by, descends);
  const std::shared_ptr<const std::vector<const HostRow*>> rows(chosen, &chosen->rows);
  ListAnswer list;
  list.name = "hosts";
  list.head = fmt::format("\"total\":{}", rows->size());
  list.columns = {{"host"},
                  {"domain"},
                  {"nodes", ColumnKind::Whole},
                  {"pages", ColumnKind::Whole},
                  {"captures", ColumnKind::Whole},
                  {"links", ColumnKind::Whole},
                  {"first", ColumnKind::Moment},
                  {"last", ColumnKind::Moment},
                  {"years", ColumnKind::Years}};
  fill_from_rows(list, question, rows, append_host);
  return list_response(question, std::move(list));
}

}  // namespace webstrata::serve
