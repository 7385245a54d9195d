// SPDX-License-Identifier: Apache-2.0

// An archive, open for questions: who linked to whom, when.
//
//   const Archive archive = Archive::open("lib.ws");
//   const auto page = archive.uid("http://www.example.org/");
//   for (const LinkAt& link : archive.links_at(*page, time).links) ... archive.url(link.node) ...
//
// It holds a lease on the generation that was current when it was opened and never changes, so
// threads may share one; copies are cheap and share it. Uids are those of that generation. Times
// are closed intervals, absence is an optional. The names used in the papers are in brackets.

#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "webstrata/archive/disk/layer.h"
#include "webstrata/archive/disk/manifest.h"
#include "webstrata/archive/gather/page.h"
#include "webstrata/archive/read/answers.h"
#include "webstrata/base/ids.h"
#include "webstrata/base/time.h"
#include "webstrata/facts/link.h"
#include "webstrata/facts/page_state.h"
#include "webstrata/facts/sighting.h"
#include "webstrata/url/dialect.h"
#include "webstrata/url/key.h"

namespace webstrata {

class StackReader;

class Archive {
 public:
  // Throws Error(NotFound), Error(Corrupt), Error(BadInput) for a newer format. `cache_bytes`
  // bounds the opened chunks that are kept for later questions.
  static Archive open(const std::filesystem::path& path,
                      std::size_t cache_bytes = std::size_t{256} << 20);

  [[nodiscard]] const Manifest& manifest() const noexcept;
  [[nodiscard]] const std::filesystem::path& path() const noexcept;
  // The layers themselves, for scans (archive/read/stack_reader.h).
  [[nodiscard]] const StackReader& stack() const noexcept;

  // Names. [getUid, getUrl]
  [[nodiscard]] std::uint64_t node_count() const noexcept;
  // `url` is normalised first; empty if it is not a URL or not in the archive.
  [[nodiscard]] std::optional<Uid> uid(std::string_view url) const;
  [[nodiscard]] std::string url(Uid uid) const;
  [[nodiscard]] std::string key(Uid uid) const;
  // A host, a domain, a directory, a prefix (url/key.h) are ranges of keys, and so of uids.
  [[nodiscard]] UidRange range(const KeyRange& keys) const;
  // All nodes whose URL folds to the same key in that dialect as `url` does, ascending.
  [[nodiscard]] std::vector<Uid> folded(std::string_view url, Dialect dialect) const;

  // Pages. [getUids]
  // Calls `visit` with every node that was captured, in order; with an interval, those that were
  // captured inside it. Stops when `visit` says false.
  void pages(const std::function<bool(Uid)>& visit) const;
  void pages(TimeInterval interval, const std::function<bool(Uid)>& visit) const;

  // When a page was captured (including derived rows of revisits), ascending.
  [[nodiscard]] std::vector<Time> capture_times(Uid uid) const;
  [[nodiscard]] std::vector<Sighting> sightings(Uid uid) const;
  // Everything about one page, as archive/gather/page.h joins it, including derived rows; the texts
  // of its links only if they are wanted (and the archive has them).
  void page(Uid uid, PageFacts& facts, bool with_texts = false) const;

  // Links over all time: targets, or sources, ascending. [getLinks, getLinkCount]
  [[nodiscard]] std::vector<Uid> links(Uid uid, Direction direction = Direction::Out) const;
  [[nodiscard]] std::uint64_t link_count(Uid uid, Direction direction = Direction::Out) const;
  // Links seen in captures made inside the interval. In-links are exact: each candidate source is
  // checked in its own page.
  [[nodiscard]] std::vector<Uid> links(Uid uid, TimeInterval during,
                                       Direction direction = Direction::Out) const;
  // The papers' coarse answer: sources in any range that overlaps the interval.
  [[nodiscard]] std::vector<Uid> in_links_by_range(Uid uid, TimeInterval during) const;

  // The page as of a time (facts/page_state.h). A page that is present again without known links
  // has those of its last capture as a present page.
  [[nodiscard]] PageAt links_at(Uid uid, Time time) const;
  // The pages whose state at `time` has a link to `uid`, with its kinds and count there. A move
  // that is known only from an index line is in no layer of in-links: links_at() knows it, this
  // does not.
  [[nodiscard]] std::vector<LinkAt> in_links_at(Uid uid, Time time) const;

  // The histories of a page's links (out) or of the links to it (in), ascending by the other end;
  // with an interval, only from captures made inside it.
  [[nodiscard]] std::vector<LinkHistory> history(
      Uid uid, Direction direction, std::optional<TimeInterval> during = std::nullopt) const;
  [[nodiscard]] std::optional<LinkHistory> history(Uid source, Uid target) const;

  // The texts of a page's links, or of those to `target`, ascending by target and text; with an
  // interval, only from captures made inside it. None if the archive keeps no texts.
  [[nodiscard]] std::vector<LinkText> texts(
      Uid source, std::optional<Uid> target = std::nullopt,
      std::optional<TimeInterval> during = std::nullopt) const;

 private:
  struct State;
  explicit Archive(std::shared_ptr<const State> state);
  std::shared_ptr<const State> state_;
};

}  // namespace webstrata
