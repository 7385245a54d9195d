// SPDX-License-Identifier: Apache-2.0

// The URL dictionary on debweb: every URL that a page has or points to, in chunks as an archive
// keeps them, against marisa-trie over all of them at once; and the sort that brings them there.

#include <algorithm>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include <fmt/format.h>

#ifdef WEBSTRATA_WITH_MARISA
#include <marisa.h>
#endif

#include "bench/archive/sections.h"
#include "webstrata/base/error.h"
#include "webstrata/base/random.h"
#include "webstrata/base/sort_keys.h"
#include "webstrata/capture/parallel_read.h"
#include "webstrata/codec/names.h"
#include "webstrata/url/key.h"
#include "webstrata/url/url.h"

namespace webstrata {

namespace {

constexpr std::size_t kQueries = 200'000;

double seconds_of(const std::function<void()>& run) {
  const double start = cpu_seconds();
  run();
  return cpu_seconds() - start;
}

// The CPU seconds of the fastest run.
double best_of(int repetitions, const std::function<void()>& run) {
  double best = std::numeric_limits<double>::max();
  for (int i = 0; i < repetitions; ++i) best = std::min(best, seconds_of(run));
  return best;
}

// Two tasks are compared by running them alternately, under the same conditions.
struct TwoTimes {
  double ours = std::numeric_limits<double>::max();
  double theirs = std::numeric_limits<double>::max();
};
TwoTimes best_of_both(int repetitions, const std::function<void()>& ours,
                      const std::function<void()>& theirs) {
  TwoTimes best;
  for (int i = 0; i < repetitions; ++i) {
    best.ours = std::min(best.ours, seconds_of(ours));
    best.theirs = std::min(best.theirs, seconds_of(theirs));
  }
  return best;
}

void require(bool holds, const char* what) {
  if (!holds) throw Error(ErrorKind::Corrupt, fmt::format("names: {}", what));
}

// Keys of all URLs in the order of the crawl, with repetitions.
class KeySink : public PartSink {
 public:
  explicit KeySink(std::vector<std::string>& keys) : keys_(keys) {}

  void take(Capture& capture) override {
    add(capture.sighting.url);
    for (std::size_t i = 0; i < capture.links.size(); ++i) add(capture.links[i].target);
  }
  [[nodiscard]] std::size_t buffered_bytes() const override { return 0; }
  void flush() override {}

 private:
  void add(std::string_view href) {
    Url url;
    if (!parse_url(href, url)) return;
    keys_.emplace_back();
    append_key(url, keys_.back());
  }
  std::vector<std::string>& keys_;
};

std::vector<std::string> debweb_keys(const std::filesystem::path& shared) {
  std::vector<std::string> keys;
  const auto folder = shared / "data" / "debweb";
  ParallelOptions one_thread;
  one_thread.work.threads = 1;
  const auto summaries =
      read_inputs({folder / "captures.bullseye.jsonl.zst", folder / "captures.bookworm.jsonl.zst"},
                  {}, one_thread, [&](std::size_t) { return std::make_unique<KeySink>(keys); });
  for (const InputSummary& summary : summaries) {
    if (!summary.error.empty()) throw Error(ErrorKind::NotFound, summary.error);
  }
  return keys;
}

bool is_before(const KeyEntry& a, const KeyEntry& b) {
  return std::tie(a.key, a.tag) < std::tie(b.key, b.tag);
}

// Every distinct key once, in the order in which the crawl found them: what a run builder sorts.
std::vector<std::string> first_meetings(const std::vector<std::string>& keys) {
  std::vector<KeyEntry> entries;
  for (std::size_t i = 0; i < keys.size(); ++i) entries.push_back({keys[i], i});
  sort_keys(entries);
  std::vector<std::uint64_t> firsts;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (i == 0 || entries[i].key != entries[i - 1].key) firsts.push_back(entries[i].tag);
  }
  std::sort(firsts.begin(), firsts.end());
  std::vector<std::string> distinct;
  for (const std::uint64_t first : firsts) distinct.push_back(keys[first]);
  return distinct;
}

// Returns the keys sorted.
std::vector<std::string> bench_sorting(const std::vector<std::string>& keys, int repetitions,
                                       Figures& figures) {
  std::vector<KeyEntry> unsorted;
  for (const std::string& key : keys) unsorted.push_back({key, unsorted.size()});
  std::vector<KeyEntry> ours;
  std::vector<KeyEntry> theirs;
  // Copying the entries is inside both times: it is small, and the same.
  const TwoTimes seconds = best_of_both(
      repetitions,
      [&] {
        ours = unsorted;
        sort_keys(ours);
      },
      [&] {
        theirs = unsorted;
        std::sort(theirs.begin(), theirs.end(), is_before);
      });
  require(std::equal(ours.begin(), ours.end(), theirs.begin(),
                     [](const KeyEntry& a, const KeyEntry& b) { return a.tag == b.tag; }),
          "sort_keys and std::sort differ");
  figures.add("sort_keys_ratio", seconds.theirs / seconds.ours,
              fmt::format("std::sort's time over sort_keys', {} keys; target 2.5", keys.size()));
  std::vector<std::string> sorted;
  for (const KeyEntry& entry : ours) sorted.emplace_back(entry.key);
  return sorted;
}

// What an archive has of its names: chunks, and the first key of each.
struct Dictionary {
  std::vector<KeyList> lists;
  std::vector<std::string> bytes;
  std::vector<NamesChunk> chunks;
  std::vector<std::string> first_keys;

  [[nodiscard]] std::size_t size_bytes() const {
    std::size_t size = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i) size += bytes[i].size() + first_keys[i].size();
    return size;
  }
  [[nodiscard]] std::size_t memory_bytes() const {
    std::size_t size = 0;
    for (const NamesChunk& chunk : chunks) size += chunk.memory_bytes();
    return size;
  }
  // All chunks but the last have kChunkKeys keys on this data.
  void key(std::size_t position, std::string& out) const {
    chunks[position / kChunkKeys].key(position % kChunkKeys, out);
  }
  [[nodiscard]] std::size_t find(std::string_view key) const {
    const auto after = std::upper_bound(first_keys.begin(), first_keys.end(), key);
    const auto chunk = static_cast<std::size_t>(after - first_keys.begin()) - 1;
    bool found = false;
    const std::size_t position = chunks[chunk].lower_bound(key, found);
    require(found, "a key is not found");
    return chunk * kChunkKeys + position;
  }
};

std::vector<KeyList> cut_chunks(const std::vector<std::string>& sorted) {
  std::vector<KeyList> lists;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    if (i % kChunkKeys == 0) lists.emplace_back();
    lists.back().add(sorted[i]);
  }
  return lists;
}

Dictionary bench_encoding(const std::vector<std::string>& sorted, int repetitions,
                          Figures& figures) {
  Dictionary dictionary;
  dictionary.lists = cut_chunks(sorted);
  const double encode_seconds = best_of(repetitions, [&] {
    dictionary.bytes.clear();
    for (const KeyList& list : dictionary.lists) dictionary.bytes.push_back(encode_names(list));
  });
  const double open_seconds = best_of(repetitions, [&] {
    dictionary.chunks.clear();
    for (const std::string& bytes : dictionary.bytes) {
      dictionary.chunks.push_back(NamesChunk::open(bytes));
    }
  });
  KeyList out;
  const double decode_seconds = best_of(repetitions, [&] {
    for (const NamesChunk& chunk : dictionary.chunks) chunk.decode(out);
  });
  for (std::size_t i = 0; i < dictionary.chunks.size(); ++i) {
    dictionary.first_keys.emplace_back(dictionary.lists[i][0]);
    dictionary.chunks[i].decode(out);
    require(out.ends == dictionary.lists[i].ends && out.bytes == dictionary.lists[i].bytes,
            "a chunk decodes to other keys");
  }
  const auto count = static_cast<double>(sorted.size());
  const auto chunk_count = static_cast<double>(dictionary.chunks.size());
  figures.add("names_bits_per_url", static_cast<double>(dictionary.size_bytes()) * 8 / count,
              fmt::format("{} URLs, everything counted", sorted.size()));
  figures.add("names_encode_keys_per_second", count / encode_seconds, "one thread; aim 1 M");
  figures.add("names_decode_keys_per_second", count / decode_seconds, "all in order, one thread");
  figures.add("names_open_us", open_seconds / chunk_count * 1e6, "per chunk of 65,536 keys");
  figures.add("names_chunk_memory_kb",
              static_cast<double>(dictionary.memory_bytes()) / chunk_count / 1e3,
              "beside the bytes themselves, per opened chunk");
  return dictionary;
}

std::vector<std::size_t> random_positions(std::size_t count) {
  Random random(1);
  std::vector<std::size_t> positions(kQueries);
  for (std::size_t& position : positions) position = random.below(count);
  return positions;
}

void read_keys(const Dictionary& dictionary, const std::vector<std::size_t>& positions) {
  std::string key;
  std::size_t bytes = 0;
  for (const std::size_t position : positions) {
    dictionary.key(position, key);
    bytes += key.size();
  }
  require(bytes > 0, "no bytes");
}

void find_keys(const Dictionary& dictionary, const std::vector<std::string>& sorted,
               const std::vector<std::size_t>& positions) {
  for (const std::size_t position : positions) {
    require(dictionary.find(sorted[position]) == position, "a key is found elsewhere");
  }
}

void add_times(double access_seconds, double lookup_seconds, const std::string& whose,
               Figures& figures) {
  const double each = 1e9 / static_cast<double>(kQueries);
  figures.add(whose + "_access_ns", access_seconds * each, "position or id to key, random");
  figures.add(whose + "_lookup_ns", lookup_seconds * each, "key to position or id, random");
}

#ifdef WEBSTRATA_WITH_MARISA
// Leaves the ids of the keys in `ids`.
void find_keys(const marisa::Trie& trie, const std::vector<std::string>& sorted,
               const std::vector<std::size_t>& positions, std::vector<std::size_t>& ids) {
  marisa::Agent agent;
  ids.clear();
  for (const std::size_t position : positions) {
    agent.set_query(sorted[position].data(), sorted[position].size());
    require(trie.lookup(agent), "marisa does not find a key");
    ids.push_back(agent.key().id());
  }
}

void read_keys(const marisa::Trie& trie, const std::vector<std::size_t>& ids) {
  marisa::Agent agent;
  std::size_t bytes = 0;
  for (const std::size_t id : ids) {
    agent.set_query(id);
    trie.reverse_lookup(agent);
    bytes += agent.key().length();
  }
  require(bytes > 0, "no bytes");
}

void build_marisa(const std::vector<std::string>& sorted, marisa::Trie& trie, Figures& figures) {
  const double seconds = seconds_of([&] {
    marisa::Keyset keyset;
    for (const std::string& key : sorted) keyset.push_back(key.data(), key.size());
    trie.build(keyset);
  });
  const auto count = static_cast<double>(sorted.size());
  figures.add("marisa_bits_per_url", static_cast<double>(trie.io_size()) * 8 / count,
              "marisa-trie, its default settings");
  figures.add("marisa_encode_keys_per_second", count / seconds, "one thread");
}

void bench_reading(const Dictionary& dictionary, const std::vector<std::string>& sorted,
                   int repetitions, Figures& figures) {
  marisa::Trie trie;
  build_marisa(sorted, trie, figures);
  const std::vector<std::size_t> positions = random_positions(sorted.size());
  std::vector<std::size_t> ids;
  const TwoTimes lookup = best_of_both(
      repetitions, [&] { find_keys(dictionary, sorted, positions); },
      [&] { find_keys(trie, sorted, positions, ids); });
  const TwoTimes access = best_of_both(
      repetitions, [&] { read_keys(dictionary, positions); }, [&] { read_keys(trie, ids); });
  add_times(access.ours, lookup.ours, "names", figures);
  add_times(access.theirs, lookup.theirs, "marisa", figures);
  figures.add("names_bits_over_marisa",
              static_cast<double>(dictionary.size_bytes()) / static_cast<double>(trie.io_size()),
              "target 1.0");
  figures.add("names_access_over_marisa", access.ours / access.theirs, "target 0.6");
  figures.add("names_lookup_over_marisa", lookup.ours / lookup.theirs, "target 1.0");
}
#else
void bench_reading(const Dictionary& dictionary, const std::vector<std::string>& sorted,
                   int repetitions, Figures& figures) {
  const std::vector<std::size_t> positions = random_positions(sorted.size());
  add_times(best_of(repetitions, [&] { read_keys(dictionary, positions); }),
            best_of(repetitions, [&] { find_keys(dictionary, sorted, positions); }), "names",
            figures);
  fmt::print("marisa not installed: names are compared with nothing (package libmarisa-dev)\n");
}
#endif

}  // namespace

void bench_names(const BenchOptions& options, Figures& figures) {
  const std::vector<std::string> met = first_meetings(debweb_keys(options.shared));
  const std::vector<std::string> sorted = bench_sorting(met, options.repetitions, figures);
  const Dictionary dictionary = bench_encoding(sorted, options.repetitions, figures);
  bench_reading(dictionary, sorted, options.repetitions, figures);
}

}  // namespace webstrata
