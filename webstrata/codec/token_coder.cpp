// SPDX-License-Identifier: Apache-2.0

// The writer keeps the numbers until the end, when all counts are known; then it chooses codes and
// writes the stream. If tables cost more than they save, every context uses the default code and
// the tables are one byte.
//
// Tested by tests/codec/token_coder_test.cpp.

#include "webstrata/codec/token_coder.h"

#include <cassert>
#include <span>
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

constexpr std::uint64_t low_bits(std::uint64_t value, unsigned width) {
  return width == 64 ? value : value & ((std::uint64_t{1} << width) - 1);
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

TokenTables TokenTables::open(ByteReader& bytes, std::uint32_t context_count) {
  ByteReader ahead = bytes;
  BitReader bits(ahead.take(ahead.remaining()), "code tables");
  const ContextCodes codes = read_codes(bits, layout_of(context_count));
  bytes.take((bits.position() + 7) / 8);

  TokenTables tables;
  tables.first_.resize(codes.codes.size() * kLookupSize);
  for (std::size_t i = 0; i < codes.codes.size(); ++i) {
    std::vector<std::uint32_t> entries;
    for (std::uint32_t symbol = 0; symbol < kTokenCount; ++symbol) {
      const TokenShape shape = token_shape(symbol);
      entries.push_back(
          TokenEntry::make(codes.codes[i].lengths[symbol], shape.raw_width, shape.top).bits);
    }
    fill_lookup(codes.codes[i], entries,
                std::span(tables.first_).subspan(i * kLookupSize, kLookupSize), tables.more_);
  }
  for (const std::uint32_t code : codes.code_of) tables.table_start_.push_back(code * kLookupSize);
  return tables;
}

std::size_t TokenTables::memory_bytes() const noexcept {
  return sizeof(*this) + 4 * (first_.capacity() + more_.capacity() + table_start_.capacity());
}

TokenReader::TokenReader(const TokenTables& tables, std::string_view stream, std::uint64_t bit)
    : tables_(&tables), stream_(stream), bit_(bit) {
  if (bit_ > stream_.size() * 8) throw_past_the_end();
}

void TokenReader::throw_past_the_end() {
  throw Error(ErrorKind::Corrupt, "a stream of tokens ends too early");
}

// More than one load has.
std::uint64_t TokenReader::get_wide(TokenEntry entry) {
  pass(entry.code_length());
  return entry.top() << entry.raw_width() | get_bits(entry.raw_width());
}

std::uint64_t TokenReader::get_bits(unsigned width) {
  assert(width <= 64);
  const std::uint64_t from = bit_;
  pass(width);
  const std::uint64_t low = load(from);
  if (width <= kLoadedBits) return low_bits(low, width);
  return low_bits(low, 32) | low_bits(load(from + 32), width - 32) << 32;
}

}  // namespace webstrata
