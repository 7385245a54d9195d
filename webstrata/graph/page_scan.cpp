// SPDX-License-Identifier: Apache-2.0

// Links and times of a chunk are decoded as a whole, which is fastest; rows and sightings of a page
// only on demand. A cursor walks through the pages of each stratum, in its own numbers; the scan
// takes the page with the smallest uid. A page that is cut into several chunks, or that several
// strata know, is rare: the archive assembles it.
//
// Tested by tests/graph/archive_snapshot_test.cpp.

#include "webstrata/graph/page_scan.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <string>

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

  template <typename Record, typename Read>
  void read_sightings(std::vector<Record>& out, Read read) {
    const BlockView::Range range = sighting_places_.chunks_of(node());
    for (std::size_t i = range.first; i < range.end; ++i) {
      if (count_in(i) == 0) continue;
      std::vector<Record> segment;
      std::vector<Record>& into = out.empty() ? out : segment;
      read(*sighting_chunk_, node() - sighting_places_.chunks()[i].first_node, into);
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

  void open_rows() {
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

  [[nodiscard]] std::size_t sighting_count() {
    const BlockView::Range range = sighting_places_.chunks_of(node());
    std::size_t count = 0;
    for (std::size_t i = range.first; i < range.end; ++i) count += count_in(i);
    return count;
  }

  // In chunk number `chunk`, which is open afterwards.
  std::size_t count_in(std::size_t chunk) {
    const BlockChunk& place = sighting_places_.chunks()[chunk];
    if (!sighting_chunk_ || sighting_chunk_number_ != chunk) {
      sighting_chunk_number_ = chunk;
      sighting_chunk_.emplace(
          SightingsChunk::open(place.bytes, generation_.first_node(block_) + place.first_node));
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
  std::size_t holders = 0;
  for (const auto& cursor : cursors_) {
    if (cursor->uid() != uid_) continue;
    chosen_ = cursor.get();
    ++holders;
  }
  if (holders > 1 || chosen_->is_cut()) chosen_ = nullptr;
  outcomes_.clear();
  records_.clear();
  if (chosen_ == nullptr) {
    read_joined();
  } else {
    read_chosen();
  }
  return true;
}

void PageScan::read_joined() {
  archive_.page(uid_, facts_);
  to_layers(facts_, layers_);
  links_ = layers_.links;
  times_ = layers_.times;
  if (depth_ == SightingDepth::None) return;
  records_ = facts_.sightings;
  add_outcomes_of_records();
}

void PageScan::read_chosen() {
  links_ = chosen_->links();
  times_ = chosen_->times();
  const StratumNumbers& numbers = chosen_->numbers();
  if (chosen_->translates()) {
    translated_.clear();
    for (const Uid link : links_) translated_.push_back(numbers.uid(link));
    links_ = translated_;
  }
  if (depth_ == SightingDepth::Outcomes) {
    chosen_->read_sightings(outcomes_, [&](const SightingsChunk& chunk, std::size_t node,
                                           auto& out) { chunk.outcomes(node, times_, out); });
    if (!chosen_->translates()) return;
    for (SightingOutcome& outcome : outcomes_) {
      if (outcome.redirect) outcome.redirect = numbers.uid(*outcome.redirect);
    }
  } else if (depth_ == SightingDepth::Full) {
    chosen_->read_sightings(records_, [&](const SightingsChunk& chunk, std::size_t node,
                                          auto& out) { chunk.sightings(node, times_, out); });
    for (SightingRecord& record : records_) {
      if (record.redirect) record.redirect = numbers.uid(*record.redirect);
      if (record.refers_to) record.refers_to = numbers.uid(*record.refers_to);
    }
    add_outcomes_of_records();
  }
}

void PageScan::add_outcomes_of_records() {
  for (const SightingRecord& record : records_) {
    outcomes_.push_back(
        {record.time, record.kind, record.outcome, record.has_links, record.redirect});
  }
}

PageScan::Row PageScan::row(std::size_t row) {
  if (chosen_ == nullptr) {
    const std::size_t start = row == 0 ? 0 : layers_.one_ends[row - 1];
    const std::size_t size = layers_.one_ends[row] - start;
    return {std::span(layers_.ones).subspan(start, size),
            std::span(layers_.values).subspan(start, size)};
  }
  const auto width = static_cast<std::uint32_t>(links_.size());
  const RowChunk& chunk = chosen_->chunk();
  chunk.presence().row(chosen_->node_in_chunk(), width, row, columns_);
  if (!columns_.empty() && columns_.back() >= width) {
    throw Error(ErrorKind::Corrupt,
                fmt::format("{}: a row of node {} has links beyond its page's; restore the archive",
                            chosen_->describe(Layer::Presence), uid()));
  }
  chunk.kinds()->row(chosen_->node_in_chunk(), width, row, columns_, values_);
  return {columns_, values_};
}

const PageLayers& PageScan::rows() {
  if (chosen_ == nullptr) return layers_;
  layers_.links.assign(links_.begin(), links_.end());
  layers_.times.assign(times_.begin(), times_.end());
  if (times_.empty()) {
    layers_.one_ends.clear();
    layers_.ones.clear();
    layers_.values.clear();
    return layers_;
  }
  chosen_->chunk().rows(chosen_->node_in_chunk(), layers_);
  return layers_;
}

}  // namespace webstrata
