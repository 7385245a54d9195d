// SPDX-License-Identifier: Apache-2.0

// First it is found out what goes (forget_plan.h), then the strata that hold some of it are written
// again without it (forget_strata.h). Tombstones are durable before that.
// Tested by tests/archive/forget_test.cpp.

#include "webstrata/archive/forget.h"

#include <unistd.h>

#include <sys/random.h>
#include <cerrno>

#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "webstrata/archive/disk/scratch_folder.h"
#include "webstrata/archive/forget_plan.h"
#include "webstrata/archive/forget_strata.h"
#include "webstrata/archive/read/cached_stack.h"
#include "webstrata/archive/stack_changes.h"
#include "webstrata/base/bytes.h"
#include "webstrata/base/checksum.h"
#include "webstrata/base/error.h"
#include "webstrata/base/file.h"

namespace webstrata {
namespace {

constexpr std::size_t kKeyBytes = 16;
constexpr std::size_t kStackCacheBytes = std::size_t{128} << 20;

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

// What goes from the present stack of an archive, and what is left of it.
struct Deletion {
  CachedStack stack;
  ForgetPlan plan;

  Deletion(const std::filesystem::path& generation, const Manifest& manifest, Meaning meaning,
           const ForgetOptions& options)
      : stack(generation, manifest, kStackCacheBytes),
        plan(stack, manifest.counts, std::move(meaning), plan_options(options)) {}

 private:
  static ForgetPlanOptions plan_options(const ForgetOptions& options) {
    ForgetPlanOptions plan;
    plan.embedded = options.embedded;
    plan.on_embedded = options.on_embedded;
    plan.work = options.write.work;
    if (!options.on_record) return plan;
    plan.on_sighting = [&options](const std::string& url, const SightingRecord& sighting) {
      options.on_record({url, sighting.time, sighting.file, sighting.offset});
    };
    return plan;
  }
};

void take_numbers(const ForgetPlan& plan, ForgetResult& result) {
  result.names = plan.names();
  result.sightings = plan.sightings();
  result.embedded = plan.embedded();
  result.is_changed = plan.names() > 0;
}

// Publishes the archive without what is forgotten; only MANIFEST if it held none of it.
void publish_without(const Deletion& deletion, Manifest manifest, const WriterLock& lock,
                     const WriteOptions& write) {
  if (deletion.plan.names() == 0) {
    manifest.save(lock.archive());
    return;
  }
  const ScratchFolder scratch(write.temp.empty() ? lock.work_folder() : write.temp);
  const StackResources resources = {scratch.path(), effective_memory(write.memory_bytes),
                                    write.work};
  GenerationDraft draft(lock);
  Manifest after = write_without(deletion.plan, deletion.stack, manifest,
                                 lock.archive() / generation_name(manifest.generation), resources,
                                 draft.folder());
  after.residue = true;
  draft.publish(std::move(after));
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
  const TombstoneSweep sweep(lock);

  ForgetResult result;
  result.before = manifest.counts;
  const Deletion deletion(archive / generation_name(manifest.generation), manifest,
                          meaning_of(selection), options);
  take_numbers(deletion.plan, result);

  Tombstones tombstones = load_or_make_tombstones(archive, manifest);
  result.tombstones = add_all(tombstones, requests, deletion.plan.embedded_urls());
  manifest.tombstones = save_tombstones(archive, tombstones);

  publish_without(deletion, std::move(manifest), lock, options.write);
  wait_for_readers(lock, options.write.work.cancel, options.waiting);
  result.manifest = lock.manifest().value();
  return result;
}

bool forget_covered(const WriterLock& lock, const Tombstones& tombstones,
                    const WriteOptions& write) {
  Manifest manifest = lock.manifest().value();
  ForgetOptions options;
  options.write = write;
  const Deletion deletion(lock.archive() / generation_name(manifest.generation), manifest,
                          meaning_of(tombstones), options);
  manifest.tombstones = save_tombstones(lock.archive(), tombstones);
  publish_without(deletion, std::move(manifest), lock, write);
  sweep_tombstones(lock.archive(), lock.manifest().value());
  return deletion.plan.names() > 0;
}

ForgetResult preview_forget(const std::filesystem::path& archive, std::span<const Forget> requests,
                            const ForgetOptions& options) {
  const Selection selection = selection_of(requests, options);
  const GenerationLease lease = GenerationLease::take(archive);
  ForgetResult result;
  result.manifest = lease.manifest();
  result.before = result.manifest.counts;
  const Deletion deletion(lease.folder(), lease.manifest(), meaning_of(selection), options);
  take_numbers(deletion.plan, result);
  result.manifest.counts = deletion.plan.counts_left();
  Tombstones tombstones =
      load_tombstones(archive, lease.manifest()).value_or(Tombstones(SecretKey{}));
  result.tombstones = add_all(tombstones, requests, deletion.plan.embedded_urls());
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
