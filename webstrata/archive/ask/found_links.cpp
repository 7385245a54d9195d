// SPDX-License-Identifier: Apache-2.0

// Tested by tests/cli/ask_test.py and tests/python/archive_test.py.

#include "webstrata/archive/ask/found_links.h"

#include <algorithm>
#include <functional>
#include <string_view>

#include <fmt/format.h>

#include "webstrata/base/error.h"

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

// Adds what is known about a text to the same one, or as the last.
void unite(FoundText& text, const FoundText& more) {
  text.links += more.links;
  text.captures += more.captures;
  text.seen = {std::min(text.seen.first, more.seen.first),
               std::max(text.seen.last, more.seen.last)};
}

void add_text(FoundLink& link, const LinkText& text) {
  const FoundText found = {text.text, 1, text.captures, {text.first, text.last}};
  const auto place = std::ranges::lower_bound(link.texts, text.text, {}, &FoundText::text);
  if (place == link.texts.end() || place->text != text.text) {
    link.texts.insert(place, found);
  } else {
    unite(*place, found);
    place->links = 1;
  }
}

// From which captures of a page its texts are wanted; empty if none.
std::optional<TimeInterval> rows_asked(const Archive& archive, Uid page,
                                       const LinkQuestion& question) {
  if (!question.at) return question.during.value_or(kAllTime);
  const auto captured = archive.links_at(page, *question.at).captured;
  if (!captured) return std::nullopt;
  return TimeInterval{*captured, *captured};
}

void add_texts(FoundLinks& links, const Archive& archive, Uid uid, const LinkQuestion& question) {
  if (question.direction == Direction::Out) {
    const auto rows = rows_asked(archive, uid, question);
    if (!rows) return;
    for (const LinkText& text : archive.texts(uid, std::nullopt, *rows)) {
      const auto link = links.find(text.target);
      if (link != links.end()) add_text(link->second, text);
    }
    return;
  }
  for (auto& [source, link] : links) {
    const auto rows = rows_asked(archive, source, question);
    if (!rows) continue;
    for (const LinkText& text : archive.texts(source, uid, *rows)) add_text(link, text);
  }
}

}  // namespace

FoundLinks find_links(const Archive& archive, std::span<const Uid> nodes,
                      const LinkQuestion& question) {
  if (question.wants_texts && !keeps_texts(archive.manifest().options)) {
    throw Error(ErrorKind::BadInput,
                fmt::format("{}: has no texts of links; build one with the option texts",
                            archive.path().string()));
  }
  FoundLinks links;
  for (const Uid node : nodes) add_links(links, archive, node, question);
  for (const Uid node : nodes) {
    if (question.wants_texts) add_texts(links, archive, node, question);
  }
  return links;
}

std::vector<FoundText> anchor_texts(const FoundLinks& links) {
  std::map<std::string_view, FoundText> by_text;
  for (const auto& [node, link] : links) {
    for (const FoundText& text : link.texts) {
      const auto [place, is_new] = by_text.emplace(text.text, text);
      if (!is_new) unite(place->second, text);
    }
  }
  std::vector<FoundText> texts;
  for (const auto& [text, found] : by_text) texts.push_back(found);
  std::ranges::stable_sort(texts, std::greater(), &FoundText::links);
  return texts;
}

}  // namespace webstrata
