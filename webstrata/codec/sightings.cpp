// Tested by tests/codec/sightings_test.cpp.

#include "webstrata/codec/sightings.h"

#include "webstrata/base/bytes.h"
#include "webstrata/base/error.h"
#include "webstrata/codec/block.h"

namespace webstrata {
namespace {

void append_text(std::string& out, std::string_view text) {
  append_varint(out, text.size());
  out += text;
}

template <typename Number>
void append_optional(std::string& out, const std::optional<Number>& number) {
  out.push_back(number ? 1 : 0);
  if (number) append_u64(out, static_cast<std::uint64_t>(*number));
}

template <typename Number>
void read_optional(ByteReader& bytes, std::optional<Number>& number) {
  number.reset();
  if (bytes.u8() != 0) number = static_cast<Number>(bytes.u64());
}

void append_record(std::string& out, const SightingRecord& record) {
  append_u64(out, static_cast<std::uint64_t>(record.time));
  for (const std::uint8_t small :
       {record.kind, record.outcome, record.revisit_profile,
        static_cast<std::uint8_t>(record.has_links), static_cast<std::uint8_t>(record.truncated)}) {
    out.push_back(static_cast<char>(small));
  }
  append_optional(out, record.status);
  append_optional(out, record.text_length);
  append_optional(out, record.title_hash);
  append_optional(out, record.offset);
  append_optional(out, record.length);
  append_optional(out, record.refers_to_time);
  append_optional(out, record.redirect);
  append_optional(out, record.refers_to);
  for (const std::string* text : {&record.digest, &record.text_digest, &record.mime,
                                  &record.spelling, &record.file, &record.crawl}) {
    append_text(out, *text);
  }
}

SightingRecord read_record(ByteReader& bytes) {
  SightingRecord record;
  record.time = static_cast<Time>(bytes.u64());
  record.kind = bytes.u8();
  record.outcome = bytes.u8();
  record.revisit_profile = bytes.u8();
  record.has_links = bytes.u8() != 0;
  record.truncated = bytes.u8() != 0;
  read_optional(bytes, record.status);
  read_optional(bytes, record.text_length);
  read_optional(bytes, record.title_hash);
  read_optional(bytes, record.offset);
  read_optional(bytes, record.length);
  read_optional(bytes, record.refers_to_time);
  read_optional(bytes, record.redirect);
  read_optional(bytes, record.refers_to);
  for (std::string* text : {&record.digest, &record.text_digest, &record.mime, &record.spelling,
                            &record.file, &record.crawl}) {
    *text = bytes.take(bytes.varint());
  }
  return record;
}

}  // namespace

std::string encode_sightings(const SightingLists& lists, const TimeLists& /*row_times*/) {
  std::string directory;
  std::string records;
  append_varint(directory, lists.node_count());
  for (std::size_t node = 0, at = 0; node < lists.node_count(); ++node) {
    const std::size_t before = records.size();
    append_varint(directory, lists.ends[node] - at);
    for (; at < lists.ends[node]; ++at) append_record(records, lists.records[at]);
    append_varint(directory, records.size() - before);
  }
  return directory + records;
}

struct SightingsChunk::State {
  struct Node {
    std::size_t count = 0;
    std::string_view bytes;
  };
  std::vector<Node> nodes;
  std::uint64_t sighting_count = 0;
};

SightingsChunk SightingsChunk::open(std::string_view bytes, Uid /*first*/) {
  ByteReader reader(bytes, "sightings");
  const std::uint64_t node_count = reader.varint();
  if (node_count > kChunkNodesMax) throw Error(ErrorKind::Corrupt, "sightings: too many nodes");
  auto state = std::make_unique<State>();
  state->nodes.resize(node_count);
  std::vector<std::uint64_t> sizes(node_count);
  for (std::size_t node = 0; node < node_count; ++node) {
    state->nodes[node].count = reader.varint();
    state->sighting_count += state->nodes[node].count;
    sizes[node] = reader.varint();
    if (state->nodes[node].count > sizes[node]) {
      throw Error(ErrorKind::Corrupt, "sightings: more records than bytes");
    }
  }
  for (std::size_t node = 0; node < node_count; ++node) {
    state->nodes[node].bytes = reader.take(sizes[node]);
  }
  if (!reader.at_end()) throw Error(ErrorKind::Corrupt, "sightings: bytes behind the last record");
  return SightingsChunk(std::move(state));
}

SightingsChunk::SightingsChunk(std::unique_ptr<State> state) : state_(std::move(state)) {}
SightingsChunk::SightingsChunk(SightingsChunk&&) noexcept = default;
SightingsChunk& SightingsChunk::operator=(SightingsChunk&&) noexcept = default;
SightingsChunk::~SightingsChunk() = default;

std::size_t SightingsChunk::node_count() const noexcept { return state_->nodes.size(); }
std::uint64_t SightingsChunk::sighting_count() const noexcept { return state_->sighting_count; }
std::size_t SightingsChunk::count(std::size_t node) const { return state_->nodes[node].count; }

void SightingsChunk::sightings(std::size_t node, std::span<const Time> /*row_times*/,
                               std::vector<SightingRecord>& out) const {
  out.clear();
  ByteReader reader(state_->nodes[node].bytes, "sightings");
  for (std::size_t i = 0; i < state_->nodes[node].count; ++i) out.push_back(read_record(reader));
}

std::size_t SightingsChunk::memory_bytes() const noexcept {
  return sizeof(State) + state_->nodes.capacity() * sizeof(State::Node);
}

}  // namespace webstrata
