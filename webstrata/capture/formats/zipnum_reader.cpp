// SPDX-License-Identifier: Apache-2.0

// ZipNum: an index too large for one file, as gzip blocks of CDX or CDXJ lines in shards, and a
// small .idx that says where each block begins:
//
//   org,example)/ 20150601120000 <tab> cdx-00000.gz <tab> offset <tab> length [<tab> number]
//
// A shard is a gzip file like others, and can be read without the .idx. This reader is for the
// .idx: it reads the shards that it names, adjacent blocks in one go. They are next to the .idx, or
// where a .loc file next to it says, as in pywb and OpenWayback (not next to a remote .idx, whose
// folder cannot be listed):
//
//   cdx-00000.gz <tab> /data/cdx-00000.gz [<tab> another place ...]
//
// The form that a WACZ uses, "key time {offset, length, filename}" below a !meta line, is
// understood too. The last line of a block may lack its line feed. Tested by
// tests/capture/zipnum_reader_test.cpp.

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "webstrata/base/error.h"
#include "webstrata/capture/formats/inner_reader.h"
#include "webstrata/capture/formats/json_line.h"
#include "webstrata/capture/formats/line_format_reader.h"
#include "webstrata/capture/record/sighting_fields.h"
#include "webstrata/capture/remote/remote_name.h"
#include "webstrata/capture/stream/input_place.h"

namespace webstrata {
namespace {

struct Blocks {
  std::string shard;
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
  std::uint64_t line_offset = 0;  // of the line that names them
};

std::optional<Blocks> make_blocks(std::string_view shard, std::string_view offset,
                                  std::string_view length) {
  const auto begin = parse_number<std::uint64_t>(offset);
  const auto size = parse_number<std::uint64_t>(length);
  const bool is_name = !base_name(shard).empty() && base_name(shard) != "..";
  if (!is_name || !begin || !size) return std::nullopt;
  return Blocks{std::string(base_name(shard)), *begin, *size};
}

std::optional<Blocks> read_tabs(std::string_view line) {
  take_word(line, '\t');  // the first key of the block
  const std::string_view shard = take_word(line, '\t');
  const std::string_view offset = take_word(line, '\t');
  return make_blocks(shard, offset, take_word(line, '\t'));
}

// Where shards are, by their names.
class ShardPlaces {
 public:
  // Reads the .loc files in the folder of `index`.
  explicit ShardPlaces(const std::filesystem::path& index) : folder_(index.parent_path()) {
    if (index.empty() || is_remote(index.native())) return;
    if (folder_.empty()) folder_ = ".";
    std::error_code ignored;
    std::set<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder_, ignored)) {
      if (entry.path().extension() == ".loc" && entry.is_regular_file(ignored)) {
        files.insert(entry.path());
      }
    }
    const auto own = std::filesystem::path(index).replace_extension(".loc");
    if (files.erase(folder_ / own.filename()) > 0) read(own);
    for (const auto& file : files) read(file);
  }

  // Some indexes leave the suffix out.
  [[nodiscard]] std::optional<std::filesystem::path> find(const std::string& name) const {
    for (const char* suffix : {"", ".gz", ".cdx.gz"}) {
      const auto named = places_.find(name + suffix);
      if (named != places_.end()) {
        for (const auto& path : named->second) {
          if (is_file(path)) return path;
        }
      }
      if (!folder_.empty() && is_file(beside(name + suffix))) return beside(name + suffix);
    }
    return std::nullopt;
  }
  // Whether a .loc file names the shard, so that it is missing where it should be.
  [[nodiscard]] bool names(const std::string& name) const { return places_.contains(name); }

 private:
  // The file next to the index. In a URL its name must not begin a query.
  [[nodiscard]] std::filesystem::path beside(const std::string& name) const {
    const bool is_url = is_remote(folder_.native()) && !is_s3(folder_.native());
    return folder_ / (is_url ? escaped(name) : name);
  }

  static bool is_file(const std::filesystem::path& path) {
    try {
      return look_at_input(path).can_be_entered || is_remote(path.native());
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::NotFound) return false;
      throw;
    }
  }

  // Places on other machines (http:, s3:) are below the folder here, so they count as missing: only
  // the user says where to send requests.
  void read(const std::filesystem::path& file) {
    Report ignored;
    InputStream in(file, ignored);
    while (const auto line = in.line()) {
      std::string_view rest = *line;
      const std::string name(base_name(take_word(rest, '\t')));
      while (!name.empty() && !rest.empty()) {
        std::string_view place = take_word(rest, '\t');
        if (place.starts_with("file://")) place.remove_prefix(7);
        if (!place.empty()) places_[name].push_back(folder_ / place);
      }
    }
  }

  std::filesystem::path folder_;  // empty if the index is not a file
  std::map<std::string, std::vector<std::filesystem::path>> places_;
};

bool is_meta(std::string_view line) { return line.starts_with("!meta"); }

class ZipnumReader : public CaptureReader {
 public:
  explicit ZipnumReader(const ReadContext& context) : context_(context) {}

  bool next(Capture& capture) override {
    for (;;) {
      if (inner_) {
        const bool found = inner_->next(capture);
        record_count_ = records_before_ + inner_->record_count();
        if (found) return true;
        records_before_ = record_count_;
        inner_.reset();
      }
      const auto blocks = take_run();
      if (!blocks) return false;
      open_blocks(*blocks);
    }
  }

 private:
  // The next adjacent blocks of one shard.
  std::optional<Blocks> take_run() {
    std::optional<Blocks> run = std::exchange(ahead_, std::nullopt);
    if (!run) run = take_line();
    while (run && (ahead_ = take_line())) {
      const bool touches =
          ahead_->shard == run->shard && ahead_->offset == run->offset + run->length;
      if (!touches) break;
      run->length += ahead_->length;
      ahead_.reset();
    }
    return run;
  }

  // The next valid line.
  std::optional<Blocks> take_line() {
    for (;;) {
      const std::uint64_t offset = context_.in.offset();
      const auto line = context_.in.line();
      if (!line) return std::nullopt;
      if (line->empty()) continue;
      if (is_meta(*line)) {
        read_meta(*line);
        continue;
      }
      auto blocks =
          line->find('\t') == std::string_view::npos ? read_json(*line) : read_tabs(*line);
      if (blocks) {
        blocks->line_offset = offset;
        return blocks;
      }
      context_.report.damaged(offset, "not a line of a ZipNum index: " + in_quotes(*line));
    }
  }

  // "!meta 0 {"format": "cdxj-gzip-1.0", "filename": "index.cdx.gz"}"
  void read_meta(std::string_view line) {
    const std::size_t start = line.find('{');
    if (start != std::string_view::npos && json_.parse(line.substr(start))) {
      shard_of_all_ = json_.word("filename");
    }
  }

  std::optional<Blocks> read_json(std::string_view line) {
    const std::size_t start = line.find(" {");
    if (start == std::string_view::npos || !json_.parse(line.substr(start + 1)))
      return std::nullopt;
    const std::string_view shard = json_.word("filename");
    return make_blocks(shard.empty() ? shard_of_all_ : shard, json_.word("offset"),
                       json_.word("length"));
  }

  void open_blocks(const Blocks& blocks) {
    if (!places_) places_.emplace(context_.in.path());
    const auto path = places_->find(blocks.shard);
    if (!path) {
      if (missing_.insert(blocks.shard).second) {
        context_.report.damaged(blocks.line_offset,
                                "shard " + in_quotes(blocks.shard) +
                                    (places_->names(blocks.shard)
                                         ? " is not where the .loc file says"
                                         : " is not next to the index, and no .loc file names it"));
      }
      return;
    }
    const auto [can_be_entered, size] = look_at_input(*path);
    const bool is_known = can_be_entered || size > 0;
    if (is_known && (blocks.offset > size || blocks.length > size - blocks.offset)) {
      context_.report.damaged(blocks.line_offset,
                              "shard " + in_quotes(blocks.shard) + " ends before its last block");
    }
    const auto open = [&](Report& report) {
      return std::make_unique<InputStream>(*path, report, blocks.offset, blocks.length);
    };
    inner_.emplace(context_, input_file_name(path->string()), open);
  }

  ReadContext context_;
  JsonLine json_;
  std::string shard_of_all_;
  std::optional<Blocks> ahead_;
  std::optional<InnerReader> inner_;
  std::optional<ShardPlaces> places_;
  std::set<std::string> missing_;
  std::uint64_t records_before_ = 0;  // in the blocks that are done
};

}  // namespace

bool recognises_zipnum(std::string_view first_bytes) {
  const std::string_view line = first_line(first_bytes);
  if (is_meta(line)) return line.find("cdxj-gzip") != std::string_view::npos;
  return line.find(' ') != std::string_view::npos && read_tabs(line).has_value();
}

std::unique_ptr<CaptureReader> open_zipnum_reader(const ReadContext& context) {
  return std::make_unique<ZipnumReader>(context);
}

}  // namespace webstrata
