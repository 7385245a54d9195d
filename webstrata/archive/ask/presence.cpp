// SPDX-License-Identifier: Apache-2.0

// Every page that takes part is read once, with all its rows, and each row is turned into columns:
// a link extends its latest run if the previous row of its page had it too.
// Tested by tests/archive/presence_test.cpp.

#include "webstrata/archive/ask/presence.h"

#include <algorithm>
#include <iterator>
#include <unordered_map>
#include <utility>

namespace webstrata {
namespace {

bool is_inside(const std::optional<TimeInterval>& during, Time time) {
  return !during || (time >= during->first && time <= during->last);
}

// Removes the rows outside the interval.
void keep_rows(PageFacts& page, const std::optional<TimeInterval>& during) {
  if (!during) return;
  PageFacts kept;
  for (std::size_t row = 0; row < page.row_count(); ++row) {
    if (!is_inside(during, page.times[row])) continue;
    for (std::size_t i = page.row_start(row); i < page.row_ends[row]; ++i) {
      kept.add_link(page.targets[i], page.values[i]);
    }
    kept.end_row(page.times[row]);
  }
  page = std::move(kept);
}

PageFacts rows_of(const Archive& archive, Uid uid, const std::optional<TimeInterval>& during) {
  PageFacts page;
  archive.page(uid, page);
  page.sightings.clear();
  keep_rows(page, during);
  return page;
}

// All spellings as one page: captures of one second are joined.
PageFacts united_rows(const Archive& archive, std::span<const Uid> nodes,
                      const std::optional<TimeInterval>& during) {
  PageFacts all;
  for (const Uid node : nodes) append(all, rows_of(archive, node, during));
  normalise(all);
  return all;
}

using RowsByNode = std::unordered_map<Uid, PresenceRow>;

// `column` has the link: it continues the latest run, or begins another.
void add_column(PresenceRow& row, std::uint32_t column, bool continues) {
  if (continues) {
    row.runs.back().count = column + 1 - row.runs.back().first;
  } else {
    row.runs.push_back({column, 1});
  }
}

Presence out_presence(const Archive& archive, std::span<const Uid> nodes,
                      const PresenceQuestion& question) {
  const PageFacts page = united_rows(archive, nodes, question.during);
  RowsByNode rows;
  for (std::uint32_t column = 0; column < page.row_count(); ++column) {
    for (std::size_t i = page.row_start(column); i < page.row_ends[column]; ++i) {
      PresenceRow& row = rows[page.targets[i]];
      row.node = page.targets[i];
      row.kinds = row.kinds | LinkKinds::from_bits(page.values[i].kinds);
      ++row.captures;
      const bool continues =
          !row.runs.empty() && row.runs.back().first + row.runs.back().count == column;
      add_column(row, column, continues);
    }
  }
  Presence found{.times = page.times};
  for (auto& [node, row] : rows) found.rows.push_back(std::move(row));
  return found;
}

// The captures of one page that linked here, and whether each has a link to one of the nodes.
struct SourceRows {
  Uid node = 0;
  LinkKinds kinds = {};
  std::vector<Time> times = {};
  std::vector<bool> has_link = {};
};

SourceRows source_rows(const Archive& archive, Uid source, std::span<const Uid> nodes,
                       const PresenceQuestion& question) {
  PageFacts page = rows_of(archive, source, question.during);
  SourceRows found{.node = source, .times = page.times};
  for (std::size_t row = 0; row < page.row_count(); ++row) {
    bool has_link = false;
    for (std::size_t i = page.row_start(row); i < page.row_ends[row]; ++i) {
      if (std::ranges::find(nodes, page.targets[i]) == nodes.end()) continue;
      has_link = true;
      found.kinds = found.kinds | LinkKinds::from_bits(page.values[i].kinds);
    }
    found.has_link.push_back(has_link);
  }
  return found;
}

PresenceRow row_of(const SourceRows& source, const std::vector<Time>& times) {
  PresenceRow row{.node = source.node, .kinds = source.kinds, .captures = 0, .runs = {}};
  bool had_link = false;
  for (std::size_t i = 0; i < source.times.size(); ++i) {
    if (source.has_link[i]) {
      const auto at = std::ranges::lower_bound(times, source.times[i]);
      ++row.captures;
      add_column(row, static_cast<std::uint32_t>(at - times.begin()), had_link);
    }
    had_link = source.has_link[i];
  }
  return row;
}

Presence in_presence(const Archive& archive, std::span<const Uid> nodes,
                     const PresenceQuestion& question) {
  std::vector<Uid> sources;
  for (const Uid node : nodes) {
    const auto some = question.during ? archive.links(node, *question.during, Direction::In)
                                      : archive.links(node, Direction::In);
    sources.insert(sources.end(), some.begin(), some.end());
  }
  std::ranges::sort(sources);
  sources.erase(std::ranges::unique(sources).begin(), sources.end());
  std::vector<SourceRows> read;
  Presence found;
  for (const Uid source : sources) {
    read.push_back(source_rows(archive, source, nodes, question));
    found.times.insert(found.times.end(), read.back().times.begin(), read.back().times.end());
  }
  std::ranges::sort(found.times);
  found.times.erase(std::ranges::unique(found.times).begin(), found.times.end());
  for (const SourceRows& source : read) found.rows.push_back(row_of(source, found.times));
  std::erase_if(found.rows, [](const PresenceRow& row) { return row.runs.empty(); });
  return found;
}

void keep_most_captured(Presence& found, std::size_t links_max) {
  if (found.rows.size() <= links_max) return;
  std::ranges::stable_sort(found.rows, std::ranges::greater{}, &PresenceRow::captures);
  found.left_out = found.rows.size() - links_max;
  found.rows.resize(links_max);
  std::ranges::sort(found.rows, {}, &PresenceRow::node);
}

// ---- births and deaths --------------------------------------------------------------------------

std::string month_of(Time time) { return to_rfc3339(time).substr(0, 7); }

std::vector<Uid> targets_of(const PageFacts& page, std::size_t row, LinkKinds kinds) {
  std::vector<Uid> targets;
  for (std::size_t i = page.row_start(row); i < page.row_ends[row]; ++i) {
    if (LinkKinds::from_bits(page.values[i].kinds).intersects(kinds)) {
      targets.push_back(page.targets[i]);
    }
  }
  return targets;
}

LinkChurn::Page churn_of(const PageFacts& page, LinkKinds kinds, LinkChurn& churn) {
  LinkChurn::Page found{.span = {page.times.front(), page.times.back()},
                        .captures = page.row_count()};
  std::vector<Uid> before;
  for (std::size_t row = 0; row < page.row_count(); ++row) {
    LinkChurn::Month& month = churn.months[month_of(page.times[row])];
    std::vector<Uid> now = targets_of(page, row, kinds);
    ++month.captures;
    month.new_pages += row == 0 ? 1 : 0;
    if (row > 0) {
      std::vector<Uid> kept;
      std::ranges::set_intersection(before, now, std::back_inserter(kept));
      month.births += now.size() - kept.size();
      month.deaths += before.size() - kept.size();
      found.births += now.size() - kept.size();
      found.deaths += before.size() - kept.size();
    }
    before = std::move(now);
  }
  found.links_last = before.size();
  return found;
}

}  // namespace

Presence presence(const Archive& archive, std::span<const Uid> nodes,
                  const PresenceQuestion& question) {
  Presence found = question.direction == Direction::Out ? out_presence(archive, nodes, question)
                                                        : in_presence(archive, nodes, question);
  std::erase_if(found.rows,
                [&](const PresenceRow& row) { return !row.kinds.intersects(question.kinds); });
  std::ranges::sort(found.rows, {}, &PresenceRow::node);
  keep_most_captured(found, question.links_max);
  return found;
}

LinkChurn link_churn(const Archive& archive, std::span<const Uid> pages,
                     std::optional<TimeInterval> during, LinkKinds kinds) {
  LinkChurn churn;
  for (const Uid uid : pages) {
    const PageFacts page = rows_of(archive, uid, during);
    if (page.row_count() == 0) continue;
    churn.pages.push_back(churn_of(page, kinds, churn));
    churn.pages.back().uid = uid;
  }
  return churn;
}

}  // namespace webstrata
