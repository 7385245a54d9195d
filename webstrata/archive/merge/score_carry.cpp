// SPDX-License-Identifier: Apache-2.0

// Tested by tests/archive/scores_test.cpp and tests/archive/score_columns_test.cpp.

#include "webstrata/archive/merge/score_carry.h"

#include <unistd.h>

#include <algorithm>
#include <span>

#include "webstrata/archive/disk/score_files.h"

namespace webstrata {
namespace {

namespace fs = std::filesystem;

// The new uids are in the order of the old ones, so one pass is enough.
LayerFile write_translated(NodeScoreReader& column, const Translation& translation,
                           std::uint64_t node_count, std::span<const Uid> lapsed,
                           const fs::path& path) {
  NodeScoreWriter writer(path, node_count);
  Uid next = 0;
  auto lapses = lapsed.begin();
  for (std::uint64_t node = 0; column.remaining() > 0; ++node) {
    const double value = column.next();
    if (translation.is_dropped(node)) continue;
    for (const Uid uid = translation[node]; next < uid; ++next) writer.add(missing_score());
    while (lapses != lapsed.end() && *lapses < next) ++lapses;
    const bool has_lapsed = lapses != lapsed.end() && *lapses == next;
    writer.add(has_lapsed ? missing_score() : value);
    ++next;
  }
  for (; next < node_count; ++next) writer.add(missing_score());
  return writer.finish();
}

// One column. Sources keep their order, so one pass is enough.
class RowCarrier {
 public:
  RowCarrier(const Translation& translation, const CapturesLeft* left)
      : translation_(translation), left_(left) {}

  LayerFile run(LinkScoreReader& from, LinkScoreWriter& to) {
    LinkScoreRow row;
    while (from.next(row)) {
      if (translation_.is_dropped(row.source)) continue;
      const Uid old_source = row.source;
      translate(row);
      const bool is_touched = left_ != nullptr && left_->is_touched(old_source);
      if (!is_touched || keep_what_is_there(row)) to.add(row);
    }
    return to.finish();
  }

  std::vector<Uid> lapsed;

 private:
  void translate(LinkScoreRow& row) const {
    row.source = translation_[row.source];
    std::erase_if(row.links,
                  [&](const LinkScore& link) { return translation_.is_dropped(link.target); });
    for (LinkScore& link : row.links) link.target = translation_[link.target];
  }

  // False if nothing of the row is left.
  bool keep_what_is_there(LinkScoreRow& row) {
    left_->read_times(row.source, there_);
    const auto is_there = [&](Time time) { return std::ranges::binary_search(there_, time); };
    std::erase_if(row.links, [&](const LinkScore& link) { return !is_there(link.time); });
    if (is_there(row.time)) return true;
    lapsed.push_back(row.source);
    if (row.links.empty()) return false;
    row.time = std::ranges::max_element(row.links, {}, &LinkScore::time)->time;
    return true;
  }

  const Translation& translation_;
  const CapturesLeft* left_;
  std::vector<Time> there_;
};

}  // namespace

std::map<std::string, LayerFile> carry_scores(const fs::path& from,
                                              const std::map<std::string, LayerFile>& columns,
                                              const Translation& translation,
                                              std::uint64_t node_count, const LapsedScores& lapsed,
                                              const fs::path& into) {
  std::map<std::string, LayerFile> carried;
  const bool is_same =
      translation.is_identity() && !translation.drops() && translation.size() == node_count;
  for (const auto& [name, file] : columns) {
    const auto lapses = lapsed.find(name);
    const std::span<const Uid> gone =
        lapses == lapsed.end() ? std::span<const Uid>() : lapses->second;
    const bool is_linked = is_same && gone.empty() &&
                           ::link((from / file.name).c_str(), (into / file.name).c_str()) == 0;
    if (is_linked) {
      carried.emplace(name, file);
      continue;
    }
    NodeScoreReader column(from / file.name, file);
    carried.emplace(name, write_translated(column, translation, node_count, gone,
                                           into / free_column_file(into, kNodeScoreStem, name)));
  }
  return carried;
}

CarriedLinkScores carry_link_scores(const fs::path& from, const ColumnFiles& columns,
                                    const Translation& translation, std::uint64_t node_count,
                                    const CapturesLeft* left, const fs::path& into) {
  CarriedLinkScores carried;
  const bool is_same = left == nullptr && translation.is_identity() && !translation.drops() &&
                       translation.size() == node_count;
  for (const auto& [name, file] : columns) {
    if (is_same && ::link((from / file.name).c_str(), (into / file.name).c_str()) == 0) {
      carried.files.emplace(name, file);
      continue;
    }
    LinkScoreReader reader(from / file.name, file);
    LinkScoreWriter writer(into / free_column_file(into, kLinkScoreStem, name), node_count,
                           reader.note());
    RowCarrier carrier(translation, left);
    carried.files.emplace(name, carrier.run(reader, writer));
    if (!carrier.lapsed.empty()) carried.lapsed.emplace(name, std::move(carrier.lapsed));
  }
  return carried;
}

}  // namespace webstrata
