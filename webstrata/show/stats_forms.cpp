// SPDX-License-Identifier: Apache-2.0

// Tested by tests/cli/ask_test.py, tests/python/reports_test.py.

#include "webstrata/show/stats_forms.h"

#include <fmt/format.h>

#include "webstrata/base/human.h"
#include "webstrata/base/json.h"
#include "webstrata/base/time.h"
#include "webstrata/show/pages/stats_report.h"

namespace webstrata {
namespace {

void append_years(JsonWriter& json, const LinkStatistics& stats) {
  json.key("years").begin_object();
  for (const auto& [year, counts] : stats.years) {
    json.key(std::to_string(year)).begin_object().field("captures", counts.captures);
    json.field("new_pages", counts.new_pages).field("link_facts", counts.link_facts);
    json.field("births", counts.births).field("deaths", counts.deaths).end_object();
  }
  json.end_object();
}

void append_numbers(JsonWriter& json, std::string_view name,
                    const std::vector<std::uint64_t>& numbers) {
  json.key(name).begin_array();
  for (const std::uint64_t number : numbers) json.value(number);
  json.end_array();
}

void append_menus(JsonWriter& json, const Archive& archive, const LinkStatistics& stats) {
  json.key("menus").begin_array();
  for (const LinkStatistics::Menu& menu : stats.menus) {
    json.begin_object().field("place", menu.place).field("global", menu.is_global);
    json.field("pages", menu.pages).key("targets").begin_array();
    for (const Uid target : menu.targets) json.value(archive.url(target));
    json.end_array().end_object();
  }
  json.end_array();
}

void append_patterns(JsonWriter& json, const Archive& archive,
                     const std::vector<LinkPattern>& patterns) {
  json.key("patterns").begin_array();
  for (const LinkPattern& pattern : patterns) {
    json.begin_object().field("host", pattern.host).field("pages", pattern.pages);
    json.field("pages_last", pattern.pages_last).field("captures", pattern.captures);
    json.field("first", to_rfc3339(pattern.seen.first));
    json.field("last", to_rfc3339(pattern.seen.last)).key("targets").begin_array();
    for (const Uid target : pattern.targets) json.value(archive.url(target));
    json.end_array().end_object();
  }
  json.end_array();
}

}  // namespace

std::vector<std::string> pattern_lines(const std::vector<LinkPattern>& patterns) {
  std::vector<std::string> lines;
  for (const LinkPattern& pattern : patterns) {
    lines.push_back(
        fmt::format("  {}: {} links on {} pages ({} in their last capture), {} captures, {} to {}",
                    pattern.host, human_number(pattern.targets.size()), human_number(pattern.pages),
                    human_number(pattern.pages_last), human_number(pattern.captures),
                    to_rfc3339(pattern.seen.first), to_rfc3339(pattern.seen.last)));
  }
  return lines;
}

TextTable stats_table(const LinkStatistics& stats, const FoundPatterns& patterns) {
  TextTable table{{"table", "row", "measure", "count"}, {}};
  const auto add = [&table](std::string_view of, std::string row, std::string_view measure,
                            std::uint64_t count) {
    table.rows.push_back(
        {std::string(of), std::move(row), std::string(measure), std::to_string(count)});
  };
  add("all", "", "pages", stats.pages);
  add("all", "", "captures", stats.captures);
  add("all", "", "links", stats.links);
  add("all", "", "link_facts", stats.link_facts);
  add("all", "", "births", stats.births);
  add("all", "", "deaths", stats.deaths);
  add("all", "", "returns", stats.returns);
  for (const auto& [year, counts] : stats.years) {
    const std::string row = std::to_string(year);
    add("years", row, "captures", counts.captures);
    add("years", row, "new_pages", counts.new_pages);
    add("years", row, "link_facts", counts.link_facts);
    add("years", row, "births", counts.births);
    add("years", row, "deaths", counts.deaths);
  }
  const auto add_lifetimes = [&](std::string_view measure,
                                 const std::vector<std::uint64_t>& counts) {
    for (std::size_t k = 0; k < counts.size(); ++k) {
      if (counts[k] > 0) add("lifetime_days", days_of_class(k), measure, counts[k]);
    }
  };
  add_lifetimes("died", stats.lifetime_days_ended);
  add_lifetimes("in_last_capture", stats.lifetime_days_censored);
  add("links_to", "same_directory", "links", stats.same_directory);
  add("links_to", "same_host", "links", stats.same_host);
  add("links_to", "same_domain", "links", stats.same_domain);
  add("links_to", "elsewhere", "links", stats.elsewhere);
  for (const LinkStatistics::Menu& menu : stats.menus) {
    add("menus", menu.place, "targets", menu.targets.size());
    add("menus", menu.place, "pages", menu.pages);
  }
  if (!patterns) return table;
  for (const LinkPattern& pattern : *patterns) {
    add("patterns", pattern.host, "targets", pattern.targets.size());
    add("patterns", pattern.host, "pages", pattern.pages);
    add("patterns", pattern.host, "captures", pattern.captures);
  }
  return table;
}

std::string as_json(const Archive& archive, const LinkStatistics& stats,
                    const FoundPatterns& patterns) {
  std::string text;
  JsonWriter json(text);
  json.begin_object().field("pages", stats.pages).field("captures", stats.captures);
  json.field("links", stats.links).field("link_facts", stats.link_facts);
  json.field("births", stats.births).field("deaths", stats.deaths);
  json.field("returns", stats.returns);
  append_years(json, stats);
  append_numbers(json, "lifetime_days_ended", stats.lifetime_days_ended);
  append_numbers(json, "lifetime_days_censored", stats.lifetime_days_censored);
  json.key("locality").begin_object().field("same_directory", stats.same_directory);
  json.field("same_host", stats.same_host).field("same_domain", stats.same_domain);
  json.field("elsewhere", stats.elsewhere).end_object();
  append_menus(json, archive, stats);
  if (patterns) append_patterns(json, archive, *patterns);
  json.field("menu_links", stats.menu_links);
  json.field("last_capture_links", stats.last_capture_links).end_object();
  return text;
}

}  // namespace webstrata
