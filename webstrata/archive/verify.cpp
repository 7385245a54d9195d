// SPDX-License-Identifier: Apache-2.0

// Two passes. The first checks files: sizes, tables, the checksum of every block, and files that do
// not belong. It needs only MANIFEST, so that one damaged file hides no other. The second
// (verify_blocks.h) decodes everything that the first found intact.
// Tested by tests/archive/verify_test.cpp.

#include "webstrata/archive/verify.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "webstrata/archive/disk/generations.h"
#include "webstrata/archive/disk/layer_part.h"
#include "webstrata/archive/forget.h"
#include "webstrata/archive/merge/merge.h"
#include "webstrata/archive/read/stack_reader.h"
#include "webstrata/archive/verify_blocks.h"
#include "webstrata/archive/verify_scores.h"
#include "webstrata/base/checksum.h"
#include "webstrata/base/error.h"
#include "webstrata/base/file.h"
#include "webstrata/base/threads.h"

namespace webstrata {
namespace {

namespace fs = std::filesystem;

// One part of a layer. Damaged blocks go into `damage`, other problems are reported.
void check_part(const fs::path& folder, const Manifest& manifest, Layer layer, std::size_t number,
                VerifyNotes& notes, BlockDamage& damage) {
  const LayerFile& file = manifest.layers.at(layer)[number];
  const fs::path path = folder / file.name;
  try {
    const MappedFile mapping = MappedFile::open(path);
    const std::string_view bytes = mapping.bytes();
    notes.count_file(bytes.size());
    if (bytes.size() != file.size) {
      notes.tell("{}: has {} bytes instead of {}", path.string(), bytes.size(), file.size);
      damage.set_unreadable();
      return;
    }
    const PartTable table = read_part(bytes, path.string());
    const std::uint32_t part_blocks = manifest.options.part_blocks;
    const PartHeader expected = {layer, part_blocks, number, number * part_blocks};
    if (table.header != expected || table.checksum != file.checksum) {
      notes.tell("{}: is not the file that MANIFEST lists", path.string());
      damage.set_unreadable();
      return;
    }
    for (std::size_t i = 0; i < table.blocks.size(); ++i) {
      const BlockEntry& entry = table.blocks[i];
      const std::uint64_t block = table.header.first_block + i;
      notes.count_block();
      if (checksum64(bytes.substr(entry.offset, entry.size)) == entry.checksum) continue;
      notes.tell("{}: checksum of block {} differs; restore it from a copy or rebuild",
                 path.string(), block);
      damage.add(layer, block);
    }
  } catch (const Error& error) {
    notes.tell("{}", error.what());
    damage.set_unreadable();
  }
}

void check_parts(const fs::path& folder, const Manifest& manifest, const WorkOptions& work,
                 VerifyNotes& notes, BlockDamage& damage) {
  std::uint64_t total = 0;
  for (const auto& [layer, files] : manifest.layers) {
    for (const LayerFile& file : files) total += file.size;
  }
  ThreadPool pool(work.threads);
  for (const auto& [layer, files] : manifest.layers) {
    for (std::size_t number = 0; number < files.size(); ++number) {
      pool.submit([&, layer = layer, number] {
        work.check_cancelled();
        check_part(folder, manifest, layer, number, notes, damage);
        notes.show_progress({"checking files", notes.bytes(), total, "B"});
      });
    }
  }
  pool.wait();
}

// A file that is not a layer, checked as a whole.
void check_plain_file(const fs::path& path, const LayerFile& file, VerifyNotes& notes) {
  try {
    const MappedFile mapping = MappedFile::open(path);
    notes.count_file(mapping.bytes().size());
    if (mapping.bytes().size() != file.size) {
      notes.tell("{}: has {} bytes instead of {}", path.string(), mapping.bytes().size(),
                 file.size);
    } else if (checksum64(mapping.bytes()) != file.checksum) {
      notes.tell("{}: its checksum differs; restore it from a copy", path.string());
    }
  } catch (const Error& error) {
    notes.tell("{}", error.what());
  }
}

std::vector<std::string> entries_of(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename());
  std::sort(names.begin(), names.end());
  return names;
}

std::set<std::string> names_of(const std::map<Layer, std::vector<LayerFile>>& layers) {
  std::set<std::string> names;
  for (const auto& [layer, files] : layers) {
    for (const LayerFile& file : files) names.insert(file.name);
  }
  return names;
}

bool belongs_to_unknown_layer(const Manifest& manifest, const std::string& name) {
  const std::string stem = name.substr(0, name.find('.'));
  return std::ranges::find(manifest.unknown_layers, stem) != manifest.unknown_layers.end();
}

constexpr std::string_view kInterrupted = "left by an interrupted command; run the command again";

// Whether a writer holds the archive's lock: then what would be a leftover is its work.
bool is_being_written(const fs::path& archive) { return !holders(archive / "lock").empty(); }

// Files that no MANIFEST lists. Some are made before they are listed, so that a kill leaves them:
// columns of scores, tombstones, drafts of MANIFEST, the folder for work.
void look_for_foreign_files(const fs::path& archive, const fs::path& generation,
                            const Manifest& manifest, bool is_written, VerifyNotes& notes) {
  const auto tell = [&](const fs::path& path, bool is_leftover) {
    if (!is_leftover) {
      notes.tell("{}: does not belong to the archive; move it elsewhere", path.string());
    } else if (!is_written) {
      notes.tell_interrupted("{}: {}", path.string(), kInterrupted);
    }
  };
  std::set<std::string> listed = names_of(manifest.layers);
  for (std::size_t i = 1; i < manifest.strata.size(); ++i) {
    const fs::path folder = stratum_folder(generation, i);
    listed.insert(folder.filename());
    std::set<std::string> inside = names_of(manifest.strata[i].layers);
    inside.insert(manifest.strata[i].places.value().name);
    if (!fs::is_directory(folder)) continue;  // its layers are reported
    for (const std::string& name : entries_of(folder)) {
      if (!inside.contains(name)) tell(folder / name, false);
    }
  }
  for (const auto& [name, file] : manifest.scores) listed.insert(file.name);
  for (const auto& [name, file] : manifest.link_scores) listed.insert(file.name);
  for (const std::string& name : entries_of(generation)) {
    if (listed.contains(name) || belongs_to_unknown_layer(manifest, name)) continue;
    tell(generation / name, name.starts_with("scores.") || name.starts_with("link_scores."));
  }
  const auto is_listed = [&](const std::string& name) {
    const bool is_generation = fs::is_directory(archive / name) && name.starts_with("g") &&
                               name.find_first_not_of("0123456789", 1) == std::string::npos;
    const bool is_of_tombstones =
        manifest.tombstones && (name == manifest.tombstones->name || name == kTombstonesKeyName);
    return is_generation || is_of_tombstones || name == kManifestName || name == "lock";
  };
  for (const std::string& name : entries_of(archive)) {
    if (is_listed(name)) continue;
    tell(archive / name, name == "work" || name.starts_with(kTombstonesPrefix) ||
                             name.starts_with(fmt::format("{}.tmp", kManifestName)));
  }
}

// A generation that waits for its readers is harmless, unless it contains what was to be forgotten.
// One that is not listed was left by a crash, or is just being published by the writer.
void look_for_residue(const fs::path& archive, const Manifest& manifest, bool is_written,
                      VerifyNotes& notes) {
  bool has_old = false;
  for (const std::uint64_t number : old_generations(archive, manifest)) {
    const std::string path = (archive / generation_name(number)).string();
    const bool is_doomed = std::ranges::find(manifest.doomed, number) != manifest.doomed.end();
    if (manifest.residue && number < manifest.generation) {
      has_old = true;
      notes.tell_interrupted(
          "{}: still holds what was to be forgotten; {}", path,
          is_written
              ? "it goes when its readers have gone"
              : "the forget was interrupted; run the command again when no process reads it");
    } else if (!is_doomed && !is_written) {
      notes.tell_interrupted("{}: {}", path, kInterrupted);
    }
  }
  if (manifest.residue && !has_old) {
    notes.tell_interrupted("{}: a forget was interrupted; run the command again",
                           (archive / kManifestName).string());
  }
}

// The list, and the key without which nothing that was forgotten can be recognised.
void check_tombstones(const fs::path& archive, const Manifest& manifest, VerifyNotes& notes) {
  if (!manifest.tombstones) return;
  const fs::path list = archive / manifest.tombstones->name;
  const fs::path key = archive / kTombstonesKeyName;
  for (const fs::path& path : {list, key}) {
    if (::access(path.c_str(), R_OK) == 0 || errno != EACCES) continue;
    notes.tell_unchecked(fmt::format("{}: not checked: only its owner may read it", path.string()));
    return;
  }
  struct stat status = {};
  if (::stat(key.c_str(), &status) == 0 && (status.st_mode & 077) != 0) {
    notes.tell_unchecked(fmt::format("{}: others than its owner may read it; run: chmod 600 {}",
                                     key.string(), key.string()));
  }
  try {
    (void)load_tombstones(archive, manifest);
    notes.count_file(manifest.tombstones->size);
    notes.count_file(fs::file_size(key));
  } catch (const Error& error) {
    notes.tell("{}", error.what());
  }
}

void compare_with_manifest(const fs::path& archive, const GenerationReader& generation,
                           const Manifest& manifest, VerifyNotes& notes) {
  const std::string name = (archive / kManifestName).string();
  if (count_generation(generation) != manifest.counts) {
    notes.tell("{}: its counts are not those of the layers", name);
  }
  if (digest_of_facts(generation) != manifest.facts_digest) {
    notes.tell("{}: its digest of the facts is not that of the layers", name);
  }
}

bool has_false_place(const StackReader& stack) {
  std::string last;
  std::vector<KeyScanner> scanners;
  std::vector<std::string_view> keys(stack.size());
  std::vector<std::uint64_t> numbers(stack.size());
  for (std::size_t i = 0; i < stack.size(); ++i) {
    scanners.emplace_back(stack.stratum(i));
    if (!scanners[i].next(keys[i])) return stack.stratum(i).node_count() > 0;
  }
  for (Uid uid = 0; uid < stack.node_count(); ++uid) {
    std::optional<std::string> key;
    for (std::size_t i = 0; i < stack.size(); ++i) {
      if (numbers[i] == stack.stratum(i).node_count()) continue;
      if (stack.numbers(i).uid(numbers[i]) != uid) continue;
      if (key && *key != keys[i]) return true;
      key = keys[i];
      const bool has_more = scanners[i].next(keys[i]);
      if (has_more != (++numbers[i] < stack.stratum(i).node_count())) return true;
    }
    if (!key || (uid > 0 && *key <= last)) return true;
    last = *std::move(key);
  }
  return false;
}

// Whether all layers have the blocks for this number of nodes.
bool has_all_blocks(const GenerationReader& generation, const Manifest& manifest,
                    const fs::path& folder, VerifyNotes& notes) {
  const std::uint64_t block_nodes = std::uint64_t{1} << manifest.options.block_bits;
  const std::uint64_t blocks = (manifest.counts.nodes + block_nodes - 1) / block_nodes;
  bool has_all = true;
  for (const Layer layer : generation.layers()) {
    const std::uint64_t found = generation.layer(layer).block_count();
    if (found == blocks) continue;
    has_all = false;
    notes.tell("{}: layer {} has {} blocks instead of {}", folder.string(), to_string(layer), found,
               blocks);
  }
  return has_all;
}

void verify_stratum(const GenerationLease& lease, std::size_t number, const WorkOptions& work,
                    VerifyNotes& notes) {
  const Manifest manifest = lease.manifest().of_stratum(number);
  const fs::path folder = stratum_folder(lease.folder(), number);
  BlockDamage damage;
  check_parts(folder, manifest, work, notes, damage);
  if (damage.is_unreadable()) return;
  try {
    const GenerationReader generation(folder, manifest);
    if (!has_all_blocks(generation, manifest, folder, notes)) return;
    const auto rows = number == 0 ? RowsOfRevisits::Derived : RowsOfRevisits::AsTheyAre;
    verify_blocks(generation, rows, damage, work, notes);
    if (!lease.manifest().is_stack()) verify_link_scores(generation, manifest, notes);
    compare_with_manifest(lease.folder().parent_path(), generation, manifest, notes);
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::Cancelled) throw;
    notes.tell("{}", error.what());
  }
}

// The places: every uid has one key, whichever stratum is asked, and keys ascend.
void verify_stack(const GenerationLease& lease, VerifyNotes& notes) {
  const Manifest& manifest = lease.manifest();
  for (std::size_t i = 1; i < manifest.strata.size(); ++i) {
    const LayerFile& file = manifest.strata[i].places.value();
    check_plain_file(stratum_folder(lease.folder(), i) / file.name, file, notes);
  }
  try {
    const StackReader stack(lease.folder(), manifest);
    if (has_false_place(stack)) {
      notes.tell("{}: its strata disagree about the order of names; restore it from a copy",
                 lease.folder().string());
    }
  } catch (const Error& error) {
    notes.tell("{}", error.what());
  }
}

}  // namespace

VerifyResult verify(const fs::path& archive, const WorkOptions& work) {
  const GenerationLease lease = GenerationLease::take(archive);
  const Manifest& manifest = lease.manifest();
  VerifyNotes notes(work.progress);
  const bool is_written = is_being_written(archive);
  look_for_residue(archive, manifest, is_written, notes);
  look_for_foreign_files(archive, lease.folder(), manifest, is_written, notes);
  check_tombstones(archive, manifest, notes);
  for (const auto& [name, file] : manifest.scores) {
    check_plain_file(lease.folder() / file.name, file, notes);
  }
  for (const auto& [name, file] : manifest.link_scores) {
    check_plain_file(lease.folder() / file.name, file, notes);
  }
  const std::size_t strata = std::max<std::size_t>(1, manifest.strata.size());
  for (std::size_t i = 0; i < strata; ++i) verify_stratum(lease, i, work, notes);
  if (manifest.is_stack()) verify_stack(lease, notes);
  VerifyResult result = notes.result();
  result.has_tombstones = manifest.tombstones.has_value();
  return result;
}

}  // namespace webstrata
