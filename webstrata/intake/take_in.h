// Crawl files into an archive: joins the readers and the writer.

#pragma once

#include <string>
#include <vector>

#include "webstrata/archive/writer.h"
#include "webstrata/capture/parallel_read.h"

namespace webstrata {

struct TakeInOptions {
  std::string crawl;  // name of the crawl, goes into every sighting
  ParallelOptions parallel;
};

// Reads every input and gives what it says to `writer`, which decides what kinds of links and
// which schemes are read. An input that cannot be read does not stop the others. Throws what the
// writer throws, and Error(Cancelled); nothing is committed here.
std::vector<InputSummary> take_in(ArchiveWriter& writer, const std::vector<std::string>& inputs,
                                  const TakeInOptions& options);

}  // namespace webstrata
