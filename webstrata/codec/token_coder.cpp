// SPDX-License-Identifier: Apache-2.0

// The writer keeps the numbers until the end, when all counts are known; then it chooses codes and
// writes the stream. If tables cost more than they save, every context uses the default code and
// the tables are one byte.
//
// Tested by tests/codec/token_coder_test.cpp.

#include "webstrata/codec/token_coder.h"

#include <bit>
#include <cassert>
#include <cstring>
#include <utility>

#include "webstrata/base/bits.h"
#include "webstrata/base/error.h"
#include "webstrata/codec/context_codes.h"
#include "webstrata/codec/tokens.h"

namespace webstrata {
namespace {

CodeLayout layout_of(std::uint32_t context_count) {
  static const PrefixCode kDefault = default_token_code();
  return {std::vector<std::uint8_t>(context_count, 0), {kDefault}};
}

// How a token is read, in 31 bits: the length of its code, the width of its raw bits, its top.
constexpr std::uint32_t make_entry(unsigned code_length, TokenShape shape) {
  return code_length | shape.raw_width << 4 | shape.top << 10;
}
constexpr unsigned entry_code_length(std::uint32_t entry) { return entry & 15; }
constexpr unsigned entry_raw_width(std::uint32_t entry) { return entry >> 4 & 63; }
constexpr std::uint64_t entry_top(std::uint32_t entry) { return entry >> 10 & 15; }

constexpr std::uint64_t low_bits(std::uint64_t value, unsigned width) {
  return width == 64 ? value : value & ((std::uint64_t{1} << width) - 1);
}

// The bits from `bit` on, at least 57 of them; beyond the end they are zero.
std::uint64_t load_bits(std::string_view stream, std::uint64_t bit) noexcept {
  const std::uint64_t byte = bit / 8;
  std::uint64_t word = 0;
  if (byte + 8 <= stream.size()) {
    std::memcpy(&word, stream.data() + byte, 8);
  } else if (byte < stream.size()) {
    std::memcpy(&word, stream.data() + byte, stream.size() - byte);
  }
  static_assert(std::endian::native == std::endian::little);
  return word >> bit % 8;
}

[[noreturn]] void throw_past_the_end() {
  throw Error(ErrorKind::Corrupt, "a stream of tokens ends too early");
}

}  // namespace

struct TokenWriter::State {
  // A number under a context, or raw bits.
  struct Item {
    std::uint64_t value = 0;
    std::uint32_t context = 0;
    std::uint32_t raw_width = 0;
  };
  static constexpr std::uint32_t kRaw = ~std::uint32_t{0};  // in place of a context

  std::uint32_t tables_max = 0;
  SymbolCounts counts;
  std::vector<Item> items;
  std::vector<std::size_t> marks;  // numbers of items

  void reset(std::size_t context_count) {
    counts.assign(context_count, std::vector<std::uint32_t>(kTokenCount, 0));
    items.clear();
    marks.clear();
  }
};

TokenWriter::TokenWriter(std::uint32_t context_count, std::uint32_t tables_max)
    : state_(std::make_unique<State>()) {
  state_->tables_max = tables_max;
  state_->reset(context_count);
}

TokenWriter::~TokenWriter() = default;

void TokenWriter::put(std::uint32_t context, std::uint64_t value) {
  assert(context < state_->counts.size());
  ++state_->counts[context][token_of(value).symbol];
  state_->items.push_back({value, context, 0});
}

void TokenWriter::put_bits(std::uint64_t value, unsigned width) {
  assert(width <= 64);
  state_->items.push_back({low_bits(value, width), State::kRaw, width});
}

std::size_t TokenWriter::mark() {
  state_->marks.push_back(state_->items.size());
  return state_->marks.size() - 1;
}

EncodedTokens TokenWriter::finish() {
  const CodeLayout layout = layout_of(static_cast<std::uint32_t>(state_->counts.size()));
  const ContextCodes defaults{layout.family_of, layout.default_codes};
  ContextCodes codes = choose_codes(layout, state_->counts, state_->tables_max);
  BitWriter table_bits;
  write_codes(table_bits, layout, codes);

  // Only now is the total size of the tables known.
  std::uint64_t own_bits = (table_bits.bit_count() + 7) / 8 * 8;
  std::uint64_t default_bits = 8;
  for (std::size_t context = 0; context < state_->counts.size(); ++context) {
    for (std::uint32_t symbol = 0; symbol < kTokenCount; ++symbol) {
      const std::uint64_t count = state_->counts[context][symbol];
      own_bits += count * codes.codes[codes.code_of[context]].lengths[symbol];
      default_bits += count * defaults.codes[0].lengths[symbol];
    }
  }
  if (default_bits <= own_bits) {
    codes = defaults;
    table_bits.finish();
    write_codes(table_bits, layout, codes);
  }

  std::vector<std::vector<std::uint16_t>> code_bits;
  for (const auto& code : codes.codes) code_bits.push_back(canonical_codes(code.lengths));
  EncodedTokens encoded;
  BitWriter stream;
  std::size_t mark = 0;
  for (std::size_t i = 0; i <= state_->items.size(); ++i) {
    for (; mark < state_->marks.size() && state_->marks[mark] == i; ++mark) {
      encoded.positions.push_back(stream.bit_count());
    }
    if (i == state_->items.size()) break;
    const auto& item = state_->items[i];
    if (item.context == State::kRaw) {
      stream.write(item.value, item.raw_width);
      continue;
    }
    const Token token = token_of(item.value);
    const std::size_t code = codes.code_of[item.context];
    stream.write(code_bits[code][token.symbol], codes.codes[code].lengths[token.symbol]);
    stream.write(token.raw, token.raw_width);
  }
  encoded.bit_count = stream.bit_count();
  encoded.tables = table_bits.finish();
  encoded.stream = stream.finish();
  state_->reset(state_->counts.size());
  return encoded;
}

struct TokenTables::State {
  std::vector<std::uint32_t> first;        // kLookupSize entries per code
  std::vector<std::uint32_t> more;         // the second tables
  std::vector<std::uint32_t> table_start;  // by context: where its code begins in `first`
};

TokenTables::TokenTables(std::unique_ptr<State> state) : state_(std::move(state)) {}
TokenTables::TokenTables(TokenTables&&) noexcept = default;
TokenTables& TokenTables::operator=(TokenTables&&) noexcept = default;
TokenTables::~TokenTables() = default;

TokenTables TokenTables::open(ByteReader& bytes, std::uint32_t context_count) {
  ByteReader ahead = bytes;
  BitReader bits(ahead.take(ahead.remaining()), "code tables");
  const ContextCodes codes = read_codes(bits, layout_of(context_count));
  bytes.take((bits.position() + 7) / 8);

  auto state = std::make_unique<State>();
  state->first.resize(codes.codes.size() * kLookupSize);
  for (std::size_t i = 0; i < codes.codes.size(); ++i) {
    std::vector<std::uint32_t> entries;
    for (std::uint32_t symbol = 0; symbol < kTokenCount; ++symbol) {
      entries.push_back(make_entry(codes.codes[i].lengths[symbol], token_shape(symbol)));
    }
    fill_lookup(codes.codes[i], entries,
                std::span(state->first).subspan(i * kLookupSize, kLookupSize), state->more);
  }
  for (const std::uint32_t code : codes.code_of) state->table_start.push_back(code * kLookupSize);
  return TokenTables(std::move(state));
}

std::size_t TokenTables::memory_bytes() const noexcept {
  return sizeof(State) +
         4 * (state_->first.capacity() + state_->more.capacity() + state_->table_start.capacity());
}

TokenReader::TokenReader(const TokenTables& tables, std::string_view stream, std::uint64_t bit)
    : tables_(tables.state_.get()), stream_(stream), bit_(bit) {
  if (bit_ > stream_.size() * 8) throw_past_the_end();
}

std::uint64_t TokenReader::get(std::uint32_t context) {
  assert(context < tables_->table_start.size());
  const std::uint64_t word = load_bits(stream_, bit_);
  std::uint32_t entry = tables_->first[tables_->table_start[context] + word % kLookupSize];
  if ((entry & kLookupFlag) != 0) {
    const std::uint64_t rest = low_bits(word >> kLookupBits, entry & 15);
    entry = tables_->more[((entry & ~kLookupFlag) >> 4) + rest];
  }
  const unsigned length = entry_code_length(entry);
  const unsigned raw_width = entry_raw_width(entry);
  const std::uint64_t top = entry_top(entry) << raw_width;
  if (length + raw_width <= 57) {
    bit_ += length + raw_width;
    if (bit_ > stream_.size() * 8) throw_past_the_end();
    return top | low_bits(word >> length, raw_width);
  }
  bit_ += length;
  return top | get_bits(raw_width);
}

std::uint64_t TokenReader::get_bits(unsigned width) {
  assert(width <= 64);
  const std::uint64_t from = bit_;
  bit_ += width;
  if (bit_ > stream_.size() * 8) throw_past_the_end();
  const std::uint64_t low = load_bits(stream_, from);
  if (width <= 57) return low_bits(low, width);
  return low_bits(low, 32) | low_bits(load_bits(stream_, from + 32), width - 32) << 32;
}

}  // namespace webstrata
