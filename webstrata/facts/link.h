// SPDX-License-Identifier: Apache-2.0

// Links of one capture: a set of (target, kinds, count).
//
// LinkSet keeps all its text in one buffer, so that a set that is cleared and filled again,
// page after page, stops allocating.

#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "webstrata/url/url.h"

namespace webstrata {

// How a page points to a target; a link may be of several kinds at once.
enum class LinkKind : std::uint8_t {
  Navigation = 1,  // a, area, frame: what a reader can follow
  Embed = 2,       // img, script, iframe, stylesheets: what a browser loads by itself
  Redirect = 4,    // a 3xx answer with Location
  Relation = 8,    // link rel=canonical, alternate, next, ...; the Link: header
  Form = 16,       // where a form sends what is typed in
  Refresh = 32,    // meta refresh and the Refresh: header
  Sitemap = 64,    // an entry of a sitemap
  Nofollow = 128,  // the author asks crawlers not to count it
};

class LinkKinds {
 public:
  constexpr LinkKinds() = default;
  constexpr LinkKinds(LinkKind kind) : bits_(static_cast<std::uint8_t>(kind)) {}  // NOLINT
  static constexpr LinkKinds from_bits(std::uint8_t bits) {
    LinkKinds kinds;
    kinds.bits_ = bits;
    return kinds;
  }

  [[nodiscard]] constexpr std::uint8_t bits() const noexcept { return bits_; }
  [[nodiscard]] constexpr bool empty() const noexcept { return bits_ == 0; }
  [[nodiscard]] constexpr bool has(LinkKind kind) const noexcept {
    return (bits_ & static_cast<std::uint8_t>(kind)) != 0;
  }
  [[nodiscard]] constexpr bool intersects(LinkKinds other) const noexcept {
    return (bits_ & other.bits_) != 0;
  }
  friend constexpr LinkKinds operator|(LinkKinds a, LinkKinds b) noexcept {
    return from_bits(a.bits_ | b.bits_);
  }
  friend constexpr bool operator==(LinkKinds, LinkKinds) = default;

 private:
  std::uint8_t bits_ = 0;
};
constexpr LinkKinds operator|(LinkKind a, LinkKind b) noexcept {
  return LinkKinds(a) | LinkKinds(b);
}

// The default kinds of the graph: where a reader can go.
inline constexpr LinkKinds kGraphKinds =
    LinkKind::Navigation | LinkKind::Redirect | LinkKind::Refresh;
inline constexpr LinkKinds kAllKinds = LinkKinds::from_bits(0xff);

// "navigation+nofollow"; "" for none.
std::string to_string(LinkKinds kinds);
std::optional<LinkKinds> parse_link_kinds(std::string_view text);

struct Link {
  std::string_view target = {};  // a normalised URL
  LinkKinds kinds = {};
  std::uint8_t count = 1;         // how often the page contains it; 255 means 255 or more
  std::string_view text = {};     // anchor text, UTF-8, white space folded; empty unless requested
  std::string_view context = {};  // the text around it; empty unless requested
  UrlShape shape = {};            // of the target, if it was parsed when the link was found
};

// How often a keyword occurs around a link.
struct LinkMention {
  std::uint32_t link = 0;  // its position in the set
  std::uint32_t keyword = 0;
  std::uint32_t times = 0;
  friend auto operator<=>(const LinkMention&, const LinkMention&) = default;
};

class LinkSet {
 public:
  // Adds one occurrence. A target already in the set gains the kinds and the count, and keeps its
  // first non-empty text and context; other texts are more_texts(). `link`'s views are copied.
  // Returns the link's position.
  std::size_t add(const Link& link);
  // One more text of a link whose position is known; the first one becomes Link::text.
  void add_text(std::size_t position, std::string_view text);
  // One more occurrence of a link whose position is known.
  void again(std::size_t position, LinkKinds kinds, std::uint8_t times = 1) noexcept;
  void mention(const LinkMention& mention) { mentions_.push_back(mention); }
  // In the order in which they were found; one link and keyword may occur several times. Empty
  // unless keywords are counted.
  [[nodiscard]] std::span<const LinkMention> mentions() const noexcept { return mentions_; }
  // The texts of a link besides Link::text, in the order in which they were found; none is equal to
  // it, but they may repeat. Replaces `out`. Views live until the next change.
  void more_texts(std::size_t position, std::vector<std::string_view>& out) const;
  // Clears the links, keeps the memory.
  void clear() noexcept;

  [[nodiscard]] std::size_t size() const noexcept { return entries_.size(); }
  [[nodiscard]] bool empty() const noexcept { return entries_.empty(); }
  // In the order of first appearance. Views live until the next change.
  [[nodiscard]] Link operator[](std::size_t position) const noexcept;

 private:
  struct Entry {
    std::uint64_t hash = 0;
    std::uint64_t start = 0;  // target, text and context follow each other in text_
    std::uint32_t target_size = 0;
    std::uint32_t text_size = 0;
    std::uint32_t context_size = 0;
    LinkKinds kinds;
    std::uint8_t count = 1;
    UrlShape shape;
    std::uint32_t last_more = 0;  // its last other text: position + 1 in more_texts_; 0 for none
  };
  struct MoreText {
    std::uint64_t start = 0;  // in text_
    std::uint32_t size = 0;
    std::uint32_t before = 0;  // the one before it of the same link, as in Entry
  };

  void grow_slots();
  std::size_t slot_of(std::uint64_t hash, std::string_view target) const noexcept;
  void place(std::size_t position) noexcept;
  void store(const Link& link, std::uint64_t hash);
  void move_texts(std::size_t position, std::string_view text, std::string_view context);

  std::vector<Entry> entries_;
  std::string text_;
  // Open addressing: position + 1 of an entry, 0 for a free slot.
  std::vector<std::uint32_t> slots_;
  std::vector<LinkMention> mentions_;
  std::vector<MoreText> more_texts_;  // few links have several texts
};

}  // namespace webstrata
