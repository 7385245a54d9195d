// SPDX-License-Identifier: Apache-2.0

// Tested by tests/cli/forget_test.py.

#include "webstrata/show/forget_forms.h"

#include <string_view>

#include <fmt/format.h>

#include "webstrata/base/human.h"
#include "webstrata/base/json.h"
#include "webstrata/words/dates.h"

namespace webstrata {
namespace {

std::string_view word_of(PatternKind kind) {
  switch (kind) {
    case PatternKind::Url:
    case PatternKind::ExactUrl:
      return "url";
    case PatternKind::Prefix:
    case PatternKind::ExactPrefix:
      return "prefix";
    case PatternKind::Domain:
    case PatternKind::Host:
      return "host";
  }
  return "";
}

bool is_exactly(PatternKind kind) {
  return kind == PatternKind::ExactUrl || kind == PatternKind::ExactPrefix ||
         kind == PatternKind::Host;
}

}  // namespace

Cells record_columns() { return {"time", "url", "file", "offset"}; }

Cells record_cells(const ForgottenRecord& record) {
  return {to_rfc3339(record.time), record.url, record.file,
          record.offset ? std::to_string(*record.offset) : ""};
}

std::string as_json(const ForgottenRecord& record) {
  std::string line;
  JsonWriter writer(line);
  writer.begin_object().field("url", record.url).field("time", to_rfc3339(record.time));
  if (!record.file.empty()) writer.field("file", record.file);
  if (record.offset) writer.field("offset", *record.offset);
  writer.end_object();
  return line;
}

Cells tombstone_columns() { return {"kind", "from", "to", "hash"}; }

Cells tombstone_cells(const TombstoneView& tombstone) {
  const auto bound = [](Time time, Time none) {
    return time == none ? std::string() : to_rfc3339(time);
  };
  const TimeInterval during = tombstone.during.value_or(kEver);
  return {
      fmt::format("{}{}", word_of(tombstone.kind), is_exactly(tombstone.kind) ? " exactly" : ""),
      bound(during.first, kEver.first), bound(during.last, kEver.last), tombstone.hash};
}

std::string as_json(const TombstoneView& tombstone) {
  const TimeInterval during = tombstone.during.value_or(kEver);
  std::string line;
  JsonWriter json(line);
  json.begin_object().field("kind", word_of(tombstone.kind));
  json.field("exactly", is_exactly(tombstone.kind));
  if (during.first != kEver.first) json.field("from", to_rfc3339(during.first));
  if (during.last != kEver.last) json.field("to", to_rfc3339(during.last));
  if (tombstone.size > 0) json.field("length", tombstone.size);
  json.field("hash", tombstone.hash).end_object();
  return line;
}

std::string losses_text(const ForgetResult& result) {
  const ArchiveCounts& now = result.manifest.counts;
  const auto lost = [](std::uint64_t before, std::uint64_t after) {
    return human_number(before - after);
  };
  return fmt::format("{} sightings, {} captures, {} links and {} names",
                     lost(result.before.sightings, now.sightings),
                     lost(result.before.captures, now.captures),
                     lost(result.before.links, now.links), lost(result.before.nodes, now.nodes));
}

}  // namespace webstrata
