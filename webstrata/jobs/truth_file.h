// SPDX-License-Identifier: Apache-2.0

// Lists of urls with what was found there: the truth of `liverank --truth FILE`, and the results
// that `liverank learn` takes.
//
// Lines that begin with # are remarks. A line is a URL, or a URL, a tab and a word: an outcome
// (alive, moved, blocked, unreachable, gone, soft-gone, unknown), `no-host`, an HTTP status or a
// fetch code of Heritrix, 1 or 0; `same` or `changed`, or a digest such as sha1:3I42…, for what is
// there and compared with before; for `active` a time, or `-` for what is there and never was
// active. With more columns the last one counts, unless a first line that begins with `url` names
// one `outcome`, `status`, `digest` or `time`; a column `target` tells where a page moved to.

#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "webstrata/liverank/truth.h"

namespace webstrata {

struct TruthFileForm {
  bool names_only = true;  // no line has a word: it is a list of what lives
  std::uint64_t lines = 0;
};

// What a word says of a page; empty if it means nothing for that target. An empty word: alive.
std::optional<TruthLine> parse_answer(std::string_view word, Target target);

// Plain or gzip; "-" is standard input. The taker also gets the word as it stands there. Throws
// Error(NotFound), Error(BadInput) that names the line.
using TakeTruth = std::function<void(const TruthLine& line, std::string_view word)>;
// Whether a name that does not look like one is one all the same: nodes of graph files may be named
// in any way.
using KnowsName = std::function<bool(std::string_view name)>;
TruthFileForm read_truth_lines(const std::string& path, Target target, const TakeTruth& take,
                               const KnowsName& is_known = {});

// The truth that a file tells about `pages`: what a list of live urls does not name is gone, what a
// list of outcomes does not name is unknown.
Truth read_truth(const std::string& path, const Population& pages, const TruthOptions& options);

}  // namespace webstrata
