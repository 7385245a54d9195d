// SPDX-License-Identifier: Apache-2.0

// Tested by tests/cli/ask_test.py, tests/python/reports_test.py.

#include "webstrata/show/stats_forms.h"

#include "webstrata/base/json.h"

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

}  // namespace

std::string as_json(const Archive& archive, const LinkStatistics& stats) {
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
  json.field("menu_links", stats.menu_links);
  json.field("last_capture_links", stats.last_capture_links).end_object();
  return text;
}

}  // namespace webstrata
