// SPDX-License-Identifier: Apache-2.0

// Tested by tests/cli/extract_test.py and tests/cli/bad_use_test.py.

#include "webstrata/cli/frame/input_report.h"

#include <algorithm>

#include <fmt/format.h>

#include "webstrata/base/human.h"
#include "webstrata/cli/frame/command.h"

namespace webstrata {
namespace {

void tell_damage(const InputSummary& summary, std::string_view where_listed) {
  constexpr std::size_t kShown = 3;
  const auto& damages = summary.report.damages();
  for (std::size_t i = 0; i < std::min(kShown, damages.size()); ++i) {
    complain(
        fmt::format("{}: damaged at {}: {}", summary.path, damages[i].offset, damages[i].reason),
        Tone::Warning);
  }
  if (summary.report.damage_count() > kShown) {
    complain(fmt::format("{}: {} more damaged places ({} lists them)", summary.path,
                         human_number(summary.report.damage_count() - kShown), where_listed),
             Tone::Warning);
  }
}

// All damage in one line: a quiet command says that something is missing, not where.
void tell_damage_in_short(const std::vector<InputSummary>& summaries) {
  std::uint64_t places = 0;
  std::uint64_t files = 0;
  for (const InputSummary& summary : summaries) {
    if (!summary.error.empty()) continue;  // its own line says more
    places += summary.report.damage_count();
    files += summary.report.damage_count() > 0 ? 1 : 0;
  }
  if (places == 0) return;
  complain(fmt::format("{} damaged {} in {} {}; what could be read was read (without -q: where)",
                       human_number(places), places == 1 ? "place" : "places", human_number(files),
                       files == 1 ? "input" : "inputs"),
           Tone::Warning);
}

}  // namespace

void tell_troubles(const std::vector<InputSummary>& summaries, bool quiet,
                   std::string_view where_listed) {
  for (const InputSummary& summary : summaries) {
    if (!summary.error.empty()) complain(summary.error, Tone::Error);
    if (summary.error.empty() && !quiet) tell_damage(summary, where_listed);
  }
  if (quiet) tell_damage_in_short(summaries);
}

void tell_summary(const std::vector<InputSummary>& summaries) {
  InputSummary total;
  for (const InputSummary& summary : summaries) {
    total.records += summary.records;
    total.captures += summary.captures;
    total.sightings += summary.sightings;
    total.links += summary.links;
    total.report.merge(summary.report);
  }
  complain(fmt::format(
      "{} records: {} captures with {} links, {} other sightings, {} damaged "
      "places",
      human_number(total.records), human_number(total.captures), human_number(total.links),
      human_number(total.sightings), human_number(total.report.damage_count())));
  for (const auto& [what, times] : total.report.counts()) {
    complain(fmt::format("{}: {}", what, human_number(times)));
  }
}

void append_counts(JsonWriter& json, const Report& report) {
  json.begin_object();
  for (const auto& [what, times] : report.counts()) json.field(what, times);
  json.end_object();
}

void append_stats(JsonWriter& json, const InputSummary& summary) {
  json.begin_object().field("file", summary.path).field("format", summary.format);
  json.field("records", summary.records).field("captures", summary.captures);
  json.field("sightings", summary.sightings).field("links", summary.links);
  json.field("bytes", summary.bytes).key("damaged").begin_array();
  for (const Damage& damage : summary.report.damages()) {
    json.begin_object().field("offset", damage.offset).field("reason", damage.reason).end_object();
  }
  json.end_array().field("damaged_count", summary.report.damage_count());
  json.field("resynchronised", summary.report.resynchronised_count());
  append_counts(json.key("left_out"), summary.report);
  if (!summary.error.empty()) json.field("error", summary.error);
  json.end_object();
}

bool found_anything(const std::vector<InputSummary>& summaries) noexcept {
  return std::any_of(summaries.begin(), summaries.end(), [](const InputSummary& summary) {
    return summary.captures + summary.sightings > 0;
  });
}

bool failed(const std::vector<InputSummary>& summaries, bool strict) noexcept {
  return std::any_of(summaries.begin(), summaries.end(), [strict](const InputSummary& summary) {
    return !summary.error.empty() || (strict && summary.report.damage_count() > 0);
  });
}

}  // namespace webstrata
