// SPDX-License-Identifier: Apache-2.0

// One pass over the tags, without a tree: only five elements matter, whatever their prefix, and an
// entry is finished at its closing tag.
// Tested by tests/fetch/sitemap_test.cpp; fuzz/sitemap_fuzz.cpp.

#include "webstrata/fetch/crawl/sitemap.h"

#include <algorithm>
#include <charconv>

#include "webstrata/base/text.h"
#include "webstrata/capture/html/html_entities.h"
#include "webstrata/capture/stream/input_stream.h"

namespace webstrata {
namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
constexpr std::size_t kValueBytesMax = 4096;  // a URL of a sitemap has at most 2,048 characters
constexpr std::size_t kRootBytesMax = 4096;   // within which the outermost element begins
constexpr Time kDay = 86'400;

std::string unpacked(std::string_view body, std::size_t bytes_max) {
  const bool is_gzip = body.starts_with("\x1f\x8b");
  if (!is_gzip) return std::string(body.substr(0, bytes_max));
  Report report;
  InputStream in(InMemory{body}, report);
  std::string text;
  while (text.size() < bytes_max) {
    const std::string_view window = in.peek(1 << 16);
    if (window.empty()) break;
    text.append(window.substr(0, bytes_max - text.size()));
    in.skip(window.size());
  }
  return text;
}

std::string_view local_name(std::string_view name) {
  return name.substr(name.rfind(':') + 1);  // npos + 1 is 0
}

std::optional<double> parse_priority(std::string_view text) {
  double priority = 0;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), priority);
  const bool makes_sense = end.ec == std::errc() && priority > 0 && priority <= 1;
  return makes_sense ? std::optional(priority) : std::nullopt;
}

std::optional<Time> parse_period(std::string_view word) {
  if (equal_ignoring_case(word, "daily")) return kDay;
  if (equal_ignoring_case(word, "weekly")) return 7 * kDay;
  if (equal_ignoring_case(word, "monthly")) return 30 * kDay;
  if (equal_ignoring_case(word, "yearly")) return 365 * kDay;
  return std::nullopt;  // "always" and "hourly" are wishes, "never" is not credible
}

class SitemapReader {
 public:
  SitemapReader(const Url& base, Time now) : base_(base), now_(now) {}

  Sitemap read(std::string_view text) {
    if (text.size() > kSitemapBytesMax) {
      text = text.substr(0, kSitemapBytesMax);
      sitemap_.is_cut = true;
    }
    if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
    if (trim(text.substr(0, 4096)).starts_with('<')) {
      read_xml(text);
    } else {
      read_lines(text);
    }
    return std::move(sitemap_);
  }

 private:
  void read_lines(std::string_view text) {
    while (!text.empty()) {
      const std::size_t end = std::min(text.find_first_of("\r\n"), text.size());
      const std::string_view line = trim(text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
      if (line.empty()) continue;
      SitemapEntry entry;
      if (set_url(entry, line)) add(sitemap_.pages, std::move(entry));
    }
  }

  void read_xml(std::string_view text) {
    while (!text.empty()) {
      const std::size_t open = std::min(text.find('<'), text.size());
      take_text(text.substr(0, open));
      text.remove_prefix(open);
      if (text.starts_with("<!--")) {
        skip_behind(text, "-->");
      } else if (text.starts_with("<![CDATA[")) {
        const std::string_view rest = text.substr(9);
        const std::string_view inside = rest.substr(0, rest.find("]]>"));
        if (is_inside_value_) append(inside);
        skip_behind(text, "]]>");
      } else if (!text.empty()) {
        const std::size_t end = std::min(text.find('>'), text.size() - 1);
        take_tag(text.substr(1, end - 1));
        text.remove_prefix(end + 1);
      }
    }
  }

  static void skip_behind(std::string_view& text, std::string_view end) {
    const std::size_t at = text.find(end);
    text.remove_prefix(at == std::string_view::npos ? text.size() : at + end.size());
  }

  void take_text(std::string_view raw) {
    if (!is_inside_value_) return;
    decoded_.clear();
    append_attribute_value(raw.substr(0, kValueBytesMax), decoded_);
    append(decoded_);
  }
  void append(std::string_view text) {
    if (value_.size() < kValueBytesMax) value_.append(text.substr(0, kValueBytesMax));
  }

  void take_tag(std::string_view tag) {
    const bool closes = tag.starts_with('/');
    if (closes) tag.remove_prefix(1);
    const auto end =
        std::find_if(tag.begin(), tag.end(), [](char c) { return is_white_space(c) || c == '/'; });
    const std::string_view prefixed = tag.substr(0, static_cast<std::size_t>(end - tag.begin()));
    // Extensions (images, videos) have a <loc> too, under a prefix of their own.
    const bool is_foreign = prefixed.find(':') != std::string_view::npos &&
                            !(prefixed.starts_with("sm:") || prefixed.starts_with("sitemap:"));
    if (is_foreign) return;
    const std::string_view name = local_name(prefixed);
    if (name == "url" || name == "sitemap") {
      if (closes) {
        finish(name == "url" ? sitemap_.pages : sitemap_.sitemaps);
      } else {
        entry_ = {};
        is_inside_entry_ = true;
      }
    } else if (is_inside_entry_ &&
               (name == "loc" || name == "lastmod" || name == "priority" || name == "changefreq")) {
      if (closes) {
        take_value(name);
      } else {
        value_.clear();
      }
      is_inside_value_ = !closes;
    }
  }

  void take_value(std::string_view name) {
    const std::string_view value = trim(value_);
    if (name == "loc") {
      set_url(entry_, value);
    } else if (name == "lastmod") {
      const auto time = parse_time(value);
      if (time && *time <= now_) entry_.changed = time;
    } else if (name == "priority") {
      entry_.priority = parse_priority(value);
    } else {
      entry_.period = parse_period(value);
    }
    value_.clear();
  }

  bool set_url(SitemapEntry& entry, std::string_view text) {
    const bool is_web =
        !text.empty() && resolve_url(base_, text, url_) && url_.is_web() && url_.scheme() != "ftp";
    if (!is_web) {
      ++sitemap_.left_out;
      return false;
    }
    entry.url = url_.href();
    return true;
  }

  void finish(std::vector<SitemapEntry>& entries) {
    is_inside_entry_ = is_inside_value_ = false;
    if (!entry_.url.empty()) add(entries, std::move(entry_));
    entry_ = {};
  }

  void add(std::vector<SitemapEntry>& entries, SitemapEntry entry) {
    if (entries.size() == kSitemapEntriesMax) {
      sitemap_.is_cut = true;
      ++sitemap_.left_out;
      return;
    }
    entries.push_back(std::move(entry));
  }

  const Url& base_;
  Time now_;
  Sitemap sitemap_;
  SitemapEntry entry_;
  Url url_;
  std::string value_;
  std::string decoded_;
  bool is_inside_entry_ = false;
  bool is_inside_value_ = false;
};

}  // namespace

bool looks_like_sitemap(std::string_view body) {
  const std::string text = unpacked(body, kRootBytesMax);
  // The first tag that is neither a declaration nor a comment.
  for (std::size_t at = text.find('<'); at != std::string::npos; at = text.find('<', at + 1)) {
    const std::string_view tag = std::string_view(text).substr(at + 1);
    if (tag.starts_with("!--")) {
      at = text.find("-->", at);
      if (at == std::string::npos) break;
      continue;
    }
    if (tag.starts_with('?') || tag.starts_with('!')) continue;
    const std::string_view name = local_name(tag.substr(0, tag.find_first_of(" \t\r\n/>")));
    return name == "urlset" || name == "sitemapindex";
  }
  return false;
}

// One byte more than the limit, so that an excess is noticed.
Sitemap parse_sitemap(std::string_view body, const Url& base, Time now) {
  return SitemapReader(base, now).read(unpacked(body, kSitemapBytesMax + 1));
}

}  // namespace webstrata
