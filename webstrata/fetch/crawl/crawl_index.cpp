// SPDX-License-Identifier: Apache-2.0

// Tested by tests/fetch/crawl_files_test.cpp, and with kills by tests/fetch/crawl_kill_test.py.

#include "webstrata/fetch/crawl/crawl_index.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "webstrata/capture/warc_index.h"

namespace webstrata {

CrawlIndex::CrawlIndex(std::filesystem::path warcs, std::filesystem::path indexes)
    : warcs_(std::move(warcs)), indexes_(std::move(indexes)) {
  std::filesystem::create_directories(indexes_);
}

void CrawlIndex::add(const std::string& warc) {
  if (!worker_) worker_ = std::make_unique<ThreadPool>(1);
  worker_->submit(
      [from = warcs_ / warc, to = indexes_ / index_name_of(warc)] { write_warc_index(from, to); });
}

void CrawlIndex::drop(const std::string& warc) {
  std::filesystem::remove(indexes_ / index_name_of(warc));
}

void CrawlIndex::finish() {
  if (worker_) worker_->wait();
  std::vector<std::filesystem::path> missing;
  for (const auto& entry : std::filesystem::directory_iterator(warcs_)) {
    const bool is_warc = entry.path().filename().string().ends_with(".warc.gz");
    if (is_warc && !std::filesystem::exists(indexes_ / index_name_of(entry.path()))) {
      missing.push_back(entry.path());
    }
  }
  std::ranges::sort(missing);
  for (const auto& warc : missing) write_warc_index(warc, indexes_ / index_name_of(warc));
}

}  // namespace webstrata
