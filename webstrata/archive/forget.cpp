// Forgetting is a merge of the present generation with a filter.
//
// Which names go: those that are meant as a whole, and those that no remaining fact mentions, since
// an archive built without the forgotten facts would not have them either. To know the second, all
// remaining facts are read once before the merge.
// Tested by tests/archive/forget_test.cpp.

#include "webstrata/archive/forget.h"

#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>

#include <fmt/format.h>

#include "webstrata/archive/generation_input.h"
#include "webstrata/archive/generation_reader.h"
#include "webstrata/archive/merge.h"
#include "webstrata/archive/scratch_folder.h"
#include "webstrata/base/bytes.h"
#include "webstrata/base/checksum.h"
#include "webstrata/base/error.h"
#include "webstrata/base/file.h"
#include "webstrata/url/key.h"

namespace webstrata {
namespace {

constexpr std::string_view kKeyName = "tombstones.key";
constexpr std::string_view kTombstonesPrefix = "tombstones.";
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

// The secret key, made at the first forget and readable by the owner alone.
SecretKey load_key(const std::filesystem::path& archive) {
  const std::filesystem::path path = archive / kKeyName;
  const std::string bytes = read_file(path);
  if (bytes.size() != kKeyBytes) {
    throw Error(ErrorKind::Corrupt,
                fmt::format("{}: not {} bytes; restore it from a copy, or what was forgotten "
                            "cannot be recognised",
                            path.string(), kKeyBytes));
  }
  ByteReader reader(bytes, kKeyName);
  SecretKey key;
  key.low = reader.u64();
  key.high = reader.u64();
  return key;
}

void make_key(const std::filesystem::path& archive) {
  char random[kKeyBytes];
  if (::getrandom(random, sizeof random, 0) != static_cast<ssize_t>(sizeof random)) {
    throw Error(ErrorKind::Io, "the system gives no random numbers");
  }
  const ::mode_t old_mask = ::umask(0077);
  try {
    write_file(archive / kKeyName, {random, sizeof random});
  } catch (...) {
    ::umask(old_mask);
    throw;
  }
  ::umask(old_mask);
}

Tombstones load_or_make_tombstones(const std::filesystem::path& archive, const Manifest& manifest) {
  if (auto known = load_tombstones(archive, manifest)) return std::move(*known);
  if (!std::filesystem::exists(archive / kKeyName)) make_key(archive);
  return Tombstones(load_key(archive));
}

// The file is named by its content, so that the old one stays until MANIFEST names the new one.
LayerFile save_tombstones(const std::filesystem::path& archive, const Tombstones& tombstones) {
  const std::string bytes = tombstones.serialise();
  LayerFile file;
  file.checksum = checksum64(bytes);
  file.size = bytes.size();
  file.name = fmt::format("{}{:016x}", kTombstonesPrefix, file.checksum);
  write_file(archive / file.name, bytes);
  return file;
}

// Takes away tombstone files that MANIFEST does not name, and the key where there are none: those
// before the last change, and what a crash left.
void sweep_tombstones(const WriterLock& lock) {
  const auto named = lock.manifest().value().tombstones;
  for (const auto& entry : std::filesystem::directory_iterator(lock.archive())) {
    const std::string name = entry.path().filename();
    const bool is_needed = named && (name == named->name || name == kKeyName);
    if (name.starts_with(kTombstonesPrefix) && !is_needed) std::filesystem::remove(entry.path());
  }
}

// However a forget ends, an error or Ctrl-C included, it leaves only tombstones that count.
class TombstoneSweep {
 public:
  explicit TombstoneSweep(const WriterLock& lock) : lock_(lock) { sweep_tombstones(lock); }
  TombstoneSweep(const TombstoneSweep&) = delete;
  TombstoneSweep& operator=(const TombstoneSweep&) = delete;
  ~TombstoneSweep() {
    try {
      sweep_tombstones(lock_);
    } catch (const std::exception&) {
      // The next one sweeps again.
    }
  }

 private:
  const WriterLock& lock_;
};

// What the requests mean in one generation.
class Forgetting : public MergeFilter {
 public:
  Forgetting(const GenerationReader& generation, const Selection& selection,
             const ForgetOptions& options, ForgetResult& result)
      : generation_(generation),
        selection_(selection),
        options_(options),
        result_(result),
        meant_(generation.node_count()),
        touched_(generation.node_count()),
        mentioned_(generation.node_count()) {
    find_names();
    if (result.names > 0) read_facts();
  }

  [[nodiscard]] bool drops(Uid node) const override {
    return meant_.has(node) || !mentioned_.has(node);
  }
  [[nodiscard]] bool touches(Uid node) const override { return touched_.has(node); }
  [[nodiscard]] bool drops_sighting(Uid node, const SightingRecord& sighting) const override {
    const auto key = touched_keys_.find(node);
    return key != touched_keys_.end() && selection_.covers(key->second, sighting.time);
  }
  // Urls that only contain a forgotten one and go with it.
  [[nodiscard]] const std::vector<std::string>& embedded_urls() const noexcept {
    return embedded_urls_;
  }

 private:
  void find_names() {
    KeyScanner keys(generation_);
    std::string_view key;
    for (Uid node = 0; keys.next(key); ++node) {
      if (selection_.covers(key, std::nullopt)) {
        meant_.add(node);
      } else if (selection_.touches(key)) {
        touched_.add(node);
        touched_keys_.emplace(node, key);
      } else if (selection_.contains_embedded(key)) {
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

  // Notes what is mentioned by facts that remain, and tells of those that go.
  void read_facts() {
    const auto input = open_generation(generation_);
    PageFacts page;
    std::uint64_t node = 0;
    while (input->next_page(node)) {
      if (options_.write.cancel != nullptr) options_.write.cancel->check();
      input->read_page(page);
      const std::size_t all = page.sightings.size();
      std::erase_if(page.sightings, [&](const SightingRecord& sighting) {
        const bool goes = goes_away(node, sighting);
        if (goes) tell(node, sighting);
        return goes;
      });
      result_.sightings += all - page.sightings.size();
      if (all != page.sightings.size()) drop_derived_rows(page);
      note_mentions(node, page);
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
  const Selection& selection_;
  const ForgetOptions& options_;
  ForgetResult& result_;
  NodeSet meant_;      // the name goes
  NodeSet touched_;    // some times of it go
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
  request.threads = write.threads;
  request.progress = write.progress;
  request.cancel = write.cancel;
  return merge(request);
}

}  // namespace

std::optional<Tombstones> load_tombstones(const std::filesystem::path& archive,
                                          const Manifest& manifest) {
  if (!manifest.tombstones) return std::nullopt;
  const std::filesystem::path path = archive / manifest.tombstones->name;
  const std::string bytes = read_file(path);
  if (checksum64(bytes) != manifest.tombstones->checksum) {
    throw Error(ErrorKind::Corrupt,
                fmt::format("{}: its checksum differs; restore it from a copy", path.string()));
  }
  return Tombstones::parse(bytes, load_key(archive));
}

ForgetResult forget(const std::filesystem::path& archive, std::span<const Forget> requests,
                    const ForgetOptions& options) {
  Selection selection;
  for (const Forget& request : requests) selection.add(request);
  const WriterLock lock = WriterLock::take(archive);
  Manifest manifest = lock.manifest().value();
  refuse_unknown_layers(archive, manifest);
  const TombstoneSweep sweep(lock);

  ForgetResult result;
  result.before = manifest.counts;
  const GenerationReader generation(archive / generation_name(manifest.generation), manifest);
  const Forgetting forgetting(generation, selection, options, result);

  Tombstones tombstones = load_or_make_tombstones(archive, manifest);
  for (const Forget& request : requests) result.tombstones += tombstones.add(request) ? 1 : 0;
  for (const std::string& url : forgetting.embedded_urls()) {
    const Forget alone{.scope = ForgetScope::Url, .text = url, .exactly = true};
    result.tombstones += tombstones.add(alone) ? 1 : 0;
  }
  manifest.tombstones = save_tombstones(archive, tombstones);

  result.is_changed = result.names > 0;
  if (result.is_changed) {
    GenerationDraft draft(lock);
    MergeResult merged =
        merge_without(generation, forgetting, manifest, draft.folder(), lock, options.write);
    manifest.counts = merged.counts;
    manifest.facts_digest = merged.facts_digest;
    manifest.layers = std::move(merged.layers);
    manifest.scores = std::move(merged.scores);
    manifest.link_scores = std::move(merged.link_scores);
    manifest.residue = true;
    manifest = draft.publish(std::move(manifest));
  } else {
    manifest.save(archive);
  }
  wait_for_readers(lock, options.write.cancel, options.waiting);
  result.manifest = lock.manifest().value();
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
