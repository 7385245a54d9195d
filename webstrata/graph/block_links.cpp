// SPDX-License-Identifier: Apache-2.0

// Tested by tests/graph/block_links_test.cpp.

#include "webstrata/graph/block_links.h"

#include <algorithm>

#include "webstrata/archive/read/stack_reader.h"
#include "webstrata/facts/outcome.h"
#include "webstrata/graph/page_columns.h"
#include "webstrata/graph/page_links.h"

namespace webstrata {
namespace {

bool is_living(const NodeColumns& columns, std::size_t place) {
  const auto outcome = columns.outcome[place];
  const bool is_gone = outcome && (*outcome == Outcome::Gone || *outcome == Outcome::SoftGone);
  return columns.captures[place].value_or(0) > 0 && !is_gone;
}

}  // namespace

BlockLinks block_links(const Archive& archive, const SnapshotRequest& request,
                       std::uint64_t block) {
  SnapshotRequest asked = request;
  asked.node_columns = {.outcome = true, .captures = true};
  asked.link_columns = {};
  const PageColumns columns(asked);
  PageScan scan(archive, block, std::max(columns.depth(), PageLinks::depth(asked)));
  PageLinks links(asked, archive.stack().options().kinds);
  BlockLinks found;
  while (scan.next()) {
    links.read(scan);
    NodeColumns known;
    columns.append(scan, known);
    if (links.is_page()) found.pages.push_back(scan.uid());
    if (is_living(known, 0)) found.living.push_back(scan.uid());
    found.sources.insert(found.sources.end(), links.targets().size(), scan.uid());
    found.targets.insert(found.targets.end(), links.targets().begin(), links.targets().end());
  }
  return found;
}

}  // namespace webstrata
