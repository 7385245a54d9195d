// SPDX-License-Identifier: Apache-2.0

// Most links never change their value, and neighbours have the same. So a unit of rows holds
//
//   base        the value of every column when it is first a one, as runs over the columns;
//               columns between two ones of the unit belong to the previous run
//   exceptions  for the columns whose value changes: in which rows, and to what
//
// A unit is closed when it has 64 exceptions and a quarter as many as columns, so that finding one
// row's values is cheap, and repeating the base costs little compared with the exceptions. Values
// are numbers in a table of the chunk, the most frequent first. When all values are equal, every
// number is the same and takes no bits.
//
// Units state their size, so they can be skipped without knowing the width of their node.
//
// Tested by tests/codec/kinds_test.cpp.

#include "webstrata/codec/kinds.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <iterator>
#include <limits>
#include <utility>

#include "webstrata/base/bytes.h"
#include "webstrata/base/error.h"
#include "webstrata/codec/block.h"
#include "webstrata/codec/token_coder.h"
#include "webstrata/codec/unit_index.h"

namespace webstrata {
namespace {

constexpr std::uint32_t kUnitExceptions = 64;
// In a chunk with a wider node every unit is indexed, which bounds the work of skipping.
constexpr std::uint32_t kSkippableWidth = 1 << 16;
constexpr std::string_view kWhat = "kinds";

enum Context : std::uint32_t {
  kUnitRows = 0,
  kRunCount = kUnitRows + 1,
  kRunLength = kRunCount + 1,
  kRunValue = kRunLength + 4,
  kChangingCount = kRunValue + 8,
  kColumnGap = kChangingCount + 4,
  kMoreExceptions = kColumnGap + 1,
  kSameRow = kMoreExceptions + 1,
  kRowGap = kSameRow + 1,
  kException = kRowGap + 1,
  kContextCount = kException + 8,
};

[[noreturn]] void throw_corrupt(const char* reason) {
  throw Error(ErrorKind::Corrupt, std::string(kWhat) + ": " + reason);
}

std::uint32_t log_class(std::uint64_t number, std::uint32_t largest) {
  return std::min(static_cast<std::uint32_t>(std::bit_width(number)), largest);
}
std::uint32_t small(std::uint64_t number, std::uint32_t largest) {
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(number, largest));
}

// ---------------------------------------------------------------------------------------------
// Writing

std::uint32_t as_number(LinkValue value) { return std::uint32_t{value.kinds} << 8 | value.count; }

// The distinct values, the most frequent first, and their numbers.
class ValueTable {
 public:
  explicit ValueTable(std::span<const LinkValue> values) : number_of_(1 << 16, 0) {
    std::vector<std::uint32_t> counts(1 << 16, 0);
    for (const LinkValue value : values) ++counts[as_number(value)];
    for (std::uint32_t value = 0; value < counts.size(); ++value) {
      if (counts[value] > 0) values_.push_back(value);
    }
    std::ranges::stable_sort(values_, std::greater{},
                             [&](std::uint32_t value) { return counts[value]; });
    for (std::uint32_t i = 0; i < values_.size(); ++i) number_of_[values_[i]] = i;
  }

  [[nodiscard]] std::uint32_t number(LinkValue value) const { return number_of_[as_number(value)]; }
  void append_to(std::string& bytes) const {
    append_varint(bytes, values_.size());
    for (const std::uint32_t value : values_) {
      bytes += static_cast<char>(value >> 8);
      bytes += static_cast<char>(value & 0xff);
    }
  }

 private:
  std::vector<std::uint32_t> values_;
  std::vector<std::uint32_t> number_of_;
};

struct Exception {
  std::uint32_t column = 0;
  std::uint32_t row = 0;  // of the unit
  std::uint32_t value = 0;
  friend auto operator<=>(const Exception&, const Exception&) = default;
};

struct Base {
  std::uint32_t column = 0;
  std::uint32_t value = 0;
  friend auto operator<=>(const Base&, const Base&) = default;
};

struct Unit {
  std::uint32_t row_count = 0;
  std::vector<Base> bases;  // later: runs
  std::vector<Exception> exceptions;

  [[nodiscard]] bool is_full() const noexcept {
    return exceptions.size() >= kUnitExceptions && exceptions.size() >= bases.size() / 4;
  }
};

// Cuts the rows of a node into units.
class UnitFinder {
 public:
  UnitFinder(const PresenceRows& rows, std::span<const LinkValue> values, const ValueTable& table)
      : rows_(rows), values_(values), table_(table) {}

  std::vector<Unit> units(std::size_t node) {
    std::vector<Unit> units;
    present_.resize(std::max<std::size_t>(present_.size(), rows_.widths[node]));
    for (std::size_t row = rows_.first_row(node); row < rows_.row_ends[node]; ++row) {
      if (units.empty() || units.back().is_full()) {
        units.emplace_back();
        ++epoch_;
      }
      add_row(units.back(), row);
    }
    for (Unit& unit : units) join_bases(unit);
    return units;
  }

 private:
  struct Present {
    std::uint64_t epoch = 0;  // of the unit that wrote the value
    std::uint32_t value = 0;
  };

  void add_row(Unit& unit, std::size_t row) {
    for (std::size_t one = rows_.first_one(row); one < rows_.one_ends[row]; ++one) {
      const std::uint32_t column = rows_.ones[one];
      const std::uint32_t value = table_.number(values_[one]);
      Present& present = present_[column];
      if (present.epoch != epoch_) {
        unit.bases.push_back({column, value});
      } else if (present.value != value) {
        unit.exceptions.push_back({column, unit.row_count, value});
      }
      present = {epoch_, value};
    }
    ++unit.row_count;
  }

  static void join_bases(Unit& unit) {
    std::ranges::sort(unit.bases);
    std::ranges::sort(unit.exceptions);
    const auto same = [](const Base& a, const Base& b) { return a.value == b.value; };
    unit.bases.erase(std::unique(unit.bases.begin(), unit.bases.end(), same), unit.bases.end());
    if (!unit.bases.empty()) unit.bases.front().column = 0;
  }

  const PresenceRows& rows_;
  std::span<const LinkValue> values_;
  const ValueTable& table_;
  std::vector<Present> present_;
  std::uint64_t epoch_ = 0;
};

class UnitWriter {
 public:
  explicit UnitWriter(TokenWriter& out) : out_(out) {}

  void write(const Unit& unit) {
    put_bases(unit.bases);
    put_exceptions(unit.exceptions, unit.bases.size());
  }

 private:
  void put_bases(const std::vector<Base>& runs) {
    out_.put(kRunCount, runs.size());
    std::uint32_t last_value = 0;
    for (std::size_t i = 0; i < runs.size(); ++i) {
      if (i > 0) {
        out_.put(kRunLength + small(last_value, 3), runs[i].column - runs[i - 1].column - 1);
      }
      out_.put(kRunValue + small(last_value, 7), runs[i].value);
      last_value = runs[i].value;
    }
  }

  void put_exceptions(const std::vector<Exception>& exceptions, std::size_t run_count) {
    std::uint32_t changing = 0;
    for (std::size_t i = 0; i < exceptions.size(); ++i) changing += begins_column(exceptions, i);
    out_.put(kChangingCount + log_class(run_count, 3), changing);
    std::uint32_t next_column = 0;
    std::uint32_t last_first_row = 0;
    for (std::size_t i = 0; i < exceptions.size();) {
      std::size_t end = i + 1;
      while (end < exceptions.size() && !begins_column(exceptions, end)) ++end;
      const Exception& first = exceptions[i];
      out_.put(kColumnGap, first.column - next_column);
      out_.put(kMoreExceptions, end - i - 1);
      out_.put(kSameRow, first.row == last_first_row ? 0 : first.row);
      last_first_row = first.row;
      next_column = first.column + 1;
      put_values(std::span(exceptions).subspan(i, end - i));
      i = end;
    }
  }

  void put_values(std::span<const Exception> of_column) {
    std::uint32_t last_value = 0;
    for (std::size_t i = 0; i < of_column.size(); ++i) {
      if (i > 0) out_.put(kRowGap, of_column[i].row - of_column[i - 1].row - 1);
      out_.put(kException + small(last_value, 7), of_column[i].value);
      last_value = of_column[i].value;
    }
  }

  static bool begins_column(const std::vector<Exception>& exceptions, std::size_t i) {
    return i == 0 || exceptions[i].column != exceptions[i - 1].column;
  }

  TokenWriter& out_;
};

// ---------------------------------------------------------------------------------------------
// Reading

// Calls on_run(column, value) for each run of the base, then on_exception(column, row, value).
template <class OnRun, class OnException>
void read_unit(TokenReader& in, std::uint64_t width, std::size_t value_count, OnRun on_run,
               OnException on_exception) {
  const auto checked_value = [&](std::uint32_t context) {
    const std::uint64_t value = in.get(context);
    if (value >= value_count) throw_corrupt("a value that is not in the table");
    return static_cast<std::uint32_t>(value);
  };
  // `from` and `width` are small, `by` is anything.
  const auto checked_column = [&](std::uint64_t from, std::uint64_t by) {
    if (by >= width || from + by >= width) throw_corrupt("a column outside the node");
    return static_cast<std::uint32_t>(from + by);
  };

  const std::uint64_t runs = in.get(kRunCount);
  if (runs > width) throw_corrupt("more runs than columns");
  std::uint64_t column = 0;
  std::uint32_t value = 0;
  for (std::uint64_t run = 0; run < runs; ++run) {
    if (run > 0) column = checked_column(column + 1, in.get(kRunLength + small(value, 3)));
    value = checked_value(kRunValue + small(value, 7));
    on_run(static_cast<std::uint32_t>(column), value);
  }

  const std::uint64_t changing = in.get(kChangingCount + log_class(runs, 3));
  if (changing > width) throw_corrupt("more columns change than there are");
  std::uint64_t exceptions_left = std::max<std::uint64_t>(kUnitExceptions, width / 4) + width;
  std::uint64_t next_column = 0;
  std::uint64_t first_row = 0;
  for (std::uint64_t i = 0; i < changing; ++i) {
    const std::uint32_t place = checked_column(next_column, in.get(kColumnGap));
    next_column = std::uint64_t{place} + 1;
    const std::uint64_t more = in.get(kMoreExceptions);
    if (more >= exceptions_left) throw_corrupt("more exceptions than a unit holds");
    exceptions_left -= more + 1;
    const std::uint64_t other_row = in.get(kSameRow);
    if (other_row != 0) first_row = other_row;
    std::uint64_t row = first_row;
    value = 0;
    for (std::uint64_t exception = 0; exception <= more; ++exception) {
      if (exception > 0) row += std::min<std::uint64_t>(in.get(kRowGap), kChunkItems) + 1;
      value = checked_value(kException + small(value, 7));
      on_exception(place, row, value);
    }
  }
}

}  // namespace

std::string encode_kinds(const PresenceRows& rows, std::span<const LinkValue> values) {
  const ValueTable table(values);
  UnitFinder finder(rows, values, table);
  TokenWriter out(kContextCount);
  UnitLayout layout;
  std::vector<Unit> units;
  for (std::size_t node = 0; node < rows.node_count(); ++node) {
    std::vector<Unit> of_node = finder.units(node);
    layout.units.push_back(static_cast<std::uint32_t>(of_node.size()));
    for (std::size_t i = 0; i + 1 < of_node.size(); ++i) {
      out.put(kUnitRows, of_node[i].row_count - 1);
    }
    if (rows.row_count(node) > 0 && rows.widths[node] > kSkippableWidth) layout.can_skip = false;
    std::ranges::move(of_node, std::back_inserter(units));
  }
  UnitWriter writer(out);
  for (const Unit& unit : units) {
    out.mark();
    writer.write(unit);
  }
  EncodedTokens encoded = out.finish();
  layout.positions = std::move(encoded.positions);
  layout.end = encoded.bit_count;
  std::string bytes = encode_unit_index(layout);
  table.append_to(bytes);
  return bytes + encoded.tables + encoded.stream;
}

struct KindsChunk::State {
  UnitIndex index;
  std::vector<LinkValue> values;
  TokenTables tables;
  std::string_view stream;
  std::vector<std::uint32_t> unit_starts = {};  // by mark, if any node has several units

  void read_unit_starts() {
    TokenReader in(tables, stream);
    for (std::uint32_t holder = 0; holder < index.holder_count(); ++holder) {
      const std::uint32_t units = index.unit_count(holder);
      if (units == 1) continue;
      unit_starts.resize(index.mark_count());
      std::uint64_t start = 0;
      for (std::uint32_t unit = 1; unit < units; ++unit) {
        start += std::min<std::uint64_t>(in.get(kUnitRows), kRowsMax) + 1;
        if (start > kRowsMax) throw_corrupt("more rows than a node may have");
        unit_starts[index.mark(holder) + unit] = static_cast<std::uint32_t>(start);
      }
    }
  }
  static constexpr std::uint64_t kRowsMax = std::uint64_t{kChunkItems} * 4;

  [[nodiscard]] std::uint32_t unit_of_row(std::uint32_t holder, std::size_t row) const noexcept {
    const std::uint32_t units = index.unit_count(holder);
    if (units == 1) return 0;
    const std::uint32_t* first = unit_starts.data() + index.mark(holder);
    return static_cast<std::uint32_t>(std::upper_bound(first, first + units, row) - first - 1);
  }
  [[nodiscard]] std::size_t first_row(std::uint32_t holder, std::uint32_t unit) const noexcept {
    return index.unit_count(holder) == 1 ? 0 : unit_starts[index.mark(holder) + unit];
  }

  // At the start of a unit.
  [[nodiscard]] TokenReader seek(std::uint32_t holder, std::uint32_t unit) const {
    const UnitIndex::Place place = index.place(holder, unit);
    TokenReader in(tables, stream, place.bit);
    for (std::uint32_t i = 0; i < place.skip; ++i) {
      read_unit(
          in, kSkippableWidth, values.size(), [](std::uint32_t, std::uint32_t) {},
          [](std::uint32_t, std::uint64_t, std::uint32_t) {});
    }
    return in;
  }
};

KindsChunk KindsChunk::open(std::string_view bytes) {
  ByteReader reader(bytes, kWhat);
  UnitIndex index = UnitIndex::open(reader, kWhat);
  const std::uint64_t value_count = reader.varint();
  if (value_count > reader.remaining() / 2) throw_corrupt("more values than bytes");
  std::vector<LinkValue> values(value_count);
  for (LinkValue& value : values) {
    value.kinds = reader.u8();
    value.count = reader.u8();
  }
  TokenTables tables = TokenTables::open(reader, kContextCount);
  auto state = std::make_unique<State>(State{std::move(index), std::move(values), std::move(tables),
                                             reader.take(reader.remaining())});
  state->read_unit_starts();
  return KindsChunk(std::move(state));
}

KindsChunk::KindsChunk(std::unique_ptr<State> state) : state_(std::move(state)) {}
KindsChunk::KindsChunk(KindsChunk&&) noexcept = default;
KindsChunk& KindsChunk::operator=(KindsChunk&&) noexcept = default;
KindsChunk::~KindsChunk() = default;

std::size_t KindsChunk::node_count() const noexcept { return state_->index.node_count(); }

void KindsChunk::row(std::size_t node, std::uint32_t width, std::size_t row,
                     std::span<const std::uint32_t> columns, std::vector<LinkValue>& out) const {
  out.clear();
  const auto holder = state_->index.holder(node);
  if (!holder) throw Error(ErrorKind::BadInput, "kinds: a node has no such row");
  if (columns.empty()) return;
  const std::uint32_t unit = state_->unit_of_row(*holder, row);
  const std::size_t row_of_unit = row - state_->first_row(*holder, unit);
  TokenReader in = state_->seek(*holder, unit);

  out.resize(columns.size());
  const std::vector<LinkValue>& values = state_->values;
  std::size_t filled = 0;  // columns whose base is known
  bool has_base = false;
  LinkValue base;
  std::size_t next = 0;  // the column at which exceptions are
  read_unit(
      in, width, values.size(),
      [&](std::uint32_t column, std::uint32_t value) {
        for (; filled < columns.size() && columns[filled] < column; ++filled) out[filled] = base;
        base = values[value];
        has_base = true;
      },
      [&](std::uint32_t column, std::uint64_t exception_row, std::uint32_t value) {
        if (exception_row > row_of_unit) return;
        for (; filled < columns.size(); ++filled) out[filled] = base;
        while (next < columns.size() && columns[next] < column) ++next;
        if (next < columns.size() && columns[next] == column) out[next] = values[value];
      });
  if (!has_base) throw_corrupt("a unit without values");
  for (; filled < columns.size(); ++filled) out[filled] = base;
}

namespace {

// The current values of columns while the rows of a unit are read.
class PresentValues {
 public:
  void start(std::uint32_t width) {
    present_.resize(std::max<std::size_t>(present_.size(), width));
    bases_.clear();
    exceptions_.clear();
    ++epoch_;
    next_ = 0;
  }
  void add_base(Base base) { bases_.push_back(base); }
  void add_exception(std::uint32_t column, std::uint64_t row, std::uint32_t value) {
    constexpr std::uint64_t kLast = std::numeric_limits<std::uint32_t>::max();
    exceptions_.push_back({column, static_cast<std::uint32_t>(std::min(row, kLast)), value});
  }
  void sort_exceptions() {
    const auto by_row = [](const Exception& exception) { return exception.row; };
    std::ranges::stable_sort(exceptions_, {}, by_row);
  }

  void go_to(std::size_t row) {
    for (; next_ < exceptions_.size() && exceptions_[next_].row <= row; ++next_) {
      present_[exceptions_[next_].column] = {epoch_, exceptions_[next_].value};
    }
  }
  std::uint32_t value(std::uint32_t column) {
    Present& present = present_[column];
    if (present.epoch != epoch_) present = {epoch_, base_of(column)};
    return present.value;
  }

 private:
  struct Present {
    std::uint64_t epoch = 0;
    std::uint32_t value = 0;
  };
  [[nodiscard]] std::uint32_t base_of(std::uint32_t column) const {
    const auto behind = std::ranges::upper_bound(bases_, column, {}, &Base::column);
    if (behind == bases_.begin()) throw_corrupt("a unit without values");
    return std::prev(behind)->value;
  }

  std::vector<Base> bases_;
  std::vector<Exception> exceptions_;
  std::vector<Present> present_;
  std::uint64_t epoch_ = 0;
  std::size_t next_ = 0;
};

}  // namespace

void KindsChunk::rows(std::size_t node, const PresenceRows& rows,
                      std::vector<LinkValue>& out) const {
  const auto holder = state_->index.holder(node);
  if (!holder) {
    if (!rows.ones.empty()) throw_corrupt("a node without values");
    return;
  }
  thread_local PresentValues present;
  const std::uint32_t width = rows.widths[0];
  const std::uint32_t units = state_->index.unit_count(*holder);
  for (std::uint32_t unit = 0; unit < units; ++unit) {
    TokenReader in = state_->seek(*holder, unit);
    present.start(width);
    read_unit(
        in, width, state_->values.size(),
        [&](std::uint32_t column, std::uint32_t value) {
          present.add_base({column, value});
        },
        [&](std::uint32_t column, std::uint64_t row, std::uint32_t value) {
          present.add_exception(column, row, value);
        });
    present.sort_exceptions();
    const std::size_t first = state_->first_row(*holder, unit);
    const bool is_last = unit + 1 == units;
    const std::size_t end = is_last ? rows.row_count(0) : state_->first_row(*holder, unit + 1);
    if (end > rows.row_count(0)) throw_corrupt("units longer than the node");
    for (std::size_t row = first; row < end; ++row) {
      present.go_to(row - first);
      for (const std::uint32_t column : rows.row(row)) {
        out.push_back(state_->values[present.value(column)]);
      }
    }
  }
}

std::size_t KindsChunk::memory_bytes() const noexcept {
  return sizeof(State) + state_->index.memory_bytes() + state_->tables.memory_bytes() +
         state_->values.size() * sizeof(LinkValue) + state_->unit_starts.size() * 4;
}

}  // namespace webstrata
