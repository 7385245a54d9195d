// SPDX-License-Identifier: Apache-2.0

// A chunk is encoded in rounds. In each, every list is priced alone and as a copy of its most
// promising candidates, with the cost of symbols under the codes of the previous round (at first
// the default codes); then references are chosen and symbols are counted again. Finally codes are
// made from the counts and everything is written. All prices are integers, in 1/256 bit.
//
// The chunk: varint of nodes; then, if there are any, varint of links · 8 + group bits; then, if
// there are any, bits: codes, runs of empty and full nodes in turn, lengths of all groups but the
// last. The lists begin at the next whole byte.
//
// Tested by tests/codec/links_test.cpp.

#include "webstrata/codec/links_encoder.h"

#include <algorithm>
#include <array>
#include <cassert>

#include "webstrata/base/bits.h"
#include "webstrata/base/bytes.h"
#include "webstrata/codec/block.h"
#include "webstrata/codec/fixed_log.h"
#include "webstrata/codec/links_model.h"
#include "webstrata/codec/list_parts.h"
#include "webstrata/codec/reference_candidates.h"
#include "webstrata/codec/reference_choice.h"

namespace webstrata {
namespace {

using namespace links_model;

constexpr std::size_t kPricedCandidates = 8;
constexpr std::uint32_t kPriceOfABit = 256;
constexpr std::uint32_t kPriceMax = 14 * kPriceOfABit;  // of a symbol's code
constexpr std::uint32_t kPriceMin = 13;                 // a twentieth of a bit
// Chunks with fewer links may be smaller with default codes: both are tried.
constexpr std::size_t kFewLinks = 4096;

using Prices = std::vector<std::array<std::uint32_t, kSymbolsMax>>;  // by context, by symbol

// The three sinks of tell_list.

struct PriceSink {
  const Prices& prices;
  std::uint32_t total = 0;

  std::uint32_t number(std::uint32_t context, std::uint64_t value) {
    const std::uint32_t token = token_of(value).symbol;
    total += prices[context][token];
    return token;
  }
  void symbol(std::uint32_t context, std::uint32_t symbol) { total += prices[context][symbol]; }
  std::uint32_t signed_number(std::uint32_t context, std::uint64_t value, bool is_negative) {
    const std::uint32_t symbol = token_of(value).symbol * 2 + (is_negative ? 1 : 0);
    total += prices[context][symbol];
    return symbol;
  }
};

struct CountSink {
  SymbolCounts& counts;

  std::uint32_t number(std::uint32_t context, std::uint64_t value) {
    const std::uint32_t token = token_of(value).symbol;
    ++counts[context][token];
    return token;
  }
  void symbol(std::uint32_t context, std::uint32_t symbol) { ++counts[context][symbol]; }
  std::uint32_t signed_number(std::uint32_t context, std::uint64_t value, bool is_negative) {
    const std::uint32_t symbol = token_of(value).symbol * 2 + (is_negative ? 1 : 0);
    ++counts[context][symbol];
    return symbol;
  }
};

class WriteSink {
 public:
  WriteSink(BitWriter& bits, const ContextCodes& codes) : bits_(bits), codes_(codes) {
    for (const auto& code : codes.codes) code_bits_.push_back(canonical_codes(code.lengths));
  }

  std::uint32_t number(std::uint32_t context, std::uint64_t value) {
    const Token token = token_of(value);
    symbol(context, token.symbol);
    bits_.write(token.raw, token.raw_width);
    return token.symbol;
  }
  void symbol(std::uint32_t context, std::uint32_t symbol) {
    const std::size_t code = codes_.code_of[context];
    bits_.write(code_bits_[code][symbol], codes_.codes[code].lengths[symbol]);
  }
  std::uint32_t signed_number(std::uint32_t context, std::uint64_t value, bool is_negative) {
    const Token token = token_of(value);
    const std::uint32_t signed_symbol = token.symbol * 2 + (is_negative ? 1 : 0);
    symbol(context, signed_symbol);
    bits_.write(token.raw, token.raw_width);
    return signed_symbol;
  }

 private:
  BitWriter& bits_;
  const ContextCodes& codes_;
  std::vector<std::vector<std::uint16_t>> code_bits_;
};

SymbolCounts no_counts() {
  SymbolCounts counts(kContextCount);
  for (std::uint32_t context = 0; context < kContextCount; ++context) {
    const auto& fallback = layout().default_codes[family_of(context)];
    counts[context].assign(fallback.lengths.size(), 0);
  }
  return counts;
}

std::uint32_t raw_price(std::uint32_t context, std::uint32_t symbol) {
  return symbol_shape(family_of(context), symbol).raw_width * kPriceOfABit;
}

Prices make_default_prices() {
  Prices prices(kContextCount);
  for (std::uint32_t context = 0; context < kContextCount; ++context) {
    const auto& lengths = layout().default_codes[family_of(context)].lengths;
    for (std::uint32_t symbol = 0; symbol < lengths.size(); ++symbol) {
      prices[context][symbol] = lengths[symbol] * kPriceOfABit + raw_price(context, symbol);
    }
  }
  return prices;
}

const Prices& default_prices() {
  static const Prices prices = make_default_prices();
  return prices;
}

// Prices from the entropy of what was counted. A symbol that did not occur costs two bits more
// than one that occurred once.
void set_prices(std::span<const std::uint32_t> counts, std::uint32_t context,
                std::array<std::uint32_t, kSymbolsMax>& prices) {
  std::uint64_t total = 0;
  for (const auto count : counts) total += count;
  if (total == 0) return;
  const std::uint64_t log_total = fixed_log2(total);
  constexpr unsigned kShift = kLogFractionBits - 8;
  for (std::uint32_t symbol = 0; symbol < counts.size(); ++symbol) {
    const std::uint64_t log = counts[symbol] == 0
                                  ? log_total + (std::uint64_t{2} << kLogFractionBits)
                                  : log_total - fixed_log2(counts[symbol]);
    const auto price = static_cast<std::uint32_t>(log >> kShift);
    prices[symbol] = std::clamp(price, kPriceMin, kPriceMax) + raw_price(context, symbol);
  }
}

std::vector<std::uint32_t> sum_of(const SymbolCounts& counts, std::uint32_t first,
                                  std::uint32_t step, std::uint32_t contexts) {
  std::vector<std::uint32_t> sum(counts[first].size(), 0);
  for (std::uint32_t i = 0; i < contexts; ++i) {
    for (std::size_t symbol = 0; symbol < sum.size(); ++symbol) {
      sum[symbol] += counts[first + i * step][symbol];
    }
  }
  return sum;
}

// While pricing, the previous list is not known yet: every list is priced as if it followed this
// typical one.
constexpr Before kAnyBefore = {2, 2};

Prices prices_of(const SymbolCounts& counts) {
  Prices prices = default_prices();
  for (std::uint32_t context = 0; context < kContextCount; ++context) {
    set_prices(counts[context], context, prices[context]);
  }
  const std::uint32_t reference = reference_context(kAnyBefore);
  set_prices(sum_of(counts, kReference, 1, kReferenceClasses), reference, prices[reference]);
  for (std::uint32_t copy_class = 0; copy_class < kCopyClasses; ++copy_class) {
    const std::uint32_t first = kShape + copy_class * kRestClasses;
    const std::uint32_t any = first + kAnyBefore.rest_class;
    set_prices(sum_of(counts, first, 1, kRestClasses), any, prices[any]);
  }
  return prices;
}

class Encoder {
 public:
  Encoder(const LinkLists& lists, const LinksParameters& parameters)
      : lists_(lists), parameters_(parameters), parts_(longest_list(lists)) {
    for (std::uint32_t node = 0; node < lists.node_count(); ++node) {
      if (!lists.list(node).empty()) nodes_.push_back(node);
    }
    references_.assign(nodes_.size(), 0);
  }

  std::string encode(LinksSizes* sizes) {
    find_candidates();
    Prices prices = default_prices();
    for (unsigned round = 0; round < parameters_.rounds; ++round) {
      references_ = choose_references(price_lists(prices), parameters_.chain_max);
      if (round + 1 < parameters_.rounds) prices = prices_of(count_lists());
    }
    SymbolCounts counts = count_lists();
    tell_bitmap([sink = CountSink{counts}](std::uint32_t context, std::uint64_t value) mutable {
      sink.number(context, value);
    });
    const ContextCodes codes = choose_codes(layout(), counts, parameters_.codes_max);
    LinksSizes found;
    std::string bytes = write(codes, found);
    if (lists_.targets.size() < kFewLinks) {
      LinksSizes found_by_default;
      std::string by_default =
          write({layout().family_of, layout().default_codes}, found_by_default);
      if (by_default.size() <= bytes.size()) {
        bytes = std::move(by_default);
        found = found_by_default;
      }
    }
    if (sizes != nullptr) *sizes = found;
    return bytes;
  }

 private:
  static std::size_t longest_list(const LinkLists& lists) {
    std::size_t longest = 0;
    for (std::size_t node = 0; node < lists.node_count(); ++node) {
      longest = std::max(longest, lists.list(node).size());
    }
    return longest;
  }

  [[nodiscard]] std::span<const Uid> list(std::size_t number) const {
    return lists_.list(nodes_[number]);
  }
  [[nodiscard]] Uid node(std::size_t number) const { return lists_.first + nodes_[number]; }

  void find_candidates() {
    ReferenceCandidates candidates;
    std::vector<std::uint8_t> found;
    for (std::size_t number = 0; number < nodes_.size(); ++number) {
      candidates.offer(list(number), kPricedCandidates, found);
      candidates_.insert(candidates_.end(), found.begin(), found.end());
      candidate_ends_.push_back(static_cast<std::uint32_t>(candidates_.size()));
    }
  }

  std::uint32_t price_of(const Prices& prices, std::size_t number, std::uint32_t back) {
    parts_.split(list(number), back == 0 ? std::span<const Uid>() : list(number - back));
    PriceSink sink{prices};
    tell_list(sink, node(number), back, parts_, kAnyBefore);
    return sink.total;
  }

  ReferencePrices price_lists(const Prices& prices) {
    ReferencePrices priced;
    std::vector<ReferenceCandidate> cheaper;
    for (std::size_t number = 0; number < nodes_.size(); ++number) {
      const std::uint32_t alone = price_of(prices, number, 0);
      cheaper.clear();
      const std::size_t first = number == 0 ? 0 : candidate_ends_[number - 1];
      for (std::size_t i = first; i < candidate_ends_[number]; ++i) {
        const std::uint32_t price = price_of(prices, number, candidates_[i]);
        if (price < alone) cheaper.push_back({candidates_[i], price});
      }
      std::ranges::sort(cheaper, [](const auto& a, const auto& b) {
        return a.price != b.price ? a.price < b.price : a.back < b.back;
      });
      priced.alone.push_back(alone);
      priced.candidates.insert(priced.candidates.end(), cheaper.begin(), cheaper.end());
      priced.ends.push_back(static_cast<std::uint32_t>(priced.candidates.size()));
    }
    return priced;
  }

  // Emits all lists; `at_group` is called before the first list of each group.
  template <class Sink, class AtGroup>
  void tell_lists(Sink& sink, AtGroup at_group) {
    Before before;
    for (std::size_t number = 0; number < nodes_.size(); ++number) {
      if (number % (std::size_t{1} << parameters_.group_bits) == 0) {
        before = {};
        at_group();
      }
      const std::uint32_t back = references_[number];
      parts_.split(list(number), back == 0 ? std::span<const Uid>() : list(number - back));
      tell_list(sink, node(number), back, parts_, before);
      before = before_next(back, parts_.rest().size());
    }
  }

  SymbolCounts count_lists() {
    SymbolCounts counts = no_counts();
    CountSink sink{counts};
    tell_lists(sink, [] {});
    return counts;
  }

  // Runs of nodes without and with targets, in turn. Only the first may be empty.
  template <class Put>
  void tell_bitmap(Put put) const {
    bool is_full = false;
    std::size_t run = 0;
    bool is_first = true;
    const auto end_run = [&] {
      put(is_full ? kFullRun : kEmptyRun, is_first ? run : run - 1);
      is_first = false;
    };
    for (std::size_t i = 0; i < lists_.node_count(); ++i) {
      if (lists_.list(i).empty() == is_full) {
        end_run();
        is_full = !is_full;
        run = 0;
      }
      ++run;
    }
    end_run();
  }

  std::string write(ContextCodes codes, LinksSizes& sizes) {
    BitWriter stream;
    std::vector<std::uint64_t> starts;
    {
      WriteSink sink(stream, codes);
      tell_lists(sink, [&] { starts.push_back(stream.bit_count()); });
    }
    add_index_code(codes, starts);
    BitWriter head;
    write_codes(head, layout(), codes);
    WriteSink sink(head, codes);
    sizes.codes_bits = head.bit_count();
    tell_bitmap(
        [&sink](std::uint32_t context, std::uint64_t value) { sink.number(context, value); });
    sizes.bitmap_bits = head.bit_count() - sizes.codes_bits;
    for (std::size_t i = 1; i < starts.size(); ++i) {
      sink.number(kGroupBits, starts[i] - starts[i - 1]);
    }
    sizes.index_bits = head.bit_count() - sizes.bitmap_bits - sizes.codes_bits;
    sizes.stream_bits = stream.bit_count();
    std::string bytes;
    append_varint(bytes, lists_.node_count());
    append_varint(bytes, std::uint64_t{lists_.targets.size()} << 3 | parameters_.group_bits);
    return bytes + head.finish() + stream.finish();
  }

  // Lengths of groups are known only when the lists are written, so their code comes last.
  void add_index_code(ContextCodes& codes, std::span<const std::uint64_t> starts) const {
    SymbolCounts counts = no_counts();
    CountSink sink{counts};
    for (std::size_t i = 1; i < starts.size(); ++i) {
      sink.number(kGroupBits, starts[i] - starts[i - 1]);
    }
    const ContextCodes chosen = choose_codes(layout(), counts, 1);
    if (chosen.codes.size() == kFamilyCount) return;
    codes.code_of[kGroupBits] = static_cast<std::uint8_t>(codes.codes.size());
    codes.codes.push_back(chosen.codes.back());
  }

  const LinkLists& lists_;
  LinksParameters parameters_;
  ListParts parts_;
  std::vector<std::uint32_t> nodes_;  // of the lists, which are numbered without the empty ones
  std::vector<std::uint8_t> candidates_;
  std::vector<std::uint32_t> candidate_ends_;
  std::vector<std::uint32_t> references_;
};

}  // namespace

// Chains of copies and lists per index entry decide what a random list costs.
LinksParameters parameters_of(LinksEffort effort) {
  if (effort == LinksEffort::Compact) return {.chain_max = 3, .group_bits = 4};
  return {.chain_max = 2, .group_bits = 1};
}

std::string encode_links(const LinkLists& lists, const LinksParameters& parameters,
                         LinksSizes* sizes) {
  assert(lists.node_count() <= kChunkNodesMax && lists.targets.size() <= kChunkItems);
  if (!lists.targets.empty()) return Encoder(lists, parameters).encode(sizes);
  std::string bytes;
  append_varint(bytes, lists.node_count());
  if (lists.node_count() > 0) append_varint(bytes, parameters.group_bits);
  return bytes;
}

}  // namespace webstrata
