// SPDX-License-Identifier: Apache-2.0

// Times repeat: pages are captured, or change, together. So a chunk keeps a table of its distinct
// moments, and a node's times are a list of numbers in that table, ascending. Such lists are what
// links.h writes, and pages that change together have lists that copy well from each other: on
// openbsd-www that takes a quarter less than gaps.
//
// Where moments hardly repeat, a table does not pay; then a node's times are gaps in seconds. The
// encoder keeps the shorter of both; gaps are not even written where their raw bits alone take more
// than the table.
//
//   form      one byte: 0 table, 1 gaps
//   table     moments, the first moment, tables and stream of the gaps between them, links
//   gaps      unit index, times, the first moment, tables and stream: per node the number of its
//             times, the first counted from the first moment of all, the gaps between them
//
// Moments are any 64-bit numbers; differences are taken modulo 2^64, which loses nothing.
//
// Tested by tests/codec/times_test.cpp.

#include "webstrata/codec/times.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

#include "webstrata/base/bytes.h"
#include "webstrata/base/error.h"
#include "webstrata/codec/block.h"
#include "webstrata/codec/links.h"
#include "webstrata/codec/token_coder.h"
#include "webstrata/codec/tokens.h"
#include "webstrata/codec/unit_index.h"

namespace webstrata {
namespace {

constexpr std::string_view kWhat = "times";
constexpr std::uint64_t kTimesMax = std::uint64_t{kChunkItems} * 4;

enum class Form : std::uint8_t { Table, Gaps };

enum Context : std::uint32_t {
  kTimeCount,
  kFirst,
  kGap = kFirst + 1,
  kContextCount = kGap + 17,
};

[[noreturn]] void throw_corrupt(const char* reason) {
  throw Error(ErrorKind::Corrupt, std::string(kWhat) + ": " + reason);
}

// A quarter of the bits of the gap before; the last is for the first gap.
std::uint32_t gap_context(std::uint64_t last_gap) {
  return kGap + static_cast<std::uint32_t>(std::bit_width(last_gap)) / 4;
}
constexpr std::uint64_t kNoGap = ~std::uint64_t{0};

// Of two moments, the second later: the moments between them. Any such difference fits.
std::uint64_t gap_between(Time earlier, Time later) {
  return static_cast<std::uint64_t>(later) - static_cast<std::uint64_t>(earlier) - 1;
}
Time moment_behind(Time earlier, std::uint64_t gap) {
  const auto later = static_cast<Time>(static_cast<std::uint64_t>(earlier) + gap + 1);
  if (later <= earlier) throw_corrupt("times that do not ascend");
  return later;
}

void append_time(std::string& bytes, Time time) {
  const auto bits = static_cast<std::uint64_t>(time);
  append_varint(bytes, (bits << 1) ^ (time < 0 ? ~std::uint64_t{0} : 0));
}
Time take_time(ByteReader& bytes) {
  const std::uint64_t bits = bytes.varint();
  return static_cast<Time>((bits >> 1) ^ (0 - (bits & 1)));
}

// Ascending moments, each as the gap to the previous one.
class GapWriter {
 public:
  GapWriter(TokenWriter& out, Time first) : out_(out), last_(first) {}
  void put(Time time) {
    const std::uint64_t gap = gap_between(last_, time);
    out_.put(gap_context(last_gap_), gap);
    last_gap_ = gap;
    last_ = time;
  }

 private:
  TokenWriter& out_;
  Time last_;
  std::uint64_t last_gap_ = kNoGap;
};

class GapReader {
 public:
  GapReader(TokenReader& in, Time first) : in_(in), last_(first) {}
  Time get() {
    last_gap_ = in_.get(gap_context(last_gap_));
    last_ = moment_behind(last_, last_gap_);
    return last_;
  }

 private:
  TokenReader& in_;
  Time last_;
  std::uint64_t last_gap_ = kNoGap;
};

// The distinct moments of a chunk, ascending, and the number of each.
class Moments {
 public:
  explicit Moments(std::span<const Time> times) {
    if (times.empty()) return;
    const auto [first, last] = std::ranges::minmax(times);
    const auto span = static_cast<std::uint64_t>(last) - static_cast<std::uint64_t>(first);
    if (span / 8 < times.size()) {
      number_close(times, first, span + 1);
    } else {
      all_.assign(times.begin(), times.end());
      std::ranges::sort(all_);
      all_.erase(std::unique(all_.begin(), all_.end()), all_.end());
    }
  }

  [[nodiscard]] std::span<const Time> all() const noexcept { return all_; }
  [[nodiscard]] Time first() const noexcept { return all_.empty() ? 0 : all_.front(); }
  [[nodiscard]] Uid number_of(Time time) const {
    if (!numbers_.empty()) return numbers_[static_cast<std::size_t>(time - all_.front())];
    return static_cast<Uid>(std::ranges::lower_bound(all_, time) - all_.begin());
  }

 private:
  // If they are close together, as time ranges are: by a table instead of a sort.
  void number_close(std::span<const Time> times, Time first, std::size_t span) {
    numbers_.assign(span, 0);
    for (const Time time : times) numbers_[static_cast<std::size_t>(time - first)] = 1;
    for (std::size_t i = 0; i < span; ++i) {
      if (numbers_[i] == 0) continue;
      numbers_[i] = static_cast<std::uint32_t>(all_.size());
      all_.push_back(first + static_cast<Time>(i));
    }
  }

  std::vector<Time> all_;
  std::vector<std::uint32_t> numbers_;  // by distance from the first; empty: search
};

std::string encode_as_table(const TimeLists& lists, const Moments& moments) {
  std::string bytes(1, static_cast<char>(Form::Table));
  append_varint(bytes, moments.all().size());
  if (!moments.all().empty()) {
    append_time(bytes, moments.first());
    TokenWriter out(kContextCount);
    GapWriter gaps(out, moments.first());
    for (const Time moment : moments.all().subspan(1)) gaps.put(moment);
    const EncodedTokens encoded = out.finish();
    bytes += encoded.tables;
    append_varint(bytes, encoded.stream.size());
    bytes += encoded.stream;
  }
  LinkLists numbers;
  numbers.ends = lists.ends;
  numbers.targets.reserve(lists.times.size());
  for (const Time time : lists.times) numbers.targets.push_back(moments.number_of(time));
  return bytes + encode_links(numbers);
}

// What no code can make shorter: the raw bits of the gaps.
std::size_t least_bytes_as_gaps(const TimeLists& lists) {
  std::uint64_t bits = 0;
  for (std::size_t node = 0; node < lists.node_count(); ++node) {
    const std::span<const Time> times = lists.list(node);
    for (std::size_t i = 1; i < times.size(); ++i) {
      bits += token_of(gap_between(times[i - 1], times[i])).raw_width;
    }
  }
  return bits / 8;
}

std::string encode_as_gaps(const TimeLists& lists, Time first) {
  TokenWriter out(kContextCount);
  UnitLayout layout;
  for (std::size_t node = 0; node < lists.node_count(); ++node) {
    const std::span<const Time> times = lists.list(node);
    layout.units.push_back(times.empty() ? 0 : 1);
    if (times.empty()) continue;
    out.mark();
    out.put(kTimeCount, times.size() - 1);
    out.put(kFirst, static_cast<std::uint64_t>(times[0]) - static_cast<std::uint64_t>(first));
    GapWriter gaps(out, times[0]);
    for (const Time time : times.subspan(1)) gaps.put(time);
  }
  EncodedTokens encoded = out.finish();
  layout.positions = std::move(encoded.positions);
  layout.end = encoded.bit_count;

  std::string bytes(1, static_cast<char>(Form::Gaps));
  bytes += encode_unit_index(layout);
  append_varint(bytes, lists.times.size());
  append_time(bytes, first);
  return bytes + encoded.tables + encoded.stream;
}

// What a chunk of each form holds.
struct TableForm {
  std::vector<Time> moments;
  LinksChunk numbers;

  static TableForm open(ByteReader& bytes) {
    std::vector<Time> moments;
    const std::uint64_t count = bytes.varint();
    if (count > kTimesMax) throw_corrupt("more moments than a chunk may hold");
    if (count > 0) {
      moments.push_back(take_time(bytes));
      const TokenTables tables = TokenTables::open(bytes, kContextCount);
      TokenReader in(tables, bytes.take(bytes.varint()));
      GapReader gaps(in, moments.front());
      while (moments.size() < count) moments.push_back(gaps.get());
    }
    return {std::move(moments), LinksChunk::open(bytes.take(bytes.remaining()), 0)};
  }

  void append_times(std::span<const Uid> list, std::vector<Time>& out) const {
    if (!list.empty() && list.back() >= moments.size()) throw_corrupt("a missing moment");
    for (const Uid number : list) out.push_back(moments[number]);
  }
};

struct GapsForm {
  UnitIndex index;
  std::uint64_t time_count;
  Time first;
  TokenTables tables;
  std::string_view stream;

  static GapsForm open(ByteReader& bytes) {
    UnitIndex index = UnitIndex::open(bytes, kWhat);
    const std::uint64_t time_count = bytes.varint();
    if (time_count > kTimesMax) throw_corrupt("more times than a chunk may hold");
    const Time first = take_time(bytes);
    TokenTables tables = TokenTables::open(bytes, kContextCount);
    return {std::move(index), time_count, first, std::move(tables), bytes.take(bytes.remaining())};
  }

  [[nodiscard]] std::uint64_t read_count(TokenReader& in) const {
    const std::uint64_t count = in.get(kTimeCount);
    if (count >= time_count) throw_corrupt("more times than the chunk has");
    return count + 1;
  }

  template <class OnTime>
  void read_times(TokenReader& in, std::uint64_t count, OnTime on_time) const {
    const std::uint64_t offset = in.get(kFirst);
    const auto start = static_cast<Time>(static_cast<std::uint64_t>(first) + offset);
    on_time(start);
    GapReader gaps(in, start);
    for (std::uint64_t i = 1; i < count; ++i) on_time(gaps.get());
  }

  // At the start of a node's times.
  [[nodiscard]] TokenReader seek(std::uint32_t holder) const {
    const UnitIndex::Place place = index.place(holder);
    TokenReader in(tables, stream, place.bit);
    for (std::uint32_t i = 0; i < place.skip; ++i) {
      const std::uint64_t count = read_count(in);
      read_times(in, count, [](Time) {});
    }
    return in;
  }
};

}  // namespace

std::string encode_times(const TimeLists& lists) {
  if (lists.times.size() > kTimesMax) {
    throw Error(ErrorKind::BadInput, "times: more times than a chunk may hold");
  }
  const Moments moments(lists.times);
  std::string with_table = encode_as_table(lists, moments);
  if (least_bytes_as_gaps(lists) >= with_table.size()) return with_table;
  std::string with_gaps = encode_as_gaps(lists, moments.first());
  return with_gaps.size() < with_table.size() ? with_gaps : with_table;
}

struct TimesChunk::State {
  std::optional<TableForm> table;
  std::optional<GapsForm> gaps;
};

TimesChunk TimesChunk::open(std::string_view bytes) {
  ByteReader reader(bytes, kWhat);
  auto state = std::make_unique<State>();
  const std::uint8_t form = reader.u8();
  if (form > 1) throw_corrupt("a form that is not known");
  if (static_cast<Form>(form) == Form::Table) {
    state->table = TableForm::open(reader);
  } else {
    state->gaps = GapsForm::open(reader);
  }
  return TimesChunk(std::move(state));
}

TimesChunk::TimesChunk(std::unique_ptr<State> state) : state_(std::move(state)) {}
TimesChunk::TimesChunk(TimesChunk&&) noexcept = default;
TimesChunk& TimesChunk::operator=(TimesChunk&&) noexcept = default;
TimesChunk::~TimesChunk() = default;

std::size_t TimesChunk::node_count() const noexcept {
  return state_->table ? state_->table->numbers.node_count() : state_->gaps->index.node_count();
}

std::uint64_t TimesChunk::time_count() const noexcept {
  return state_->table ? state_->table->numbers.link_count() : state_->gaps->time_count;
}

std::size_t TimesChunk::count(std::size_t node) const {
  if (node >= node_count()) throw Error(ErrorKind::BadInput, "times: a chunk has no such node");
  if (state_->table) return state_->table->numbers.degree(node);
  const auto holder = state_->gaps->index.holder(node);
  if (!holder) return 0;
  TokenReader in = state_->gaps->seek(*holder);
  return state_->gaps->read_count(in);
}

bool TimesChunk::has_times(std::size_t node) const {
  if (node >= node_count()) throw Error(ErrorKind::BadInput, "times: a chunk has no such node");
  if (state_->table) return state_->table->numbers.has_targets(node);
  return state_->gaps->index.holder(node).has_value();
}

void TimesChunk::times(std::size_t node, std::vector<Time>& out) const {
  if (node >= node_count()) throw Error(ErrorKind::BadInput, "times: a chunk has no such node");
  out.clear();
  if (state_->table) {
    thread_local std::vector<Uid> numbers;
    state_->table->numbers.targets(node, numbers);
    state_->table->append_times(numbers, out);
    return;
  }
  const auto holder = state_->gaps->index.holder(node);
  if (!holder) return;
  TokenReader in = state_->gaps->seek(*holder);
  const std::uint64_t count = state_->gaps->read_count(in);
  state_->gaps->read_times(in, count, [&](Time time) { out.push_back(time); });
}

void TimesChunk::decode(TimeLists& out) const {
  out.clear();
  if (state_->table) {
    LinkLists numbers;
    state_->table->numbers.decode(numbers);
    for (std::size_t node = 0; node < numbers.node_count(); ++node) {
      state_->table->append_times(numbers.list(node), out.times);
    }
    out.ends = std::move(numbers.ends);
    return;
  }
  const GapsForm& gaps = *state_->gaps;
  for (std::size_t node = 0; node < gaps.index.node_count(); ++node) {
    if (const auto holder = gaps.index.holder(node)) {
      TokenReader in = gaps.seek(*holder);
      const std::uint64_t count = gaps.read_count(in);
      gaps.read_times(in, count, [&](Time time) { out.times.push_back(time); });
    }
    if (out.times.size() > gaps.time_count) throw_corrupt("more times than the chunk has");
    out.ends.push_back(static_cast<std::uint32_t>(out.times.size()));
  }
}

std::size_t TimesChunk::memory_bytes() const noexcept {
  if (state_->table) {
    return sizeof(State) + state_->table->moments.size() * sizeof(Time) +
           state_->table->numbers.memory_bytes();
  }
  return sizeof(State) + state_->gaps->index.memory_bytes() + state_->gaps->tables.memory_bytes();
}

}  // namespace webstrata
