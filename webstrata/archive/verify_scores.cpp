// SPDX-License-Identifier: Apache-2.0

// Tested by tests/archive/score_columns_test.cpp.

#include "webstrata/archive/verify_scores.h"

#include <algorithm>

#include "webstrata/archive/disk/score_files.h"
#include "webstrata/base/error.h"

namespace webstrata {
namespace {

// Iterates over the pages of a generation in parallel with the rows of a column.
class RowCheck {
 public:
  explicit RowCheck(const GenerationReader& generation)
      : node_count_(generation.node_count()), rows_(generation, Direction::Out) {
    rows_.seek(0);
  }

  [[nodiscard]] bool fits(const LinkScoreRow& row) {
    read_page(row.source);
    const auto has_time = [&](Time time) { return std::ranges::binary_search(times_, time); };
    return has_time(row.time) && std::ranges::all_of(row.links, [&](const LinkScore& link) {
             return has_time(link.time) && std::ranges::binary_search(links_, link.target);
           });
  }
  [[nodiscard]] std::uint64_t node_count() const noexcept { return node_count_; }

 private:
  // A page may have several sections.
  void read_page(Uid page) {
    links_.clear();
    times_.clear();
    for (auto node = rows_.next_node(); node && *node <= page; node = rows_.next_node()) {
      rows_.read(section_);
      if (*node != page) continue;
      links_.insert(links_.end(), section_.links.begin(), section_.links.end());
      times_.insert(times_.end(), section_.times.begin(), section_.times.end());
    }
    std::ranges::sort(links_);
    std::ranges::sort(times_);
  }

  std::uint64_t node_count_;
  RowScanner rows_;
  PageLayers section_;
  std::vector<Uid> links_;
  std::vector<Time> times_;
};

}  // namespace

void verify_link_scores(const GenerationReader& generation, const Manifest& manifest,
                        VerifyNotes& notes) {
  for (const auto& [name, file] : manifest.link_scores) {
    const auto path = generation.folder() / file.name;
    try {
      LinkScoreReader column(path, file);
      RowCheck check(generation);
      if (column.node_count() != check.node_count()) {
        notes.tell("{}: is of another generation; compute these scores again", path.string());
        continue;
      }
      LinkScoreRow row;
      bool is_sound = true;
      while (is_sound && column.next(row)) is_sound = check.fits(row);
      if (!is_sound) {
        notes.tell("{}: scores links of node {} that it never had; compute these scores again",
                   path.string(), row.source);
      }
    } catch (const Error& error) {
      notes.tell("{}", error.what());
    }
  }
}

}  // namespace webstrata
