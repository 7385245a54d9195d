// SPDX-License-Identifier: Apache-2.0

// The index and the pages are written to scratch files first, since their sizes and digests precede
// them in the ZIP file. The WARC files are read once more for the titles of pages, on all threads.
// Tested by tests/capture/wacz_writer_test.cpp, and with `wacz validate` and pywb by
// tests/cli/crawl_files_test.py.

#include "webstrata/capture/wacz_writer.h"

#include <algorithm>
#include <memory>
#include <string_view>

#include <fmt/format.h>

#include "webstrata/base/checksum.h"
#include "webstrata/base/error.h"
#include "webstrata/base/json.h"
#include "webstrata/base/version.h"
#include "webstrata/capture/gzip_member.h"
#include "webstrata/capture/parallel_read.h"
#include "webstrata/capture/record/digest.h"
#include "webstrata/capture/warc_index.h"
#include "webstrata/capture/zip_writer.h"

namespace webstrata {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kWaczVersion = "1.1.1";
constexpr std::size_t kBlockLines = 3000;  // of the index, as ZipNum has them
constexpr std::string_view kIndexName = "index.cdx.gz";

// A folder that is gone in the end; one that a kill left behind is emptied first.
class ScratchParts {
 public:
  explicit ScratchParts(fs::path path) : path_(std::move(path)) {
    fs::remove_all(path_);
    fs::create_directories(path_);
  }
  ScratchParts(const ScratchParts&) = delete;
  ScratchParts& operator=(const ScratchParts&) = delete;
  ~ScratchParts() {
    std::error_code error;
    fs::remove_all(path_, error);
  }
  [[nodiscard]] fs::path operator/(std::string_view name) const { return path_ / name; }

 private:
  fs::path path_;
};

// ---- the index ----------------------------------------------------------------------------------

// Joins lines into blocks, and names the first line of each.
class IndexBlocks {
 public:
  IndexBlocks(const fs::path& blocks, const fs::path& names)
      : blocks_(FileWriter::create(blocks)), names_(FileWriter::create(names)) {
    std::string head = "!meta 0 ";
    JsonWriter(head)
        .begin_object()
        .field("format", "cdxj-gzip-1.0")
        .field("filename", kIndexName)
        .end_object();
    names_.write(head + "\n");
  }

  void take(std::string_view line) {
    if (count_ % kBlockLines == 0) {
      end_block();
      first_ = line.substr(0, line.find(" {"));
    }
    block_ += line;
    ++count_;
  }
  std::uint64_t finish() {
    end_block();
    blocks_.commit();
    names_.commit();
    return count_;
  }

 private:
  void end_block() {
    if (block_.empty()) return;
    const std::string packed = gzip_member(block_);
    Sha256 sha;
    sha.add(packed);
    std::string line = first_ + " ";
    JsonWriter(line)
        .begin_object()
        .field("offset", blocks_.size())
        .field("length", packed.size())
        .field("digest", "sha256:" + sha.hexadecimal())
        .field("filename", kIndexName)
        .end_object();
    blocks_.write(packed);
    names_.write(line + "\n");
    block_.clear();
  }

  FileWriter blocks_;
  FileWriter names_;
  std::string block_;
  std::string first_;
  std::uint64_t count_ = 0;
};

// ---- pages --------------------------------------------------------------------------------------

bool is_wacz_page(const Sighting& sighting) {
  return sighting.kind == SightingKind::Response && sighting.status == 200 &&
         (sighting.mime == "text/html" || sighting.mime == "application/xhtml+xml");
}

std::string page_line(const Capture& capture) {
  const Sighting& seen = capture.sighting;
  const std::string time = to_rfc3339(seen.time);
  std::string line;
  JsonWriter json(line);
  json.begin_object();
  json.field("id", fmt::format("{:016x}", checksum64(seen.url + " " + time)));
  json.field("url", seen.url).field("ts", time);
  if (!capture.title.empty()) json.field("title", capture.title);
  json.end_object();
  return line + "\n";
}

class PageSink : public PartSink {
 public:
  PageSink(FileWriter& out, std::uint64_t& count) : out_(out), count_(count) {}
  void take(Capture& capture) override {
    if (!is_wacz_page(capture.sighting)) return;
    waiting_ += page_line(capture);
    ++waiting_count_;
  }
  [[nodiscard]] std::size_t buffered_bytes() const override { return waiting_.size(); }
  void flush() override {
    out_.write(waiting_);
    count_ += waiting_count_;
    waiting_.clear();
    waiting_count_ = 0;
  }

 private:
  FileWriter& out_;
  std::uint64_t& count_;
  std::string waiting_;
  std::uint64_t waiting_count_ = 0;
};

std::uint64_t write_pages(const fs::path& path, const WaczOptions& options) {
  FileWriter out = FileWriter::create(path);
  std::string head;
  JsonWriter(head)
      .begin_object()
      .field("format", "json-pages-1.0")
      .field("id", "pages")
      .field("title", "All Pages")
      .end_object();
  out.write(head + "\n");
  std::vector<std::string> inputs;
  for (const fs::path& warc : options.warcs) inputs.push_back(warc.string());
  ReadOptions read;
  read.kinds = LinkKinds();
  read.with_title = true;
  std::uint64_t count = 0;
  const auto summaries = read_inputs(inputs, read, {.work = options.work}, [&](std::size_t) {
    return std::make_unique<PageSink>(out, count);
  });
  for (const InputSummary& summary : summaries) {
    if (!summary.error.empty()) throw Error(ErrorKind::Corrupt, summary.error);
  }
  out.commit();
  return count;
}

// ---- the package --------------------------------------------------------------------------------

std::string package_json(const WaczOptions& options, const std::vector<ZippedEntry>& entries) {
  std::string text;
  JsonWriter json(text);
  json.begin_object().field("profile", "data-package").field("wacz_version", kWaczVersion);
  json.field("software", software()).field("created", to_rfc3339(options.created));
  if (!options.title.empty()) json.field("title", options.title);
  json.key("resources").begin_array();
  for (const ZippedEntry& entry : entries) {
    json.begin_object().field("name", entry.name.substr(entry.name.rfind('/') + 1));
    json.field("path", entry.name).field("hash", "sha256:" + entry.sha256);
    json.field("bytes", entry.bytes).end_object();
  }
  json.end_array().end_object();
  return text + "\n";
}

std::string digest_json(std::string_view package) {
  Sha256 sha;
  sha.add(package);
  std::string text;
  JsonWriter(text)
      .begin_object()
      .field("path", "datapackage.json")
      .field("hash", "sha256:" + sha.hexadecimal())
      .end_object();
  return text + "\n";
}

}  // namespace

WaczSummary write_wacz(const fs::path& path, const WaczOptions& options) {
  if (options.warcs.empty()) {
    throw Error(ErrorKind::BadInput,
                fmt::format("{}: there are no WARC files to pack", path.string()));
  }
  const ScratchParts parts(path.string() + ".parts");
  WaczSummary summary;
  IndexBlocks blocks(parts / kIndexName, parts / "index.idx");
  merge_indexes(options.indexes, [&](std::string_view line) { blocks.take(line); });
  summary.index_lines = blocks.finish();
  summary.pages = write_pages(parts / "pages.jsonl", options);

  ZipWriter zip(parts / "wacz", options.created);
  std::vector<ZippedEntry> entries;
  for (const fs::path& warc : options.warcs) {
    options.work.check_cancelled();
    entries.push_back(zip.add_file("archive/" + warc.filename().string(), warc));
  }
  for (const std::string_view name : {kIndexName, std::string_view("index.idx")}) {
    entries.push_back(zip.add_file(fmt::format("indexes/{}", name), parts / name));
  }
  entries.push_back(zip.add_file("pages/pages.jsonl", parts / "pages.jsonl"));
  for (const fs::path& log : options.logs) {
    if (!fs::exists(log)) continue;
    entries.push_back(zip.add_file("logs/" + log.filename().string(), log));
  }
  const std::string package = package_json(options, entries);
  zip.add_bytes("datapackage.json", package);
  zip.add_bytes("datapackage-digest.json", digest_json(package));
  zip.finish();
  fs::rename(parts / "wacz", path);
  sync_folder(path.parent_path().empty() ? fs::path(".") : path.parent_path());
  return summary;
}

}  // namespace webstrata
