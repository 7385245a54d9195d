// SPDX-License-Identifier: Apache-2.0

// All numbers are exponential Golomb codes in one stream of bits. A list of numbers is written as
// its smallest and the differences to it, with the parameter that makes it shortest; a list of
// equal numbers takes no bits for its members.
//
//   nodes        varint, in bytes; all that follows are bits, with their bytes counted before them
//   runs         how many, then their lengths but the last: nodes without units, with, without ...
//   long nodes   how many, the holders between them, their units less two
//   marks        log2 of the group; the first bit; the lengths between marks
//
// Tested by tests/codec/unit_index_test.cpp.

#include "webstrata/codec/unit_index.h"

#include <algorithm>
#include <bit>

#include "webstrata/base/bits.h"
#include "webstrata/base/error.h"
#include "webstrata/codec/block.h"

namespace webstrata {
namespace {

using Numbers = std::vector<std::uint64_t>;

constexpr unsigned kParameterBits = 5;
constexpr unsigned kAllEqual = 31;  // in the place of a parameter
constexpr unsigned kParameterMax = 30;
constexpr unsigned kGroupBits = 3;

constexpr std::uint64_t kUnitsMax = std::uint64_t{kChunkItems} * 4;

[[noreturn]] void throw_corrupt(const char* reason) {
  throw Error(ErrorKind::Corrupt, std::string("index of a chunk: ") + reason);
}

unsigned golomb_bits(std::uint64_t value, unsigned parameter) {
  const auto width = static_cast<unsigned>(std::bit_width((value >> parameter) + 1));
  return 2 * width - 1 + parameter;
}

void put_number(BitWriter& out, std::uint64_t value, unsigned parameter) {
  const std::uint64_t high = (value >> parameter) + 1;
  const auto width = static_cast<unsigned>(std::bit_width(high));
  out.write(0, width - 1);
  out.write(1, 1);
  out.write(high, width - 1);
  out.write(value, parameter);
}

std::uint64_t get_number(BitReader& in, unsigned parameter) {
  const std::uint64_t width = in.unary();
  if (width + parameter > 48) throw_corrupt("a number is too large");
  const std::uint64_t high = (std::uint64_t{1} << width) | in.read(static_cast<unsigned>(width));
  return ((high - 1) << parameter) | in.read(parameter);
}

unsigned best_parameter(const Numbers& numbers) {
  unsigned best = 0;
  std::uint64_t best_bits = ~std::uint64_t{0};
  for (unsigned parameter = 0; parameter <= kParameterMax; ++parameter) {
    std::uint64_t bits = 0;
    for (const std::uint64_t number : numbers) bits += golomb_bits(number, parameter);
    if (bits < best_bits) {
      best_bits = bits;
      best = parameter;
    }
  }
  return best;
}

// The reader knows their number.
void put_numbers(BitWriter& out, Numbers numbers) {
  if (numbers.empty()) return;
  const auto [smallest, largest] = std::ranges::minmax(numbers);
  for (std::uint64_t& number : numbers) number -= smallest;
  const unsigned parameter = smallest == largest ? kAllEqual : best_parameter(numbers);
  out.write(parameter, kParameterBits);
  put_number(out, smallest, 0);
  if (parameter == kAllEqual) return;
  for (const std::uint64_t number : numbers) put_number(out, number, parameter);
}

Numbers get_numbers(BitReader& in, std::size_t count) {
  Numbers numbers(count);
  if (count == 0) return numbers;
  const auto parameter = static_cast<unsigned>(in.read(kParameterBits));
  const std::uint64_t smallest = get_number(in, 0);
  for (std::uint64_t& number : numbers) {
    number = smallest + (parameter == kAllEqual ? 0 : get_number(in, parameter));
  }
  return numbers;
}

// Lengths of runs of nodes without units, with units, without ..., except the last run.
Numbers runs_of(const std::vector<std::uint32_t>& units) {
  Numbers runs;
  bool holds = false;
  std::uint64_t length = 0;
  for (const std::uint32_t count : units) {
    if ((count > 0) != holds) {
      runs.push_back(length);
      length = 0;
      holds = !holds;
    }
    ++length;
  }
  return runs;
}

void put_long_nodes(BitWriter& out, const std::vector<std::uint32_t>& units) {
  Numbers gaps;
  Numbers counts;
  std::uint64_t gap = 0;
  for (const std::uint32_t count : units) {
    if (count == 0) continue;
    if (count == 1) {
      ++gap;
      continue;
    }
    gaps.push_back(gap);
    counts.push_back(count - 2);
    gap = 0;
  }
  put_number(out, gaps.size(), 0);
  put_numbers(out, gaps);
  put_numbers(out, counts);
}

// For each holder in turn, how many holders to skip before it: 0 where there is a mark.
class Grouping {
 public:
  explicit Grouping(std::uint32_t group) : group_(group) {}
  std::uint32_t skip(std::uint32_t unit_count) {
    const bool begins = unit_count > 1 || in_group_ == group_;
    const std::uint32_t skip = begins ? 0 : in_group_;
    in_group_ = unit_count > 1 ? group_ : skip + 1;
    return skip;
  }

 private:
  std::uint32_t group_;
  std::uint32_t in_group_ = group_;
};

unsigned group_log(const UnitLayout& layout) {
  if (layout.positions.empty() || !layout.can_skip) return 0;
  const std::uint64_t bits = layout.end - layout.positions.front();
  const std::uint64_t bits_per_unit = bits / layout.positions.size();
  if (bits_per_unit >= 64) return 0;
  return bits_per_unit >= 16 ? 2 : 4;
}

void put_marks(BitWriter& out, const UnitLayout& layout) {
  const unsigned log = group_log(layout);
  out.write(log, kGroupBits);
  Grouping grouping(1U << log);
  Numbers marks;
  std::size_t unit = 0;
  for (const std::uint32_t count : layout.units) {
    if (count == 0) continue;
    const bool is_marked = grouping.skip(count) == 0;
    for (std::uint32_t i = 0; i < count; ++i, ++unit) {
      if (is_marked) marks.push_back(layout.positions[unit]);
    }
  }
  if (marks.empty()) return;
  put_number(out, marks.front(), 0);
  for (std::size_t i = marks.size() - 1; i > 0; --i) marks[i] -= marks[i - 1];
  marks.erase(marks.begin());
  put_numbers(out, marks);
}

}  // namespace

std::string encode_unit_index(const UnitLayout& layout) {
  BitWriter bits;
  const Numbers runs = runs_of(layout.units);
  put_number(bits, runs.size(), 0);
  put_numbers(bits, runs);
  put_long_nodes(bits, layout.units);
  put_marks(bits, layout);
  const std::string body = bits.finish();
  std::string bytes;
  append_varint(bytes, layout.units.size());
  append_varint(bytes, body.size());
  return bytes + body;
}

UnitIndex UnitIndex::open(ByteReader& bytes, std::string_view what) {
  UnitIndex index;
  index.node_count_ = bytes.varint();
  if (index.node_count_ > kChunkNodesMax) throw_corrupt("more nodes than a chunk may hold");
  BitReader in(bytes.take(bytes.varint()), what);
  const std::size_t holders = index.read_holders(in);
  index.read_long_nodes(in, holders);
  index.read_marks(in, holders);
  return index;
}

std::size_t UnitIndex::read_holders(BitReader& in) {
  const std::uint64_t run_count = get_number(in, 0);
  if (run_count > node_count_ + 1) throw_corrupt("more runs than nodes");
  Numbers runs = get_numbers(in, run_count);
  std::uint64_t nodes_left = node_count_;
  for (const std::uint64_t run : runs) {
    if (run > nodes_left) throw_corrupt("runs longer than the chunk");
    nodes_left -= run;
  }
  runs.push_back(nodes_left);

  holds_.resize((node_count_ + 63) / 64);
  std::size_t node = 0;
  for (std::size_t run = 0; run < runs.size(); ++run) {
    const std::size_t end = node + runs[run];
    for (std::size_t i = run % 2 == 1 ? node : end; i < end; ++i) {
      holds_[i / 64] |= std::uint64_t{1} << i % 64;
    }
    node = end;
  }
  std::uint32_t before = 0;
  for (const std::uint64_t word : holds_) {
    holds_before_.push_back(before);
    before += static_cast<std::uint32_t>(std::popcount(word));
  }
  return before;
}

void UnitIndex::read_long_nodes(BitReader& in, std::size_t holders) {
  const std::uint64_t long_count = get_number(in, 0);
  if (long_count > holders) throw_corrupt("more long nodes than nodes");
  const Numbers gaps = get_numbers(in, long_count);
  const Numbers counts = get_numbers(in, long_count);
  if (long_count > 0) units_.assign(holders, 1);
  std::uint64_t place = 0;
  std::uint64_t unit_total = 0;
  for (std::size_t i = 0; i < long_count; ++i, ++place) {
    place += std::min<std::uint64_t>(gaps[i], holders);
    unit_total += std::min(counts[i], kUnitsMax) + 1;
    if (place >= holders || unit_total > kUnitsMax) throw_corrupt("long nodes out of range");
    units_[place] = static_cast<std::uint32_t>(counts[i] + 2);
  }
}

void UnitIndex::read_marks(BitReader& in, std::size_t holders) {
  Grouping grouping(1U << in.read(kGroupBits));
  std::size_t mark_count = 0;
  first_marks_.reserve(holders);
  skips_.reserve(holders);
  for (std::uint32_t holder = 0; holder < holders; ++holder) {
    const std::uint32_t skip = grouping.skip(unit_count(holder));
    if (skip == 0) mark_count += unit_count(holder);
    const std::size_t own = skip == 0 ? unit_count(holder) : 1;
    first_marks_.push_back(static_cast<std::uint32_t>(mark_count - own));
    skips_.push_back(static_cast<std::uint8_t>(skip));
  }
  if (mark_count == 0) return;
  marks_.reserve(mark_count);
  marks_.push_back(get_number(in, 0));
  for (const std::uint64_t length : get_numbers(in, mark_count - 1)) {
    marks_.push_back(marks_.back() + length);
  }
}

std::optional<std::uint32_t> UnitIndex::holder(std::size_t node) const {
  if (node >= node_count_) throw Error(ErrorKind::BadInput, "a chunk has no such node");
  const std::uint64_t word = holds_[node / 64];
  const std::uint64_t bit = std::uint64_t{1} << node % 64;
  if ((word & bit) == 0) return std::nullopt;
  return holds_before_[node / 64] + static_cast<std::uint32_t>(std::popcount(word & (bit - 1)));
}

std::size_t UnitIndex::memory_bytes() const noexcept {
  return holds_.size() * 12 + units_.size() * 4 + first_marks_.size() * 5 + marks_.size() * 8;
}

}  // namespace webstrata
