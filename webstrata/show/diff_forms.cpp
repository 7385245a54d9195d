// SPDX-License-Identifier: Apache-2.0

// Tested by tests/cli/ask_test.py.

#include "webstrata/show/diff_forms.h"

#include <array>
#include <string_view>

#include <fmt/format.h>

#include "webstrata/base/human.h"
#include "webstrata/base/json.h"

namespace webstrata {
namespace {

void append_host(JsonWriter& json, const HostDifference& host) {
  json.begin_object();
  if (!host.host.empty()) json.field("host", host.host);
  json.field("pages_kept", host.pages_kept).field("pages_appeared", host.pages_appeared);
  json.field("pages_vanished", host.pages_vanished).field("pages_not_seen", host.pages_not_seen);
  json.field("links_kept", host.links_kept).field("links_appeared", host.links_appeared);
  json.field("links_vanished", host.links_vanished).field("links_not_seen", host.links_not_seen);
  json.end_object();
}

std::string row_of(std::string_view name, const std::array<std::string, 8>& cells) {
  std::string line = fmt::format("{:<40}", name);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    line += fmt::format("{}{:>{}}", i == 4 ? "   " : " ", cells[i], i % 4 == 0 ? 10 : 9);
  }
  return line + "\n";
}

std::string row_of(std::string_view name, const HostDifference& host) {
  return row_of(name, {human_number(host.pages_kept), human_number(host.pages_appeared),
                       human_number(host.pages_vanished), human_number(host.pages_not_seen),
                       human_number(host.links_kept), human_number(host.links_appeared),
                       human_number(host.links_vanished), human_number(host.links_not_seen)});
}

std::string_view sign_of(Change change) {
  switch (change) {
    case Change::Appeared:
      return "+";
    case Change::Vanished:
      return "-";
    case Change::Kept:
      return "=";
    case Change::NotSeen:
      return "?";
  }
  return "";
}

}  // namespace

std::string hosts_as_json(const DiffResult& result, Time from, Time to) {
  std::string text;
  JsonWriter json(text);
  json.begin_object().field("from", to_rfc3339(from)).field("to", to_rfc3339(to)).key("total");
  append_host(json, result.total);
  json.key("hosts").begin_array();
  for (const HostDifference& host : result.hosts) append_host(json, host);
  json.end_array().end_object();
  text += "\n";
  return text;
}

std::string host_as_json(const HostDifference& host) {
  std::string text;
  JsonWriter json(text);
  append_host(json, host);
  return text;
}

std::string hosts_as_text(const DiffResult& result) {
  std::string text = row_of("host", {"pages kept", "appeared", "vanished", "not seen", "links kept",
                                     "appeared", "vanished", "not seen"});
  for (const HostDifference& host : result.hosts) text += row_of(host.host, host);
  return text + row_of("all", result.total);
}

TextTable hosts_table(const DiffResult& result) {
  TextTable table{{"host", "pages_kept", "pages_appeared", "pages_vanished", "pages_not_seen",
                   "links_kept", "links_appeared", "links_vanished", "links_not_seen"},
                  {}};
  const auto add = [&table](const std::string& name, const HostDifference& host) {
    Cells cells = {name};
    for (const std::uint64_t count :
         {host.pages_kept, host.pages_appeared, host.pages_vanished, host.pages_not_seen,
          host.links_kept, host.links_appeared, host.links_vanished, host.links_not_seen}) {
      cells.push_back(std::to_string(count));
    }
    table.rows.push_back(std::move(cells));
  };
  for (const HostDifference& host : result.hosts) add(host.host, host);
  add("all", result.total);
  return table;
}

Cells difference_columns() { return {"change", "page", "target"}; }

Cells difference_cells(const Archive& archive, const Difference& difference) {
  Cells cells = {std::string(sign_of(difference.change)), archive.url(difference.source)};
  if (difference.target) cells.push_back(archive.url(*difference.target));
  return cells;
}

std::string difference_as_json(const Archive& archive, const Difference& difference) {
  std::string line;
  JsonWriter json(line);
  json.begin_object().field("change", to_string(difference.change));
  json.field(difference.target ? "source" : "page", archive.url(difference.source));
  if (difference.target) json.field("target", archive.url(*difference.target));
  json.end_object();
  return line;
}

}  // namespace webstrata
