// SPDX-License-Identifier: Apache-2.0

// How batches of facts become a sorted run.
//
// A batch (fact_batch.h) numbers its keys in the order in which they arrived, and its facts refer
// to keys by these numbers. A run needs the keys of all its batches sorted, and its facts sorted
// by the key of their page. Sorting facts themselves would move a lot of bytes, so only small
// entries are sorted and the facts are read where they are:
//
//   1. mark      read all facts once; keys that no fact mentions get no rank
//   2. rank      sort the used keys of all batches; equal keys share a rank; write the keys
//   3. place     for each fact, (rank of its page, batch, position); sort these
//   4. write     read the facts of a page in that order, with ranks in place of numbers, join them
//                and write the page
//
// Invariants of the files:
// - Keys are strictly ascending. A key is stored as the length that it shares with the key before
//   it, and the rest (front coding).
// - Pages are strictly ascending by the rank of their key, stored as differences. Each is
// normalised   (page.h) and has no derived rows: those depend on facts that other runs may hold.
// - Every key is mentioned by some fact. What was left out on the way in leaves no trace;
// otherwise   the set of names would depend on it.
//
// The order of batches does not matter for the result, because facts join in any order. A run is
// scratch: it is read back by the same program, never kept and never versioned. Its end is the end
// of its files.
// Tested by tests/archive/law_test.cpp and tests/cluster/cluster_test.cpp.

#include "webstrata/archive/gather/run.h"

#include <algorithm>

#include <fmt/format.h>

#include "webstrata/archive/gather/page_bytes.h"
#include "webstrata/base/sort_keys.h"

namespace webstrata {
namespace {

class RunInput : public FactInput {
 public:
  RunInput(const RunFiles& files, std::size_t buffer_bytes)
      : keys_(files.keys, buffer_bytes), pages_(files.pages, buffer_bytes) {}

  bool next_key(std::string& key) override {
    if (keys_.at_end()) return false;
    const std::uint64_t shared = keys_.varint();
    last_key_.resize(shared);
    last_key_ += keys_.take(keys_.varint());
    key = last_key_;
    return true;
  }

  bool next_page(std::uint64_t& number) override {
    if (pages_.at_end()) return false;
    number = next_number_ += pages_.varint();
    return true;
  }

  void read_page(PageFacts& page) override { webstrata::read_page(pages_, page); }

  void skip_pages(std::uint64_t) override {}  // a run is read whole

 private:
  ScratchReader keys_;
  ScratchReader pages_;
  std::string last_key_;
  std::uint64_t next_number_ = 0;
};

// A fact of a batch by the rank of its source.
struct PlacedFact {
  std::uint32_t source = 0;  // rank
  std::uint32_t batch = 0;
  std::uint64_t position = 0;  // in the batch's facts
  friend auto operator<=>(const PlacedFact&, const PlacedFact&) = default;
};

// Adds one fact of a batch to its page. `rank` is given every number that it mentions, and returns
// the one to put instead.
template <typename Rank>
void read_fact(ByteReader& reader, bool has_texts, PageFacts& page, const Rank& rank) {
  SightingRecord& record = page.sightings.emplace_back();
  read_record(reader, record);
  if (record.redirect) record.redirect = rank(*record.redirect);
  if (record.refers_to) record.refers_to = rank(*record.refers_to);
  for (std::uint64_t left = reader.varint(); left > 0; --left) {
    const Uid target = rank(reader.varint());
    const std::uint8_t kinds = reader.u8();
    page.add_link(target, {kinds, reader.u8()});
    if (!has_texts) continue;
    for (std::uint64_t texts = reader.varint(); texts > 0; --texts) {
      page.texts.add(target, record.time, reader.take(reader.varint()));
    }
  }
  if (record.has_links) page.end_row(record.time);
}

// Keys of all batches in order, each batch's numbers becoming ranks. A number that no fact mentions
// gets none: what was left out leaves no key behind.
class RankedKeys {
 public:
  explicit RankedKeys(const std::vector<std::unique_ptr<FactBatch>>& batches) : batches_(batches) {
    for (const auto& batch : batches) {
      ranks_.emplace_back(batch->key_count());
    }
  }

  void write(RunWriter& run) {
    std::vector<KeyEntry> entries;
    for (std::size_t b = 0; b < batches_.size(); ++b) {
      for (std::size_t i = 0; i < ranks_[b].size(); ++i) {
        if (batches_[b]->is_mentioned(i)) entries.push_back({batches_[b]->key(i), b << 32 | i});
      }
    }
    sort_keys(entries);
    std::uint32_t rank = 0;
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const bool is_new = i == 0 || entries[i].key != entries[i - 1].key;
      if (is_new) run.add_key(entries[i].key);
      if (is_new && i > 0) ++rank;
      ranks_[entries[i].tag >> 32][entries[i].tag & 0xffffffff] = rank;
    }
  }

  [[nodiscard]] std::uint32_t rank(std::size_t batch, std::uint64_t number) const {
    return ranks_[batch][number];
  }

 private:
  const std::vector<std::unique_ptr<FactBatch>>& batches_;
  std::vector<std::vector<std::uint32_t>> ranks_;
};

bool touches_rows(const PageFacts& page) {
  constexpr auto kRevisitByte = static_cast<std::uint8_t>(SightingKind::Revisit);
  return page.row_count() > 0 ||
         std::any_of(page.sightings.begin(), page.sightings.end(),
                     [](const SightingRecord& sighting) { return sighting.kind == kRevisitByte; });
}

std::vector<PlacedFact> place_facts(const std::vector<std::unique_ptr<FactBatch>>& batches,
                                    const RankedKeys& keys) {
  std::vector<PlacedFact> placed;
  for (std::size_t b = 0; b < batches.size(); ++b) {
    for (const FactBatch::Fact& fact : batches[b]->index()) {
      placed.push_back({keys.rank(b, fact.source), static_cast<std::uint32_t>(b), fact.start});
    }
  }
  std::sort(placed.begin(), placed.end());
  return placed;
}

}  // namespace

RunFiles run_files(const std::filesystem::path& folder, std::uint64_t number) {
  return {folder / fmt::format("run{:06}.keys", number),
          folder / fmt::format("run{:06}.pages", number), true};
}

RunWriter::RunWriter(const RunFiles& files) : keys_(files.keys), pages_(files.pages) {}

void RunWriter::add_key(std::string_view key) {
  const auto shared = static_cast<std::size_t>(
      std::mismatch(key.begin(), key.end(), last_key_.begin(), last_key_.end()).first -
      key.begin());
  append_varint(keys_.buffer(), shared);
  append_text(keys_.buffer(), key.substr(shared));
  last_key_ = key;
  keys_.flush_if_full();
}

void RunWriter::add_page(std::uint64_t number, const PageFacts& page) {
  append_varint(pages_.buffer(), number - next_number_);
  next_number_ = number;
  append_sightings(pages_.buffer(), page);
  append_varint(pages_.buffer(), page.row_count());
  for (std::size_t row = 0; row < page.row_count(); ++row) {
    append_row(pages_.buffer(), page, row);
    pages_.flush_if_full();
  }
  append_texts(pages_.buffer(), page);
  pages_.flush_if_full();
}

void RunWriter::finish() {
  keys_.flush();
  pages_.flush();
}

bool write_run(const std::vector<std::unique_ptr<FactBatch>>& batches, const RunFiles& files) {
  RunWriter run(files);
  RankedKeys keys(batches);
  keys.write(run);
  const std::vector<PlacedFact> placed = place_facts(batches, keys);
  PageFacts page;
  bool is_touching_rows = false;
  for (std::size_t i = 0; i < placed.size(); ++i) {
    const PlacedFact& fact = placed[i];
    ByteReader reader(batches[fact.batch]->facts().substr(fact.position), "a batch of facts");
    read_fact(reader, batches[fact.batch]->has_texts(), page,
              [&](std::uint64_t number) { return keys.rank(fact.batch, number); });
    const bool is_last = i + 1 == placed.size() || placed[i + 1].source != fact.source;
    if (!is_last) continue;
    normalise(page);
    is_touching_rows = is_touching_rows || touches_rows(page);
    run.add_page(fact.source, page);
    page.clear();
  }
  run.finish();
  return is_touching_rows;
}

std::unique_ptr<FactInput> open_run(const RunFiles& files, std::size_t buffer_bytes) {
  return std::make_unique<RunInput>(files, buffer_bytes);
}

}  // namespace webstrata
