// SPDX-License-Identifier: Apache-2.0

// Two lines of JSON. The first is the manifest; the second holds the XXH3-64 of the first with its
// line break, in hexadecimal. Checksums are hexadecimal because readers of JSON in other languages
// keep only 53 bits of a number.
// Tested by tests/archive/manifest_test.cpp.

#include "webstrata/archive/disk/manifest.h"

#include <simdjson.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <new>

#include <fmt/format.h>

#include "webstrata/base/checksum.h"
#include "webstrata/base/error.h"
#include "webstrata/base/file.h"
#include "webstrata/base/json.h"

namespace webstrata {
namespace {

using simdjson::dom::array;
using simdjson::dom::element;
using simdjson::dom::object;

constexpr std::uint32_t kBlockBitsMax = 32;
constexpr std::array<std::string_view, 2> kEfforts = {"fast", "compact"};

std::string hex(std::uint64_t value) { return fmt::format("{:016x}", value); }

std::string last_line(std::string_view first_line) {
  return fmt::format("{{\"checksum\":\"{}\"}}\n", hex(checksum64(first_line)));
}

void write_options(JsonWriter& json, const ArchiveOptions& options) {
  json.key("options").begin_object();
  json.field("range_seconds", options.range_seconds).field("kinds", to_string(options.kinds));
  json.field("digests", to_string(options.digests));
  json.field("effort", kEfforts[static_cast<std::size_t>(options.effort)]);
  json.field("keep_other_schemes", options.keep_other_schemes);
  json.field("block_bits", options.block_bits).field("part_blocks", options.part_blocks);
  json.end_object();
}

void write_counts(JsonWriter& json, const ArchiveCounts& counts) {
  json.key("counts").begin_object();
  json.field("nodes", counts.nodes).field("pages", counts.pages);
  json.field("captures", counts.captures).field("sightings", counts.sightings);
  json.field("links", counts.links).field("link_facts", counts.link_facts);
  if (counts.span) json.field("first", counts.span->first).field("last", counts.span->last);
  json.end_object();
}

void write_file_entry(JsonWriter& json, const LayerFile& file) {
  json.begin_object().field("name", file.name).field("size", file.size);
  json.field("checksum", hex(file.checksum)).end_object();
}

void write_layers(JsonWriter& json, const std::map<Layer, std::vector<LayerFile>>& layers) {
  json.key("layers").begin_object();
  for (const auto& [layer, files] : layers) {
    json.key(to_string(layer)).begin_array();
    for (const LayerFile& file : files) write_file_entry(json, file);
    json.end_array();
  }
  json.end_object();
}

void write_columns(JsonWriter& json, std::string_view key,
                   const std::map<std::string, LayerFile>& columns) {
  if (columns.empty()) return;
  json.key(key).begin_object();
  for (const auto& [name, file] : columns) write_file_entry(json.key(name), file);
  json.end_object();
}

void write_strata(JsonWriter& json, const std::vector<Stratum>& strata) {
  if (strata.empty()) return;
  json.key("strata").begin_array();
  for (const Stratum& stratum : strata) {
    json.begin_object();
    write_counts(json, stratum.counts);
    json.field("facts_digest", stratum.facts_digest);
    if (stratum.places) {
      write_layers(json, stratum.layers);
      write_file_entry(json.key("places"), *stratum.places);
    }
    json.end_object();
  }
  json.end_array();
}

// One object of the manifest. Anything that save() would not write is damage.
class Fields {
 public:
  Fields(object fields, std::string_view name) : fields_(fields), name_(name) {}

  [[nodiscard]] bool has(std::string_view key) const {
    return fields_[key].error() == simdjson::SUCCESS;
  }
  [[nodiscard]] object object_at(std::string_view key) const { return get<object>(key); }
  [[nodiscard]] array array_at(std::string_view key) const { return get<array>(key); }
  [[nodiscard]] bool truth(std::string_view key) const { return get<bool>(key); }
  [[nodiscard]] Time time(std::string_view key) const { return get<std::int64_t>(key); }
  [[nodiscard]] std::uint64_t number(std::string_view key) const { return get<std::uint64_t>(key); }
  [[nodiscard]] std::uint32_t number(std::string_view key, std::uint32_t min,
                                     std::uint32_t max) const {
    const std::uint64_t value = number(key);
    if (value < min || value > max) damaged(key);
    return static_cast<std::uint32_t>(value);
  }
  [[nodiscard]] std::string_view word(std::string_view key) const {
    return get<std::string_view>(key);
  }
  [[nodiscard]] std::uint64_t checksum(std::string_view key) const {
    const std::string_view digits = word(key);
    std::uint64_t value = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
    if (digits != hex(value)) damaged(key);
    return value;
  }

  [[noreturn]] void damaged(std::string_view key) const {
    throw Error(ErrorKind::Corrupt,
                fmt::format("{}: {} is missing or makes no sense; restore it from a copy or "
                            "rebuild",
                            name_, key));
  }

 private:
  template <typename Value>
  [[nodiscard]] Value get(std::string_view key) const {
    Value value{};
    if (fields_[key].get(value) != simdjson::SUCCESS) damaged(key);
    return value;
  }

  object fields_;
  std::string_view name_;
};

DigestMode read_digests(const Fields& fields) {
  for (const DigestMode mode : {DigestMode::Full, DigestMode::Bits64, DigestMode::None}) {
    if (to_string(mode) == fields.word("digests")) return mode;
  }
  fields.damaged("digests");
}

LinksEffort read_effort(const Fields& fields) {
  const auto* const found = std::find(kEfforts.begin(), kEfforts.end(), fields.word("effort"));
  if (found == kEfforts.end()) fields.damaged("effort");
  return static_cast<LinksEffort>(found - kEfforts.begin());
}

LinkKinds read_kinds(const Fields& fields) {
  const auto kinds = parse_link_kinds(fields.word("kinds"));
  if (!kinds) fields.damaged("kinds");
  return *kinds;
}

ArchiveOptions read_options(const Fields& fields) {
  ArchiveOptions options;
  options.range_seconds = fields.time("range_seconds");
  if (options.range_seconds < 0) fields.damaged("range_seconds");
  options.kinds = read_kinds(fields);
  options.digests = read_digests(fields);
  options.effort = read_effort(fields);
  options.keep_other_schemes = fields.truth("keep_other_schemes");
  options.block_bits = fields.number("block_bits", 0, kBlockBitsMax);
  options.part_blocks = fields.number("part_blocks", 1, std::numeric_limits<std::uint32_t>::max());
  return options;
}

ArchiveCounts read_counts(const Fields& fields) {
  ArchiveCounts counts;
  counts.nodes = fields.number("nodes");
  counts.pages = fields.number("pages");
  counts.captures = fields.number("captures");
  counts.sightings = fields.number("sightings");
  counts.links = fields.number("links");
  counts.link_facts = fields.number("link_facts");
  if (fields.has("first")) counts.span = {fields.time("first"), fields.time("last")};
  return counts;
}

LayerFile read_file_entry(const Fields& fields) {
  LayerFile file;
  file.name = fields.word("name");
  // A name, not a path out of the folder.
  if (file.name.empty() || file.name.front() == '.' ||
      file.name.find_first_of(std::string_view("/\0", 2)) != std::string::npos) {
    fields.damaged("name");
  }
  file.size = fields.number("size");
  file.checksum = fields.checksum("checksum");
  return file;
}

std::vector<LayerFile> read_files(const Fields& layers, std::string_view layer,
                                  std::string_view name) {
  std::vector<LayerFile> files;
  for (const element entry : layers.array_at(layer)) {
    object fields;
    if (entry.get(fields) != simdjson::SUCCESS) layers.damaged(layer);
    files.push_back(read_file_entry({fields, name}));
  }
  return files;
}

void read_layers(object layers, std::string_view name, Manifest& manifest) {
  for (const auto [key, value] : layers) {
    const auto layer = layer_named(key);
    if (!layer) {
      manifest.unknown_layers.emplace_back(key);
    } else if (!manifest.layers.emplace(*layer, read_files({layers, name}, key, name)).second) {
      Fields(layers, name).damaged(key);
    }
  }
  for (const auto& [layer, files] : manifest.layers) {
    if (entry_of(layer).is_optional) manifest.options.optional_layers.push_back(layer);
  }
}

Stratum read_stratum(object fields_of, std::string_view name) {
  const Fields fields(fields_of, name);
  Stratum stratum;
  stratum.counts = read_counts({fields.object_at("counts"), name});
  stratum.facts_digest = fields.word("facts_digest");
  if (!fields.has("places")) return stratum;
  stratum.places = read_file_entry({fields.object_at("places"), name});
  const object layers = fields.object_at("layers");
  for (const auto [key, value] : layers) {
    const auto layer = layer_named(key);
    if (!layer) fields.damaged("layers");
    stratum.layers.emplace(*layer, read_files({layers, name}, key, name));
  }
  return stratum;
}

// Either none, or a base and at least one stratum above it.
void read_strata(const Fields& fields, std::string_view name, Manifest& manifest) {
  if (!fields.has("strata")) return;
  for (const element value : fields.array_at("strata")) {
    object stratum;
    if (value.get(stratum) != simdjson::SUCCESS) fields.damaged("strata");
    manifest.strata.push_back(read_stratum(stratum, name));
    const bool is_base = manifest.strata.size() == 1;
    if (is_base == manifest.strata.back().places.has_value()) fields.damaged("strata");
  }
  if (manifest.strata.size() < 2) fields.damaged("strata");
}

std::map<std::string, LayerFile> read_columns(const Fields& fields, std::string_view key,
                                              std::string_view name) {
  std::map<std::string, LayerFile> columns;
  if (!fields.has(key)) return columns;
  for (const auto [column, value] : fields.object_at(key)) {
    object entry;
    if (value.get(entry) != simdjson::SUCCESS) fields.damaged(key);
    columns.emplace(std::string(column), read_file_entry({entry, name}));
  }
  return columns;
}

void read_doomed(const Fields& fields, Manifest& manifest) {
  for (const element value : fields.array_at("doomed")) {
    std::uint64_t generation = 0;
    if (value.get(generation) != simdjson::SUCCESS || generation == manifest.generation) {
      fields.damaged("doomed");
    }
    manifest.doomed.push_back(generation);
  }
}

// The first line, after its checksum is verified.
std::string_view checked_line(std::string_view text, std::string_view name) {
  const std::size_t end = text.find('\n');
  if (end == std::string_view::npos || text.substr(end + 1) != last_line(text.substr(0, end + 1)))
    throw Error(ErrorKind::Corrupt,
                fmt::format("{}: its checksum differs; restore it from a copy", name));
  return text.substr(0, end);
}

void refuse_newer(const Fields& fields, std::string_view name) {
  const std::uint64_t version = fields.number("format_version");
  if (version <= kStackFormatVersion) return;
  throw Error(ErrorKind::BadInput,
              fmt::format("{}: this archive was written by a newer webstrata; use one that reads "
                          "format {} (this one reads up to {})",
                          name, version, kStackFormatVersion));
}

}  // namespace

Manifest Manifest::of_stratum(std::size_t number) const {
  Manifest one = *this;
  one.strata.clear();
  if (!is_stack()) return one;
  const Stratum& stratum = strata.at(number);
  one.format_version = kFormatVersion;
  one.counts = stratum.counts;
  one.facts_digest = stratum.facts_digest;
  if (number > 0) one.layers = stratum.layers;
  return one;
}

std::string Manifest::to_text() const {
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  json.field("format_version", format_version).field("encoder_revision", encoder_revision);
  json.field("generation", generation);
  write_options(json, options);
  write_counts(json, counts);
  json.field("facts_digest", facts_digest);
  write_layers(json, layers);
  write_strata(json, strata);
  write_columns(json, "scores", scores);
  write_columns(json, "link_scores", link_scores);
  if (tombstones) write_file_entry(json.key("tombstones"), *tombstones);
  json.key("doomed").begin_array();
  for (const std::uint64_t old : doomed) json.value(old);
  json.end_array();
  json.field("residue", residue).end_object();
  text.push_back('\n');
  return text + last_line(text);
}

Manifest Manifest::parse(std::string_view text, std::string_view name) {
  const std::string_view line = checked_line(text, name);
  simdjson::dom::parser parser;
  object root;
  constexpr bool kCopyAndPad = true;
  const auto error = parser.parse(line.data(), line.size(), kCopyAndPad).get(root);
  if (error == simdjson::MEMALLOC) throw std::bad_alloc();
  if (error != simdjson::SUCCESS) {
    throw Error(ErrorKind::Corrupt, fmt::format("{}: is not JSON; restore it from a copy", name));
  }
  const Fields fields(root, name);
  refuse_newer(fields, name);
  Manifest manifest;
  manifest.format_version = fields.number("format_version", 1, kStackFormatVersion);
  manifest.encoder_revision =
      fields.number("encoder_revision", 1, std::numeric_limits<std::uint32_t>::max());
  manifest.generation = fields.number("generation");
  manifest.options = read_options({fields.object_at("options"), name});
  manifest.counts = read_counts({fields.object_at("counts"), name});
  manifest.facts_digest = fields.word("facts_digest");
  read_layers(fields.object_at("layers"), name, manifest);
  read_strata(fields, name, manifest);
  if (manifest.is_stack() != (manifest.format_version == kStackFormatVersion)) {
    fields.damaged("strata");
  }
  manifest.scores = read_columns(fields, "scores", name);
  manifest.link_scores = read_columns(fields, "link_scores", name);
  if (fields.has("tombstones")) {
    manifest.tombstones = read_file_entry({fields.object_at("tombstones"), name});
  }
  read_doomed(fields, manifest);
  manifest.residue = fields.truth("residue");
  return manifest;
}

Manifest Manifest::load(const std::filesystem::path& archive) {
  const auto path = archive / kManifestName;
  std::error_code ignored;
  if (!std::filesystem::exists(archive, ignored)) {
    throw Error(ErrorKind::NotFound,
                fmt::format("{}: no such archive. Build one with: webstrata build {} INPUT...",
                            archive.string(), archive.string()));
  }
  if (!std::filesystem::exists(path, ignored) &&
      std::filesystem::exists(archive / "lock", ignored)) {
    throw Error(ErrorKind::NotFound,
                fmt::format("{}: not an archive yet: its build was interrupted or is still "
                            "running; run the command again",
                            archive.string()));
  }
  if (!std::filesystem::exists(path, ignored)) {
    throw Error(
        ErrorKind::NotFound,
        fmt::format("{}: not an archive (no {}). Build one with: webstrata build {} INPUT...",
                    archive.string(), kManifestName, archive.string()));
  }
  return parse(read_file(path), path.string());
}

void Manifest::save(const std::filesystem::path& archive) const {
  if (!unknown_layers.empty()) {
    throw Error(ErrorKind::BadInput,
                fmt::format("{}: has layers that this webstrata does not know ({}); it can be read "
                            "but not changed, use a newer one",
                            archive.string(), fmt::join(unknown_layers, ", ")));
  }
  write_file(archive / kManifestName, to_text());
}

std::string generation_name(std::uint64_t generation) { return fmt::format("g{:06}", generation); }

std::filesystem::path stratum_folder(const std::filesystem::path& generation, std::size_t number) {
  return number == 0 ? generation : generation / fmt::format("stratum.{}", number);
}

}  // namespace webstrata
