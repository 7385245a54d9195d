// SPDX-License-Identifier: Apache-2.0

// robots.txt as RFC 9309 defines it, with Crawl-delay and Sitemap.
//
//   const RobotsRules rules = parse_robots(body, "my-archive");
//   rules.allows("/private/page?x=1");
//
// Groups of the same agent are joined, the longest rule wins, Allow wins a tie, and the octets of
// the path are compared, with percent-encodings in one spelling.
//
// Rules are cut into pieces and sorted once. Matching takes time in proportion to rules and path,
// and at most kRobotsWorkMax steps: a file that needs more forbids the path.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "webstrata/fetch/wire/clock.h"

namespace webstrata {

// No more of a robots.txt is read than this; the standard requires at least this much.
inline constexpr std::size_t kRobotsBytesMax = 500 << 10;

// Bytes that rules with stars may compare for one path, 2 to 5 ms. A thousand rules with two stars
// need a tenth of it for a path of 100 bytes; 500 rules of 990 characters three quarters for one of
// 1,900.
inline constexpr std::uint64_t kRobotsWorkMax = 2'000'000;

struct RobotsDecision {
  bool is_allowed = true;
  std::string rule = {};   // that decides, as robots.txt writes it ("Disallow: /a"); empty: none
  bool is_capped = false;  // no rule decided within kRobotsWorkMax: the path is not allowed
};

class RobotsRules {
 public:
  // Everything is allowed, or nothing but /robots.txt.
  static RobotsRules allow_all() { return {}; }
  static RobotsRules disallow_all();

  // `path` is a URL's path with its query, as Url gives them: "/a/b?c".
  [[nodiscard]] RobotsDecision decide(std::string_view path) const;
  [[nodiscard]] bool allows(std::string_view path) const { return decide(path).is_allowed; }
  [[nodiscard]] std::optional<Moment> crawl_delay_ms() const noexcept { return crawl_delay_ms_; }
  // As written, in order: they may be relative, and may lead to other hosts.
  [[nodiscard]] const std::vector<std::string>& sitemaps() const noexcept { return sitemaps_; }

 private:
  friend class RobotsParser;  // robots.cpp
  struct Piece {              // of a pattern, between stars
    std::uint32_t first = 0;
    std::uint32_t size = 0;
  };
  struct Rule {
    Rule(std::string text, bool is_allowing);
    [[nodiscard]] bool matches(std::string_view path, std::uint64_t& work) const;
    [[nodiscard]] std::string_view text_of(Piece piece) const {
      return std::string_view(pattern).substr(piece.first, piece.size);
    }

    std::string pattern;
    bool allows = false;
    bool is_anchored = false;      // the path ends with the last piece
    Piece head = {};               // the path begins with it
    std::vector<Piece> tail = {};  // found after it, in order
    bool has_star = false;
  };
  void sort_rules();

  std::vector<Rule> rules_;  // the first that matches decides
  std::optional<Moment> crawl_delay_ms_;
  std::vector<std::string> sitemaps_;
};

// `product` is our name, compared without regard to case. Never fails: what cannot be read is
// ignored.
RobotsRules parse_robots(std::string_view text, std::string_view product);

}  // namespace webstrata
