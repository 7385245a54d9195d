// SPDX-License-Identifier: Apache-2.0

// The history of one page is a matrix: a row for each capture, a column for each link that the
// page ever had, and a bit where the capture had the link. The layers store it by parts:
//
//   links      the columns: targets, ascending        times      the rows: seconds, ascending
//   presence   the bits                               kinds      kinds and count of each set bit
//
// Questions differ in what they need, and each function here reads as little as its question
// allows:
//
//   all links                   links
//   links in an interval        links, times; presence only if some rows are outside
//   one row                     links, times, one row of presence and kinds
//   is this link in that row    the same, and the row only if the page ever had the link
//   histories                   everything
//
// In the direction In the matrix is that of in-links: rows are numbers of time ranges instead of
// seconds, and there are no kinds. The functions that need kinds are for the direction Out.
//
// Sections. A page whose matrix exceeds the limit of a chunk is cut into several sections, each
// with its own columns and rows (docs/decisions/007-sections.md). A link or a time may be in
// several of them, so answers are unions: lists of links may repeat until the caller sorts them,
// histories are joined here by target. Nearly all pages have one section, and the code returns
// early for them. The strata of a stack add sections of their own, whose links have the numbers of
// the stratum and are translated here; a link of a time is in one of them only.
//
// Invariant used above: every link of a section is in at least one of its rows. So if all rows of
// a section are inside the interval, all its links are, and presence is not read.
//
// Bytes are not trusted: the number of rows is compared with the number of times, and columns with
// the number of links. A mismatch is Error(Corrupt), never another answer.
//
// Buffers are per thread and reused, so that a question allocates little. No function uses them
// across a call to another function that does.
//
// Literature: the layers are those of the papers named in docs/METHODS.md (OL, TS, BV, IL, TR,
// IBV). Tested by tests/archive/archive_test.cpp.

#include "webstrata/archive/read/page_rows.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "webstrata/base/error.h"

namespace webstrata {
namespace {

// Buffers that every question needs again; none of them is used across a call.
struct Buffers {
  std::vector<Uid> links;
  std::vector<std::uint32_t> columns;
  std::vector<LinkValue> values;
  PresenceRows rows;
  PageLayers layers;
};
Buffers& buffers() {
  thread_local Buffers of_this_thread;
  return of_this_thread;
}

struct RowRange {
  std::size_t first = 0;
  std::size_t end = 0;
  [[nodiscard]] bool empty() const noexcept { return first >= end; }
};

RowRange rows_inside(std::span<const Time> times, TimeInterval interval) {
  if (interval.first > interval.last) return {};
  const auto first = std::ranges::lower_bound(times, interval.first);
  const auto end = std::ranges::upper_bound(times, interval.last);
  return {static_cast<std::size_t>(first - times.begin()),
          static_cast<std::size_t>(end - times.begin())};
}

std::optional<std::size_t> row_of(std::span<const Time> times, Time time) {
  const auto found = std::ranges::lower_bound(times, time);
  if (found == times.end() || *found != time) return std::nullopt;
  return static_cast<std::size_t>(found - times.begin());
}

std::optional<std::uint32_t> column_of(const std::vector<Uid>& links, Uid target) {
  const auto found = std::ranges::lower_bound(links, target);
  if (found == links.end() || *found != target) return std::nullopt;
  return static_cast<std::uint32_t>(found - links.begin());
}

void check_row_count(const Section& section, std::size_t rows, std::size_t times) {
  if (rows == times) return;
  throw Error(ErrorKind::Corrupt, fmt::format("node {}: {} rows for {} times; restore the archive",
                                              section.chunk->first() + section.node, rows, times));
}

void check_columns(const std::vector<std::uint32_t>& columns, std::size_t width) {
  if (columns.empty() || columns.back() < width) return;
  throw Error(ErrorKind::Corrupt, "a row has links beyond its page's; restore the archive");
}

// All rows of a section that has `width` links.
const PresenceRows& read_rows(const Section& section, std::size_t width, std::size_t times) {
  PresenceRows& rows = buffers().rows;
  rows.clear();
  section.chunk->presence().rows(section.node, static_cast<std::uint32_t>(width), rows);
  check_row_count(section, rows.row_count(0), times);
  return rows;
}

// One row of a section, into the buffers of columns and values.
void read_row(const Section& section, std::size_t width, std::size_t row) {
  const auto columns = static_cast<std::uint32_t>(width);
  Buffers& buffer = buffers();
  section.chunk->presence().row(section.node, columns, row, buffer.columns);
  check_columns(buffer.columns, width);
  section.chunk->kinds()->row(section.node, columns, row, buffer.columns, buffer.values);
}

void join(LinkHistory& history, const LinkHistory& more) {
  history.first = std::min(history.first, more.first);
  history.last = std::max(history.last, more.last);
  history.captures += more.captures;
  history.kinds = history.kinds | more.kinds;
}

void see(LinkHistory& history, Time time, LinkValue value) {
  if (history.captures == 0) history.first = time;
  history.last = time;
  ++history.captures;
  history.kinds = history.kinds | LinkKinds::from_bits(value.kinds);
}

}  // namespace

PageRows::PageRows(const CachedStack& stack, Direction direction, Uid uid)
    : stack_(&stack.reader()),
      drops_sources_(direction == Direction::In && stack_->replaces_pages()),
      sections_(stack.sections(direction, uid)) {
  if (!is_cut()) {
    if (!sections_.empty()) sections_[0].chunk->times().times(sections_[0].node, times_);
    return;
  }
  cut_times_.resize(sections_.size());
  for (std::size_t i = 0; i < sections_.size(); ++i) {
    sections_[i].chunk->times().times(sections_[i].node, cut_times_[i]);
    times_.insert(times_.end(), cut_times_[i].begin(), cut_times_[i].end());
  }
  std::sort(times_.begin(), times_.end());
  times_.erase(std::unique(times_.begin(), times_.end()), times_.end());
}

void PageRows::read_links(const Section& section, std::vector<Uid>& links) const {
  section.chunk->links().targets(section.node, links);
  const StratumNumbers& numbers = stack_->numbers(section.stratum);
  if (numbers.is_identity()) return;
  for (Uid& link : links) link = numbers.uid(link);
}

void PageRows::read_section(const Section& section, PageLayers& layers) const {
  section.chunk->section(section.node, layers);
  const StratumNumbers& numbers = stack_->numbers(section.stratum);
  if (numbers.is_identity()) return;
  for (Uid& link : layers.links) link = numbers.uid(link);
}

std::size_t PageRows::memory_bytes() const noexcept {
  std::size_t bytes = times_.capacity() * sizeof(Time);
  for (const auto& times : cut_times_) bytes += times.capacity() * sizeof(Time);
  for (const Section& section : sections_) bytes += section.chunk->memory_bytes();
  return bytes;
}

void PageRows::append_links(std::vector<Uid>& out) const {
  if (sections_.size() == 1 && out.empty() && !drops_sources_) {
    read_links(sections_[0], out);
    return;
  }
  std::vector<Uid>& links = buffers().links;
  for (const Section& section : sections_) {
    read_links(section, links);
    std::ranges::copy_if(links, std::back_inserter(out),
                         [&](Uid link) { return counts(section, link); });
  }
}

std::uint64_t PageRows::link_count() const {
  if (sections_.empty()) return 0;
  if (!is_cut() && !drops_sources_) {
    return sections_[0].chunk->links().degree(sections_[0].node);
  }
  std::vector<Uid> links;
  append_links(links);
  std::sort(links.begin(), links.end());
  return static_cast<std::uint64_t>(std::unique(links.begin(), links.end()) - links.begin());
}

void PageRows::append_links(TimeInterval interval, std::vector<Uid>& out) const {
  std::vector<Uid>& links = buffers().links;
  for (std::size_t i = 0; i < sections_.size(); ++i) {
    const Section& section = sections_[i];
    const std::span<const Time> times = times_of(i);
    const RowRange range = rows_inside(times, interval);
    if (range.empty()) continue;
    read_links(section, links);
    // Every link of a section is in one of its rows.
    if (range.end - range.first == times.size()) {
      std::ranges::copy_if(links, std::back_inserter(out),
                           [&](Uid link) { return counts(section, link); });
      continue;
    }
    const PresenceRows& rows = read_rows(section, links.size(), times.size());
    std::vector<bool> is_seen(links.size());
    for (std::size_t row = range.first; row < range.end; ++row) {
      for (const std::uint32_t column : rows.row(row)) is_seen[column] = true;
    }
    for (std::size_t column = 0; column < links.size(); ++column) {
      if (is_seen[column] && counts(section, links[column])) out.push_back(links[column]);
    }
  }
}

void PageRows::append_row(Time time, std::vector<LinkAt>& out) const {
  Buffers& buffer = buffers();
  for (std::size_t i = 0; i < sections_.size(); ++i) {
    const auto row = row_of(times_of(i), time);
    if (!row) continue;
    read_links(sections_[i], buffer.links);
    read_row(sections_[i], buffer.links.size(), *row);
    out.reserve(out.size() + buffer.columns.size());
    for (std::size_t j = 0; j < buffer.columns.size(); ++j) {
      const LinkValue value = buffer.values[j];
      out.push_back(
          {buffer.links[buffer.columns[j]], LinkKinds::from_bits(value.kinds), value.count});
    }
  }
}

std::optional<LinkAt> PageRows::link_in_row(Time time, Uid target) const {
  Buffers& buffer = buffers();
  for (std::size_t i = 0; i < sections_.size(); ++i) {
    const auto row = row_of(times_of(i), time);
    if (!row) continue;
    read_links(sections_[i], buffer.links);
    const auto column = column_of(buffer.links, target);
    if (!column) continue;
    read_row(sections_[i], buffer.links.size(), *row);
    const auto one = std::ranges::lower_bound(buffer.columns, *column);
    if (one == buffer.columns.end() || *one != *column) continue;
    const LinkValue value = buffer.values[static_cast<std::size_t>(one - buffer.columns.begin())];
    return LinkAt{target, LinkKinds::from_bits(value.kinds), value.count};
  }
  return std::nullopt;
}

bool PageRows::has_link(TimeInterval interval, Uid target) const {
  Buffers& buffer = buffers();
  for (std::size_t i = 0; i < sections_.size(); ++i) {
    const std::span<const Time> times = times_of(i);
    const RowRange range = rows_inside(times, interval);
    if (range.empty()) continue;
    read_links(sections_[i], buffer.links);
    const auto column = column_of(buffer.links, target);
    if (!column) continue;
    if (range.end - range.first == times.size()) return true;
    const PresenceRows& rows = read_rows(sections_[i], buffer.links.size(), times.size());
    for (std::size_t row = range.first; row < range.end; ++row) {
      if (std::ranges::binary_search(rows.row(row), *column)) return true;
    }
  }
  return false;
}

void PageRows::append_facts(PageFacts& out) const {
  PageLayers& layers = buffers().layers;
  PageFacts part;
  for (const Section& section : sections_) {
    read_section(section, layers);
    if (!is_cut() && out.empty()) {
      from_layers(layers, out);
    } else {
      from_layers(layers, part);
      append(out, part);
    }
  }
}

void PageRows::append_history(Uid source, std::optional<TimeInterval> interval,
                              std::vector<LinkHistory>& out) const {
  PageLayers& layers = buffers().layers;
  std::vector<LinkHistory> histories;
  for (std::size_t i = 0; i < sections_.size(); ++i) {
    const std::span<const Time> times = times_of(i);
    const RowRange range = interval ? rows_inside(times, *interval) : RowRange{0, times.size()};
    if (range.empty()) continue;
    read_section(sections_[i], layers);
    histories.assign(layers.links.size(), {});
    for (std::size_t row = range.first; row < range.end; ++row) {
      const std::size_t start = row == 0 ? 0 : layers.one_ends[row - 1];
      for (std::size_t at = start; at < layers.one_ends[row]; ++at) {
        see(histories[layers.ones[at]], times[row], layers.values[at]);
      }
    }
    for (std::size_t column = 0; column < histories.size(); ++column) {
      if (histories[column].captures == 0) continue;
      histories[column].source = source;
      histories[column].target = layers.links[column];
      out.push_back(histories[column]);
    }
  }
  if (!is_cut()) return;
  std::ranges::sort(out, {}, &LinkHistory::target);
  std::size_t kept = 0;
  for (const LinkHistory& history : out) {
    if (kept > 0 && out[kept - 1].target == history.target) {
      join(out[kept - 1], history);
    } else {
      out[kept++] = history;
    }
  }
  out.resize(kept);
}

std::optional<LinkHistory> PageRows::history(Uid source, Uid target,
                                             std::optional<TimeInterval> interval) const {
  PageLayers& layers = buffers().layers;
  LinkHistory found;
  for (std::size_t i = 0; i < sections_.size(); ++i) {
    const std::span<const Time> times = times_of(i);
    const RowRange range = interval ? rows_inside(times, *interval) : RowRange{0, times.size()};
    if (range.empty()) continue;
    read_links(sections_[i], layers.links);
    const auto column = column_of(layers.links, target);
    if (!column) continue;
    read_section(sections_[i], layers);
    LinkHistory part;
    for (std::size_t row = range.first; row < range.end; ++row) {
      const std::size_t start = row == 0 ? 0 : layers.one_ends[row - 1];
      const auto ones = std::span(layers.ones).subspan(start, layers.one_ends[row] - start);
      const auto one = std::ranges::lower_bound(ones, *column);
      if (one == ones.end() || *one != *column) continue;
      see(part, times[row], layers.values[start + static_cast<std::size_t>(one - ones.begin())]);
    }
    if (part.captures == 0) continue;
    if (found.captures == 0) {
      found = part;
    } else {
      join(found, part);
    }
  }
  if (found.captures == 0) return std::nullopt;
  found.source = source;
  found.target = target;
  return found;
}

void read_all(const CachedStack& stack, Uid uid, PageFacts& facts) {
  facts.clear();
  const PageRows rows(stack, Direction::Out, uid);
  rows.append_facts(facts);
  stack.sightings(uid, rows.times(), facts.sightings);
  if (rows.is_cut()) normalise(facts);
}

}  // namespace webstrata
