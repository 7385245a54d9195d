// SPDX-License-Identifier: Apache-2.0

// MANIFEST: the one mutable file of an archive. Everything else in it is immutable.
//
// It names the current generation and its files, so that replacing it (write to a temporary file,
// fsync, rename, fsync the folder) is the one moment at which an archive changes. JSON, with a
// checksum of its own on the last line.

#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "webstrata/archive/disk/layer.h"
#include "webstrata/archive/disk/options.h"

namespace webstrata {

inline constexpr std::string_view kManifestName = "MANIFEST";
inline constexpr std::string_view kTombstonesPrefix = "tombstones.";
inline constexpr std::string_view kTombstonesKeyName = "tombstones.key";
inline constexpr std::uint32_t kFormatVersion = 1;       // of layers, and of one stratum
inline constexpr std::uint32_t kStackFormatVersion = 2;  // of a stack; a reader refuses a newer one
inline constexpr std::uint32_t kEncoderRevision = 1;     // other bytes for the same facts

struct ArchiveCounts {
  std::uint64_t nodes = 0;     // keys
  std::uint64_t pages = 0;     // nodes that were captured
  std::uint64_t captures = 0;  // rows
  std::uint64_t sightings = 0;
  std::uint64_t links = 0;           // in the union over time
  std::uint64_t link_facts = 0;      // counted once per capture
  std::optional<TimeInterval> span;  // of sightings; empty if there is none

  friend bool operator==(const ArchiveCounts&, const ArchiveCounts&) = default;
};

// One stratum of a stack (docs/decisions/023-strata.md).
struct Stratum {
  ArchiveCounts counts;  // of its own facts
  std::string facts_digest;
  // Those of the base are Manifest::layers, and it has no places.
  std::map<Layer, std::vector<LayerFile>> layers;
  std::optional<LayerFile> places;

  friend bool operator==(const Stratum&, const Stratum&) = default;
};

struct Manifest {
  std::uint32_t format_version = kFormatVersion;
  std::uint32_t encoder_revision = kEncoderRevision;
  ArchiveOptions options;
  std::uint64_t generation = 0;  // g000007; always a new number
  ArchiveCounts counts;
  std::string facts_digest;  // 32 hex digits: of the decoded facts; empty for a stack
  std::map<Layer, std::vector<LayerFile>> layers;
  std::vector<Stratum> strata;  // of a stack, the base first; empty if there is one stratum
  std::vector<std::string> unknown_layers;       // optional layers of a later version, by name
  std::map<std::string, LayerFile> scores;       // columns by name, in the generation (scores.h)
  std::map<std::string, LayerFile> link_scores;  // likewise of links (link_scores.h)
  std::optional<LayerFile> tombstones;           // next to the generations
  std::vector<std::uint64_t> doomed;  // generations to delete as soon as no reader is left
  bool residue = false;               // a forget is not finished while a doomed generation exists

  // Throws Error(NotFound) if `archive` does not exist or is not an archive, Error(Corrupt), and
  // Error(BadInput) for a newer format.
  static Manifest load(const std::filesystem::path& archive);
  // Throws Error(BadInput) if there are layers that would be lost.
  void save(const std::filesystem::path& archive) const;

  [[nodiscard]] bool is_stack() const noexcept { return !strata.empty(); }
  // What stratum number `number` would have as an archive of its own: counts, digest and layers.
  [[nodiscard]] Manifest of_stratum(std::size_t number) const;

  // The same from and to the bytes of the file. `name` is for messages.
  static Manifest parse(std::string_view text, std::string_view name);
  [[nodiscard]] std::string to_text() const;

  friend bool operator==(const Manifest&, const Manifest&) = default;
};

std::string generation_name(std::uint64_t generation);  // "g000007"
// The folder of a stratum: the generation's own for the base, "stratum.2" in it for number 2.
std::filesystem::path stratum_folder(const std::filesystem::path& generation, std::size_t number);

}  // namespace webstrata
