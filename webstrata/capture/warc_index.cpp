// SPDX-License-Identifier: Apache-2.0

// The lines of one WARC file, a gigabyte at most as a crawl writes them, are sorted in memory.
// Tested by tests/capture/wacz_writer_test.cpp, and with cdxj-indexer by
// tests/cli/crawl_files_test.py.

#include "webstrata/capture/warc_index.h"

#include <algorithm>
#include <fstream>
#include <memory>
#include <queue>
#include <string>

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/base/file.h"
#include "webstrata/capture/capture_lines.h"
#include "webstrata/capture/parallel_read.h"

namespace webstrata {
namespace {

class IndexSink : public PartSink {
 public:
  IndexSink(std::vector<std::string>& lines, std::uint64_t& cut) : lines_(lines), cut_(cut) {}
  void take(Capture& capture) override {
    if (capture.sighting.truncated) ++cut_;
    std::string line;
    append_cdxj(line, capture, Dialect::Pywb);
    bytes_ += line.size();
    waiting_.push_back(std::move(line));
  }
  [[nodiscard]] std::size_t buffered_bytes() const override { return bytes_; }
  void flush() override {
    std::ranges::move(waiting_, std::back_inserter(lines_));
    waiting_.clear();
    bytes_ = 0;
  }

 private:
  std::vector<std::string>& lines_;
  std::uint64_t& cut_;  // answers that are not whole
  std::vector<std::string> waiting_;
  std::size_t bytes_ = 0;
};

std::vector<std::string> index_lines(const std::filesystem::path& warc) {
  std::vector<std::string> lines;
  std::uint64_t cut = 0;
  ReadOptions options;
  options.kinds = LinkKinds();
  const auto summaries =
      read_inputs({warc.string()}, options, {.work = {.threads = 1}},
                  [&](std::size_t) { return std::make_unique<IndexSink>(lines, cut); });
  const InputSummary& summary = summaries.front();
  if (!summary.error.empty()) throw Error(ErrorKind::Corrupt, summary.error);
  // What a server sent may be damaged, such as a body with broken chunks: it is recorded as it
  // came, and has a line like any other. More damage than such answers is damage of the file.
  if (summary.report.damage_count() > cut) {
    const Damage& damage = summary.report.damages().back();
    throw Error(ErrorKind::Corrupt, fmt::format("{}: cannot be indexed: damaged at {}: {}",
                                                warc.string(), damage.offset, damage.reason));
  }
  std::ranges::sort(lines);
  return lines;
}

// A sorted file, and its line that is next.
struct IndexFile {
  std::ifstream in;
  std::string line;

  bool advance() {
    if (!std::getline(in, line)) return false;
    line.push_back('\n');
    return true;
  }
};

}  // namespace

std::string index_name_of(const std::filesystem::path& warc) {
  std::string name = warc.filename().string();
  for (const std::string_view ending : {".gz", ".warc"}) {
    if (name.ends_with(ending)) name.resize(name.size() - ending.size());
  }
  return name + ".cdxj";
}

void write_warc_index(const std::filesystem::path& warc, const std::filesystem::path& index) {
  FileWriter out = FileWriter::create(index);
  for (const std::string& line : index_lines(warc)) out.write(line);
  out.commit();
}

void merge_indexes(const std::vector<std::filesystem::path>& indexes,
                   const std::function<void(std::string_view line)>& take) {
  std::vector<std::unique_ptr<IndexFile>> files;
  const auto is_later = [&](std::size_t a, std::size_t b) {
    return std::pair(std::string_view(files[a]->line), a) >
           std::pair(std::string_view(files[b]->line), b);
  };
  std::priority_queue<std::size_t, std::vector<std::size_t>, decltype(is_later)> heap(is_later);
  for (const auto& path : indexes) {
    files.push_back(std::make_unique<IndexFile>());
    files.back()->in.open(path, std::ios::binary);
    if (!files.back()->in) {
      throw Error(ErrorKind::NotFound, fmt::format("{}: no such index", path.string()));
    }
    if (files.back()->advance()) heap.push(files.size() - 1);
  }
  while (!heap.empty()) {
    const std::size_t first = heap.top();
    heap.pop();
    take(files[first]->line);
    if (files[first]->advance()) heap.push(first);
  }
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (files[i]->in.bad()) {
      throw Error(ErrorKind::Io, fmt::format("{}: cannot be read", indexes[i].string()));
    }
  }
}

}  // namespace webstrata
