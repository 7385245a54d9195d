// SPDX-License-Identifier: Apache-2.0

// Tested by tests/cli/seeds_test.py.

#include "webstrata/jobs/seed_graphs.h"

#include <utility>

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/graph/pages.h"

namespace webstrata {

Snapshot SeedGraphs::old() { return load_with_columns(graph_of(words_)); }

const Snapshot& SeedGraphs::newer(const std::string& word) {
  if (word != word_) {
    GraphSource source = graph_of(word);
    const GraphSource like = graph_of(words_);
    source.request.view = like.request.view;
    source.request.kinds = like.request.kinds;
    newer_ = load_with_columns(std::move(source));
    if (pages_of(newer_).empty()) {
      throw Error(
          ErrorKind::BadInput,
          fmt::format("{}: no pages; is the date within the time span of the archive?", word));
    }
    word_ = word;
  }
  return newer_;
}

Snapshot SeedGraphs::load_with_columns(GraphSource source) {
  source.request.node_columns = {.outcome = true, .captures = true, .content = wants_content_};
  source.request.link_columns = {.kinds = wants_content_};
  return load(source, work_);
}

}  // namespace webstrata
