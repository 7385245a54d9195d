// SPDX-License-Identifier: Apache-2.0

// Forgetting is a merge of the present generation with a filter.
//
// These names are deleted: those that are meant as a whole, and those that no remaining fact
// mentions, since an archive built without the forgotten facts would not have them either. To know
// the second, all remaining facts are read once before the merge.
// Tested by tests/archive/forget_test.cpp.

#include "webstrata/archive/forget.h"

#include <unistd.h>

#include <sys/random.h>
#include <cerrno>

#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "webstrata/archive/disk/scratch_folder.h"
#include "webstrata/archive/merge/generation_input.h"
#include "webstrata/archive/merge/merge.h"
#include "webstrata/archive/read/generation_reader.h"
#include "webstrata/archive/stack_changes.h"
#include "webstrata/base/bytes.h"
#include "webstrata/base/checksum.h"
#include "webstrata/base/error.h"
#include "webstrata/base/file.h"
#include "webstrata/url/key.h"

namespace webstrata {
namespace {

constexpr std::size_t kKeyBytes = 16;

// One bit for each node.
class NodeSet {
 public:
  explicit NodeSet(std::uint64_t size) : words_(size / 64 + 1) {}
  void add(Uid node) noexcept { words_[node / 64] |= std::uint64_t{1} << (node % 64); }
  [[nodiscard]] bool has(Uid node) const noexcept {
    return (words_[node / 64] >> (node % 64) & 1) != 0;
  }

 private:
  std::vector<std::uint64_t> words_;
};

// The secret keys, readable by the owner alone: the archive's own, made at the first forget, and
// those of archives that were joined into it.
std::vector<SecretKey> load_keys(const std::filesystem::path& archive) {
  const std::filesystem::path path = archive / kTombstonesKeyName;
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) {
    throw Error(ErrorKind::NotFound,
                fmt::format("{}: is missing; restore this file from a copy, or what was forgotten "
                            "cannot be recognised",
                            path.string()));
  }
  if (::access(path.c_str(), R_OK) != 0 && errno == EACCES) {
    throw Error(ErrorKind::Io,
                fmt::format("{}: only the archive's owner may read it, and without it what was "
                            "forgotten cannot be left out; run this as the owner",
                            path.string()));
  }
  const std::string bytes = read_file(path);
  if (bytes.empty() || bytes.size() % kKeyBytes != 0) {
    throw Error(ErrorKind::Corrupt,
                fmt::format("{}: not {} bytes for each key; restore this file from a copy, or what "
                            "was forgotten cannot be recognised",
                            path.string(), kKeyBytes));
  }
  ByteReader reader(bytes, kTombstonesKeyName);
  std::vector<SecretKey> keys(bytes.size() / kKeyBytes);
  for (SecretKey& key : keys) {
    key.low = reader.u64();
    key.high = reader.u64();
  }
  return keys;
}

void save_keys(const std::filesystem::path& archive, std::string_view bytes) {
  constexpr unsigned kOwnerOnly = 0600;
  write_file(archive / kTombstonesKeyName, bytes, kOwnerOnly);
}

// No key is removed: until MANIFEST is replaced, the list that it names needs the old ones.
void add_keys(const std::filesystem::path& archive, const std::vector<SecretKey>& more) {
  std::error_code ignored;
  std::vector<SecretKey> keys;
  if (std::filesystem::exists(archive / kTombstonesKeyName, ignored)) keys = load_keys(archive);
  const std::size_t known = keys.size();
  for (const SecretKey& key : more) {
    if (std::find(keys.begin(), keys.end(), key) == keys.end()) keys.push_back(key);
  }
  if (keys.size() == known) return;
  std::string bytes;
  for (const SecretKey& key : keys) {
    append_u64(bytes, key.low);
    append_u64(bytes, key.high);
  }
  save_keys(archive, bytes);
}

void make_key(const std::filesystem::path& archive) {
  char random[kKeyBytes];
  if (::getrandom(random, sizeof random, 0) != static_cast<ssize_t>(sizeof random)) {
    throw Error(ErrorKind::Io, "the system gives no random numbers");
  }
  save_keys(archive, {random, sizeof random});
}

Tombstones load_or_make_tombstones(const std::filesystem::path& archive, const Manifest& manifest) {
  if (auto known = load_tombstones(archive, manifest)) return std::move(*known);
  if (!std::filesystem::exists(archive / kTombstonesKeyName)) make_key(archive);
  return Tombstones(load_keys(archive).front());
}

}  // namespace

// The file is named by its content, so that the old one stays until MANIFEST names the new one.
LayerFile save_tombstones(const std::filesystem::path& archive, const Tombstones& tombstones) {
  add_keys(archive, tombstones.keys());
  const std::string bytes = tombstones.serialise();
  LayerFile file;
  file.checksum = checksum64(bytes);
  file.size = bytes.size();
  file.name = fmt::format("{}{:016x}", kTombstonesPrefix, file.checksum);
  write_file(archive / file.name, bytes);
  return file;
}

namespace {

// However a forget ends, including an error or Ctrl-C, it leaves only valid tombstones.
class TombstoneSweep {
 public:
  explicit TombstoneSweep(const WriterLock& lock) : lock_(lock) {}
  TombstoneSweep(const TombstoneSweep&) = delete;
  TombstoneSweep& operator=(const TombstoneSweep&) = delete;
  ~TombstoneSweep() {
    try {
      sweep_tombstones(lock_.archive(), lock_.manifest().value());
    } catch (const std::exception&) {
      // The next one cleans up again.
    }
  }

 private:
  const WriterLock& lock_;
};

// What is to be deleted: requests in plain text, or tombstones of another archive.
struct Meaning {
  std::function<bool(std::string_view key, std::optional<Time> time)> covers;
  std::function<bool(std::string_view key)> touches;
  std::function<bool(std::string_view key)> contains_embedded;
};

// Both keep what they are made from by reference.
Meaning meaning_of(const Selection& selection) {
  return {
      [&selection](std::string_view key, std::optional<Time> time) {
        return selection.covers(key, time);
      },
      [&selection](std::string_view key) { return selection.touches(key); },
      [&selection](std::string_view key) { return selection.contains_embedded(key); },
  };
}

Meaning meaning_of(const Tombstones& tombstones) {
  return {
      [&tombstones](std::string_view key, std::optional<Time> time) {
        return tombstones.covers(key, time);
      },
      [&tombstones](std::string_view key) { return tombstones.touches(key); },
      [](std::string_view) { return false; },
  };
}

// Whether everything that would be deleted is counted, for a dry run.
enum class Losses { Counted, NotCounted };

// What the requests mean in one generation.
class Forgetting : public MergeFilter {
 public:
  Forgetting(const GenerationReader& generation, Meaning meaning, const ForgetOptions& options,
             Losses losses, ForgetResult& result)
      : generation_(generation),
        meaning_(std::move(meaning)),
        options_(options),
        counts_losses_(losses == Losses::Counted),
        result_(result),
        meant_(generation.node_count()),
        touched_(generation.node_count()),
        mentioned_(generation.node_count()) {
    find_names();
    if (result.names > 0) read_facts();
    if (counts_losses_ && result.names > 0) count_names();
  }

  [[nodiscard]] bool drops(Uid node) const override {
    return meant_.has(node) || !mentioned_.has(node);
  }
  [[nodiscard]] bool touches(Uid node) const override { return touched_.has(node); }
  [[nodiscard]] bool drops_sighting(Uid node, const SightingRecord& sighting) const override {
    const auto key = touched_keys_.find(node);
    return key != touched_keys_.end() && meaning_.covers(key->second, sighting.time);
  }
  // URLs that only contain a forgotten one and are deleted with it.
  [[nodiscard]] const std::vector<std::string>& embedded_urls() const noexcept {
    return embedded_urls_;
  }

 private:
  void find_names() {
    KeyScanner keys(generation_);
    std::string_view key;
    for (Uid node = 0; keys.next(key); ++node) {
      if (meaning_.covers(key, std::nullopt)) {
        meant_.add(node);
      } else if (meaning_.touches(key)) {
        touched_.add(node);
        touched_keys_.emplace(node, key);
      } else if (meaning_.contains_embedded(key)) {
        find_embedded(node, key);
        continue;
      } else {
        continue;
      }
      ++result_.names;
    }
  }

  void find_embedded(Uid node, std::string_view key) {
    std::string url = url_of_key(key).value_or(std::string(key));
    ++result_.embedded;
    if (options_.on_embedded) options_.on_embedded(url);
    if (!options_.embedded) return;
    meant_.add(node);
    ++result_.names;
    embedded_urls_.push_back(std::move(url));
  }

  // Records what remaining facts mention, and reports those that are deleted.
  void read_facts() {
    const auto input = open_generation(generation_);
    PageFacts page;
    std::uint64_t node = 0;
    while (input->next_page(node)) {
      options_.write.work.check_cancelled();
      input->read_page(page);
      const ArchiveCounts was = counts_losses_ ? counts_of(page, {}) : ArchiveCounts{};
      const std::size_t all = page.sightings.size();
      std::erase_if(page.sightings, [&](const SightingRecord& sighting) {
        const bool goes = goes_away(node, sighting);
        if (goes) tell(node, sighting);
        return goes;
      });
      result_.sightings += all - page.sightings.size();
      if (all != page.sightings.size()) drop_derived_rows(page);
      note_mentions(node, page);
      if (counts_losses_) {
        if (all != page.sightings.size()) derive_rows(page);
        add_losses(was, counts_of(page, [this](Uid target) { return meant_.has(target); }));
      }
    }
  }

  // What a page adds to the counts of its archive, without links to deleted names (`goes`).
  [[nodiscard]] ArchiveCounts counts_of(const PageFacts& page,
                                        const std::function<bool(Uid)>& goes) {
    ArchiveCounts counts;
    counts.pages = page.row_count() > 0 ? 1 : 0;
    counts.captures = page.row_count();
    counts.sightings = page.sightings.size();
    targets_ = page.targets;
    if (goes) std::erase_if(targets_, goes);
    counts.link_facts = targets_.size();
    std::sort(targets_.begin(), targets_.end());
    targets_.erase(std::unique(targets_.begin(), targets_.end()), targets_.end());
    counts.links = targets_.size();
    return counts;
  }

  void add_losses(const ArchiveCounts& was, const ArchiveCounts& is) {
    ArchiveCounts& left = result_.manifest.counts;
    left.pages -= was.pages - is.pages;
    left.captures -= was.captures - is.captures;
    left.sightings -= was.sightings - is.sightings;
    left.link_facts -= was.link_facts - is.link_facts;
    left.links -= was.links - is.links;
  }

  void count_names() {
    for (Uid node = 0; node < generation_.node_count(); ++node) {
      if (drops(node)) --result_.manifest.counts.nodes;
    }
  }

  [[nodiscard]] bool goes_away(Uid node, const SightingRecord& sighting) const {
    if (meant_.has(node)) return true;
    if (sighting.refers_to && meant_.has(*sighting.refers_to)) return true;
    return touched_.has(node) && drops_sighting(node, sighting);
  }

  void note_mentions(Uid node, const PageFacts& page) {
    if (page.empty()) return;
    mentioned_.add(node);
    for (const SightingRecord& sighting : page.sightings) {
      if (sighting.redirect) mentioned_.add(*sighting.redirect);
      if (sighting.refers_to) mentioned_.add(*sighting.refers_to);
    }
    for (const Uid target : page.targets) mentioned_.add(target);
  }

  void tell(Uid node, const SightingRecord& sighting) {
    if (!options_.on_record) return;
    if (node != told_node_ || told_url_.empty()) {
      told_url_ = url_of(node);
      told_node_ = node;
    }
    options_.on_record({told_url_, sighting.time, sighting.file, sighting.offset});
  }

  [[nodiscard]] std::string url_of(Uid node) const {
    const std::uint64_t block = generation_.block_of(node);
    const auto place = static_cast<std::uint32_t>(node - generation_.first_node(block));
    const BlockView view = generation_.view(Layer::Names, block);
    const BlockChunk& chunk = view.chunks()[view.chunks_of(place).first];
    std::string key;
    NamesChunk::open(chunk.bytes).key(place - chunk.first_node, key);
    return url_of_key(key).value_or(key);
  }

  const GenerationReader& generation_;
  Meaning meaning_;
  const ForgetOptions& options_;
  bool counts_losses_;
  ForgetResult& result_;
  std::vector<Uid> targets_;
  NodeSet meant_;      // the name is deleted
  NodeSet touched_;    // some times of it are deleted
  NodeSet mentioned_;  // by a fact that remains
  std::map<Uid, std::string> touched_keys_;
  std::vector<std::string> embedded_urls_;
  Uid told_node_ = 0;
  std::string told_url_;
};

MergeResult merge_without(const GenerationReader& generation, const Forgetting& forgetting,
                          const Manifest& before, const std::filesystem::path& folder,
                          const WriterLock& lock, const WriteOptions& write) {
  const ScratchFolder scratch(write.temp.empty() ? lock.work_folder() : write.temp);
  MergeRequest request;
  request.folder = folder;
  request.scratch = scratch.path();
  request.options = generation.options();
  request.before = &generation;
  request.filter = &forgetting;
  request.scores = before.scores;
  request.link_scores = before.link_scores;
  request.memory_bytes = effective_memory(write.memory_bytes);
  request.work = write.work;
  return merge(request);
}

Manifest merged_stack(const WriterLock& lock, const Manifest& stack, const WriteOptions& write) {
  const ScratchFolder scratch(write.temp.empty() ? lock.work_folder() : write.temp);
  return compact_stack(lock, stack,
                       {scratch.path(), effective_memory(write.memory_bytes), write.work});
}

// Publishes the archive without what is forgotten; only MANIFEST if it held none of it.
void publish_without(const GenerationReader& generation, const Forgetting& forgetting,
                     const ForgetResult& result, Manifest manifest, const WriterLock& lock,
                     const WriteOptions& write) {
  if (!result.is_changed) {
    manifest.save(lock.archive());
    return;
  }
  GenerationDraft draft(lock);
  MergeResult merged = merge_without(generation, forgetting, manifest, draft.folder(), lock, write);
  manifest.counts = merged.counts;
  manifest.facts_digest = merged.facts_digest;
  manifest.layers = std::move(merged.layers);
  manifest.scores = std::move(merged.scores);
  manifest.link_scores = std::move(merged.link_scores);
  manifest.residue = true;
  draft.publish(std::move(manifest));
}

// The bytes of the list that MANIFEST names. An older copy would lack later requests.
std::string read_tombstones(const std::filesystem::path& archive, const LayerFile& file) {
  const std::filesystem::path path = archive / file.name;
  std::string bytes = read_file(path);
  if (bytes.size() != file.size || checksum64(bytes) != file.checksum) {
    throw Error(ErrorKind::Corrupt,
                fmt::format("{}: its checksum differs; restore this file from a copy made after "
                            "the last forget",
                            path.string()));
  }
  return bytes;
}

// Everything under a public suffix is seldom what is meant.
void refuse_public_suffixes(std::span<const Forget> requests) {
  for (const Forget& request : requests) {
    const std::string suffix = public_suffix_meant(request);
    if (suffix.empty()) continue;
    throw Error(ErrorKind::BadInput,
                fmt::format("{} is a public suffix: every site under it would be forgotten; set "
                            "force to forget them all, or exactly to forget only the host {}",
                            suffix, suffix));
  }
}

Selection selection_of(std::span<const Forget> requests, const ForgetOptions& options) {
  if (!options.force) refuse_public_suffixes(requests);
  Selection selection;
  for (const Forget& request : requests) selection.add(request);
  return selection;
}

// Returns how many are new.
std::uint64_t add_all(Tombstones& tombstones, std::span<const Forget> requests,
                      const std::vector<std::string>& embedded_urls) {
  std::uint64_t added = 0;
  for (const Forget& request : requests) added += tombstones.add(request) ? 1 : 0;
  for (const std::string& url : embedded_urls) {
    const Forget alone{.scope = ForgetScope::Url, .text = url, .exactly = true};
    added += tombstones.add(alone) ? 1 : 0;
  }
  return added;
}

}  // namespace

std::optional<Tombstones> load_tombstones(const std::filesystem::path& archive,
                                          const Manifest& manifest) {
  if (!manifest.tombstones) return std::nullopt;
  const std::string bytes = read_tombstones(archive, *manifest.tombstones);
  const std::vector<SecretKey> keys = load_keys(archive);
  if (!Tombstones::is_made_under(bytes, keys)) {
    throw Error(ErrorKind::Corrupt,
                fmt::format("{}: is not the key of {}; restore this file from a copy, or what was "
                            "forgotten cannot be recognised",
                            (archive / kTombstonesKeyName).string(), manifest.tombstones->name));
  }
  return Tombstones::parse(bytes, keys);
}

std::uint64_t count_tombstones(const std::filesystem::path& archive, const Manifest& manifest) {
  if (!manifest.tombstones) return 0;
  return Tombstones::count_of(read_tombstones(archive, *manifest.tombstones));
}

ForgetResult forget(const std::filesystem::path& archive, std::span<const Forget> requests,
                    const ForgetOptions& options) {
  const Selection selection = selection_of(requests, options);
  const WriterLock lock = WriterLock::take(archive);
  Manifest manifest = lock.manifest().value();
  refuse_unknown_layers(archive, manifest);
  if (manifest.is_stack()) manifest = merged_stack(lock, manifest, options.write);
  const TombstoneSweep sweep(lock);

  ForgetResult result;
  result.before = manifest.counts;
  const GenerationReader generation(archive / generation_name(manifest.generation), manifest);
  const Forgetting forgetting(generation, meaning_of(selection), options, Losses::NotCounted,
                              result);

  Tombstones tombstones = load_or_make_tombstones(archive, manifest);
  result.tombstones = add_all(tombstones, requests, forgetting.embedded_urls());
  manifest.tombstones = save_tombstones(archive, tombstones);

  result.is_changed = result.names > 0;
  publish_without(generation, forgetting, result, std::move(manifest), lock, options.write);
  wait_for_readers(lock, options.write.work.cancel, options.waiting);
  result.manifest = lock.manifest().value();
  return result;
}

bool forget_covered(const WriterLock& lock, const Tombstones& tombstones,
                    const WriteOptions& write) {
  Manifest manifest = lock.manifest().value();
  if (manifest.is_stack()) manifest = merged_stack(lock, manifest, write);
  ForgetResult result;
  ForgetOptions options;
  options.write = write;
  const GenerationReader generation(lock.archive() / generation_name(manifest.generation),
                                    manifest);
  const Forgetting forgetting(generation, meaning_of(tombstones), options, Losses::NotCounted,
                              result);
  result.is_changed = result.names > 0;
  manifest.tombstones = save_tombstones(lock.archive(), tombstones);
  publish_without(generation, forgetting, result, std::move(manifest), lock, write);
  sweep_tombstones(lock.archive(), lock.manifest().value());
  return result.is_changed;
}

ForgetResult preview_forget(const std::filesystem::path& archive, std::span<const Forget> requests,
                            const ForgetOptions& options) {
  const Selection selection = selection_of(requests, options);
  const GenerationLease lease = GenerationLease::take(archive);
  ForgetResult result;
  result.manifest = lease.manifest();
  result.before = result.manifest.counts;
  const GenerationReader generation(lease.folder(), lease.manifest());
  const Forgetting forgetting(generation, meaning_of(selection), options, Losses::Counted, result);
  Tombstones tombstones =
      load_tombstones(archive, lease.manifest()).value_or(Tombstones(SecretKey{}));
  result.tombstones = add_all(tombstones, requests, forgetting.embedded_urls());
  result.is_changed = result.names > 0;
  return result;
}

std::uint64_t undo_forget(const std::filesystem::path& archive, std::span<const Forget> requests) {
  const WriterLock lock = WriterLock::take(archive);
  const TombstoneSweep sweep(lock);
  Manifest manifest = lock.manifest().value();
  std::optional<Tombstones> tombstones = load_tombstones(archive, manifest);
  std::uint64_t removed = 0;
  for (const Forget& request : requests) {
    removed += tombstones && tombstones->remove(request) ? 1 : 0;
  }
  if (removed == 0) return 0;
  manifest.tombstones.reset();
  if (!tombstones->empty()) manifest.tombstones = save_tombstones(archive, *tombstones);
  manifest.save(archive);
  return removed;
}

IsForgotten covered_by(const std::optional<Tombstones>& tombstones) {
  if (!tombstones) return {};
  return [&known = *tombstones](std::string_view key, std::optional<Time> time) {
    return known.covers(key, time);
  };
}

}  // namespace webstrata
