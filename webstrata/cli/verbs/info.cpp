// SPDX-License-Identifier: Apache-2.0

// webstrata info: how much an archive holds, and what each layer costs.
// Everything is in MANIFEST, except for the items of optional layers, which are in the tables of
// their parts. Tested by tests/cli/ask_test.py and tests/cli/forget_test.py.

#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "webstrata/archive/ask/archive.h"
#include "webstrata/archive/forget.h"
#include "webstrata/archive/read/stack_reader.h"
#include "webstrata/base/human.h"
#include "webstrata/cli/flags/table_flags.h"
#include "webstrata/cli/frame/command.h"
#include "webstrata/cli/frame/output.h"
#include "webstrata/cli/frame/terminal.h"
#include "webstrata/show/archive_counts.h"
#include "webstrata/words/dated_archive.h"

namespace webstrata {
namespace {

struct InfoFlags {
  std::string archive;
  TableFlags table;
  bool json = false;
  bool quiet = false;
};

double bits_per(std::uint64_t bytes, std::uint64_t things) {
  return things == 0 ? 0 : 8 * static_cast<double>(bytes) / static_cast<double>(things);
}

// Nothing if this user may not read the list. A list that is damaged or cannot be read for another
// reason is an error, not another answer.
std::optional<std::uint64_t> tombstones_of(const std::filesystem::path& archive,
                                           const Manifest& manifest) {
  if (!manifest.tombstones) return 0;
  const std::filesystem::path list = archive / manifest.tombstones->name;
  if (::access(list.c_str(), R_OK) != 0 && errno == EACCES) return std::nullopt;
  return count_tombstones(archive, manifest);
}

// How many items the optional layers have, such as texts of links in their captures.
using OptionalItems = std::map<Layer, std::uint64_t>;

OptionalItems optional_items(const std::filesystem::path& archive, const Manifest& manifest) {
  OptionalItems items;
  if (manifest.options.optional_layers.empty()) return items;
  const Archive opened = Archive::open(archive);
  const StackReader& stack = opened.stack();
  for (const Layer layer : manifest.options.optional_layers) {
    for (std::size_t i = 0; i < stack.size(); ++i) {
      const LayerReader& reader = stack.stratum(i).layer(layer);
      for (std::uint64_t block = 0; block < reader.block_count(); ++block) {
        items[layer] += reader.summary(block).items;
      }
    }
  }
  return items;
}

std::string to_json(const Manifest& manifest, std::optional<std::uint64_t> tombstones,
                    const OptionalItems& items) {
  std::string out;
  JsonWriter json(out);
  append_counts(json.begin_object(), manifest);
  append_options(json.key("options").begin_object(), manifest.options);
  json.end_object().field("format_version", manifest.format_version);
  json.field("encoder_revision", manifest.encoder_revision);
  json.key("facts_digest");  // a stack has none
  manifest.is_stack() ? json.null() : json.value(manifest.facts_digest);
  json.field("strata", std::max<std::size_t>(1, manifest.strata.size()));
  json.field("bytes", bytes_of(manifest));
  json.key("layers").begin_object();
  for (const auto& [layer, files] : layers_of(manifest)) {
    const std::uint64_t bytes = bytes_of(files);
    const LayerEntry& entry = entry_of(layer);
    json.key(to_string(layer)).begin_object().field("bytes", bytes);
    json.field("bits_per_link_fact", bits_per(bytes, manifest.counts.link_facts));
    if (!entry.unit.empty()) {
      json.field(fmt::format("bits_per_{}", entry.unit),
                 bits_per(bytes, manifest.counts.*entry.unit_count));
    }
    if (items.contains(layer)) json.field("items", items.at(layer));
    json.end_object();
  }
  json.end_object().key("scores").begin_array();
  for (const auto& [name, file] : manifest.scores) json.value(name);
  json.end_array().key("link_scores").begin_array();
  for (const auto& [name, file] : manifest.link_scores) json.value(name);
  json.end_array().key("tombstones");
  tombstones ? json.value(*tombstones) : json.null();
  json.end_object();
  return out + "\n";
}

std::string counts_text(const Manifest& manifest, std::optional<std::uint64_t> tombstones) {
  const ArchiveCounts& counts = manifest.counts;
  std::string out;
  const auto row = [&](std::string_view name, std::string_view value, std::string_view meaning) {
    out += fmt::format("{:<12}{:>16}   {}\n", name, value, meaning);
  };
  row("nodes", human_number(counts.nodes), "URLs, captured or only linked to");
  row("pages", human_number(counts.pages), "nodes that were captured");
  row("captures", human_number(counts.captures), "of pages, with their links");
  row("sightings", human_number(counts.sightings), "dated states of URLs, captures included");
  row("links", human_number(counts.links), "distinct links, over all time");
  row("link facts", human_number(counts.link_facts), "links counted once per capture");
  if (manifest.tombstones) {
    row("tombstones", tombstones ? human_number(*tombstones) : "unreadable",
        tombstones ? "keep forgotten URLs out (forget --list)" : "see verify");
  }
  row("generation", std::to_string(manifest.generation), "");
  if (manifest.is_stack()) {
    row("strata", std::to_string(manifest.strata.size()), "merge them with: webstrata compact");
  }
  out += fmt::format("span        {}\n", counts.span ? to_rfc3339(counts.span->first) + " to " +
                                                           to_rfc3339(counts.span->last)
                                                     : "none");
  const ArchiveOptions& options = manifest.options;
  out += fmt::format("options     --range {} --links {} --digests {} --schemes {}{}",
                     range_to_string(options.range_seconds), to_string(options.kinds),
                     to_string(options.digests), schemes_word(options),
                     options.effort == LinksEffort::Compact ? " --compact" : "");
  for (const Layer layer : options.optional_layers) out += fmt::format(" --{}", to_string(layer));
  out += "\n";
  for (const auto& [name, file] : manifest.scores) {
    const bool has_links = manifest.link_scores.contains(name);
    out += fmt::format("scores      {}{}\n", name, has_links ? " (pages and links)" : "");
  }
  return out + "\n";
}

std::string layers_text(const Manifest& manifest, const OptionalItems& items) {
  const std::uint64_t facts = manifest.counts.link_facts;
  std::string out = fmt::format("{:<12}{:>16}{:>16}\n", "layer", "bytes", "bits/link fact");
  for (const auto& [layer, files] : layers_of(manifest)) {
    const std::uint64_t bytes = bytes_of(files);
    const LayerEntry& entry = entry_of(layer);
    out += fmt::format("{:<12}{:>16}{:>16.3f}", entry.name, human_number(bytes),
                       bits_per(bytes, facts));
    if (!entry.unit.empty()) {
      out += fmt::format("   {:.3f} bits/{}", bits_per(bytes, manifest.counts.*entry.unit_count),
                         entry.unit);
    }
    if (items.contains(layer)) out += fmt::format(", {} items", human_number(items.at(layer)));
    out += "\n";
  }
  const std::uint64_t all = bytes_of(manifest);
  out += fmt::format("{:<12}{:>16}{:>16.3f}\n", "all", human_number(all), bits_per(all, facts));
  return out;
}

TextTable layers_table(const Manifest& manifest) {
  TextTable table{{"layer", "bytes", "bits_per_link_fact"}, {}};
  const auto add = [&](std::string_view name, std::uint64_t bytes) {
    table.rows.push_back({std::string(name), std::to_string(bytes),
                          fmt::format("{}", bits_per(bytes, manifest.counts.link_facts))});
  };
  for (const auto& [layer, files] : layers_of(manifest)) add(to_string(layer), bytes_of(files));
  add("all", bytes_of(manifest));
  return table;
}

ExitCode run(const InfoFlags& flags) {
  const auto path = undated_archive(flags.archive, "info describes all of an archive");
  const Manifest manifest = Manifest::load(path);
  const auto tombstones = tombstones_of(path, manifest);
  const OptionalItems items = optional_items(path, manifest);
  if (flags.table.is_csv()) {
    print_table(layers_table(manifest), flags.table);
    return ExitCode::Done;
  }
  Output("").write(flags.json ? to_json(manifest, tombstones, items)
                              : counts_text(manifest, tombstones) + layers_text(manifest, items));
  return ExitCode::Done;
}

std::function<ExitCode()> declare_info_command(FlagSet& app) {
  const auto flags = std::make_shared<InfoFlags>();
  app.add_option("ARCHIVE", flags->archive, "Folder of the archive")->required();
  app.group("Output");
  Flag* json = app.add_flag("--json", flags->json, "Print one JSON object");
  declare_table(app, flags->table)->excludes(json);
  app.add_flag("-q,--quiet", flags->quiet, "Print no notes; info has none")->group(kGeneralGroup);
  return [flags] { return run(*flags); };
}

}  // namespace

Command info_command() {
  return {"info", "Print counts, time span and layer sizes of an archive",
          "Example:\n  webstrata info lib.ws", declare_info_command};
}

}  // namespace webstrata
