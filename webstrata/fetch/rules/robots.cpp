// SPDX-License-Identifier: Apache-2.0

// Lines are read one by one. Rules are kept for the groups that name us and separately for the
// groups of "*"; which of the two applies is known only at the end. Tested by
// tests/fetch/robots_test.cpp; fuzz/robots_fuzz.cpp.

#include "webstrata/fetch/rules/robots.h"

#include <algorithm>
#include <charconv>
#include <cstring>

#include "webstrata/base/text.h"
#include "webstrata/fetch/wire/agent.h"

namespace webstrata {
namespace {

constexpr std::string_view kRobotsByteOrderMark = "\xef\xbb\xbf";
constexpr std::size_t kSitemapsMax = 1000;
// A delay that cannot be meant seriously: there are other ways to ask for one visit per day.
constexpr double kCrawlDelaySecondsMax = 86'400;

int hex_digit(char c) noexcept {
  if (c >= '0' && c <= '9') return c - '0';
  const char lower = to_lower(c);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

bool is_unreserved(unsigned char c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '.' || c == '_' || c == '~';
}

// One spelling for equal octets: unreserved characters as they are, bytes beyond ASCII and other
// escapes as %XX with capitals. An escaped reserved character ("%2F") stays different from the
// character itself, as the standard requires. '*' and '$' are escaped unless they are `special`: a
// rule names them as %2A and %24.
enum class Special { None, StarsAndFinalDollar };
std::string in_one_spelling(std::string_view path, Special special) {
  static constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string out;
  out.reserve(path.size());
  const auto escape = [&](unsigned char c) {
    out += '%';
    out += kHex[c >> 4];
    out += kHex[c & 15];
  };
  const auto is_literal = [&](unsigned char c, std::size_t i) {
    if (special == Special::None) return c == '*' || c == '$';
    return c == '$' && i + 1 < path.size();
  };
  for (std::size_t i = 0; i < path.size(); ++i) {
    const auto c = static_cast<unsigned char>(path[i]);
    const bool is_escape = c == '%' && i + 2 < path.size() && hex_digit(path[i + 1]) >= 0 &&
                           hex_digit(path[i + 2]) >= 0;
    if (is_escape) {
      const auto octet =
          static_cast<unsigned char>(hex_digit(path[i + 1]) * 16 + hex_digit(path[i + 2]));
      if (is_unreserved(octet)) {
        out += static_cast<char>(octet);
      } else {
        escape(octet);
      }
      i += 2;
    } else if (c >= 0x80 || c <= 0x20 || c == 0x7f || is_literal(c, i)) {
      escape(c);
    } else {
      out += static_cast<char>(c);
    }
  }
  return out;
}

struct Line {
  std::string_view key;
  std::string_view value;
};

// "Key: value # comment". A missing colon is accepted where white space separates two words.
Line parse_line(std::string_view text) {
  text = trim(text.substr(0, text.find('#')));
  std::size_t end = text.find(':');
  if (end == std::string_view::npos) {
    const auto space = std::find_if(text.begin(), text.end(), is_white_space);
    if (space == text.end()) return {};
    end = static_cast<std::size_t>(space - text.begin());
    const std::string_view value = trim(text.substr(end));
    if (std::any_of(value.begin(), value.end(), is_white_space)) return {};
  }
  return {trim(text.substr(0, end)), trim(text.substr(end + 1))};
}

bool is_any_of(std::string_view key, std::initializer_list<std::string_view> names) {
  return std::any_of(names.begin(), names.end(),
                     [key](std::string_view name) { return equal_ignoring_case(key, name); });
}

// Seconds, fractions rounded up to milliseconds.
std::optional<Moment> parse_delay(std::string_view text) {
  double seconds = 0;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (end.ec != std::errc() || !(seconds >= 0)) return std::nullopt;
  const double milliseconds = std::min(seconds, kCrawlDelaySecondsMax) * 1000;
  const auto whole = static_cast<Moment>(milliseconds);
  return whole + (static_cast<double>(whole) < milliseconds ? 1 : 0);
}

}  // namespace

class RobotsParser {
 public:
  explicit RobotsParser(std::string_view product) : product_(product) {}

  RobotsRules parse(std::string_view text) {
    text = text.substr(0, kRobotsBytesMax);
    const auto mark =
        std::mismatch(kRobotsByteOrderMark.begin(), kRobotsByteOrderMark.end(), text.begin(),
                      text.end());  // some write a part of it
    text.remove_prefix(static_cast<std::size_t>(mark.second - text.begin()));
    while (!text.empty()) {
      const std::size_t end = std::min(text.find_first_of("\r\n"), text.size());
      take(parse_line(text.substr(0, end)));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    RobotsRules& chosen = has_own_group_ ? own_ : general_;
    chosen.sort_rules();
    chosen.sitemaps_ = std::move(sitemaps_);
    return std::move(chosen);
  }

 private:
  void take(const Line& line) {
    if (is_any_of(line.key, {"user-agent", "useragent", "user agent"})) {
      take_agent(line.value);
    } else if (is_any_of(line.key, {"disallow", "dissallow", "dissalow", "disalow", "diasllow",
                                    "disallaw"})) {
      take_rule(line.value, false);
    } else if (is_any_of(line.key, {"allow"})) {
      take_rule(line.value, true);
    } else if (is_any_of(line.key, {"crawl-delay", "crawldelay"})) {
      take_delay(line.value);
    } else if (is_any_of(line.key, {"sitemap", "site-map"})) {
      if (!line.value.empty() && sitemaps_.size() < kSitemapsMax) {
        sitemaps_.emplace_back(line.value);
      }
    }
  }

  void take_agent(std::string_view name) {
    if (group_has_rules_) is_ours_ = is_for_all_ = group_has_rules_ = false;
    // "*" alone, or followed by a space and something else.
    if (name == "*" || (name.size() > 1 && name[0] == '*' && is_white_space(name[1]))) {
      is_for_all_ = true;
    } else if (!product_.empty() && equal_ignoring_case(product_token(name), product_)) {
      is_ours_ = has_own_group_ = true;
    }
  }

  void take_rule(std::string_view pattern, bool allows) {
    group_has_rules_ = true;
    if (pattern.empty()) return;  // "Disallow:" forbids nothing
    const RobotsRules::Rule rule(in_one_spelling(pattern, Special::StarsAndFinalDollar), allows);
    if (is_ours_) own_.rules_.push_back(rule);
    if (is_for_all_) general_.rules_.push_back(rule);
  }

  void take_delay(std::string_view value) {
    const auto delay = parse_delay(value);
    if (!delay) return;
    // If given twice, the longer one, which is the polite choice.
    const auto lengthen = [&](RobotsRules& rules) {
      rules.crawl_delay_ms_ = std::max(rules.crawl_delay_ms_.value_or(0), *delay);
    };
    if (is_ours_) lengthen(own_);
    if (is_for_all_) lengthen(general_);
  }

  std::string_view product_;
  RobotsRules own_;
  RobotsRules general_;
  std::vector<std::string> sitemaps_;
  bool has_own_group_ = false;
  bool is_ours_ = false;          // the group that is being read
  bool is_for_all_ = false;       // likewise
  bool group_has_rules_ = false;  // the next user-agent line begins another group
};

RobotsRules RobotsRules::disallow_all() {
  RobotsRules rules;
  rules.rules_.emplace_back("/", false);
  return rules;
}

// ---- matching -----------------------------------------------------------------------------------

// '*' matches anything, a final '$' the end. The piece before the first star begins the path, and
// each further piece is matched at its first occurrence: a later one could not do better.
RobotsRules::Rule::Rule(std::string text, bool is_allowing)
    : pattern(std::move(text)), allows(is_allowing), is_anchored(pattern.ends_with('$')) {
  const std::size_t end = pattern.size() - (is_anchored ? 1 : 0);
  const auto piece_at = [&](std::size_t first) {
    const std::size_t star = std::min(pattern.find('*', first), end);
    return Piece{static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(star - first)};
  };
  head = piece_at(0);
  for (std::size_t star = head.size; star < end;) {
    has_star = true;
    const Piece piece = piece_at(star + 1);
    star += 1 + piece.size;
    const bool is_last = star == end;
    if (piece.size > 0 || (is_last && is_anchored)) tail.push_back(piece);
  }
}

bool RobotsRules::Rule::matches(std::string_view path, std::uint64_t& work) const {
  ++work;
  if (!path.starts_with(text_of(head))) return false;
  if (!has_star) return !is_anchored || path.size() == head.size;
  std::size_t at = head.size;
  const std::size_t floating = tail.size() - (is_anchored ? 1 : 0);
  for (std::size_t i = 0; i < floating; ++i) {
    const std::string_view piece = text_of(tail[i]);
    // Linear in both, which std::string_view::find is not.
    const void* found = ::memmem(path.data() + at, path.size() - at, piece.data(), piece.size());
    const std::size_t next =
        found == nullptr ? path.size()
                         : static_cast<std::size_t>(static_cast<const char*>(found) - path.data()) +
                               piece.size();
    work += next - at + piece.size();
    if (found == nullptr) return false;
    at = next;
  }
  return !is_anchored || path.substr(at).ends_with(text_of(tail.back()));
}

// The longest first, and of equal ones those that allow.
void RobotsRules::sort_rules() {
  std::ranges::stable_sort(rules_, [](const Rule& a, const Rule& b) {
    if (a.pattern.size() != b.pattern.size()) return a.pattern.size() > b.pattern.size();
    return a.allows && !b.allows;
  });
}

RobotsDecision RobotsRules::decide(std::string_view path) const {
  if (rules_.empty()) return {};
  const std::string spelled = in_one_spelling(path.empty() ? "/" : path, Special::None);
  if (spelled == "/robots.txt") return {};
  std::uint64_t work = 0;
  for (const Rule& rule : rules_) {
    if (rule.matches(spelled, work)) {
      return {.is_allowed = rule.allows,
              .rule = (rule.allows ? "Allow: " : "Disallow: ") + rule.pattern};
    }
    if (work > kRobotsWorkMax) return {.is_allowed = false, .is_capped = true};
  }
  return {};
}

RobotsRules parse_robots(std::string_view text, std::string_view product) {
  return RobotsParser(product).parse(text);
}

}  // namespace webstrata
