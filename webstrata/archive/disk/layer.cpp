// SPDX-License-Identifier: Apache-2.0

// The table of layers. Tested by tests/archive/layer_table_test.cpp and
// tests/python/layers_test.py.

#include "webstrata/archive/disk/layer.h"

#include <fmt/format.h>

#include "webstrata/archive/disk/manifest.h"
#include "webstrata/codec/kinds.h"
#include "webstrata/codec/links.h"
#include "webstrata/codec/names.h"
#include "webstrata/codec/presence.h"
#include "webstrata/codec/sightings.h"
#include "webstrata/codec/texts.h"
#include "webstrata/codec/times.h"

namespace webstrata {
namespace {

// ---- columns ------------------------------------------------------------------------------------

constexpr std::string_view kNumbers = "list<int64>";
constexpr std::string_view kRows = "list<list<int32>>";
constexpr std::string_view kKeys = "list<binary>";
constexpr LayerColumn kUid = {"uid", "int64"};

constexpr std::array kNamesColumns = {kUid, LayerColumn{"key", "binary"},
                                      LayerColumn{"url", "string"}};
constexpr std::array kLinksColumns = {kUid, LayerColumn{"targets", kNumbers}};
constexpr std::array kTimesColumns = {kUid, LayerColumn{"times", kNumbers}};
constexpr std::array kPresenceColumns = {kUid, LayerColumn{"present", kRows}};
constexpr std::array kKindsColumns = {kUid, LayerColumn{"kinds", kRows},
                                      LayerColumn{"counts", kRows}};
constexpr std::array kSightingsColumns = {
    LayerColumn{"url", "string"},     LayerColumn{"time", "int64"},
    LayerColumn{"kind", "string"},    LayerColumn{"status", "int32"},
    LayerColumn{"outcome", "string"}, LayerColumn{"digest", "string"},
    LayerColumn{"mime", "string"},    LayerColumn{"redirect_target", "string"}};
constexpr std::array kInLinksColumns = {kUid, LayerColumn{"sources", kNumbers}};
constexpr std::array kRangesColumns = {kUid, LayerColumn{"ranges", kNumbers}};

constexpr std::array kTextsColumns = {
    kUid, LayerColumn{"links", kNumbers}, LayerColumn{"texts", "list<string>"},
    LayerColumn{"first_rows", kNumbers}, LayerColumn{"end_rows", kNumbers}};

constexpr std::array kNamesInDocument = {LayerColumn{"key", "binary"}, kUid,
                                         LayerColumn{"url", "string"}};
constexpr std::array kLinksInDocument = {LayerColumn{"links", kKeys}};
constexpr std::array kTimesInDocument = {LayerColumn{"times", kNumbers}};
constexpr std::array kPresenceInDocument = {LayerColumn{"presence", kRows}};
constexpr std::array kKindsInDocument = {LayerColumn{"kinds", kRows}, LayerColumn{"counts", kRows}};
constexpr std::array kSightingsInDocument = {
    LayerColumn{"sightings",
                "list<struct<time: int64, kind: string, status: int32, outcome: string, "
                "digest: string, mime: string, redirect: string>>"}};
constexpr std::array kInLinksInDocument = {LayerColumn{"in_links", kKeys}};
constexpr std::array kRangesInDocument = {LayerColumn{"ranges", kNumbers}};
constexpr std::array kInPresenceInDocument = {LayerColumn{"in_presence", kRows}};

// ---- chunks -------------------------------------------------------------------------------------

void check_names(std::string_view bytes, Uid) { static_cast<void>(NamesChunk::open(bytes)); }

void check_links(std::string_view bytes, Uid first) {
  LinkLists links;
  LinksChunk::open(bytes, first).decode(links);
}

void check_times(std::string_view bytes, Uid) {
  TimeLists times;
  TimesChunk::open(bytes).decode(times);
}

void check_presence(std::string_view bytes, Uid) { static_cast<void>(PresenceChunk::open(bytes)); }

void check_kinds(std::string_view bytes, Uid) { static_cast<void>(KindsChunk::open(bytes)); }

void check_sightings(std::string_view bytes, Uid first) {
  static_cast<void>(SightingsChunk::open(bytes, first));
}

void check_texts(std::string_view bytes, Uid) { static_cast<void>(decode_texts(bytes)); }

// ---- the table ----------------------------------------------------------------------------------

constexpr auto kTable = std::to_array<LayerEntry>({
    {.layer = Layer::Names,
     .name = "names",
     .columns = kNamesColumns,
     .document_columns = kNamesInDocument,
     .unit = "name",
     .unit_count = &ArchiveCounts::nodes,
     .holds_facts = true,
     .check_chunk = check_names},
    {.layer = Layer::Links,
     .name = "links",
     .columns = kLinksColumns,
     .document_columns = kLinksInDocument,
     .unit = "link",
     .unit_count = &ArchiveCounts::links,
     .holds_facts = true,  // with times, presence and kinds: its digest covers the rows
     .check_chunk = check_links},
    {.layer = Layer::Times,
     .name = "times",
     .columns = kTimesColumns,
     .document_columns = kTimesInDocument,
     .unit = "capture",
     .unit_count = &ArchiveCounts::captures,
     .check_chunk = check_times},
    {.layer = Layer::Presence,
     .name = "presence",
     .columns = kPresenceColumns,
     .document_columns = kPresenceInDocument,
     .check_chunk = check_presence},
    {.layer = Layer::Kinds,
     .name = "kinds",
     .columns = kKindsColumns,
     .document_columns = kKindsInDocument,
     .check_chunk = check_kinds},
    {.layer = Layer::Sightings,
     .name = "sightings",
     .columns = kSightingsColumns,
     .document_columns = kSightingsInDocument,
     .unit = "sighting",
     .unit_count = &ArchiveCounts::sightings,
     .holds_facts = true,
     .check_chunk = check_sightings},
    {.layer = Layer::InLinks,
     .name = "in_links",
     .columns = kInLinksColumns,
     .document_columns = kInLinksInDocument,
     .unit = "link",
     .unit_count = &ArchiveCounts::links,
     .check_chunk = check_links},
    {.layer = Layer::Ranges,
     .name = "ranges",
     .columns = kRangesColumns,
     .document_columns = kRangesInDocument,
     .check_chunk = check_times},
    {.layer = Layer::InPresence,
     .name = "in_presence",
     .columns = kPresenceColumns,
     .document_columns = kInPresenceInDocument,
     .check_chunk = check_presence},
    {.layer = static_cast<Layer>(9),
     .name = "texts",
     .columns = kTextsColumns,
     .unit = "link",
     .unit_count = &ArchiveCounts::links,
     .holds_facts = true,
     .check_chunk = check_texts,
     .is_optional = true,
     .help = "Store the texts of links, cut at 100 characters",
     .encode = encode_texts,
     .decode = decode_texts},
});

constexpr bool is_complete(std::span<const LayerEntry> table) {
  for (std::size_t i = 0; i < table.size(); ++i) {
    const LayerEntry& entry = table[i];
    if (static_cast<std::size_t>(entry.layer) != i) return false;
    if (entry.check_chunk == nullptr || entry.columns.empty()) return false;
    // (With sanitizers, g++ cannot compare a function of another file while it compiles.)
    if (!entry.is_optional && (entry.encode != nullptr || entry.decode != nullptr)) return false;
    if (entry.unit.empty() != (entry.unit_count == nullptr)) return false;
  }
  return true;
}
static_assert(is_complete(kTable), "a row is missing, out of order or half filled in");

}  // namespace

std::span<const LayerEntry> layer_table() noexcept { return kTable; }

const LayerEntry& entry_of(Layer layer) noexcept { return kTable[static_cast<std::size_t>(layer)]; }

std::optional<Layer> layer_named(std::string_view name) noexcept {
  for (const LayerEntry& entry : kTable) {
    if (entry.name == name) return entry.layer;
  }
  return std::nullopt;
}

std::string_view to_string(Layer layer) noexcept { return entry_of(layer).name; }

Layer texts_layer() noexcept { return *layer_named("texts"); }

std::string part_name(Layer layer, std::uint64_t part) {
  return fmt::format("{}.{:05}", to_string(layer), part);
}

std::span<const Layer> row_layers(Direction direction) noexcept {
  if (direction == Direction::Out) return kOutRowLayers;
  return kInRowLayers;
}

}  // namespace webstrata
