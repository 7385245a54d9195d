// SPDX-License-Identifier: Apache-2.0

// A page changes little from one capture to the next. So a row is written as its changes from the
// previous row, and each kind of change is counted among the columns it can affect, which keeps
// numbers small:
//
//   removed    counted among the ones
//   added      counted among the columns that have not been a one so far ("unseen")
//   returned   counted among those that were and are not now ("gone")
//
// After 63 changes a new unit begins with a full row: what is missing among all columns. So a row
// decodes from at most 64 changes, the full row counted, wherever it is; rows that are equal to the
// previous one do not count. A unit can be decoded alone: everything missing in its first row is
// unseen. (Saying there what is gone costs more than it saves: 0.267 against 0.257 bits per link
// fact of openbsd-www.) If a node has a single row, nothing is missing, as every column is a one
// somewhere; that takes no bits once the code tables know it.
//
// Sets are written as runs: the distance to the next run, and its length if it can be more than
// one. Changes are written as the number of equal rows before it, then one small number for all
// three counts up to one or two, and the rest of the counts where they are more.
//
// A unit can be skipped without knowing the width of its node: no context depends on the number of
// ones. That lets several small nodes share an entry of the index (unit_index.h).
//
// presence_model.h has what both sides share: the contexts, and how sets and counts are coded.
//
// Tested by tests/codec/presence_test.cpp.

#include "webstrata/codec/presence.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "webstrata/base/bytes.h"
#include "webstrata/base/error.h"
#include "webstrata/codec/block.h"
#include "webstrata/codec/column_set.h"
#include "webstrata/codec/presence_model.h"
#include "webstrata/codec/token_coder.h"
#include "webstrata/codec/unit_index.h"

namespace webstrata {
namespace {

using namespace presence_model;

constexpr std::uint32_t kUnitChanges = 63;  // after the full row
// In a chunk with a wider node every unit is indexed, which bounds the work of skipping.
constexpr std::uint32_t kSkippableWidth = 1 << 16;
// More items than that are only in a chunk of a single row.
constexpr std::uint64_t kItemsMax = std::uint64_t{kChunkItems} * 4;

// The state of every column of a node.
struct Columns {
  ColumnSet ones;
  ColumnSet unseen;
  ColumnSet gone;
  std::uint32_t width = 0;

  void reset(std::uint32_t columns) {
    width = columns;
    ones.reset(width, true);
    unseen.reset(width, false);
    gone.reset(width, false);
  }
  [[nodiscard]] Sizes sizes() const noexcept { return {unseen.size(), gone.size()}; }

  void miss(std::uint32_t first, std::uint32_t count) noexcept {
    ones.erase_range(first, count);
    unseen.insert_range(first, count);
  }
  void add(std::uint32_t column) noexcept {
    unseen.erase(column);
    ones.insert(column);
  }
  void remove(std::uint32_t column) noexcept {
    ones.erase(column);
    gone.insert(column);
  }
  void bring_back(std::uint32_t column) noexcept {
    gone.erase(column);
    ones.insert(column);
  }
};

// ---------------------------------------------------------------------------------------------
// Writing

class RunList {
 public:
  void clear() {
    runs_.clear();
    count_ = 0;
  }
  // After all existing ones.
  void add(std::uint32_t start, std::uint32_t length = 1) {
    if (length == 0) return;
    count_ += length;
    if (!runs_.empty() && runs_.back().start + runs_.back().length == start) {
      runs_.back().length += length;
    } else {
      runs_.push_back({start, length});
    }
  }
  [[nodiscard]] const std::vector<Run>& runs() const noexcept { return runs_; }
  [[nodiscard]] std::uint32_t count() const noexcept { return count_; }

 private:
  std::vector<Run> runs_;
  std::uint32_t count_ = 0;
};

// The rows, numbered inside the node, with which its units begin.
void find_units(const PresenceRows& rows, std::size_t node, std::vector<std::uint32_t>& starts) {
  const std::size_t first = rows.first_row(node);
  std::uint32_t changes = kUnitChanges;
  for (std::size_t row = first; row < rows.row_ends[node]; ++row) {
    if (row > first && std::ranges::equal(rows.row(row - 1), rows.row(row))) continue;
    if (changes == kUnitChanges) {
      starts.push_back(static_cast<std::uint32_t>(row - first));
      changes = 0;
    } else {
      ++changes;
    }
  }
}

class NodeWriter {
 public:
  explicit NodeWriter(TokenWriter& out) : out_(out) {}

  void write(const PresenceRows& rows, std::size_t node, std::span<const std::uint32_t> starts) {
    const std::size_t first = rows.first_row(node);
    const std::size_t count = rows.row_count(node);
    for (std::size_t unit = 0; unit < starts.size(); ++unit) {
      out_.mark();
      const std::size_t start = first + starts[unit];
      const std::size_t end = unit + 1 < starts.size() ? first + starts[unit + 1] : first + count;
      columns_.reset(rows.widths[node]);
      put_full_row(rows.row(start), missing_context(count, unit == 0));
      put_changes(rows, start, end);
    }
  }

 private:
  void put_full_row(std::span<const std::uint32_t> row, std::uint32_t context) {
    missing_.clear();
    std::uint32_t next = 0;
    for (const std::uint32_t column : row) {
      missing_.add(next, column - next);
      next = column + 1;
    }
    missing_.add(next, columns_.width - next);
    out_.put(context, missing_.count());
    put_runs(out_, World::All, missing_.runs(), missing_.count(), 0);
    for (const Run& run : missing_.runs()) columns_.miss(run.start, run.length);
  }

  // The rows after the first of a unit.
  void put_changes(const PresenceRows& rows, std::size_t first, std::size_t end) {
    std::uint32_t last_change = 0;
    std::size_t row = first + 1;
    while (row < end) {
      const std::size_t begin = row;
      const std::size_t rows_left = end - begin;
      while (row < end && std::ranges::equal(rows.row(row - 1), rows.row(row))) ++row;
      out_.put(equal_rows_context(rows_left, last_change), row == end ? 0 : row - begin + 1);
      if (row == end) return;
      find_changes(rows.row(row - 1), rows.row(row));
      const ChangeCounts counts{added_.count(), removed_.count(), returned_.count()};
      const Sizes sizes = columns_.sizes();
      put_counts(out_, counts, sizes, last_change);
      put_runs(out_, World::Unseen, added_.runs(), counts.added, sizes.unseen);
      put_runs(out_, World::Ones, removed_.runs(), counts.removed, 0);
      put_runs(out_, World::Gone, returned_.runs(), counts.returned, sizes.gone);
      apply_changes();
      last_change = counts.size_class();
      ++row;
    }
  }

  void find_changes(std::span<const std::uint32_t> before, std::span<const std::uint32_t> after) {
    added_.clear();
    removed_.clear();
    returned_.clear();
    added_columns_.clear();
    removed_columns_.clear();
    returned_columns_.clear();
    ColumnSet::Cursor unseen(columns_.unseen);
    ColumnSet::Cursor gone(columns_.gone);
    std::size_t old = 0;
    for (const std::uint32_t column : after) {
      while (old < before.size() && before[old] < column) remove(before, old++);
      if (old < before.size() && before[old] == column) {
        ++old;
      } else if (columns_.unseen.has(column)) {
        added_columns_.push_back(column);
        added_.add(unseen.position(column));
      } else {
        returned_columns_.push_back(column);
        returned_.add(gone.position(column));
      }
    }
    while (old < before.size()) remove(before, old++);
  }

  // The number of a one among the ones is its place in the row.
  void remove(std::span<const std::uint32_t> before, std::size_t place) {
    removed_columns_.push_back(before[place]);
    removed_.add(static_cast<std::uint32_t>(place));
  }

  void apply_changes() {
    for (const std::uint32_t column : added_columns_) columns_.add(column);
    for (const std::uint32_t column : removed_columns_) columns_.remove(column);
    for (const std::uint32_t column : returned_columns_) columns_.bring_back(column);
  }

  TokenWriter& out_;
  Columns columns_;
  RunList missing_, added_, removed_, returned_;
  std::vector<std::uint32_t> added_columns_, removed_columns_, returned_columns_;
};

// ---------------------------------------------------------------------------------------------
// Reading

// Reads the rows of a unit one by one; without columns it only finds the unit's end.
class UnitReader {
 public:
  UnitReader(TokenReader& in, Columns* columns) : in_(in), columns_(columns) {}

  void read_full_row(std::size_t row_count, bool is_first_unit) {
    const std::uint64_t missing = in_.get(missing_context(row_count, is_first_unit));
    if (missing > width_max()) throw_corrupt("more columns are missing than there are");
    get_runs(in_, World::All, missing, 0, [&](std::uint64_t start, std::uint64_t length) {
      if (columns_ == nullptr) return;
      if (start + length > columns_->width) throw_corrupt("a missing column outside the node");
      columns_->miss(static_cast<std::uint32_t>(start), static_cast<std::uint32_t>(length));
    });
    sizes_ = {static_cast<std::uint32_t>(missing), 0};
  }

  // Rows from here on that are equal to the present one: 0 means all `rows_left`.
  std::size_t read_equal_rows(std::size_t rows_left) {
    const std::uint64_t rows = in_.get(equal_rows_context(rows_left, last_change_));
    if (rows > rows_left) throw_corrupt("more rows than the node has");
    return rows == 0 ? rows_left : rows - 1;
  }

  void read_change() {
    const std::uint32_t ones_max = columns_ == nullptr ? kSkippableWidth : columns_->ones.size();
    const ChangeCounts counts = get_counts(in_, sizes_, ones_max, last_change_);
    changed_.clear();
    if (columns_ == nullptr) {
      const auto ignore = [](std::uint64_t, std::uint64_t) {};
      get_runs(in_, World::Unseen, counts.added, sizes_.unseen, ignore);
      get_runs(in_, World::Ones, counts.removed, 0, ignore);
      get_runs(in_, World::Gone, counts.returned, sizes_.gone, ignore);
    } else {
      find(World::Unseen, counts.added, columns_->unseen);
      find(World::Ones, counts.removed, columns_->ones);
      find(World::Gone, counts.returned, columns_->gone);
      apply(counts);
    }
    sizes_.unseen -= counts.added;
    sizes_.gone += counts.removed - counts.returned;
    last_change_ = counts.size_class();
  }

 private:
  [[nodiscard]] std::uint32_t width_max() const noexcept {
    return columns_ == nullptr ? kSkippableWidth : columns_->width;
  }

  // Appends the columns of `count` members of `set` to changed_.
  void find(World world, std::uint64_t count, const ColumnSet& set) {
    ColumnSet::Cursor cursor(set);
    get_runs(in_, world, count, set.size(), [&](std::uint64_t start, std::uint64_t length) {
      if (start + length > set.size()) throw_corrupt("a change outside its set");
      for (std::uint64_t i = 0; i < length; ++i) {
        changed_.push_back(cursor.member(static_cast<std::uint32_t>(start + i)));
      }
    });
  }

  void apply(const ChangeCounts& counts) {
    const std::uint32_t* column = changed_.data();
    for (std::uint32_t i = 0; i < counts.added; ++i) columns_->add(*column++);
    for (std::uint32_t i = 0; i < counts.removed; ++i) columns_->remove(*column++);
    for (std::uint32_t i = 0; i < counts.returned; ++i) columns_->bring_back(*column++);
  }

  TokenReader& in_;
  Columns* columns_;
  Sizes sizes_;
  std::uint32_t last_change_ = 0;
  static thread_local std::vector<std::uint32_t> changed_;
};

thread_local std::vector<std::uint32_t> UnitReader::changed_;
thread_local Columns columns_of_this_thread;

// Calls on_equal_rows(n) for each group of equal rows of a unit, while the columns have their
// state; stops after row number `last` of the unit.
template <class OnEqualRows>
void read_unit(UnitReader& reader, std::size_t rows, std::size_t last, OnEqualRows on_equal_rows) {
  std::size_t row = 0;
  while (true) {
    const std::size_t rows_left = rows - row - 1;
    const std::size_t equal = rows_left == 0 ? 0 : reader.read_equal_rows(rows_left);
    on_equal_rows(equal + 1);
    row += equal;
    if (row >= last) return;
    reader.read_change();
    ++row;
  }
}

}  // namespace

std::string encode_presence(const PresenceRows& rows) {
  const std::uint64_t items = std::uint64_t{rows.ones.size()} + rows.one_ends.size();
  if (items > kItemsMax && rows.one_ends.size() > 1) {
    throw Error(ErrorKind::BadInput, "presence: a chunk of more items than one may hold");
  }
  TokenWriter out(kContextCount);
  UnitLayout layout;
  std::vector<std::uint32_t> starts;
  std::uint32_t last_count = 0;
  for (std::size_t node = 0; node < rows.node_count(); ++node) {
    const std::size_t first_unit = starts.size();
    find_units(rows, node, starts);
    layout.units.push_back(static_cast<std::uint32_t>(starts.size() - first_unit));
    const auto count = static_cast<std::uint32_t>(rows.row_count(node));
    if (count == 0) continue;
    out.put(kRowCount + log_class(last_count, 7), count - 1);
    for (std::size_t unit = first_unit + 1; unit < starts.size(); ++unit) {
      out.put(kUnitRows, starts[unit] - starts[unit - 1] - 1);
    }
    last_count = count;
    if (rows.widths[node] > kSkippableWidth) layout.can_skip = false;
  }
  NodeWriter writer(out);
  std::size_t next_unit = 0;
  for (std::size_t node = 0; node < rows.node_count(); ++node) {
    writer.write(rows, node, std::span(starts).subspan(next_unit, layout.units[node]));
    next_unit += layout.units[node];
  }

  EncodedTokens encoded = out.finish();
  layout.positions = std::move(encoded.positions);
  layout.end = encoded.bit_count;
  std::string bytes = encode_unit_index(layout);
  append_varint(bytes, rows.ones.size());
  bytes += encoded.tables;
  return bytes + encoded.stream;
}

struct PresenceChunk::State {
  UnitIndex index;
  std::uint64_t one_count;
  TokenTables tables;
  std::string_view stream;
  std::vector<std::uint32_t> row_counts = {};   // of nodes that have rows
  std::vector<std::uint32_t> unit_starts = {};  // by mark, if any node has several units

  void read_row_counts() {
    TokenReader in(tables, stream);
    std::uint64_t last_count = 0;
    std::uint64_t total = 0;
    row_counts.reserve(index.holder_count());
    for (std::uint32_t holder = 0; holder < index.holder_count(); ++holder) {
      last_count = in.get(kRowCount + log_class(last_count, 7)) + 1;
      if (last_count > kItemsMax - total) throw_corrupt("more rows than a chunk may hold");
      total += last_count;
      row_counts.push_back(static_cast<std::uint32_t>(last_count));
      if (index.unit_count(holder) > 1) read_unit_starts(in, holder);
    }
    if (one_count > kItemsMax && total > 1) throw_corrupt("more ones than a chunk may hold");
  }

  void read_unit_starts(TokenReader& in, std::uint32_t holder) {
    unit_starts.resize(index.mark_count());
    std::uint64_t start = 0;
    for (std::uint32_t unit = 1; unit < index.unit_count(holder); ++unit) {
      const std::uint64_t rows = in.get(kUnitRows) + 1;
      if (rows >= row_counts[holder] - start) throw_corrupt("units longer than the node");
      start += rows;
      unit_starts[index.mark(holder) + unit] = static_cast<std::uint32_t>(start);
    }
  }

  struct Unit {
    std::uint32_t number = 0;
    std::size_t first_row = 0;
    std::size_t row_count = 0;
  };
  [[nodiscard]] Unit unit(std::uint32_t holder, std::uint32_t number) const noexcept {
    if (index.unit_count(holder) == 1) return {0, 0, row_counts[holder]};
    const std::uint32_t* start = unit_starts.data() + index.mark(holder) + number;
    const bool is_last = number + 1 == index.unit_count(holder);
    return {number, *start, (is_last ? row_counts[holder] : start[1]) - *start};
  }
  [[nodiscard]] Unit unit_of_row(std::uint32_t holder, std::size_t row) const noexcept {
    if (index.unit_count(holder) == 1) return unit(holder, 0);
    const std::uint32_t* first = unit_starts.data() + index.mark(holder);
    const std::uint32_t* behind = std::upper_bound(first, first + index.unit_count(holder), row);
    return unit(holder, static_cast<std::uint32_t>(behind - first - 1));
  }

  // At the start of a unit.
  [[nodiscard]] TokenReader seek(std::uint32_t holder, std::uint32_t unit) const {
    const UnitIndex::Place place = index.place(holder, unit);
    TokenReader in(tables, stream, place.bit);
    for (std::uint32_t other = holder - place.skip; other < holder; ++other) {
      UnitReader reader(in, nullptr);
      reader.read_full_row(row_counts[other], true);
      read_unit(reader, row_counts[other], row_counts[other] - 1, [](std::size_t) {});
    }
    return in;
  }
};

PresenceChunk PresenceChunk::open(std::string_view bytes) {
  ByteReader reader(bytes, kWhat);
  UnitIndex index = UnitIndex::open(reader, kWhat);
  const std::uint64_t one_count = reader.varint();
  TokenTables tables = TokenTables::open(reader, kContextCount);
  auto state = std::make_unique<State>(
      State{std::move(index), one_count, std::move(tables), reader.take(reader.remaining())});
  state->read_row_counts();
  return PresenceChunk(std::move(state));
}

PresenceChunk::PresenceChunk(std::unique_ptr<State> state) : state_(std::move(state)) {}
PresenceChunk::PresenceChunk(PresenceChunk&&) noexcept = default;
PresenceChunk& PresenceChunk::operator=(PresenceChunk&&) noexcept = default;
PresenceChunk::~PresenceChunk() = default;

std::size_t PresenceChunk::node_count() const noexcept { return state_->index.node_count(); }
std::uint64_t PresenceChunk::one_count() const noexcept { return state_->one_count; }

std::size_t PresenceChunk::row_count(std::size_t node) const {
  const auto holder = state_->index.holder(node);
  return holder ? state_->row_counts[*holder] : 0;
}

void PresenceChunk::row(std::size_t node, std::uint32_t width, std::size_t row,
                        std::vector<std::uint32_t>& columns) const {
  const auto holder = state_->index.holder(node);
  if (!holder || row >= state_->row_counts[*holder]) {
    throw Error(ErrorKind::BadInput, "presence: a node has no such row");
  }
  const State::Unit unit = state_->unit_of_row(*holder, row);
  TokenReader in = state_->seek(*holder, unit.number);
  Columns& scratch = columns_of_this_thread;
  scratch.reset(width);
  UnitReader reader(in, &scratch);
  reader.read_full_row(state_->row_counts[*holder], unit.number == 0);
  if (row > unit.first_row) {
    read_unit(reader, unit.row_count, row - unit.first_row, [](std::size_t) {});
  }
  columns.clear();
  scratch.ones.append_to(columns);
}

void PresenceChunk::rows(std::size_t node, std::uint32_t width, PresenceRows& out) const {
  const auto holder = state_->index.holder(node);
  const std::uint32_t units = holder ? state_->index.unit_count(*holder) : 0;
  std::uint64_t ones_left = state_->one_count;
  Columns& scratch = columns_of_this_thread;
  for (std::uint32_t number = 0; number < units; ++number) {
    const State::Unit unit = state_->unit(*holder, number);
    TokenReader in = state_->seek(*holder, number);
    scratch.reset(width);
    UnitReader reader(in, &scratch);
    reader.read_full_row(state_->row_counts[*holder], number == 0);
    read_unit(reader, unit.row_count, unit.row_count - 1, [&](std::size_t equal_rows) {
      for (std::size_t i = 0; i < equal_rows; ++i) {
        if (scratch.ones.size() > ones_left) throw_corrupt("more ones than the chunk has");
        ones_left -= scratch.ones.size();
        scratch.ones.append_to(out.ones);
        out.one_ends.push_back(static_cast<std::uint32_t>(out.ones.size()));
      }
    });
  }
  out.add_node(width);
}

std::size_t PresenceChunk::memory_bytes() const noexcept {
  return sizeof(State) + state_->index.memory_bytes() + state_->tables.memory_bytes() +
         (state_->row_counts.size() + state_->unit_starts.size()) * 4;
}

}  // namespace webstrata
