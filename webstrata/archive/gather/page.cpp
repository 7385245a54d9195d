// SPDX-License-Identifier: Apache-2.0

// Joining is sorting: equal facts become adjacent and are merged. Most pages are already in order
// (they come from a generation or a run), so every step first checks whether there is anything to
// do. Records are large and never sorted themselves; their positions are.
// Tested by tests/archive/page_test.cpp.

#include "webstrata/archive/gather/page.h"

#include <algorithm>
#include <numeric>
#include <string_view>
#include <tuple>

#include "webstrata/base/error.h"
#include "webstrata/codec/sighting_list.h"
#include "webstrata/facts/sighting.h"

namespace webstrata {
namespace {

// The smallest place is kept; a known place comes before an unknown one.
auto place_order(const SightingRecord& record) {
  return std::tuple(record.file.empty(), std::string_view(record.file), !record.offset,
                    record.offset, !record.length, record.length);
}

bool earlier(const SightingRecord& a, const SightingRecord& b) { return a.time < b.time; }

void sort_by_time(std::vector<SightingRecord>& sightings) {
  if (std::is_sorted(sightings.begin(), sightings.end(), earlier)) return;
  std::vector<std::uint32_t> order(sightings.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(),
            [&](std::uint32_t a, std::uint32_t b) { return earlier(sightings[a], sightings[b]); });
  std::vector<SightingRecord> sorted;
  sorted.reserve(sightings.size());
  for (const std::uint32_t position : order) sorted.push_back(std::move(sightings[position]));
  sightings = std::move(sorted);
}

using SightingIterator = std::vector<SightingRecord>::iterator;

// Joins the sightings of one second; returns their new end.
SightingIterator join_second(SightingIterator first, SightingIterator last) {
  if (last - first < 2) return last;
  std::sort(first, last, [](const SightingRecord& a, const SightingRecord& b) {
    const auto order = content_of(a) <=> content_of(b);
    return order != 0 ? order < 0 : place_order(a) < place_order(b);
  });
  const auto is_copy = [](const SightingRecord& a, const SightingRecord& b) {
    return content_of(a) == content_of(b);
  };
  const auto end = std::unique(first, last, is_copy);
  std::sort(first, end);
  return end;
}

void normalise_sightings(std::vector<SightingRecord>& sightings) {
  sort_by_time(sightings);
  auto kept = sightings.begin();
  for (auto first = sightings.begin(); first != sightings.end();) {
    const Time time = first->time;
    const auto last = std::find_if(first + 1, sightings.end(),
                                   [&](const SightingRecord& next) { return next.time != time; });
    const auto end = join_second(first, last);
    kept = kept == first ? end : std::move(first, end, kept);
    first = last;
  }
  sightings.erase(kept, sightings.end());
}

bool row_is_sorted(const PageFacts& page, std::size_t row) {
  for (std::size_t i = page.row_start(row) + 1; i < page.row_ends[row]; ++i) {
    if (page.targets[i - 1] >= page.targets[i]) return false;
  }
  return true;
}

bool rows_are_sorted(const PageFacts& page) {
  for (std::size_t row = 0; row < page.row_count(); ++row) {
    if (row > 0 && page.times[row - 1] >= page.times[row]) return false;
    if (!row_is_sorted(page, row)) return false;
  }
  return true;
}

struct ValuedLink {
  Uid target = 0;
  LinkValue value;
};

// Sorts the links of one second, and joins those of one target.
void join_links(std::vector<ValuedLink>& links) {
  const auto by_target = [](const ValuedLink& a, const ValuedLink& b) {
    return a.target < b.target;
  };
  if (!std::is_sorted(links.begin(), links.end(), by_target)) {
    std::sort(links.begin(), links.end(), by_target);
  }
  std::size_t kept = 0;
  for (const ValuedLink& link : links) {
    if (kept > 0 && links[kept - 1].target == link.target) {
      LinkValue& value = links[kept - 1].value;
      value.kinds |= link.value.kinds;
      value.count = std::max(value.count, link.value.count);
    } else {
      links[kept++] = link;
    }
  }
  links.resize(kept);
}

void normalise_rows(PageFacts& page) {
  if (rows_are_sorted(page)) return;
  std::vector<std::uint32_t> order(page.row_count());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::tie(page.times[a], a) < std::tie(page.times[b], b);
  });

  PageFacts joined;
  joined.times.reserve(page.times.size());
  joined.row_ends.reserve(page.times.size());
  joined.targets.reserve(page.targets.size());
  joined.values.reserve(page.targets.size());
  std::vector<ValuedLink> links;
  for (std::size_t i = 0; i < order.size();) {
    const Time time = page.times[order[i]];
    links.clear();
    for (; i < order.size() && page.times[order[i]] == time; ++i) {
      for (std::size_t at = page.row_start(order[i]); at < page.row_ends[order[i]]; ++at) {
        links.push_back({page.targets[at], page.values[at]});
      }
    }
    join_links(links);
    for (const ValuedLink& link : links) joined.add_link(link.target, link.value);
    joined.end_row(time);
  }
  page.times = std::move(joined.times);
  page.row_ends = std::move(joined.row_ends);
  page.targets = std::move(joined.targets);
  page.values = std::move(joined.values);
}

// Appends the links of row `row` and ends a row with them at `time`.
void copy_row(PageFacts& page, std::size_t row, Time time) {
  for (std::size_t at = page.row_start(row), end = page.row_ends[row]; at < end; ++at) {
    page.add_link(page.targets[at], page.values[at]);
  }
  page.end_row(time);
}

// The captures of a page, to be found by digest or by time.
class Originals {
 public:
  explicit Originals(const PageFacts& page) : page_(page) {
    std::size_t row = 0;
    for (const SightingRecord& sighting : page.sightings) {
      if (!sighting.has_links || sighting.kind == kRevisit) continue;
      while (row < page.row_count() && page.times[row] < sighting.time) ++row;
      if (row == page.row_count() || page.times[row] != sighting.time) continue;
      captures_.push_back({sighting.digest, static_cast<std::uint32_t>(row)});
      if (rows_.empty() || rows_.back() != row) rows_.push_back(static_cast<std::uint32_t>(row));
    }
    std::sort(captures_.begin(), captures_.end());
  }

  // The row that `revisit` refers to.
  [[nodiscard]] std::optional<std::uint32_t> row_of(const SightingRecord& revisit) const {
    if (revisit.refers_to) return std::nullopt;
    if (!revisit.digest.empty()) {
      if (const auto row = with_digest(revisit.digest, revisit.time)) return row;
    }
    const auto profile = static_cast<RevisitProfile>(revisit.revisit_profile);
    if (profile != RevisitProfile::NotModified) return std::nullopt;
    return unmodified_since(revisit);
  }

  static constexpr auto kRevisit = static_cast<std::uint8_t>(SightingKind::Revisit);

 private:
  struct Capture {
    std::string_view digest;
    std::uint32_t row = 0;
    friend auto operator<=>(const Capture&, const Capture&) = default;
  };

  // The latest at or before `time`, else the earliest after it.
  [[nodiscard]] std::optional<std::uint32_t> with_digest(std::string_view digest, Time time) const {
    const auto after =
        std::partition_point(captures_.begin(), captures_.end(), [&](const Capture& capture) {
          if (capture.digest != digest) return capture.digest < digest;
          return page_.times[capture.row] <= time;
        });
    if (after != captures_.begin() && (after - 1)->digest == digest) return (after - 1)->row;
    if (after != captures_.end() && after->digest == digest) return after->row;
    return std::nullopt;
  }

  [[nodiscard]] std::optional<std::uint32_t> unmodified_since(const SightingRecord& revisit) const {
    const auto after = [&](Time time) {
      return std::partition_point(rows_.begin(), rows_.end(),
                                  [&](std::uint32_t row) { return page_.times[row] <= time; });
    };
    if (revisit.refers_to_time) {
      const auto end = after(*revisit.refers_to_time);
      if (end != rows_.begin() && page_.times[*(end - 1)] == *revisit.refers_to_time) {
        return *(end - 1);
      }
    }
    const auto end = after(revisit.time);
    return end != rows_.begin() ? std::optional(*(end - 1)) : std::nullopt;
  }

  const PageFacts& page_;
  std::vector<Capture> captures_;    // by digest, then by time
  std::vector<std::uint32_t> rows_;  // ascending, each once
};

// Adds to the sorted set `all` what is new in `more`, which may be anything.
void unite(std::vector<Uid>& all, std::vector<Uid>& more) {
  std::sort(more.begin(), more.end());
  more.erase(std::unique(more.begin(), more.end()), more.end());
  const auto middle = static_cast<std::ptrdiff_t>(all.size());
  all.insert(all.end(), more.begin(), more.end());
  std::inplace_merge(all.begin(), all.begin() + middle, all.end());
  more.clear();
}

// Where `target` is, or would be, at or after `from`. Rows are sorted and mostly follow the union,
// so the answer is near.
std::size_t seek(const std::vector<Uid>& links, std::size_t from, Uid target) {
  std::size_t step = 1;
  std::size_t low = from;
  while (low + step <= links.size() && links[low + step - 1] < target) {
    low += step;
    step *= 2;
  }
  const std::size_t high = std::min(low + step, links.size());
  const auto begin = links.begin() + static_cast<std::ptrdiff_t>(low);
  const auto end = links.begin() + static_cast<std::ptrdiff_t>(high);
  return static_cast<std::size_t>(std::lower_bound(begin, end, target) - links.begin());
}

// The union of all rows. New targets are collected until they outnumber the known ones, so that a
// page with entirely different rows costs no more than sorting.
void unite_rows(const PageFacts& page, std::vector<Uid>& links) {
  constexpr std::size_t kPendingMin = 64;
  std::vector<Uid> pending;
  for (std::size_t row = 0; row < page.row_count(); ++row) {
    std::size_t at = 0;
    for (std::size_t i = page.row_start(row); i < page.row_ends[row]; ++i) {
      const Uid target = page.targets[i];
      at = seek(links, at, target);
      if (at == links.size() || links[at] != target) pending.push_back(target);
    }
    if (pending.size() > std::max(links.size(), kPendingMin)) unite(links, pending);
  }
  if (!pending.empty()) unite(links, pending);
}

}  // namespace

void PageFacts::clear() {
  sightings.clear();
  times.clear();
  row_ends.clear();
  targets.clear();
  values.clear();
  texts.clear();
}

void PageLayers::clear() {
  links.clear();
  times.clear();
  one_ends.clear();
  ones.clear();
  values.clear();
}

void append(PageFacts& page, const PageFacts& more) {
  const auto extend = [](auto& to, const auto& from) {
    to.insert(to.end(), from.begin(), from.end());
  };
  const auto links_before = static_cast<std::uint32_t>(page.targets.size());
  extend(page.sightings, more.sightings);
  extend(page.times, more.times);
  for (const std::uint32_t end : more.row_ends) page.row_ends.push_back(links_before + end);
  extend(page.targets, more.targets);
  extend(page.values, more.values);
  append(page.texts, more.texts);
}

void normalise(PageFacts& page) {
  normalise_sightings(page.sightings);
  normalise_rows(page);
  normalise(page.texts);
}

void drop_derived_rows(PageFacts& page) {
  auto sighting = page.sightings.begin();
  std::size_t kept_rows = 0;
  std::uint32_t kept_links = 0;
  for (std::size_t row = 0, start = 0; row < page.row_count(); ++row) {
    const Time time = page.times[row];
    const std::size_t end = page.row_ends[row];
    const auto is_before = [&](const SightingRecord& s) {
      return s.time < time || (s.time == time && !s.has_links);
    };
    while (sighting != page.sightings.end() && is_before(*sighting)) ++sighting;
    const bool is_captured = sighting != page.sightings.end() && sighting->time == time;
    for (std::size_t at = start; is_captured && at < end; ++at, ++kept_links) {
      page.targets[kept_links] = page.targets[at];
      page.values[kept_links] = page.values[at];
    }
    start = end;
    if (!is_captured) continue;
    page.times[kept_rows] = time;
    page.row_ends[kept_rows++] = kept_links;
  }
  page.times.resize(kept_rows);
  page.row_ends.resize(kept_rows);
  page.targets.resize(kept_links);
  page.values.resize(kept_links);
  keep_times(page.texts, page.times);
}

void derive_rows(PageFacts& page) {
  const auto is_revisit = [](const SightingRecord& sighting) {
    return sighting.kind == Originals::kRevisit;
  };
  if (std::none_of(page.sightings.begin(), page.sightings.end(), is_revisit)) return;

  struct Derived {
    Time time = 0;
    std::uint32_t row = 0;
  };
  std::vector<Derived> derived;
  const Originals originals(page);
  for (const SightingRecord& sighting : page.sightings) {
    if (!is_revisit(sighting)) continue;
    if (std::binary_search(page.times.begin(), page.times.end(), sighting.time)) continue;
    if (const auto row = originals.row_of(sighting)) derived.push_back({sighting.time, *row});
  }
  if (!page.texts.empty()) {
    std::vector<RepeatedRow> repeated;
    for (const Derived& row : derived) repeated.push_back({page.times[row.row], row.time});
    repeat_texts(page.texts, std::move(repeated));
    normalise(page.texts);
  }
  for (const Derived& row : derived) copy_row(page, row.row, row.time);
  normalise_rows(page);
}

void to_layers(const PageFacts& page, PageLayers& layers) {
  layers.clear();
  layers.times = page.times;
  layers.one_ends = page.row_ends;
  layers.values = page.values;
  unite_rows(page, layers.links);
  layers.ones.reserve(page.targets.size());
  for (std::size_t row = 0; row < page.row_count(); ++row) {
    std::size_t at = 0;
    for (std::size_t i = page.row_start(row); i < page.row_ends[row]; ++i) {
      at = seek(layers.links, at, page.targets[i]);
      layers.ones.push_back(static_cast<std::uint32_t>(at));
    }
  }
}

void from_layers(const PageLayers& layers, PageFacts& page) {
  const bool agree = layers.values.size() == layers.ones.size() &&
                     layers.one_ends.size() == layers.times.size() &&
                     std::is_sorted(layers.one_ends.begin(), layers.one_ends.end()) &&
                     (layers.one_ends.empty() ? 0 : layers.one_ends.back()) == layers.ones.size();
  if (!agree) throw Error(ErrorKind::Corrupt, "the layers of a page do not fit together");
  page.times = layers.times;
  page.row_ends = layers.one_ends;
  page.values = layers.values;
  page.targets.clear();
  page.targets.reserve(layers.ones.size());
  for (const std::uint32_t one : layers.ones) {
    if (one >= layers.links.size())
      throw Error(ErrorKind::Corrupt, "a row has links beyond its page's");
    page.targets.push_back(layers.links[one]);
  }
}

}  // namespace webstrata
