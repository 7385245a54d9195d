// SPDX-License-Identifier: Apache-2.0

// The indexes of a job's crawl files: a sorted CDXJ for each WARC file that is complete.
//
// They are made from the files, on a thread of its own while the crawl continues. An index that a
// kill prevented is made when the job ends the next time, and one whose file was cut is removed:
// so each is complete, or not there.

#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "webstrata/base/threads.h"

namespace webstrata {

class CrawlIndex {
 public:
  // Makes the folder `indexes` of what is in the folder `warcs`.
  CrawlIndex(std::filesystem::path warcs, std::filesystem::path indexes);

  // A file that will not change any more, by its name.
  void add(const std::string& warc);
  // The index of a file that was changed no longer holds.
  void drop(const std::string& warc);
  // Waits, and makes what is missing. Throws Error(Corrupt), Error(Io).
  void finish();

 private:
  std::filesystem::path warcs_;
  std::filesystem::path indexes_;
  std::unique_ptr<ThreadPool> worker_;  // begun with the first file
};

}  // namespace webstrata
