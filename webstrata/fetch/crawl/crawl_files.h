// SPDX-License-Identifier: Apache-2.0

// The crawl files of a job (WARC 1.1 in its folder `warc`), and how they agree with the ledger.
//
// A record counts once the ledger says so. When a job is resumed, whatever does not count is moved
// to `aside`: the bytes after the last record that counts, and files that no charge names and whose
// serial number the ledger never assigned. Nothing is deleted, and neither names nor dates decide:
// prefixes change, and clocks are set back.

#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "webstrata/archive/ask/archive.h"
#include "webstrata/capture/warc_writer.h"
#include "webstrata/fetch/ledger/ledger.h"
#include "webstrata/fetch/wire/transport.h"

namespace webstrata {

class CrawlIndex;

struct CrawlFilesOptions {
  std::filesystem::path folder;
  std::filesystem::path aside = {};  // for what does not count; empty: next to `folder`
  std::string prefix = "WEBSTRATA";
  std::string agent;
  std::uint64_t file_bytes_max = 1'000'000'000;
  std::filesystem::path indexes = {};  // for a CDXJ of each file (crawl_index.h); empty: none
};

// A prefix is the beginning of a file name, not a path: 1 to 100 letters, digits, '.', '_' and '-',
// of which the first is a letter or digit.
bool is_file_prefix(std::string_view prefix);

class CrawlFiles {
 public:
  // Moves aside what does not count. `clock` must outlive the files. Throws Error(BadInput) if the
  // prefix is invalid, Error(Corrupt) if the ledger counts records that are missing.
  CrawlFiles(CrawlFilesOptions options, const Clock& clock, Ledger& ledger);
  ~CrawlFiles();

  // What was moved aside, under its new names.
  [[nodiscard]] const std::vector<std::filesystem::path>& moved_aside() const noexcept {
    return moved_aside_;
  }

  struct Earlier {
    Time time = 0;
    std::string digest;
  };
  // Writes the exchange: a response and its request, or a revisit if the same content was seen
  // earlier. `digest` is of the entity.
  WarcPlace write(const Response& response, const std::string& block,
                  const std::optional<Earlier>& earlier);
  // Makes the files durable; then the ledger may settle what was written, and records how far the
  // files count.
  void sync();
  // Also makes the indexes that are missing.
  void close();

 private:
  void recover();
  void recover_last();
  void recover_others();
  void move_aside(const std::filesystem::path& path);
  void cut(const std::filesystem::path& path, std::uint64_t size);
  [[nodiscard]] std::filesystem::path free_place(const std::string& name) const;

  CrawlFilesOptions options_;
  Ledger& ledger_;
  std::unique_ptr<WarcWriter> writer_;
  std::unique_ptr<CrawlIndex> index_;  // empty: none is made
  WarcPlace last_;
  bool is_changed_ = false;
  std::uint32_t first_serial_ = 0;
  std::vector<std::filesystem::path> moved_aside_;
};

// The latest capture of the page with this content in the archive.
std::optional<CrawlFiles::Earlier> earlier_capture(const Archive& archive, const std::string& url,
                                                   const std::string& digest);

}  // namespace webstrata
