// SPDX-License-Identifier: Apache-2.0

// Everything in crawl files, as lines of text: what `webstrata extract` does.

#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "webstrata/capture/parallel_read.h"
#include "webstrata/capture/topic_scorer.h"
#include "webstrata/url/dialect.h"

namespace webstrata {

// Scores and LinkScores are those of a single topic.
enum class LineFormat : std::uint8_t { Jsonl, Tsv, Cdxj, Scores, LinkScores };

struct ExtractOptions {
  LineFormat format = LineFormat::Jsonl;
  Dialect dialect = Dialect::Pywb;  // of CDXJ keys
  bool with_lines = true;           // false: only the summaries are wanted
  // Scores captures and links; the read options must be topics->wanting() of something.
  const TopicScorer* topics = nullptr;
};

// Passes every line to `write`, several at a time, in the order of the inputs whatever the number
// of threads. A revisit shows the links of its original if that is in the inputs; a revisit whose
// original comes later is written at the end.
std::vector<InputSummary> extract(const std::vector<std::string>& paths,
                                  const ReadOptions& read_options, const ExtractOptions& options,
                                  const ParallelOptions& parallel_options,
                                  const std::function<void(std::string_view)>& write);

}  // namespace webstrata
