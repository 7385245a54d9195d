// SPDX-License-Identifier: Apache-2.0

// Caching multikey quicksort.
//
// Each row holds the eight bytes of its key from `depth` on, big-endian and padded with zeros, so
// that one integer comparison orders eight bytes. Rows that differ there are partitioned around a
// pivot; those equal to it continue eight bytes deeper. Padding zeros are distinguished from zeros
// in the key where it matters: among rows with equal bytes those whose key ends come first, by
// length.
//
// Tested by tests/base/sort_keys_test.cpp.

#include "webstrata/base/sort_keys.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <memory>
#include <vector>

namespace webstrata {

namespace {

constexpr std::size_t kCacheBytes = 8;
constexpr std::size_t kSmall = 16;  // rows for which insertion sort is faster

struct Row {
  std::uint64_t cache;
  KeyEntry entry;
};

std::uint64_t bytes_at(std::string_view key, std::size_t depth) {
  std::uint64_t bytes = 0;
  if (key.size() >= depth + kCacheBytes) {
    std::memcpy(&bytes, key.data() + depth, kCacheBytes);
  } else if (key.size() > depth) {
    std::memcpy(&bytes, key.data() + depth, key.size() - depth);
  }
  return __builtin_bswap64(bytes);
}

// Of two rows that agree in all bytes before `depth`.
bool is_before(const Row& a, const Row& b, std::size_t depth) {
  if (a.cache != b.cache) return a.cache < b.cache;
  const std::string_view a_rest = a.entry.key.substr(std::min(depth, a.entry.key.size()));
  const std::string_view b_rest = b.entry.key.substr(std::min(depth, b.entry.key.size()));
  const int order = a_rest.compare(b_rest);
  return order != 0 ? order < 0 : a.entry.tag < b.entry.tag;
}

void insertion_sort(Row* first, Row* last, std::size_t depth) {
  for (Row* next = first + 1; next < last; ++next) {
    const Row row = *next;
    Row* at = next;
    for (; at > first && is_before(row, at[-1], depth); --at) *at = at[-1];
    *at = row;
  }
}

std::uint64_t median(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  return std::max(std::min(a, b), std::min(std::max(a, b), c));
}

std::uint64_t pivot_of(const Row* rows, std::size_t count) {
  const auto three = [&](std::size_t at) {
    const std::size_t step = count / 10;
    return median(rows[at].cache, rows[at + step].cache, rows[at + 2 * step].cache);
  };
  return median(three(0), three(count / 3), three(2 * count / 3));
}

struct Part {
  Row* first;
  Row* last;
  std::size_t depth;
  int cuts_left;  // before the pivots count as bad
};

struct Equal {
  Row* first;
  Row* last;
};

// Smaller, equal and larger rows, in this order; returns the equal ones.
Equal part_around(std::uint64_t pivot, Row* first, Row* last) {
  Row* smaller_end = first;
  Row* larger = last;
  for (Row* at = first; at < larger;) {
    if (at->cache < pivot) {
      std::swap(*at++, *smaller_end++);
    } else if (at->cache > pivot) {
      std::swap(*at, *--larger);
    } else {
      ++at;
    }
  }
  return {smaller_end, larger};
}

// Rows whose key ends within the cached bytes, by length and tag; they precede the others, as all
// these rows agree in the cached bytes. Returns the first of the others.
Row* settle_ended(Row* first, Row* last, std::size_t depth) {
  Row* others = std::partition(
      first, last, [&](const Row& row) { return row.entry.key.size() <= depth + kCacheBytes; });
  std::sort(first, others, [](const Row& a, const Row& b) {
    const std::size_t a_size = a.entry.key.size();
    const std::size_t b_size = b.entry.key.size();
    return a_size != b_size ? a_size < b_size : a.entry.tag < b.entry.tag;
  });
  return others;
}

// Returns whether the rows still agree in all of the new bytes, and no key ends there.
bool refill(Row* first, Row* last, std::size_t depth) {
  std::uint64_t differences = 0;
  std::size_t size_min = std::string_view::npos;
  for (Row* row = first; row < last; ++row) {
    row->cache = bytes_at(row->entry.key, depth);
    differences |= row->cache ^ first->cache;
    size_min = std::min(size_min, row->entry.key.size());
  }
  return differences == 0 && first < last && size_min > depth + kCacheBytes;
}

void comparison_sort(Row* first, Row* last, std::size_t depth) {
  std::sort(first, last, [depth](const Row& a, const Row& b) { return is_before(a, b, depth); });
}

// A work list instead of recursion: a shared prefix of any length needs no deep stack.
void sort_rows(Row* first, Row* last) {
  const int cuts_max = 4 * static_cast<int>(std::bit_width(static_cast<std::size_t>(last - first)));
  std::vector<Part> parts = {{first, last, 0, cuts_max}};
  while (!parts.empty()) {
    const Part part = parts.back();
    parts.pop_back();
    const auto count = static_cast<std::size_t>(part.last - part.first);
    if (count <= kSmall) {
      insertion_sort(part.first, part.last, part.depth);
      continue;
    }
    if (part.cuts_left == 0) {
      comparison_sort(part.first, part.last, part.depth);
      continue;
    }
    const Equal equal = part_around(pivot_of(part.first, count), part.first, part.last);
    parts.push_back({part.first, equal.first, part.depth, part.cuts_left - 1});
    parts.push_back({equal.last, part.last, part.depth, part.cuts_left - 1});
    Row* others = settle_ended(equal.first, equal.last, part.depth);
    std::size_t depth = part.depth + kCacheBytes;
    while (refill(others, equal.last, depth)) depth += kCacheBytes;
    parts.push_back({others, equal.last, depth, cuts_max});
  }
}

}  // namespace

void sort_keys(std::span<KeyEntry> entries) {
  const auto rows = std::make_unique_for_overwrite<Row[]>(entries.size());
  for (std::size_t i = 0; i < entries.size(); ++i) {
    rows[i] = {bytes_at(entries[i].key, 0), entries[i]};
  }
  sort_rows(rows.get(), rows.get() + entries.size());
  for (std::size_t i = 0; i < entries.size(); ++i) entries[i] = rows[i].entry;
}

}  // namespace webstrata
