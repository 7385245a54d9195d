// SPDX-License-Identifier: Apache-2.0

// Packs WARC files with their indexes into one WACZ 1.1.1 file, which ReplayWeb.page and pywb open:
//
//   archive/            the WARC files
//   indexes/            index.cdx.gz (CDXJ in gzip members of 3,000 lines) and index.idx
//   pages/pages.jsonl   the HTML pages that were there, with their titles
//   logs/               more files, such as crawl.log
//   datapackage.json    every file with its size and SHA-256; datapackage-digest.json
//
// All entries are stored, not deflated: readers fetch parts of them by their place.

#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "webstrata/base/time.h"
#include "webstrata/base/work.h"

namespace webstrata {

struct WaczOptions {
  std::vector<std::filesystem::path> warcs;
  std::vector<std::filesystem::path> indexes;    // of the WARC files (warc_index.h)
  std::vector<std::filesystem::path> logs = {};  // those that exist are packed
  std::string title = {};
  Time created = 0;
  WorkOptions work = {};
};

struct WaczSummary {
  std::uint64_t pages = 0;
  std::uint64_t index_lines = 0;
};

// The file appears when it is complete and durable, and replaces another of that name; scratch
// files are in `path`.parts meanwhile. Throws Error(BadInput) if there are no WARC files.
WaczSummary write_wacz(const std::filesystem::path& path, const WaczOptions& options);

}  // namespace webstrata
