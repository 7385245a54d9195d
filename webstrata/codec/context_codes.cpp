// SPDX-License-Identifier: Apache-2.0

// Merging is greedy: the two codes whose union costs least (or saves most) become one, until no
// merge saves bits and there are few enough. Costs are entropies in fixed point plus an estimate of
// the written size of a code; ties go to the smaller contexts.
//
// Written down: the number of codes; for each context its code, as runs of equal ones; for each
// code whether it has one symbol only, and its last symbol; then all code lengths, themselves under
// a small code, with runs of absent symbols.
//
// Tested by tests/codec/token_coder_test.cpp.

#include "webstrata/codec/context_codes.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <limits>
#include <string>

#include "webstrata/base/error.h"
#include "webstrata/codec/fixed_log.h"
#include "webstrata/codec/tokens.h"

namespace webstrata {
namespace {

constexpr std::int64_t kOneBit = std::int64_t{1} << kLogFractionBits;
// What a written code takes, roughly; the symbols as in the prototype of the links codec.
constexpr std::int64_t kCostPerCode = 12 * kOneBit;
constexpr std::int64_t kCostPerSymbol = 9 * kOneBit / 2;
constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

[[noreturn]] void throw_corrupt(const std::string& message) {
  throw Error(ErrorKind::Corrupt, "code tables: " + message);
}

// A code being built: the contexts that share it and the sum of their counts.
struct Cluster {
  std::vector<std::uint32_t> contexts;
  std::vector<std::uint32_t> counts;  // up to the last symbol that occurs
  std::uint8_t family = 0;
  std::int64_t cost = 0;
  bool is_alive = true;
};

std::uint32_t count_at(std::span<const std::uint32_t> counts, std::size_t symbol) {
  return symbol < counts.size() ? counts[symbol] : 0;
}

// Entropy of the sum of two counts, including the size of their table.
std::int64_t cost_together(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) {
  std::uint64_t total = 0;
  std::uint64_t weighted = 0;
  std::int64_t used = 0;
  const std::size_t size = std::max(a.size(), b.size());
  for (std::size_t symbol = 0; symbol < size; ++symbol) {
    const std::uint64_t count = std::uint64_t{count_at(a, symbol)} + count_at(b, symbol);
    if (count == 0) continue;
    total += count;
    weighted += count * fixed_log2(count);
    ++used;
  }
  if (used == 0) return 0;
  const auto entropy = static_cast<std::int64_t>(total * fixed_log2(total) - weighted);
  return entropy + kCostPerCode + used * kCostPerSymbol;
}

std::vector<Cluster> one_cluster_per_context(const CodeLayout& layout, const SymbolCounts& counts) {
  std::vector<Cluster> clusters;
  for (std::uint32_t context = 0; context < counts.size(); ++context) {
    std::vector<std::uint32_t> trimmed = counts[context];
    while (!trimmed.empty() && trimmed.back() == 0) trimmed.pop_back();
    if (trimmed.empty()) continue;
    const std::int64_t cost = cost_together(trimmed, {});
    clusters.push_back({{context}, std::move(trimmed), layout.family_of[context], cost, true});
  }
  return clusters;
}

// What merging costs, for all pairs of clusters of one family; kept up to date while merging.
class MergeCosts {
 public:
  explicit MergeCosts(const std::vector<Cluster>& clusters)
      : clusters_(clusters), rows_(clusters.size()), best_(clusters.size(), 0) {
    for (std::size_t a = 0; a < clusters.size(); ++a) {
      rows_[a].assign(clusters.size(), kNever);
      for (std::size_t b = a + 1; b < clusters.size(); ++b) rows_[a][b] = work_out(a, b);
      find_best(a);
    }
  }

  struct Pair {
    std::size_t a = 0;
    std::size_t b = 0;
    std::int64_t cost = kNever;
  };
  [[nodiscard]] Pair best() const {
    Pair found;
    for (std::size_t a = 0; a < rows_.size(); ++a) {
      if (clusters_[a].is_alive && rows_[a][best_[a]] < found.cost) {
        found = {a, best_[a], rows_[a][best_[a]]};
      }
    }
    return found;
  }

  // After b was merged into a < b.
  void update(std::size_t a, std::size_t b) {
    for (std::size_t other = 0; other < rows_.size(); ++other) {
      if (other < b) rows_[other][b] = kNever;
      if (!clusters_[other].is_alive || other == a) continue;
      const std::size_t low = std::min(a, other);
      const std::size_t high = std::max(a, other);
      rows_[low][high] = work_out(low, high);
    }
    for (std::size_t row = 0; row < rows_.size(); ++row) find_best(row);
  }

 private:
  [[nodiscard]] std::int64_t work_out(std::size_t a, std::size_t b) const {
    const Cluster& left = clusters_[a];
    const Cluster& right = clusters_[b];
    if (left.family != right.family) return kNever;
    return cost_together(left.counts, right.counts) - left.cost - right.cost;
  }
  void find_best(std::size_t row) {
    const auto& costs = rows_[row];
    best_[row] =
        static_cast<std::size_t>(std::min_element(costs.begin(), costs.end()) - costs.begin());
  }

  const std::vector<Cluster>& clusters_;
  std::vector<std::vector<std::int64_t>> rows_;
  std::vector<std::size_t> best_;
};

void unite(Cluster& a, Cluster& b) {
  a.counts.resize(std::max(a.counts.size(), b.counts.size()), 0);
  for (std::size_t symbol = 0; symbol < b.counts.size(); ++symbol) {
    a.counts[symbol] += b.counts[symbol];
  }
  a.contexts.insert(a.contexts.end(), b.contexts.begin(), b.contexts.end());
  a.cost = cost_together(a.counts, {});
  b.is_alive = false;
}

std::vector<Cluster> merge_clusters(std::vector<Cluster> clusters, std::uint32_t codes_max) {
  MergeCosts costs(clusters);
  std::size_t alive = clusters.size();
  for (;;) {
    const auto pair = costs.best();
    if (pair.cost == kNever || (pair.cost >= 0 && alive <= codes_max)) break;
    unite(clusters[pair.a], clusters[pair.b]);
    costs.update(pair.a, pair.b);
    --alive;
  }
  std::erase_if(clusters, [](const Cluster& cluster) { return !cluster.is_alive; });
  return clusters;
}

PrefixCode code_of_counts(std::span<const std::uint32_t> counts, std::size_t alphabet) {
  std::vector<std::uint64_t> wide(counts.begin(), counts.end());
  wide.resize(alphabet, 0);
  PrefixCode code{huffman_lengths(wide, kCodeBitsMax), std::nullopt};
  if (std::ranges::count_if(wide, [](std::uint64_t count) { return count != 0; }) == 1) {
    code.alone = static_cast<std::uint32_t>(
        std::ranges::find_if(wide, [](std::uint64_t count) { return count != 0; }) - wide.begin());
  }
  return code;
}

std::uint64_t bits_under(const PrefixCode& code, std::span<const std::uint32_t> counts) {
  std::uint64_t bits = 0;
  for (std::size_t symbol = 0; symbol < counts.size(); ++symbol) {
    bits += std::uint64_t{counts[symbol]} * code.lengths[symbol];
  }
  return bits;
}

bool is_worth_writing(const PrefixCode& code, const Cluster& cluster, const PrefixCode& fallback) {
  const auto used = std::ranges::count_if(cluster.counts, [](auto count) { return count != 0; });
  const std::int64_t table = (kCostPerCode + used * kCostPerSymbol) / kOneBit;
  return bits_under(code, cluster.counts) + static_cast<std::uint64_t>(table) <
         bits_under(fallback, cluster.counts);
}

ContextCodes only_defaults(const CodeLayout& layout) {
  return {layout.family_of, layout.default_codes};
}

// The symbols with which code lengths are written: the lengths themselves, and runs of absent ones.
constexpr std::uint32_t kShortRun = 14;  // 3..10, in three bits
constexpr std::uint32_t kLongRun = 15;   // 11..74, in six bits
constexpr std::uint32_t kLengthSymbols = 16;
constexpr unsigned kLengthCodeBits = 7;

struct LengthSymbol {
  std::uint32_t symbol = 0;
  std::uint32_t extra = 0;
  unsigned extra_width = 0;
};

void append_absent(std::vector<LengthSymbol>& out, std::uint32_t run) {
  while (run > 0) {
    const std::uint32_t step = run >= 11 ? std::min(run, 74U) : run >= 3 ? run : 1;
    if (step >= 11) {
      out.push_back({kLongRun, step - 11, 6});
    } else if (step >= 3) {
      out.push_back({kShortRun, step - 3, 3});
    } else {
      out.push_back({0, 0, 0});
    }
    run -= step;
  }
}

std::uint32_t last_symbol(const PrefixCode& code) {
  if (code.alone) return *code.alone;
  auto last = static_cast<std::uint32_t>(code.lengths.size()) - 1;
  while (code.lengths[last] == 0) --last;
  return last;
}

void append_lengths(std::vector<LengthSymbol>& out, const PrefixCode& code) {
  const std::uint32_t last = last_symbol(code);
  std::uint32_t absent = 0;
  for (std::uint32_t symbol = 0; symbol <= last; ++symbol) {
    if (code.lengths[symbol] == 0) {
      ++absent;
      continue;
    }
    append_absent(out, absent);
    absent = 0;
    out.push_back({code.lengths[symbol], 0, 0});
  }
}

void write_lengths(BitWriter& bits, const std::vector<LengthSymbol>& symbols) {
  std::array<std::uint64_t, kLengthSymbols> counts{};
  for (const auto& symbol : symbols) ++counts[symbol.symbol];
  // A code of a single symbol would have no lengths to write, so a second symbol is added.
  if (counts[symbols[0].symbol] == symbols.size()) ++counts[0];
  const auto lengths = huffman_lengths(counts, kLengthCodeBits);
  const auto codes = canonical_codes(lengths);
  for (const auto length : lengths) bits.write(length, 3);
  for (const auto& symbol : symbols) {
    bits.write(codes[symbol.symbol], lengths[symbol.symbol]);
    bits.write(symbol.extra, symbol.extra_width);
  }
}

std::uint32_t read_coded(BitReader& bits, std::span<const std::uint8_t> lengths,
                         std::span<const std::uint16_t> codes) {
  std::uint32_t read = 0;
  for (unsigned width = 1; width <= kLengthCodeBits; ++width) {
    read |= static_cast<std::uint32_t>(bits.read(1)) << (width - 1);
    for (std::uint32_t symbol = 0; symbol < lengths.size(); ++symbol) {
      if (lengths[symbol] == width && codes[symbol] == read) return symbol;
    }
  }
  throw_corrupt("an unknown code of a length");
}

void read_lengths(BitReader& bits, std::span<const std::uint8_t> lengths,
                  std::span<const std::uint16_t> codes, std::uint32_t last, PrefixCode& code) {
  for (std::uint32_t symbol = 0; symbol <= last;) {
    const std::uint32_t read = read_coded(bits, lengths, codes);
    if (read == kLongRun) {
      symbol += 11 + static_cast<std::uint32_t>(bits.read(6));
    } else if (read == kShortRun) {
      symbol += 3 + static_cast<std::uint32_t>(bits.read(3));
    } else {
      code.lengths[symbol++] = static_cast<std::uint8_t>(read);
    }
  }
  if (!is_complete(code.lengths)) throw_corrupt("a code is not complete");
}

unsigned symbol_width(std::size_t alphabet) {
  return static_cast<unsigned>(std::bit_width(alphabet - 1));
}

// Numbers of codes as they are written: 0 is the default one of the context's family.
std::vector<std::uint32_t> written_numbers(const CodeLayout& layout, const ContextCodes& codes) {
  const auto families = static_cast<std::uint32_t>(layout.default_codes.size());
  std::vector<std::uint32_t> numbers;
  for (const std::uint32_t code : codes.code_of) {
    numbers.push_back(code < families ? 0 : code - families + 1);
  }
  return numbers;
}

void write_numbers(BitWriter& bits, std::span<const std::uint32_t> numbers, std::uint32_t count) {
  std::uint32_t current = 0;
  std::uint32_t seen = 0;
  for (std::size_t place = 0; place < numbers.size();) {
    std::size_t run = 0;
    while (place + run < numbers.size() && numbers[place + run] == current) ++run;
    write_gamma(bits, run + 1);
    place += run;
    if (place == numbers.size()) break;
    current = numbers[place++];
    const bool is_new = current > seen;
    if (seen < count) bits.write(is_new ? 1 : 0, 1);
    if (is_new) {
      assert(current == seen + 1);
      ++seen;
    } else {
      bits.write(current, static_cast<unsigned>(std::bit_width(seen)));
    }
  }
}

std::vector<std::uint32_t> read_numbers(BitReader& bits, std::size_t context_count,
                                        std::uint32_t count) {
  std::vector<std::uint32_t> numbers;
  std::uint32_t current = 0;
  std::uint32_t seen = 0;
  while (numbers.size() < context_count) {
    const std::uint64_t run = read_gamma(bits) - 1;
    if (run > context_count - numbers.size()) throw_corrupt("more contexts than there are");
    numbers.resize(numbers.size() + run, current);
    if (numbers.size() == context_count) break;
    if (seen < count && bits.read(1) == 1) {
      current = ++seen;
    } else {
      current = static_cast<std::uint32_t>(bits.read(static_cast<unsigned>(std::bit_width(seen))));
      if (current > seen) throw_corrupt("a code that was not announced");
    }
    numbers.push_back(current);
  }
  if (seen != count) throw_corrupt("a code without context");
  return numbers;
}

// Gives every context its code, and every code the alphabet of its family.
void assign_codes(const CodeLayout& layout, std::span<const std::uint32_t> numbers,
                  ContextCodes& codes) {
  const auto families = static_cast<std::uint32_t>(layout.default_codes.size());
  std::vector<std::optional<std::uint8_t>> family_of_code(codes.codes.size());
  for (std::size_t context = 0; context < numbers.size(); ++context) {
    if (numbers[context] == 0) continue;
    const std::uint32_t code = families + numbers[context] - 1;
    const std::uint8_t family = layout.family_of[context];
    if (family_of_code[code].value_or(family) != family) throw_corrupt("families share a code");
    family_of_code[code] = family;
    codes.codes[code].lengths.assign(layout.default_codes[family].lengths.size(), 0);
    codes.code_of[context] = static_cast<std::uint8_t>(code);
  }
}

}  // namespace

PrefixCode default_code(std::span<const std::uint64_t> weights) {
  return {huffman_lengths(weights, kCodeBitsMax), std::nullopt};
}

PrefixCode default_token_code() {
  std::array<std::uint64_t, kTokenCount> weights{};
  for (std::uint32_t symbol = 0; symbol < kTokenCount; ++symbol) {
    const auto shape = token_shape(symbol);
    weights[symbol] = symbol < kPlainTokens ? 6000 / (symbol + 2) : 400 / (shape.raw_width - 1) + 1;
  }
  return default_code(weights);
}

ContextCodes choose_codes(const CodeLayout& layout, const SymbolCounts& counts,
                          std::uint32_t codes_max) {
  ContextCodes chosen = only_defaults(layout);
  const auto clusters =
      merge_clusters(one_cluster_per_context(layout, counts), std::min(codes_max, kCodesMax));
  for (const auto& cluster : clusters) {
    const PrefixCode& fallback = layout.default_codes[cluster.family];
    PrefixCode code = code_of_counts(cluster.counts, fallback.lengths.size());
    if (chosen.codes.size() - layout.default_codes.size() == codes_max ||
        !is_worth_writing(code, cluster, fallback)) {
      continue;
    }
    const auto number = static_cast<std::uint8_t>(chosen.codes.size());
    for (const auto context : cluster.contexts) chosen.code_of[context] = number;
    chosen.codes.push_back(std::move(code));
  }
  return chosen;
}

void write_codes(BitWriter& bits, const CodeLayout& layout, const ContextCodes& codes) {
  const std::size_t families = layout.default_codes.size();
  const auto count = static_cast<std::uint32_t>(codes.codes.size() - families);
  write_gamma(bits, count + 1);
  if (count == 0) return;
  write_numbers(bits, written_numbers(layout, codes), count);
  std::vector<LengthSymbol> lengths;
  for (std::size_t i = families; i < codes.codes.size(); ++i) {
    const PrefixCode& code = codes.codes[i];
    bits.write(code.alone ? 1 : 0, 1);
    bits.write(last_symbol(code), symbol_width(code.lengths.size()));
    if (!code.alone) append_lengths(lengths, code);
  }
  if (!lengths.empty()) write_lengths(bits, lengths);
}

ContextCodes read_codes(BitReader& bits, const CodeLayout& layout) {
  ContextCodes codes = only_defaults(layout);
  const std::uint64_t count = read_gamma(bits) - 1;
  if (count > kCodesMax) throw_corrupt("too many codes");
  if (count == 0) return codes;
  const std::size_t families = codes.codes.size();
  codes.codes.resize(families + count);
  assign_codes(layout,
               read_numbers(bits, layout.family_of.size(), static_cast<std::uint32_t>(count)),
               codes);
  std::vector<std::uint32_t> last(codes.codes.size(), 0);
  bool has_lengths = false;
  for (std::size_t i = families; i < codes.codes.size(); ++i) {
    const std::size_t alphabet = codes.codes[i].lengths.size();
    const bool is_alone = bits.read(1) == 1;
    last[i] = static_cast<std::uint32_t>(bits.read(symbol_width(alphabet)));
    if (last[i] >= alphabet) throw_corrupt("a symbol that does not exist");
    if (is_alone) codes.codes[i].alone = last[i];
    has_lengths = has_lengths || !is_alone;
  }
  if (!has_lengths) return codes;
  std::array<std::uint8_t, kLengthSymbols> lengths{};
  for (auto& length : lengths) length = static_cast<std::uint8_t>(bits.read(3));
  if (!is_complete(lengths)) throw_corrupt("the code of the lengths is not complete");
  const auto length_codes = canonical_codes(lengths);
  for (std::size_t i = families; i < codes.codes.size(); ++i) {
    if (!codes.codes[i].alone) read_lengths(bits, lengths, length_codes, last[i], codes.codes[i]);
  }
  return codes;
}

void write_gamma(BitWriter& bits, std::uint64_t value) {
  assert(value > 0);
  const auto width = static_cast<unsigned>(std::bit_width(value));
  bits.write(std::uint64_t{1} << (width - 1), width);
  bits.write(value & ~(std::uint64_t{1} << (width - 1)), width - 1);
}

std::uint64_t read_gamma(BitReader& bits) {
  const std::uint64_t width = bits.unary();
  if (width > 63) throw_corrupt("a number exceeds 64 bits");
  return std::uint64_t{1} << width | bits.read(static_cast<unsigned>(width));
}

void fill_lookup(const PrefixCode& code, std::span<const std::uint32_t> entries,
                 std::span<std::uint32_t> first, std::vector<std::uint32_t>& more) {
  const auto kept_apart = [&more](std::uint32_t entry) {
    more.push_back(entry & ~kLookupFlag);
    return kLookupFlag | static_cast<std::uint32_t>(more.size() - 1) << 4;
  };
  if (code.alone) {
    const std::uint32_t entry = entries[*code.alone];
    std::ranges::fill(first, (entry & kLookupFlag) != 0 ? kept_apart(entry) : entry);
    return;
  }
  const auto codes = canonical_codes(code.lengths);
  std::array<std::uint8_t, kLookupSize> more_width{};
  for (std::size_t symbol = 0; symbol < codes.size(); ++symbol) {
    if (code.lengths[symbol] <= kLookupBits) continue;
    auto& width = more_width[codes[symbol] % kLookupSize];
    width = std::max(width, static_cast<std::uint8_t>(code.lengths[symbol] - kLookupBits));
  }
  for (std::size_t start = 0; start < kLookupSize; ++start) {
    if (more_width[start] == 0) continue;
    first[start] = kLookupFlag | static_cast<std::uint32_t>(more.size()) << 4 | more_width[start];
    more.resize(more.size() + (std::size_t{1} << more_width[start]));
  }
  for (std::size_t symbol = 0; symbol < codes.size(); ++symbol) {
    const unsigned length = code.lengths[symbol];
    if (length == 0) continue;
    if (length <= kLookupBits) {
      const std::uint32_t entry = entries[symbol];
      const std::uint32_t kept = (entry & kLookupFlag) != 0 ? kept_apart(entry) : entry;
      for (std::size_t i = codes[symbol]; i < kLookupSize; i += std::size_t{1} << length) {
        first[i] = kept;
      }
      continue;
    }
    const std::size_t start = codes[symbol] % kLookupSize;
    const std::size_t table = (first[start] & ~kLookupFlag) >> 4;
    for (std::size_t i = codes[symbol] >> kLookupBits; i < std::size_t{1} << more_width[start];
         i += std::size_t{1} << (length - kLookupBits)) {
      more[table + i] = entries[symbol] & ~kLookupFlag;
    }
  }
}

}  // namespace webstrata
