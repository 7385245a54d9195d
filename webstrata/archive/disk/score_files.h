// SPDX-License-Identifier: Apache-2.0

// The files of score columns, of nodes and of links, value after value. docs/FORMAT.md draws them.
//
// Readers check the whole file when they open it, and throw Error(Corrupt), naming the file, if
// anything differs from what the writers produce.

#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "webstrata/archive/disk/layer.h"
#include "webstrata/archive/disk/score_values.h"
#include "webstrata/base/bytes.h"
#include "webstrata/base/file.h"
#include "webstrata/base/ids.h"

namespace webstrata {

inline constexpr std::string_view kNodeScoreStem = "scores";
inline constexpr std::string_view kLinkScoreStem = "link_scores";

// A file that is written piece by piece.
class ColumnOutput {
 public:
  explicit ColumnOutput(std::filesystem::path path);
  // The bytes to write next; call flush_if_full() now and then.
  std::string buffer;
  void flush_if_full();
  LayerFile finish();

 private:
  std::filesystem::path path_;
  FileWriter writer_;
};

// A score for each node, in the order of uids.
class NodeScoreWriter {
 public:
  NodeScoreWriter(std::filesystem::path path, std::uint64_t node_count);
  void add(double score);
  LayerFile finish() { return out_.finish(); }

 private:
  ColumnOutput out_;
};

class NodeScoreReader {
 public:
  NodeScoreReader(const std::filesystem::path& path, const LayerFile& file);
  NodeScoreReader(const NodeScoreReader&) = delete;
  NodeScoreReader& operator=(const NodeScoreReader&) = delete;

  [[nodiscard]] std::uint64_t remaining() const { return in_.remaining() / 8; }
  double next();

 private:
  std::string name_;
  MappedFile mapping_;
  ByteReader in_;
};

// Rows of link scores, sources ascending. A score that was written before is written as its number
// (from 1, in the order of first use, up to a limit), a new one as 0 and its eight bytes: counts of
// words give few different scores.
class LinkScoreWriter {
 public:
  LinkScoreWriter(std::filesystem::path path, std::uint64_t node_count, std::string_view note);
  // A row without links is kept: its page was scored.
  void add(const LinkScoreRow& row);
  LayerFile finish() { return out_.finish(); }

 private:
  void add_times(const LinkScoreRow& row);
  void add_value(double value);

  ColumnOutput out_;
  Uid next_source_ = 0;
  std::vector<Time> times_;
  std::unordered_map<std::uint64_t, std::uint64_t> numbers_;  // of scores, by their bits
};

class LinkScoreReader {
 public:
  LinkScoreReader(const std::filesystem::path& path, const LayerFile& file);
  LinkScoreReader(const LinkScoreReader&) = delete;
  LinkScoreReader& operator=(const LinkScoreReader&) = delete;

  [[nodiscard]] std::uint64_t node_count() const noexcept { return node_count_; }
  [[nodiscard]] const std::string& note() const noexcept { return note_; }
  // Replaces `row`; false at the end.
  bool next(LinkScoreRow& row);

 private:
  double read_value();
  [[noreturn]] void damaged(std::string_view what) const;

  std::string name_;
  MappedFile mapping_;
  ByteReader in_;
  std::uint64_t node_count_ = 0;
  std::string note_;
  Uid next_source_ = 0;
  std::vector<Time> times_;
  std::vector<double> values_;  // by number, from 1
};

}  // namespace webstrata
