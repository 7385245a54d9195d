// SPDX-License-Identifier: Apache-2.0

// Reads what names_format.h describes.
//
// The code of a symbol, at most fourteen bits, is looked up in one table whose entry has
// everything: where the phrase's bytes are, how many, how long the code was, and whether a key ends
// with it. So a key of three phrases costs four dependent loads, and a random access decodes half a
// group of keys.
//
// A look-up never assembles keys. While it walks a group it knows how many bytes the previous key
// has in common with the wanted one, and that the former is smaller. A key that shares more than
// that with the previous key is smaller too, one that shares less is larger; only if it shares
// exactly as much are the bytes of its rest compared.
//
// Tested by tests/codec/names_test.cpp.

#include "webstrata/codec/names.h"

#include <array>
#include <cstring>

#include "webstrata/base/bytes.h"
#include "webstrata/base/error.h"
#include "webstrata/codec/names_format.h"
#include "webstrata/codec/phrases.h"
#include "webstrata/codec/token_coder.h"
#include "webstrata/codec/wide_code.h"

namespace webstrata {

namespace {

constexpr std::string_view kWhat = "names";

[[noreturn, gnu::noinline]] void throw_corrupt(const char* what) {
  throw Error(ErrorKind::Corrupt,
              std::string("names: ") + what + "; restore the layer from a copy or rebuild it");
}

// A symbol as the decoder sees it: 20 bits where its bytes start, 7 how many, 4 the length of its
// code, 1 whether a key ends with it.
using SymbolEntry = std::uint32_t;

constexpr SymbolEntry make_entry(std::size_t start, std::size_t size, unsigned code_bits,
                                 bool is_end) {
  return static_cast<SymbolEntry>(start << 12 | size << 5 | code_bits << 1 | (is_end ? 1 : 0));
}
constexpr std::size_t start_of(SymbolEntry entry) { return entry >> 12; }
constexpr std::size_t size_of(SymbolEntry entry) { return entry >> 5 & 127; }
constexpr unsigned code_bits_of(SymbolEntry entry) { return entry >> 1 & 15; }
constexpr bool is_end(SymbolEntry entry) { return (entry & 1) != 0; }
static_assert(kSymbolsMax * kPhraseBytesMax <= 1 << 20);
static_assert(kPhraseBytesMax < 128 && kSymbolBitsMax < 16);

// The expanded phrases of a chunk.
struct PhraseBytes {
  std::vector<std::uint32_t> starts;  // one more than there are symbols
  std::vector<std::uint8_t> ends;     // whether a symbol contains the end of a key
  std::string bytes;

  PhraseBytes() {
    for (std::size_t byte = 0; byte < kTextEnd; ++byte)
      add(std::string(1, static_cast<char>(byte)), 0);
    add("", 1);
  }
  [[nodiscard]] std::size_t count() const { return ends.size(); }
  [[nodiscard]] std::size_t size(std::size_t symbol) const {
    return (symbol + 1 < count() ? starts[symbol + 1] : bytes.size()) - starts[symbol];
  }
  void add(std::string_view text, std::uint8_t end) {
    starts.push_back(static_cast<std::uint32_t>(bytes.size()));
    bytes += text;
    ends.push_back(end);
  }
  void join(std::uint64_t left, std::uint64_t right, std::size_t symbols_below) {
    if (left >= symbols_below || right >= symbols_below) throw_corrupt("a phrase of later phrases");
    const std::size_t left_size = size(left);
    const std::size_t right_size = size(right);
    if (ends[left] != 0 || left_size + right_size > kPhraseBytesMax) {
      throw_corrupt("a phrase that cannot be");
    }
    char text[kPhraseBytesMax];
    std::memcpy(text, bytes.data() + starts[left], left_size);
    std::memcpy(text + left_size, bytes.data() + starts[right], right_size);
    add({text, left_size + right_size}, ends[right]);
  }
};

PhraseBytes read_phrases(TokenReader& head) {
  PhraseBytes phrases;
  const std::uint64_t level_count = head.get(kHeadLevels);
  if (level_count > kLevelsMax) throw_corrupt("too many levels of phrases");
  for (std::uint64_t level = 0; level < level_count; ++level) {
    const std::uint64_t size = head.get(kHeadLevels);
    const std::size_t symbols_below = phrases.count();
    if (size > kSymbolsMax - symbols_below) throw_corrupt("too many phrases");
    std::uint64_t left = 0;
    std::uint64_t right = 0;
    for (std::uint64_t i = 0; i < size; ++i) {
      const std::uint64_t step = head.get(kHeadLeft);
      left += step;
      right = step == 0 ? right + head.get(kHeadRightGap) : head.get(kHeadRight);
      phrases.join(left, right, symbols_below);
    }
  }
  return phrases;
}

std::vector<SymbolEntry> read_symbol_table(TokenReader& head, const PhraseBytes& phrases) {
  std::vector<std::uint8_t> lengths(phrases.count());
  std::vector<SymbolEntry> entries(phrases.count());
  for (std::size_t symbol = 0; symbol < phrases.count(); ++symbol) {
    const std::uint64_t length = head.get(symbol < kFirstPhrase ? kHeadByteLength : kHeadLength);
    if (length > kSymbolBitsMax) throw_corrupt("a code that is too long");
    lengths[symbol] = static_cast<std::uint8_t>(length);
    entries[symbol] = make_entry(phrases.starts[symbol], phrases.size(symbol), lengths[symbol],
                                 phrases.ends[symbol] != 0);
  }
  std::vector<SymbolEntry> table;
  table.reserve(std::size_t{1} << kSymbolBitsMax);
  for (const std::uint16_t symbol : wide_code_table(lengths, kSymbolBitsMax)) {
    table.push_back(entries[symbol]);
  }
  return table;
}

// Codes of tokens for shared bytes: in an entry the token is above, the code's length in the lower
// four bits.
constexpr std::size_t kSharedTableSize = std::size_t{1} << kSharedBitsMax;

std::vector<std::uint16_t> read_shared_tables(TokenReader& head) {
  std::vector<std::uint16_t> tables;
  tables.reserve(kSharedContexts * kSharedTableSize);
  std::vector<std::uint8_t> lengths(kSharedTokens);
  for (std::size_t context = 0; context < kSharedContexts; ++context) {
    for (std::uint8_t& length : lengths) {
      length = static_cast<std::uint8_t>(std::min<std::uint64_t>(head.get(kHeadSharedLength), 255));
    }
    for (const std::uint16_t token : wide_code_table(lengths, kSharedBitsMax)) {
      tables.push_back(static_cast<std::uint16_t>(token << 4 | lengths[token]));
    }
  }
  return tables;
}

// A position in the bits, which are followed by kReadAheadBytes more.
struct BitPlace {
  const char* bytes;
  std::uint64_t bit;
  std::uint64_t end;

  // At least 57 bits.
  [[nodiscard]] std::uint64_t peek() const {
    if (bit > end) throw_corrupt("a key without end");
    std::uint64_t bits = 0;
    std::memcpy(&bits, bytes + bit / 8, 8);
    return bits >> (bit % 8);
  }
};

// What decodes steps.
struct StepTables {
  std::vector<SymbolEntry> symbols;   // by the next kSymbolBitsMax bits
  std::vector<std::uint16_t> shared;  // by context, then by the next kSharedBitsMax bits
  std::string phrase_bytes;           // with kPhraseBytesMax more, so that copies may overrun

  // How many bytes the next key shares with the one before it, which has `size`.
  std::size_t read_shared(BitPlace& place, const StepState& state, std::size_t size) const {
    std::uint64_t bits = place.peek();
    const std::uint16_t entry =
        shared[state.context() * kSharedTableSize + bits % kSharedTableSize];
    const unsigned code_bits = entry & 15;
    place.bit += code_bits;
    std::uint64_t value = entry >> 4;
    if (value >= kPlainTokens) {
      const TokenShape shape = token_shape(static_cast<std::uint32_t>(value));
      bits = bits >> code_bits & ((std::uint64_t{1} << shape.raw_width) - 1);
      value = (std::uint64_t{shape.top} << shape.raw_width) + bits;
      place.bit += shape.raw_width;
    }
    const std::size_t shared_size = state.shared + static_cast<std::size_t>(unzigzag(value));
    if (shared_size > size) throw_corrupt("a key shares more than there is");
    return shared_size;
  }

  // Calls take(bytes, size) for each piece of the rest, until it returns false or the key ends.
  // `bytes` may be read for kPhraseBytesMax, whatever `size` is. Returns the size of the rest.
  template <typename Take>
  std::size_t read_rest(BitPlace& place, Take take) const {
    constexpr std::uint64_t kMask = (std::uint64_t{1} << kSymbolBitsMax) - 1;
    std::size_t rest = 0;
    while (true) {
      std::uint64_t bits = place.peek();
      for (unsigned i = 0; i < 57 / kSymbolBitsMax; ++i) {
        const SymbolEntry entry = symbols[bits & kMask];
        bits >>= code_bits_of(entry);
        place.bit += code_bits_of(entry);
        rest += size_of(entry);
        if (!take(phrase_bytes.data() + start_of(entry), size_of(entry)) || is_end(entry)) {
          return rest;
        }
      }
    }
  }
};

// Up to kPhraseBytesMax bytes; may write more than requested.
void copy_phrase(char* to, const char* from, std::size_t size) {
  std::memcpy(to, from, 16);
  if (size > 16) std::memcpy(to + 16, from + 16, kPhraseBytesMax - 16);
}

// Makes room for `more` bytes, and for overrunning copies, after the first `used`.
void make_room(std::string& out, std::size_t used, std::size_t more) {
  const std::size_t needed = used + more + kPhraseBytesMax;
  if (needed <= out.size()) return;
  if (needed > kNamesBytesMax + 4 * kPhraseBytesMax) throw_corrupt("more bytes than a chunk holds");
  out.resize(std::max(needed, std::min<std::size_t>(2 * out.size(), kNamesBytesMax)));
}

// Appends `count` keys to `out`, of which the first `used` bytes are in use, the last key being
// `previous_size` of them.
void decode_steps(const StepTables& tables, BitPlace place, StepState state, std::size_t count,
                  std::size_t previous_size, KeyList& out, std::size_t& used) {
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t shared = tables.read_shared(place, state, previous_size);
    make_room(out.bytes, used, shared + kPhraseBytesMax);
    std::memcpy(out.bytes.data() + used, out.bytes.data() + used - previous_size, shared);
    used += shared;
    const std::size_t rest = tables.read_rest(place, [&](const char* bytes, std::size_t size) {
      make_room(out.bytes, used, kPhraseBytesMax);
      copy_phrase(out.bytes.data() + used, bytes, size);
      used += size;
      return true;
    });
    out.ends.push_back(static_cast<std::uint32_t>(used));
    state = {shared, rest};
    previous_size = shared + rest;
  }
}

// Compares a rest, piece by piece, with the remainder of the wanted key.
struct RestComparison {
  std::string_view wanted;
  std::size_t matched = 0;
  bool is_larger = false;   // than `wanted`: no need to read further
  bool is_smaller = false;  // only its size is still needed

  bool take(const char* bytes, std::size_t size) {
    if (is_smaller) return true;
    const std::size_t common = std::min(size, wanted.size() - matched);
    const char* other = wanted.data() + matched;
    std::size_t same = 0;
    while (same < common && bytes[same] == other[same]) ++same;
    matched += same;
    if (same == size) return true;
    is_larger = same == common ||
                static_cast<std::uint8_t>(bytes[same]) > static_cast<std::uint8_t>(other[same]);
    is_smaller = !is_larger;
    return !is_larger;
  }
  // Whether the rest, now complete, was equal.
  [[nodiscard]] bool is_equal() const { return !is_smaller && matched == wanted.size(); }
};

}  // namespace

struct NamesChunk::State {
  std::size_t size = 0;
  std::uint64_t key_bytes = 0;
  StepTables tables;
  std::string_view bits;                    // with kReadAheadBytes
  std::vector<std::uint32_t> group_starts;  // in bits
  KeyList leaders;

  [[nodiscard]] BitPlace place(std::uint64_t bit) const {
    return {bits.data(), bit, (bits.size() - kReadAheadBytes) * 8};
  }
  [[nodiscard]] std::size_t group_count() const { return (size + kGroupKeys - 1) / kGroupKeys; }
  // Keys of a group without its leader.
  [[nodiscard]] std::size_t follower_count(std::size_t group) const {
    return std::min(kGroupKeys, size - group * kGroupKeys) - 1;
  }

  void open(std::string_view bytes);
  void read_head(TokenReader& head);
  void decode_leaders(std::uint64_t leader_bytes);
  [[nodiscard]] std::size_t groups_up_to(std::string_view key) const;
  std::size_t find_follower(std::size_t group, std::string_view key, bool& found) const;
};

void NamesChunk::State::open(std::string_view bytes) {
  ByteReader reader(bytes, kWhat);
  const std::uint64_t key_count = reader.varint();
  if (key_count > kChunkKeys) throw_corrupt("too many keys");
  size = key_count;
  if (size == 0) return;
  key_bytes = reader.varint();
  const std::uint64_t leader_bytes = reader.varint();
  if (key_bytes > kNamesBytesMax || leader_bytes > key_bytes) throw_corrupt("too many bytes");
  const std::uint64_t head_bytes = reader.varint();
  const TokenTables head_tables = TokenTables::open(reader, kHeadContextCount);
  TokenReader head(head_tables, reader.take(head_bytes));
  bits = bytes.substr(reader.position());
  if (bits.size() < kReadAheadBytes) throw_corrupt("the end is missing");
  read_head(head);
  decode_leaders(leader_bytes);
}

void NamesChunk::State::read_head(TokenReader& head) {
  PhraseBytes phrases = read_phrases(head);
  tables.symbols = read_symbol_table(head, phrases);
  tables.shared = read_shared_tables(head);
  tables.phrase_bytes = std::move(phrases.bytes);
  tables.phrase_bytes.append(kPhraseBytesMax, '\0');
  std::uint64_t start = head.get(kHeadGroupBits);  // the leaders
  const std::uint64_t end = (bits.size() - kReadAheadBytes) * 8;
  for (std::size_t group = 0; group < group_count(); ++group) {
    if (start > end) throw_corrupt("a group outside");
    group_starts.push_back(static_cast<std::uint32_t>(start));
    start += head.get(kHeadGroupBits);
  }
}

void NamesChunk::State::decode_leaders(std::uint64_t leader_bytes) {
  std::size_t used = 0;
  leaders.ends.reserve(group_count());
  decode_steps(tables, place(0), before_leaders(), group_count(), 0, leaders, used);
  if (used != leader_bytes) throw_corrupt("the leaders have another size");
  leaders.bytes.resize(used);
  leaders.bytes.shrink_to_fit();
}

// How many leaders are not larger than `key`.
std::size_t NamesChunk::State::groups_up_to(std::string_view key) const {
  std::size_t low = 0;
  std::size_t high = group_count();
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    if (leaders[middle] <= key) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

// `key` is larger than the group's leader.
std::size_t NamesChunk::State::find_follower(std::size_t group, std::string_view key,
                                             bool& found) const {
  const std::string_view leader = leaders[group];
  BitPlace at = place(group_starts[group]);
  StepState state = after_leader(leader.size());
  std::size_t previous_size = leader.size();
  std::size_t matched = shared_size(leader, key);
  const std::size_t end = group * kGroupKeys + 1 + follower_count(group);
  for (std::size_t position = group * kGroupKeys + 1; position < end; ++position) {
    const std::size_t shared = tables.read_shared(at, state, previous_size);
    if (shared < matched) return position;
    std::size_t rest = 0;
    if (shared > matched) {
      rest = tables.read_rest(at, [](const char*, std::size_t) { return true; });
    } else {
      RestComparison comparison{.wanted = key.substr(matched)};
      rest = tables.read_rest(at, [&](const char* piece, std::size_t piece_size) {
        return comparison.take(piece, piece_size);
      });
      found = !comparison.is_larger && comparison.is_equal();
      if (comparison.is_larger || found) return position;
      matched += comparison.matched;
    }
    state = {shared, rest};
    previous_size = shared + rest;
  }
  return end;
}

NamesChunk::NamesChunk(std::unique_ptr<State> state) : state_(std::move(state)) {}
NamesChunk::NamesChunk(NamesChunk&&) noexcept = default;
NamesChunk& NamesChunk::operator=(NamesChunk&&) noexcept = default;
NamesChunk::~NamesChunk() = default;

NamesChunk NamesChunk::open(std::string_view bytes) {
  auto state = std::make_unique<State>();
  state->open(bytes);
  return NamesChunk(std::move(state));
}

std::size_t NamesChunk::size() const noexcept { return state_->size; }

void NamesChunk::key(std::size_t position, std::string& out) const {
  if (position >= size()) throw Error(ErrorKind::BadInput, "names: no key has this position");
  const std::size_t group = position / kGroupKeys;
  const std::string_view leader = state_->leaders[group];
  const StepTables& tables = state_->tables;
  BitPlace place = state_->place(state_->group_starts[group]);
  StepState state = after_leader(leader.size());
  std::size_t used = leader.size();
  make_room(out, used, kPhraseBytesMax);
  std::memcpy(out.data(), leader.data(), leader.size());
  for (std::size_t i = position % kGroupKeys; i > 0; --i) {
    const std::size_t shared = tables.read_shared(place, state, used);
    used = shared;
    const std::size_t rest = tables.read_rest(place, [&](const char* bytes, std::size_t size) {
      make_room(out, used, kPhraseBytesMax);
      copy_phrase(out.data() + used, bytes, size);
      used += size;
      return true;
    });
    state = {shared, rest};
  }
  out.resize(used);
}

std::size_t NamesChunk::lower_bound(std::string_view key, bool& found) const {
  found = false;
  const std::size_t groups = state_->groups_up_to(key);
  if (groups == 0) return 0;
  const std::size_t group = groups - 1;
  found = state_->leaders[group] == key;
  return found ? group * kGroupKeys : state_->find_follower(group, key, found);
}

void NamesChunk::decode(KeyList& out) const {
  out.clear();
  out.bytes.resize(state_->key_bytes + 3 * kPhraseBytesMax);
  out.ends.reserve(size());
  std::size_t used = 0;
  for (std::size_t group = 0; group < state_->group_count(); ++group) {
    const std::string_view leader = state_->leaders[group];
    make_room(out.bytes, used, leader.size());
    std::memcpy(out.bytes.data() + used, leader.data(), leader.size());
    used += leader.size();
    out.ends.push_back(static_cast<std::uint32_t>(used));
    decode_steps(state_->tables, state_->place(state_->group_starts[group]),
                 after_leader(leader.size()), state_->follower_count(group), leader.size(), out,
                 used);
  }
  if (used != state_->key_bytes) throw_corrupt("the keys have another size");
  out.bytes.resize(used);
}

std::size_t NamesChunk::memory_bytes() const noexcept {
  const StepTables& tables = state_->tables;
  return sizeof(State) + tables.symbols.capacity() * sizeof(SymbolEntry) +
         tables.shared.capacity() * sizeof(std::uint16_t) + tables.phrase_bytes.capacity() +
         state_->group_starts.capacity() * sizeof(std::uint32_t) +
         state_->leaders.ends.capacity() * sizeof(std::uint32_t) + state_->leaders.bytes.capacity();
}

}  // namespace webstrata
