// SPDX-License-Identifier: Apache-2.0

// Tested by tests/cli/archive_law_test.py.

#include "webstrata/archive/ask/page_captures.h"

#include <algorithm>
#include <utility>

namespace webstrata {
namespace {

void add_row(const Archive& archive, const PageFacts& page, Time time, LinkSet& links) {
  const auto place = std::lower_bound(page.times.begin(), page.times.end(), time);
  if (place == page.times.end() || *place != time) return;
  const auto row = static_cast<std::size_t>(place - page.times.begin());
  for (std::size_t i = page.row_start(row); i < page.row_ends[row]; ++i) {
    const std::string target = archive.url(page.targets[i]);
    Link link;
    link.target = target;
    link.kinds = LinkKinds::from_bits(page.values[i].kinds);
    link.count = page.values[i].count;
    links.add(link);
  }
}

}  // namespace

void visit_captures(const Archive& archive, Uid uid,
                    const std::function<void(const Capture&)>& visit) {
  PageFacts page;
  archive.page(uid, page);
  if (page.sightings.empty()) return;
  std::vector<Sighting> sightings = archive.sightings(uid);
  Capture capture;
  for (std::size_t i = 0; i < sightings.size(); ++i) {
    capture.clear();
    capture.sighting = std::move(sightings[i]);
    capture.links_known = page.sightings[i].has_links;
    if (capture.links_known) add_row(archive, page, capture.sighting.time, capture.links);
    visit(capture);
  }
}

}  // namespace webstrata
