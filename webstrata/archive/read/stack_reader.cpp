// SPDX-License-Identifier: Apache-2.0

// Everything here has two cases. One stratum, the usual one, is read as it is. Of several, each is
// read in its own numbers, which ascend as uids do, and the results are merged by uid.
// Tested by tests/archive/stack_test.cpp.

#include "webstrata/archive/read/stack_reader.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/codec/sightings.h"

namespace webstrata {

StackReader::StackReader(const std::filesystem::path& folder, const Manifest& manifest) {
  const std::size_t count = std::max<std::size_t>(1, manifest.strata.size());
  std::vector<StratumPlaces> places;
  for (std::size_t i = 0; i < count; ++i) {
    const std::filesystem::path place = stratum_folder(folder, i);
    strata_.push_back(std::make_unique<GenerationReader>(place, manifest.of_stratum(i)));
    if (i == 0) continue;
    places.push_back(read_places(place, manifest.strata[i].places.value()));
    if (places.back().keys.size() == strata_.back()->node_count()) continue;
    throw Error(ErrorKind::Corrupt,
                fmt::format("{}: has places for {} keys instead of {}; restore it from a copy",
                            (place / kPlacesName).string(), places.back().keys.size(),
                            strata_.back()->node_count()));
  }
  std::vector<const StratumPlaces*> pointers;
  for (const StratumPlaces& stratum : places) pointers.push_back(&stratum);
  numbers_.emplace(base().node_count(), pointers);
  if (numbers_->uid_count() != manifest.counts.nodes) {
    throw Error(ErrorKind::Corrupt,
                fmt::format("{}: its strata have {} keys, MANIFEST says {}; restore the archive",
                            folder.string(), numbers_->uid_count(), manifest.counts.nodes));
  }
  std::map<Uid, std::size_t> highest;
  for (std::size_t i = 0; i < places.size(); ++i) {
    for (const std::uint64_t page : places[i].whole_pages) {
      highest[numbers_->stratum(i + 1).uid(page)] = i + 1;
    }
  }
  for (const auto& [uid, stratum] : highest) whole_.push_back({uid, stratum});
}

bool StackReader::is_replaced(std::size_t stratum, Uid uid) const noexcept {
  if (whole_.empty()) return false;
  const auto found = std::ranges::lower_bound(whole_, uid, {}, &WholePage::uid);
  return found != whole_.end() && found->uid == uid && found->stratum > stratum;
}

void StackReader::release(std::uint64_t block) const noexcept {
  if (!is_single()) return;  // its neighbours may still be read
  for (const Layer layer : base().layers()) base().layer(layer).release(block);
}

StackRows::StackRows(const StackReader& stack, Direction direction)
    : stack_(stack), direction_(direction) {
  for (std::size_t i = 0; i < stack.size(); ++i) {
    cursors_.push_back({RowScanner(stack.stratum(i), direction), std::nullopt});
  }
}

void StackRows::seek(std::uint64_t block, std::uint64_t end) {
  const std::uint64_t blocks = stack_.block_count();
  end_ = end < blocks ? stack_.first_node(end) : stack_.node_count();
  const Uid first = std::min(stack_.first_node(std::min(block, blocks)), stack_.node_count());
  for (std::size_t i = 0; i < cursors_.size(); ++i) {
    const StratumNumbers& numbers = stack_.numbers(i);
    cursors_[i].rows.seek_node(numbers.lower_bound(first), numbers.lower_bound(end_));
    find_next(i);
  }
}

void StackRows::find_next(std::size_t stratum) {
  Cursor& cursor = cursors_[stratum];
  PageLayers skipped;
  while (const auto number = cursor.rows.next_node()) {
    const Uid uid = stack_.numbers(stratum).uid(*number);
    if (uid >= end_) break;
    if (direction_ == Direction::In || !stack_.is_replaced(stratum, uid)) {
      cursor.next = uid;
      return;
    }
    cursor.rows.read(skipped);
  }
  cursor.next.reset();
}

std::optional<Uid> StackRows::next_node() {
  std::optional<Uid> smallest;
  for (std::size_t i = 0; i < cursors_.size(); ++i) {
    const std::optional<Uid>& next = cursors_[i].next;
    if (!next || (smallest && *smallest <= *next)) continue;
    smallest = next;
    chosen_ = i;
  }
  return smallest;
}

namespace {

// Removes the columns of sources that another stratum replaces, and rows that are left without one.
void drop_replaced(const StackReader& stack, std::size_t stratum, PageLayers& section) {
  constexpr auto kGone = ~std::uint32_t{0};
  std::vector<std::uint32_t> columns(section.links.size());
  std::uint32_t kept = 0;
  for (std::size_t i = 0; i < section.links.size(); ++i) {
    const bool is_gone = stack.is_replaced(stratum, section.links[i]);
    columns[i] = is_gone ? kGone : kept;
    if (!is_gone) section.links[kept++] = section.links[i];
  }
  if (kept == section.links.size()) return;
  section.links.resize(kept);
  std::uint32_t ones = 0;
  std::size_t rows = 0;
  std::size_t at = 0;
  for (std::size_t row = 0; row < section.times.size(); ++row) {
    const std::uint32_t start = ones;
    for (; at < section.one_ends[row]; ++at) {
      if (columns[section.ones[at]] != kGone) section.ones[ones++] = columns[section.ones[at]];
    }
    if (ones == start) continue;
    section.times[rows] = section.times[row];
    section.one_ends[rows++] = ones;
  }
  section.ones.resize(ones);
  section.times.resize(rows);
  section.one_ends.resize(rows);
}

}  // namespace

void StackRows::read(PageLayers& section) {
  cursors_[chosen_].rows.read(section);
  stack_.numbers(chosen_).translate(section.links);
  if (direction_ == Direction::In && stack_.replaces_pages()) {
    drop_replaced(stack_, chosen_, section);
  }
  find_next(chosen_);
}

namespace {

// Calls `visit` with the numbers of a stratum's nodes in [first, end) that have data.
template <typename Visit>
void visit_filled(const GenerationReader& stratum, Layer layer, std::uint64_t first,
                  std::uint64_t end, Visit visit) {
  TimeLists times;
  for (std::uint64_t block = stratum.block_of(first);
       block < stratum.block_count() && stratum.first_node(block) < end; ++block) {
    if (stratum.layer(layer).summary(block).items == 0) continue;
    const BlockView view = stratum.view(layer, block);
    for (const BlockChunk& chunk : view.chunks()) {
      const Uid start = stratum.first_node(block) + chunk.first_node;
      if (start >= end || start + chunk.node_count <= first) continue;
      const auto visit_inside = [&](std::size_t count, auto is_filled) {
        for (std::size_t node = 0; node < count; ++node) {
          const Uid number = start + node;
          if (number >= first && number < end && is_filled(node)) visit(number);
        }
      };
      if (layer == Layer::Times) {
        TimesChunk::open(chunk.bytes).decode(times);
        visit_inside(times.node_count(), [&](std::size_t i) { return !times.list(i).empty(); });
      } else {
        const SightingsChunk sightings = SightingsChunk::open(chunk.bytes, start);
        visit_inside(sightings.node_count(), [&](std::size_t i) { return sightings.count(i) > 0; });
      }
    }
  }
}

}  // namespace

std::vector<Uid> filled_nodes(const StackReader& stack, Layer layer, std::uint64_t block) {
  std::vector<Uid> nodes;
  const UidRange range = stack.nodes_of(block);
  for (std::size_t i = 0; i < stack.size(); ++i) {
    const StratumNumbers& numbers = stack.numbers(i);
    const std::uint64_t first = numbers.lower_bound(range.first);
    const std::uint64_t end = numbers.lower_bound(range.end);
    if (first == end) continue;
    visit_filled(stack.stratum(i), layer, first, end,
                 [&](std::uint64_t number) { nodes.push_back(numbers.uid(number)); });
  }
  std::ranges::sort(nodes);
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  return nodes;
}

namespace {

// The keys of a stratum with numbers in [first, end).
void read_stratum_keys(const GenerationReader& stratum, std::uint64_t first, std::uint64_t end,
                       KeyList& keys) {
  KeyList part;
  for (std::uint64_t block = stratum.block_of(first);
       block < stratum.block_count() && stratum.first_node(block) < end; ++block) {
    const BlockView view = stratum.view(Layer::Names, block);
    for (const BlockChunk& chunk : view.chunks()) {
      const Uid start = stratum.first_node(block) + chunk.first_node;
      if (start >= end || start + chunk.node_count <= first) continue;
      NamesChunk::open(chunk.bytes).decode(part);
      for (std::size_t i = 0; i < part.size(); ++i) {
        if (start + i >= first && start + i < end) keys.add(part[i]);
      }
    }
  }
}

}  // namespace

void read_keys(const StackReader& stack, std::uint64_t block, KeyList& keys) {
  keys.clear();
  const UidRange range = stack.nodes_of(block);
  if (stack.is_single()) {
    read_stratum_keys(stack.stratum(0), range.first, range.end, keys);
    return;
  }
  struct Part {
    KeyList keys;
    std::uint64_t first = 0;  // the number of its first key
    std::size_t next = 0;
  };
  std::vector<Part> parts(stack.size());
  for (std::size_t i = 0; i < stack.size(); ++i) {
    parts[i].first = stack.numbers(i).lower_bound(range.first);
    const std::uint64_t end = stack.numbers(i).lower_bound(range.end);
    if (parts[i].first < end) {
      read_stratum_keys(stack.stratum(i), parts[i].first, end, parts[i].keys);
    }
  }
  for (Uid uid = range.first; uid < range.end; ++uid) {
    bool is_added = false;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      Part& part = parts[i];
      if (part.next == part.keys.size()) continue;
      if (stack.numbers(i).uid(part.first + part.next) != uid) continue;
      if (!is_added) keys.add(part.keys[part.next]);
      is_added = true;
      ++part.next;
    }
  }
}

}  // namespace webstrata
