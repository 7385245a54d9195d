// robots.txt as RFC 9309 has it, with Crawl-delay and Sitemap.
//
//   const RobotsRules rules = parse_robots(body, "my-archive");
//   rules.allows("/private/page?x=1");
//
// Groups of the same agent count together, the longest rule wins, Allow wins a tie, and what is
// compared are the octets of the path, with percent-encodings in one spelling.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "webstrata/fetch/clock.h"

namespace webstrata {

// Of a robots.txt no more than this is read; the standard asks for so much at least.
inline constexpr std::size_t kRobotsBytesMax = 500 << 10;

class RobotsRules {
 public:
  // Everything is allowed, or nothing but /robots.txt.
  static RobotsRules allow_all() { return {}; }
  static RobotsRules disallow_all();

  // `path` is a url's path with its query, as Url gives them: "/a/b?c".
  [[nodiscard]] bool allows(std::string_view path) const;
  // The rule that decides, as robots.txt writes it ("Disallow: /a"); empty if none does.
  [[nodiscard]] std::string deciding_rule(std::string_view path) const;
  [[nodiscard]] std::optional<Moment> crawl_delay_ms() const noexcept { return crawl_delay_ms_; }
  // As written, in order: they may be relative, and may lead to other hosts.
  [[nodiscard]] const std::vector<std::string>& sitemaps() const noexcept { return sitemaps_; }

 private:
  friend class RobotsParser;  // robots.cpp
  struct Rule {
    std::string pattern;
    bool allows = false;
  };
  [[nodiscard]] const Rule* decider(std::string_view path) const;

  std::vector<Rule> rules_;
  std::optional<Moment> crawl_delay_ms_;
  std::vector<std::string> sitemaps_;
};

// `product` is the name we go by, compared without regard to case. Never fails: what cannot be read
// is passed over.
RobotsRules parse_robots(std::string_view text, std::string_view product);

}  // namespace webstrata
