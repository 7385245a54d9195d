// Front coding in groups: the first key of a group is whole, each further one is the length of what
// it shares with the key before it, the length of the rest, and the rest.
//
// Tested by tests/codec/names_test.cpp.

#include "webstrata/codec/names.h"

#include <algorithm>

#include "webstrata/base/bytes.h"
#include "webstrata/base/error.h"

namespace webstrata {

namespace {

constexpr std::size_t kGroupKeys = 16;
constexpr std::string_view kWhat = "names";

std::size_t shared_length(std::string_view a, std::string_view b) {
  const std::size_t size = std::min(a.size(), b.size());
  return static_cast<std::size_t>(std::mismatch(a.begin(), a.begin() + size, b.begin()).first -
                                  a.begin());
}

// Turns `key` into the next one of the group.
void step(ByteReader& bytes, std::string& key) {
  const std::uint64_t shared = bytes.varint();
  if (shared > key.size()) throw Error(ErrorKind::Corrupt, "names: shares more than there is");
  key.resize(shared);
  key += bytes.take(bytes.varint());
  if (key.size() > kChunkKeyBytes) throw Error(ErrorKind::Corrupt, "names: a key without end");
}

}  // namespace

std::string encode_names(const KeyList& keys) {
  std::string head;
  std::string body;
  append_varint(head, keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const bool is_first = i % kGroupKeys == 0;
    if (is_first) append_u32(head, static_cast<std::uint32_t>(body.size()));
    const std::size_t shared = is_first ? 0 : shared_length(keys[i - 1], keys[i]);
    append_varint(body, shared);
    append_varint(body, keys[i].size() - shared);
    body += keys[i].substr(shared);
  }
  return head + body;
}

struct NamesChunk::State {
  std::size_t size = 0;
  std::vector<std::uint32_t> starts;
  std::string_view body;

  [[nodiscard]] ByteReader group(std::size_t number) const {
    return {body.substr(starts[number]), kWhat};
  }
};

NamesChunk::NamesChunk(std::unique_ptr<State> state) : state_(std::move(state)) {}
NamesChunk::NamesChunk(NamesChunk&&) noexcept = default;
NamesChunk& NamesChunk::operator=(NamesChunk&&) noexcept = default;
NamesChunk::~NamesChunk() = default;

NamesChunk NamesChunk::open(std::string_view bytes) {
  ByteReader head(bytes, kWhat);
  auto state = std::make_unique<State>();
  state->size = head.varint();
  if (state->size > kChunkKeys) throw Error(ErrorKind::Corrupt, "names: too many keys");
  for (std::size_t i = 0; i < state->size; i += kGroupKeys) state->starts.push_back(head.u32());
  state->body = bytes.substr(head.position());
  for (const std::uint32_t start : state->starts) {
    if (start > state->body.size()) throw Error(ErrorKind::Corrupt, "names: a group outside");
  }
  return NamesChunk(std::move(state));
}

std::size_t NamesChunk::size() const noexcept { return state_->size; }

void NamesChunk::key(std::size_t position, std::string& out) const {
  if (position >= size()) throw Error(ErrorKind::BadInput, "names: no such position");
  ByteReader bytes = state_->group(position / kGroupKeys);
  out.clear();
  for (std::size_t i = 0; i <= position % kGroupKeys; ++i) step(bytes, out);
}

std::size_t NamesChunk::lower_bound(std::string_view key, bool& found) const {
  std::string at;
  std::size_t low = 0;  // groups whose first key is not larger
  std::size_t high = state_->starts.size();
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    ByteReader bytes = state_->group(middle);
    at.clear();
    step(bytes, at);
    if (at <= key) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  found = false;
  if (low == 0) return 0;
  ByteReader bytes = state_->group(low - 1);
  at.clear();
  const std::size_t end = std::min(low * kGroupKeys, size());
  for (std::size_t position = (low - 1) * kGroupKeys; position < end; ++position) {
    step(bytes, at);
    found = at == key;
    if (at >= key) return position;
  }
  return end;
}

void NamesChunk::decode(KeyList& out) const {
  out.clear();
  std::string at;
  for (std::size_t group = 0; group < state_->starts.size(); ++group) {
    ByteReader bytes = state_->group(group);
    at.clear();
    const std::size_t end = std::min((group + 1) * kGroupKeys, size());
    for (std::size_t position = group * kGroupKeys; position < end; ++position) {
      step(bytes, at);
      out.add(at);
      if (out.bytes.size() > 2 * std::size_t{kChunkKeyBytes}) {
        throw Error(ErrorKind::Corrupt, "names: more bytes than a chunk holds");
      }
    }
  }
}

std::size_t NamesChunk::memory_bytes() const noexcept {
  return sizeof(State) + state_->starts.capacity() * sizeof(std::uint32_t);
}

}  // namespace webstrata
