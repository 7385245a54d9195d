// The crawl files of a job (WARC 1.1 in its folder `warc`), and how they agree with the ledger.
//
// A record counts once the ledger says so. What a kill left behind the last record that counts is
// cut off when the job goes on, and a file that was open gets its name.

#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "webstrata/archive/archive.h"
#include "webstrata/capture/warc_writer.h"
#include "webstrata/fetch/ledger.h"
#include "webstrata/fetch/transport.h"

namespace webstrata {

struct CrawlFilesOptions {
  std::filesystem::path folder;
  std::string prefix = "WEBSTRATA";
  std::string agent;
  std::uint64_t file_bytes_max = 1'000'000'000;
};

class CrawlFiles {
 public:
  // Cuts what does not count. `clock` must outlive the files.
  CrawlFiles(CrawlFilesOptions options, const Clock& clock, Ledger& ledger);

  struct Earlier {
    Time time = 0;
    std::string digest;
  };
  // Writes the exchange: a response and its request, or if the same content was seen earlier a
  // revisit. `digest` is of the entity.
  WarcPlace write(const Response& response, const std::string& block,
                  const std::optional<Earlier>& earlier);
  // Durable; then the ledger may settle what was written, and is told how far the files count.
  void sync();
  void close();

 private:
  void recover();

  CrawlFilesOptions options_;
  Ledger& ledger_;
  std::unique_ptr<WarcWriter> writer_;
  WarcPlace last_;
  bool is_changed_ = false;
};

// What an archive remembers of a page with this content; the latest.
std::optional<CrawlFiles::Earlier> earlier_capture(const Archive& archive, const std::string& url,
                                                   const std::string& digest);

}  // namespace webstrata
