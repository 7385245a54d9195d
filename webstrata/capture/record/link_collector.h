// SPDX-License-Identifier: Apache-2.0

// From the references on a page to the links of a capture: resolves, filters and counts.
//
//   LinkCollector collector(options, report);
//   collector.begin(page_url, capture.links);
//   collector.set_base("/docs/");                         // <base href>, at most once
//   collector.add("guide.html#top", LinkKind::Navigation);
//   collector.end();                                       // reports what was left out
//
// Pages repeat their references (menus, tables of contents), so a reference that was resolved
// once on a page is not resolved again.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "webstrata/base/report.h"
#include "webstrata/capture/record/keyword_matcher.h"
#include "webstrata/capture/record/reader.h"
#include "webstrata/facts/link.h"
#include "webstrata/url/url.h"

namespace webstrata {

class LinkCollector {
 public:
  LinkCollector(const ReadOptions& options, Report& report);

  // `links` is not cleared; it and `page` must live until end().
  void begin(const Url& page, LinkSet& links);
  // Only the first one on a page counts; it is resolved against the page's own URL.
  void set_base(std::string_view reference);
  // True if links of these kinds are wanted: ask before doing work for add().
  [[nodiscard]] bool wants(LinkKinds kinds) const noexcept {
    return kinds.intersects(options_.kinds);
  }
  // `reference` as the page writes it, character references already decoded. Text and context
  // must be valid UTF-8.
  // `window` is where keywords are counted, if the options have some.
  void add(std::string_view reference, LinkKinds kinds, std::string_view text = {},
           std::string_view context = {}, std::string_view window = {});
  // One more text of the link that was added last.
  void add_text(std::string_view text);
  void end();

 private:
  // A reference seen on this page and what became of it.
  struct Seen {
    std::uint64_t hash = 0;
    std::uint32_t page_number = 0;  // other pages' entries count as free
    std::uint32_t position = 0;     // in links_, or kDropped
  };
  static constexpr std::uint32_t kDropped = 0xffffffff;

  // Resolves and stores; returns the link's position or kDropped.
  std::uint32_t take(std::string_view reference, const Link& link);
  // The same for a reference that was seen already.
  std::uint32_t take_again(std::string_view reference, const Link& link);
  void count_keywords(std::uint32_t position, std::string_view window);

  const ReadOptions& options_;
  Report& report_;
  const Url* page_ = nullptr;
  LinkSet* links_ = nullptr;
  bool has_base_ = false;
  Url base_;
  Url target_;
  std::vector<Seen> seen_;
  std::uint32_t page_number_ = 0;
  std::uint32_t last_position_ = kDropped;  // of the link that was added last
  std::optional<KeywordCounter> counter_;
  std::uint64_t other_schemes_ = 0;
  std::uint64_t not_urls_ = 0;
  std::uint64_t with_userinfo_ = 0;
};

}  // namespace webstrata
