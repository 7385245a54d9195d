// SPDX-License-Identifier: Apache-2.0

// Scores of captures before they become columns: the scores of a page and its links in each column,
// at the second of a capture.
//
//   ScoreBatch batch(columns.size());
//   batch.add(capture, scores);                  // scores[i] belongs to columns[i]
//   writer.take_scores(std::move(batch));        // after ArchiveWriter::score_columns()
//
// ScoreRuns sorts batches into scratch files when memory is full, and returns everything in the
// order of keys and times.

#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "webstrata/base/time.h"
#include "webstrata/facts/sighting.h"

namespace webstrata {

// A column of nodes and one of links that captures fill. `note` is kept with it.
struct ScoreColumn {
  std::string name;
  std::string note;
};

// By one column. Links that are not listed have 0.
struct CaptureScores {
  double page = 0;
  std::vector<std::pair<std::string_view, double>> links;  // targets as normalised URLs
};

class ScoreBatch {
 public:
  explicit ScoreBatch(std::size_t columns) : columns_(columns) {}

  // `scores` has one for each column. The capture's links must be known.
  void add(const Capture& capture, std::span<const CaptureScores> scores);
  [[nodiscard]] std::size_t bytes() const noexcept {
    return records_.size() + starts_.size() * kBytesPerRecord;
  }
  [[nodiscard]] bool empty() const noexcept { return starts_.empty(); }

 private:
  friend class ScoreRuns;
  static constexpr std::size_t kBytesPerRecord = 48;  // including sorting

  std::size_t columns_;
  std::string records_;
  std::vector<std::size_t> starts_;
};

// The scores of one capture, as returned.
struct ScoredCapture {
  struct Column {
    double page = 0;
    std::vector<std::pair<std::string, double>> links;  // by key of the target
  };
  std::string key;
  Time time = 0;
  std::vector<std::string> targets;  // keys of all its links
  std::vector<Column> columns;
};

class ScoreRuns {
 public:
  // Scratch files go into `folder`.
  ScoreRuns(std::filesystem::path folder, std::size_t columns, std::size_t memory_bytes)
      : folder_(std::move(folder)), columns_(columns), memory_bytes_(memory_bytes) {}

  void take(ScoreBatch batch);
  // Calls `visit` with everything, by key, then by time.
  void visit(const std::function<void(const ScoredCapture&)>& visit);

 private:
  void write_run();

  std::filesystem::path folder_;
  std::size_t columns_;
  std::size_t memory_bytes_;
  std::vector<ScoreBatch> batches_;
  std::size_t bytes_ = 0;
  std::vector<std::filesystem::path> runs_;
};

}  // namespace webstrata
