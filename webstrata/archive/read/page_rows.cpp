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
  std::vector<Section> sections;
  std::vector<Uid> links;
  std::vector<Uid> missing;
  std::vector<std::uint32_t> columns;
  std::vector<LinkValue> values;
  PresenceRows rows;
  PageLayers layers;
};
Buffers& buffers() {
  thread_local Buffers of_this_thread;
  return of_this_thread;
}

// Times of several sections; those of one ascend already.
void sort_and_unite(std::vector<Time>& times) {
  const auto does_not_ascend = std::ranges::greater_equal();
  if (std::ranges::adjacent_find(times, does_not_ascend) == times.end()) return;
  std::ranges::sort(times);
  times.erase(std::unique(times.begin(), times.end()), times.end());
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

// The links of a section, as uids.
void read_links_of(const StackReader& stack, const Section& section, std::vector<Uid>& links) {
  section.chunk->links().targets(section.node, links);
  stack.numbers(section.stratum).translate(links);
}

// Adds what is not there yet; both ascend. Mostly all is: strata say much the same about a page.
void unite(std::vector<Uid>& links, std::span<const Uid> more, std::vector<Uid>& missing) {
  missing.clear();
  auto at = links.begin();
  for (const Uid link : more) {
    while (at != links.end() && *at < link) ++at;
    if (at == links.end() || *at != link) missing.push_back(link);
  }
  if (missing.empty()) return;
  std::size_t left = links.size();
  links.resize(left + missing.size());
  for (std::size_t place = links.size(); !missing.empty();) {  // from the end, in place
    if (left > 0 && links[left - 1] > missing.back()) {
      links[--place] = links[--left];
    } else {
      links[--place] = missing.back();
      missing.pop_back();
    }
  }
}

}  // namespace

void read_links(const CachedStack& stack, Direction direction, Uid uid, std::vector<Uid>& links) {
  const StackReader& reader = stack.reader();
  const bool drops_sources = direction == Direction::In && reader.replaces_pages();
  Buffers& buffer = buffers();
  stack.sections(direction, uid, buffer.sections);
  links.clear();
  for (const Section& section : buffer.sections) {
    std::vector<Uid>& part = &section == &buffer.sections.front() ? links : buffer.links;
    read_links_of(reader, section, part);
    if (drops_sources) {
      std::erase_if(part, [&](Uid link) { return reader.is_replaced(section.stratum, link); });
    }
    if (&part != &links) unite(links, part, buffer.missing);
  }
  buffer.sections.clear();  // chunks are for the cache to keep
}

void PageRows::read(const CachedStack& stack, Direction direction, Uid uid) {
  stack_ = &stack.reader();
  drops_sources_ = direction == Direction::In && stack_->replaces_pages();
  stack.sections(direction, uid, sections_);
  times_.clear();
  if (!is_cut()) {
    if (!sections_.empty()) sections_[0].chunk->times().times(sections_[0].node, times_);
    return;
  }
  cut_times_.resize(sections_.size());
  for (std::size_t i = 0; i < sections_.size(); ++i) {
    sections_[i].chunk->times().times(sections_[i].node, cut_times_[i]);
    times_.insert(times_.end(), cut_times_[i].begin(), cut_times_[i].end());
  }
  sort_and_unite(times_);
}

void PageRows::read_times(std::size_t stratum, std::vector<Time>& out) const {
  out.clear();
  for (std::size_t i = 0; i < sections_.size(); ++i) {
    if (sections_[i].stratum != stratum) continue;
    const std::span<const Time> times = times_of(i);
    out.insert(out.end(), times.begin(), times.end());
  }
  sort_and_unite(out);
}

void PageRows::read_section(const Section& section, PageLayers& layers) const {
  section.chunk->section(section.node, layers);
  stack_->numbers(section.stratum).translate(layers.links);
}

std::size_t PageRows::memory_bytes() const noexcept {
  std::size_t bytes = times_.capacity() * sizeof(Time);
  for (const auto& times : cut_times_) bytes += times.capacity() * sizeof(Time);
  for (const Section& section : sections_) bytes += section.chunk->memory_bytes();
  return bytes;
}

void PageRows::append_links(TimeInterval interval, std::vector<Uid>& out) const {
  std::vector<Uid>& links = buffers().links;
  for (std::size_t i = 0; i < sections_.size(); ++i) {
    const Section& section = sections_[i];
    const std::span<const Time> times = times_of(i);
    const RowRange range = rows_inside(times, interval);
    if (range.empty()) continue;
    read_links_of(*stack_, section, links);
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
    read_links_of(*stack_, sections_[i], buffer.links);
    read_row(sections_[i], buffer.links.size(), *row);
    out.reserve(out.size() + buffer.columns.size());
    for (std::size_t j = 0; j < buffer.columns.size(); ++j) {
      const LinkValue value = buffer.values[j];
      out.push_back(
          {buffer.links[buffer.columns[j]], LinkKinds::from_bits(value.kinds), value.count});
    }
  }
}

// The column of a target; the section's links are in the buffer afterwards, in its own numbers.
std::optional<std::uint32_t> PageRows::find_column(const Section& section, Uid target) const {
  const auto number = stack_->numbers(section.stratum).number(target);
  if (!number) return std::nullopt;
  std::vector<Uid>& links = buffers().links;
  section.chunk->links().targets(section.node, links);
  return column_of(links, *number);
}

std::optional<LinkAt> PageRows::link_in_row(Time time, Uid target) const {
  Buffers& buffer = buffers();
  for (std::size_t i = 0; i < sections_.size(); ++i) {
    const auto row = row_of(times_of(i), time);
    if (!row) continue;
    const auto column = find_column(sections_[i], target);
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
    const auto column = find_column(sections_[i], target);
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
    const auto column = find_column(sections_[i], target);
    if (!column) continue;
    sections_[i].chunk->section(sections_[i].node, layers);
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
  stack.sightings(uid, rows, facts.sightings);
  if (rows.is_cut()) normalise(facts);
}

}  // namespace webstrata
