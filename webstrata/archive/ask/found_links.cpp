// SPDX-License-Identifier: Apache-2.0

// Tested by tests/cli/ask_test.py and tests/python/archive_test.py.

#include "webstrata/archive/ask/found_links.h"

#include <algorithm>

namespace webstrata {
namespace {

void unite(FoundLinks& links, Uid node, const FoundLink& more) {
  FoundLink& link = links[node];
  link.kinds = link.kinds | more.kinds;
  link.count = std::max(link.count, more.count);
  link.captures += more.captures;
  if (!more.seen) return;
  const TimeInterval before = link.seen.value_or(*more.seen);
  link.seen = {std::min(before.first, more.seen->first), std::max(before.last, more.seen->last)};
}

void add_history(FoundLinks& links, const Archive& archive, Uid uid, const LinkQuestion& question) {
  for (const LinkHistory& life : archive.history(uid, question.direction, question.during)) {
    if (!life.kinds.intersects(question.kinds)) continue;
    const Uid other = question.direction == Direction::In ? life.source : life.target;
    unite(links, other, {life.kinds, 0, TimeInterval{life.first, life.last}, life.captures});
  }
}

void add_links_at(FoundLinks& links, const std::vector<LinkAt>& found,
                  const LinkQuestion& question) {
  for (const LinkAt& link : found) {
    if (link.kinds.intersects(question.kinds)) {
      unite(links, link.node, {link.kinds, link.count, std::nullopt, 0});
    }
  }
}

std::vector<Uid> plain_links(const Archive& archive, Uid uid, const LinkQuestion& question) {
  if (question.by_range) return archive.in_links_by_range(uid, *question.during);
  if (question.during) return archive.links(uid, *question.during, question.direction);
  return archive.links(uid, question.direction);
}

void add_links(FoundLinks& links, const Archive& archive, Uid uid, const LinkQuestion& question) {
  const bool needs_history = question.wants_history || question.kinds != kAllKinds;
  if (question.at && question.direction == Direction::In) {
    add_links_at(links, archive.in_links_at(uid, *question.at), question);
  } else if (question.at) {
    add_links_at(links, archive.links_at(uid, *question.at).links, question);
  } else if (needs_history && !question.by_range) {
    add_history(links, archive, uid, question);
  } else {
    for (const Uid node : plain_links(archive, uid, question)) unite(links, node, {});
  }
}

}  // namespace

FoundLinks find_links(const Archive& archive, std::span<const Uid> nodes,
                      const LinkQuestion& question) {
  FoundLinks links;
  for (const Uid node : nodes) add_links(links, archive, node, question);
  return links;
}

}  // namespace webstrata
