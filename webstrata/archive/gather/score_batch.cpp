// SPDX-License-Identifier: Apache-2.0

// A record: the size and bytes of its key, what follows the key in bytes, then the time, the number
// of links and the keys of their targets; and for each column the page's score, the number of links
// that have one, and for each the key of its target and its score.
// Tested by tests/archive/score_columns_test.cpp.

#include "webstrata/archive/gather/score_batch.h"

#include <algorithm>
#include <bit>
#include <memory>

#include <fmt/format.h>

#include "webstrata/archive/disk/scratch.h"
#include "webstrata/archive/gather/fact_bytes.h"
#include "webstrata/base/bytes.h"
#include "webstrata/base/sort_keys.h"
#include "webstrata/url/key.h"
#include "webstrata/url/url.h"

namespace webstrata {
namespace {

void append_double(std::string& out, double value) {
  append_u64(out, std::bit_cast<std::uint64_t>(value));
}

// False if it is not a URL.
bool append_key_of(std::string& out, std::string_view url) {
  Url parsed;
  if (!parse_url(url, parsed)) return false;
  std::string key;
  append_key(parsed, key);
  append_text(out, key);
  return true;
}

void append_scores(std::string& out, const CaptureScores& scores) {
  append_double(out, scores.page);
  std::string links;
  std::uint64_t count = 0;
  for (const auto& [target, score] : scores.links) {
    if (!append_key_of(links, target)) continue;
    append_double(links, score);
    ++count;
  }
  append_varint(out, count);
  out += links;
}

void append_targets(std::string& out, const Capture& capture) {
  std::string keys;
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < capture.links.size(); ++i) {
    count += append_key_of(keys, capture.links[i].target) ? 1 : 0;
  }
  append_varint(out, count);
  out += keys;
}

struct Record {
  std::string key;
  std::string rest;
};

void parse(const Record& record, std::size_t columns, ScoredCapture& capture) {
  ByteReader in(record.rest, "scores in scratch");
  capture.key = record.key;
  capture.time = static_cast<Time>(in.u64());
  capture.targets.resize(in.varint());
  for (std::string& target : capture.targets) target = in.take(in.varint());
  capture.columns.resize(columns);
  for (ScoredCapture::Column& column : capture.columns) {
    column.page = std::bit_cast<double>(in.u64());
    column.links.resize(in.varint());
    for (auto& [target, score] : column.links) {
      target = in.take(in.varint());
      score = std::bit_cast<double>(in.u64());
    }
  }
}

// One run, record after record.
class RunReader {
 public:
  explicit RunReader(const std::filesystem::path& path) : in_(path) { advance(); }
  [[nodiscard]] bool at_end() const noexcept { return is_over_; }
  [[nodiscard]] const Record& record() const noexcept { return record_; }
  void advance() {
    is_over_ = in_.at_end();
    if (is_over_) return;
    record_.key = in_.take(in_.varint());
    record_.rest = in_.take(in_.varint());
  }

 private:
  ScratchReader in_;
  Record record_;
  bool is_over_ = false;
};

}  // namespace

void ScoreBatch::add(const Capture& capture, std::span<const CaptureScores> scores) {
  const std::size_t start = records_.size();
  if (!append_key_of(records_, capture.sighting.url)) return;
  std::string rest;
  append_u64(rest, static_cast<std::uint64_t>(capture.sighting.time));
  append_targets(rest, capture);
  for (std::size_t i = 0; i < columns_; ++i) append_scores(rest, scores[i]);
  append_text(records_, rest);
  starts_.push_back(start);
}

void ScoreRuns::take(ScoreBatch batch) {
  if (batch.empty()) return;
  bytes_ += batch.bytes();
  batches_.push_back(std::move(batch));
  if (bytes_ >= memory_bytes_) write_run();
}

void ScoreRuns::write_run() {
  if (batches_.empty()) return;
  std::vector<KeyEntry> entries;
  std::vector<std::string_view> rests;
  for (const ScoreBatch& batch : batches_) {
    for (const std::size_t start : batch.starts_) {
      ByteReader in(std::string_view(batch.records_).substr(start), "scores in memory");
      const std::string_view key = in.take(in.varint());
      entries.push_back({key, rests.size()});
      rests.push_back(in.take(in.varint()));
    }
  }
  sort_keys(entries);
  runs_.push_back(folder_ / fmt::format("scores.{}", runs_.size()));
  ScratchWriter out(runs_.back());
  for (const KeyEntry& entry : entries) {
    append_text(out.buffer(), entry.key);
    append_text(out.buffer(), rests[entry.tag]);
    out.flush_if_full();
  }
  out.flush();
  batches_.clear();
  bytes_ = 0;
}

void ScoreRuns::visit(const std::function<void(const ScoredCapture&)>& visit) {
  write_run();
  std::vector<std::unique_ptr<RunReader>> readers;
  for (const auto& run : runs_) readers.push_back(std::make_unique<RunReader>(run));
  const auto is_over = [](const auto& reader) { return reader->at_end(); };
  std::vector<ScoredCapture> captures;  // of one page
  while (std::erase_if(readers, is_over), !readers.empty()) {
    const auto by_key = [](const auto& a, const auto& b) {
      return a->record().key < b->record().key;
    };
    const std::string key =
        (*std::min_element(readers.begin(), readers.end(), by_key))->record().key;
    captures.clear();
    for (auto& reader : readers) {
      for (; !reader->at_end() && reader->record().key == key; reader->advance()) {
        parse(reader->record(), columns_, captures.emplace_back());
      }
    }
    std::stable_sort(captures.begin(), captures.end(),
                     [](const auto& a, const auto& b) { return a.time < b.time; });
    for (const ScoredCapture& capture : captures) visit(capture);
  }
}

}  // namespace webstrata
