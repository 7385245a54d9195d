// SPDX-License-Identifier: Apache-2.0

// Tested by tests/cli/archive_law_test.py.

#include "webstrata/archive/ask/page_captures.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace webstrata {
namespace {

// By time, target and text.
void sort_by_time(std::vector<TextUse>& uses) {
  std::ranges::sort(uses, {},
                    [](const TextUse& use) { return std::tuple(use.time, use.target, use.text); });
}

void add_texts(const PageTexts& texts, Time time, Uid target, std::size_t position,
               LinkSet& links) {
  const auto [first, last] =
      std::ranges::equal_range(texts.uses, std::tuple(time, target), {},
                               [](const TextUse& use) { return std::tuple(use.time, use.target); });
  for (auto use = first; use != last; ++use) links.add_text(position, texts.words[use->text]);
}

// The texts are sorted by time.
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
    add_texts(page.texts, time, page.targets[i], links.add(link), links);
  }
}

}  // namespace

void visit_captures(const Archive& archive, Uid uid,
                    const std::function<void(const Capture&)>& visit) {
  PageFacts page;
  archive.page(uid, page, true);
  sort_by_time(page.texts.uses);
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
