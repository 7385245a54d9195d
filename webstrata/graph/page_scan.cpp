// SPDX-License-Identifier: Apache-2.0

// Links and times of a chunk are decoded as a whole, which is fastest; rows and sightings of a page
// only on demand. A cursor walks through the pages of each stratum, in its own numbers; the scan
// takes the page with the smallest uid, and unites what several strata know about it. A page that
// is cut into several chunks is rare: the archive assembles it.
//
// Tested by tests/graph/archive_snapshot_test.cpp.

#include "webstrata/graph/page_scan.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <string>
#include <tuple>

#include <fmt/format.h>

#include "webstrata/base/error.h"

namespace webstrata {
namespace {

constexpr Uid kNoUid = std::numeric_limits<Uid>::max();

// The directory of a block that has data; otherwise none.
BlockView places(const GenerationReader& generation, Layer layer, std::uint64_t block) {
  if (generation.layer(layer).summary(block).items == 0) return {};
  return generation.view(layer, block);
}

}  // namespace

class PageScan::Cursor {
 public:
  // Over the numbers from `first` up to, but without, `end`.
  Cursor(const StackReader& stack, std::size_t stratum, bool has_sightings, std::uint64_t first,
         std::uint64_t end)
      : stack_(stack),
        generation_(stack.stratum(stratum)),
        numbers_(stack.numbers(stratum)),
        stratum_(stratum),
        has_sightings_(has_sightings),
        number_(first),
        end_(end) {
    if (first < end) open_block(generation_.block_of(first));
    find_filled();
  }

  [[nodiscard]] Uid uid() const noexcept { return uid_; }
  [[nodiscard]] bool is_cut() const noexcept { return is_cut_; }
  [[nodiscard]] bool translates() const noexcept { return !numbers_.is_identity(); }
  [[nodiscard]] const StratumNumbers& numbers() const noexcept { return numbers_; }
  void step() {
    ++number_;
    find_filled();
  }

  // Of a page that is not cut.
  [[nodiscard]] std::span<const Uid> links() const noexcept {
    return has_rows_ ? link_lists_.list(node_in_chunk_) : std::span<const Uid>();
  }
  [[nodiscard]] std::span<const Time> times() const noexcept {
    return has_rows_ ? time_lists_.list(node_in_chunk_) : std::span<const Time>();
  }
  [[nodiscard]] const RowChunk& chunk() const noexcept { return *row_chunk_; }
  [[nodiscard]] std::size_t node_in_chunk() const noexcept { return node_in_chunk_; }

  // Appends; `segment` is memory to use.
  template <typename Record, typename Read>
  void read_sightings(std::vector<Record>& out, std::vector<Record>& segment, Read read) {
    const BlockView::Range range = sighting_range();
    for (std::size_t i = range.first; i < range.end; ++i) {
      if (count_in(i) == 0) continue;
      std::vector<Record>& into = out.empty() ? out : segment;
      read(*sighting_reader_, node() - sighting_places_.chunks()[i].first_node, into);
      if (&into == &out) continue;
      std::move(segment.begin(), segment.end(), std::back_inserter(out));
    }
  }

  [[nodiscard]] std::string describe(Layer layer) const {
    return generation_.layer(layer).describe(block_);
  }

 private:
  [[nodiscard]] std::uint32_t node() const noexcept {
    return static_cast<std::uint32_t>(number_ - generation_.first_node(block_));
  }

  void open_block(std::uint64_t block) {
    block_ = block;
    row_chunk_.reset();
    sighting_reader_.reset();
    sighting_chunk_.reset();
    row_places_ = places(generation_, Layer::Times, block);
    sighting_places_ = has_sightings_ ? places(generation_, Layer::Sightings, block) : BlockView();
  }

  // To the first page at or after number_ that is not replaced.
  void find_filled() {
    for (; number_ < end_; ++number_) {
      if (generation_.block_of(number_) != block_) open_block(generation_.block_of(number_));
      if (row_places_.chunks().empty() && sighting_places_.chunks().empty()) {
        number_ = std::min(end_, generation_.first_node(block_ + 1)) - 1;
        continue;
      }
      open_rows();
      if (!is_cut_ && times().empty() && sighting_count() == 0) continue;
      uid_ = numbers_.uid(number_);
      if (!stack_.is_replaced(stratum_, uid_)) return;
    }
    uid_ = kNoUid;
  }

  // The first and the last node of a chunk may also be in its neighbours, the others in it only.
  static bool is_inside(const BlockChunk& chunk, std::uint32_t node) noexcept {
    return node > chunk.first_node && node + 1 < chunk.first_node + chunk.node_count;
  }

  void open_rows() {
    if (row_chunk_ && is_inside(row_places_.chunks()[row_chunk_number_], node())) {
      is_cut_ = false;
      has_rows_ = true;
      node_in_chunk_ = static_cast<std::size_t>(number_ - row_chunk_->first());
      return;
    }
    const BlockView::Range range = row_places_.chunks_of(node());
    is_cut_ = range.end - range.first > 1;
    has_rows_ = !is_cut_ && range.first != range.end;
    if (!has_rows_) return;
    if (!row_chunk_ || row_chunk_number_ != range.first) {
      row_chunk_number_ = range.first;
      row_chunk_.emplace(RowChunk::open(generation_, Direction::Out, block_, range.first));
      row_chunk_->links().decode(link_lists_);
      row_chunk_->times().decode(time_lists_);
    }
    node_in_chunk_ = static_cast<std::size_t>(number_ - row_chunk_->first());
  }

  [[nodiscard]] BlockView::Range sighting_range() const noexcept {
    const bool is_here =
        sighting_chunk_ && is_inside(sighting_places_.chunks()[sighting_chunk_number_], node());
    if (is_here) return {sighting_chunk_number_, sighting_chunk_number_ + 1};
    return sighting_places_.chunks_of(node());
  }

  [[nodiscard]] std::size_t sighting_count() {
    const BlockView::Range range = sighting_range();
    std::size_t count = 0;
    for (std::size_t i = range.first; i < range.end; ++i) count += count_in(i);
    return count;
  }

  // In chunk number `chunk`, which is open afterwards.
  std::size_t count_in(std::size_t chunk) {
    const BlockChunk& place = sighting_places_.chunks()[chunk];
    if (!sighting_chunk_ || sighting_chunk_number_ != chunk) {
      sighting_chunk_number_ = chunk;
      sighting_reader_.reset();
      sighting_chunk_.emplace(
          SightingsChunk::open(place.bytes, generation_.first_node(block_) + place.first_node));
      sighting_reader_.emplace(*sighting_chunk_);
    }
    return sighting_chunk_->count(node() - place.first_node);
  }

  const StackReader& stack_;
  const GenerationReader& generation_;
  const StratumNumbers& numbers_;
  std::size_t stratum_;
  bool has_sightings_;
  std::uint64_t number_;
  std::uint64_t end_;
  std::uint64_t block_ = 0;
  Uid uid_ = kNoUid;

  BlockView row_places_;
  std::size_t row_chunk_number_ = 0;
  std::optional<RowChunk> row_chunk_;
  LinkLists link_lists_;
  TimeLists time_lists_;
  std::size_t node_in_chunk_ = 0;
  bool has_rows_ = false;
  bool is_cut_ = false;  // its rows are in several chunks

  BlockView sighting_places_;
  std::size_t sighting_chunk_number_ = 0;
  std::optional<SightingsChunk> sighting_chunk_;
  std::optional<SightingsReader> sighting_reader_;  // of the chunk
};

PageScan::PageScan(const Archive& archive, std::uint64_t block, SightingDepth depth)
    : archive_(archive), stack_(archive.stack()), block_(block), depth_(depth) {
  const UidRange nodes = stack_.nodes_of(block);
  for (std::size_t i = 0; i < stack_.size(); ++i) {
    const StratumNumbers& numbers = stack_.numbers(i);
    cursors_.push_back(std::make_unique<Cursor>(stack_, i, depth != SightingDepth::None,
                                                numbers.lower_bound(nodes.first),
                                                numbers.lower_bound(nodes.end)));
  }
}

PageScan::~PageScan() { stack_.release(block_); }

// The cursors at the page: one that has all of it, or several with a part each. A page that is cut
// has neither.
void PageScan::find_holders() {
  chosen_ = nullptr;
  part_count_ = 0;
  bool is_cut = false;
  for (const auto& cursor : cursors_) {
    if (cursor->uid() != uid_) continue;
    is_cut = is_cut || cursor->is_cut();
    if (part_count_ == parts_.size()) parts_.emplace_back();
    parts_[part_count_++].cursor = cursor.get();
  }
  if (part_count_ == 1 && !is_cut) chosen_ = parts_.front().cursor;
  if (part_count_ == 1 || is_cut) part_count_ = 0;
}

bool PageScan::next() {
  if (has_begun_) {
    for (const auto& cursor : cursors_) {
      if (cursor->uid() == uid_) cursor->step();
    }
  }
  has_begun_ = true;
  uid_ = kNoUid;
  for (const auto& cursor : cursors_) uid_ = std::min(uid_, cursor->uid());
  if (uid_ == kNoUid) return false;
  find_holders();
  outcomes_.clear();
  records_.clear();
  if (chosen_ != nullptr) {
    read_chosen();
  } else if (part_count_ > 0) {
    read_parts();
  } else {
    read_joined();
  }
  return true;
}

void PageScan::read_joined() {
  archive_.page(uid_, facts_);
  to_layers(facts_, layers_);
  links_ = layers_.links;
  has_links_ = true;
  times_ = layers_.times;
  if (depth_ == SightingDepth::None) return;
  records_ = facts_.sightings;
  add_outcomes_of_records();
}

void PageScan::read_chosen() {
  links_ = chosen_->links();
  has_links_ = !chosen_->translates();
  times_ = chosen_->times();
  read_sightings_of(*chosen_);
  if (depth_ == SightingDepth::Full) add_outcomes_of_records();
}

// What strata say is disjoint, so that times are united, and links and rows when they are asked
// for, from the strata that have some.
void PageScan::read_parts() {
  has_links_ = false;
  unite_times();
  times_ = united_times_;
  for (std::size_t i = 0; i < part_count_; ++i) read_sightings_of(*parts_[i].cursor);
  sort_sightings();
  if (depth_ == SightingDepth::Full) add_outcomes_of_records();
}

std::span<const Uid> PageScan::links() {
  if (has_links_) return links_;
  if (chosen_ != nullptr) {
    united_links_.assign(links_.begin(), links_.end());
    chosen_->numbers().translate(united_links_);
  } else {
    unite_links();
  }
  links_ = united_links_;
  has_links_ = true;
  return links_;
}

void PageScan::unite_links() {
  united_links_.clear();
  for (std::size_t i = 0; i < part_count_; ++i) {
    Part& part = parts_[i];
    std::vector<Uid>& links = part.rows.links;
    links.assign(part.cursor->links().begin(), part.cursor->links().end());
    part.cursor->numbers().translate(links);
    const auto middle = static_cast<std::ptrdiff_t>(united_links_.size());
    united_links_.insert(united_links_.end(), links.begin(), links.end());
    std::inplace_merge(united_links_.begin(), united_links_.begin() + middle, united_links_.end());
    united_links_.erase(std::unique(united_links_.begin(), united_links_.end()),
                        united_links_.end());
  }
  for (std::size_t i = 0; i < part_count_; ++i) {
    Part& part = parts_[i];
    part.columns.clear();
    std::uint32_t column = 0;
    for (const Uid link : part.rows.links) {
      while (united_links_[column] < link) ++column;
      part.columns.push_back(column);
    }
  }
}

void PageScan::unite_times() {
  part_rows_.clear();
  for (std::size_t i = 0; i < part_count_; ++i) {
    const std::span<const Time> times = parts_[i].cursor->times();
    for (std::size_t row = 0; row < times.size(); ++row) part_rows_.push_back({times[row], i, row});
  }
  if (!std::ranges::is_sorted(part_rows_, {}, &PartRow::time)) {
    std::ranges::stable_sort(part_rows_, {}, &PartRow::time);
  }
  united_times_.clear();
  row_starts_.clear();
  for (std::size_t i = 0; i < part_rows_.size(); ++i) {
    if (i > 0 && part_rows_[i].time == part_rows_[i - 1].time) continue;
    united_times_.push_back(part_rows_[i].time);
    row_starts_.push_back(i);
  }
  row_starts_.push_back(part_rows_.size());
}

// Appends to outcomes_ or to records_, whichever is read.
void PageScan::read_sightings_of(Cursor& cursor) {
  const StratumNumbers& numbers = cursor.numbers();
  const std::span<const Time> times = cursor.times();
  if (depth_ == SightingDepth::Outcomes) {
    const std::size_t before = outcomes_.size();
    cursor.read_sightings(outcomes_, outcome_part_,
                          [&](SightingsReader& reader, std::size_t node, auto& out) {
                            reader.outcomes(node, times, out);
                          });
    if (!cursor.translates()) return;
    for (std::size_t i = before; i < outcomes_.size(); ++i) {
      auto& redirect = outcomes_[i].redirect;
      if (redirect) redirect = numbers.uid(*redirect);
    }
  } else if (depth_ == SightingDepth::Full) {
    const std::size_t before = records_.size();
    cursor.read_sightings(records_, record_part_,
                          [&](SightingsReader& reader, std::size_t node, auto& out) {
                            reader.sightings(node, times, out);
                          });
    if (!cursor.translates()) return;
    for (std::size_t i = before; i < records_.size(); ++i) {
      SightingRecord& record = records_[i];
      if (record.redirect) record.redirect = numbers.uid(*record.redirect);
      if (record.refers_to) record.refers_to = numbers.uid(*record.refers_to);
    }
  }
}

void PageScan::sort_sightings() {
  const auto what_counts = [](const SightingOutcome& outcome) {
    return std::tuple(outcome.time, outcome.kind, outcome.outcome);
  };
  if (!std::ranges::is_sorted(records_)) std::ranges::sort(records_);
  if (!std::ranges::is_sorted(outcomes_, {}, what_counts)) {
    std::ranges::stable_sort(outcomes_, {}, what_counts);
  }
}

void PageScan::add_outcomes_of_records() {
  for (const SightingRecord& record : records_) {
    outcomes_.push_back(
        {record.time, record.kind, record.outcome, record.has_links, record.redirect});
  }
}

// Reads a row of a stratum into targets_ and values_.
void PageScan::read_row(const Cursor& cursor, std::size_t row) {
  const std::span<const Uid> links = cursor.links();
  const auto width = static_cast<std::uint32_t>(links.size());
  const RowChunk& chunk = cursor.chunk();
  chunk.presence().row(cursor.node_in_chunk(), width, row, columns_);
  if (!columns_.empty() && columns_.back() >= width) {
    throw Error(ErrorKind::Corrupt,
                fmt::format("{}: a row of node {} has links beyond its page's; restore the archive",
                            cursor.describe(Layer::Presence), uid()));
  }
  chunk.kinds()->row(cursor.node_in_chunk(), width, row, columns_, values_);
  targets_.resize(columns_.size());
  for (std::size_t i = 0; i < columns_.size(); ++i) targets_[i] = links[columns_[i]];
  cursor.numbers().translate(targets_);
}

namespace {

// Cells of several parts, in order of their places.
template <typename Place>
void sort_cells(std::vector<std::pair<Place, LinkValue>>& cells) {
  std::ranges::sort(cells, {}, [](const auto& cell) { return cell.first; });
}

}  // namespace

PageScan::Row PageScan::row_of_parts(std::size_t row) {
  const std::size_t first = row_starts_[row];
  const std::size_t end = row_starts_[row + 1];
  target_cells_.clear();
  for (std::size_t i = first; i < end; ++i) {
    read_row(*parts_[part_rows_[i].part].cursor, part_rows_[i].row);
    if (end == first + 1) return {targets_, values_};
    for (std::size_t j = 0; j < targets_.size(); ++j) {
      target_cells_.emplace_back(targets_[j], values_[j]);
    }
  }
  sort_cells(target_cells_);
  targets_.clear();
  values_.clear();
  for (const auto& [target, value] : target_cells_) {
    targets_.push_back(target);
    values_.push_back(value);
  }
  return {targets_, values_};
}

PageScan::Row PageScan::row_of_layers(std::size_t row) {
  const std::size_t start = row == 0 ? 0 : layers_.one_ends[row - 1];
  const auto columns = std::span(layers_.ones).subspan(start, layers_.one_ends[row] - start);
  targets_.clear();
  for (const std::uint32_t column : columns) targets_.push_back(layers_.links[column]);
  return {targets_, std::span(layers_.values).subspan(start, columns.size())};
}

PageScan::Row PageScan::row(std::size_t row) {
  if (chosen_ == nullptr) return part_count_ > 0 ? row_of_parts(row) : row_of_layers(row);
  read_row(*chosen_, row);
  return {targets_, values_};
}

void PageScan::unite_rows() {
  for (std::size_t i = 0; i < part_count_; ++i) {
    PageLayers& rows = parts_[i].rows;
    const Cursor& cursor = *parts_[i].cursor;
    rows.times.assign(cursor.times().begin(), cursor.times().end());
    if (!rows.times.empty()) cursor.chunk().rows(cursor.node_in_chunk(), rows);
  }
  for (std::size_t row = 0; row < times_.size(); ++row) {
    column_cells_.clear();
    for (std::size_t i = row_starts_[row]; i < row_starts_[row + 1]; ++i) {
      const Part& part = parts_[part_rows_[i].part];
      const std::size_t of_part = part_rows_[i].row;
      for (std::size_t at = of_part == 0 ? 0 : part.rows.one_ends[of_part - 1];
           at < part.rows.one_ends[of_part]; ++at) {
        column_cells_.emplace_back(part.columns[part.rows.ones[at]], part.rows.values[at]);
      }
    }
    if (row_starts_[row + 1] - row_starts_[row] > 1) sort_cells(column_cells_);
    for (const auto& [column, value] : column_cells_) {
      layers_.ones.push_back(column);
      layers_.values.push_back(value);
    }
    layers_.one_ends.push_back(static_cast<std::uint32_t>(layers_.ones.size()));
  }
}

const PageLayers& PageScan::rows() {
  if (chosen_ == nullptr && part_count_ == 0) return layers_;
  layers_.links.assign(links().begin(), links().end());
  layers_.times.assign(times_.begin(), times_.end());
  if (times_.empty() || chosen_ == nullptr) {
    layers_.one_ends.clear();
    layers_.ones.clear();
    layers_.values.clear();
  }
  if (times_.empty()) return layers_;
  if (chosen_ == nullptr) {
    unite_rows();
  } else {
    chosen_->chunk().rows(chosen_->node_in_chunk(), layers_);
  }
  return layers_;
}

}  // namespace webstrata
