// Lists of urls with what was found there: the truth of `liverank --truth FILE`, and the results
// that `liverank learn` takes.
//
// A line is a url, or a url, a tab and a word: an outcome (alive, moved, blocked, unreachable,
// gone, soft-gone, unknown), an HTTP status, 1 or 0, or a time of activity. With more columns the
// last one counts, unless a first line that begins with `url` names one `outcome`, `status` or
// `time`.

#pragma once

#include <functional>
#include <string>

#include "webstrata/liverank/truth.h"

namespace webstrata {

struct TruthFileForm {
  bool names_only = true;  // no line has a word: it is a list of what lives
  std::uint64_t lines = 0;
};

// Plain or gzip; "-" is standard input. Throws Error(NotFound), Error(BadInput) that names the
// line.
TruthFileForm read_truth_lines(const std::string& path, Target target,
                               const std::function<void(const TruthLine&)>& take);

// The truth that a file tells about `pages`: what a list of live urls does not name is gone, what a
// list of outcomes does not name is unknown.
Truth read_truth(const std::string& path, const Population& pages, const TruthOptions& options);

}  // namespace webstrata
