// SPDX-License-Identifier: Apache-2.0

// Facts come in order of source, so a stable sort by target is all that is needed: a radix sort,
// eleven bits at a time over the bits that targets have.
// Tested by tests/archive/law_test.cpp and tests/cluster/cluster_test.cpp.

#include "webstrata/archive/merge/in_facts.h"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "webstrata/archive/disk/options.h"
#include "webstrata/archive/gather/fact_bytes.h"
#include "webstrata/base/checksum.h"

namespace webstrata {
namespace {

constexpr std::size_t kFactsMin = 1 << 12;
constexpr unsigned kDigitBits = 11;
constexpr std::size_t kSpillBufferBytes = 1 << 16;

}  // namespace

std::uint64_t content_of(const InFact& fact) noexcept {
  const std::uint64_t words[] = {fact.source, static_cast<std::uint64_t>(fact.range)};
  return checksum64({reinterpret_cast<const char*>(words), sizeof words}, fact.target);
}

// A sorted part of the facts, on disk.
class InFactSorter::Spill {
 public:
  explicit Spill(const std::filesystem::path& path) : reader_(path, kSpillBufferBytes) {
    advance();
  }

  [[nodiscard]] const Packed& front() const noexcept { return front_; }
  [[nodiscard]] bool at_end() const noexcept { return at_end_; }
  void advance() {
    at_end_ = reader_.at_end();
    if (at_end_) return;
    const std::uint64_t step = reader_.varint();
    front_.target += step;
    front_.source = step > 0 ? reader_.varint() : front_.source + reader_.varint();
    front_.range_and_sign = read_signed(reader_);
  }

  static void write(std::string& out, const Packed& last, const Packed& fact) {
    append_varint(out, fact.target - last.target);
    append_varint(out, fact.target == last.target ? fact.source - last.source : fact.source);
    append_signed(out, fact.range_and_sign);
  }

 private:
  ScratchReader reader_;
  Packed front_;
  bool at_end_ = false;
};

InFactSorter::InFactSorter(std::filesystem::path folder, std::size_t memory_bytes)
    : folder_(std::move(folder)),
      facts_max_(std::max(kFactsMin, memory_bytes / (2 * sizeof(Packed)))) {}
InFactSorter::~InFactSorter() = default;

InFact InFactSorter::unpacked(const Packed& packed) {
  return {packed.target, packed.source, packed.range_and_sign >> 1,
          (packed.range_and_sign & 1) != 0};
}

void InFactSorter::add(const InFact& fact) {
  if (buffer_.size() == facts_max_) spill();
  buffer_.push_back({fact.target, fact.source,
                     static_cast<std::int64_t>(static_cast<std::uint64_t>(fact.range) << 1 |
                                               (fact.is_removed ? 1 : 0))});
  target_max_ = std::max(target_max_, fact.target);
}

void InFactSorter::sort_buffer() {
  other_.resize(buffer_.size());
  const auto bits = static_cast<unsigned>(std::bit_width(target_max_));
  for (unsigned shift = 0; shift < bits; shift += kDigitBits) {
    constexpr std::size_t kDigits = std::size_t{1} << kDigitBits;
    std::vector<std::size_t> places(kDigits + 1);
    const auto digit = [shift](const Packed& fact) {
      return static_cast<std::size_t>(fact.target >> shift) & (kDigits - 1);
    };
    for (const Packed& fact : buffer_) ++places[digit(fact) + 1];
    for (std::size_t i = 1; i <= kDigits; ++i) places[i] += places[i - 1];
    for (const Packed& fact : buffer_) other_[places[digit(fact)]++] = fact;
    buffer_.swap(other_);
  }
}

void InFactSorter::spill() {
  sort_buffer();
  ScratchWriter writer(folder_ / fmt::format("in{:06}.facts", spill_count_++));
  Packed last;
  for (const Packed& fact : buffer_) {
    Spill::write(writer.buffer(), last, fact);
    last = fact;
    writer.flush_if_full();
  }
  writer.flush();
  buffer_.clear();
}

void InFactSorter::finish() {
  if (spill_count_ == 0) {
    sort_buffer();
    other_ = {};
    return;
  }
  spill();
  buffer_ = {};
  other_ = {};
  for (std::uint64_t i = 0; i < spill_count_; ++i) {
    spills_.push_back(std::make_unique<Spill>(folder_ / fmt::format("in{:06}.facts", i)));
    if (!spills_.back()->at_end()) heap_.push_back(i);
  }
}

bool InFactSorter::next(InFact& fact) {
  if (spill_count_ == 0) {
    if (position_ == buffer_.size()) return false;
    fact = unpacked(buffer_[position_++]);
    return true;
  }
  if (heap_.empty()) return false;
  // Spills follow each other in order of source, so the index breaks ties.
  const auto is_later = [this](std::size_t a, std::size_t b) {
    const Uid target_a = spills_[a]->front().target;
    const Uid target_b = spills_[b]->front().target;
    return target_a != target_b ? target_a > target_b : a > b;
  };
  if (!is_heap_) std::make_heap(heap_.begin(), heap_.end(), is_later);
  is_heap_ = true;
  std::pop_heap(heap_.begin(), heap_.end(), is_later);
  Spill& first = *spills_[heap_.back()];
  fact = unpacked(first.front());
  first.advance();
  if (first.at_end()) {
    heap_.pop_back();
  } else {
    std::push_heap(heap_.begin(), heap_.end(), is_later);
  }
  return true;
}

void InFactFinder::find(Uid source, const PageFacts& page, std::vector<InFact>& facts) {
  facts.clear();
  // Rows come in order of time, so the rows of a range are adjacent and are joined first.
  for (std::size_t row = 0; row < page.row_count();) {
    const std::int64_t range = range_of(page.times[row], range_seconds_);
    const std::size_t start = page.row_start(row);
    while (row < page.row_count() && range_of(page.times[row], range_seconds_) == range) ++row;
    targets_.assign(page.targets.begin() + static_cast<std::ptrdiff_t>(start),
                    page.targets.begin() + static_cast<std::ptrdiff_t>(page.row_start(row)));
    std::sort(targets_.begin(), targets_.end());
    targets_.erase(std::unique(targets_.begin(), targets_.end()), targets_.end());
    for (const Uid target : targets_) facts.push_back({target, source, range, false});
  }
  std::sort(facts.begin(), facts.end());
}

void add_changes(Uid source, const PageFacts* before, const PageFacts& after, InFactFinder& finder,
                 InFactSorter& sorter) {
  std::vector<InFact> old_facts;
  std::vector<InFact> new_facts;
  if (before != nullptr) finder.find(source, *before, old_facts);
  finder.find(source, after, new_facts);
  auto old_fact = old_facts.begin();
  auto new_fact = new_facts.begin();
  while (old_fact != old_facts.end() || new_fact != new_facts.end()) {
    const bool is_old =
        new_fact == new_facts.end() || (old_fact != old_facts.end() && *old_fact < *new_fact);
    const bool is_new =
        old_fact == old_facts.end() || (new_fact != new_facts.end() && *new_fact < *old_fact);
    if (is_old) {
      InFact removed = *old_fact;
      removed.is_removed = true;
      sorter.add(removed);
    } else if (is_new) {
      sorter.add(*new_fact);
    }
    old_fact += is_new ? 0 : 1;
    new_fact += is_old ? 0 : 1;
  }
}

}  // namespace webstrata
