// SPDX-License-Identifier: Apache-2.0

// Captures come in the order of their keys, which is that of uids, and so do the rows of the old
// columns: one pass joins them, for all columns at once.
// Tested by tests/archive/score_columns_test.cpp.

#include "webstrata/archive/merge/score_columns_writer.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>

#include "webstrata/archive/disk/score_files.h"
#include "webstrata/archive/disk/score_values.h"
#include "webstrata/archive/read/cached_stack.h"
#include "webstrata/archive/read/page_rows.h"

namespace webstrata {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kCacheBytes = std::size_t{64} << 20;

// What is known about one page by one column.
struct PageScores {
  double page = missing_score();
  LinkScoreRow row;
};

// Of two scores the later one counts; in the same second, the larger.
bool goes_before(Time time, double score, Time other_time, double other_score) {
  if (is_missing(other_score)) return true;
  return time > other_time || (time == other_time && score > other_score);
}

// `more` was scored at one time.
void join(PageScores& known, const PageScores& more) {
  if (goes_before(more.row.time, more.page, known.row.time, known.page)) known.page = more.page;
  known.row.time = std::max(known.row.time, more.row.time);
  std::vector<LinkScore> links;
  auto old = known.row.links.begin();
  for (const LinkScore& link : more.row.links) {
    for (; old != known.row.links.end() && old->target < link.target; ++old) links.push_back(*old);
    const bool is_known = old != known.row.links.end() && old->target == link.target;
    const bool stays = is_known && !goes_before(link.time, link.value, old->time, old->value);
    links.push_back(stays ? *old : link);
    if (is_known) ++old;
  }
  links.insert(links.end(), old, known.row.links.end());
  known.row.links = std::move(links);
}

// One pair of columns: copies what was carried over, and adds what is new.
class ColumnJoin {
 public:
  ColumnJoin(const fs::path& folder, const Manifest& manifest, const ScoreColumn& column)
      : name_(column.name),
        folder_(folder),
        node_count_(manifest.counts.nodes),
        nodes_(folder / free_column_file(folder, kNodeScoreStem, name_), node_count_),
        links_(folder / free_column_file(folder, kLinkScoreStem, name_), node_count_, column.note) {
    const auto nodes = manifest.scores.find(name_);
    const auto links = manifest.link_scores.find(name_);
    if (nodes != manifest.scores.end()) {
      old_nodes_file_ = nodes->second.name;
      old_nodes_.emplace(folder / nodes->second.name, nodes->second);
    }
    if (links != manifest.link_scores.end()) {
      old_links_file_ = links->second.name;
      old_links_.emplace(folder / links->second.name, links->second);
      read_row();
    }
  }

  // Pages ascending.
  void add(Uid page, const PageScores& more) {
    copy_up_to(page);
    PageScores known;
    if (old_nodes_) known.page = old_nodes_->next();
    if (has_row_ && row_.source == page) {
      known.row = row_;
      read_row();
    } else {
      known.row.source = page;
      known.row.time = more.row.time;
    }
    join(known, more);
    nodes_.add(known.page);
    links_.add(known.row);
    ++next_;
  }

  void finish(Manifest& manifest) {
    copy_up_to(node_count_);
    manifest.scores[name_] = nodes_.finish();
    manifest.link_scores[name_] = links_.finish();
    // They belong to this generation, which is not published yet.
    if (!old_nodes_file_.empty()) fs::remove(folder_ / old_nodes_file_);
    if (!old_links_file_.empty()) fs::remove(folder_ / old_links_file_);
  }

 private:
  void read_row() { has_row_ = old_links_->next(row_); }
  void copy_up_to(Uid page) {
    for (; next_ < page; ++next_) nodes_.add(old_nodes_ ? old_nodes_->next() : missing_score());
    while (has_row_ && row_.source < page) {
      links_.add(row_);
      read_row();
    }
  }

  std::string name_;
  fs::path folder_;
  std::uint64_t node_count_;
  NodeScoreWriter nodes_;
  LinkScoreWriter links_;
  std::string old_nodes_file_;
  std::string old_links_file_;
  std::optional<NodeScoreReader> old_nodes_;
  std::optional<LinkScoreReader> old_links_;
  LinkScoreRow row_;
  bool has_row_ = false;
  Uid next_ = 0;
};

// Finds captures in the layers.
class CaptureFinder {
 public:
  explicit CaptureFinder(const CachedStack& generation) : generation_(generation) {}

  [[nodiscard]] std::optional<Uid> uid(const std::string& key) const {
    bool is_there = false;
    const Uid uid = generation_.lower_bound(key, is_there);
    return is_there ? std::optional(uid) : std::nullopt;
  }

  // Replaces `scores` by those of the capture; false if the page has no row at that time.
  bool read(Uid page, const ScoredCapture& capture, std::vector<PageScores>& scores) {
    const PageRows rows(generation_, Direction::Out, page);
    if (!std::ranges::binary_search(rows.times(), capture.time)) return false;
    links_.clear();
    rows.append_row(capture.time, links_);
    find_targets(capture);
    for (std::size_t i = 0; i < scores.size(); ++i) {
      scores[i].page = capture.columns[i].page;
      scores[i].row = {page, capture.time, {}};
      add_links(capture.columns[i], scores[i].row);
    }
    return true;
  }

 private:
  // The links of the capture that the layers have. Its row may have more: those of other captures
  // in the same second, which may have no scores.
  void find_targets(const ScoredCapture& capture) {
    in_row_.clear();
    for (const LinkAt& link : links_) in_row_.push_back(link.node);
    std::ranges::sort(in_row_);
    targets_.clear();
    for (const std::string& key : capture.targets) {
      const auto target = uid(key);
      if (target && std::ranges::binary_search(in_row_, *target)) targets_.push_back(*target);
    }
    std::ranges::sort(targets_);
    targets_.erase(std::unique(targets_.begin(), targets_.end()), targets_.end());
  }

  void add_links(const ScoredCapture::Column& column, LinkScoreRow& row) const {
    for (const Uid target : targets_) row.links.push_back({target, row.time, 0});
    for (const auto& [key, score] : column.links) {
      const auto target = uid(key);
      if (!target) continue;
      const auto found = std::ranges::lower_bound(row.links, *target, {}, &LinkScore::target);
      if (found != row.links.end() && found->target == *target) found->value = score;
    }
  }

  const CachedStack& generation_;
  std::vector<LinkAt> links_;
  std::vector<Uid> in_row_;
  std::vector<Uid> targets_;
};

}  // namespace

void write_score_columns(const fs::path& folder, Manifest& manifest,
                         const std::vector<ScoreColumn>& columns, ScoreRuns& runs) {
  const CachedStack generation(folder, manifest, kCacheBytes);
  std::vector<std::unique_ptr<ColumnJoin>> joins;
  for (const ScoreColumn& column : columns) {
    check_column_name(column.name);
    joins.push_back(std::make_unique<ColumnJoin>(folder, manifest, column));
  }
  CaptureFinder finder(generation);
  std::optional<Uid> page;  // the one whose captures are being gathered
  std::vector<PageScores> gathered(columns.size());
  std::vector<PageScores> more(columns.size());
  const auto give = [&] {
    for (std::size_t i = 0; page && i < joins.size(); ++i) joins[i]->add(*page, gathered[i]);
    page.reset();
  };
  runs.visit([&](const ScoredCapture& capture) {
    const auto uid = finder.uid(capture.key);
    if (!uid || !finder.read(*uid, capture, more)) return;
    if (page == uid) {
      for (std::size_t i = 0; i < more.size(); ++i) join(gathered[i], more[i]);
      return;
    }
    give();
    page = uid;
    gathered = more;
  });
  give();
  for (auto& column : joins) column->finish(manifest);
}

}  // namespace webstrata
