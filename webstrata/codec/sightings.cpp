// SPDX-License-Identifier: Apache-2.0

// The reader; sightings_encoder.cpp makes the bytes, sightings_format.h explains the idea.
//
// Opening reads the tables and the counts of all nodes. A node is read from its entry on: the nodes
// before it in the entry are skipped, which means reading their tokens, but making no texts and
// needing no rows. Tested by tests/codec/sightings_test.cpp.

#include "webstrata/codec/sightings.h"

#include <algorithm>

#include "webstrata/base/bytes.h"
#include "webstrata/base/error.h"
#include "webstrata/codec/block.h"
#include "webstrata/codec/sightings_entry.h"
#include "webstrata/codec/sightings_format.h"
#include "webstrata/codec/text_table.h"
#include "webstrata/codec/token_coder.h"

namespace webstrata {
namespace {

using namespace sightings_format;

void read_forms(ByteReader& bytes, std::vector<DigestForm>& forms) {
  const std::uint64_t count = bytes.varint();
  if (count > bytes.remaining()) throw corrupt("too many forms of digests");
  for (std::uint64_t i = 0; i < count; ++i) {
    DigestForm form;
    form.prefix = bytes.take(bytes.u8());
    const std::uint8_t alphabet = bytes.u8();
    form.size = bytes.u8();
    if (alphabet > static_cast<std::uint8_t>(DigestForm::Alphabet::HexUpper) ||
        form.size > kDigestBytesMax || form.prefix.size() > kDigestPrefixBytesMax) {
      throw corrupt("a form of digests is unknown");
    }
    form.alphabet = static_cast<DigestForm::Alphabet>(alphabet);
    forms.push_back(std::move(form));
  }
}

// So that records need not examine each field again.
bool is_valid(const Shape& shape, const Tables& tables) {
  constexpr std::uint32_t kByteMax = 0xff;
  constexpr std::uint32_t kStatusMax = 0x10000;
  constexpr std::uint32_t kFlagsMax = 3;
  const bool small = shape[kKind] <= kByteMax && shape[kOutcome] <= kByteMax &&
                     shape[kProfile] <= kByteMax && shape[kFlags] <= kFlagsMax &&
                     shape[kStatus] <= kStatusMax && shape[kMime] <= tables.mimes.size();
  const bool states = std::all_of(shape.begin() + kTextLength, shape.begin() + kDigest,
                                  [](std::uint32_t state) { return state <= kNew; }) &&
                      std::all_of(shape.begin() + kSpelling, shape.end(),
                                  [](std::uint32_t state) { return state <= kNew; });
  const std::size_t digest_end = kFirstForm + tables.forms.size();
  const bool digests = shape[kDigest] < digest_end && shape[kTextDigest] < digest_end;
  const bool places = (shape[kFile] == kAbsent || !tables.files.empty()) &&
                      (shape[kCrawl] == kAbsent || !tables.crawls.empty());
  return small && states && digests && places && shape[kOffset] != kSame &&
         shape[kRefersToTime] != kSame;
}

void read_shapes(ByteReader& bytes, Tables& tables) {
  const std::uint64_t count = bytes.varint();
  if (count > kChunkSightings || count > bytes.remaining()) throw corrupt("too many shapes");
  Shape shape = {};
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t mask = bytes.varint();
    for (std::size_t field = 0; field < kFieldCount; ++field) {
      if ((mask >> field & 1) != 0) {
        shape[field] = static_cast<std::uint32_t>(std::min<std::uint64_t>(bytes.varint(), ~0U));
      }
    }
    if (mask >> kFieldCount != 0 || !is_valid(shape, tables)) throw corrupt("a shape is not valid");
    tables.shapes.push_back(shape);
  }
}

}  // namespace

struct SightingsChunk::State {
  Tables tables;
  TokenTables codes;
  std::string_view stream;
  std::vector<std::uint32_t> ends;  // of the nodes' records, counted through the chunk
  struct Entry {
    std::uint32_t node = 0;  // the first
    std::uint64_t bit = 0;
  };
  std::vector<Entry> entries;

  [[nodiscard]] std::size_t count(std::size_t node) const {
    return ends[node] - (node == 0 ? 0 : ends[node - 1]);
  }

  // The entry of `node`, which has records.
  [[nodiscard]] const Entry& entry_of(std::size_t node) const {
    const auto after = std::upper_bound(
        entries.begin(), entries.end(), node,
        [](std::size_t wanted, const Entry& entry) { return wanted < entry.node; });
    return *(after - 1);
  }
};

namespace {

// Where the records of every node end.
std::vector<std::uint32_t> read_counts(TokenReader& tokens, std::uint64_t node_count,
                                       std::uint64_t record_count) {
  std::vector<std::uint32_t> ends;
  ends.reserve(node_count);
  std::uint64_t total = 0;
  for (;;) {
    const std::uint64_t gap = tokens.get(kGapContext);
    if (gap > node_count - ends.size()) throw corrupt("more nodes than announced");
    ends.insert(ends.end(), gap, static_cast<std::uint32_t>(total));
    if (ends.size() == node_count) break;
    const std::uint64_t more = tokens.get(kCountContext);
    if (more >= record_count - total) throw corrupt("more records than announced");
    total += more + 1;
    ends.push_back(static_cast<std::uint32_t>(total));
  }
  if (total != record_count) throw corrupt("fewer records than announced");
  return ends;
}

void read_moments(TokenReader& tokens, std::uint64_t count, Tables& tables) {
  auto time = static_cast<std::uint64_t>(tables.base_time);
  for (std::uint64_t i = 0; i < count; ++i) {
    if (i > 0) time += tokens.get(kStepContext);
    tables.times.push_back(static_cast<Time>(time));
  }
  if (!std::is_sorted(tables.times.begin(), tables.times.end())) {
    throw corrupt("moments are out of order");
  }
}

// The nodes at which entries begin.
std::vector<std::uint32_t> entry_nodes(const std::vector<std::uint32_t>& ends) {
  std::vector<std::uint32_t> nodes;
  EntryRule rule;
  for (std::uint32_t node = 0, before = 0; node < ends.size(); before = ends[node++]) {
    if (ends[node] > before && rule.begins_at(ends[node] - before)) nodes.push_back(node);
  }
  return nodes;
}

}  // namespace

SightingsChunk SightingsChunk::open(std::string_view bytes, Uid first) {
  ByteReader reader(bytes, "sightings");
  const std::uint64_t node_count = reader.varint();
  const std::uint64_t record_count = reader.varint();
  if (node_count > kChunkNodesMax || record_count > kChunkSightings) {
    throw corrupt("the chunk is too large");
  }
  Tables tables;
  tables.first = first;
  tables.offsets_are_differences = reader.u8() != 0;
  tables.base_time = static_cast<Time>(unzigzag(reader.varint()));
  const std::uint64_t moment_count = reader.varint();
  if (moment_count > record_count) throw corrupt("too many moments");
  tables.mimes = read_text_table(reader, kChunkSightings, kTextBytesMax);
  tables.files = read_text_table(reader, kChunkSightings, kTextBytesMax);
  tables.crawls = read_text_table(reader, kChunkSightings, kTextBytesMax);
  read_forms(reader, tables.forms);
  read_shapes(reader, tables);
  ByteReader code_bytes(reader.take(reader.varint()), "sightings");
  TokenTables codes = TokenTables::open(code_bytes, kContextCount);
  if (!code_bytes.at_end()) throw corrupt("bytes after the code tables");

  ByteReader entry_bytes(reader.take(reader.varint()), "sightings");
  auto state = std::make_unique<State>(
      State{std::move(tables), std::move(codes), reader.take(reader.remaining()), {}, {}});

  TokenReader tokens(state->codes, state->stream, 0);
  state->ends = read_counts(tokens, node_count, record_count);
  read_moments(tokens, moment_count, state->tables);
  std::uint64_t bit = 0;
  for (const std::uint32_t node : entry_nodes(state->ends)) {
    bit += entry_bytes.varint();
    state->entries.push_back({node, bit});
  }
  if (!entry_bytes.at_end()) throw corrupt("bytes after the entries");
  return SightingsChunk(std::move(state));
}

SightingsChunk::SightingsChunk(std::unique_ptr<State> state) : state_(std::move(state)) {}
SightingsChunk::SightingsChunk(SightingsChunk&&) noexcept = default;
SightingsChunk& SightingsChunk::operator=(SightingsChunk&&) noexcept = default;
SightingsChunk::~SightingsChunk() = default;

std::size_t SightingsChunk::node_count() const noexcept { return state_->ends.size(); }

std::uint64_t SightingsChunk::sighting_count() const noexcept {
  return state_->ends.empty() ? 0 : state_->ends.back();
}

std::size_t SightingsChunk::count(std::size_t node) const {
  if (node >= state_->ends.size()) throw corrupt("there is no such node");
  return state_->count(node);
}

std::size_t SightingsChunk::memory_bytes() const noexcept {
  const auto texts = [](const std::vector<std::string>& table) {
    std::size_t bytes = table.capacity() * sizeof(std::string);
    for (const std::string& text : table) bytes += text.capacity();
    return bytes;
  };
  const Tables& tables = state_->tables;
  return sizeof(State) + state_->codes.memory_bytes() + texts(tables.mimes) + texts(tables.files) +
         texts(tables.crawls) + tables.times.capacity() * sizeof(Time) +
         tables.forms.capacity() * sizeof(DigestForm) + tables.shapes.capacity() * sizeof(Shape) +
         state_->ends.capacity() * sizeof(std::uint32_t) +
         state_->entries.capacity() * sizeof(State::Entry);
}

struct SightingsReader::State {
  const SightingsChunk::State* chunk;
  EntryReader entry;
  std::size_t next = 0;  // the node whose records are next in the entry
  bool is_inside = false;

  explicit State(const SightingsChunk::State& of)
      : chunk(&of), entry(of.tables, of.codes, of.stream) {}

  // The memory that single questions of a thread use.
  static State& of_thread(const SightingsChunk::State& chunk) {
    thread_local State state(chunk);
    state.chunk = &chunk;
    state.entry.open(chunk.tables, chunk.codes, chunk.stream);
    state.is_inside = false;
    return state;
  }

  void sightings(std::size_t node, std::span<const Time> row_times,
                 std::vector<SightingRecord>& out) {
    if (!begin(node, out)) return;
    entry.read_node(chunk->tables.first + node, row_times, out);
    end(node);
  }
  void outcomes(std::size_t node, std::span<const Time> row_times,
                std::vector<SightingOutcome>& out) {
    if (!begin(node, out)) return;
    entry.read_outcomes(chunk->tables.first + node, row_times, out);
    end(node);
  }

 private:
  // False if the node has no records; otherwise they are next in the entry. If anything throws, the
  // next call begins at an entry again.
  template <typename Record>
  bool begin(std::size_t node, std::vector<Record>& out) {
    if (node >= chunk->ends.size()) throw corrupt("there is no such node");
    out.resize(chunk->count(node));
    if (out.empty()) return false;
    const auto& start = chunk->entry_of(node);
    // An entry remembers nothing of the one before, even if it is next.
    if (!is_inside || next > node || next <= start.node) {
      entry.seek(start.bit);
      next = start.node;
    }
    is_inside = false;
    for (; next < node; ++next) entry.pass_node(chunk->count(next));
    return true;
  }
  void end(std::size_t node) {
    next = node + 1;
    is_inside = true;
  }
};

SightingsReader::SightingsReader(const SightingsChunk& chunk)
    : state_(std::make_unique<State>(*chunk.state_)) {}
SightingsReader::SightingsReader(SightingsReader&&) noexcept = default;
SightingsReader& SightingsReader::operator=(SightingsReader&&) noexcept = default;
SightingsReader::~SightingsReader() = default;

void SightingsReader::sightings(std::size_t node, std::span<const Time> row_times,
                                std::vector<SightingRecord>& out) {
  state_->sightings(node, row_times, out);
}

void SightingsReader::outcomes(std::size_t node, std::span<const Time> row_times,
                               std::vector<SightingOutcome>& out) {
  state_->outcomes(node, row_times, out);
}

void SightingsChunk::sightings(std::size_t node, std::span<const Time> row_times,
                               std::vector<SightingRecord>& out) const {
  SightingsReader::State::of_thread(*state_).sightings(node, row_times, out);
}

void SightingsChunk::outcomes(std::size_t node, std::span<const Time> row_times,
                              std::vector<SightingOutcome>& out) const {
  SightingsReader::State::of_thread(*state_).outcomes(node, row_times, out);
}

}  // namespace webstrata
